/* The public values of a seal. */
#include "formats/porep_public_json.h"
#include "fuzz_common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_errinfo ei = {0};
    weir_porep_public_values v;
    if (!answered(weir_porep_public_read(&v, data, size, &ei), &ei)) return 0;
    must(v.registered != NULL, "the registered proof is known");
    must(v.comm_d.b[31] <= 0x73 && v.comm_r.b[31] <= 0x73, "the commitments are below r");
    weir_porep_public pub;
    weir_porep_public_from_values(&pub, &v);
    must(pub.replica_id.b[31] <= 0x3f, "the replica id has its two top bits cleared");
    return 0;
}
