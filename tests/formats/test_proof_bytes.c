/* Proof bytes: reference proofs read and written again; each element damaged in each way. */
#include "curve/curve.h"
#include "formats/proof_bytes.h"
#include "formats_common.h"

static void reference_proofs(void **state)
{
    (void)state;
    static const char *const files[] = {"porep-2k-5/proof-fixed-r-s.bin",
                                        "porep-2k-5/proof-c2.bin"};
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        uint8_t both[2 * WEIR_PROOF_BYTES], again[2 * WEIR_PROOF_BYTES];
        weir_errinfo ei = {0};
        weir_proof p[2];
        for (int i = 0; i < 2; i++) {
            size_t n;
            uint8_t *data = tk_vector(files[i], &n);
            assert_int_equal(n, WEIR_PROOF_BYTES);
            memcpy(both + i * WEIR_PROOF_BYTES, data, n);
            free(data);
        }
        if (weir_proofs_decode(p, both, sizeof both, 2, isa, &ei) != WEIR_OK)
            fail_msg("%s", ei.text);
        weir_proofs_encode(again, p, 2, isa);
        assert_memory_equal(again, both, sizeof both);
        assert_true(weir_curve_ops_get(isa)->g1_in_subgroup(&p[1].c));
        assert_memory_not_equal(&p[0].a, &p[0].c, sizeof p[0].a);
    }
}

static void wrong_lengths(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("porep-2k-5/proof-c2.bin", &n);
    weir_proof p[2];
    for (size_t k = 0; k <= WEIR_PROOF_BYTES; k++) {
        weir_errinfo ei = {0};
        weir_err want = k == WEIR_PROOF_BYTES ? WEIR_OK : WEIR_E_TRUNCATED;
        assert_int_equal(weir_proofs_decode(p, data, k, 1, weir_isa_best(), &ei), want);
        assert_int_equal(weir_proofs_decode(p, data, k, 2, weir_isa_best(), &ei), WEIR_E_TRUNCATED);
        if (k)
            assert_int_equal(weir_proofs_decode(p, data, k, 0, weir_isa_best(), &ei),
                             WEIR_E_FORMAT);
    }
    uint8_t more[WEIR_PROOF_BYTES + 1] = {0};
    memcpy(more, data, n);
    assert_int_equal(weir_proofs_decode(p, more, sizeof more, 1, weir_isa_best(), NULL),
                     WEIR_E_FORMAT);
    assert_int_equal(
        weir_proofs_decode(p, more, sizeof more, SIZE_MAX / 100, weir_isa_best(), NULL),
        WEIR_E_TRUNCATED);
    free(data);
}

/* The first x (in the last byte) whose decompression without checks gives the wanted answer. */
static uint8_t search_x(size_t bytes, weir_err want, bool in_subgroup)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    for (unsigned x = 1; x < 256; x++) {
        uint8_t text[96] = {0x80};
        weir_g1_affine g1;
        weir_g2_affine g2;
        text[bytes - 1] = (uint8_t)x;
        weir_err err =
            bytes == 48 ? ops->g1_decompress(&g1, text, 0) : ops->g2_decompress(&g2, text, 0);
        if (err != want) continue;
        if (err == WEIR_OK &&
            in_subgroup != (bytes == 48 ? ops->g1_in_subgroup(&g1) : ops->g2_in_subgroup(&g2)))
            continue;
        return (uint8_t)x;
    }
    fail_msg("no such x");
    return 0;
}

static void damaged_elements(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("porep-2k-5/proof-c2.bin", &n), two[2 * WEIR_PROOF_BYTES];
    static const struct {
        char name;
        size_t at, bytes;
    } elements[] = {{'A', 0, 48}, {'B', 48, 96}, {'C', 144, 48}};
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        for (int e = 0; e < 3; e++) {
            for (int kind = 0; kind < 7; kind++) {
                memcpy(two, data, n);
                memcpy(two + n, data, n);
                uint8_t *el = two + n + elements[e].at;
                size_t size = elements[e].bytes;
                weir_err want = WEIR_E_ENCODING;
                if (kind >= 2) memset(el, 0, size);
                switch (kind) {
                case 0:
                    el[0] &= 0x7f;
                    break; /* not marked as compressed */
                case 1:
                    memset(el, 0xff, size), el[0] = 0x9f;
                    break; /* coordinate above p */
                case 2:
                    el[0] = 0xc0, want = WEIR_E_INFINITY;
                    break;
                case 3:
                    el[0] = 0xe0;
                    break; /* infinity with a sign */
                case 4:
                    el[0] = 0xc0, el[size - 1] = 1;
                    break; /* infinity with a coordinate */
                case 5:
                    el[0] = 0x80, el[size - 1] = search_x(size, WEIR_E_NOT_ON_CURVE, false),
                    want = WEIR_E_NOT_ON_CURVE;
                    break;
                default:
                    el[0] = 0x80, el[size - 1] = search_x(size, WEIR_OK, false),
                    want = WEIR_E_NOT_IN_SUBGROUP;
                }
                weir_errinfo ei = {0};
                weir_proof p[2];
                char place[48];
                snprintf(place, sizeof place, "proof 1, element %c (byte %zu): ", elements[e].name,
                         n + elements[e].at);
                weir_err err = weir_proofs_decode(p, two, sizeof two, 2, isa, &ei);
                if (err != want || strncmp(ei.text, place, strlen(place)) != 0)
                    fail_msg("element %c kind %d: %s \"%s\"", elements[e].name, kind,
                             weir_err_name(err), ei.text);
            }
        }
    }
    free(data);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_proofs),
        cmocka_unit_test(wrong_lengths),
        cmocka_unit_test(damaged_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
