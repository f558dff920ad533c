/* SPDX-License-Identifier: MIT */
/* OBJ and PLY, and what the formats share. */
#include "host/mesh_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/bytes.h"
#include "src/core/file.h"
#include "host/program.h"

bool vp_mesh_format_of(const char *path, vp_mesh_format *out)
{
    static const char *const ends[VP_MESH_FORMATS] = {".obj", ".ply", ".gltf"};
    size_t length = strlen(path);
    for (int f = 0; f < VP_MESH_FORMATS; f++) {
        size_t end = strlen(ends[f]);
        if (length > end && strcmp(path + length - end, ends[f]) == 0) {
            *out = (vp_mesh_format)f;
            return true;
        }
    }
    return false;
}

/* ---- bytes ---- */

/* Makes room for so many more, and one. */
static bool make_room(vp_bytes *to, size_t more)
{
    if (to->failed || to->capacity - to->size > more)
        return !to->failed;
    size_t capacity = (to->size + more + 1) * 2;
    uint8_t *at = realloc(to->at, capacity);
    to->failed = at == NULL;
    if (at != NULL) {
        to->at = at;
        to->capacity = capacity;
    }
    return !to->failed;
}

void vp_bytes_add(vp_bytes *to, const void *bytes, size_t size)
{
    if (size != 0 && make_room(to, size)) {
        memcpy(to->at + to->size, bytes, size);
        to->size += size;
    }
}

void vp_bytes_print(vp_bytes *to, const char *format, ...)
{
    enum { LINE = 256 }; /* most fit at once */
    if (!make_room(to, LINE))
        return;
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int bytes = vsnprintf((char *)to->at + to->size, LINE, format, values);
    if (bytes >= LINE && make_room(to, (size_t)bytes))
        vsnprintf((char *)to->at + to->size, (size_t)bytes + 1, format, again);
    to->failed = to->failed || bytes < 0;
    if (!to->failed)
        to->size += (size_t)bytes;
    va_end(again);
    va_end(values);
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
static void told(uint32_t done, uint32_t total)
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
        told(v, mesh->vertex_count);
        vp_bytes_print(out, "v %.9g %.9g %.9g\n", (double)mesh->vertex[v].x, (double)mesh->vertex[v].y,
                       (double)mesh->vertex[v].z);
    }
    for (int material = 0; material < 256 && !out->failed; material++) {
        if (first[material] == first[material + 1])
            continue;
        vp_bytes_print(out, "g %s-%s\nusemtl %s\n", m->name, looks->of[material].name, looks->of[material].name);
        for (uint32_t i = first[material]; i < first[material + 1] && !out->failed; i++) {
            told(i, mesh->quad_count);
            const uint32_t *quad = mesh->quad[list[i]];
            vp_bytes_print(out, "f %u %u %u %u\n", base + quad[0], base + quad[1], base + quad[2], base + quad[3]);
        }
    }
    free(list);
}

void vp_mesh_obj(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, const char *materials_file,
                 vp_bytes *out)
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
            vp_bytes_print(out, "newmtl %s\nKd %.4f %.4f %.4f\nd %s\n", looks->of[m].name, c[0] / 255.0, c[1] / 255.0,
                           c[2] / 255.0, m == VP_WATER ? "0.7" : "1");
    }
}

/* ---- PLY ---- */

static void put_float(uint8_t *at, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    vp_put_le32(at, bits);
}

void vp_mesh_ply(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out)
{
    uint64_t vertices = 0, quads = 0;
    for (size_t i = 0; i < count; i++) {
        vertices += mesh[i].mesh->vertex_count;
        quads += mesh[i].mesh->quad_count;
    }
    vp_bytes_print(out, "ply\nformat binary_little_endian 1.0\ncomment voxphys mesh: y is up, a voxel is one unit\n");
    vp_bytes_print(out, "element vertex %llu\nproperty float x\nproperty float y\nproperty float z\n",
                   (unsigned long long)vertices);
    vp_bytes_print(out,
                   "element face %llu\nproperty list uchar uint vertex_indices\nproperty uchar material\n"
                   "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n",
                   (unsigned long long)quads);
    for (size_t i = 0; i < count; i++)
        for (uint32_t v = 0; v < mesh[i].mesh->vertex_count && !out->failed; v++) {
            uint8_t bytes[12];
            put_float(bytes, mesh[i].mesh->vertex[v].x);
            put_float(bytes + 4, mesh[i].mesh->vertex[v].y);
            put_float(bytes + 8, mesh[i].mesh->vertex[v].z);
            vp_bytes_add(out, bytes, sizeof bytes);
        }
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

/* ---- all ---- */

static vp_status no_memory(const char *path, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text);
}

static vp_status put(const char *path, const vp_bytes *bytes, vp_error *error)
{
    return bytes->failed ? no_memory(path, error) : vp_file_replace(path, bytes->at, bytes->size, error);
}

char *vp_mesh_materials_file(const char *path)
{
    size_t length = strlen(path);
    char *beside = malloc(length + 1);
    if (beside != NULL) {
        memcpy(beside, path, length + 1);
        memcpy(beside + length - 4, ".mtl", 4);
    }
    return beside;
}

/* An OBJ's own file names that of its materials as it is called in the same folder. */
static vp_status write_obj(const char *path, const vp_named_mesh *mesh, size_t count, const vp_looks *looks,
                           vp_error *error)
{
    char *beside = vp_mesh_materials_file(path);
    if (beside == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a file name");
    const char *slash = strrchr(beside, '/');
    vp_bytes materials = {0}, bytes = {0};
    vp_mesh_obj_materials(mesh, count, looks, &materials);
    vp_mesh_obj(mesh, count, looks, slash != NULL ? slash + 1 : beside, &bytes);
    const vp_new_file files[] = {{beside, materials.at, materials.size}, {path, bytes.at, bytes.size}};
    vp_status status = bytes.failed       ? no_memory(path, error)
                       : materials.failed ? no_memory(beside, error)
                                          : vp_file_replace_all(files, 2, error);
    free(materials.at);
    free(bytes.at);
    free(beside);
    return status;
}

vp_status vp_mesh_file_write(const char *path, vp_mesh_format format, const vp_named_mesh *mesh, size_t count,
                             const vp_looks *looks, vp_error *error)
{
    if (format == VP_MESH_OBJ)
        return write_obj(path, mesh, count, looks, error);
    vp_bytes bytes = {0};
    if (format == VP_MESH_PLY)
        vp_mesh_ply(mesh, count, looks, &bytes);
    else
        vp_mesh_gltf(mesh, count, looks, &bytes);
    vp_status status = put(path, &bytes, error);
    free(bytes.at);
    return status;
}
