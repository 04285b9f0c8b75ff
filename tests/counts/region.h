/* The one function inside which instructions are counted. */
#ifndef WEIR_TESTS_COUNTS_REGION_H
#define WEIR_TESTS_COUNTS_REGION_H

void weir_counted_region(void (*run)(void *state), void *state);

#endif
