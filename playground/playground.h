/* SPDX-License-Identifier: MIT */
/* The playground, a small terrain with water, bodies, trees and a mesh, changed by text commands. The page runs it as WebAssembly.
 * `playground FILE` replays the commands natively and prints the same state hash. Commands: docs/PLAYGROUND.md. */
#ifndef VP_PLAYGROUND_PLAYGROUND_H
#define VP_PLAYGROUND_PLAYGROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/voxphys.h>

#include "host/simulate/simulate.h"

enum {
    PG_WIDTH = 96, /* voxels along x and z */
    PG_HEIGHT = 64,
    PG_TILE = 16, /* voxels along x and z that are drawn as one mesh */
    PG_TILES = PG_WIDTH / PG_TILE,
    PG_RAYS = 128,     /* maximum rays along a side of a fan */
    PG_STEPS = 100000, /* maximum of a line */
    PG_GRASS = VP_FIRST_SOLID,
    PG_SOIL,
    PG_ROCK,
    PG_SAND,
    PG_GROWN = 16, /* material of the first species */
};

typedef struct pg_state {
    vp_world *world;
    vp_terrain *terrain;
    vp_sim *sim;
    vp_automaton *forest; /* NULL = nothing planted */
    uint64_t seed;
    bool stale[PG_TILES * PG_TILES]; /* tiles that the page has not read since they changed */
    vp_vec3 *point;                  /* mesh for `decompose` */
    uint32_t (*triangle)[3];
    size_t points, triangles, point_room, triangle_room;
    vp_decomposition parts;
    vp_terrain_point ray; /* hit of the last `ray` */
    vp_vec3 *hit;         /* hits of the last `fan` */
    uint32_t hits;
    vp_sim_edited edited; /* the last edit */
} pg_state;

extern pg_state pg;

/* Runs the commands of a text, one per line, which it changes.
 * @return 0, or the number of the line that failed */
int pg_run_text(char *text, vp_error *error);
/* Begins a step or continues it, for about `seconds`. Other commands than rays end it first. */
vp_status pg_advance(double seconds, bool *ended, vp_error *error);
/* Hash of all voxels, bodies, and cells of the forest. */
vp_status pg_hash_state(uint64_t *out, vp_error *error);

/* Adds numbers to the array that the page reads. */
vp_status pg_add(const float *number, size_t count, vp_error *error);

/* Contents of pg_view. */
typedef enum pg_what {
    PG_VIEW_STALE,    /* numbers of changed tiles, and forgets them */
    PG_VIEW_SOLID,    /* material and 9 coordinates of each triangle of tile `number` */
    PG_VIEW_WATER,    /* likewise */
    PG_VIEW_BODIES,   /* position, rotation, state (0 awake, 1 asleep, 2 lost) of each body */
    PG_VIEW_SHAPE,    /* kind and size of body `number`, and 9 coordinates of each triangle of hulls */
    PG_VIEW_CONTACTS, /* point, normal */
    PG_VIEW_BITS,     /* lowest corner of each voxel of air whose solid bit is set */
    PG_VIEW_SPHERES,  /* centre and radius of each node of the bodies' sphere tree */
    PG_VIEW_BOXES,    /* minimum and maximum of each leaf of the kD-tree of the last ray's chunk */
    PG_VIEW_RAY,      /* point, normal, material, t, chunk, triangle of a hit */
    PG_VIEW_FAN,      /* points */
    PG_VIEW_HULLS,    /* hull and 9 coordinates of each triangle of the decomposition */
    PG_VIEW_FIGURES,  /* see view_figures */
} pg_what;

vp_status pg_fill_view(pg_what what, uint32_t number, vp_error *error);

#endif
