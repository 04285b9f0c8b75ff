/* Tables: sector shapes and registered seal proofs.
 *
 * Source: rust-fil-proofs storage-proofs-porep and filecoin-proofs constants (layers,
 * partitions, minimum challenges, tree shapes); rust-filecoin-proofs-api for names and numbers
 * of the registered proofs.
 */
#include "base/bytes.h"
#include "circuit/porep.h"

#include <string.h>
#include <strings.h>

/* Base levels: the sub and top levels together with 8^base give the number of nodes. 176
 * challenges are asked of the 32 and 64 GiB sectors: ceil(176 / 10) = 18 a partition. */
static const weir_porep_shape shapes[] = {
    {"2KiB", UINT64_C(1) << 11, 6, 2, 2, 1, 2, 0, 0},
    {"4KiB", UINT64_C(1) << 12, 7, 2, 2, 1, 2, 2, 0},
    {"16KiB", UINT64_C(1) << 14, 9, 2, 2, 1, 2, 8, 0},
    {"32KiB", UINT64_C(1) << 15, 10, 2, 2, 1, 2, 8, 2},
    {"8MiB", UINT64_C(1) << 23, 18, 2, 2, 1, 6, 0, 0},
    {"16MiB", UINT64_C(1) << 24, 19, 2, 2, 1, 6, 2, 0},
    {"512MiB", UINT64_C(1) << 29, 24, 2, 2, 1, 8, 0, 0},
    {"1GiB", UINT64_C(1) << 30, 25, 2, 2, 1, 8, 2, 0},
    {"32GiB", UINT64_C(1) << 35, 30, 11, 18, 10, 9, 8, 0},
    {"64GiB", UINT64_C(1) << 36, 31, 11, 18, 10, 9, 8, 2},
    {NULL, 0, 0, 0, 0, 0, 0, 0, 0},
};

/* Positions in the table above. */
enum { S_2K = 0, S_8M = 4, S_512M = 6, S_32G = 8, S_64G = 9 };

/* Non-interactive PoRep asks for 26 challenges of the test sizes (13 partitions of 2) and 2,253
 * of the others (126 of 18). */
enum { NI_TEST = 13, NI_FULL = 126 };

#define ROW(number, size, suffix, shape, legacy, feature, partitions)                              \
    {                                                                                              \
        number, "StackedDrg" size suffix, &shapes[shape], legacy, feature, partitions              \
    }
#define FIVE(first, suffix, legacy, feature, test, full)                                           \
    ROW(first + 0, "2KiB", suffix, S_2K, legacy, feature, test),                                   \
        ROW(first + 1, "8MiB", suffix, S_8M, legacy, feature, test),                               \
        ROW(first + 2, "512MiB", suffix, S_512M, legacy, feature, test),                           \
        ROW(first + 3, "32GiB", suffix, S_32G, legacy, feature, full),                             \
        ROW(first + 4, "64GiB", suffix, S_64G, legacy, feature, full)

static const weir_registered_porep registered[] = {
    FIVE(0, "V1", true, WEIR_POREP_PLAIN, 1, 10),
    FIVE(5, "V1_1", false, WEIR_POREP_PLAIN, 1, 10),
    FIVE(10, "V1_1_Feat_SyntheticPoRep", false, WEIR_POREP_SYNTHETIC, 1, 10),
    FIVE(15, "V1_2_Feat_NonInteractivePoRep", false, WEIR_POREP_NONINTERACTIVE, NI_TEST, NI_FULL),
};
enum { REGISTERED = sizeof registered / sizeof registered[0] };

const weir_porep_shape *weir_porep_shapes(void)
{
    return shapes;
}

const weir_porep_shape *weir_porep_shape_by_size(uint64_t sector_bytes)
{
    for (const weir_porep_shape *s = shapes; s->name; s++)
        if (s->sector_bytes == sector_bytes) return s;
    return NULL;
}

const weir_porep_shape *weir_porep_shape_by_name(const char *name)
{
    for (const weir_porep_shape *s = shapes; s->name; s++)
        if (strcasecmp(s->name, name) == 0) return s;
    return NULL;
}

unsigned weir_porep_tree_levels(const weir_porep_shape *s)
{
    return s->base_levels + (s->sub_arity != 0) + (s->top_arity != 0);
}

unsigned weir_porep_tree_arity(const weir_porep_shape *s, unsigned level)
{
    if (level < s->base_levels) return 8;
    return level == s->base_levels ? s->sub_arity : s->top_arity;
}

unsigned weir_porep_tree_siblings(const weir_porep_shape *s)
{
    unsigned n = 0;
    for (unsigned i = 0; i < weir_porep_tree_levels(s); i++) n += weir_porep_tree_arity(s, i) - 1;
    return n;
}

const weir_registered_porep *weir_registered_porep_by_name(const char *name)
{
    for (unsigned i = 0; i < REGISTERED; i++)
        if (strcmp(registered[i].name, name) == 0) return &registered[i];
    return NULL;
}

const weir_registered_porep *weir_registered_porep_by_number(int number)
{
    return number >= 0 && number < REGISTERED ? &registered[number] : NULL;
}

void weir_porep_id(uint8_t out[32], const weir_registered_porep *r)
{
    memset(out, 0, 32);
    weir_store_le64(out, (uint64_t)r->number);
}
