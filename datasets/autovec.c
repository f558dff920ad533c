/* SPDX-License-Identifier: MIT */
#include "datasets/autovec.h"

#define DECLARE_avx2(k, ...)   VP_PROTO(k, autovec_avx2)
#define DECLARE_avx512(k, ...) VP_PROTO(k, autovec_avx512)
#define DECLARE_neon(k, ...)   VP_PROTO(k, autovec_neon)
VP_KERNELS(DECLARE_avx2)
VP_KERNELS(DECLARE_avx512)
VP_KERNELS(DECLARE_neon)

vp_isa vp_autovec_isa(void)
{
    vp_isa best = VP_ISA_COUNT;
    uint32_t here = vp_cpu_isas();
    (void)here;
#ifdef VP_AUTOVEC_avx2
    if ((here >> VP_ISA_avx2 & 1u) != 0)
        best = VP_ISA_avx2;
#endif
#ifdef VP_AUTOVEC_avx512
    if ((here >> VP_ISA_avx512 & 1u) != 0)
        best = VP_ISA_avx512;
#endif
#ifdef VP_AUTOVEC_neon
    if ((here >> VP_ISA_neon & 1u) != 0)
        best = VP_ISA_neon;
#endif
    return best;
}

#define USE(k, i)                                                                                                                          \
    if (kernel == VP_KERNEL_##k) {                                                                                                         \
        table->k = vp_##k##_autovec_##i;                                                                                                   \
        return true;                                                                                                                       \
    }
#define USE_avx2(k, ...)   USE(k, avx2)
#define USE_avx512(k, ...) USE(k, avx512)
#define USE_neon(k, ...)   USE(k, neon)

bool vp_autovec_use(vp_kernels *table, vp_kernel_id kernel, vp_isa isa)
{
    (void)table;
    (void)kernel;
#ifdef VP_AUTOVEC_avx2
    if (isa == VP_ISA_avx2) {
        VP_KERNELS(USE_avx2)
    }
#endif
#ifdef VP_AUTOVEC_avx512
    if (isa == VP_ISA_avx512) {
        VP_KERNELS(USE_avx512)
    }
#endif
#ifdef VP_AUTOVEC_neon
    if (isa == VP_ISA_neon) {
        VP_KERNELS(USE_neon)
    }
#endif
    (void)isa;
    return false;
}
