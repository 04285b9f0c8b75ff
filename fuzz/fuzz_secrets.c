/* The secrets of a test key. */
#include "field/fr.h"
#include "formats/secrets_json.h"
#include "fuzz_common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_errinfo ei = {0};
    weir_secrets s;
    bool ok = answered(weir_secrets_read(&s, data, size, &ei), &ei);
    const weir_scalar *const all[] = {&s.alpha, &s.beta, &s.gamma, &s.delta, &s.tau};
    for (int i = 0; i < 5; i++) {
        bool zero = !(all[i]->l[0] | all[i]->l[1] | all[i]->l[2] | all[i]->l[3]);
        must(zero == !ok, "all are there, or all are wiped");
        must(scalar_is_reduced(all[i]), "all are below r");
    }
    return 0;
}
