/* SPDX-License-Identifier: MIT */
/* The table of measured exceptions, and the detection of their processors. */
#include "src/core/preference.h"

/* A row needs at least two data sets. Beyond the noise of the results, it is faster on average and slower on none.
 * tests/results/preferences.sh compares the table with the files. */
const vp_preference vp_preferences[] = {
    {VP_UARCH_zen4, VP_KERNEL_kd_ray_any, VP_ISA_avx2, VP_ISA_avx512, 1.039, "results/amd-epyc-f25m17-2cpu"},
    {.results = NULL}, /* the end */
};
const size_t vp_preference_count = sizeof vp_preferences / sizeof vp_preferences[0] - 1;

vp_uarch vp_uarch_now(void)
{
#if defined(__x86_64__) && !defined(_WIN32)                                 /* by the compiler's runtime, like vp_cpu_isas */
    if (__builtin_cpu_is("amdfam19h") && __builtin_cpu_supports("avx512f")) /* family 25 is Zen 3, without AVX-512, and Zen 4 */
        return VP_UARCH_zen4;
#endif
    return VP_UARCH_other;
}

const char *vp_uarch_name(vp_uarch uarch)
{
#define UARCH_NAME(u) #u,
    static const char *const name[VP_UARCH_COUNT] = {VP_UARCHS(UARCH_NAME)};
    return (unsigned)uarch < VP_UARCH_COUNT ? name[uarch] : "unknown";
}

const vp_preference *vp_find_preference(vp_uarch uarch, vp_kernel_id kernel)
{
    for (size_t p = 0; p < vp_preference_count; p++)
        if (vp_preferences[p].uarch == uarch && vp_preferences[p].kernel == kernel)
            return &vp_preferences[p];
    return NULL;
}
