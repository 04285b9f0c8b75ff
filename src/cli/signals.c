#include "cli/signals.h"

#include "base/err.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* The one variable of the command that outlives a call: a signal handler has nowhere else to
 * write to. */
static volatile int raised;

static void say(const char *text, size_t n)
{
    ssize_t written = write(STDERR_FILENO, text, n);
    (void)written; /* nothing can be done about it here */
}

static void on_stop(int number)
{
    (void)number;
    static const char text[] = "\nweir: stopping; once more ends at once\n";
    if (raised) _exit(WEIR_EXIT_CANCELLED);
    raised = 1;
    say(text, sizeof text - 1);
}

static void on_bus(int number)
{
    (void)number;
    static const char text[] =
        "\nweir: an input file was cut while it was read, or its disk failed\n";
    say(text, sizeof text - 1);
    _exit(WEIR_EXIT_IO);
}

void weir_signals_install(void)
{
    struct sigaction sa = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    sigemptyset(&sa.sa_mask);
    sigaction(SIGINT, &sa, NULL);
    sigaction(SIGTERM, &sa, NULL);
    sa.sa_handler = on_bus;
    sigaction(SIGBUS, &sa, NULL);
}

const volatile int *weir_signals_flag(void)
{
    return &raised;
}
