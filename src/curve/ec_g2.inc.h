/* The names by which the include-templates of this folder become G2 (ec.inc.h says what each is). */
#define E_(name)       g2_##name
#define F_(name)       fp2_##name
#define E_FIELD        weir_fp2
#define E_JAC          weir_g2
#define E_AFF          weir_g2_affine
#define E_INV          fp2_inv
#define E_SQR_IS_CHEAP 1
#define E_FIELD_BYTES  96
