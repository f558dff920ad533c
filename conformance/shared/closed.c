/* SPDX-License-Identifier: MIT */
#include "conformance/shared/shared.h"

#include <stdlib.h>
#include <string.h>

void vp_check_finite(const vp_vec3 *vertex, const uint32_t *number, uint32_t triangles, char reason[VP_REASON_BYTES])
{
    for (size_t i = 0; i < (size_t)triangles * 3; i++) {
        const vp_vec3 v = vertex[number[i]];
        if (!vp_place_is_finite(v)) {
            vp_reason_say(reason, "vertex %u at %g %g %g is not finite, and triangle %zu has it", number[i], (double)v.x, (double)v.y,
                          (double)v.z, i / 3);
            return;
        }
    }
}

/* ---- joining vertices ---- */

/* A vertex and its number. */
typedef struct numbered_vertex {
    vp_vec3 place;
    uint32_t number;
} numbered_vertex;

int vp_place_compare(vp_vec3 a, vp_vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    return a.z < b.z ? -1 : a.z > b.z;
}

static int by_place(const void *a, const void *b)
{
    return vp_place_compare(((const numbered_vertex *)a)->place, ((const numbered_vertex *)b)->place);
}

/* The vertices that triangles use, once each. */
static uint32_t find_used(const vp_vec3 *vertex, uint32_t vertices, const uint32_t *number, size_t corners, numbered_vertex *out,
                          uint32_t *name)
{
    uint32_t count = 0;
    memset(name, 0, (size_t)vertices * sizeof *name);
    for (size_t i = 0; i < corners; i++)
        name[number[i]] = 1;
    for (uint32_t i = 0; i < vertices; i++)
        if (name[i] != 0)
            out[count++] = (numbered_vertex){vertex[i], i};
    return count;
}

vp_status vp_shell_make(const vp_vec3 *vertex, uint32_t vertices, const uint32_t *number, uint32_t triangles, bool weld, vp_shell *out,
                        vp_error *error)
{
    const size_t corners = (size_t)triangles * 3;
    numbered_vertex *used = malloc(((size_t)vertices + 1) * sizeof *used);
    uint32_t *name = malloc(((size_t)vertices + 1) * sizeof *name); /* the place of each vertex */
    vp_status status = VP_OK;
    *out = (vp_shell){.place = malloc(((size_t)vertices + 1) * sizeof *out->place),
                      .number = malloc(((size_t)vertices + 1) * sizeof *out->number),
                      .corner = malloc(((size_t)triangles + 1) * sizeof *out->corner),
                      .part = malloc(((size_t)triangles + 1) * sizeof *out->part)};
    if (used == NULL || name == NULL || out->place == NULL || out->number == NULL || out->corner == NULL || out->part == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", triangles);
    } else {
        const uint32_t count = find_used(vertex, vertices, number, corners, used, name);
        if (weld && count > 0)
            qsort(used, count, sizeof *used, by_place);
        for (uint32_t i = 0; i < count; i++) {
            if (i == 0 || !weld || by_place(&used[i - 1], &used[i]) != 0) {
                out->place[out->places] = used[i].place;
                out->number[out->places++] = used[i].number;
            }
            name[used[i].number] = out->places - 1;
        }
        for (size_t i = 0; i < corners; i += 3) {
            const uint32_t a = name[number[i]], b = name[number[i + 1]], c = name[number[i + 2]];
            if (weld && (a == b || b == c || c == a))
                continue;
            memcpy(out->corner[out->triangles++], (uint32_t[3]){a, b, c}, sizeof *out->corner);
        }
    }
    free(used);
    free(name);
    return status;
}

void vp_shell_drop(vp_shell *s)
{
    free(s->place);
    free(s->number);
    free(s->corner);
    free(s->part);
    *s = (vp_shell){0};
}

/* ---- edges ---- */

static int by_ends(const void *a, const void *b)
{
    const vp_half_edge *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high < y->high ? -1 : x->high > y->high;
}

vp_half_edge *vp_shell_edges(const vp_shell *s)
{
    const size_t count = (size_t)s->triangles * 3;
    vp_half_edge *edge = malloc((count + 1) * sizeof *edge);
    for (size_t i = 0; edge != NULL && i < count; i++) {
        const uint32_t from = s->corner[i / 3][i % 3], to = s->corner[i / 3][(i + 1) % 3], t = (uint32_t)(i / 3);
        edge[i] = from < to ? (vp_half_edge){from, to, 1, t} : (vp_half_edge){to, from, -1, t};
        if (from == to)
            edge[i].way = 0;
    }
    if (edge != NULL && count > 0)
        qsort(edge, count, sizeof *edge, by_ends);
    return edge;
}

/* The first triangle of a connected part, as far as it is known. Each triangle points to one that is not after it. */
static uint32_t first_of(uint32_t *part, uint32_t t)
{
    while (part[t] != t) {
        part[t] = part[part[t]];
        t = part[t];
    }
    return t;
}

static void join(uint32_t *part, uint32_t a, uint32_t b)
{
    a = first_of(part, a);
    b = first_of(part, b);
    part[a < b ? b : a] = a < b ? a : b;
}

vp_status vp_shell_close(vp_shell *s, char reason[VP_REASON_BYTES], vp_error *error)
{
    const size_t count = (size_t)s->triangles * 3;
    vp_half_edge *edge = vp_shell_edges(s);
    if (edge == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu edges", count);
    for (uint32_t t = 0; t < s->triangles; t++)
        s->part[t] = t;
    for (size_t i = 0; i < count && reason[0] == '\0';) {
        int64_t sum = 0;
        const vp_half_edge first = edge[i];
        for (; i < count && edge[i].low == first.low && edge[i].high == first.high; i++) {
            sum += edge[i].way;
            join(s->part, first.triangle, edge[i].triangle);
        }
        if (sum != 0)
            vp_reason_say(reason,
                          "the surface is open: the edge between vertices %u and %u is gone along %lld "
                          "time%s more one way than the other",
                          s->number[first.low], s->number[first.high], llabs((long long)sum), llabs((long long)sum) == 1 ? "" : "s");
    }
    s->parts = 0;
    for (uint32_t t = 0; t < s->triangles; t++)
        s->part[t] = first_of(s->part, t);
    for (uint32_t t = 0; t < s->triangles; t++) /* the first triangle of a part comes before the others */
        s->part[t] = s->part[t] == t ? s->parts++ : s->part[s->part[t]];
    free(edge);
    return VP_OK;
}
