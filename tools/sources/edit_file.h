/* SPDX-License-Identifier: MIT */
/* Edits of a world as text: in words, as people write them, and as JSON lines, as `voxphys dataset make WORLD/EDITS` does. Both
 * are described in docs/FORMATS.md. */
#ifndef VP_TOOLS_SOURCES_EDIT_FILE_H
#define VP_TOOLS_SOURCES_EDIT_FILE_H

#include <stdint.h>

#include <voxphys/status.h>

#include "datasets/datasets.h"

enum { VP_MAX_EDITS = 1 << 24 }; /* of a list */

/* Begins as all zero bytes. */
typedef struct vp_edit_list {
    vp_edit *edit;
    uint32_t *line; /* of the file that an edit is from; 0: it was added by itself */
    uint32_t count, capacity;
} vp_edit_list;

/* Adds one edit in words. @return VP_E_FORMAT with what is wrong, VP_E_MEMORY */
vp_status vp_edit_list_add_text(vp_edit_list *list, const char *text, vp_error *error);
/* Adds those of a regular file, one a line. Empty lines are passed over, and so is what is behind a '#' on a line of words. Whether edits
   fit a world is not looked at. @return VP_E_FORMAT with the line's number, also of more than VP_MAX_EDITS, VP_E_IO, VP_E_MEMORY */
vp_status vp_edit_list_add_file(vp_edit_list *list, const char *path, vp_error *error);
void vp_edit_list_destroy(vp_edit_list *list);

#endif
