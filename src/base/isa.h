/* Instruction paths: which body of a hot routine runs.
 *
 * A source file that holds hot arithmetic is compiled once for each path (cmake: ISA_SOURCES) with
 * WEIR_ISA set to the path's name. Inside it, field routines are those of the path, and every symbol
 * it exports carries the path's suffix through WEIR_ISA_NAME. What it exports is one constant table of
 * functions; a getter picks the table:
 *
 *     const weir_ntt_ops *weir_ntt_ops_get(weir_isa isa);
 *
 * The choice is made once by the caller (weir_isa_best) and handed down in weir_exec, so that a test or a
 * bench forces a path by passing another value. Nothing here reads the environment.
 */
#ifndef WEIR_BASE_ISA_H
#define WEIR_BASE_ISA_H

#include <stdbool.h>

typedef enum weir_isa {
    WEIR_ISA_PORTABLE = 0, /* plain C with 128-bit products: the reference */
    WEIR_ISA_ADX = 1,      /* MULX, ADCX, ADOX (Broadwell, Zen and later) */
    WEIR_ISA_IFMA = 2,     /* AVX-512 IFMA, eight products at once, on top of adx (Ice Lake, Zen 4 and later) */
    WEIR_ISA_COUNT
} weir_isa;

/* True if this build has the path and processor and operating system can run it. */
bool weir_isa_supported(weir_isa isa);
/* The fastest supported path. */
weir_isa weir_isa_best(void);
/* "portable", "adx", "ifma" */
const char *weir_isa_name(weir_isa isa);

/* SHA-NI, SSSE3 and SSE4.1 are there. */
bool weir_cpu_has_sha(void);
/* BMI2 (PEXT, PDEP) is there. */
bool weir_cpu_has_bmi2(void);
/* The processor's name as it gives it, for figures. Size: at least 49 bytes. */
void weir_cpu_brand(char brand[49]);

#define WEIR_ISA_CAT_(a, b) a##_##b
#define WEIR_ISA_CAT(a, b) WEIR_ISA_CAT_(a, b)
#ifdef WEIR_ISA
#define WEIR_ISA_NAME(name) WEIR_ISA_CAT(name, WEIR_ISA)
/* The same for scalar bodies: on ifma those of adx, whether or not the module has others for ifma. */
#ifdef WEIR_ISA_IS_ifma
#define WEIR_ISA_SCALAR_NAME(name) WEIR_ISA_CAT(name, adx)
#else
#define WEIR_ISA_SCALAR_NAME(name) WEIR_ISA_CAT(name, WEIR_ISA)
#endif
#endif

/* Declares NAME_portable, NAME_adx and NAME_ifma of one type (for the header of a table). A module that is not compiled for
 * ifma defines no NAME_ifma, and picks with WEIR_ISA_PICK. */
#define WEIR_ISA_DECLARE(type, name)                                                               \
    extern const type name##_portable;                                                             \
    extern const type name##_adx;                                                                  \
    extern const type name##_ifma

/* The body of a getter. A path that this build or this module leaves out falls back to the next one. */
#ifdef WEIR_HAVE_ADX
#define WEIR_ISA_PICK(isa, name) ((isa) == WEIR_ISA_PORTABLE ? &name##_portable : &name##_adx)
#define WEIR_ISA_PICK_IFMA(isa, name) ((isa) == WEIR_ISA_IFMA ? &name##_ifma : WEIR_ISA_PICK(isa, name))
#else
#define WEIR_ISA_PICK(isa, name) ((void)(isa), &name##_portable)
#define WEIR_ISA_PICK_IFMA(isa, name) WEIR_ISA_PICK(isa, name)
#endif

#endif
