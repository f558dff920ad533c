/* SPDX-License-Identifier: MIT */
/* Internal declarations of a terrain. */
#ifndef VP_TERRAIN_TERRAIN_INTERNAL_H
#define VP_TERRAIN_TERRAIN_INTERNAL_H

#include <voxphys/kernel/narrowphase.h>
#include <voxphys/terrain.h>

#include "src/core/gate.h"
#include "src/terrain/cache.h"
#include "src/terrain/top.h"

/* One query, or one thread's part of it. */
typedef struct vp_terrain_query {
    vp_terrain_view view;
    vp_tree_user user;
    vp_terrain *entered; /* terrain whose gate the query leaves at its end, NULL with a reader */
} vp_terrain_query;

struct vp_terrain {
    vp_gate gate; /* protects everything except the cache, which has its own lock */
    vp_world *world;
    vp_broadphase *broadphase;
    vp_ivec3 first; /* box of chunks that queries see */
    vp_dims chunks;
    uint32_t surface_count;
    int8_t which[VP_SURFACE_COUNT]; /* index of each surface, -1 = not part of the terrain */
    vp_terrain_top top[VP_SURFACE_COUNT];
    vp_terrain_query query[VP_SURFACE_COUNT]; /* template of a query, by the index of `which` */
    vp_tree_cache cache;
    vp_chunk_set stale; /* empty between edits */
    vp_kernels kernels;
    vp_executor executor;
    vp_allocator allocator;
};

/* Starts a query or a part of one, inside the gate. vp_cache_leave of its user ends it. The surface must be one of
 * the terrain's. */
static inline void vp_terrain_begin_part(const vp_terrain *terrain, vp_surface surface, vp_terrain_query *query)
{
    *query = terrain->query[terrain->which[surface]];
    query->view.user = &query->user;
}

/* Like vp_terrain_reader_gather_triangles, with the ids and the corners alone. @param id  [capacity]. Scratch */
vp_status vp_terrain_gather_corners(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *id,
                                    vp_collide_triangle *out, uint32_t capacity, uint32_t *count, vp_error *error);
/* Like vp_terrain_reader_gather_triangles, with the ids and the corners alone, and a box that is valid. The triangles' bounds also meet the
 * ball. */
vp_status vp_terrain_gather_page(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box, const vp_sphere *ball,
                                 vp_collide_triangle *out, uint32_t capacity, uint32_t *count, vp_error *error);
/* Reads triangles by the edges between voxels that their quads cross. Builds missing trees. */
typedef struct vp_quad_reader {
    vp_terrain_query terrain;
    bool has_chunk; /* whether the members below are those of a chunk */
    vp_ivec3 at;
    uint32_t chunk;
    const vp_kd_view *tree;
    const vp_quad_table *table; /* NULL = no triangles */
    vp_quad_table own;
} vp_quad_reader;

typedef struct vp_quad_triangle {
    vp_vec3 corner[3];
    vp_terrain_triangle_id id;
} vp_quad_triangle;

enum { VP_QUADS_AROUND = 24 /* maximum number of triangles with a corner: two for each edge of its cell */ };

void vp_quads_begin(const vp_terrain_reader *reader, vp_surface surface, vp_quad_reader *out);
/* @return VP_E_MEMORY if there was no memory for a tree. Its triangles are then missing in the answers. */
vp_status vp_quads_end(vp_quad_reader *r, vp_error *error);
/* Finds the other triangles with the edge from corner k of a triangle.  @return their number */
uint32_t vp_quads_across(vp_quad_reader *r, const vp_vec3 corner[3], vp_terrain_triangle_id id, uint32_t k, vp_quad_triangle out[3]);
/* Finds all triangles with a corner.  @return their number */
uint32_t vp_quads_around(vp_quad_reader *r, vp_vec3 vertex, vp_quad_triangle out[VP_QUADS_AROUND]);
/* Finds those of the next quad.  @param edge  0 at first  @return their number, 0 = no more */
uint32_t vp_quads_next_around(vp_quad_reader *r, vp_vec3 vertex, uint32_t *edge, vp_quad_triangle out[2]);
/* Material of a triangle with a number in its chunk. The world must not be changing. */
uint8_t vp_terrain_material(const vp_terrain *terrain, vp_surface surface, uint32_t triangle, const vp_vec3 corner[3]);

/* Enters the gate for writing.
 * @return VP_E_ARGUMENT, without entering, if this thread is a reader, because it would wait for itself */
vp_status vp_terrain_enter_write(vp_terrain *terrain, vp_error *error);

/* vp_terrain_set_voxels for a caller who has entered for writing and has checked the voxels. */
vp_status vp_terrain_write_voxels(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                  vp_error *error);

/* A chunk's tree, built if it does not exist. @return NULL without memory (`user.failed`) */
static inline const vp_kd_view *vp_terrain_find_tree(vp_terrain_query *query, uint32_t chunk)
{
    const vp_kd_view *tree = vp_cache_find(&query->user, chunk);
    return tree != NULL ? tree : vp_cache_make(&query->user, chunk);
}

/* Fails with VP_E_MEMORY for a chunk's mesh and tree. */
vp_status vp_terrain_no_memory(uint32_t chunk, vp_error *error);

/* Whether a chunk of the world belongs to the terrain, and its place in the terrain's box. */
bool vp_terrain_has_chunk(const vp_terrain *terrain, uint32_t chunk, vp_ivec3 *in);

/* Updates `query` from the broadphase, the top level and the cache. */
void vp_terrain_renew_views(vp_terrain *terrain);

/* Updates the top level from the trees built since the last time. It needs exclusive access for some microseconds,
 * longer after thousands of builds. So it does nothing unless enough trees are pending and nobody is inside or waits,
 * because a query must not wait for a reader. Call outside the gate, after trees were built. */
void vp_terrain_refresh_slowly(vp_terrain *terrain);
static inline void vp_terrain_refresh_top_level(vp_terrain *terrain)
{
    if (atomic_load_explicit(&terrain->cache.has_pending, memory_order_relaxed))
        vp_terrain_refresh_slowly(terrain);
}
/* The same for a caller who is alone inside the gate. */
void vp_terrain_take_pending(vp_terrain *terrain);

/* Returns VP_E_ARGUMENT for a surface that the terrain was not made for, or for the NULL terrain of a reader that has
 * ended. The error is filled in only then. */
vp_status vp_terrain_refuse_surface(const vp_terrain *terrain, vp_surface surface, vp_error *error);
static inline vp_status vp_terrain_check_surface(const vp_terrain *terrain, vp_surface surface, vp_error *error)
{
    const bool is_of = terrain != NULL && (unsigned)surface < VP_SURFACE_COUNT && terrain->which[surface] >= 0;
    return is_of ? VP_OK : vp_terrain_refuse_surface(terrain, surface, error);
}

#endif
