/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys world`, which are a world with its names, common options, and output of hits. */
#ifndef VP_TOOLS_WORLD_WORLD_H
#define VP_TOOLS_WORLD_WORLD_H

#include <stdint.h>

#include <voxphys/regions.h>
#include <voxphys/terrain.h>

#include "host/program.h"
#include "tools/choices.h"
#include "tools/sources/materials.h"
#include "tools/sources/world_source.h"

struct json_t;

/* Common options of several commands. */
typedef struct vp_terrain_choice {
    vp_surface surface;
    vp_kd_form form;
    size_t budget;
    vp_kernels kernels;
    uint32_t threads;
} vp_terrain_choice;

/* --budget BYTES: see vp_terrain_def.budget. Numbers of bytes are 4096, 16KiB, 256MiB, 1GiB. */
#define VP_BUDGET(to) VP_BY(vp_read_budget, VP_TYPED(size_t, to))
vp_read_fn vp_read_budget;

/* Creates a terrain of one surface. */
vp_status vp_terrain_of(const vp_named_world *world, const vp_terrain_choice *choice, const vp_executor *executor, vp_terrain **out,
                        vp_error *error);

/* Statistics of a cache as JSON. */
struct json_t *vp_terrain_stats_json(const vp_terrain_stats *stats);

/* A number of bytes for display: "12.3 MiB". */
typedef struct vp_bytes_text {
    char text[24];
} vp_bytes_text;
vp_bytes_text vp_show_bytes(double bytes);

/* Parts that edits cut off. Begins as all zero bytes. Drop it, also after a failure. */
typedef struct vp_loose {
    vp_regions regions;
    uint32_t (*parts)[2]; /* [regions], boxes and hulls of each body */
} vp_loose;

/* Removes regions from a world that have become loose since `was`.
   @param stale  in, out: the changed chunks, including those that this changes
   @param least  smaller regions vanish */
vp_status vp_loose_take(const vp_world *was, vp_world *world, vp_chunk_set *stale, uint32_t least, vp_loose *out, vp_error *error);
void vp_loose_drop(vp_loose *loose);
struct json_t *vp_loose_json(const vp_loose *loose);
void vp_loose_print(const vp_loose *loose);

/* The commands. argv[0] is the command's own name. */
int vp_world_info(int argc, char **argv);
int vp_world_edit(int argc, char **argv);
int vp_world_raycast(int argc, char **argv);
int vp_world_stats(int argc, char **argv);

#endif
