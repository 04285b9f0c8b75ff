/* Runs core routines on fixed inputs so that their instructions can be counted (tools/count_instructions):
 *
 *     core_routines NAME|all PATH    runs one, or all that PATH has, in order; prints the name of each
 *     core_routines --list           NAME PATH, a line each
 *
 * PATH is portable or adx. It is taken as given: no question goes to the processor, because the one that callgrind
 * shows does not name all that it can do. */
#include "region.h"
#include "routines.h"

#include <stdio.h>
#include <string.h>

enum { GROUPS = 5 };

static void all_groups(routine_group out[GROUPS])
{
    out[0] = field_routines();
    out[1] = curve_routines();
    out[2] = sum_routines();
    out[3] = hash_routines();
    out[4] = circuit_routines();
}

static bool has_path(const routine *r, weir_isa isa)
{
    return isa == WEIR_ISA_PORTABLE || r->paths == ON_EACH;
}

/* The last path of this build that callgrind can run. */
static weir_isa last_path(void)
{
#ifdef WEIR_HAVE_ADX
    return WEIR_ISA_ADX;
#else
    return WEIR_ISA_PORTABLE;
#endif
}

static bool path_of(const char *name, weir_isa *isa)
{
    for (*isa = WEIR_ISA_PORTABLE; *isa <= last_path(); (*isa)++)
        if (strcmp(name, weir_isa_name(*isa)) == 0) return true;
    return false;
}

static void run(const routine *r, weir_isa isa)
{
    void *state = pages(1, r->state_bytes);
    r->prepare(state, isa);
    weir_counted_region(r->run, state);
    if (r->release) r->release(state);
    pages_free(state, 1, r->state_bytes);
    puts(r->name);
}

/* Returns how many ran. */
static int run_named(const char *name, weir_isa isa)
{
    routine_group group[GROUPS];
    int n = 0;
    all_groups(group);
    for (int g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < group[g].n; i++) {
            const routine *r = &group[g].routine[i];
            if (!has_path(r, isa) || (strcmp(name, "all") != 0 && strcmp(name, r->name) != 0))
                continue;
            run(r, isa);
            n++;
        }
    return n;
}

static void list_path(weir_isa isa)
{
    routine_group group[GROUPS];
    all_groups(group);
    for (int g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < group[g].n; i++)
            if (has_path(&group[g].routine[i], isa))
                printf("%s %s\n", group[g].routine[i].name, weir_isa_name(isa));
}

int main(int argc, char **argv)
{
    /* frames below this one lie the same way under any environment */
    _Alignas(4096) volatile char anchor[64];
    weir_isa isa;
    anchor[0] = 0;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (isa = WEIR_ISA_PORTABLE; isa <= last_path(); isa++) list_path(isa);
        return anchor[0];
    }
    if (argc == 3 && path_of(argv[2], &isa) && run_named(argv[1], isa) > 0) return anchor[0];
    fprintf(stderr, "usage: core_routines NAME|all portable|adx, or core_routines --list\n");
    return 2;
}
