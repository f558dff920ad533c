/* SPDX-License-Identifier: MIT */
/* Files of rays. */
#ifndef VP_HOST_RAY_FILE_H
#define VP_HOST_RAY_FILE_H

#include <stdint.h>

#include <voxphys/kernel/kd.h>
#include <voxphys/status.h>

typedef struct vp_ray_list {
    uint32_t count;
    vp_ray *ray;
    uint32_t *line; /* line of each ray in the file. NULL = the rays have no file */
    size_t ray_room, line_room;
} vp_ray_list;

/* Reads rays from a regular file, one a line. A line has one of two forms:
   - plain numbers, separated by blanks or commas: origin, direction and optionally t_max.
   - an object as `voxphys dataset make MESHES/RAYS -o FILE` writes it: {"mesh": 0, "origin": [x, y, z], "direction":
     [x, y, z], "t_max": t}. The members "mesh" and "t_max" are optional.
   Without t_max a ray is unbounded. Empty lines are skipped, and so is the text after '#' on a line of plain numbers.
   The numbers are not checked: they may not form a valid ray.
   @return VP_E_FORMAT with the line's number, VP_E_IO, VP_E_MEMORY */
vp_status vp_ray_file_read(const char *path, vp_ray_list *out, vp_error *error);

/* Frees a list. All zero bytes = no-op. */
void vp_ray_list_destroy(vp_ray_list *list);

#endif
