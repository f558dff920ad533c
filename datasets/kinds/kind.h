/* SPDX-License-Identifier: MIT */
/* A kind of data is a table of functions. A set of it is opened by name from a store, which opens each set
 * once, and keeps what is derived from it.
 *
 * A world is named as in the manifest ("terrain-l3"). What belongs to another set is named with its owner:
 * "terrain-l3/boxes-small", "chunks/coherent". One count of a family of points is "ball/1000". "fuzz-<n>" is
 * a set of every kind: small and hostile. */
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
struct vp_manifest;
struct vp_dataset;
struct vp_generate_progress;
typedef struct vp_kind vp_kind;
typedef struct vp_store vp_store;

/* The length of a set's name, its owner's and the slash included. */
enum { VP_DATA_NAME_BYTES = 96 };

/* An opened set. */
typedef struct vp_data {
    const vp_kind *kind;
    char name[VP_DATA_NAME_BYTES];
    const void *set;             /* vp_world, vp_box_set, ...: see the list of kinds below */
    const struct vp_data *owner; /* NULL: it stands alone */
    vp_store *store;             /* that it is of, for what is made from several sets */
    bool checked;                /* it and its owner have the hashes that the manifest gives; false also where there are none
                                  */
    struct vp_derived **derived; /* behind a pointer: derivations are added to sets that are const */
} vp_data;

/* The i-th cell of a box, or chunk, in the order of memory: x, then z, then y. */
static inline vp_ivec3 vp_nth_cell(vp_ivec3 low, vp_dims size, size_t i)
{
    const vp_ivec3 at = {low.x + (int32_t)(i % size.x), low.y + (int32_t)(i / size.x / size.z), low.z + (int32_t)(i / size.x % size.z)};
    return at;
}

/* The reference, by which sets and what is derived from them are made. */
static inline vp_kernels vp_scalar_kernels(void)
{
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    return scalar;
}

/* ---- kinds ---- */

/* What a set is made from. */
typedef struct vp_making {
    const vp_kind *kind;
    const char *name;                 /* in full: "ball/1000" */
    const struct vp_dataset *dataset; /* the manifest's entry: seed, size, count; NULL of "fuzz-<n>" */
    const void *params;               /* the generator's structure; NULL likewise */
    uint64_t seed;                    /* the manifest's; of "fuzz-<n>" one for each n and seed of the store */
    const vp_data *owner;             /* NULL: the kind has none */
    vp_store *store;
    const struct vp_generate_progress *progress; /* NULL: nobody is told */
} vp_making;

/* A parameter of a generator: a float at an offset of its structure. */
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
    bool (*has)(const char *name); /* whether a name is one of its, where it has many; NULL: it has one */
    const vp_param *param;         /* ends with a NULL name; NULL: the manifest's params are for the reader */
    vp_status (*make)(const vp_making *from, void **set, vp_error *error);
    /* What the limits can't say. @return the parameter that is wrong, and what it must be; NULL: all is well.
     * May be NULL */
    const char *(*check)(const void *params, const char **must);
    bool file; /* it reads the file that the manifest names */
} vp_generator;

struct vp_kind {
    const char *name, *words;               /* as in the manifest: "mesh-boxes"; "boxes of meshes" */
    size_t bytes;                           /* of a set's structure: *set is there, all zero, for whoever makes or thins one, and
                                               is dropped if that fails; 0: who makes one sets *set */
    const char *one, *alone;                /* of a kind that stands alone: "set of meshes"; a sentence about what belongs to it */
    const vp_kind *owner;                   /* NULL: sets stand alone */
    const char *const *member;              /* what the manifest says of each besides name, kind, description, generator,
                                               licence and seed; ends with NULL */
    bool world_by_choice;                   /* only some name the "world" that they are made from */
    const vp_generator *generator;          /* ends with a NULL name */
    uint32_t (*count_of)(const char *text); /* "1000" -> 1000 where "ball/1000" is a set too, 0 for other
                                               texts; NULL: there are no such */
    /* A set of "fuzz-<n>". NULL: there is none of this kind */
    vp_status (*fuzz)(const vp_making *from, void **set, vp_error *error);
    uint64_t (*count)(const void *set); /* of boxes, rays, meshes, ...; of a world's voxels */
    /* A copy of at most so many, evenly spread. NULL: sets can't be thinned */
    vp_status (*part)(const void *set, uint32_t most, void **out, vp_error *error);
    uint64_t (*hash)(const void *set);                   /* XXH3-64 of the decoded content, little-endian */
    void (*lines)(const void *set, struct vp_text *out); /* JSON lines; NULL: it has a file format of its own */
    /* What it is made of, for people. NULL: nothing is counted */
    vp_status (*contents)(const vp_data *data, struct json_t **out, vp_error *error);
    void (*drop)(void *set); /* accepts NULL */
};

/* Of a structure that begins with a uint32_t, which says how many there are. */
uint64_t vp_set_count(const void *set);
/* Every how many-th is in a part of at most so many. */
static inline uint32_t vp_part_step(uint32_t count, uint32_t most)
{
    return count / most + (count % most != 0);
}
/* A kind's `drop`, of what frees all that is in a structure, which may be all zero. */
#define VP_KIND_DROP(destroy)                                                                                                              \
    static void drop(void *set)                                                                                                            \
    {                                                                                                                                      \
        if (set != NULL)                                                                                                                   \
            destroy(set);                                                                                                                  \
        free(set);                                                                                                                         \
    }

/* K(name, type of the set). Owners stand before what belongs to them. */
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
extern const vp_kind *const vp_kinds[]; /* in that order; ends with NULL */

/* NULL if there is none of that name. */
static inline const vp_kind *vp_kind_named(const char *name)
{
    const vp_kind *const *kind = vp_kinds;
    while (*kind != NULL && strcmp((*kind)->name, name) != 0)
        kind++;
    return *kind;
}

/* ---- opening ---- */

/* A store over a manifest, which must outlive it; NULL: there is "fuzz-<n>" alone. `seed` is of those. */
vp_status vp_store_create(const struct vp_manifest *manifest, uint64_t seed, vp_store **out, vp_error *error);
/* Somebody who is told how far the making of a set is: `name` is its own. NULL: nobody. */
void vp_store_watch(vp_store *store, void (*report)(void *name, uint32_t done, uint32_t total));
const struct vp_manifest *vp_store_manifest(const vp_store *store);
/* Opens a set and its owner, each once; what is opened lives as long as the store, or until it is emptied.
   @return VP_E_ARGUMENT if there is none of that name and kind, VP_E_FORMAT if its hash isn't the manifest's
 */
vp_status vp_store_open(vp_store *store, const vp_kind *kind, const char *name, const vp_data **out, vp_error *error);
/* The same of any kind: the manifest says which. Of "fuzz-<n>" it is the world. */
vp_status vp_store_open_any(vp_store *store, const char *name, const vp_data **out, vp_error *error);
/* "fuzz-12" -> 12; errno is ERANGE if it is beyond 64 bits. */
bool vp_is_fuzz(const char *name, uint64_t *number);
/* What "fuzz-<n>" is made from. */
uint64_t vp_store_fuzz_seed(const vp_store *store, const char *name);
/* Puts a set of the caller's into the store under a name that it has no set of; it must outlive what is
 * opened. */
vp_status vp_store_lend(vp_store *store, const vp_kind *kind, const char *name, const void *set, vp_error *error);
/* Closes a set, but for its content, which is the caller's to drop. Nothing that belongs to it may be open.
 */
void *vp_store_take(vp_store *store, const vp_data *data);
/* Closes all sets. */
void vp_store_empty(vp_store *store);
void vp_store_destroy(vp_store *store); /* accepts NULL */

/* ---- derived data ---- */

/* Something that is made from a set: trees, surfaces, rows. It is kept by the opened set, a variant each. */
typedef struct vp_derivation {
    const char *name;
    vp_status (*make)(const vp_data *from, uint32_t variant, void **out, vp_error *error);
    void (*drop)(void *derived);
} vp_derivation;

/* Makes it when it is first asked for. Derivations may derive others from the same set. Not for two threads
 * at once. */
vp_status vp_data_derive(const vp_data *from, const vp_derivation *what, uint32_t variant, const void **out, vp_error *error);

/* A set of the same name and owner with at most `most`, evenly spread; the set itself where it has no more,
 * or can't be thinned. */
vp_status vp_data_part(const vp_data *from, uint32_t most, const vp_data **out, vp_error *error);

#endif
