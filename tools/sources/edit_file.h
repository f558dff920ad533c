/* SPDX-License-Identifier: MIT */
/* Edits of a world as text: in words, or as JSON lines from `voxphys dataset make WORLD/EDITS`. docs/FORMATS.md describes both. */
#ifndef VP_TOOLS_SOURCES_EDIT_FILE_H
#define VP_TOOLS_SOURCES_EDIT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/status.h>

#include "datasets/datasets.h"

enum { VP_MAX_EDITS = 1 << 24 }; /* edits of a list */

/* Begins as all zero bytes. */
typedef struct vp_edit_list {
    bool of_blocks; /* words end with a TYPE in place of MATERIAL [OCCUPANCY] */
    vp_edit *edit;
    uint32_t *line; /* line of each edit in its file. 0 = not from a file */
    uint32_t count;
    size_t edit_room, line_room;
} vp_edit_list;

/* Adds one edit in words. @return VP_E_FORMAT, VP_E_MEMORY */
vp_status vp_edit_list_add_text(vp_edit_list *list, const char *text, vp_error *error);
/* Adds the edits of a regular file, one a line. Empty lines are skipped, and so is the text after '#' on a line of
   words. Does not check whether edits fit a world.
   @return VP_E_FORMAT with the line's number, also for more than VP_MAX_EDITS. VP_E_IO, VP_E_MEMORY */
vp_status vp_edit_list_add_file(vp_edit_list *list, const char *path, vp_error *error);
void vp_edit_list_destroy(vp_edit_list *list);

#endif
