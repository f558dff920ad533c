/* SPDX-License-Identifier: MIT */
/* Sets of solids: what each says of its surface is counted anew, half-edge by half-edge; volumes by hand; places; names that are none. */
#include "tests/support/check.h"

#include "datasets/datasets.h"
#include "datasets/generate/model.h"
#include "datasets/kinds/kind.h"
#include "datasets/solid_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

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

/* ---- the manifest's sets ---- */

static const struct {
    const char *name;
    vp_solid_surface surface;
    uint32_t triangles, vertices, shells, optimum; /* of all of a set's solids but the optimum, which is of the first */
    double volume;                                 /* of the first, in millions; 0: not known by hand */
} known[] = {{"solid-box", VP_SOLID_CLOSED, 56, 30, 1, 1, 125},
             {"solid-l", VP_SOLID_CLOSED, 240, 122, 1, 2, 109.375},
             {"solid-t", VP_SOLID_CLOSED, 240, 122, 1, 2, 109.375},
             {"solid-u", VP_SOLID_CLOSED, 336, 170, 1, 3, 156.25},
             {"solid-cross", VP_SOLID_CLOSED, 432, 218, 1, 3, 104},
             {"solid-frame", VP_SOLID_CLOSED, 288, 144, 1, 4, 36},
             {"solid-open-box", VP_SOLID_CLOSED, 396, 200, 1, 5, 331.6875},
             {"solid-steps", VP_SOLID_CLOSED, 576, 290, 1, 3, 270},
             {"solid-stairs", VP_SOLID_CLOSED, 400, 202, 1, 8, 281.25},
             {"solid-comb", VP_SOLID_CLOSED, 956, 480, 1, 21, 49.75},
             {"solid-wall-window", VP_SOLID_CLOSED, 316, 158, 1, 4, 90},
             {"solid-hollow", VP_SOLID_CLOSED, 624, 316, 2, 6, 488},
             {"solid-holes", VP_SOLID_CLOSED, 704, 336, 1, 8, 128},
             {"solid-slot", VP_SOLID_CLOSED, 116, 60, 1, 3, 249},
             {"solid-crack", VP_SOLID_CLOSED, 140, 72, 1, 3, 249.825},
             {"solid-plate-l", VP_SOLID_CLOSED, 28, 16, 1, 2, 0},
             {"solid-plate-t", VP_SOLID_CLOSED, 36, 20, 1, 2, 0},
             {"solid-plate-u", VP_SOLID_CLOSED, 44, 24, 1, 3, 0},
             {"solid-ring", VP_SOLID_CLOSED, 1024, 512, 1, 0, 0},
             {"solid-gear", VP_SOLID_CLOSED, 1056, 528, 1, 0, 0},
             {"solid-torus", VP_SOLID_CLOSED, 2304, 1152, 1, 0, 0},
             {"solid-edge-cubes", VP_SOLID_TANGLED, 24, 14, 1, 2, 250},
             {"solid-arch", VP_SOLID_CLOSED, 1800, 902, 1, 0, 0},
             {"solid-bowl", VP_SOLID_CLOSED, 4096, 2050, 1, 0, 0},
             {"solid-bowl-sheet", VP_SOLID_OPEN, 1984, 1025, 1, 0, 0},
             {"solid-cup", VP_SOLID_CLOSED, 10752, 5376, 1, 0, 0},
             {"solid-curved-wall", VP_SOLID_CLOSED, 1284, 644, 1, 0, 0},
             {"solid-rotor", VP_SOLID_CLOSED, 4032, 2018, 1, 0, 0},
             {"solid-anchor", VP_SOLID_CLOSED, 912, 456, 1, 0, 0},
             {"solid-beast", VP_SOLID_CLOSED, 6428, 3216, 1, 0, 0},
             {"solid-blob", VP_SOLID_CLOSED, 6912, 3458, 1, 0, 0},
             {"solid-voronoi", VP_SOLID_CLOSED, 296, 172, 12, 12, 0},
             {"solid-csg", VP_SOLID_CLOSED, 69608, 35128, 165, 0, 0},
             {"solid-corner-cubes", VP_SOLID_CLOSED, 24, 15, 1, 2, 250},
             {"solid-three", VP_SOLID_CLOSED, 36, 24, 3, 3, 135},
             {"solid-crossed", VP_SOLID_CLOSED, 88, 48, 2, 2, 80},
             {"solid-glued", VP_SOLID_CLOSED, 64, 36, 2, 2, 109.375},
             {"solid-nested", VP_SOLID_CLOSED, 60, 34, 2, 1, 1064},
             {"solid-inner-wall", VP_SOLID_OPEN, 22, 16, 2, 1, 0},
             {"solid-fin", VP_SOLID_TANGLED, 14, 10, 1, 0, 0},
             {"solid-twice", VP_SOLID_TANGLED, 120, 32, 1, 2, 218.75},
             {"solid-degenerate", VP_SOLID_TANGLED, 75, 37, 1, 2, 109.375},
             {"solid-flipped", VP_SOLID_TANGLED, 60, 32, 1, 2, 0},
             {"solid-inside-out", VP_SOLID_CLOSED, 60, 32, 1, 0, -109.375},
             {"solid-torn", VP_SOLID_OPEN, 60, 180, 60, 2, 109.375},
             {"solid-shaken", VP_SOLID_OPEN, 60, 180, 60, 2, 0},
             {"solid-sheet", VP_SOLID_OPEN, 32, 25, 1, 0, 0},
             {"solid-lidless", VP_SOLID_OPEN, 40, 25, 1, 0, 0},
             {"solid-moebius", VP_SOLID_TANGLED, 48, 48, 1, 0, 0},
             {"solid-triangle", VP_SOLID_OPEN, 1, 3, 1, 0, 0},
             {"solid-blob-28k", VP_SOLID_CLOSED, 27648, 13826, 1, 0, 0},
             {"solid-surface", VP_SOLID_TANGLED, 3190, 1714, 4, 0, 0},
             {"solid-voxels", VP_SOLID_CLOSED, 3212, 1608, 1, 0, 0}};
enum { KNOWN = sizeof known / sizeof known[0] };

static void each_set_has_its_counts_and_volumes(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++) {
        const vp_solid_set *set = open_set(known[i].name);
        const double volume = volume_of(&set->solid[0].mesh) / 1e6;
        uint32_t triangles = 0, vertices = 0, shells = 0;
        for (uint32_t s = 0; s < set->count; s++) {
            const vp_solid *solid = &set->solid[s];
            triangles += solid->mesh.triangle_count;
            vertices += solid->mesh.vertex_count;
            shells += solid->shells;
            assert_int_equal(solid->shells, shells_of(&solid->mesh));
            assert_int_equal(surface_of(&solid->mesh), known[i].surface);
            assert_int_equal(solid->surface, known[i].surface);
            assert_true(solid->surface != VP_SOLID_CLOSED || known[i].volume < 0.0 || volume_of(&solid->mesh) > 0.0);
        }
        if (triangles != known[i].triangles || vertices != known[i].vertices || shells != known[i].shells ||
            set->solid[0].optimum != known[i].optimum ||
            (fabs(known[i].volume) > 0.0 && fabs(volume - known[i].volume) > 1e-7 * fabs(known[i].volume)))
            fail_msg("%s: %u triangles, %u vertices, %u shells, optimum %u, volume %.12g", known[i].name, triangles, vertices, shells,
                     set->solid[0].optimum, volume);
    }
}

static void all_sets_of_the_daily_run_are_known_here(void **state)
{
    (void)state;
    size_t sets = 0;
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *d = vp_manifest_entry(manifest, i);
        bool found = d->kind != &vp_kind_solids || d->on_demand;
        sets += !found;
        for (size_t k = 0; k < KNOWN && !found; k++)
            found = strcmp(known[k].name, d->name) == 0;
        if (!found)
            fail_msg("%s is not among the sets that this test knows", d->name);
    }
    assert_int_equal(sets, KNOWN);
}

static void round_shapes_have_the_volume_of_their_polygons(void **state)
{
    const double ring = 64.0 * sin(PI / 64.0) * (500.0 * 500.0 - 400.0 * 400.0) * 100.0;
    const double gear = 24.0 * sin(PI / 48.0) * (2.0 * (400.0 * 400.0 - 160.0 * 160.0) + (500.0 * 500.0 - 400.0 * 400.0)) * 150.0;
    (void)state;
    assert_true(fabs(volume_of(&open_set("solid-ring")->solid[0].mesh) / ring - 1.0) < 1e-6);
    assert_true(fabs(volume_of(&open_set("solid-gear")->solid[0].mesh) / gear - 1.0) < 1e-6);
}

/* ---- cells ---- */

/* How far a shell's corners are outside of one of its faces' planes. */
static double bulge_of(const vp_triangles *mesh, uint32_t first, uint32_t end)
{
    double most = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *at = mesh->index + (size_t)t * 3;
        if (at[0] < first || at[0] >= end)
            continue;
        const vp_vec3 a = mesh->vertex[at[0]], b = mesh->vertex[at[1]], c = mesh->vertex[at[2]];
        const double u[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
        const double v[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (uint32_t i = first; i < end && length > 100.0; i++) { /* of a sliver the plane says nothing */
            const vp_vec3 p = mesh->vertex[i];
            const double d = (n[0] * ((double)p.x - (double)a.x) + n[1] * ((double)p.y - (double)a.y) + n[2] * ((double)p.z - (double)a.z));
            most = d / length > most ? d / length : most;
        }
    }
    return most;
}

static void cells_are_convex_and_fill_the_block(void **state)
{
    (void)state;
    const vp_triangles *mesh = &open_set("solid-voronoi")->solid[0].mesh;
    uint32_t first = 0, cells = 0;
    while (first < mesh->vertex_count) { /* a cell's corners are numbered one behind the other */
        uint32_t end = first + 1;
        for (bool grown = true; grown;) {
            grown = false;
            for (size_t i = 0; i < (size_t)mesh->triangle_count * 3; i++)
                if (mesh->index[i / 3 * 3] >= first && mesh->index[i / 3 * 3] < end && mesh->index[i] >= end) {
                    end = mesh->index[i] + 1;
                    grown = true;
                }
        }
        assert_true(bulge_of(mesh, first, end) < 0.01);
        first = end;
        cells++;
    }
    assert_int_equal(cells, 12);
    const double share = volume_of(mesh) / (1000.0 * 600.0 * 800.0);
    assert_true(share > 0.96 && share < 0.995);
}

/* ---- places and names ---- */

static void places_scale_and_move(void **state)
{
    static const struct {
        vp_solid_place place;
        double scale, away;
    } places[] = {{VP_SOLID_SMALL, 1e-3, 0},
                  {VP_SOLID_LARGE, 1e3, 0},
                  {VP_SOLID_FAR, 1, 1000},
                  {VP_SOLID_SMALL_FAR, 1e-3, 1000},
                  {VP_SOLID_LARGE_FAR, 1e3, 1000}};
    (void)state;
    assert_int_equal(sizeof places / sizeof places[0], VP_SOLID_PLACES - 1);
    const vp_solid *made = &open_set("solid-frame")->solid[0];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "solid-frame/%s", vp_solid_place_name(places[i].place));
        const vp_solid *moved = &open_set(name)->solid[0];
        const double away = places[i].away * 1000.0;
        assert_int_equal(moved->mesh.triangle_count, made->mesh.triangle_count);
        assert_memory_equal(moved->mesh.index, made->mesh.index, (size_t)made->mesh.triangle_count * 3 * sizeof *made->mesh.index);
        assert_int_equal(moved->surface, VP_SOLID_CLOSED);
        assert_int_equal(moved->optimum, 4);
        for (uint32_t v = 0; v < made->mesh.vertex_count; v++) {
            const vp_vec3 a = made->mesh.vertex[v], b = moved->mesh.vertex[v];
            assert_true(b.x == (float)(((double)a.x + away) * places[i].scale) && b.y == (float)(((double)a.y + away) * places[i].scale) &&
                        b.z == (float)(((double)a.z + away) * places[i].scale));
        }
    }
}

static void other_names_are_refused(void **state)
{
    (void)state;
    const vp_data *data;
    assert_refused(vp_store_open(store, &vp_kind_solids, "solid-gear/tiny", &data, &error), VP_E_ARGUMENT, "\"solid-gear/tiny\"");
    assert_refused(vp_store_open(store, &vp_kind_solids, "solid-gear/", &data, &error), VP_E_ARGUMENT, "small, large, far");
    assert_refused(vp_store_open(store, &vp_kind_solids, "solid-nothing", &data, &error), VP_E_ARGUMENT, "\"solid-nothing\"");
    assert_string_equal(vp_solid_place_name(VP_SOLID_PLACES), "unknown");
}

/* ---- circles ---- */

static void turns_are_those_of_libm_and_quarters_exact(void **state)
{
    static const uint32_t parts[] = {4, 8, 12, 16, 24, 64, 96, 128, 768, 4096};
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (uint32_t k = 0; k <= parts[i]; k++) {
            double turn[2];
            vp_turn(k, parts[i], turn);
            assert_true(fabs(turn[0] - cos(2.0 * PI * k / parts[i])) < 1e-13 && fabs(turn[1] - sin(2.0 * PI * k / parts[i])) < 1e-13);
            if (k * 4 % parts[i] == 0)
                assert_true(fabs(turn[0]) + fabs(turn[1]) == 1.0);
        }
}

/* ---- "fuzz-<n>" ---- */

static void soups_are_of_all_surfaces_and_finite(void **state)
{
    uint32_t of[3] = {0}, empty = 0;
    (void)state;
    for (int n = 0; n < 60; n++) {
        char name[32];
        snprintf(name, sizeof name, "fuzz-%d", n);
        const vp_solid_set *set = open_set(name);
        assert_int_equal(set->count, 8);
        for (uint32_t i = 0; i < set->count; i++) {
            const vp_triangles *mesh = &set->solid[i].mesh;
            assert_int_equal(surface_of(mesh), set->solid[i].surface);
            assert_int_equal(shells_of(mesh), set->solid[i].shells);
            of[set->solid[i].surface]++;
            empty += mesh->triangle_count == 0;
            for (uint32_t v = 0; v < mesh->vertex_count; v++)
                assert_true(isfinite(mesh->vertex[v].x) && isfinite(mesh->vertex[v].y) && isfinite(mesh->vertex[v].z));
        }
        assert_int_not_equal(set->solid[2].surface, VP_SOLID_OPEN); /* cells, mended */
    }
    assert_true(of[VP_SOLID_CLOSED] > 50 && of[VP_SOLID_OPEN] > 10 && of[VP_SOLID_TANGLED] > 100 && empty > 0);
}

/* ---- without memory ---- */

/* The linker sends the allocations of everything but shared libraries here. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static long allocations_left = -1; /* that succeed before one fails; below 0: all do */

static bool must_fail(void)
{
    return allocations_left >= 0 && allocations_left-- == 0;
}

void *__wrap_malloc(size_t bytes)
{
    return must_fail() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return must_fail() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return must_fail() ? NULL : __real_realloc(old, bytes);
}

static void every_allocation_may_fail(void **state)
{
    static const char *const names[] = {"solid-l/far",      "solid-torus",      "solid-anchor", "solid-voronoi",
                                        "solid-shaken",     "solid-degenerate", "solid-fin",    "solid-lidless",
                                        "solid-bowl-sheet", "solid-surface",    "solid-voxels", "fuzz-3"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        long n = 0;
        vp_store *own = NULL;
        const vp_data *data;
        assert_ok(vp_store_create(manifest, 1, &own, &error));
        assert_ok(vp_store_open(own, &vp_kind_world, "terrain-l2", &data, &error)); /* which two of them are pieces of */
        for (vp_status status = VP_E_MEMORY; status != VP_OK; n++) {
            allocations_left = n;
            status = vp_store_open(own, &vp_kind_solids, names[i], &data, NULL);
            allocations_left = -1;
            if (status != VP_OK)
                assert_int_equal(status, VP_E_MEMORY);
        }
        vp_store_destroy(own);
        assert_true(n > 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_set_has_its_counts_and_volumes),
        cmocka_unit_test(all_sets_of_the_daily_run_are_known_here),
        cmocka_unit_test(round_shapes_have_the_volume_of_their_polygons),
        cmocka_unit_test(cells_are_convex_and_fill_the_block),
        cmocka_unit_test(places_scale_and_move),
        cmocka_unit_test(other_names_are_refused),
        cmocka_unit_test(turns_are_those_of_libm_and_quarters_exact),
        cmocka_unit_test(soups_are_of_all_surfaces_and_finite),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
