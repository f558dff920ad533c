/* SPDX-License-Identifier: MIT */
/* Sets of solids: what each says of its surface is counted anew, half-edge by half-edge; volumes by hand; places; names that are none. */
#include "tests/support/check.h"

#include "datasets/datasets.h"
#include "datasets/kinds/kind.h"
#include "datasets/solid_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static vp_manifest *manifest;
static vp_store *store;

static int open_all(void **state)
{
    (void)state;
    assert_ok(vp_manifest_open(NULL, &manifest, &error));
    assert_ok(vp_store_create(manifest, 1, &store, &error));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    vp_store_destroy(store);
    vp_manifest_close(manifest);
    return 0;
}

static const vp_solid_set *open_set(const char *name)
{
    const vp_data *data;
    assert_ok(vp_store_open(store, &vp_kind_solids, name, &data, &error));
    return data->set;
}

/* ---- what a mesh is ---- */

typedef struct half_edge {
    uint32_t from, to;
} half_edge;

static int by_ends(const void *a, const void *b)
{
    const half_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static vp_solid_surface surface_of(const vp_triangles *mesh)
{
    const size_t count = (size_t)mesh->triangle_count * 3;
    half_edge *edge = malloc((count + 1) * sizeof *edge);
    vp_solid_surface surface = VP_SOLID_CLOSED;
    assert_non_null(edge);
    for (size_t i = 0; i < count; i++) {
        edge[i] = (half_edge){mesh->index[i], mesh->index[i % 3 == 2 ? i - 2 : i + 1]};
        assert_true(edge[i].from < mesh->vertex_count);
        if (edge[i].from == edge[i].to)
            surface = VP_SOLID_TANGLED;
    }
    qsort(edge, count, sizeof *edge, by_ends);
    for (size_t i = 0; i < count && surface != VP_SOLID_TANGLED; i++) {
        const half_edge opposite = {edge[i].to, edge[i].from};
        if (i > 0 && by_ends(&edge[i - 1], &edge[i]) == 0)
            surface = VP_SOLID_TANGLED;
        else if (bsearch(&opposite, edge, count, sizeof *edge, by_ends) == NULL)
            surface = VP_SOLID_OPEN;
    }
    free(edge);
    return surface;
}

/* Pieces that share no vertex: the least number of a piece's vertices goes from corner to corner until nothing changes. */
static uint32_t shells_of(const vp_triangles *mesh)
{
    uint32_t *least = malloc(((size_t)mesh->vertex_count + 1) * sizeof *least), shells = 0;
    assert_non_null(least);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        least[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < (size_t)mesh->triangle_count * 3; i++) {
            uint32_t *a = &least[mesh->index[i]], *b = &least[mesh->index[i % 3 == 2 ? i - 2 : i + 1]];
            changed = changed || *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        shells += least[i] == i;
    free(least);
    return shells;
}

static double volume_of(const vp_triangles *mesh)
{
    double six = 0.0;
    const vp_vec3 o = mesh->vertex_count > 0 ? mesh->vertex[0] : (vp_vec3){0, 0, 0};
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double p[3][3];
        for (int k = 0; k < 3; k++) {
            const vp_vec3 v = mesh->vertex[mesh->index[t * 3 + (uint32_t)k]];
            p[k][0] = (double)v.x - (double)o.x;
            p[k][1] = (double)v.y - (double)o.y;
            p[k][2] = (double)v.z - (double)o.z;
        }
        six += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return six / 6.0;
}

static void each_mesh_is_what_it_says(void **state)
{
    (void)state;
    uint32_t sets = 0;
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *d = vp_manifest_entry(manifest, i);
        if (d->kind != &vp_kind_solids || d->on_demand)
            continue;
        const vp_solid_set *set = open_set(d->name);
        assert_int_equal(set->count, d->count);
        for (uint32_t s = 0; s < set->count; s++) {
            const vp_solid *solid = &set->solid[s];
            const vp_triangles *mesh = &solid->mesh;
            if (surface_of(mesh) != solid->surface || shells_of(mesh) != solid->shells)
                fail_msg("%s, number %u: surface %d and %u shells", d->name, s, (int)surface_of(mesh), shells_of(mesh));
            for (uint32_t v = 0; v < mesh->vertex_count; v++)
                assert_true(fabsf(mesh->vertex[v].x) <= 1100.0f && fabsf(mesh->vertex[v].y) <= 1100.0f &&
                            fabsf(mesh->vertex[v].z) <= 1100.0f);
        }
        sets++;
    }
    assert_true(sets >= 20);
}

/* ---- shapes known by hand ---- */

static const struct {
    const char *name;
    uint32_t triangles, vertices, shells, optimum;
    double volume; /* in millions; 0: not known by hand */
} known[] = {
    {"solid-box", 56, 30, 1, 1, 125},
    {"solid-l", 240, 122, 1, 2, 109.375},
    {"solid-t", 240, 122, 1, 2, 109.375},
    {"solid-u", 336, 170, 1, 3, 156.25},
    {"solid-cross", 432, 218, 1, 3, 104},
    {"solid-frame", 288, 144, 1, 4, 36},
    {"solid-open-box", 396, 200, 1, 5, 331.6875},
    {"solid-steps", 576, 290, 1, 3, 270},
    {"solid-stairs", 400, 202, 1, 8, 281.25},
    {"solid-comb", 0, 0, 1, 21, 49.75},
    {"solid-wall-window", 0, 0, 1, 4, 90},
    {"solid-hollow", 624, 316, 2, 6, 488},
    {"solid-holes", 704, 336, 1, 8, 128},
    {"solid-slot", 116, 60, 1, 3, 249},
    {"solid-crack", 140, 72, 1, 3, 249.825},
    {"solid-plate-l", 28, 16, 1, 2, 0},
    {"solid-ring", 1024, 512, 1, 0, 0},
    {"solid-gear", 1056, 528, 1, 0, 0},
    {"solid-torus", 2304, 1152, 1, 0, 0},
    {"solid-edge-cubes", 24, 14, 1, 2, 250},
};

static void shapes_have_the_counts_and_volumes_of_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const vp_solid *s = &open_set(known[i].name)->solid[0];
        const double volume = volume_of(&s->mesh) / 1e6;
        if (s->shells != known[i].shells || s->optimum != known[i].optimum || volume <= 0.0 ||
            (known[i].triangles != 0 && (s->mesh.triangle_count != known[i].triangles || s->mesh.vertex_count != known[i].vertices)) ||
            (known[i].volume > 0.0 && fabs(volume - known[i].volume) > 1e-9 * known[i].volume))
            fail_msg("%s: %u triangles, %u vertices, %u shells, optimum %u, volume %.12g", known[i].name, s->mesh.triangle_count,
                     s->mesh.vertex_count, s->shells, s->optimum, volume);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mesh_is_what_it_says),
        cmocka_unit_test(shapes_have_the_counts_and_volumes_of_hand),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
