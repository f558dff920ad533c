/* SPDX-License-Identifier: MIT */
/* The generators of worlds. The same parameters, seed and size give the same world on every machine, at every optimisation level.
 * Generators use only integers, and + - * / and comparisons of binary32 in the order written. */
#ifndef VP_GENERATE_H
#define VP_GENERATE_H

#include <stdint.h>

#include <voxphys/status.h>
#include <voxphys/world.h>

/* A callback for a generator's progress, which may be NULL. `done` runs from 0 to `total`. */
typedef struct vp_generate_progress {
    void *user;
    void (*report)(void *user, uint32_t done, uint32_t total);
} vp_generate_progress;

/* Solid materials of generated terrain. Random worlds use the same range of numbers. */
enum {
    VP_STONE = VP_FIRST_SOLID,
    VP_DIRT,
    VP_GRASS,
    VP_SAND,
    VP_GRAVEL,
    VP_SNOW,
    VP_COAL_ORE,
    VP_IRON_ORE,
    VP_DEEP_STONE,
    VP_GENERATED_MATERIALS /* one past the last */
};

/* Materials of forests. Material VP_GROWN + type - VP_AUTOMATON_BEETLE is a species of voxphys/automaton.h. */
enum { VP_GROWN = VP_GENERATED_MATERIALS };

/* Parameters of terrain. Lengths and levels are in voxels, and levels count from the world's floor. */
typedef struct vp_terrain_params {
    float base;       /* mean level of the ground */
    float relief;     /* the ground's height field stays within base - relief and base + relief */
    float wavelength; /* wavelength of the largest hills */
    float overhang;   /* amplitude of the density noise, which makes cliffs lean out */
    float overhang_wavelength;
    float cave_wavelength; /* spacing of tunnels */
    float cave_radius;     /* approximate radius of tunnels */
    float cavern_wavelength;
    float cavern_level;     /* noise value above which there is a cavern; lower means more caverns */
    float water_level;      /* open air below it is water */
    float cave_water_level; /* caves below it are water */
    float snow_level;       /* ground above it is covered with snow */
} vp_terrain_params;

/* Uncorrelated noise, in which all voxels are independent. */
typedef struct vp_random_params {
    float filled; /* the share of voxels that are not air, 0 to 1 */
    float water;  /* the share of water among those, 0 to 1 */
} vp_random_params;

/* Alternating cubes of solid and air along every axis. */
typedef struct vp_checker_params {
    float edge; /* edge of a cube; a whole number */
} vp_checker_params;

/* A forest: hills, with trees that have grown on them, one per square. The other trees, besides redwood and oak, are pine or cherry.
 * Lengths are in voxels. */
typedef struct vp_forest_params {
    float base, relief; /* the ground is between base and base + relief high */
    float wavelength;   /* wavelength of the hills */
    float spacing;      /* spacing of trees; a whole number */
    float redwoods;     /* share of each species, 0 to 1 */
    float oaks;
} vp_forest_params;

/* @return like vp_world_create */
vp_status vp_generate_terrain(const vp_terrain_params *params, uint64_t seed, vp_dims size, const vp_generate_progress *progress,
                              vp_world **out, vp_error *error);
vp_status vp_generate_random(const vp_random_params *params, uint64_t seed, vp_dims size, const vp_generate_progress *progress,
                             vp_world **out, vp_error *error);
vp_status vp_generate_checker(const vp_checker_params *params, uint64_t seed, vp_dims size, const vp_generate_progress *progress,
                              vp_world **out, vp_error *error);
vp_status vp_generate_forest(const vp_forest_params *params, uint64_t seed, vp_dims size, const vp_generate_progress *progress,
                             vp_world **out, vp_error *error);

#endif
