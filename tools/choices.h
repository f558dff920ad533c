/* SPDX-License-Identifier: MIT */
/* Options that many commands share. */
#ifndef VP_TOOLS_CHOICES_H
#define VP_TOOLS_CHOICES_H

#include <voxphys/kd.h>
#include <voxphys/kernel/surface.h>

#include "host/program.h"
#include "tools/sources/world_source.h"

/* --threads N: 1 to 256, default 1. More than the build supports is refused. */
#define VP_ASK_THREADS(to) VP_BY(vp_read_threads, VP_TYPED(uint32_t, to))
/* --isa NAME: the kernels of this name. Default: vp_kernels_default. */
#define VP_ASK_KERNELS(to) VP_BY(vp_read_kernels, VP_TYPED(vp_kernels, to))
/* --form FORM and --surface solid|water. */
#define VP_ASK_FORM(to)    VP_WORD(to, vp_form_names)
#define VP_ASK_SURFACE(to) VP_WORD(to, vp_surface_names)
vp_read_fn vp_read_threads, vp_read_kernels;

extern const char *const vp_form_names[VP_KD_FORM_COUNT], *const vp_surface_names[VP_SURFACE_COUNT];

/* The query of each ray. */
typedef enum vp_ray_query { VP_CAST_CLOSEST, VP_CAST_ANY, VP_CAST_ALL, VP_CAST_SWEEP } vp_ray_query;
extern const char *const vp_cast_names[];

/* Whether a hash of the manifest confirms the content. null for a file. */
struct json_t *vp_json_checked(vp_content content);

#endif
