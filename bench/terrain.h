/* SPDX-License-Identifier: MIT */
/* What the benchmarks of whole terrains share. Kernels alone are measured by kernels.c; here are the object that a program holds
 * (vp_terrain), its cache and its edits, so each benchmark takes all kernels of one instruction set. */
#ifndef VP_BENCH_TERRAIN_H
#define VP_BENCH_TERRAIN_H

#include <voxphys/terrain.h>

#include "bench/suite.h"

/* All kernels of one instruction set that this machine has natively; where the set lacks one, the next best. */
typedef struct vp_terrain_table {
    char name[24]; /* "scalar", "avx2" */
    vp_kernels kernels;
} vp_terrain_table;

enum { VP_TERRAIN_TABLES = VP_ISA_COUNT };

/* Scalar first, the best last. @return how many */
size_t vp_terrain_tables(vp_terrain_table out[VP_TERRAIN_TABLES]);

/* "", "-slab": behind the name of who is measured. */
const char *vp_terrain_form_suffix(vp_kd_form form);

/* Rays that are asked of a terrain, and what the reference answers: terrain_ray of the scalar kernels, on trees of its own. */
typedef struct vp_asked_terrain {
    const vp_world *world; /* the suite's */
    vp_ivec3 first;  /* the box of chunks */
    vp_dims chunks;
    const vp_ray *ray;
    uint32_t count;
    vp_terrain_hit *want;
    uint64_t digest;    /* of `want` */
    uint64_t triangles; /* of the whole terrain */
} vp_asked_terrain;

/* All that were asked for; the suite's. One for all benchmarks of a suite. */
typedef struct vp_terrain_answers vp_terrain_answers;
vp_terrain_answers *vp_terrain_answers_create(vp_suite *suite);
/* The rays of a set, or "wander" over a world: tiles of 8 x 8 alike ones, each tile from another place. Names must last.
   @return NULL with a message */
const vp_asked_terrain *vp_terrain_rays_of(vp_terrain_answers *answers, const char *data, const char *set, vp_error *error);

/* XXH3-64 of answers, as of the records of terrain_ray. VP_E_MEMORY. */
vp_status vp_terrain_hits_digest(const vp_terrain_hit *hit, size_t count, uint64_t *out, vp_error *error);

/* Compares answers with the reference's, bit for bit. @param who  for the message */
vp_status vp_terrain_compare(const vp_asked_terrain *rays, const vp_terrain_hit *got, const char *who, vp_error *error);

/* Answers that none has given. */
void vp_terrain_spoil(vp_terrain_hit *hit, size_t count);

/* What is asked of a terrain, or of a library, that must make its trees first: of each 1024 rays the first 64, which are a tile
   where rays come in tiles. All rays would hide what making costs; the first ones of a set may look at the sky. */
static inline uint32_t vp_cold_ray(uint32_t i)
{
    return i / 64 * 1024 + i % 64;
}
static inline uint32_t vp_cold_rays(uint32_t all)
{
    return all / 1024 * 64;
}

/* A counting allocator on top of C's; for one thread. */
typedef struct vp_counted {
    size_t bytes, most;
} vp_counted;
vp_allocator vp_counted_allocator(vp_counted *counted);

#endif
