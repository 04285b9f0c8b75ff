/* The names by which the include-templates of this folder become G1 (ec.inc.h says what each is). */
#define E_(name)       g1_##name
#define F_(name)       fp_##name
#define E_FIELD        weir_fp
#define E_JAC          weir_g1
#define E_AFF          weir_g1_affine
#define E_INV          weir_fp_inv
#define E_SQR_IS_CHEAP 0
#define E_FIELD_BYTES  48
