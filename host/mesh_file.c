/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/mesh_file.h"
#include "src/core/bytes.h"
#include "host/program.h"
#include "src/core/file.h"

double vp_gltf_linear(uint8_t c)
{
    const double v = c / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* The numbers of a mesh's quads by ascending material. Those of material m begin at first[m], and first[256] is the
   count. Free the list. NULL if out of memory or without quads. */
static uint32_t *quads_by_material(const vp_mesh *mesh, uint32_t first[257])
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

/* Reports progress every few elements. */
static void reported(uint32_t done, uint32_t total)
{
    if (done % (1 << 16) == 0)
        vp_progress("writing", done, total);
}

/* ---- OBJ ---- */

/* Positions need at most nine significant digits, because they are multiples of 1/512 below 2^11 in binary32. */
static void obj_mesh(const vp_named_mesh *m, uint32_t base, const vp_looks *looks, vp_bytes *out)
{
    const vp_mesh *mesh = m->mesh;
    uint32_t first[257], *list = quads_by_material(mesh, first);
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

/* One function per format. obj_materials makes the materials file that an OBJ names. */
static void mesh_obj(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, const char *materials_file, vp_bytes *out)
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

static void mesh_obj_materials(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out)
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

static void mesh_ply(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out)
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

/* glTF 2.0 in one file, with its numbers in a base64 URI. A surface is a mesh, a material a primitive. The triangles of
   each quad are those of vp_mesh_triangle. */

/* Writes a mesh's positions, then its indices by material. */
static void put_numbers(const vp_mesh *mesh, const uint32_t *list, vp_bytes *out)
{
    vp_bytes_words(out, mesh->vertex, (size_t)mesh->vertex_count * 3);
    for (uint32_t q = 0; q < mesh->quad_count && !out->failed; q++) {
        uint32_t corner[2][3];
        for (uint32_t t = 0; t < 2; t++)
            vp_mesh_triangle(mesh, (uint64_t)list[q] * 2 + t, corner[t]);
        vp_bytes_words(out, corner, 6);
    }
}

/* A mesh's place in the file's lists. */
typedef struct described {
    const vp_named_mesh *mesh;
    uint32_t first[257];
    uint32_t *list;
    uint32_t accessor;         /* accessor of its positions, those of its primitives follow */
    size_t positions, indices; /* offset in bytes */
} described;

/* Numbers the materials in the order of the file's list. */
static uint32_t number_materials(const described *d, size_t count, uint32_t number[256])
{
    uint32_t materials = 0;
    for (int m = 0; m < 256; m++) {
        bool present = false;
        for (size_t i = 0; i < count; i++)
            present = present || d[i].first[m] != d[i].first[m + 1];
        number[m] = present ? materials++ : UINT32_MAX;
    }
    return materials;
}

static void print_materials(const uint32_t number[256], const vp_looks *looks, vp_bytes *out)
{
    vp_bytes_print(out, "\"materials\":[");
    for (int m = 0; m < 256; m++) {
        const uint8_t *c = looks->of[m].colour;
        if (number[m] == UINT32_MAX)
            continue;
        vp_bytes_print(out,
                       "%s\n{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.5f,%.5f,%.5f,%s],"
                       "\"metallicFactor\":0,\"roughnessFactor\":1}%s}",
                       number[m] != 0 ? "," : "", looks->of[m].name, vp_gltf_linear(c[0]), vp_gltf_linear(c[1]), vp_gltf_linear(c[2]),
                       looks->of[m].clear ? "0.7" : "1", looks->of[m].clear ? ",\"alphaMode\":\"BLEND\"" : "");
    }
    vp_bytes_print(out, "],\n");
}

static void print_meshes(const described *d, size_t count, const uint32_t number[256], vp_bytes *out)
{
    vp_bytes_print(out, "\"meshes\":[");
    for (size_t i = 0; i < count; i++) {
        uint32_t primitive = 0;
        vp_bytes_print(out, "%s\n{\"name\":\"%s\",\"primitives\":[", i != 0 ? "," : "", d[i].mesh->name);
        for (int m = 0; m < 256; m++) {
            if (d[i].first[m] == d[i].first[m + 1])
                continue;
            vp_bytes_print(out, "%s{\"attributes\":{\"POSITION\":%u},\"indices\":%u,\"material\":%u}", primitive != 0 ? "," : "",
                           d[i].accessor, d[i].accessor + 1 + primitive, number[m]);
            primitive++;
        }
        vp_bytes_print(out, "]}");
    }
    vp_bytes_print(out, "],\n");
}

static void print_accessors(const described *d, size_t count, vp_bytes *out)
{
    enum { FLOAT = 5126, UNSIGNED_INT = 5125 };
    vp_bytes_print(out, "\"accessors\":[");
    for (size_t i = 0; i < count; i++) {
        const vp_mesh *mesh = d[i].mesh->mesh;
        vp_vec3 low = mesh->vertex[0], high = low;
        for (uint32_t v = 1; v < mesh->vertex_count; v++) {
            low = vp_vec3_min(low, mesh->vertex[v]);
            high = vp_vec3_max(high, mesh->vertex[v]);
        }
        vp_bytes_print(out,
                       "%s\n{\"bufferView\":%zu,\"componentType\":%d,\"count\":%u,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],"
                       "\"max\":[%.9g,%.9g,%.9g]}",
                       i != 0 ? "," : "", 2 * i, FLOAT, mesh->vertex_count, (double)low.x, (double)low.y, (double)low.z, (double)high.x,
                       (double)high.y, (double)high.z);
        for (int m = 0; m < 256; m++)
            if (d[i].first[m] != d[i].first[m + 1])
                vp_bytes_print(out,
                               ",\n{\"bufferView\":%zu,\"byteOffset\":%llu,\"componentType\":%d,\"count\":%llu,"
                               "\"type\":\"SCALAR\"}",
                               2 * i + 1, (unsigned long long)d[i].first[m] * 24, UNSIGNED_INT,
                               (unsigned long long)(d[i].first[m + 1] - d[i].first[m]) * 6);
    }
    vp_bytes_print(out, "],\n");
}

static void print_views(const described *d, size_t count, vp_bytes *out)
{
    enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
    vp_bytes_print(out, "\"bufferViews\":[");
    for (size_t i = 0; i < count; i++)
        vp_bytes_print(out,
                       "%s\n{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":%d},\n"
                       "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":%d}",
                       i != 0 ? "," : "", d[i].positions, d[i].indices - d[i].positions, ARRAY_BUFFER, d[i].indices,
                       (size_t)d[i].mesh->mesh->quad_count * 24, ELEMENT_ARRAY_BUFFER);
    vp_bytes_print(out, "],\n");
}

static void print_all(const described *d, size_t count, const vp_looks *looks, const vp_bytes *numbers, vp_bytes *out)
{
    uint32_t number[256];
    number_materials(d, count, number);
    vp_bytes_print(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"voxphys mesh\"},\n\"scene\":0,\"scenes\":[{\"nodes\":[");
    for (size_t i = 0; i < count; i++)
        vp_bytes_print(out, "%s%zu", i != 0 ? "," : "", i);
    vp_bytes_print(out, "]}],\n\"nodes\":[");
    for (size_t i = 0; i < count; i++)
        vp_bytes_print(out, "%s{\"name\":\"%s\",\"mesh\":%zu}", i != 0 ? "," : "", d[i].mesh->name, i);
    vp_bytes_print(out, "],\n");
    print_materials(number, looks, out);
    print_meshes(d, count, number, out);
    print_accessors(d, count, out);
    print_views(d, count, out);
    vp_bytes_print(out, "\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,", numbers->size);
    vp_bytes_base64(numbers, out);
    vp_bytes_print(out, "\"}]}\n");
}

static void mesh_gltf(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out)
{
    described d[VP_SURFACE_COUNT];
    vp_bytes numbers = {0};
    size_t described_count = 0;
    uint32_t accessors = 0;
    for (size_t i = 0; i < count && i < VP_SURFACE_COUNT; i++) {
        described *one = &d[described_count];
        if (mesh[i].mesh->quad_count == 0)
            continue;
        described_count++;
        *one = (described){.mesh = &mesh[i], .accessor = accessors++, .positions = numbers.size};
        one->indices = one->positions + (size_t)mesh[i].mesh->vertex_count * 12;
        one->list = quads_by_material(mesh[i].mesh, one->first);
        for (int m = 0; m < 256; m++)
            accessors += one->first[m] != one->first[m + 1] ? 1 : 0;
        numbers.failed = numbers.failed || one->list == NULL;
        if (!numbers.failed)
            put_numbers(mesh[i].mesh, one->list, &numbers);
    }
    out->failed = out->failed || numbers.failed;
    if (!out->failed)
        print_all(d, described_count, looks, &numbers, out);
    for (size_t i = 0; i < described_count; i++)
        free(d[i].list);
    free(numbers.at);
}

bool vp_mesh_format_of(const char *path, vp_mesh_format *out)
{
    static const char *const ends[VP_MESH_FORMATS] = {".obj", ".ply", ".gltf"};
    const size_t format = vp_ending_of(path, ends, VP_MESH_FORMATS);
    *out = format < VP_MESH_FORMATS ? (vp_mesh_format)format : *out;
    return format < VP_MESH_FORMATS;
}

vp_file_name vp_mesh_materials_file(const char *path)
{
    vp_file_name beside;
    snprintf(beside.text, sizeof beside.text, "%.*s.mtl", (int)strlen(path) - 4, path);
    return beside;
}

const char *vp_name_in_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

vp_status vp_obj_save(const char *path, vp_bytes *obj, vp_bytes *materials, vp_error *error)
{
    const vp_file_name beside = vp_mesh_materials_file(path);
    const vp_new_file files[] = {{beside.text, materials->at, materials->size}, {path, obj->at, obj->size}};
    const vp_status status = obj->failed || materials->failed
                                 ? vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text)
                                 : vp_file_replace_all(files, 2, error);
    free(materials->at);
    free(obj->at);
    return status;
}

static vp_status write_obj(const char *path, const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_error *error)
{
    vp_bytes materials = {0}, bytes = {0};
    mesh_obj_materials(mesh, count, looks, &materials);
    mesh_obj(mesh, count, looks, vp_name_in_folder(vp_mesh_materials_file(path).text), &bytes);
    return vp_obj_save(path, &bytes, &materials, error);
}

vp_status vp_mesh_file_write(const char *path, vp_mesh_format format, const vp_named_mesh *mesh, size_t count, const vp_looks *looks,
                             vp_error *error)
{
    if (format == VP_MESH_OBJ)
        return write_obj(path, mesh, count, looks, error);
    vp_bytes bytes = {0};
    if (format == VP_MESH_PLY)
        mesh_ply(mesh, count, looks, &bytes);
    else
        mesh_gltf(mesh, count, looks, &bytes);
    return vp_bytes_save(&bytes, path, error);
}
