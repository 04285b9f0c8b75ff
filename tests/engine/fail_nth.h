/* The nth request of memory, or the nth start of a thread, of any thread of the program fails. For programs that are linked with
 * weir_fail_nth, which stands before base's functions. */
#ifndef WEIR_TEST_FAIL_NTH_H
#define WEIR_TEST_FAIL_NTH_H

typedef enum fail_what { FAIL_MEMORY, FAIL_THREADS } fail_what;

/* From now on; 0: none. Counting starts anew. Thread: no other one at work. */
void fail_nth(fail_what what, unsigned long nth);
/* How many there were since then. */
unsigned long fail_nth_count(fail_what what);

#endif
