#include "base/isa.h"

#ifdef WEIR_HAVE_ADX
enum { WEIR_HAVE_ADX_BODIES = 1 };
#else
enum { WEIR_HAVE_ADX_BODIES = 0 };
#endif

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

static bool cpuid_bit(unsigned leaf, unsigned reg, unsigned bit)
{
    unsigned r[4] = {0};
    if (!__get_cpuid_count(leaf, 0, &r[0], &r[1], &r[2], &r[3])) return false;
    return (r[reg] >> bit) & 1;
}

/* The operating system saves the AVX-512 registers: XCR0 bits 1, 2 (SSE, AVX) and 5, 6, 7 (AVX-512). */
static bool os_saves_avx512(void)
{
    if (!cpuid_bit(1, 2, 27)) return false;
    uint32_t lo, hi;
    __asm__("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (lo & 0xe6) == 0xe6;
}

/* What the processor can do never changes, and CPUID is slow inside a virtual machine: asked once. Bit 0 says
 * that the word is filled in; relaxed order is enough, since every thread would store the same value. */
enum { KNOWN = 1, BMI2 = 2, ADX = 4, SHA = 8, IFMA = 16 };

static unsigned features(void)
{
    static atomic_uint known;
    unsigned f = atomic_load_explicit(&known, memory_order_relaxed);
    if (f) return f;
    f = KNOWN;
    if (cpuid_bit(7, 1, 8)) f |= BMI2;
    if (cpuid_bit(7, 1, 19)) f |= ADX;
    if (cpuid_bit(7, 1, 29) && cpuid_bit(1, 2, 9) && cpuid_bit(1, 2, 19)) f |= SHA;
    if (cpuid_bit(7, 1, 16) && cpuid_bit(7, 1, 21) && os_saves_avx512()) f |= IFMA;
    atomic_store_explicit(&known, f, memory_order_relaxed);
    return f;
}

bool weir_cpu_has_bmi2(void)
{
    return (features() & BMI2) != 0;
}

/* General registers only, so the operating system need not save anything for this path. */
static bool has_adx(void)
{
    return (features() & (BMI2 | ADX)) == (BMI2 | ADX);
}

static bool has_ifma(void)
{
    return has_adx() && (features() & IFMA) != 0;
}

bool weir_cpu_has_sha(void)
{
    return (features() & SHA) != 0;
}

void weir_cpu_brand(char brand[49])
{
    unsigned r[12] = {0};
    memset(brand, 0, 49);
    for (unsigned i = 0; i < 3; i++)
        if (!__get_cpuid(0x80000002u + i, &r[4 * i], &r[4 * i + 1], &r[4 * i + 2], &r[4 * i + 3]))
            return;
    memcpy(brand, r, 48);
    for (size_t n = strlen(brand); n && brand[n - 1] == ' '; n--) brand[n - 1] = 0;
}
#else
bool weir_cpu_has_bmi2(void)
{
    return false;
}
bool weir_cpu_has_sha(void)
{
    return false;
}
static bool has_adx(void)
{
    return false;
}
static bool has_ifma(void)
{
    return false;
}
void weir_cpu_brand(char brand[49])
{
    strcpy(brand, "unknown processor");
}
#endif

bool weir_isa_supported(weir_isa isa)
{
    switch (isa) {
    case WEIR_ISA_PORTABLE:
        return true;
    case WEIR_ISA_ADX:
        return WEIR_HAVE_ADX_BODIES && has_adx();
    case WEIR_ISA_IFMA:
        return WEIR_HAVE_ADX_BODIES && has_ifma();
    case WEIR_ISA_COUNT:
        break;
    }
    return false;
}

weir_isa weir_isa_best(void)
{
    if (weir_isa_supported(WEIR_ISA_IFMA)) return WEIR_ISA_IFMA;
    return weir_isa_supported(WEIR_ISA_ADX) ? WEIR_ISA_ADX : WEIR_ISA_PORTABLE;
}

const char *weir_isa_name(weir_isa isa)
{
    static const char *const names[] = {"portable", "adx", "ifma"};
    return isa < WEIR_ISA_COUNT ? names[isa] : "unknown";
}
