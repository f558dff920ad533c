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
 *  The voxel automaton (second article, "About the automaton behind Voxel Seeds" and "Example Rule: The Redwood Tree"): a grid whose
 *  living cells run rules. Grows trees, walks beetles, and edits a terrain with the result.
 *
 *      vp_automaton_def def = {.size = {64, 96, 64}, .seed = 7};
 *      vp_automaton *automaton;
 *      vp_error error;
 *      vp_automaton_create(&def, &automaton, &error);
 *      vp_automaton_plant(automaton, VP_AUTOMATON_REDWOOD, (vp_ivec3){32, 0, 32}, false, &error);
 *      vp_automaton_run(automaton, 240, NULL, &error);
 *      printf("%u cells live\n", (unsigned)vp_automaton_living_count(automaton));
 *      vp_automaton_destroy(automaton);
 *
 *  Steps. A rule sees the 27 cells around its cell as they were before the step, and writes any of them. The strongest species wins a
 *  cell, then the writer with the lowest number. An output can need another output of the same act. Details: docs/CONTRACT.md, AUT.
 *
 *  Phases. vp_automaton_step or vp_automaton_advance computes a step, vp_automaton_apply publishes it. Until then any number of threads
 *  can read the grid. Changes of the grid are refused while a step is under way.
 *
 *  Results do not depend on form, threads, budgets or the order of planting. Random numbers are a hash.
 *  Cell numbers are (y*size.z + z)*size.x + x, with y upwards. One layer of VP_CELL_OUTSIDE surrounds the grid. */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cells ---- */

enum {
    VP_CELL_EMPTY = 0,                /**< Type of an empty cell. */
    VP_CELL_TYPE_MAX = 126,           /**< Highest type of a species. */
    VP_CELL_OUTSIDE = 127,            /**< Type of cells outside the grid. */
    VP_CELL_LIVING = 128,             /**< Living bit in a byte of type and living bit. */
    VP_AUTOMATON_MAX_EDGE = 2048,     /**< Maximum edge of a grid, cells. */
    VP_AUTOMATON_MAX_CELLS = 1 << 30, /**< Maximum number of cells of a grid. */
    VP_SPECIES_NAME_BYTES = 32,       /**< Size of a name with its terminating zero. */
    VP_RULE_NO_LINK = -1              /**< The output needs no other. */
};

/** Memory of a living cell. */
typedef struct vp_automaton_cell_memory {
    uint16_t tick;       /**< Steps since an output of this cell took effect, up to 65535. */
    uint16_t generation; /**< Free for the rule. */
    uint32_t resource;   /**< Free for the rule, such as a packed position. */
} vp_automaton_cell_memory;

/** Cell of the grid. */
typedef struct vp_automaton_cell {
    uint8_t type;                    /**< VP_CELL_EMPTY, VP_CELL_OUTSIDE or the type of a species. */
    bool living;                     /**< Whether the cell runs its species' rule. Dead cells stay in the grid. */
    vp_automaton_cell_memory memory; /**< All 0 in a dead cell. */
} vp_automaton_cell;

static_assert(sizeof(vp_automaton_cell_memory) == 8 && sizeof(vp_automaton_cell) == 12, "as documented");

/* ---- rules ---- */

/** Index of the rule's own cell in a window. */
#define VP_WINDOW_CENTRE 13

/** Input of a rule. */
typedef struct vp_automaton_window {
    vp_automaton_cell cell[27]; /**< Cells around the rule's cell. Index (dy + 1)*9 + (dz + 1)*3 + dx + 1. */
    uint64_t seed;              /**< Seed of the automaton. */
    uint64_t step;              /**< Step number. */
    uint32_t position;          /**< Cell number. */
    uint8_t type;               /**< Species whose rule is called. */
    const void *parameters;     /**< Parameters of the species. */
} vp_automaton_window;

/** Output of a rule. */
typedef struct vp_automaton_action {
    vp_automaton_cell out[27]; /**< New cells, indexed like vp_automaton_window.cell. */
    int8_t need[27];           /**< Index of the output that must win too, or VP_RULE_NO_LINK. */
    uint32_t written;          /**< Bit k = out[k] is written. 0 when the rule is called. */
} vp_automaton_action;

/** Rule of a species. Reads `in` and writes `out` only. Several threads can call it at once. Calls for cells that are dead or of other
 *  species have no effect. */
typedef void vp_automaton_rule_fn(const vp_automaton_window *in, vp_automaton_action *out);

/** Returns the interval of a cell, in ticks, if it depends on the cell's memory. */
typedef uint32_t vp_automaton_interval_fn(const vp_automaton_cell_memory *memory, const void *parameters);

/** Returns the memory of a planted seed. `in` has seed, step, position, type and parameters, and no cells.
 *  @param wait  whether the seed can set its tick to begin at a random time */
typedef vp_automaton_cell_memory vp_automaton_plant_fn(const vp_automaton_window *in, bool wait);

/** Species, or dead matter. */
typedef struct vp_automaton_species {
    const char *name;                  /**< Lower-case letters, digits and hyphens, shorter than VP_SPECIES_NAME_BYTES. Not copied. */
    uint8_t type;                      /**< 1 to VP_CELL_TYPE_MAX. */
    uint8_t strength;                  /**< The strongest output wins a cell. */
    uint16_t revision;                 /**< Revision of rule and parameters. A saved state needs equal revisions. */
    uint32_t interval;                 /**< Minimum tick at which the rule is called. */
    vp_automaton_interval_fn *varying; /**< NULL = `interval`. */
    vp_automaton_rule_fn *rule;        /**< NULL = dead matter. */
    vp_automaton_plant_fn *plant;      /**< NULL = a seed's memory is 0. */
    const void *parameters;            /**< Not copied. */
} vp_automaton_species;

/** Mixes 64 bits (finalizer of SplitMix64; Steele, Lea and Flood 2014). */
static inline uint64_t vp_mix64(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/** Returns a random number: the upper half of mix(mix(mix(seed + G) + step*G) ^ (position + 1)*G ^ (type << 32 | draw)), with G =
 *  0x9e3779b97f4a7c15. @param draw  another number for each use in a rule */
static inline uint32_t vp_automaton_window_random(const vp_automaton_window *in, uint32_t draw)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15), place = (VP_CAST(uint64_t, in->position) + 1) * golden;
    const uint64_t when = vp_mix64(vp_mix64(in->seed + golden) + in->step * golden);
    return VP_CAST(uint32_t, vp_mix64(when ^ place ^ (VP_CAST(uint64_t, in->type) << 32 | draw)) >> 32);
}

/** Returns a random number from 0 to count - 1. */
static inline uint32_t vp_automaton_window_below(const vp_automaton_window *in, uint32_t draw, uint32_t count)
{
    return VP_CAST(uint32_t, VP_CAST(uint64_t, vp_automaton_window_random(in, draw)) * count >> 32);
}

/** Returns whether the cell lives and is of the rule's species. Rules return at once otherwise. */
static inline bool vp_automaton_window_mine(const vp_automaton_window *in)
{
    return in->cell[VP_WINDOW_CENTRE].living && in->cell[VP_WINDOW_CENTRE].type == in->type;
}

/** Writes an output. @param place  0 to 26 @param need  VP_RULE_NO_LINK, or the index of an output that must win too */
static inline void vp_automaton_action_write(vp_automaton_action *act, int place, vp_automaton_cell cell, int need)
{
    act->out[place] = cell;
    act->need[place] = VP_CAST(int8_t, need);
    act->written |= UINT32_C(1) << place;
}

/* ---- built-in species ---- */

/** Set of types. */
typedef struct vp_automaton_type_set {
    uint64_t bits[2]; /**< Bit t % 64 of word t / 64. */
} vp_automaton_type_set;

/** Returns whether a set has a type. */
static inline bool vp_automaton_type_set_has(vp_automaton_type_set set, uint8_t type)
{
    return (set.bits[type >> 6] >> (type & 63) & 1u) != 0;
}

/** Random walker: moves to any empty one of the 26 cells around it (reference/automaton/beetle.c). No parameters. */
VP_API vp_automaton_rule_fn vp_automaton_rule_beetle;

/** Parameters of vp_automaton_rule_leaf. */
typedef struct vp_automaton_leaf_params {
    uint16_t end;    /**< Highest generation of a leaf. */
    uint16_t radius; /**< Approximate radius of a planted sphere. Its centre has generation end - 4*radius. */
} vp_automaton_leaf_params;

/** Sphere of leaves: a flood that ends at a random distance (reference/automaton/leaf.c). */
VP_API vp_automaton_rule_fn vp_automaton_rule_leaf;
/** Seed of a sphere of leaves. */
VP_API vp_automaton_plant_fn vp_automaton_plant_leaf;

/** Levels of a tree's lines. 0 = trunk, then branches of branches. */
#define VP_TREE_LEVELS 4

/** Parameters of vp_automaton_rule_redwood and vp_automaton_rule_oak. Lengths are in cells, at most 511, from <= to. Widths are in eighths
 * of a cell. */
typedef struct vp_automaton_tree_params {
    uint8_t leaf;                   /**< Type of the leaves. */
    uint16_t leaf_end;              /**< vp_automaton_leaf_params.end of the leaves. */
    vp_automaton_type_set soft;     /**< Types that wood grows through: empty cells and leaves. */
    int16_t height[2];              /**< Height of the trunk, from and to. */
    int16_t lean;                   /**< Maximum offset of the trunk's top on each axis. */
    uint16_t germination;           /**< Interval of a seed. */
    uint16_t interval[2];           /**< Interval of line ends and of raw wood. Raw wood must be slower. */
    uint16_t patience;              /**< Steps that the end of a blocked line waits. */
    int16_t width[VP_TREE_LEVELS];  /**< Width of a line at its end. */
    int16_t taper[VP_TREE_LEVELS];  /**< Extra width for each cell of distance to the end, in 1/64 cell. */
    int16_t flare;                  /**< Extra width at the foot. */
    int16_t from[VP_TREE_LEVELS];   /**< Start of the branches, percent of the line. */
    int16_t chance[VP_TREE_LEVELS]; /**< Chance of a branch at each cell of a line, percent. */
    int16_t radius[VP_TREE_LEVELS]; /**< Radius of the leaves at a line's end. */
    int16_t top;                    /**< Last level, below VP_TREE_LEVELS. */
    int16_t branch[2];              /**< Oak: length of a trunk's branches, from and to. */
} vp_automaton_tree_params;

/** Redwood: trunk up to a target, whorls of branches, needles (reference/automaton/redwood.c). */
VP_API vp_automaton_rule_fn vp_automaton_rule_redwood;
/** Oak, built from the redwood's parts (reference/automaton/oak.c). */
VP_API vp_automaton_rule_fn vp_automaton_rule_oak;
/** Seed of a trunk of redwood or oak. */
VP_API vp_automaton_plant_fn vp_automaton_plant_tree;
/** Interval of redwood and oak. */
VP_API vp_automaton_interval_fn vp_automaton_tree_interval;

/** Types of vp_automaton_species_builtin. Types from VP_AUTOMATON_BEETLE on live. */
enum {
    VP_AUTOMATON_GROUND = 1,
    VP_AUTOMATON_BEETLE,  /**< Beetle that moves every step. */
    VP_AUTOMATON_ANT,     /**< Beetle that moves every third step. */
    VP_AUTOMATON_FIREFLY, /**< Beetle that moves every seventh step. */
    VP_AUTOMATON_NEEDLE,  /**< Leaf of redwood and pine. */
    VP_AUTOMATON_LEAF,    /**< Leaf of the oak. */
    VP_AUTOMATON_BLOSSOM, /**< Leaf of the cherry. */
    VP_AUTOMATON_REDWOOD,
    VP_AUTOMATON_PINE, /**< Small redwood. */
    VP_AUTOMATON_OAK,
    VP_AUTOMATON_CHERRY, /**< Small oak. */
    VP_AUTOMATON_BUILTIN_TYPES
};

/** Returns the built-in table: ground and ten species. @param count  number of entries */
VP_API const vp_automaton_species *vp_automaton_species_builtin(uint32_t *count);

/** Returns the species with a name, or NULL. */
VP_API const vp_automaton_species *vp_automaton_species_named(const vp_automaton_species *species, uint32_t count, const char *name);

/* ---- automata ---- */

/** Grid, living cells and their rules. */
typedef struct vp_automaton vp_automaton;

/** Which rules a step calls. Both give the same result. */
typedef enum vp_automaton_form {
    VP_AUTOMATON_LIST, /**< The rule of each living cell. */
    VP_AUTOMATON_SCAN  /**< Every species' rule for every cell. */
} vp_automaton_form;

/** Settings for vp_automaton_create. */
typedef struct vp_automaton_def {
    vp_dims size;                        /**< Up to VP_AUTOMATON_MAX_EDGE on each axis and VP_AUTOMATON_MAX_CELLS. */
    uint64_t seed;                       /**< Seed of all random numbers. */
    const vp_automaton_species *species; /**< Copied, except names and parameters. NULL = vp_automaton_species_builtin. [species_count] */
    uint32_t species_count;              /**< Number of species. */
    vp_automaton_form form;              /**< Which rules a step calls. */
    const vp_allocator *allocator;       /**< NULL = malloc and free. */
} vp_automaton_def;

/** Creates an empty automaton. Takes 5 bytes a cell. Cost: O(cells).
 *  @return VP_E_ARGUMENT for an invalid size or form, and for a species whose name or type is invalid or not unique (the message names it).
 *          VP_E_MEMORY */
VP_API vp_status vp_automaton_create(const vp_automaton_def *def, vp_automaton **out, vp_error *error);
/** Destroys an automaton. NULL is a no-op. */
VP_API void vp_automaton_destroy(vp_automaton *automaton);

/** Returns the size in cells. */
VP_API vp_dims vp_automaton_size(const vp_automaton *automaton);
/** Returns the species. @param count  number of species */
VP_API const vp_automaton_species *vp_automaton_species_of(const vp_automaton *automaton, uint32_t *count);

/* ---- reading: by any number of threads, but not during put, plant and apply ---- */

/** Returns a cell, VP_CELL_OUTSIDE outside the grid. Cost: O(1). */
VP_API vp_automaton_cell vp_automaton_cell_at(const vp_automaton *automaton, vp_ivec3 at);
/** Copies a box of cells in rows. Element (y*size.z + z)*size.x + x is type and living bit of cell low + (x, y, z).
 *  @param out  [size.x * size.y * size.z]
 *  @return VP_E_ARGUMENT if the box is not inside the grid */
VP_API vp_status vp_automaton_read(const vp_automaton *automaton, vp_ivec3 low, vp_dims size, uint8_t *out, vp_error *error);
/** Returns the number of living cells. */
VP_API uint32_t vp_automaton_living_count(const vp_automaton *automaton);
/** Returns the i-th living cell in order of cell numbers. Cost: O(1). @param i  below vp_automaton_living_count @param at  its position */
VP_API vp_automaton_cell vp_automaton_living_cell(const vp_automaton *automaton, uint32_t i, vp_ivec3 *at);

/** Statistics. `calls` to `unmet` count since creation. */
typedef struct vp_automaton_stats {
    uint64_t step;       /**< Applied steps. */
    uint64_t calls;      /**< Rule calls, including waiting cells. */
    uint64_t acts;       /**< Calls that wrote something. */
    uint64_t outputs;    /**< Outputs written. */
    uint64_t lost;       /**< Outputs that lost their cell. */
    uint64_t unmet;      /**< Outputs that won their cell, but not the output that they need. */
    uint32_t living;     /**< Living cells. */
    size_t bytes;        /**< Memory in total. */
    size_t living_bytes; /**< Memory that grows with living cells and outputs. */
} vp_automaton_stats;

/** Returns the statistics. Cost: O(1). */
VP_API vp_automaton_stats vp_automaton_stats_of(const vp_automaton *automaton);

/** Returns a digest of seed, step and all cells with their memory (docs/CONTRACT.md, AUT-4). Cost: O(1). */
VP_API uint64_t vp_automaton_digest(const vp_automaton *automaton);

/* ---- planting: returns VP_E_ARGUMENT while a step is under way ---- */

/** Sets cells. The last of several at one position counts. Cost: O(count + living log living).
 *  @param at, cell  [count]
 *  @return VP_E_ARGUMENT for a position outside the grid, an unknown type, a living cell without a rule, or memory in a dead cell (the
 *          message names it). VP_E_MEMORY. Then nothing is changed */
VP_API vp_status vp_automaton_set_cells(vp_automaton *automaton, const vp_ivec3 *at, const vp_automaton_cell *cell, size_t count,
                                        vp_error *error);

/** Plants a seed. Cost: as vp_automaton_set_cells, so put thousands of seeds at once.
 *  @param wait  see vp_automaton_plant_fn
 *  @return errors of vp_automaton_set_cells, and VP_E_ARGUMENT for a type without a rule */
VP_API vp_status vp_automaton_plant(vp_automaton *automaton, uint8_t type, vp_ivec3 at, bool wait, vp_error *error);

/** Returns the lowest y above all cells of a column that are not empty. 0 = empty column. Cost: O(size.y).
 *  @return VP_E_ARGUMENT for a column outside the grid */
VP_API vp_status vp_automaton_find_top(const vp_automaton *automaton, int32_t x, int32_t z, int32_t *y, vp_error *error);

/** Table from a world's materials to types of dead cells. */
typedef struct vp_automaton_ground {
    uint8_t type[256]; /**< Type of each material. */
} vp_automaton_ground;

/** Sets every cell from a world's voxel at low + (x, y, z). Outside the world it is air. Cost: O(cells).
 *  @return VP_E_ARGUMENT for an unknown type and for a box beyond the range of int32_t */
VP_API vp_status vp_automaton_read_world(vp_automaton *automaton, const vp_world *world, vp_ivec3 low, const vp_automaton_ground *ground,
                                         vp_error *error);

/* ---- steps ---- */

/** Computes the rest of a step. The grid is unchanged. Cost: O(calls + outputs).
 *  @param executor  runs the rules. NULL = calling thread
 *  @return VP_E_MEMORY, another call continues. VP_E_ARGUMENT if a rule writes an invalid cell, link or index (the message names species
 *          and cell). Such a step can only be dropped by vp_automaton_cancel_step */
VP_API vp_status vp_automaton_step(vp_automaton *automaton, const vp_executor *executor, vp_error *error);

/** Computes a part of a step.
 *  @param budget  maximum number of rule calls. At least one cell is computed
 *  @param done    whether the step is complete
 *  @return errors of vp_automaton_step */
VP_API vp_status vp_automaton_advance(vp_automaton *automaton, uint64_t budget, const vp_executor *executor, bool *done, vp_error *error);

/** Publishes a computed step. Allocates nothing. Cost: O(living + changes). @return VP_E_ARGUMENT if no step is complete */
VP_API vp_status vp_automaton_apply(vp_automaton *automaton, vp_error *error);

/** Drops a step that is under way or computed, if any. Its calls stay counted. */
VP_API void vp_automaton_cancel_step(vp_automaton *automaton);

/** Computes and applies steps. @return errors of vp_automaton_step. The steps before a failure stay applied */
VP_API vp_status vp_automaton_run(vp_automaton *automaton, uint64_t steps, const vp_executor *executor, vp_error *error);

/** Cell whose type or living bit a step changes. */
typedef struct vp_automaton_change {
    vp_ivec3 at;    /**< Position of the cell. */
    uint8_t before; /**< Type and living bit before the step. */
    uint8_t after;  /**< Type and living bit after the step. */
} vp_automaton_change;

/** Returns the changes of the last computed step in order of cell numbers. Valid until the next step begins or is dropped.
 *  @param count  number of changes */
VP_API const vp_automaton_change *vp_automaton_changes(const vp_automaton *automaton, uint32_t *count);

/* ---- into a world ---- */

/** Material of types that are not written: see vp_automaton_material_map. */
#define VP_LAY_NOTHING 256u

/** Position and materials of an automaton in a world. */
typedef struct vp_automaton_material_map {
    vp_ivec3 low;           /**< Voxel of cell 0. */
    uint16_t material[128]; /**< Material of each type. VP_LAY_NOTHING = not written. */
} vp_automaton_material_map;

/** Returns a laying of the built-in species at the origin. Empty cells are air, ground is not written, and a species has the material
 *  first + type - VP_AUTOMATON_BEETLE. */
VP_API vp_automaton_material_map vp_automaton_material_map_builtin(uint8_t first);

/** Returns the changes of the last computed step as an edit for vp_world_set_voxels or vp_terrain_set_voxels. Leaves out changes of the
 *  living bit alone. Voxels are full (occupancy 255), air has occupancy 0. Details: docs/CONTRACT.md, AUT-5. Cost: O(changes).
 *  @param at, voxel  [number of changes]
 *  @param count      number of voxels
 *  @return VP_E_ARGUMENT for a material above VP_LAY_NOTHING and for a position beyond the range of int32_t */
VP_API vp_status vp_automaton_list_edits(const vp_automaton *automaton, const vp_automaton_material_map *laying, vp_ivec3 *at,
                                         vp_voxel *voxel, size_t *count, vp_error *error);

/** Writes all cells into a world. Cost: O(cells).
 *  @param stale  see vp_world_set_voxel
 *  @return errors of vp_automaton_list_edits, and VP_E_ARGUMENT for a cell outside the world or a set of another size. Then nothing is
 * changed
 */
VP_API vp_status vp_automaton_write_world(const vp_automaton *automaton, const vp_automaton_material_map *laying, vp_world *world,
                                          vp_chunk_set *stale, vp_error *error);

/* ---- states ---- */

/** Encodes the state: size, seed, step, species and all cells with their memory (docs/FORMATS.md). Equal states give equal bytes.
 *  Cost: O(cells).
 *  @param allocator  NULL = malloc and free
 *  @return VP_E_ARGUMENT while a step is under way. VP_E_MEMORY */
VP_API vp_status vp_automaton_encode(const vp_automaton *automaton, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Decodes a state. It continues like the encoded one. Checks everything before it allocates.
 *  @param def  species, form and allocator. Size and seed come from the state
 *  @return VP_E_FORMAT for damaged bytes (the message names the byte) and for a species that `def` lacks with equal name, type, strength
 *          and revision. Errors of vp_automaton_create */
VP_API vp_status vp_automaton_decode(const void *bytes, size_t size, const vp_automaton_def *def, vp_automaton **out, vp_error *error);

/* ---- step records ---- */

/** Recording of an automaton (record.h). */
typedef struct vp_automaton_recording {
    const vp_recorder *to;     /**< Recorder. */
    uint32_t cells;            /**< Layer "cells": voxels with types, named after the species, without living bits. */
    uint32_t figures;          /**< Layer "figures": living cells, changed cells, rule calls and lost outputs of each step. */
    uint32_t state;            /**< Layer "state": text with step and digest. */
    vp_automaton_stats before; /**< Statistics at the last frame. */
} vp_automaton_recording;

/** Declares the layers and records the current state as a frame. Cells without an empty neighbour are invisible, so they are recorded when
 *  a neighbour becomes empty. Cost: O(cells).
 *  @param to  kept by *out
 *  @return VP_E_ARGUMENT while a step is under way, and errors of the recorder's `frame` */
VP_API vp_status vp_automaton_record_begin(const vp_automaton *automaton, const vp_recorder *to, vp_automaton_recording *out,
                                           vp_error *error);

/** Records the last applied step as a frame. Call it before the next step begins. Cost: O(changes).
 *  @return errors of vp_automaton_record_begin */
VP_API vp_status vp_automaton_record_step(const vp_automaton *automaton, vp_automaton_recording *recording, vp_error *error);

/* ---- count rules ---- */

/** Checks a job and computes a step of a count rule.
 *  @param kernels  NULL = vp_kernels_default()
 *  @return VP_E_ARGUMENT for a size of 0 or above VP_AUTOMATON_MAX_CELLS, too many species, a bit above 26, or `out` equal to `cell`.
 *          Errors of vp_kernels_default */
VP_API vp_status vp_count_rule_step(const vp_count_job *job, const vp_kernels *kernels, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
