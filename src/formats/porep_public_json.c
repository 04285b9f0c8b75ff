#include "formats/porep_public_json.h"

#include "formats/c1_layout.h"
#include "formats/hex_text.h"
#include "formats/json_pull.h"

#include <inttypes.h>
#include <string.h>

enum { REGISTERED, PROVER, SECTOR, TICKET, SEED, COMM_D, COMM_R };

static const char *const names[] = {"registered_proof", "prover_id", "sector_id", "ticket", "seed",
                                    "comm_d",           "comm_r",    NULL};

static weir_err read_hex(weir_json *j, uint8_t out[32])
{
    char text[80]; /* 66 characters are right; more are shown to be wrong by the count */
    WEIR_TRY(weir_json_string(j, text, sizeof text));
    if (weir_hex_to_bytes32(out, text)) return WEIR_OK;
    return weir_json_fail(j, WEIR_E_FORMAT,
                          "exactly 64 hexadecimal digits are expected, 0x may stand in front");
}

static weir_err read_node(weir_json *j, weir_node *out)
{
    WEIR_TRY(read_hex(j, out->b));
    if (weir_c1_node_in_range(out)) return WEIR_OK;
    return weir_json_fail(j, WEIR_E_RANGE,
                          "the value, least significant byte first, is not below the modulus r");
}

static weir_err read_registered(weir_json *j, const weir_registered_porep **out)
{
    char name[WEIR_JSON_MAX_KEY + 1];
    WEIR_TRY(weir_json_string(j, name, sizeof name));
    *out = weir_registered_porep_by_name(name);
    if (*out) return WEIR_OK;
    return weir_json_fail(
        j, WEIR_E_UNSUPPORTED,
        "no such registered seal proof; known are StackedDrg32GiBV1_1 and the like");
}

weir_err weir_porep_public_read(weir_porep_public_values *out, const uint8_t *data, size_t n,
                                weir_errinfo *ei)
{
    weir_json j;
    weir_json_fields f = {.names = names, .required = (1 << (COMM_R + 1)) - 1, .strict = true};
    memset(out, 0, sizeof *out);
    weir_json_init(&j, data, n, ei);
    WEIR_TRY(weir_json_object(&j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(&j, &f, &which));
        switch (which) {
        case REGISTERED:
            WEIR_TRY(read_registered(&j, &out->registered));
            break;
        case PROVER:
            WEIR_TRY(read_hex(&j, out->prover_id));
            break;
        case SECTOR:
            WEIR_TRY(weir_json_u64(&j, &out->sector_id));
            break;
        case TICKET:
            WEIR_TRY(read_hex(&j, out->ticket));
            break;
        case SEED:
            WEIR_TRY(read_hex(&j, out->seed));
            break;
        case COMM_D:
            WEIR_TRY(read_node(&j, &out->comm_d));
            break;
        case COMM_R:
            WEIR_TRY(read_node(&j, &out->comm_r));
            break;
        default:
            return weir_json_end(&j);
        }
    }
}

weir_err weir_porep_public_write(weir_outfile *out, const weir_porep_public_values *v,
                                 weir_errinfo *ei)
{
    char prover[65], ticket[65], seed[65], comm_d[65], comm_r[65], text[700];
    weir_hex_from_bytes32(prover, v->prover_id);
    weir_hex_from_bytes32(ticket, v->ticket);
    weir_hex_from_bytes32(seed, v->seed);
    weir_hex_from_bytes32(comm_d, v->comm_d.b);
    weir_hex_from_bytes32(comm_r, v->comm_r.b);
    int n = snprintf(text, sizeof text,
                     "{\n"
                     "  \"registered_proof\": \"%s\",\n"
                     "  \"prover_id\": \"%s\",\n"
                     "  \"sector_id\": %" PRIu64 ",\n"
                     "  \"ticket\": \"%s\",\n"
                     "  \"seed\": \"%s\",\n"
                     "  \"comm_d\": \"%s\",\n"
                     "  \"comm_r\": \"%s\"\n"
                     "}\n",
                     v->registered->name, prover, v->sector_id, ticket, seed, comm_d, comm_r);
    return weir_outfile_write(out, text, (size_t)n, ei);
}

void weir_porep_public_from_values(weir_porep_public *out, const weir_porep_public_values *v)
{
    *out =
        (weir_porep_public){.registered = v->registered, .comm_d = v->comm_d, .comm_r = v->comm_r};
    memcpy(out->seed, v->seed, 32);
    weir_porep_replica_id(&out->replica_id, v->registered, v->prover_id, v->sector_id, v->ticket,
                          &v->comm_d);
}
