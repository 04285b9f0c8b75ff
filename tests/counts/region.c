/* In a file of its own, so that no compiler makes a copy of it under another name: tools/count_instructions gives the
 * name to callgrind, which counts from entering to leaving. */
#include "region.h"

void weir_counted_region(void (*run)(void *state), void *state)
{
    run(state);
    __asm__ volatile("" : : : "memory"); /* no jump in place of the call */
}
