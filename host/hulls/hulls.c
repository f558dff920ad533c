/* SPDX-License-Identifier: MIT */
#include "host/hulls/hulls.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/program.h"

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
        hulls->one[hulls->count] = (vp_hulls_one){
            .point = hulls->points, .triangle = hulls->triangles, .source = hulls->sources, .number = hulls->count};
    hulls->count += hulls->failed ? 0 : 1;
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
    static const char *const ends[VP_HULLS_FORMATS] = {".obj", ".glb", ".json", ".stl", ".off", ".urdf", ".xml"};
    const size_t format = vp_ending_of(path, ends, VP_HULLS_FORMATS);
    *out = format < VP_HULLS_FORMATS ? (vp_hulls_format)format : *out;
    return format < VP_HULLS_FORMATS;
}

vp_hulls_name vp_hulls_name_of(const vp_hulls *hulls, uint32_t hull)
{
    const vp_hulls_one *one = &hulls->one[hull];
    const bool plain = hulls->naming == VP_HULLS_NAMED_PLAIN && hulls->objects < 2;
    vp_hulls_name name;
    if (plain || hulls->object == NULL)
        snprintf(name.text, sizeof name.text, "hull-%u", hull);
    else if (hulls->naming == VP_HULLS_NAMED_PLAIN)
        snprintf(name.text, sizeof name.text, "%s-hull-%u", hulls->object[one->object].name, one->number);
    else if (hulls->naming == VP_HULLS_NAMED_UCX)
        snprintf(name.text, sizeof name.text, "UCX_%s_%02u", hulls->object[one->object].name, one->number);
    else
        snprintf(name.text, sizeof name.text, "%s-%02u-convcolonly", hulls->object[one->object].name, one->number);
    return name;
}

vp_file_name vp_hulls_beside(const char *path, uint32_t hull)
{
    vp_file_name beside;
    snprintf(beside.text, sizeof beside.text, "%.*s-hull-%u.stl", (int)strlen(path) - 5, path, hull);
    return beside;
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
