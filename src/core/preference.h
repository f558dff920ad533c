/* SPDX-License-Identifier: MIT */
/* Preferred versions by measurement. On most processors the last supported version of a kernel is the fastest. This table
   has the exceptions. */
#ifndef VP_CORE_PREFERENCE_H
#define VP_CORE_PREFERENCE_H

#include <stddef.h>

#include <voxphys/kernels.h>

/* Microarchitectures with measured exceptions. */
#define VP_UARCHS(U) U(other) U(zen4)

#define VP_UARCH_ID(u) VP_UARCH_##u,
typedef enum vp_uarch { VP_UARCHS(VP_UARCH_ID) VP_UARCH_COUNT } vp_uarch;
#undef VP_UARCH_ID

typedef struct vp_preference {
    vp_uarch uarch;
    vp_kernel_id kernel;
    vp_isa isa;          /* preferred */
    vp_isa instead_of;   /* the choice of the default order */
    double ratio;        /* time of `instead_of` / time of `isa`, both medians, geometric mean over the data sets */
    const char *results; /* folder with the measurement. Rows are KERNEL/ISA/... in its results.json */
} vp_preference;

extern const vp_preference vp_preferences[];
extern const size_t vp_preference_count;

/* Returns this processor's microarchitecture. */
vp_uarch vp_uarch_now(void);

/* Returns its name, such as "zen4". */
const char *vp_uarch_name(vp_uarch uarch);

/* Returns the kernel's exception on a microarchitecture, or NULL. */
const vp_preference *vp_find_preference(vp_uarch uarch, vp_kernel_id kernel);

/* Does the work of vp_kernels_best for a processor. */
void vp_kernels_best_on(vp_uarch uarch, vp_kernels *table, uint32_t isas);

#endif
