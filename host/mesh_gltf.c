/* SPDX-License-Identifier: MIT */
/* glTF 2.0 in one file, with its numbers in a base64 URI. A surface is a mesh, a material a primitive. The triangles of
   each quad are those of vp_mesh_triangle. */
#include <stdlib.h>

#include "host/mesh_formats.h"

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

void vp_mesh_gltf(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out)
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
        one->list = vp_quads_by_material(mesh[i].mesh, one->first);
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
