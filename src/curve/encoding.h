/* Flag bits of an encoding's first byte. Source: the format of the zkcrypto pairing crate, which blst follows. */
#ifndef WEIR_CURVE_ENCODING_H
#define WEIR_CURVE_ENCODING_H

enum {
    WEIR_POINT_COMPRESSED = 0x80,
    WEIR_POINT_INFINITY = 0x40,
    WEIR_POINT_LARGER = 0x20, /* compressed only: y is the larger of y, -y */
    WEIR_POINT_FLAGS = 0xe0
};

#endif
