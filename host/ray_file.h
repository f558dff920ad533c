/* SPDX-License-Identifier: MIT */
/* Reading files of rays. */
#ifndef VP_HOST_RAY_FILE_H
#define VP_HOST_RAY_FILE_H

#include <stdint.h>

#include <voxphys/kd_data.h>
#include <voxphys/status.h>

typedef struct vp_ray_list {
    uint32_t count;
    vp_ray *ray;
    uint32_t *line; /* of the file, of each ray; NULL if they come from elsewhere */
} vp_ray_list;

/* Reads rays from a regular file, one a line. A line is either plain numbers, origin, direction and if one likes t_max, with
   blanks or commas between them, or an object as `voxphys dataset make MESHES/RAYS -o FILE` writes it:
   {"mesh": 0, "origin": [x, y, z], "direction": [x, y, z], "t_max": t}, of which "mesh" and "t_max" may be left out. Without t_max a
   ray has no end. Empty lines, and what is behind a '#' on a line of plain numbers, are passed over.
   The numbers are taken as they are: whether they make a ray is not looked at.
   @return VP_E_FORMAT with the line's number and what is wrong there, VP_E_IO, VP_E_MEMORY */
vp_status vp_ray_file_read(const char *path, vp_ray_list *out, vp_error *error);

/* Frees a list; one that is all zero bytes is left alone. */
void vp_ray_list_destroy(vp_ray_list *list);

#endif
