/* SPDX-License-Identifier: MIT */
/* Where a subcommand's world comes from. */
#ifndef VP_TOOLS_SOURCES_WORLD_SOURCE_H
#define VP_TOOLS_SOURCES_WORLD_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/world_file.h>

#include "datasets/datasets.h"

/* Whether a hash of the manifest vouches for what was read. */
typedef enum vp_content { VP_CONTENT_OF_FILE, VP_CONTENT_CHECKED, VP_CONTENT_NOT_CHECKED } vp_content;

/* Whether an argument that may also be a data set's name means a file: by a slash or by its end. */
bool vp_is_file_name(const char *name, const char *suffix);

/* Whether the manifest gives a hash of a set; that it gives none is told on stderr. */
vp_content vp_content_of(const char *command, const vp_manifest *manifest, const char *name);

/* A data set's world, or the world of a .vpw file.
   manifest  NULL, or open; receives it if it was needed; close it, also after a failure
   note      if not NULL, receives the note of the world's file, "" for a generated world
   @return what the reading says; VP_E_FORMAT with the file's name */
vp_status vp_world_open(const char *command, const char *name, vp_manifest **manifest, vp_world **out, vp_content *content, vp_blob *note,
                        vp_error *error);

/* Of a name that is no data set's and is meant as a file's: has a dot, is "-", or there is such a file. The error then says
   how names of files end, and how one that ends otherwise is read. @return the error's status */
vp_status vp_explain_name(const vp_manifest *manifest, const char *name, const char *ends, vp_error *error);

/* The note of a data set that is a file, "" for a generated world: the world is read once more for it. */
vp_status vp_world_note(const vp_manifest *manifest, const char *name, vp_blob *note, vp_error *error);

/* A copy of a world in a larger one of air: voxel v is v + shift there. */
vp_status vp_world_enlarge(const vp_world *world, vp_dims size, vp_ivec3 shift, vp_world **out, vp_error *error);

/* Whether the manifest gives a hash for a set, so that its content was checked. If not, that is told on stderr. */
bool vp_hash_checked(const char *command, const vp_manifest *manifest, const char *name);

#endif
