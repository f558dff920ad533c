/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_AUTOMATON_H
#define VOXPHYS_AUTOMATON_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/automaton.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/record.h>
#include <voxphys/status.h>
#include <voxphys/world.h>
#include <voxphys/world_file.h>

/** @file automaton.h
 *  Voxel automaton of the second article: a grid whose living cells run rules. Grows trees, walks beetles, edits a terrain.
 *
 *      vp_automaton_def def = {.size = {64, 96, 64}, .seed = 7};
 *      vp_automaton *automaton;
 *      vp_automaton_create(&def, &automaton, &error);
 *      vp_automaton_plant(automaton, VP_REDWOOD, (vp_ivec3){32, 0, 32}, false, &error);
 *      vp_automaton_run(automaton, 240, NULL, &error);
 *      vp_automaton_destroy(automaton);
 *
 *  In a step a rule sees the 27 cells around its cell and writes any of them. The strongest species wins a cell, then the writer with the
 *  lowest number. Cell numbers are (y*size.z + z)*size.x + x, with y upwards.
 *
 *  vp_automaton_step computes a step, vp_automaton_apply publishes it. In between any number of threads can read the grid, and changes are
 *  refused. Results do not depend on form, threads or budgets (docs/CONTRACT.md, AUT). Method: docs/kernels/automaton.md. */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cells ---- */

enum {
    VP_CELL_EMPTY = 0,                /**< Empty cell. */
    VP_CELL_TYPE_MAX = 126,           /**< Highest species. */
    VP_CELL_OUTSIDE = 127,            /**< Cell outside the grid. */
    VP_CELL_LIVING = 128,             /**< Living bit, next to the type. */
    VP_AUTOMATON_MAX_EDGE = 2048,     /**< Maximum edge, cells. */
    VP_AUTOMATON_MAX_CELLS = 1 << 30, /**< Maximum cells of a grid. */
    VP_SPECIES_NAME_BYTES = 32,       /**< Maximum name with its zero. */
    VP_RULE_NO_LINK = -1              /**< Needs no other output. */
};

/** Memory of a living cell. */
typedef struct vp_cell_memory {
    uint16_t tick;       /**< Steps since an output of this cell took effect, up to 65535. */
    uint16_t generation; /**< For the rule. */
    uint32_t resource;   /**< For the rule. */
} vp_cell_memory;

/** Cell. */
typedef struct vp_cell {
    uint8_t type;          /**< Species, VP_CELL_EMPTY or VP_CELL_OUTSIDE. */
    bool living;           /**< Whether the cell runs its rule. */
    vp_cell_memory memory; /**< 0 in a dead cell. */
} vp_cell;

static_assert(sizeof(vp_cell_memory) == 8 && sizeof(vp_cell) == 12, "as documented");

/* ---- rules ---- */

/** Index of the rule's own cell. */
#define VP_WINDOW_CENTRE 13

/** Input of a rule. */
typedef struct vp_window {
    vp_cell cell[27];       /**< Index (dy + 1)*9 + (dz + 1)*3 + dx + 1. */
    uint64_t seed;          /**< Seed. */
    uint64_t step;          /**< Step number. */
    uint32_t position;      /**< Cell number. */
    uint8_t type;           /**< Species of the rule. */
    const void *parameters; /**< Parameters of the species. */
} vp_window;

/** Output of a rule. */
typedef struct vp_act {
    vp_cell out[27];  /**< New cells, indexed like vp_window.cell. */
    int8_t need[27];  /**< Index of the output that must win too, or VP_RULE_NO_LINK. */
    uint32_t written; /**< Bit k = out[k] is written. 0 before the call. */
} vp_act;

/** Rule of a species. Several threads call it at once. Calls for cells that are dead or of other species have no effect. */
typedef void vp_rule_fn(const vp_window *in, vp_act *out);

/** Returns the interval of a cell, in ticks. */
typedef uint32_t vp_interval_fn(const vp_cell_memory *memory, const void *parameters);

/** Returns the memory of a planted seed. `in` has no cells.
 *  @param wait  whether the seed can set its tick to begin at a random time */
typedef vp_cell_memory vp_plant_fn(const vp_window *in, bool wait);

/** Species, or dead matter. */
typedef struct vp_species {
    const char *name;        /**< Lower-case letters, digits and hyphens. Not copied. */
    uint8_t type;            /**< 1 to VP_CELL_TYPE_MAX. */
    uint8_t strength;        /**< The strongest output wins. */
    uint16_t revision;       /**< A saved state needs equal revisions. */
    uint32_t interval;       /**< Minimum tick of a rule call. */
    vp_interval_fn *varying; /**< NULL = `interval`. */
    vp_rule_fn *rule;        /**< NULL = dead matter. */
    vp_plant_fn *plant;      /**< NULL = memory 0. */
    const void *parameters;  /**< Not copied. */
} vp_species;

/** Mixes 64 bits (SplitMix64; Steele, Lea and Flood 2014). */
static inline uint64_t vp_mix64(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/** Returns a random number, a hash of seed, step, cell, species and `draw`. */
static inline uint32_t vp_window_random(const vp_window *in, uint32_t draw)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15), place = (VP_CAST(uint64_t, in->position) + 1) * golden;
    const uint64_t when = vp_mix64(vp_mix64(in->seed + golden) + in->step * golden);
    return VP_CAST(uint32_t, vp_mix64(when ^ place ^ (VP_CAST(uint64_t, in->type) << 32 | draw)) >> 32);
}

/** Returns a random number below `count`. */
static inline uint32_t vp_window_below(const vp_window *in, uint32_t draw, uint32_t count)
{
    return VP_CAST(uint32_t, VP_CAST(uint64_t, vp_window_random(in, draw)) * count >> 32);
}

/** Returns whether the cell lives and is of the rule's species. */
static inline bool vp_window_mine(const vp_window *in)
{
    return in->cell[VP_WINDOW_CENTRE].living && in->cell[VP_WINDOW_CENTRE].type == in->type;
}

/** Writes an output.
 *  @param place  0 to 26
 *  @param need   VP_RULE_NO_LINK, or the output that must win too */
static inline void vp_act_write(vp_act *act, int place, vp_cell cell, int need)
{
    act->out[place] = cell;
    act->need[place] = VP_CAST(int8_t, need);
    act->written |= UINT32_C(1) << place;
}

/* ---- built-in species ---- */

/** Set of types. */
typedef struct vp_type_set {
    uint64_t bits[2]; /**< Bit t % 64 of word t / 64. */
} vp_type_set;

/** Returns whether a set has a type. */
static inline bool vp_type_set_has(vp_type_set set, uint8_t type)
{
    return (set.bits[type >> 6] >> (type & 63) & 1u) != 0;
}

/** Random walker to an empty neighbour. No parameters. */
VP_API vp_rule_fn vp_rule_beetle;

/** Parameters of vp_rule_leaf. */
typedef struct vp_leaf_params {
    uint16_t end;    /**< Highest generation. */
    uint16_t radius; /**< Approximate radius of a planted sphere, whose centre has generation end - 4*radius. */
} vp_leaf_params;

/** Sphere of leaves. */
VP_API vp_rule_fn vp_rule_leaf;
/** Seed of a sphere of leaves. */
VP_API vp_plant_fn vp_plant_leaf;

/** Levels of lines. 0 = trunk, then branches. */
#define VP_TREE_LEVELS 4

/** Parameters of vp_rule_redwood and vp_rule_oak. Lengths in cells, up to 511. Widths in eighths of a cell. Pairs are from <= to. */
typedef struct vp_tree_params {
    uint8_t leaf;                   /**< Type of the leaves. */
    uint16_t leaf_end;              /**< vp_leaf_params.end. */
    vp_type_set soft;               /**< Types that wood grows through. */
    int16_t height[2];              /**< Height of the trunk. */
    int16_t lean;                   /**< Maximum offset of the trunk's top on each axis. */
    uint16_t germination;           /**< Interval of a seed. */
    uint16_t interval[2];           /**< Intervals of line ends and of raw wood, which must be slower. */
    uint16_t patience;              /**< Steps that a blocked line end waits. */
    int16_t width[VP_TREE_LEVELS];  /**< Width at a line's end. */
    int16_t taper[VP_TREE_LEVELS];  /**< Extra width per cell from the end, 1/64 cell. */
    int16_t flare;                  /**< Extra width at the foot. */
    int16_t from[VP_TREE_LEVELS];   /**< Start of the branches, percent of the line. */
    int16_t chance[VP_TREE_LEVELS]; /**< Chance of a branch at each cell, percent. */
    int16_t radius[VP_TREE_LEVELS]; /**< Radius of the leaves at a line's end. */
    int16_t top;                    /**< Last level, below VP_TREE_LEVELS. */
    int16_t branch[2];              /**< Oak: length of the trunk's branches. */
} vp_tree_params;

/** Redwood. */
VP_API vp_rule_fn vp_rule_redwood;
/** Oak. */
VP_API vp_rule_fn vp_rule_oak;
/** Seed of redwood and oak. */
VP_API vp_plant_fn vp_plant_tree;
/** Interval of redwood and oak. */
VP_API vp_interval_fn vp_tree_interval;

/** Types of vp_species_builtin. */
enum {
    VP_GROUND = 1,
    VP_BEETLE,  /**< Moves every step. */
    VP_ANT,     /**< Moves every third step. */
    VP_FIREFLY, /**< Moves every seventh step. */
    VP_NEEDLE,  /**< Leaf of redwood and pine. */
    VP_LEAF,    /**< Leaf of the oak. */
    VP_BLOSSOM, /**< Leaf of the cherry. */
    VP_REDWOOD,
    VP_PINE, /**< Small redwood. */
    VP_OAK,
    VP_CHERRY, /**< Small oak. */
    VP_BUILTIN_TYPES
};

/** Returns the built-in ground and ten species. */
VP_API const vp_species *vp_species_builtin(uint32_t *count);

/** Returns a species by name, or NULL. */
VP_API const vp_species *vp_species_named(const vp_species *species, uint32_t count, const char *name);

/* ---- automata ---- */

/** Grid with living cells. */
typedef struct vp_automaton vp_automaton;

/** Rules that a step calls. Both give the same result. */
typedef enum vp_automaton_form {
    VP_AUTOMATON_LIST, /**< The rule of each living cell. */
    VP_AUTOMATON_SCAN  /**< Every rule for every cell. */
} vp_automaton_form;

/** Settings for vp_automaton_create. */
typedef struct vp_automaton_def {
    vp_dims size;                  /**< Up to VP_AUTOMATON_MAX_EDGE on each axis and VP_AUTOMATON_MAX_CELLS. */
    uint64_t seed;                 /**< Seed of random numbers. */
    const vp_species *species;     /**< Copied, except names and parameters. NULL = vp_species_builtin. [species_count] */
    uint32_t species_count;        /**< Number of species. */
    vp_automaton_form form;        /**< Rules that a step calls. */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
} vp_automaton_def;

/** Creates an empty automaton, 5 bytes a cell. Cost: O(cells).
 *  @return VP_E_ARGUMENT for an invalid size or form, and an invalid or repeated name or type (the message names it)
 *          VP_E_MEMORY */
VP_API vp_status vp_automaton_create(const vp_automaton_def *def, vp_automaton **out, vp_error *error);
/** Destroys an automaton. NULL is a no-op. */
VP_API void vp_automaton_destroy(vp_automaton *automaton);

/** Returns the size, cells. */
VP_API vp_dims vp_automaton_size(const vp_automaton *automaton);
/** Returns the species. */
VP_API const vp_species *vp_automaton_species(const vp_automaton *automaton, uint32_t *count);

/* ---- reading: by any number of threads, but not during put, plant and apply ---- */

/** Returns a cell. Cost: O(1). */
VP_API vp_cell vp_automaton_cell(const vp_automaton *automaton, vp_ivec3 at);
/** Copies a box of cells in rows, as type and living bit.
 *  @param out  element (y*size.z + z)*size.x + x is cell low + (x, y, z) [size.x * size.y * size.z]
 *  @return VP_E_ARGUMENT if the box is not inside the grid */
VP_API vp_status vp_automaton_read(const vp_automaton *automaton, vp_ivec3 low, vp_dims size, uint8_t *out, vp_error *error);
/** Returns the number of living cells. */
VP_API uint32_t vp_automaton_living(const vp_automaton *automaton);
/** Returns the i-th living cell, in order of cell numbers. Cost: O(1).
 *  @param i  below vp_automaton_living */
VP_API vp_cell vp_automaton_living_cell(const vp_automaton *automaton, uint32_t i, vp_ivec3 *at);

/** Statistics. `calls` to `unmet` count since creation. */
typedef struct vp_automaton_stats {
    uint64_t step;       /**< Applied steps. */
    uint64_t calls;      /**< Rule calls, including waiting cells. */
    uint64_t acts;       /**< Calls that wrote something. */
    uint64_t outputs;    /**< Outputs written. */
    uint64_t lost;       /**< Outputs that lost their cell. */
    uint64_t unmet;      /**< Winning outputs whose needed output lost. */
    uint32_t living;     /**< Living cells. */
    size_t bytes;        /**< Memory in total. */
    size_t living_bytes; /**< Memory that grows with living cells and outputs. */
} vp_automaton_stats;

/** Returns the statistics. Cost: O(1). */
VP_API vp_automaton_stats vp_automaton_stats_of(const vp_automaton *automaton);

/** Returns a digest of seed, step and cells (AUT-4). Cost: O(1). */
VP_API uint64_t vp_automaton_digest(const vp_automaton *automaton);

/* ---- planting: returns VP_E_ARGUMENT while a step is under way ---- */

/** Sets cells. The last of several at one position counts. Cost: O(count + living log living).
 *  @param at, cell  [count]
 *  @return VP_E_ARGUMENT for a position outside the grid or an invalid cell (the message names it)
 *          VP_E_MEMORY. Nothing is changed */
VP_API vp_status vp_automaton_put(vp_automaton *automaton, const vp_ivec3 *at, const vp_cell *cell, size_t count, vp_error *error);

/** Plants a seed. Cost: as vp_automaton_put, so put thousands at once.
 *  @param wait  see vp_plant_fn
 *  @return errors of vp_automaton_put, and VP_E_ARGUMENT for a type without a rule */
VP_API vp_status vp_automaton_plant(vp_automaton *automaton, uint8_t type, vp_ivec3 at, bool wait, vp_error *error);

/** Finds the lowest y above all cells of a column that are not empty. Cost: O(size.y).
 *  @return VP_E_ARGUMENT for a column outside the grid */
VP_API vp_status vp_automaton_top(const vp_automaton *automaton, int32_t x, int32_t z, int32_t *y, vp_error *error);

/** Types of dead cells for a world's materials. */
typedef struct vp_automaton_ground {
    uint8_t type[256]; /**< Type of each material. */
} vp_automaton_ground;

/** Sets every cell from the world's voxel at low + (x, y, z). Cost: O(cells).
 *  @return VP_E_ARGUMENT for an unknown type, or a box beyond the range of int32_t */
VP_API vp_status vp_automaton_put_world(vp_automaton *automaton, const vp_world *world, vp_ivec3 low, const vp_automaton_ground *ground,
                                        vp_error *error);

/* ---- steps ---- */

/** Computes the rest of a step. The grid is unchanged. Cost: O(calls + outputs).
 *  @param executor  NULL = calling thread
 *  @return VP_E_MEMORY. Another call continues
 *          VP_E_ARGUMENT if a rule writes an invalid cell, link or index. Only vp_automaton_drop ends such a step */
VP_API vp_status vp_automaton_step(vp_automaton *automaton, const vp_executor *executor, vp_error *error);

/** Computes a part of a step. Errors as vp_automaton_step.
 *  @param budget  maximum number of rule calls. At least one cell is computed
 *  @param done    whether the step is complete */
VP_API vp_status vp_automaton_advance(vp_automaton *automaton, uint64_t budget, const vp_executor *executor, bool *done, vp_error *error);

/** Publishes a computed step. Allocates nothing. Cost: O(living + changes).
 *  @return VP_E_ARGUMENT if no step is complete */
VP_API vp_status vp_automaton_apply(vp_automaton *automaton, vp_error *error);

/** Drops a step that is under way or computed. */
VP_API void vp_automaton_drop(vp_automaton *automaton);

/** Computes and applies steps. Errors as vp_automaton_step. Steps before a failure stay applied. */
VP_API vp_status vp_automaton_run(vp_automaton *automaton, uint64_t steps, const vp_executor *executor, vp_error *error);

/** Change of a cell's type or living bit. */
typedef struct vp_automaton_change {
    vp_ivec3 at;    /**< Position. */
    uint8_t before; /**< Type and living bit before. */
    uint8_t after;  /**< Type and living bit after. */
} vp_automaton_change;

/** Returns the changes of the last computed step in order of cell numbers, valid until the next step begins or is dropped. */
VP_API const vp_automaton_change *vp_automaton_changes(const vp_automaton *automaton, uint32_t *count);

/* ---- into a world ---- */

/** Material of types that are not written. */
#define VP_LAY_NOTHING 256u

/** Place and materials of an automaton in a world. */
typedef struct vp_automaton_laying {
    vp_ivec3 low;           /**< Voxel of cell 0. */
    uint16_t material[128]; /**< Material of each type, or VP_LAY_NOTHING. */
} vp_automaton_laying;

/** Returns a laying at the origin. Empty cells are air, ground is not written, and species get first + type - VP_BEETLE. */
VP_API vp_automaton_laying vp_automaton_laying_builtin(uint8_t first);

/** Returns the changes of the last computed step as an edit for vp_terrain_set_voxels (AUT-5). Cost: O(changes).
 *  @param at, voxel  [number of changes]
 *  @return VP_E_ARGUMENT for an invalid material, or a position beyond the range of int32_t */
VP_API vp_status vp_automaton_edit(const vp_automaton *automaton, const vp_automaton_laying *laying, vp_ivec3 *at, vp_voxel *voxel,
                                   size_t *count, vp_error *error);

/** Writes all cells into a world. Cost: O(cells).
 *  @param stale  see vp_world_set_voxel
 *  @return VP_E_ARGUMENT as vp_automaton_edit, and for a cell outside the world or a set of another size. Nothing is changed */
VP_API vp_status vp_automaton_lay(const vp_automaton *automaton, const vp_automaton_laying *laying, vp_world *world, vp_chunk_set *stale,
                                  vp_error *error);

/* ---- states ---- */

/** Encodes the state (docs/FORMATS.md). Equal states give equal bytes. Cost: O(cells).
 *  @return VP_E_ARGUMENT while a step is under way
 *          VP_E_MEMORY */
VP_API vp_status vp_automaton_encode(const vp_automaton *automaton, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Decodes a state. Checks everything before it allocates.
 *  @param def  species, form and allocator. Size and seed come from the state
 *  @return VP_E_FORMAT for damaged bytes (the message names the byte), and a species that `def` lacks in name, type, strength or revision
 *          Errors of vp_automaton_create */
VP_API vp_status vp_automaton_decode(const void *bytes, size_t size, const vp_automaton_def *def, vp_automaton **out, vp_error *error);

/* ---- step records ---- */

/** Recording of an automaton. */
typedef struct vp_automaton_recording {
    const vp_recorder *to;     /**< Recorder. */
    uint32_t cells;            /**< Layer "cells": voxels with types, named after the species. */
    uint32_t figures;          /**< Layer "figures": living cells, changes, calls and lost outputs of each step. */
    uint32_t state;            /**< Layer "state": step and digest. */
    vp_automaton_stats before; /**< Statistics at the last frame. */
} vp_automaton_recording;

/** Declares the layers and records the current state as a frame, without cells that no empty neighbour shows. Cost: O(cells).
 *  @param to  kept by *out
 *  @return VP_E_ARGUMENT while a step is under way, and errors of the recorder's `frame` */
VP_API vp_status vp_automaton_record_begin(const vp_automaton *automaton, const vp_recorder *to, vp_automaton_recording *out,
                                           vp_error *error);

/** Records the last applied step as a frame, before the next step begins. Cost: O(changes).
 *  @return errors of vp_automaton_record_begin */
VP_API vp_status vp_automaton_record_step(const vp_automaton *automaton, vp_automaton_recording *recording, vp_error *error);

/* ---- count rules ---- */

/** Checks a job and computes a step of a count rule.
 *  @param kernels  NULL = vp_kernels_default()
 *  @return VP_E_ARGUMENT for an invalid size, number of species or bit, or `out` equal to `cell`
 *          Errors of vp_kernels_default */
VP_API vp_status vp_count_rule_step(const vp_count_job *job, const vp_kernels *kernels, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
