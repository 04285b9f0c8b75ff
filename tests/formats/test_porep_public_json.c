/* The small JSON files: public values of a seal, secrets of a test key. */
#include "formats/porep_public_json.h"
#include "formats/secrets_json.h"
#include "formats_common.h"

#define DIGITS     "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEE6f"
#define MODULUS_LE "01000000fffffffffe5bfeff02a4bd5305d8a10908d83933487d9d2953a7ed73"
#define MODULUS_BE "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"

/* The seven fields of the reference sector as one file. */
static json_t *reference(void)
{
    static const char *const names[] = {
        "registered_proof", "prover_id", "sector_id", "ticket", "seed", "comm_d", "comm_r"};
    json_t *sector = tk_json("porep-2k-5/sector.json"), *out = json_object();
    for (int i = 0; i < 7; i++) json_object_set(out, names[i], tk_get(sector, names[i]));
    json_decref(sector);
    return out;
}

static weir_err read_tree(weir_porep_public_values *v, json_t *tree, weir_errinfo *ei)
{
    char *text = json_dumps(tree, JSON_INDENT(1));
    weir_err err = weir_porep_public_read(v, (uint8_t *)text, strlen(text), ei);
    free(text);
    return err;
}

static void reference_sector(void **state)
{
    (void)state;
    json_t *tree = reference(), *sector = tk_json("porep-2k-5/sector.json");
    weir_errinfo ei = {0};
    weir_porep_public_values v, w;
    if (read_tree(&v, tree, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    assert_int_equal(v.registered->number, 5);
    assert_true(v.sector_id == UINT64_C(1090597546512377591));
    uint8_t want[32];
    tk_hex_bytes(tk_str(sector, "ticket"), want, 32);
    assert_memory_equal(v.ticket, want, 32);
    tk_hex_bytes(tk_str(sector, "comm_r"), want, 32);
    assert_memory_equal(&v.comm_r, want, 32);
    weir_porep_public pub;
    weir_porep_public_from_values(&pub, &v);
    tk_hex_bytes(tk_str(sector, "replica_id"), want, 32);
    assert_memory_equal(&pub.replica_id, want, 32);
    assert_memory_equal(pub.seed, v.seed, 32);
    assert_memory_equal(&pub.comm_d, &v.comm_d, 32);
    assert_memory_equal(&pub.comm_r, &v.comm_r, 32);
    weir_outfile out;
    assert_int_equal(weir_outfile_open(&out, temp_name(), &ei), WEIR_OK);
    assert_int_equal(weir_porep_public_write(&out, &v, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_commit(&out, &ei), WEIR_OK);
    size_t n;
    uint8_t *text = read_and_remove(temp_name(), &n);
    assert_int_equal(weir_porep_public_read(&w, text, n, &ei), WEIR_OK);
    assert_memory_equal(&v, &w, sizeof v);
    for (size_t cut = 0; cut < n - 2; cut++)
        assert_int_equal(weir_porep_public_read(&w, text, cut, &ei), WEIR_E_TRUNCATED);
    free(text);
    json_decref(tree);
    json_decref(sector);
}

static void damaged_public_values(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
        weir_err err;
        const char *says;
    } cases[] = {
        {"seed", "\"0x" DIGITS "\"", WEIR_OK, ""},
        {"seed", "\"0X" DIGITS "\"", WEIR_OK, ""},
        {"seed", "\"" DIGITS "\"", WEIR_OK, ""},
        {"comm_d", "\"" DIGITS "\"", WEIR_OK, ""},
        {"sector_id", "18446744073709551615", WEIR_E_USAGE,
         ""}, /* jansson cannot write it; tested below */
        {"registered_proof", "", WEIR_E_FORMAT, "without \"registered_proof\""},
        {"prover_id", "", WEIR_E_FORMAT, "without \"prover_id\""},
        {"sector_id", "", WEIR_E_FORMAT, "without \"sector_id\""},
        {"ticket", "", WEIR_E_FORMAT, "without \"ticket\""},
        {"seed", "", WEIR_E_FORMAT, "without \"seed\""},
        {"comm_d", "", WEIR_E_FORMAT, "without \"comm_d\""},
        {"comm_r", "", WEIR_E_FORMAT, "without \"comm_r\""},
        {"sector", "1", WEIR_E_FORMAT, "sector: unknown field"},
        {"replica_id", "\"" DIGITS "\"", WEIR_E_FORMAT, "replica_id: unknown field"},
        {"seed", "\"" DIGITS "0\"", WEIR_E_FORMAT, "seed: exactly 64 hexadecimal digits"},
        {"seed", "\"0" DIGITS "0\"", WEIR_E_FORMAT, "exactly 64"},
        {"seed", "\"\"", WEIR_E_FORMAT, "exactly 64"},
        {"seed", "\"0x\"", WEIR_E_FORMAT, "exactly 64"},
        {"ticket", "\"0xg0112233445566778899aabbccddeeff00112233445566778899AABBCCDDEE6f\"",
         WEIR_E_FORMAT, "ticket"},
        {"ticket", "\"" DIGITS DIGITS "\"", WEIR_E_FORMAT, "ticket: the text is longer than"},
        {"ticket", "[0]", WEIR_E_FORMAT, "ticket: a string is expected"},
        {"comm_d", "\"" MODULUS_LE "\"", WEIR_E_RANGE, "comm_d: the value"},
        {"comm_r", "\"" MODULUS_LE "\"", WEIR_E_RANGE, "comm_r: the value"},
        {"ticket", "\"" MODULUS_LE "\"", WEIR_OK, ""},
        {"sector_id", "-1", WEIR_E_RANGE, "sector_id: a whole number"},
        {"sector_id", "\"1\"", WEIR_E_FORMAT, "sector_id: a number is expected"},
        {"registered_proof", "\"StackedDrg33GiBV1\"", WEIR_E_UNSUPPORTED,
         "registered_proof: no such"},
        {"registered_proof", "5", WEIR_E_FORMAT, "registered_proof: a string"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].err == WEIR_E_USAGE) continue;
        json_t *tree = reference();
        weir_errinfo ei = {0};
        weir_porep_public_values v;
        if (cases[i].value[0])
            json_object_set_new(tree, cases[i].key,
                                json_loads(cases[i].value, JSON_DECODE_ANY, NULL));
        else
            json_object_del(tree, cases[i].key);
        weir_err err = read_tree(&v, tree, &ei);
        if (err != cases[i].err || !strstr(ei.text, cases[i].says))
            fail_msg("case %zu: %s \"%s\"", i, weir_err_name(err), ei.text);
        json_decref(tree);
    }
}

/* What jansson cannot write. */
static void odd_texts(void **state)
{
    (void)state;
    json_t *tree = reference();
    json_object_del(tree, "sector_id");
    char *rest = json_dumps(tree, 0);
    static const struct {
        const char *front;
        weir_err err;
    } cases[] = {
        {"{\"sector_id\":18446744073709551615,", WEIR_OK},
        {"{\"sector_id\":18446744073709551616,", WEIR_E_RANGE},
        {"{\"sector_id\":1,\"sector_id\":1,", WEIR_E_FORMAT},
        {"{\"sector_id\":1,\"seed\":\"" DIGITS "\",", WEIR_E_FORMAT},
        {"{\"sector_id\":1,,", WEIR_E_FORMAT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        weir_porep_public_values v;
        int n = snprintf(text, sizeof text, "%s%s", cases[i].front, rest + 1);
        assert_int_equal(weir_porep_public_read(&v, (uint8_t *)text, (size_t)n, NULL),
                         cases[i].err);
        if (cases[i].err == WEIR_OK) {
            assert_true(v.sector_id == UINT64_MAX);
            text[n] = 'x';
            assert_int_equal(weir_porep_public_read(&v, (uint8_t *)text, (size_t)n + 1, NULL),
                             WEIR_E_FORMAT);
        }
    }
    free(rest);
    json_decref(tree);
}

static void reference_secrets(void **state)
{
    (void)state;
    static const char *const files[] = {"porep-2k-5/params.json", "groth16-small/mini.json",
                                        "groth16-small/sha-block.json"};
    for (int i = 0; i < 3; i++) {
        size_t n;
        weir_errinfo ei = {0};
        weir_secrets s, t;
        uint8_t *text = tk_vector(files[i], &n);
        if (weir_secrets_read(&s, text, n, &ei) != WEIR_OK) fail_msg("%s: %s", files[i], ei.text);
        json_t *tree = tk_json(files[i]), *toxic = tk_get(tree, "toxic");
        static const char *const names[] = {"alpha", "beta", "gamma", "delta", "tau"};
        const weir_scalar *const got[] = {&s.alpha, &s.beta, &s.gamma, &s.delta, &s.tau};
        for (int k = 0; k < 5; k++) {
            weir_scalar want;
            tk_hex_scalar(tk_str(toxic, names[k]), &want);
            assert_memory_equal(got[k], &want, sizeof want);
        }
        char *flat = json_dumps(toxic, 0);
        assert_int_equal(weir_secrets_read(&t, (uint8_t *)flat, strlen(flat), &ei), WEIR_OK);
        assert_memory_equal(&s, &t, sizeof s);
        free(flat);
        free(text);
        json_decref(tree);
    }
}

static void odd_secrets(void **state)
{
    (void)state;
#define FOUR    "\"beta\":\"0x2\",\"gamma\":\"0x3\",\"delta\":\"0x4\",\"tau\":\"0x5\"}"
#define LONGEST "0x0000000000000000000000000000000100000000000000020000000000000003"
    static const struct {
        const char *text;
        weir_err err;
        const char *says;
    } cases[] = {
        {"{\"alpha\":\"0x1\"," FOUR, WEIR_OK, ""},
        {"{\"alpha\":\"" LONGEST "\"," FOUR, WEIR_OK, ""},
        {"{\"toxic\":{\"alpha\":\"0X1\"," FOUR "}", WEIR_OK, ""},
        {"{\"name\":[],\"alpha\":\"0x1\"," FOUR, WEIR_OK, ""},
        {"{" FOUR, WEIR_E_FORMAT, "without \"alpha\""},
        {"{\"toxic\":{" FOUR "}", WEIR_E_FORMAT, "toxic"},
        {"{}", WEIR_E_FORMAT, "without \"alpha\""},
        {"{\"alpha\":\"0x0\"," FOUR, WEIR_E_RANGE, "alpha: the number is zero"},
        {"{\"alpha\":\"" MODULUS_BE "\"," FOUR, WEIR_E_RANGE, "alpha: the number is not below"},
        {"{\"alpha\":\"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\"," FOUR,
         WEIR_E_RANGE, "below"},
        {"{\"alpha\":\"0x00000000000000000000000000000000000000000000000000000000000000001\"," FOUR,
         WEIR_E_FORMAT, "1 to 64"},
        {"{\"alpha\":\"1\"," FOUR, WEIR_E_FORMAT, "0x and 1 to 64"},
        {"{\"alpha\":\"0x\"," FOUR, WEIR_E_FORMAT, "0x and 1 to 64"},
        {"{\"alpha\":\"0x1g\"," FOUR, WEIR_E_FORMAT, "0x and 1 to 64"},
        {"{\"alpha\":1," FOUR, WEIR_E_FORMAT, "a string is expected"},
        {"{\"alpha\":\"0x1\",\"alpha\":\"0x1\"," FOUR, WEIR_E_FORMAT, "stands twice"},
        {"{\"toxic\":{\"alpha\":\"0x1\"," FOUR ",\"alpha\":\"0x1\"}", WEIR_E_FORMAT,
         "both at the top level"},
        {"{\"alpha\":\"0x1\",\"toxic\":{}," FOUR, WEIR_E_FORMAT, "both at the top level"},
        {"{\"alpha\":\"0x1\"," FOUR "]", WEIR_E_FORMAT, "follow the end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_errinfo ei = {0};
        weir_secrets s, zero = {0};
        memset(&s, 0xaa, sizeof s);
        weir_err err =
            weir_secrets_read(&s, (const uint8_t *)cases[i].text, strlen(cases[i].text), &ei);
        if (err != cases[i].err || !strstr(ei.text, cases[i].says))
            fail_msg("case %zu: %s \"%s\"", i, weir_err_name(err), ei.text);
        if (err != WEIR_OK) assert_memory_equal(&s, &zero, sizeof s);
        if (i == 1)
            assert_true(s.alpha.l[0] == 3 && s.alpha.l[1] == 2 && s.alpha.l[2] == 1 &&
                        s.alpha.l[3] == 0);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_sector), cmocka_unit_test(damaged_public_values),
        cmocka_unit_test(odd_texts),        cmocka_unit_test(reference_secrets),
        cmocka_unit_test(odd_secrets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
