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
 *  The voxel automaton (second article, "About the automaton behind Voxel Seeds" and "Example Rule: The Redwood Tree"): a grid in which
 *  some cells live. A living cell runs the rule of its species: it sees the 27 cells around it, and writes as many of them as it likes.
 *
 *  **A step.** All rules see the grid as it was before the step. Of several outputs to one cell the one of the strongest species
 *  wins, the species being the writer's, not that of what it writes; of equally strong ones that of the writer with the lowest number.
 *  An output may name another one of its own act that must win too: it takes effect only if each output on the way along these links
 *  has won its cell. What lost to an output that then has no effect stays lost. A cell that no output takes effect on keeps what it has;
 *  if it lives, its tick is 0 if any output of its own took effect, else one more than before (65535 stays).
 *
 *  **Two phases.** vp_automaton_step computes a step, vp_automaton_apply publishes it. Until then everybody reads the grid
 *  as it was: any number of threads, beside the one that computes. vp_automaton_advance computes within a budget of rule calls, as often
 *  as it takes; how it is cut changes no result. While a step is under way, what would change the grid is refused.
 *
 *  **Determinism.** Random numbers are a hash of seed, step, cell, species and draw. Nothing depends on the form, on threads, on budgets,
 * or on the order in which cells were planted.
 *
 *  **Numbers of cells**: (y*size.z + z)*size.x + x, y upwards. Around the grid there is one layer of cells of type VP_CELL_OUTSIDE. */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cells ---- */

enum {
    VP_CELL_EMPTY = 0,                /**< Type of nothing. */
    VP_CELL_TYPE_MAX = 126,           /**< The highest type of a species. */
    VP_CELL_OUTSIDE = 127,            /**< Type of what is around the grid. */
    VP_CELL_LIVING = 128,             /**< Bit of a byte that holds type and living bit. */
    VP_AUTOMATON_MAX_EDGE = 2048,     /**< Of a grid, in cells. */
    VP_AUTOMATON_MAX_CELLS = 1 << 30, /**< Of a grid. */
    VP_SPECIES_NAME_BYTES = 32,       /**< Of a name, the terminating zero included. */
    VP_RULE_NO_LINK = -1              /**< An output that needs no other. */
};

/** What a living cell remembers. */
typedef struct vp_cell_memory {
    uint16_t tick;       /**< Steps since an output of its own took effect. */
    uint16_t generation; /**< The rule's affair. */
    uint32_t resource;   /**< The same: e.g. a packed relative position. */
} vp_cell_memory;

/** A cell. */
typedef struct vp_cell {
    uint8_t type;          /**< VP_CELL_EMPTY, a species, VP_CELL_OUTSIDE. */
    bool living;           /**< It runs its species' rule. What is dead stays in the grid. */
    vp_cell_memory memory; /**< All 0 of what does not live. */
} vp_cell;

static_assert(sizeof(vp_cell_memory) == 8 && sizeof(vp_cell) == 12, "as documented");

/* ---- rules ---- */

/** The cell that a rule is called for, among 27. */
#define VP_WINDOW_CENTRE 13

/** What a rule sees. */
typedef struct vp_window {
    vp_cell cell[27];       /**< (dy + 1)*9 + (dz + 1)*3 + dx + 1: the cell itself is VP_WINDOW_CENTRE. */
    uint64_t seed;          /**< Of the automaton. */
    uint64_t step;          /**< Number of the step. */
    uint32_t position;      /**< Number of the cell. */
    uint8_t type;           /**< The species whose rule is called. */
    const void *parameters; /**< The species'. */
} vp_window;

/** What a rule does. */
typedef struct vp_act {
    vp_cell out[27];  /**< In the same places. */
    int8_t need[27];  /**< Another output of this act that must win too; VP_RULE_NO_LINK. */
    uint32_t written; /**< Bit k: out[k] is written; else it is "don't care". 0 when the rule is called. */
} vp_act;

/** A rule: reads `in`, writes `out`, and nothing else; it may be called from several threads at once, and for
 *  cells that are not of its species or do not live: then, whatever it writes, it does nothing. */
typedef void vp_rule_fn(const vp_window *in, vp_act *out);

/** After how many ticks a rule is called: if the interval depends on what the cell remembers. */
typedef uint32_t vp_interval_fn(const vp_cell_memory *memory, const void *parameters);

/** What a species' seed remembers. `in` has seed, step, position, type and parameters, and no cells.
 *  @param wait  its tick may be set so that it begins at a time of its own */
typedef vp_cell_memory vp_plant_fn(const vp_window *in, bool wait);

/** A species, or dead matter. */
typedef struct vp_species {
    const char *name;        /**< Lower-case letters, digits and hyphens, below VP_SPECIES_NAME_BYTES; kept, not copied. */
    uint8_t type;            /**< 1 to VP_CELL_TYPE_MAX. */
    uint8_t strength;        /**< Who wins a cell. */
    uint16_t revision;       /**< Of rule and parameters: a state is read by the revisions that wrote it. */
    uint32_t interval;       /**< The rule is called when the tick is at least this. */
    vp_interval_fn *varying; /**< NULL: `interval` holds. */
    vp_rule_fn *rule;        /**< NULL: dead matter, none of which lives. */
    vp_plant_fn *plant;      /**< NULL: a seed remembers nothing. */
    const void *parameters;  /**< Kept. */
} vp_species;

/** 64 bits, well mixed (the finalizer of SplitMix64; Steele, Lea and Flood 2014). */
static inline uint64_t vp_mix64(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/** A random number: the upper half of mix(mix(mix(seed + G) + step*G) ^ (position + 1)*G ^ (type << 32 | draw)), with G =
 *  0x9e3779b97f4a7c15. @param draw  another for each use in a rule */
static inline uint32_t vp_window_random(const vp_window *in, uint32_t draw)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15), place = (VP_CAST(uint64_t, in->position) + 1) * golden;
    const uint64_t when = vp_mix64(vp_mix64(in->seed + golden) + in->step * golden);
    return VP_CAST(uint32_t, vp_mix64(when ^ place ^ (VP_CAST(uint64_t, in->type) << 32 | draw)) >> 32);
}

/** A random number from 0 to count - 1. */
static inline uint32_t vp_window_below(const vp_window *in, uint32_t draw, uint32_t count)
{
    return VP_CAST(uint32_t, VP_CAST(uint64_t, vp_window_random(in, draw)) * count >> 32);
}

/** Whether the cell is a living one of the rule's species: nothing is done for others. */
static inline bool vp_window_mine(const vp_window *in)
{
    return in->cell[VP_WINDOW_CENTRE].living && in->cell[VP_WINDOW_CENTRE].type == in->type;
}

/** Writes an output. @param place  0 to 26 @param need  VP_RULE_NO_LINK, or the place of an output that must win too */
static inline void vp_act_write(vp_act *act, int place, vp_cell cell, int need)
{
    act->out[place] = cell;
    act->need[place] = VP_CAST(int8_t, need);
    act->written |= UINT32_C(1) << place;
}

/* ---- species that are there ---- */

/** A set of types. */
typedef struct vp_type_set {
    uint64_t bits[2]; /**< Bit t % 64 of word t / 64. */
} vp_type_set;

/** Whether a set has a type. */
static inline bool vp_type_set_has(vp_type_set set, uint8_t type)
{
    return (set.bits[type >> 6] >> (type & 63) & 1u) != 0;
}

/** A random walker: to any empty one of the 26 cells around (reference/automaton/beetle.c). Takes no parameters. */
VP_API vp_rule_fn vp_rule_beetle;

/** Parameters of vp_rule_leaf. */
typedef struct vp_leaf_params {
    uint16_t end;    /**< No leaf has a higher generation. */
    uint16_t radius; /**< Of a sphere that is planted, about: its centre's generation is end - 4*radius. */
} vp_leaf_params;

/** A sphere of leaves: a flood that ends when a random distance does (reference/automaton/leaf.c). */
VP_API vp_rule_fn vp_rule_leaf;
/** The centre of one. */
VP_API vp_plant_fn vp_plant_leaf;

/** Levels of a tree's lines: 0 the trunk, then branches of branches. */
#define VP_TREE_LEVELS 4

/** Parameters of a tree: of vp_rule_redwood and vp_rule_oak. Lengths are in cells, at most 511, from <= to; widths in eighths of one. */
typedef struct vp_tree_params {
    uint8_t leaf;                   /**< Type of its leaves. */
    uint16_t leaf_end;              /**< Their vp_leaf_params.end. */
    vp_type_set soft;               /**< Types that wood grows through: nothing, and leaves. */
    int16_t height[2];              /**< Of the trunk, from and to. */
    int16_t lean;                   /**< How far its top is aside on each axis at most. */
    uint16_t germination;           /**< Interval of a seed. */
    uint16_t interval[2];           /**< Of the voxels at the ends of lines, and of raw wood: it must be the slower. */
    uint16_t patience;              /**< How long the end of a line waits when its way is blocked. */
    int16_t width[VP_TREE_LEVELS];  /**< Of a line at its end. */
    int16_t taper[VP_TREE_LEVELS];  /**< What is added a cell of distance to its end, in 1/64 of a cell. */
    int16_t flare;                  /**< What is added at the foot. */
    int16_t from[VP_TREE_LEVELS];   /**< Branches begin at so many percent of a line. */
    int16_t chance[VP_TREE_LEVELS]; /**< In percent, a cell of a line. */
    int16_t radius[VP_TREE_LEVELS]; /**< Of leaves at a line's end. */
    int16_t top;                    /**< The last level, below VP_TREE_LEVELS. */
    int16_t branch[2];              /**< Oak: length of a trunk's branches, from and to. */
} vp_tree_params;

/** The redwood: a trunk up to a target, whorls of branches, needles (reference/automaton/redwood.c). */
VP_API vp_rule_fn vp_rule_redwood;
/** The oak, built from the redwood's parts (reference/automaton/oak.c). */
VP_API vp_rule_fn vp_rule_oak;
/** Of redwood and oak: the seed of a trunk. */
VP_API vp_plant_fn vp_plant_tree;
/** Of redwood and oak. */
VP_API vp_interval_fn vp_tree_interval;

/** Types of vp_species_builtin. Those from VP_BEETLE on live. */
enum {
    VP_GROUND = 1,
    VP_BEETLE,  /**< Flies every step. */
    VP_ANT,     /**< The same every third. */
    VP_FIREFLY, /**< The same every seventh. */
    VP_NEEDLE,  /**< Leaf of redwood and pine. */
    VP_LEAF,    /**< Leaf of the oak. */
    VP_BLOSSOM, /**< Leaf of the cherry. */
    VP_REDWOOD,
    VP_PINE, /**< A small redwood. */
    VP_OAK,
    VP_CHERRY, /**< A small oak. */
    VP_BUILTIN_TYPES
};

/** Ground, and ten species. @param count  how many */
VP_API const vp_species *vp_species_builtin(uint32_t *count);

/** The one of a table that has this name; NULL. */
VP_API const vp_species *vp_species_named(const vp_species *species, uint32_t count, const char *name);

/* ---- automata ---- */

/** Grid, living cells and their rules. */
typedef struct vp_automaton vp_automaton;

/** Which rules are called. The result is the same. */
typedef enum vp_automaton_form {
    VP_AUTOMATON_LIST, /**< Of each living voxel, its own: one call a living voxel. */
    VP_AUTOMATON_SCAN  /**< Of each cell, every species': cells x species calls. */
} vp_automaton_form;

/** What an automaton is made from. */
typedef struct vp_automaton_def {
    vp_dims size;                  /**< Any, up to VP_AUTOMATON_MAX_EDGE an axis and VP_AUTOMATON_MAX_CELLS. */
    uint64_t seed;                 /**< Of all random numbers. */
    const vp_species *species;     /**< Copied, but for names and parameters. NULL: vp_species_builtin. */
    uint32_t species_count;        /**< Of them. */
    vp_automaton_form form;        /**< Which rules are called. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_automaton_def;

/** Makes an empty automaton: 5 bytes a cell. O(cells).
 *  @return VP_E_ARGUMENT for a size or a form that there is not, a species without a sound name, with a type that is not 1 to
 *          VP_CELL_TYPE_MAX, or with a name or type that another has: the message names it; VP_E_MEMORY. */
VP_API vp_status vp_automaton_create(const vp_automaton_def *def, vp_automaton **out, vp_error *error);
/** Frees an automaton; NULL is left alone. */
VP_API void vp_automaton_destroy(vp_automaton *automaton);

/** Extents. */
VP_API vp_dims vp_automaton_size(const vp_automaton *automaton);
/** Its species. @param count  how many */
VP_API const vp_species *vp_automaton_species(const vp_automaton *automaton, uint32_t *count);

/* ---- reading: by any number of threads, but not while something is put, planted or applied ---- */

/** A cell; VP_CELL_OUTSIDE beyond the grid. O(1). */
VP_API vp_cell vp_automaton_cell(const vp_automaton *automaton, vp_ivec3 at);
/** A box of cells in rows: element (y*size.z + z)*size.x + x is the type of low + (x, y, z), and VP_CELL_LIVING if it lives.
 *  @param out  size.x * size.y * size.z bytes
 *  @return VP_E_ARGUMENT for a box that is not inside the grid. */
VP_API vp_status vp_automaton_read(const vp_automaton *automaton, vp_ivec3 low, vp_dims size, uint8_t *out, vp_error *error);
/** How many cells live. */
VP_API uint32_t vp_automaton_living(const vp_automaton *automaton);
/** The i-th living cell by number; i must be below vp_automaton_living. @param at  where it is. O(1). */
VP_API vp_cell vp_automaton_living_cell(const vp_automaton *automaton, uint32_t i, vp_ivec3 *at);

/** What an automaton has done and is. */
typedef struct vp_automaton_stats {
    uint64_t step;       /**< Steps that were applied. */
    uint64_t calls;      /**< Rule calls, those of voxels that wait included. */
    uint64_t acts;       /**< Rules that wrote something. */
    uint64_t outputs;    /**< What they wrote. */
    uint64_t lost;       /**< Outputs that lost their cell. */
    uint64_t unmet;      /**< Outputs that won it, and had no effect for a link. */
    uint32_t living;     /**< Living cells. */
    size_t bytes;        /**< All memory. */
    size_t living_bytes; /**< Of it, what is not a byte and a number a cell, nor the windows of rules that run at once: it grows with
                              what lives and acts. */
} vp_automaton_stats;

/** Tells them; `calls` to `unmet` are of steps since it was created. O(1). */
VP_API vp_automaton_stats vp_automaton_stats_of(const vp_automaton *automaton);

/** A digest of seed, step, and all cells with what they remember: mix(S + mix(seed) + step*G), with S the sum over all
 *  cells that are not empty of mix(mix((number + 1) << 8 | type | VP_CELL_LIVING if it lives) + m), m being resource << 32 |
 *  generation << 16 | tick, and mix and G as in vp_window_random. O(1). */
VP_API uint64_t vp_automaton_digest(const vp_automaton *automaton);

/* ---- planting: VP_E_ARGUMENT while a step is under way ---- */

/** Sets cells, living or not; of several at one place the last counts. O(count + living log living). Nothing is done if it fails.
 *  @return VP_E_ARGUMENT for a place outside the grid, a type that no species has, life in what has no rule, or memory in what does not
 *          live: the message names it; VP_E_MEMORY. */
VP_API vp_status vp_automaton_put(vp_automaton *automaton, const vp_ivec3 *at, const vp_cell *cell, size_t count, vp_error *error);

/** Plants a seed of a species. As costly as vp_automaton_put: who plants thousands puts them at once.
 *  @param wait  as vp_plant_fn has it
 *  @return as vp_automaton_put; VP_E_ARGUMENT for a type without a rule. */
VP_API vp_status vp_automaton_plant(vp_automaton *automaton, uint8_t type, vp_ivec3 at, bool wait, vp_error *error);

/** The lowest y above all cells of a column that are not empty; size.y if it is full to the top, 0 if it is empty. O(size.y).
 *  @return VP_E_ARGUMENT for a column outside the grid. */
VP_API vp_status vp_automaton_top(const vp_automaton *automaton, int32_t x, int32_t z, int32_t *y, vp_error *error);

/** A table that takes a world's materials to types; all are dead. */
typedef struct vp_automaton_ground {
    uint8_t type[256]; /**< Of each material. */
} vp_automaton_ground;

/** Sets every cell to what a world has at low + (x, y, z): air outside. O(cells).
 *  @return VP_E_ARGUMENT for a type that no species has, and for a box that ends beyond what 32 bits say. */
VP_API vp_status vp_automaton_put_world(vp_automaton *automaton, const vp_world *world, vp_ivec3 low, const vp_automaton_ground *ground,
                                        vp_error *error);

/* ---- steps ---- */

/** Computes what is left of a step: 0 calls if all of it was. The grid stays as it is. O(calls + outputs).
 *  @param executor  who calls rules; NULL: the calling thread
 *  @return VP_E_MEMORY: what is under way goes on where it was when it is called again. VP_E_ARGUMENT for a rule that writes what there is
 *          not (a type, life without a rule, memory of what does not live, a link to what it does not write, a place above 26): the message
 *          names species and cell, and the step can't be finished: vp_automaton_drop. */
VP_API vp_status vp_automaton_step(vp_automaton *automaton, const vp_executor *executor, vp_error *error);

/** Computes a part of a step.
 *  @param budget  rule calls at most, but at least one cell's are made
 *  @param done    whether the step is computed now
 *  @return as vp_automaton_step */
VP_API vp_status vp_automaton_advance(vp_automaton *automaton, uint64_t budget, const vp_executor *executor, bool *done, vp_error *error);

/** Publishes a step that is computed. O(living + changes); it needs no memory.
 *  @return VP_E_ARGUMENT if none is. */
VP_API vp_status vp_automaton_apply(vp_automaton *automaton, vp_error *error);

/** Forgets a step that is under way or computed; nothing if there is none. Its calls stay counted. */
VP_API void vp_automaton_drop(vp_automaton *automaton);

/** Computes and applies steps. @return as vp_automaton_step; the steps before one that fails stay. */
VP_API vp_status vp_automaton_run(vp_automaton *automaton, uint64_t steps, const vp_executor *executor, vp_error *error);

/** A cell whose type or living bit a step changes. */
typedef struct vp_automaton_change {
    vp_ivec3 at;    /**< Where. */
    uint8_t before; /**< Type, and VP_CELL_LIVING. */
    uint8_t after;  /**< The same, and not the same as before. */
} vp_automaton_change;

/** The changes of the step that was computed last, by ascending number of the cell, each cell once; valid until the next one is
 *  begun or dropped. @param count  how many */
VP_API const vp_automaton_change *vp_automaton_changes(const vp_automaton *automaton, uint32_t *count);

/* ---- into a world ---- */

/** A type whose voxels stay what they are: see vp_automaton_laying. */
#define VP_LAY_NOTHING 256u

/** Where and as what an automaton is laid into a world. */
typedef struct vp_automaton_laying {
    vp_ivec3 low;           /**< The voxel of cell 0. */
    uint16_t material[128]; /**< Of each type; VP_LAY_NOTHING: such cells are not written. */
} vp_automaton_laying;

/** A laying at the origin of the built-in species: empty is air, ground is left, a species is laid as material `first` + its type -
 *  VP_BEETLE. */
VP_API vp_automaton_laying vp_automaton_laying_builtin(uint8_t first);

/** What vp_automaton_changes is as an edit of a world, to be given to vp_world_set_voxels or vp_terrain_set_voxels. Left out is what
 * changes no voxel: a cell that dies. A voxel is full (occupancy 255), air has occupancy 0. A world into which an automaton was laid and
 * then each step's edit is that into which the automaton is laid after the steps, if no cell becomes of a type that is VP_LAY_NOTHING.
 * O(changes).
 *  @param at, voxel  room for as many as there are changes
 *  @param count      how many there are
 *  @return VP_E_ARGUMENT for a material above VP_LAY_NOTHING, and for a place beyond what 32 bits say. */
VP_API vp_status vp_automaton_edit(const vp_automaton *automaton, const vp_automaton_laying *laying, vp_ivec3 *at, vp_voxel *voxel,
                                   size_t *count, vp_error *error);

/** Lays all cells into a world. O(cells).
 *  @param stale  as for vp_world_set_voxel
 *  @return as vp_automaton_edit; VP_E_ARGUMENT for a cell that is to be written outside of the world, and for a set of another size.
 *          Nothing is done then. */
VP_API vp_status vp_automaton_lay(const vp_automaton *automaton, const vp_automaton_laying *laying, vp_world *world, vp_chunk_set *stale,
                                  vp_error *error);

/* ---- states ---- */

/** Writes a state into memory: size, seed, step, the names, strengths and revisions of the species, and all cells with what they
 *  remember (docs/FORMATS.md). Equal states give equal bytes. O(cells).
 *  @param allocator  NULL: C's own
 *  @return VP_E_ARGUMENT while a step is under way; VP_E_MEMORY. */
VP_API vp_status vp_automaton_encode(const vp_automaton *automaton, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Reads a state from memory. It goes on as the one that was written would have. Everything is checked before memory is asked for.
 *  @param def  species, form and allocator; size and seed are the state's
 *  @return VP_E_FORMAT with a message that says what is wrong and at which byte, also for a species of the state that is not among those
 *          of `def` with its name, type, strength and revision; as vp_automaton_create. */
VP_API vp_status vp_automaton_decode(const void *bytes, size_t size, const vp_automaton_def *def, vp_automaton **out, vp_error *error);

/* ---- step records ---- */

/** An automaton that is recorded (record.h). */
typedef struct vp_automaton_recording {
    const vp_recorder *to; /**< Who listens. */
    uint32_t cells;   /**< Layer "cells", voxels: types, under the names of the species. A cell's living bit is not recorded. */
    uint32_t figures; /**< Layer "figures", scalars of each step: living cells, changed ones, rule calls, outputs that lost. */
    uint32_t state;   /**< Layer "state", a text: step and digest. */
    vp_automaton_stats before; /**< As of the last frame. */
} vp_automaton_recording;

/** Names the layers and records a frame: the automaton as it is. Cells between others of which none is empty can't be seen, and are left
 *  out until one beside them becomes empty. O(cells).
 *  @param to  kept by *out
 *  @return VP_E_ARGUMENT while a step is under way; as the recorder's `frame` */
VP_API vp_status vp_automaton_record_begin(const vp_automaton *automaton, const vp_recorder *to, vp_automaton_recording *out,
                                           vp_error *error);

/** Records a frame: the step that was applied last, before the next one is begun. O(changes).
 *  @return as vp_automaton_record_begin */
VP_API vp_status vp_automaton_record_step(const vp_automaton *automaton, vp_automaton_recording *recording, vp_error *error);

/* ---- count rules ---- */

/** Makes a step of a count rule, with what a kernel leaves unchecked.
 *  @param kernels  NULL: as vp_kernels_default says
 *  @return VP_E_ARGUMENT for a size of 0 or of more than VP_AUTOMATON_MAX_CELLS, for too many species, for a bit above 26, and if `out` is
 *          `cell`; VP_E_UNSUPPORTED as vp_kernels_default. */
VP_API vp_status vp_count_rule_step(const vp_count_job *job, const vp_kernels *kernels, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
