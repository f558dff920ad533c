/* SPDX-License-Identifier: MIT */
#include "tools/hull/hull.h"

#include <stdlib.h>

#include "host/program.h"

bool vp_hull_format_of(const char *path, vp_hull_format *out)
{
    static const char *const ends[VP_HULL_FORMATS] = {".obj", ".ply", ".gltf", ".points"};
    const size_t format = vp_ending_of(path, ends, VP_HULL_FORMATS);
    *out = format < VP_HULL_FORMATS ? (vp_hull_format)format : *out;
    return format < VP_HULL_FORMATS;
}

/* ---- OBJ ---- */

static void make_obj(const vp_vec3 *point, const vp_hull *h, vp_bytes *out)
{
    vp_bytes_print(out, "# voxphys hull: convex, of dimension %u; faces counterclockwise seen from outside\no hull\n", h->dimension);
    for (uint32_t v = 0; v < h->vertex_count && !out->failed; v++) {
        const vp_vec3 p = point[h->vertex[v]];
        vp_bytes_print(out, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    if (h->dimension == 0)
        vp_bytes_print(out, "p 1\n");
    if (h->dimension == 1)
        vp_bytes_print(out, "l 1 2\n");
    for (uint32_t f = 0; f < h->face_count && !out->failed; f++) {
        vp_bytes_print(out, "f");
        for (uint32_t c = h->first_corner[f]; c < h->first_corner[f + 1] && !out->failed; c++)
            vp_bytes_print(out, " %u", h->corner[c] + 1);
        vp_bytes_print(out, "\n");
    }
}

/* ---- PLY ---- */

/* The number of a polygon's corners is one byte if it fits, as most readers expect. */
static void make_ply(const vp_vec3 *point, const vp_hull *h, vp_bytes *out)
{
    uint32_t most = 0;
    for (uint32_t f = 0; f < h->face_count; f++) {
        const uint32_t corners = h->first_corner[f + 1] - h->first_corner[f];
        most = corners > most ? corners : most;
    }
    vp_bytes_print(out, "ply\nformat binary_little_endian 1.0\ncomment voxphys hull: convex, of dimension %u\n", h->dimension);
    vp_bytes_print(out, "element vertex %u\nproperty float x\nproperty float y\nproperty float z\n", h->vertex_count);
    if (h->dimension == 1)
        vp_bytes_print(out, "element edge 1\nproperty int vertex1\nproperty int vertex2\n");
    vp_bytes_print(out, "element face %u\nproperty list %s uint vertex_indices\nend_header\n", h->face_count,
                   most < 256 ? "uchar" : "uint");
    for (uint32_t v = 0; v < h->vertex_count && !out->failed; v++)
        vp_bytes_words(out, &point[h->vertex[v]], 3);
    if (h->dimension == 1)
        vp_bytes_words(out, (const uint32_t[2]){0, 1}, 2);
    for (uint32_t f = 0; f < h->face_count && !out->failed; f++) {
        const uint32_t corners = h->first_corner[f + 1] - h->first_corner[f];
        const uint8_t byte = (uint8_t)corners;
        if (most < 256)
            vp_bytes_add(out, &byte, 1);
        else
            vp_bytes_words(out, &corners, 1);
        vp_bytes_words(out, h->corner + h->first_corner[f], corners);
    }
}

/* ---- glTF ---- */

static void make_gltf(const vp_vec3 *point, const vp_hull *h, vp_bytes *out)
{
    enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963, POINTS = 0, LINES = 1, TRIANGLES = 4 };
    const int mode = h->dimension == 0 ? POINTS : h->dimension == 1 ? LINES : TRIANGLES;
    vp_vec3 low = point[h->vertex[0]], high = low;
    vp_bytes numbers = {0};
    for (uint32_t v = 0; v < h->vertex_count && !numbers.failed; v++) {
        const vp_vec3 p = point[h->vertex[v]];
        low = vp_vec3_min(low, p);
        high = vp_vec3_max(high, p);
        vp_bytes_words(&numbers, &p, 3);
    }
    const size_t places = numbers.size;
    for (uint32_t v = 0; h->dimension < 2 && v < h->vertex_count; v++)
        vp_bytes_words(&numbers, &v, 1);
    vp_bytes_words(&numbers, h->triangle, (size_t)h->triangle_count * 3);
    vp_bytes_print(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"voxphys hull\"},\n\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\n"
                        "\"nodes\":[{\"name\":\"hull\",\"mesh\":0}],\n");
    vp_bytes_print(out, "\"meshes\":[{\"name\":\"hull\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":%d}]}],\n",
                   mode);
    vp_bytes_print(out, "\"accessors\":[{\"bufferView\":0,\"componentType\":%d,\"count\":%u,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],",
                   FLOAT, h->vertex_count, (double)low.x, (double)low.y, (double)low.z);
    vp_bytes_print(out, "\"max\":[%.9g,%.9g,%.9g]},\n{\"bufferView\":1,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}],\n",
                   (double)high.x, (double)high.y, (double)high.z, UNSIGNED_INT, (numbers.size - places) / 4);
    vp_bytes_print(out, "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%zu,\"target\":%d},\n", places, ARRAY_BUFFER);
    vp_bytes_print(out, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":%d}],\n", places, numbers.size - places,
                   ELEMENT_ARRAY_BUFFER);
    vp_bytes_print(out, "\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,", numbers.size);
    out->failed = out->failed || numbers.failed;
    if (!out->failed)
        vp_bytes_base64(&numbers, out);
    vp_bytes_print(out, "\"}]}\n");
    free(numbers.at);
}

static void make_points(const vp_vec3 *point, const vp_hull *h, vp_bytes *out)
{
    vp_points_text(NULL, 0, 3, "voxphys hull: the vertices", out);
    for (uint32_t v = 0; v < h->vertex_count && !out->failed; v++)
        vp_points_text(&point[h->vertex[v]], 1, 3, "", out);
}

vp_status vp_hull_file_write(const char *path, vp_hull_format format, const vp_vec3 *point, const vp_hull *h, vp_error *error)
{
    static void (*const makers[VP_HULL_FORMATS])(const vp_vec3 *, const vp_hull *, vp_bytes *) = {make_obj, make_ply, make_gltf,
                                                                                                  make_points};
    vp_bytes bytes = {0};
    makers[format](point, h, &bytes);
    return vp_bytes_save(&bytes, path, error);
}
