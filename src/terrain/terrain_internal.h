/* SPDX-License-Identifier: MIT */
/* The inside of a terrain, for terrain.c, terrain/query.c and terrain/edit.c. */
#ifndef VP_TERRAIN_TERRAIN_INTERNAL_H
#define VP_TERRAIN_TERRAIN_INTERNAL_H

#include <voxphys/terrain.h>

#include "src/core/gate.h"
#include "src/terrain/cache.h"
#include "src/terrain/top.h"

struct vp_terrain {
    vp_gate gate; /* over everything but the cache, which has a lock of its own */
    vp_world *world;
    vp_broadphase *broadphase;
    vp_ivec3 first; /* the box that queries see */
    vp_dims chunks;
    uint32_t surface_count;
    int8_t which[VP_SURFACE_COUNT]; /* of the surfaces asked for; -1: it was not asked for */
    vp_terrain_top top[VP_SURFACE_COUNT];
    vp_terrain_view view[VP_SURFACE_COUNT]; /* what queries begin with; `which` is the index of these and of the cache's */
    vp_tree_cache cache;
    vp_chunk_set stale; /* empty between edits */
    vp_kernels kernels;
    vp_executor executor;
    vp_allocator allocator;
};

/* One query, or one thread's part of it. */
typedef struct vp_terrain_query {
    vp_terrain_view view;
    vp_tree_user user;
} vp_terrain_query;

/* Begins to ask, inside the gate; ended by vp_cache_leave of its user. The surface is one of the terrain's. */
void vp_terrain_begin_part(vp_terrain *terrain, vp_surface surface, vp_terrain_query *query);

/* A reader for one question, inside the gate and not known to it; and its end, which gives `status` back. */
vp_terrain_reader vp_terrain_enter(vp_terrain *terrain);
vp_status vp_terrain_leave(const vp_terrain_reader *reader, vp_status status);

/* Comes in to write. @return VP_E_ARGUMENT, and it has not come in, if this thread reads: it would wait for itself */
vp_status vp_terrain_enter_write(vp_terrain *terrain, vp_error *error);

/* vp_terrain_set_voxels for who has come in to write, of voxels that were checked. */
vp_status vp_terrain_write_voxels(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                  vp_error *error);

/* VP_E_MEMORY, of a chunk's mesh and tree. */
vp_status vp_terrain_no_memory(uint32_t chunk, vp_error *error);

/* Whether the terrain has this chunk of its world, and its place in the terrain's box. */
bool vp_terrain_has_chunk(const vp_terrain *terrain, uint32_t chunk, vp_ivec3 *in);

/* Makes `view` say what broadphase, top level and cache say now. */
void vp_terrain_renew_views(vp_terrain *terrain);

/* Lets the top level learn from the trees that were made, if there are enough that it is worth keeping others out for some
   microseconds (longer after thousands were made at a time), and nobody is inside or waits: a query must not wait for a reader. Outside the
   gate. */
void vp_terrain_learn_news(vp_terrain *terrain);
/* The same of who is alone inside anyway. */
void vp_terrain_take_news(vp_terrain *terrain);

/* VP_E_ARGUMENT for a surface that the terrain was not made for, or the NULL of a reader that does not read; the error is filled
   only then. */
vp_status vp_terrain_check_surface(const vp_terrain *terrain, vp_surface surface, vp_error *error);

#endif
