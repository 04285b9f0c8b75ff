/* Integers in byte strings, any alignment, either byte order. */
#ifndef WEIR_BASE_BYTES_H
#define WEIR_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "weir runs on little-endian machines only: packed witness and keys are mapped as they are"
#endif

static inline uint16_t weir_load_le16(const void *p)
{
    uint16_t v;
    memcpy(&v, p, 2);
    return v;
}
static inline uint32_t weir_load_le32(const void *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}
static inline uint64_t weir_load_le64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}
static inline uint32_t weir_load_be32(const void *p)
{
    return __builtin_bswap32(weir_load_le32(p));
}
static inline uint64_t weir_load_be64(const void *p)
{
    return __builtin_bswap64(weir_load_le64(p));
}
static inline void weir_store_le16(void *p, uint16_t v)
{
    memcpy(p, &v, 2);
}
static inline void weir_store_le32(void *p, uint32_t v)
{
    memcpy(p, &v, 4);
}
static inline void weir_store_le64(void *p, uint64_t v)
{
    memcpy(p, &v, 8);
}
static inline void weir_store_be32(void *p, uint32_t v)
{
    weir_store_le32(p, __builtin_bswap32(v));
}
static inline void weir_store_be64(void *p, uint64_t v)
{
    weir_store_le64(p, __builtin_bswap64(v));
}

#endif
