/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys grow`, which are species from a file, seeds, and the world to grow in. */
#ifndef VP_TOOLS_GROW_GROW_H
#define VP_TOOLS_GROW_GROW_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/automaton.h>

#include "host/program.h"
#include "tools/sources/world_source.h"

/* ---- species ---- */

enum {
    VP_SPEC_SPECIES = 64,
    VP_SPEC_PLANTINGS = 65536,
    VP_SPEC_MIXED = 16,
    VP_GROW_SPECIES = VP_AUTOMATON_BUILTIN_TYPES - 1 + VP_SPEC_SPECIES
};

/* A species from a file: a built-in species with other numbers. */
typedef struct vp_spec_species {
    char name[VP_SPECIES_NAME_BYTES];
    const vp_automaton_species *like;
    vp_automaton_species species;
    vp_automaton_leaf_params leaf; /* its parameters, one member per rule */
    vp_automaton_tree_params tree;
} vp_spec_species;

/* Seeds to plant: one at a place, or one in each `every` x `every` columns. Each seed is of one of some species. */
typedef struct vp_planting {
    uint8_t type[VP_SPEC_MIXED];
    uint32_t types, every; /* every: 0 = one seed at a place */
    vp_ivec3 at;           /* y < 0 = on the ground */
    bool wait;
} vp_planting;

/* A file of species and plantings (docs/FORMATS.md), or the built-in species alone. */
typedef struct vp_spec {
    vp_dims size;
    uint32_t ground; /* layers */
    uint64_t seed;
    vp_automaton_species species[VP_GROW_SPECIES];
    uint32_t species_count;
    vp_spec_species own[VP_SPEC_SPECIES];
    uint32_t own_count;
    vp_planting *planting;
    size_t planting_count;
} vp_spec;

/* Sets a spec of the built-in species alone. */
void vp_spec_builtin(vp_spec *out);
/* Reads a file. Free it with vp_spec_drop, also after a failure. Species point to parameters in *out, so it must not
   move.
   @return VP_E_FORMAT with the file's name and the value */
vp_status vp_spec_read(const char *path, vp_spec *out, vp_error *error);
void vp_spec_drop(vp_spec *spec);

/* "redwood,oak". @return VP_E_ARGUMENT with the name */
vp_status vp_species_list(const vp_spec *spec, const char *text, vp_planting *out, vp_error *error);

/* A species' name among a world's materials: "grown:oak", "grown:oak:my-oak". */
typedef struct vp_material_name {
    char text[48];
} vp_material_name;
vp_material_name vp_grown_name(const vp_spec *spec, uint8_t type);

/* ---- seeds ---- */

typedef struct vp_seed {
    vp_ivec3 at;
    uint8_t type;
    bool wait;
} vp_seed;

typedef struct vp_seeds {
    vp_seed *seed;
    size_t count;
    uint32_t bare, flooded; /* chosen columns without ground, and with water on it */
    int32_t highest;        /* highest seed, -1 = none */
} vp_seeds;

/* Makes all seeds of plantings in a world of this many columns. The height of the cells is not known yet, so places
   above it are refused later.
   @return VP_E_ARGUMENT for a place without a column or without ground */
vp_status vp_seeds_make(const vp_world *world, vp_dims columns, const vp_planting *planting, size_t count, uint64_t seed, vp_seeds *out,
                        vp_error *error);
void vp_seeds_drop(vp_seeds *seeds);

/* ---- the world ---- */

/* The world to grow in, with the cells' size rounded up to whole chunks. */
typedef struct vp_plot {
    vp_world *world;
    vp_blob note; /* note of the original world */
    vp_automaton_material_map laying;
} vp_plot;

/* Chooses a material for each species that may be written: the one with its name in the world, otherwise an unused
   number.
   @return VP_E_ARGUMENT if there are too few */
vp_status vp_plot_materials(vp_plot *plot, const vp_spec *spec, vp_error *error);

/* The world's note, with a line added for each material that it does not name yet. Free it. */
vp_status vp_plot_note(const vp_plot *plot, const vp_spec *spec, const char *source, char **out, vp_error *error);

#endif
