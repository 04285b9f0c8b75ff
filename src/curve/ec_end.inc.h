/* Takes back the names of ec_g1.inc.h or ec_g2.inc.h. */
#undef E_
#undef F_
#undef E_FIELD
#undef E_JAC
#undef E_AFF
#undef E_INV
#undef E_SQR_IS_CHEAP
#undef E_FIELD_BYTES
