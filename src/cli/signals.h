/* Ctrl-C and its kin. */
#ifndef WEIR_CLI_SIGNALS_H
#define WEIR_CLI_SIGNALS_H

/* From now on the first SIGINT or SIGTERM raises the flag, and the second ends the process with
 * exit code 130. SIGBUS (a mapped file that was cut while it was read, or a failing disk) ends
 * it with the code of input errors. Once, by the main thread, before other threads start. */
void weir_signals_install(void);
/* The flag for weir_watch. */
const volatile int *weir_signals_flag(void);

#endif
