/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys hull` share. */
#ifndef VP_TOOLS_HULL_HULL_H
#define VP_TOOLS_HULL_HULL_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/hull.h>

#include "tools/hull/check.h"
#include "tools/hull/file.h"
#include "tools/sources/point_source.h"

struct json_t;

/* A run: what is asked for, and what was found. */
typedef struct vp_hull_run {
    const char *out; /* a file to be written, or NULL */
    bool json;
    vp_hull_format format; /* of `out`, of dimension 3 */
    bool drawing;          /* of dimension 2: an .svg; otherwise .points */
    uint32_t axis[2];      /* of --dimension 2: the coordinates that are x and y */
    vp_hull_def def;       /* of dimension 3: but for points and kernels */
    vp_kernels kernels;
    vp_point_source source;
    double seconds;
    uint64_t digest;
    vp_hull_findings findings;
    vp_hull_enclosure enclosure; /* of --contain */
} vp_hull_run;

/* The points that are read, and what vouches for them, as members of a JSON object that is begun. NULL without memory. */
struct json_t *vp_hull_json_begin(const vp_hull_run *run, vp_kernel_id kernel);

/* --dimension 2, once the points are read. @return the exit code */
int vp_hull_in_plane(vp_hull_run *run);

/* What is left to do when it is told: the reason of a hull that is not valid. @return the exit code */
int vp_hull_end(const vp_hull_run *run, int code);

/* A drawing. @return how many points are in it */
struct vp_writing;
uint32_t vp_hull_drawing(struct vp_writing *svg, const vp_vec3 *point, uint32_t count, const uint32_t axis[2], const uint32_t *corner,
                         uint32_t corners);

#endif
