/* The tests of test_cpu_memory.c, which need a process of their own. */
#ifndef WEIR_TEST_CPU_BACKEND_H
#define WEIR_TEST_CPU_BACKEND_H

void cpu_peak_memory(void **state);

#endif
