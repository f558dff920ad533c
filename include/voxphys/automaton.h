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

/** @file
 *  Voxel automaton: a grid whose living cells run rules. Grows trees, edits a terrain.
 *
 *      vp_automaton_create(&(vp_automaton_def){.size = {64, 96, 64}}, &automaton, &error);
 *      vp_automaton_plant(automaton, VP_AUTOMATON_REDWOOD, (vp_ivec3){32, 0, 32}, false, &error);
 *      vp_automaton_run(automaton, 240, NULL, &error);
 *
 *  A rule sees the 27 cells around its cell and writes any of them (AUT-1). Cell numbers are
 *  (y*size.z + z)*size.x + x. vp_automaton_apply publishes a computed step. Until then threads can read, not change.
 *  Positions outside the grid are VP_E_ARGUMENT. Details: docs/kernels/automaton.md, docs/CONTRACT.md, AUT. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_CELL_EMPTY = 0,
    VP_CELL_TYPE_MAX = 126,
    VP_CELL_OUTSIDE = 127,
    VP_CELL_LIVING = 128,
    VP_AUTOMATON_MAX_EDGE = 2048,
    VP_AUTOMATON_MAX_CELLS = 1 << 30,
    VP_SPECIES_NAME_BYTES = 32, /**< With the final zero. */
    VP_RULE_NO_LINK = -1
};

/** Memory of a living cell. */
typedef struct vp_automaton_cell_memory {
    uint16_t tick;       /**< Steps since an output of this cell took effect. */
    uint16_t generation; /**< For the rule, like `resource`. */
    uint32_t resource;
} vp_automaton_cell_memory;

/** Cell for a rule. */
typedef struct vp_automaton_cell {
    uint8_t type;                    /**< Species, VP_CELL_EMPTY or VP_CELL_OUTSIDE. */
    bool living;                     /**< Runs its rule. */
    vp_automaton_cell_memory memory; /**< 0 if dead. */
} vp_automaton_cell;

static_assert(sizeof(vp_automaton_cell_memory) == 8 && sizeof(vp_automaton_cell) == 12, "size");

/** Index of the rule's cell. */
#define VP_WINDOW_CENTRE 13

/** Input of a rule. */
typedef struct vp_automaton_window {
    vp_automaton_cell cell[27]; /**< Index (dy + 1)*9 + (dz + 1)*3 + dx + 1. */
    uint64_t seed;
    uint64_t step;
    uint32_t position; /**< Cell number. */
    uint8_t type;
    const void *parameters;
} vp_automaton_window;

/** Output of a rule. */
typedef struct vp_automaton_action {
    vp_automaton_cell out[27]; /**< Like vp_automaton_window.cell. */
    int8_t need[27];           /**< Output that must win too. */
    uint32_t written;          /**< Bit k = out[k] is written. */
} vp_automaton_action;

/** Rule of a species, called by several threads. Writes nothing for other cells. */
typedef void vp_automaton_rule_fn(const vp_automaton_window *in, vp_automaton_action *out);

/** Returns a cell's interval, ticks. */
typedef uint32_t vp_automaton_interval_fn(const vp_automaton_cell_memory *memory, const void *parameters);

/** Returns a planted seed's memory. `in` has no cells. `wait` = begins at a random time. */
typedef vp_automaton_cell_memory vp_automaton_plant_fn(const vp_automaton_window *in, bool wait);

/** Species, or dead matter. */
typedef struct vp_automaton_species {
    const char *name; /**< [a-z0-9-], not copied. */
    uint8_t type;     /**< 1 to VP_CELL_TYPE_MAX. */
    uint8_t strength;
    uint16_t revision;                 /**< Must match saved states. */
    uint32_t interval;                 /**< Ticks from a cell's last effect to the rule's next call. */
    vp_automaton_interval_fn *varying; /**< NULL = `interval`. */
    vp_automaton_rule_fn *rule;        /**< NULL = dead matter. */
    vp_automaton_plant_fn *plant;      /**< NULL = memory 0. */
    const void *parameters;            /**< Not copied. */
} vp_automaton_species;

/** Returns a random number (AUT-3). */
static inline uint32_t vp_automaton_window_random(const vp_automaton_window *in, uint32_t draw)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15), place = (VP_CAST(uint64_t, in->position) + 1) * golden;
    const uint64_t when = vp_mix64(vp_mix64(in->seed + golden) + in->step * golden);
    return VP_CAST(uint32_t, vp_mix64(when ^ place ^ (VP_CAST(uint64_t, in->type) << 32 | draw)) >> 32);
}

/** Returns one below `count`. */
static inline uint32_t vp_automaton_window_below(const vp_automaton_window *in, uint32_t draw, uint32_t count)
{
    return VP_CAST(uint32_t, VP_CAST(uint64_t, vp_automaton_window_random(in, draw)) * count >> 32);
}

/** Returns whether the cell lives and has the rule's species. */
static inline bool vp_automaton_window_mine(const vp_automaton_window *in)
{
    return in->cell[VP_WINDOW_CENTRE].living && in->cell[VP_WINDOW_CENTRE].type == in->type;
}

/** Writes an output. */
static inline void vp_automaton_action_write(vp_automaton_action *act, int place, vp_automaton_cell cell, int need)
{
    act->out[place] = cell;
    act->need[place] = VP_CAST(int8_t, need);
    act->written |= UINT32_C(1) << place;
}

/** Set of types. */
typedef struct vp_automaton_type_set {
    uint64_t bits[2]; /**< Bit t % 64 of word t / 64. */
} vp_automaton_type_set;

/** Returns whether a set has a type. */
static inline bool vp_automaton_type_set_has(vp_automaton_type_set set, uint8_t type)
{
    return (set.bits[type >> 6] >> (type & 63) & 1u) != 0;
}

/** Random walker. */
VP_API vp_automaton_rule_fn vp_automaton_rule_beetle;

/** Parameters of vp_automaton_rule_leaf. */
typedef struct vp_automaton_leaf_params {
    uint16_t end;    /**< Highest generation. */
    uint16_t radius; /**< Approximate, of a planted sphere. */
} vp_automaton_leaf_params;

/** Sphere of leaves. */
VP_API vp_automaton_rule_fn vp_automaton_rule_leaf;
/** Seed of a sphere of leaves. */
VP_API vp_automaton_plant_fn vp_automaton_plant_leaf;

/** Trunk, branches, their branches. */
#define VP_TREE_LEVELS 4

/** Trees. Lengths up to 511, widths in 1/8 cell. Pairs are from <= to. */
typedef struct vp_automaton_tree_params {
    uint8_t leaf;
    uint16_t leaf_end;          /**< As for leaves. */
    vp_automaton_type_set soft; /**< Types to grow through. */
    int16_t height[2];
    int16_t lean; /**< Sideways shift of the top. */
    uint16_t germination;
    uint16_t interval[2];           /**< Tips, then thickening, which must be slower. */
    uint16_t patience;              /**< Steps that a blocked end waits. */
    int16_t width[VP_TREE_LEVELS];  /**< At a line's end. */
    int16_t taper[VP_TREE_LEVELS];  /**< Extra width per cell from the end, 1/64 cell. */
    int16_t flare;                  /**< Extra width at a trunk's foot. */
    int16_t from[VP_TREE_LEVELS];   /**< Start of branches, percent. */
    int16_t chance[VP_TREE_LEVELS]; /**< Branches per cell, percent. */
    int16_t radius[VP_TREE_LEVELS]; /**< Leaves at line ends. */
    int16_t top;                    /**< Last level. */
    int16_t branch[2];              /**< Oak: length of the trunk's branches. */
} vp_automaton_tree_params;

/** Redwood. */
VP_API vp_automaton_rule_fn vp_automaton_rule_redwood;
/** Oak. */
VP_API vp_automaton_rule_fn vp_automaton_rule_oak;
/** Seed of a tree. */
VP_API vp_automaton_plant_fn vp_automaton_plant_tree;
/** Interval of a tree. */
VP_API vp_automaton_interval_fn vp_automaton_tree_interval;

/** Types of vp_automaton_species_builtin. */
enum {
    VP_AUTOMATON_GROUND = 1,
    VP_AUTOMATON_BEETLE,
    VP_AUTOMATON_ANT,
    VP_AUTOMATON_FIREFLY,
    VP_AUTOMATON_NEEDLE,  /**< Redwood and pine. */
    VP_AUTOMATON_LEAF,    /**< Oak. */
    VP_AUTOMATON_BLOSSOM, /**< Cherry. */
    VP_AUTOMATON_REDWOOD,
    VP_AUTOMATON_PINE,
    VP_AUTOMATON_OAK,
    VP_AUTOMATON_CHERRY,
    VP_AUTOMATON_BUILTIN_TYPES
};

/** Returns ground and ten species. */
VP_API const vp_automaton_species *vp_automaton_species_builtin(uint32_t *count);

/** Returns a named species, or NULL. */
VP_API const vp_automaton_species *vp_automaton_species_named(const vp_automaton_species *species, uint32_t count, const char *name);

/** Grid with living cells. */
typedef struct vp_automaton vp_automaton;

/** Rules that a step calls. Results are equal. */
typedef enum vp_automaton_form {
    VP_AUTOMATON_LIST, /**< Rules of living cells. */
    VP_AUTOMATON_SCAN  /**< All rules, for every cell. */
} vp_automaton_form;

/** Automaton settings. */
typedef struct vp_automaton_def {
    vp_dims size; /**< Up to VP_AUTOMATON_MAX_EDGE each and VP_AUTOMATON_MAX_CELLS. */
    uint64_t seed;
    const vp_automaton_species *species; /**< [species_count], copied except names and parameters. NULL = built-in. */
    uint32_t species_count;
    vp_automaton_form form;
    const vp_allocator *allocator;
} vp_automaton_def;

/** Creates an empty automaton.
 *  @return VP_E_ARGUMENT for repeated species */
VP_API vp_status vp_automaton_create(const vp_automaton_def *def, vp_automaton **out, vp_error *error);
/** Destroys an automaton. */
VP_API void vp_automaton_destroy(vp_automaton *automaton);

/** Returns the size. */
VP_API vp_dims vp_automaton_size(const vp_automaton *automaton);
/** Returns the species. */
VP_API const vp_automaton_species *vp_automaton_species_of(const vp_automaton *automaton, uint32_t *count);

/* Reading, not during set_cells, plant, read_world, apply and run. */

/** Returns a cell. */
VP_API vp_automaton_cell vp_automaton_cell_at(const vp_automaton *automaton, vp_ivec3 at);
/** Copies types and living bits of a box, ordered by cell number. */
VP_API vp_status vp_automaton_read(const vp_automaton *automaton, vp_ivec3 low, vp_dims size, uint8_t *out, vp_error *error);
/** Counts living cells. */
VP_API uint32_t vp_automaton_living_count(const vp_automaton *automaton);
/** Returns the i-th living cell, by number. */
VP_API vp_automaton_cell vp_automaton_living_cell(const vp_automaton *automaton, uint32_t i, vp_ivec3 *at);

/** Statistics, from `calls` to `unmet` since creation. */
typedef struct vp_automaton_stats {
    uint64_t step;
    uint64_t calls;
    uint64_t acts; /**< Effective calls. */
    uint64_t outputs;
    uint64_t lost;  /**< Outputs that lost their cell. */
    uint64_t unmet; /**< Winning outputs whose needed output lost. */
    uint32_t living;
    size_t bytes;
    size_t living_bytes; /**< For living cells and outputs. */
} vp_automaton_stats;

/** Returns statistics. */
VP_API vp_automaton_stats vp_automaton_stats_of(const vp_automaton *automaton);

/** Returns a digest of the state (AUT-4). */
VP_API uint64_t vp_automaton_digest(const vp_automaton *automaton);

/* Changes. VP_E_ARGUMENT during a step. */

/** Sets cells, in order. */
VP_API vp_status vp_automaton_set_cells(vp_automaton *automaton, const vp_ivec3 *at, const vp_automaton_cell *cell, size_t count,
                                        vp_error *error);

/** Plants a seed (vp_automaton_plant_fn).
 *  @return VP_E_ARGUMENT for a type without a rule */
VP_API vp_status vp_automaton_plant(vp_automaton *automaton, uint8_t type, vp_ivec3 at, bool wait, vp_error *error);

/** Finds the lowest y above all cells in use of a column. */
VP_API vp_status vp_automaton_find_top(const vp_automaton *automaton, int32_t x, int32_t z, int32_t *y, vp_error *error);

/** Types for a world's materials. */
typedef struct vp_automaton_ground {
    uint8_t type[256]; /**< By material. */
} vp_automaton_ground;

/** Sets every cell from the voxel at low + (x, y, z).
 *  @return VP_E_ARGUMENT for an unknown type or a box beyond int32_t */
VP_API vp_status vp_automaton_read_world(vp_automaton *automaton, const vp_world *world, vp_ivec3 low, const vp_automaton_ground *ground,
                                         vp_error *error);

/** Computes a step, or the rest of one.
 *  @return VP_E_MEMORY, another call continues
 *          VP_E_ARGUMENT for an invalid output of a rule. Only vp_automaton_cancel_step ends such a step */
VP_API vp_status vp_automaton_step(vp_automaton *automaton, const vp_executor *executor, vp_error *error);

/** Computes up to `budget` rule calls of a step. `done` = complete. Errors as vp_automaton_step. */
VP_API vp_status vp_automaton_advance(vp_automaton *automaton, uint64_t budget, const vp_executor *executor, bool *done, vp_error *error);

/** Publishes a computed step.
 *  @return VP_E_ARGUMENT if no step is complete */
VP_API vp_status vp_automaton_apply(vp_automaton *automaton, vp_error *error);

/** Drops an unpublished step. */
VP_API void vp_automaton_cancel_step(vp_automaton *automaton);

/** Computes and applies steps. Errors as vp_automaton_step. Completed steps stay. */
VP_API vp_status vp_automaton_run(vp_automaton *automaton, uint64_t steps, const vp_executor *executor, vp_error *error);

/** Change of a cell's type or living bit. */
typedef struct vp_automaton_change {
    vp_ivec3 at;
    uint8_t before; /**< Type | VP_CELL_LIVING. */
    uint8_t after;
} vp_automaton_change;

/** Returns the changes of the last computed step by cell number, until the next. */
VP_API const vp_automaton_change *vp_automaton_changes(const vp_automaton *automaton, uint32_t *count);

/** Material that is not written. */
#define VP_AUTOMATON_MAP_NOTHING 256u

/** Place and materials in a world. */
typedef struct vp_automaton_material_map {
    vp_ivec3 low;           /**< Voxel of cell 0. */
    uint16_t material[128]; /**< By type. Can be VP_AUTOMATON_MAP_NOTHING. */
} vp_automaton_material_map;

/** Returns a map at the origin, with material first + type - VP_AUTOMATON_BEETLE. Ground has none. */
VP_API vp_automaton_material_map vp_automaton_material_map_builtin(uint8_t first);

/** Returns the changes of the last computed step as an edit for vp_terrain_set_voxels (AUT-5). Arrays have room for all changes.
 *  @return VP_E_ARGUMENT for an invalid material or a position beyond int32_t */
VP_API vp_status vp_automaton_list_edits(const vp_automaton *automaton, const vp_automaton_material_map *map, vp_ivec3 *at, vp_voxel *voxel,
                                         size_t *count, vp_error *error);

/** Writes all cells into a world. Errors of vp_automaton_list_edits, VP_E_ARGUMENT outside the world. */
VP_API vp_status vp_automaton_write_world(const vp_automaton *automaton, const vp_automaton_material_map *map, vp_world *world,
                                          vp_chunk_set *stale, vp_error *error);

/** Encodes the state (docs/FORMATS.md).
 *  @return VP_E_ARGUMENT during a step */
VP_API vp_status vp_automaton_encode(const vp_automaton *automaton, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Decodes a state, with the species, form and allocator of `def`.
 *  @return VP_E_FORMAT for damaged bytes or species that `def` lacks. Errors of vp_automaton_create */
VP_API vp_status vp_automaton_decode(const void *bytes, size_t size, const vp_automaton_def *def, vp_automaton **out, vp_error *error);

/** Recording, for the library. */
typedef struct vp_automaton_recording {
    const vp_recorder *to;
    uint32_t cells;
    uint32_t figures;
    uint32_t state;
    vp_automaton_stats before;
} vp_automaton_recording;

/** Declares layers and records the visible cells. Keeps `to`.
 *  @return VP_E_ARGUMENT during a step, errors of the recorder's `frame` */
VP_API vp_status vp_automaton_record_begin(const vp_automaton *automaton, const vp_recorder *to, vp_automaton_recording *out,
                                           vp_error *error);

/** Records the last applied step, before the next begins. Errors of vp_automaton_record_begin. */
VP_API vp_status vp_automaton_record_step(const vp_automaton *automaton, vp_automaton_recording *recording, vp_error *error);

/** Computes a step of count rules (kernel/automaton.h).
 *  @return VP_E_ARGUMENT for equal arrays or planes */
VP_API vp_status vp_count_rule_step(const vp_count_job *job, const vp_kernels *kernels, const vp_executor *executor, vp_error *error);

/** Grid of count rules, for many steps. */
typedef struct vp_count_grid vp_count_grid;

/** Creates a grid with copies of `job`'s cells and rules. */
VP_API vp_status vp_count_grid_create(const vp_count_job *job, const vp_allocator *allocator, vp_count_grid **out, vp_error *error);
/** Destroys a grid. */
VP_API void vp_count_grid_destroy(vp_count_grid *grid);

/** Computes a step. */
VP_API vp_status vp_count_grid_step(vp_count_grid *grid, const vp_kernels *kernels, const vp_executor *executor, vp_error *error);

/** Copies cells like vp_automaton_read. Walls are 255. */
VP_API vp_status vp_count_grid_read(const vp_count_grid *grid, vp_ivec3 low, vp_dims size, uint8_t *out, vp_error *error);
/** Sets cells, in that order. */
VP_API vp_status vp_count_grid_write(vp_count_grid *grid, vp_ivec3 low, vp_dims size, const uint8_t *cell, vp_error *error);

/** Returns the cells that the last step or a later write changed, at first all. Bit x % 64 of word (y*size.z + z)*pitch + x / 64.
 *  Valid until the next step. */
VP_API const uint64_t *vp_count_grid_changes(const vp_count_grid *grid, size_t *pitch);

#ifdef __cplusplus
}
#endif

#endif
