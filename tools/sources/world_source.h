/* SPDX-License-Identifier: MIT */
/* Worlds that arguments of commands name. */
#ifndef VP_TOOLS_SOURCES_WORLD_SOURCE_H
#define VP_TOOLS_SOURCES_WORLD_SOURCE_H

#include <stdbool.h>

#include <voxphys/world_file.h>

#include "datasets/datasets.h"
#include "tools/sources/materials.h"

/* Whether a hash of the manifest confirms the content. */
typedef enum vp_content { VP_CONTENT_OF_FILE, VP_CONTENT_CHECKED, VP_CONTENT_NOT_CHECKED } vp_content;

/* Whether an argument that could be a data set's name is a file's. It then has a slash or ends with the suffix. */
bool vp_is_file_name(const char *name, const char *suffix);

/* Whether the manifest has a hash of a set. Prints a message on stderr if not. */
vp_content vp_content_of(const char *command, const vp_manifest *manifest, const char *name);

/* Opens a data set's world, or the world of a .vpw file.
   manifest  in, out: NULL or open. Opened if it is needed. Close it, also after a failure
   note      out, or NULL: the note of the world's file, "" for a generated world
   @return errors of reading, VP_E_FORMAT with the file's name */
vp_status vp_world_open(const char *command, const char *name, vp_manifest **manifest, vp_world **out, vp_content *content, vp_blob *note,
                        vp_error *error);

/* A world with the name by which it was opened. */
typedef struct vp_named_world {
    const char *name;
    vp_world *world;
    vp_manifest *manifest; /* NULL if it was not needed */
    vp_content content;
    vp_blob note;
    vp_looks looks;
} vp_named_world;

/* Opens a data set's world or a file's. Close it, also after a failure. `command` is for messages. */
vp_status vp_named_world_open(const char *command, const char *name, vp_named_world *out, vp_error *error);
void vp_named_world_close(vp_named_world *w);

/* Extends the error about an unknown data set if the name looks like a file's: it contains a dot, is "-", or exists.
   The message then has the ends of file names, and how to read files with other ends. @return the error's status */
vp_status vp_explain_name(const vp_manifest *manifest, const char *name, const char *ends, vp_error *error);

/* Reads the note of a data set that is a file, "" for a generated world. It reads the world again. */
vp_status vp_world_note(const vp_manifest *manifest, const char *name, vp_blob *note, vp_error *error);

/* Copies a world into one of air, which is as large or larger. Voxel v becomes v + shift. */
vp_status vp_world_enlarge(const vp_world *world, vp_dims size, vp_ivec3 shift, vp_world **out, vp_error *error);

/* Whether the manifest has a hash of a set, so that its content was checked. Prints a message on stderr if not. */
bool vp_hash_checked(const char *command, const vp_manifest *manifest, const char *name);

#endif
