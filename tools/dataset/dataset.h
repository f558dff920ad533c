/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys dataset` share. */
#ifndef VP_TOOLS_DATASET_DATASET_H
#define VP_TOOLS_DATASET_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/status.h>
#include <voxphys/world.h>

#include "datasets/datasets.h"
#include "datasets/mesh_sets.h"

struct json_t;

/* voxphys dataset make */
int vp_dataset_make(int argc, char **argv);

/* voxphys dataset import */
int vp_dataset_import(int argc, char **argv);

/* Whether two names lead to one file, through links too; false where either leads to none. What is read must not be
   written over. */
bool vp_same_file(const char *a, const char *b);

/* A path may not be what is read for a set: the manifest, or the file that the set or its world comes from. */
vp_status vp_dataset_check_out(const vp_manifest *manifest, const char *name, const char *path, vp_error *error);

/* As vp_command_fail, but data that is not what the manifest says is a failed check. */
int vp_dataset_fail(const char *command, const vp_error *error);

/* Refuses "WORLD/SET" where SET is a world or meshes. @return the exit code */
int vp_dataset_refuse_alone(const char *command, const char *name, vp_dataset_kind kind);

/* A world of the manifest, with a progress bar. */
vp_status vp_dataset_make_world(const vp_manifest *manifest, const char *name, vp_world **out, vp_error *error);

/* Meshes of the manifest, with a progress bar. */
vp_status vp_dataset_make_meshes(const vp_manifest *manifest, const char *name, vp_mesh_set *out, vp_error *error);

/* Makes meshes, or a set of rays or boxes of meshes, and writes it to a file, or "-", as JSON lines. */
vp_status vp_dataset_make_mesh_lines(const vp_manifest *manifest, const char *name, vp_dataset_kind kind,
                                     const char *path, uint64_t *hash, vp_error *error);

/* Counts what meshes are made of, or how a set of rays or boxes is spread over them. */
vp_status vp_dataset_count_meshes(const vp_manifest *manifest, const char *name, vp_dataset_kind kind,
                                  struct json_t **out, vp_error *error);

/* The family of "FAMILY" or "FAMILY/COUNT"; NULL if there is none. */
const vp_dataset *vp_dataset_points_of(const vp_manifest *manifest, const char *name);

/* Makes sets of points and writes them to a file, or "-": as JSON lines, a set a line, or one set as a .points file, if the file's name
   ends so. */
vp_status vp_dataset_make_points(const vp_manifest *manifest, const char *name, const char *path, uint64_t *hash, vp_error *error);

/* Counts sets and points. */
vp_status vp_dataset_count_points(const vp_manifest *manifest, const char *name, struct json_t **out, vp_error *error);

/* Puts text into a file as a whole, or on standard output for "-". */
vp_status vp_dataset_put_text(const char *path, const char *text, size_t size, vp_error *error);

/* A hash as a text of 16 digits. */
struct json_t *vp_dataset_hash_json(uint64_t hash);

#endif
