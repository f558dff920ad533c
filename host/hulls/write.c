/* SPDX-License-Identifier: MIT */
/* Hulls as files. Numbers have nine digits, so binary32 values survive a round trip. */
#include "host/hulls/hulls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/bytes.h"
#include "src/core/file.h"
#include "host/program.h"

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
        vp_bytes_print(out, "o %s\nusemtl colour-%u\n", vp_hulls_name_of(hulls, h).text, h % VP_HULLS_COLOURS);
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
        vp_bytes_print(out, "%s{\"name\":\"%s\",\"mesh\":%u}", h != 0 ? "," : "", vp_hulls_name_of(hulls, h).text, h);
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
        vp_bytes_print(out, "%s\n{\"name\": \"%s\", \"points\": [", h != 0 ? "," : "", vp_hulls_name_of(hulls, h).text);
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

/* ---- STL, OFF ---- */

/* Unit normal of a triangle, 0 without area. */
static void find_normal(const vp_hulls *hulls, const vp_hulls_one *one, uint32_t triangle, float normal[3])
{
    const uint32_t *corner = hulls->triangle[triangle];
    double side[2][3], n[3], length = 0.0;
    for (int k = 0; k < 2; k++) {
        const vp_vec3 a = hulls->point[one->point + corner[0]], b = hulls->point[one->point + corner[k + 1]];
        side[k][0] = (double)b.x - (double)a.x;
        side[k][1] = (double)b.y - (double)a.y;
        side[k][2] = (double)b.z - (double)a.z;
    }
    for (int k = 0; k < 3; k++) {
        n[k] = side[0][(k + 1) % 3] * side[1][(k + 2) % 3] - side[0][(k + 2) % 3] * side[1][(k + 1) % 3];
        length = hypot(length, n[k]);
    }
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0.0 ? (float)(n[k] / length) : 0.0f;
}

static void put_stl(const vp_hulls *hulls, vp_bytes *out)
{
    for (uint32_t h = 0; h < hulls->count && !out->failed; h++) {
        const vp_hulls_one *one = &hulls->one[h];
        const vp_hulls_name name = vp_hulls_name_of(hulls, h);
        reported(h, hulls->count);
        vp_bytes_print(out, "solid %s\n", name.text);
        for (uint32_t t = one->triangle; t < one->triangle + one->triangles; t++) {
            float n[3];
            find_normal(hulls, one, t, n);
            vp_bytes_print(out, "facet normal %.9g %.9g %.9g\nouter loop\n", (double)n[0], (double)n[1], (double)n[2]);
            for (int k = 0; k < 3; k++) {
                const vp_vec3 p = hulls->point[one->point + hulls->triangle[t][k]];
                vp_bytes_print(out, "vertex %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
            }
            vp_bytes_print(out, "endloop\nendfacet\n");
        }
        vp_bytes_print(out, "endsolid %s\n", name.text);
    }
}

static void put_binary_stl(const vp_hulls *hulls, uint32_t hull, vp_bytes *out)
{
    const vp_hulls_one *one = &hulls->one[hull];
    char head[80] = "";
    snprintf(head, sizeof head, "convex hull %u", hull); /* not "solid", with which text begins */
    vp_bytes_add(out, head, sizeof head);
    vp_bytes_words(out, &one->triangles, 1);
    for (uint32_t t = one->triangle; t < one->triangle + one->triangles; t++) {
        float n[3];
        find_normal(hulls, one, t, n);
        vp_bytes_words(out, n, 3);
        for (int k = 0; k < 3; k++)
            vp_bytes_words(out, &hulls->point[one->point + hulls->triangle[t][k]], 3);
        vp_bytes_add(out, "\0", 2);
    }
}

/* Without comments, because some readers refuse them. */
static void put_off(const vp_hulls *hulls, vp_bytes *out)
{
    vp_bytes_print(out, "OFF\n%u %u 0\n", hulls->points, hulls->triangles);
    for (uint32_t i = 0; i < hulls->points; i++)
        vp_bytes_print(out, "%.9g %.9g %.9g\n", (double)hulls->point[i].x, (double)hulls->point[i].y, (double)hulls->point[i].z);
    for (uint32_t h = 0; h < hulls->count && !out->failed; h++) {
        const vp_hulls_one *one = &hulls->one[h];
        uint8_t rgb[3];
        vp_hulls_colour(h, rgb);
        for (uint32_t t = one->triangle; t < one->triangle + one->triangles; t++) {
            const uint32_t *corner = hulls->triangle[t];
            vp_bytes_print(out, "3 %u %u %u %u %u %u\n", one->point + corner[0], one->point + corner[1], one->point + corner[2], rgb[0],
                           rgb[1], rgb[2]);
        }
    }
}

/* ---- files ---- */

/* Writes the files that a URDF names. */
static vp_status write_beside(const char *path, const vp_hulls *hulls, vp_error *error)
{
    for (uint32_t h = 0; h < hulls->count; h++) {
        vp_bytes bytes = {0};
        reported(h, hulls->count);
        put_binary_stl(hulls, h, &bytes);
        VP_RETURN_IF_FAILED(vp_bytes_save(&bytes, vp_hulls_beside(path, h).text, error));
    }
    return VP_OK;
}

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
    if ((format == VP_HULLS_URDF || format == VP_HULLS_MJCF) && hulls->object == NULL)
        return vp_fail(error, VP_E_UNSUPPORTED, "a robot needs the masses of its objects");
    if (format == VP_HULLS_OBJ)
        status = write_obj(path, hulls, maker, error);
    else if (format == VP_HULLS_GLB)
        status = put_glb(hulls, maker, &bytes, error);
    else if (format == VP_HULLS_JSON)
        put_json(hulls, maker, &bytes);
    else if (format == VP_HULLS_STL)
        put_stl(hulls, &bytes);
    else if (format == VP_HULLS_OFF)
        put_off(hulls, &bytes);
    else if (format == VP_HULLS_MJCF)
        vp_hulls_mjcf(hulls, maker, &bytes);
    else if ((status = write_beside(path, hulls, error)) == VP_OK)
        vp_hulls_urdf(hulls, maker, path, &bytes);
    if (status == VP_OK && format != VP_HULLS_OBJ)
        status = vp_bytes_save(&bytes, path, error);
    else
        free(bytes.at);
    vp_progress("", 1, 1);
    return status;
}
