/* SPDX-License-Identifier: MIT */
/* A kind of data is a table of functions. A store opens each set by name once, and keeps the data derived from it.
 *
 * A world has the name of the manifest ("terrain-l3"). The name of a set that belongs to another includes its owner:
 * "terrain-l3/boxes-small", "chunks/coherent". One count of a family of points is "ball/1000". "fuzz-<n>" is a small,
 * hostile set of every kind. */
#ifndef VP_DATASETS_KIND_H
#define VP_DATASETS_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/geometry.h>
#include <voxphys/kernels.h>
#include <voxphys/status.h>

struct json_t;
struct vp_text;
struct vp_hasher;
struct vp_manifest;
struct vp_dataset;
struct vp_generate_progress;
typedef struct vp_kind vp_kind;
typedef struct vp_store vp_store;

/* Maximum length of a set's name, including its owner's and the slash. */
enum { VP_DATA_NAME_BYTES = 96 };

/* An opened set. */
typedef struct vp_data {
    const vp_kind *kind;
    char name[VP_DATA_NAME_BYTES];
    const void *set;             /* vp_world, vp_box_set, ... (see the list of kinds below) */
    const struct vp_data *owner; /* NULL: no owner */
    vp_store *store;             /* the store that opened it, for data made from several sets */
    bool checked;                /* it and its owner have the manifest's hashes; false also without hashes */
    struct vp_derived **derived; /* indirect, because derivations are added to const sets */
} vp_data;

/* Returns the i-th cell of a box, or of a chunk, in memory order: x, then z, then y. */
static inline vp_ivec3 vp_nth_cell(vp_ivec3 low, vp_dims size, size_t i)
{
    const vp_ivec3 at = {low.x + (int32_t)(i % size.x), low.y + (int32_t)(i / size.x / size.z), low.z + (int32_t)(i / size.x % size.z)};
    return at;
}

/* The reference kernels, which make sets and derived data. */
static inline vp_kernels vp_scalar_kernels(void)
{
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    return scalar;
}

/* ---- kinds ---- */

/* The input of a set's maker. */
typedef struct vp_making {
    const vp_kind *kind;
    const char *name;                 /* full name: "ball/1000" */
    const struct vp_dataset *dataset; /* the manifest's entry: seed, size, count; NULL for "fuzz-<n>" */
    const void *params;               /* the generator's structure; NULL for "fuzz-<n>" */
    uint64_t seed;                    /* from the manifest; for "fuzz-<n>" derived from n and the store's seed */
    const vp_data *owner;             /* NULL: the kind has no owner */
    vp_store *store;
    const struct vp_generate_progress *progress; /* NULL: no progress reports */
} vp_making;

/* A generator's parameter, a float at an offset of its structure. */
typedef struct vp_param {
    const char *name;
    size_t offset;
    double low, high;
    bool whole; /* only whole numbers */
} vp_param;
#define VP_PARAM(type, name, low, high)                                                                                                    \
    {                                                                                                                                      \
#name, offsetof(type, name), low, high, false                                                                                      \
    }
#define VP_PARAM_WHOLE(type, name, low, high)                                                                                              \
    {                                                                                                                                      \
#name, offsetof(type, name), low, high, true                                                                                       \
    }
enum { VP_PARAMS_MAX = 16 };

typedef struct vp_generator {
    const char *name;              /* "terrain", "scattered" */
    bool (*has)(const char *name); /* whether a name is one of its many names; NULL: it has one name */
    const vp_param *param;         /* ends with a NULL name; NULL: the manifest's params are only for the reader */
    vp_status (*make)(const vp_making *from, void **set, vp_error *error);
    /* Checks conditions that limits cannot express. @return the invalid parameter and its condition, or NULL if all are
     * valid. May be NULL */
    const char *(*check)(const void *params, const char **must);
    bool file; /* true: reads the file that the manifest names */
} vp_generator;

struct vp_kind {
    const char *name, *words; /* name as in the manifest, and in words: "mesh-boxes", "boxes of meshes" */
    size_t bytes; /* size of a set's structure: makers and `part` get a zeroed *set, which is dropped on failure; 0: makers allocate *set */
    const char *one, *alone;       /* for kinds without owner: "set of meshes", and a sentence about the sets that belong to it */
    const vp_kind *owner;          /* NULL: no owner */
    const char *const *member;     /* the manifest's members besides name, kind, description, generator, licence and seed; ends with NULL */
    bool world_by_choice;          /* only some of the manifest's sets name the "world" that they are made from */
    const vp_generator *generator; /* ends with a NULL name */
    uint32_t (*count_of)(const char *text); /* returns 1000 for "1000" if "ball/1000" is a set too, 0 for other texts; NULL: no such sets */
    /* Makes a set of "fuzz-<n>". NULL: the kind has none */
    vp_status (*fuzz)(const vp_making *from, void **set, vp_error *error);
    uint64_t (*count)(const void *set); /* number of boxes, rays, meshes, ..., or of a world's voxels */
    /* Copies at most `most` items, evenly spread. NULL: sets cannot be thinned */
    vp_status (*part)(const void *set, uint32_t most, void **out, vp_error *error);
    void (*hash)(const void *set, struct vp_hasher *h);  /* adds the decoded content, little-endian */
    void (*lines)(const void *set, struct vp_text *out); /* writes JSON lines; NULL: it has its own file format */
    /* Describes the content for people. NULL: no description */
    vp_status (*contents)(const vp_data *data, struct json_t **out, vp_error *error);
    void (*drop)(void *set); /* accepts NULL */
};

/* XXH3-64 of a set's content. */
uint64_t vp_set_hash(const vp_kind *kind, const void *set);
/* Returns the count with which a structure begins, a uint32_t. */
uint64_t vp_set_count(const void *set);
/* Parses "1000" to 1000. Returns 0 if it is no whole number from `low` to `high`, which has at most 8 digits. */
uint32_t vp_count_in(const char *text, uint32_t low, uint32_t high);
/* Returns the stride between the items of a part with at most `most`. */
static inline uint32_t vp_part_step(uint32_t count, uint32_t most)
{
    return count / most + (count % most != 0);
}
/* Defines a kind's `drop`, which destroys and frees a structure that may be all zero. */
#define VP_KIND_DROP(destroy)                                                                                                              \
    static void drop(void *set)                                                                                                            \
    {                                                                                                                                      \
        if (set != NULL)                                                                                                                   \
            destroy(set);                                                                                                                  \
        free(set);                                                                                                                         \
    }

/* K(name, type of the set). Owners come before the kinds that belong to them. */
#define VP_KINDS(K)                                                                                                                        \
    K(world, vp_world)                                                                                                                     \
    K(boxes, vp_box_set)                                                                                                                   \
    K(edits, vp_edit_set)                                                                                                                  \
    K(meshes, vp_mesh_set)                                                                                                                 \
    K(rays, vp_ray_set)                                                                                                                    \
    K(mesh_boxes, vp_mesh_box_set)                                                                                                         \
    K(points, vp_point_sets)                                                                                                               \
    K(scenes, vp_scene_set)                                                                                                                \
    K(motions, vp_motion_set)                                                                                                              \
    K(gardens, vp_garden)                                                                                                                  \
    K(blocks, vp_block_set)                                                                                                                \
    K(solids, vp_solid_set)                                                                                                                \
    K(poses, vp_pose_set)
#define VP_KIND(name, type) extern const vp_kind vp_kind_##name;
VP_KINDS(VP_KIND)
extern const vp_kind *const vp_kinds[]; /* the kinds in that order; ends with NULL */

/* Returns NULL if no kind has that name. */
static inline const vp_kind *vp_kind_named(const char *name)
{
    const vp_kind *const *kind = vp_kinds;
    while (*kind != NULL && strcmp((*kind)->name, name) != 0)
        kind++;
    return *kind;
}

/* ---- opening ---- */

/* Creates a store over a manifest, which must outlive it. NULL: only "fuzz-<n>" is available, and `seed` applies to it. */
vp_status vp_store_create(const struct vp_manifest *manifest, uint64_t seed, vp_store **out, vp_error *error);
/* Sets a callback for the progress of making sets. It receives `name`. NULL: none. */
void vp_store_watch(vp_store *store, void (*report)(void *name, uint32_t done, uint32_t total));
const struct vp_manifest *vp_store_manifest(const vp_store *store);
/* Opens a set and its owner, each once. Sets live as long as the store, or until it is emptied.
 * @return VP_E_ARGUMENT if no set has that name and kind, VP_E_FORMAT if its hash differs from the manifest's */
vp_status vp_store_open(vp_store *store, const vp_kind *kind, const char *name, const vp_data **out, vp_error *error);
/* Like vp_store_open with the kind from the manifest. "fuzz-<n>" opens the world. */
vp_status vp_store_open_any(vp_store *store, const char *name, const vp_data **out, vp_error *error);
/* Parses "fuzz-12" to 12. Sets errno to ERANGE beyond 64 bits. */
bool vp_is_fuzz(const char *name, uint64_t *number);
/* Returns the seed of "fuzz-<n>". */
uint64_t vp_store_fuzz_seed(const vp_store *store, const char *name);
/* Adds a set of the caller's to the store under an unused name. The set must outlive all opened sets. */
vp_status vp_store_lend(vp_store *store, const vp_kind *kind, const char *name, const void *set, vp_error *error);
/* Closes a set and returns its content, which the caller must drop. No set that belongs to it may be open. */
void *vp_store_take(vp_store *store, const vp_data *data);
/* Closes all sets. */
void vp_store_empty(vp_store *store);
void vp_store_destroy(vp_store *store); /* accepts NULL */

/* ---- derived data ---- */

/* Data made from a set, such as trees, surfaces and rows. The opened set keeps one for each variant. */
typedef struct vp_derivation {
    const char *name;
    vp_status (*make)(const vp_data *from, uint32_t variant, void **out, vp_error *error);
    void (*drop)(void *derived);
} vp_derivation;

/* Makes the data on the first request. Derivations may derive others from the same set. Not thread-safe. */
vp_status vp_data_derive(const vp_data *from, const vp_derivation *what, uint32_t variant, const void **out, vp_error *error);

/* Opens a set of the same name and owner with at most `most` items, evenly spread. Returns the set itself if it has no
 * more, or cannot be thinned. */
vp_status vp_data_part(const vp_data *from, uint32_t most, const vp_data **out, vp_error *error);

#endif
