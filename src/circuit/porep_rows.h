/* Which part of the PoRep circuit a row belongs to, for messages. */
#ifndef WEIR_CIRCUIT_POREP_ROWS_H
#define WEIR_CIRCUIT_POREP_ROWS_H

#include "circuit/porep_circuit.h"

#include <stddef.h>
#include <stdint.h>

/* "row 1361000 of 2687961: challenge 0, inclusion of the data in tree D". In: row < rel->rows;
 * rel is a PoRep of the shape. Cost: one pass over the stored rows of a period. */
void weir_porep_row_describe(char *out, size_t size, const weir_relation *rel,
                             const weir_porep_shape *shape, uint64_t row);

#endif
