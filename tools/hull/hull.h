/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys hull`. */
#ifndef VP_TOOLS_HULL_HULL_H
#define VP_TOOLS_HULL_HULL_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/hull.h>

#include "tools/hull/check.h"
#include "tools/sources/point_source.h"

struct json_t;

/* ---- files (file.c). Vertices are points of the set, bit for bit ---- */

typedef enum vp_hull_format { VP_HULL_OBJ, VP_HULL_PLY, VP_HULL_GLTF, VP_HULL_POINTS, VP_HULL_FORMATS } vp_hull_format;

/* Finds the format by the end of a file's name. False if it is none of .obj, .ply, .gltf, .points. */
bool vp_hull_format_of(const char *path, vp_hull_format *out);

/* Writes a hull of any dimension. OBJ and PLY have its faces as polygons, glTF its triangles. A segment becomes a line,
   a point a point. A .points has the vertices alone. @return VP_E_MEMORY, VP_E_IO */
vp_status vp_hull_file_write(const char *path, vp_hull_format format, const vp_vec3 *point, const vp_hull *hull, vp_error *error);

/* ---- a run ---- */

/* Options and results of a run. */
typedef struct vp_hull_run {
    const char *out; /* output file, or NULL */
    bool json;
    vp_hull_format format; /* format of `out` in dimension 3 */
    bool drawing;          /* dimension 2: .svg, otherwise .points */
    uint32_t axis[2];      /* dimension 2: the coordinates used as x and y */
    vp_hull_def def;       /* dimension 3, without points and kernels */
    vp_kernels kernels;
    vp_point_source source;
    double seconds;
    uint64_t digest;
    vp_hull_findings findings;
    vp_hull_enclosure enclosure; /* --contain */
} vp_hull_run;

/* Begins the JSON with the points read, and whether a hash confirms them. NULL if out of memory. */
struct json_t *vp_hull_json_begin(const vp_hull_run *run, vp_kernel_id kernel);

/* Runs --dimension 2, once the points are read. @return the exit code */
int vp_hull_in_plane(vp_hull_run *run);

/* Reports the reason of an invalid hull. @return the exit code */
int vp_hull_end(const vp_hull_run *run, int code);

/* Writes a drawing. @return the number of points in it */
struct vp_bytes;
uint32_t vp_hull_drawing(struct vp_bytes *svg, const vp_vec3 *point, uint32_t count, const uint32_t axis[2], const uint32_t *corner,
                         uint32_t corners);

#endif
