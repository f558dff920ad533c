/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "host/hulls/hulls.h"
#include "host/program.h"
#include "host/bytes.h"
#include "src/core/bytes.h"
#include "src/core/file.h"
#include "host/mesh_file.h"

void vp_hulls_destroy(vp_hulls *hulls)
{
    free(hulls->one);
    free(hulls->point);
    free(hulls->triangle);
    free(hulls->source);
    *hulls = (vp_hulls){0};
}

/* ---- elements ---- */

/* Makes room for one more element of `bytes` bytes. @return false without, now or before */
static bool has_room(vp_hulls *hulls, void *array, size_t *room, uint32_t count, size_t bytes)
{
    hulls->failed = hulls->failed || count == UINT32_MAX || vp_grow_array(array, room, (size_t)count + 1, bytes, "hulls", NULL) != VP_OK;
    return !hulls->failed;
}

void vp_hulls_begin(vp_hulls *hulls)
{
    if (has_room(hulls, &hulls->one, &hulls->one_room, hulls->count, sizeof *hulls->one))
        hulls->one[hulls->count++] = (vp_hulls_one){.point = hulls->points, .triangle = hulls->triangles, .source = hulls->sources};
}

void vp_hulls_point(vp_hulls *hulls, vp_vec3 p)
{
    if (!has_room(hulls, &hulls->point, &hulls->point_room, hulls->points, sizeof *hulls->point))
        return;
    hulls->point[hulls->points++] = p;
    hulls->one[hulls->count - 1].points++;
}

void vp_hulls_triangle(vp_hulls *hulls, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corner[3] = {a, b, c};
    if (!has_room(hulls, &hulls->triangle, &hulls->triangle_room, hulls->triangles, sizeof *hulls->triangle))
        return;
    memcpy(hulls->triangle[hulls->triangles++], corner, sizeof corner);
    hulls->one[hulls->count - 1].triangles++;
}

void vp_hulls_source(vp_hulls *hulls, uint32_t triangle)
{
    if (!has_room(hulls, &hulls->source, &hulls->source_room, hulls->sources, sizeof *hulls->source))
        return;
    hulls->source[hulls->sources++] = triangle;
    hulls->one[hulls->count - 1].sources++;
}

/* ---- joining ---- */

typedef struct hull_vertex {
    vp_vec3 at;
    uint32_t number;
} hull_vertex;

static int by_place(const void *a, const void *b)
{
    const hull_vertex *p = a, *q = b;
    const float x[3] = {p->at.x, p->at.y, p->at.z}, y[3] = {q->at.x, q->at.y, q->at.z};
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

void vp_hulls_join(vp_hulls *hulls)
{
    if (hulls->failed || hulls->count == 0)
        return;
    vp_hulls_one *one = &hulls->one[hulls->count - 1];
    hull_vertex *sorted = malloc(((size_t)one->points + 1) * sizeof *sorted);
    uint32_t *to = malloc(((size_t)one->points + 1) * sizeof *to), kept = 0;
    hulls->failed = sorted == NULL || to == NULL;
    for (uint32_t i = 0; !hulls->failed && i < one->points; i++)
        sorted[i] = (hull_vertex){hulls->point[one->point + i], i};
    if (!hulls->failed) {
        qsort(sorted, one->points, sizeof *sorted, by_place);
        for (uint32_t i = 0, first = 0; i < one->points; i++) {
            const vp_vec3 p = sorted[i].at, q = sorted[first].at;
            if (p.x != q.x || p.y != q.y || p.z != q.z)
                first = i;
            to[sorted[i].number] = sorted[first].number;
        }
        for (uint32_t i = 0; i < one->points; i++) { /* the first point of a place comes before the others */
            const bool stays = to[i] == i;
            if (stays)
                hulls->point[one->point + kept] = hulls->point[one->point + i];
            to[i] = stays ? kept++ : to[to[i]];
        }
        for (uint32_t t = one->triangle; t < hulls->triangles; t++)
            for (int k = 0; k < 3; k++)
                hulls->triangle[t][k] = to[hulls->triangle[t][k]];
        one->points = kept;
        hulls->points = one->point + kept;
    }
    free(sorted);
    free(to);
}

/* ---- names and colours ---- */

bool vp_hulls_format_of(const char *path, vp_hulls_format *out)
{
    static const char *const ends[VP_HULLS_FORMATS] = {".obj", ".glb", ".json"};
    const size_t format = vp_ending_of(path, ends, VP_HULLS_FORMATS);
    *out = format < VP_HULLS_FORMATS ? (vp_hulls_format)format : *out;
    return format < VP_HULLS_FORMATS;
}

/* Hues advance by the golden section. Every other one is lighter. */
void vp_hulls_colour(uint32_t number, uint8_t rgb[3])
{
    const uint32_t n = number % VP_HULLS_COLOURS, hue = n * 949 % 1536, within = hue % 256;
    const uint32_t low = n % 3 == 1 ? 110 : 60, high = n % 3 == 2 ? 190 : 235;
    const uint32_t up = low + (high - low) * within / 256, down = low + (high - low) * (256 - within) / 256;
    const uint32_t wheel[6][3] = {{high, up, low},   {down, high, low}, {low, high, up},
                                  {low, down, high}, {up, low, high},   {high, low, down}};
    for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)wheel[hue / 256][k];
}

/* Hulls as files. Numbers have nine digits, so binary32 values survive a round trip. */

/* Reports progress every few elements. */
static void reported(uint32_t done, uint32_t total)
{
    if (done % 1024 == 0)
        vp_progress("writing", done, total);
}

static uint32_t colours_of(const vp_hulls *hulls)
{
    return hulls->count < VP_HULLS_COLOURS ? hulls->count : VP_HULLS_COLOURS;
}

/* ---- OBJ ---- */

static void put_obj(const vp_hulls *hulls, const char *maker, const char *materials_file, vp_bytes *out)
{
    vp_bytes_print(out, "# %s: %u convex hull%s, an object each; triangles are counterclockwise seen from outside\nmtllib %s\n", maker,
                   hulls->count, vp_plural(hulls->count), materials_file);
    for (uint32_t h = 0; h < hulls->count && !out->failed; h++) {
        const vp_hulls_one *one = &hulls->one[h];
        reported(h, hulls->count);
        vp_bytes_print(out, "o hull-%u\nusemtl colour-%u\n", h, h % VP_HULLS_COLOURS);
        for (uint32_t i = one->point; i < one->point + one->points; i++) {
            const vp_vec3 p = hulls->point[i];
            vp_bytes_print(out, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
        }
        for (uint32_t t = one->triangle; t < one->triangle + one->triangles; t++) {
            const uint32_t *corner = hulls->triangle[t], base = one->point + 1;
            vp_bytes_print(out, "f %u %u %u\n", base + corner[0], base + corner[1], base + corner[2]);
        }
    }
}

static void put_obj_colours(const vp_hulls *hulls, const char *maker, vp_bytes *out)
{
    vp_bytes_print(out, "# %s: colours of convex hulls\n", maker);
    for (uint32_t c = 0; c < colours_of(hulls); c++) {
        uint8_t rgb[3];
        vp_hulls_colour(c, rgb);
        vp_bytes_print(out, "newmtl colour-%u\nKd %.4f %.4f %.4f\n", c, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0);
    }
}

/* ---- glTF ---- */

static void put_glb_lists(const vp_hulls *hulls, vp_bytes *out)
{
    vp_bytes_print(out, "\"nodes\":[");
    for (uint32_t h = 0; h < hulls->count; h++)
        vp_bytes_print(out, "%s{\"name\":\"hull-%u\",\"mesh\":%u}", h != 0 ? "," : "", h, h);
    vp_bytes_print(out, "],\n\"materials\":[");
    for (uint32_t c = 0; c < colours_of(hulls); c++) {
        uint8_t rgb[3];
        vp_hulls_colour(c, rgb);
        vp_bytes_print(out,
                       "%s\n{\"name\":\"colour-%u\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.5f,%.5f,%.5f,1],"
                       "\"metallicFactor\":0,\"roughnessFactor\":1}}",
                       c != 0 ? "," : "", c, vp_gltf_linear(rgb[0]), vp_gltf_linear(rgb[1]), vp_gltf_linear(rgb[2]));
    }
    vp_bytes_print(out, "],\n\"meshes\":[");
    for (uint32_t h = 0; h < hulls->count; h++)
        vp_bytes_print(out, "%s\n{\"name\":\"hull-%u\",\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"indices\":%u,\"material\":%u}]}",
                       h != 0 ? "," : "", h, 2 * h, 2 * h + 1, h % VP_HULLS_COLOURS);
}

static void put_glb_accessors(const vp_hulls *hulls, vp_bytes *out)
{
    enum { FLOAT = 5126, UNSIGNED_INT = 5125 };
    vp_bytes_print(out, "],\n\"accessors\":[");
    for (uint32_t h = 0; h < hulls->count; h++) {
        const vp_hulls_one *one = &hulls->one[h];
        vp_vec3 low = hulls->point[one->point], high = low;
        for (uint32_t i = one->point; i < one->point + one->points; i++) {
            low = vp_vec3_min(low, hulls->point[i]);
            high = vp_vec3_max(high, hulls->point[i]);
        }
        vp_bytes_print(
            out,
            "%s\n{\"bufferView\":0,\"byteOffset\":%llu,\"componentType\":%d,\"count\":%u,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],"
            "\"max\":[%.9g,%.9g,%.9g]},\n{\"bufferView\":1,\"byteOffset\":%llu,\"componentType\":%d,\"count\":%u,\"type\":\"SCALAR\"}",
            h != 0 ? "," : "", (unsigned long long)one->point * 12, FLOAT, one->points, (double)low.x, (double)low.y, (double)low.z,
            (double)high.x, (double)high.y, (double)high.z, (unsigned long long)one->triangle * 12, UNSIGNED_INT, one->triangles * 3);
    }
}

static vp_status put_glb(const vp_hulls *hulls, const char *maker, vp_bytes *out, vp_error *error)
{
    enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
    vp_bytes json = {0};
    const uint64_t points = (uint64_t)hulls->points * 12, numbers = points + (uint64_t)hulls->triangles * 12;
    vp_bytes_print(&json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"%s\"},\n\"scene\":0,\"scenes\":[{\"nodes\":[", maker);
    for (uint32_t h = 0; h < hulls->count; h++)
        vp_bytes_print(&json, "%s%u", h != 0 ? "," : "", h);
    vp_bytes_print(&json, "]}],\n");
    put_glb_lists(hulls, &json);
    put_glb_accessors(hulls, &json);
    vp_bytes_print(&json,
                   "],\n\"bufferViews\":[{\"buffer\":0,\"byteLength\":%llu,\"target\":%d},"
                   "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":%d}],\n\"buffers\":[{\"byteLength\":%llu}]}",
                   (unsigned long long)points, ARRAY_BUFFER, (unsigned long long)points, (unsigned long long)(numbers - points),
                   ELEMENT_ARRAY_BUFFER, (unsigned long long)numbers);
    while (json.size % 4 != 0 && !json.failed)
        vp_bytes_add(&json, " ", 1);
    const uint64_t all = 28 + (uint64_t)json.size + numbers;
    vp_status status =
        all <= UINT32_MAX ? VP_OK : vp_fail(error, VP_E_LIMIT, "%llu bytes: a .glb can have at most 4 GiB", (unsigned long long)all);
    if (status == VP_OK) {
        uint8_t head[20] = "glTF", chunk[8] = {0, 0, 0, 0, 'B', 'I', 'N', 0};
        vp_put_le32(head + 4, 2);
        vp_put_le32(head + 8, (uint32_t)all);
        vp_put_le32(head + 12, (uint32_t)json.size);
        memcpy(head + 16, "JSON", 4);
        vp_put_le32(chunk, (uint32_t)numbers);
        vp_bytes_add(out, head, sizeof head);
        vp_bytes_add(out, json.at, json.failed ? 0 : json.size);
        vp_bytes_add(out, chunk, sizeof chunk);
        vp_bytes_words(out, hulls->point, (size_t)hulls->points * 3);
        vp_bytes_words(out, hulls->triangle, (size_t)hulls->triangles * 3);
        out->failed = out->failed || json.failed;
    }
    free(json.at);
    return status;
}

/* ---- JSON ---- */

static void put_json(const vp_hulls *hulls, const char *maker, vp_bytes *out)
{
    vp_bytes_print(out, "{\"generator\": \"%s\", \"hulls\": [", maker);
    for (uint32_t h = 0; h < hulls->count && !out->failed; h++) {
        const vp_hulls_one *one = &hulls->one[h];
        reported(h, hulls->count);
        vp_bytes_print(out, "%s\n{\"points\": [", h != 0 ? "," : "");
        for (uint32_t i = 0; i < one->points; i++) {
            const vp_vec3 p = hulls->point[one->point + i];
            vp_bytes_print(out, "%s[%.9g, %.9g, %.9g]", i != 0 ? ", " : "", (double)p.x, (double)p.y, (double)p.z);
        }
        vp_bytes_print(out, "],\n \"triangles\": [");
        for (uint32_t t = 0; t < one->triangles; t++) {
            const uint32_t *corner = hulls->triangle[one->triangle + t];
            vp_bytes_print(out, "%s[%u, %u, %u]", t != 0 ? ", " : "", corner[0], corner[1], corner[2]);
        }
        vp_bytes_print(out, one->sources != 0 ? "],\n \"of\": [" : "]");
        for (uint32_t s = 0; s < one->sources; s++)
            vp_bytes_print(out, "%s%u", s != 0 ? ", " : "", hulls->source[one->source + s]);
        vp_bytes_print(out, one->sources != 0 ? "]}" : "}");
    }
    vp_bytes_print(out, "]}\n");
}

/* ---- files ---- */

static vp_status write_obj(const char *path, const vp_hulls *hulls, const char *maker, vp_error *error)
{
    vp_bytes colours = {0}, bytes = {0};
    put_obj_colours(hulls, maker, &colours);
    put_obj(hulls, maker, vp_name_in_folder(vp_mesh_materials_file(path).text), &bytes);
    return vp_obj_save(path, &bytes, &colours, error);
}

vp_status vp_hulls_write(const char *path, vp_hulls_format format, const vp_hulls *hulls, const char *maker, vp_error *error)
{
    vp_bytes bytes = {0};
    vp_status status = VP_OK;
    if (hulls->failed)
        return vp_fail(error, VP_E_MEMORY, "no memory for hulls");
    for (uint32_t h = 0; format != VP_HULLS_JSON && h < hulls->count; h++)
        if (hulls->one[h].triangles == 0)
            return vp_fail(error, VP_E_UNSUPPORTED, "hull %u has points without triangles, which only a .json can store", h);
    if (format == VP_HULLS_OBJ) {
        status = write_obj(path, hulls, maker, error);
        vp_progress("", 1, 1);
        return status;
    }
    if (format == VP_HULLS_GLB)
        status = put_glb(hulls, maker, &bytes, error);
    else
        put_json(hulls, maker, &bytes);
    if (status == VP_OK)
        status = vp_bytes_save(&bytes, path, error);
    vp_progress("", 1, 1);
    free(bytes.at);
    return status;
}
