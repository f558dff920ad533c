/* SPDX-License-Identifier: MIT */
/* OBJ and PLY, and what the formats share. */
#include "host/mesh_formats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/bytes.h"
#include "host/program.h"

double vp_gltf_linear(uint8_t c)
{
    const double v = c / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

uint32_t *vp_quads_by_material(const vp_mesh *mesh, uint32_t first[257])
{
    uint32_t *list = mesh->quad_count != 0 ? malloc(mesh->quad_count * sizeof *list) : NULL;
    uint32_t next[256];
    memset(first, 0, 257 * sizeof *first);
    for (uint32_t q = 0; q < mesh->quad_count; q++)
        first[mesh->material[q] + 1]++;
    for (int m = 0; m < 256; m++)
        first[m + 1] += first[m];
    memcpy(next, first, sizeof next);
    for (uint32_t q = 0; list != NULL && q < mesh->quad_count; q++)
        list[next[mesh->material[q]]++] = q;
    return list;
}

/* Now and then, how far writing is. */
static void reported(uint32_t done, uint32_t total)
{
    if (done % (1 << 16) == 0)
        vp_progress("writing", done, total);
}

/* ---- OBJ ---- */

/* Positions have at most nine digits that count: they are multiples of 1/512 below 2^11, in binary32. */
static void obj_mesh(const vp_named_mesh *m, uint32_t base, const vp_looks *looks, vp_bytes *out)
{
    const vp_mesh *mesh = m->mesh;
    uint32_t first[257], *list = vp_quads_by_material(mesh, first);
    out->failed = out->failed || list == NULL;
    vp_bytes_print(out, "o %s\n", m->name);
    for (uint32_t v = 0; v < mesh->vertex_count && !out->failed; v++) {
        reported(v, mesh->vertex_count);
        vp_bytes_print(out, "v %.9g %.9g %.9g\n", (double)mesh->vertex[v].x, (double)mesh->vertex[v].y, (double)mesh->vertex[v].z);
    }
    for (int material = 0; material < 256 && !out->failed; material++) {
        if (first[material] == first[material + 1])
            continue;
        vp_bytes_print(out, "g %s-%s\nusemtl %s\n", m->name, looks->of[material].name, looks->of[material].name);
        for (uint32_t i = first[material]; i < first[material + 1] && !out->failed; i++) {
            reported(i, mesh->quad_count);
            const uint32_t *quad = mesh->quad[list[i]];
            vp_bytes_print(out, "f %u %u %u %u\n", base + quad[0], base + quad[1], base + quad[2], base + quad[3]);
        }
    }
    free(list);
}

void vp_mesh_obj(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, const char *materials_file, vp_bytes *out)
{
    uint32_t base = 1;
    vp_bytes_print(out, "# voxphys mesh: y is up, a voxel is one unit; quads, counterclockwise seen from outside\n");
    vp_bytes_print(out, "mtllib %s\n", materials_file);
    for (size_t i = 0; i < count; i++) {
        if (mesh[i].mesh->quad_count != 0)
            obj_mesh(&mesh[i], base, looks, out);
        base += mesh[i].mesh->vertex_count;
    }
}

void vp_mesh_obj_materials(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out)
{
    bool present[256] = {false};
    for (size_t i = 0; i < count; i++)
        for (uint32_t q = 0; q < mesh[i].mesh->quad_count; q++)
            present[mesh[i].mesh->material[q]] = true;
    vp_bytes_print(out, "# voxphys mesh: materials\n");
    for (int m = 0; m < 256; m++) {
        const uint8_t *c = looks->of[m].colour;
        if (present[m])
            vp_bytes_print(out, "newmtl %s\nKd %.4f %.4f %.4f\nd %s\n", looks->of[m].name, c[0] / 255.0, c[1] / 255.0, c[2] / 255.0,
                           looks->of[m].clear ? "0.7" : "1");
    }
}

/* ---- PLY ---- */

void vp_mesh_ply(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out)
{
    uint64_t vertices = 0, quads = 0;
    for (size_t i = 0; i < count; i++) {
        vertices += mesh[i].mesh->vertex_count;
        quads += mesh[i].mesh->quad_count;
    }
    vp_bytes_print(out, "ply\nformat binary_little_endian 1.0\ncomment voxphys mesh: y is up, a voxel is one unit\n");
    vp_bytes_print(out, "element vertex %llu\nproperty float x\nproperty float y\nproperty float z\n", (unsigned long long)vertices);
    vp_bytes_print(out,
                   "element face %llu\nproperty list uchar uint vertex_indices\nproperty uchar material\n"
                   "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n",
                   (unsigned long long)quads);
    for (size_t i = 0; i < count; i++)
        vp_bytes_words(out, mesh[i].mesh->vertex, (size_t)mesh[i].mesh->vertex_count * 3);
    uint32_t base = 0;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t q = 0; q < mesh[i].mesh->quad_count && !out->failed; q++) {
            uint8_t bytes[21] = {4}, material = mesh[i].mesh->material[q];
            for (int k = 0; k < 4; k++)
                vp_put_le32(bytes + 1 + 4 * k, base + mesh[i].mesh->quad[q][k]);
            bytes[17] = material;
            memcpy(bytes + 18, looks->of[material].colour, 3);
            vp_bytes_add(out, bytes, sizeof bytes);
        }
        base += mesh[i].mesh->vertex_count;
    }
}
