/* SPDX-License-Identifier: MIT */
/* Properties of the data sets. The manifest's hashes detect any changed bit. This test checks that each set has the right hash, which bytes
 * a hash covers, and that worlds are as their names say. */
#include "tests/support/check.h"

#include "datasets/datasets.h"
#include "datasets/hash.h"
#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

#include <jansson.h>
#include <stdio.h>

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

/* ---- every set ---- */

static void open_checked(const char *name)
{
    const vp_data *data;
    assert_ok(vp_store_open_any(store, name, &data, &error));
    if (!data->checked)
        fail_msg("%s has no hash", name);
}

/* All sets of a world, or of meshes. A single mesh has no chunk per ray. */
static void open_owned(const vp_dataset *owner)
{
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *d = vp_manifest_entry(manifest, i);
        char name[100];
        snprintf(name, sizeof name, "%s/%s", owner->name, d->name);
        if (d->kind->owner == owner->kind && (strcmp(d->name, "cold") != 0 || strncmp(owner->name, "world-", 6) != 0))
            open_checked(name);
    }
}

/* Larger worlds, sets made on demand, and sets larger than their usual count are checked when they are used. */
static void every_set_has_its_hash(void **state)
{
    uint32_t opened = 0;
    (void)state;
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *d = vp_manifest_entry(manifest, i);
        uint64_t hash;
        if (d->kind->owner == NULL && !vp_manifest_hash(manifest, d->name, &hash))
            fail_msg("%s has no hash", d->name);
        if (d->kind->owner != NULL || d->on_demand || (uint64_t)d->size.x * d->size.y * d->size.z > 1u << 23)
            continue;
        open_checked(d->name);
        open_owned(d);
        opened++;
        vp_store_empty(store);
    }
    open_checked("solid-torus/large-far");
    open_checked("cone/1000");
    open_checked("churn/1000");
    assert_true(opened > 110);
}

/* ---- hashed bytes ---- */

typedef struct bytes {
    uint8_t of[3000];
    size_t size;
} bytes;

static void put_words(bytes *b, const void *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, 4);
        for (int k = 0; k < 4; k++)
            b->of[b->size++] = (uint8_t)(word >> 8 * k);
    }
}

#define WORDS(b, type, ...) put_words(b, (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / 4)

static void expect_hash(bytes *b, const vp_kind *kind, const void *set)
{
    if (vp_set_hash(kind, set) != vp_hash64(b->of, b->size))
        fail_msg("the hash of %s is not of their fields", kind->words);
    b->size = 0;
}

static void hashes_are_of_the_fields(void **state)
{
    static bytes b;
    static const vp_vec3 corners[4] = {{1, 2, 3}, {-0.0f, 5, 6}, {7, 8.5f, 9}, {0, 1, 0}};
    static const uint32_t quad[4] = {3, 1, 0, 2}, triangle[3] = {2, 1, 0};
    static const uint8_t of_quad[1] = {77}, of_triangle[1] = {5};
    (void)state;
    vp_triangles mesh[2] = {{corners, quad, 4, 2, true}, {corners, triangle, 3, 1, false}};
    const uint8_t *material[2] = {of_quad, of_triangle};
    const vp_mesh_set meshes = {.count = 2, .mesh = mesh, .material = material};
    WORDS(&b, uint32_t, 2, 4, 2, 1);
    put_words(&b, corners, 12);
    put_words(&b, quad, 4);
    b.of[b.size++] = 77;
    WORDS(&b, uint32_t, 3, 1, 0);
    put_words(&b, corners, 9);
    put_words(&b, triangle, 3);
    b.of[b.size++] = 5;
    expect_hash(&b, &vp_kind_meshes, &meshes);

    vp_ray ray = {{1, 2, 3}, {-0.0f, 0, 1}, 512};
    vp_aabb box = {{1, 2, 3}, {4, 5.5f, -0.0f}};
    uint32_t number = 9;
    WORDS(&b, uint32_t, 1, 9);
    WORDS(&b, float, 1, 2, 3, -0.0f, 0, 1, 512);
    expect_hash(&b, &vp_kind_rays, &(vp_ray_set){1, &ray, &number});
    WORDS(&b, uint32_t, 1, 9);
    WORDS(&b, float, 1, 2, 3, 4, 5.5f, -0.0f);
    expect_hash(&b, &vp_kind_mesh_boxes, &(vp_mesh_box_set){1, &box, &number});
    WORDS(&b, uint32_t, 1);
    WORDS(&b, float, 1, 2, 3, 4, 5.5f, -0.0f);
    expect_hash(&b, &vp_kind_boxes, &(vp_box_set){.count = 1, .box = &box});

    vp_edit edit = {VP_EDIT_SPHERE, {-1, 2, 3}, {4, 5, 6}, {7, 8, 9.25f}, 10, {11, 12}};
    WORDS(&b, int32_t, 1, 2, -1, 2, 3, 4, 5, 6);
    WORDS(&b, float, 7, 8, 9.25f, 10);
    b.of[b.size++] = 11;
    b.of[b.size++] = 12;
    expect_hash(&b, &vp_kind_edits, &(vp_edit_set){1, &edit});

    vp_world *world = NULL;
    assert_ok(vp_world_create(&(vp_world_def){.size = {16, 8, 8}}, &world, &error));
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){9, 2, 3}, (vp_voxel){77, 99}, NULL, &error));
    memset(&b, 0, sizeof b);
    WORDS(&b, uint32_t, 16, 8, 8);
    b.of[12 + 512 + 2 * 64 + 3 * 8 + 1] = 77; /* brick 1, slice 2, row 3, column 1 */
    b.of[12 + 1024 + 512 + 2 * 64 + 3 * 8 + 1] = 99;
    b.size = 12 + 2 * 1024;
    expect_hash(&b, &vp_kind_world, world);
    vp_world_destroy(world);
}

/* ---- contents of worlds ---- */

static void worlds_are_as_their_names_say(void **state)
{
    static const struct {
        const char *name;
        double water[2], solid[2], mixed[2]; /* share of voxels, and of chunks: from, to */
        size_t solids;                       /* minimum number of materials */
    } worlds[] = {{"terrain-l2", {0.01, 0.1}, {0.3, 0.5}, {0.35, 0.6}, 8},   {"terrain-l3", {0.01, 0.1}, {0.3, 0.5}, {0.35, 0.5}, 8},
                  {"terrain-230k", {0.005, 0.1}, {0.2, 0.5}, {0.2, 0.6}, 8}, {"sparse", {0, 0.01}, {0.01, 0.02}, {1, 1}, 9},
                  {"dense", {0.015, 0.025}, {0.955, 0.965}, {1, 1}, 9},      {"random-10", {0.02, 0.03}, {0.07, 0.08}, {1, 1}, 9},
                  {"random-50", {0.12, 0.13}, {0.37, 0.38}, {1, 1}, 9},      {"random-90", {0.22, 0.23}, {0.67, 0.68}, {1, 1}, 9},
                  {"all-mixed", {0.31, 0.315}, {0.31, 0.315}, {1, 1}, 9},    {"checker", {0, 0}, {0.5, 0.5}, {1, 1}, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        const vp_data *data;
        json_t *of = NULL;
        assert_ok(vp_store_open(store, &vp_kind_world, worlds[i].name, &data, &error));
        assert_ok(data->kind->contents(data, &of, &error));
        const vp_dims size = vp_world_size(data->set);
        const double voxels = (double)size.x * size.y * size.z;
        const double water = json_number_value(json_object_get(of, "water")) / voxels;
        const double solid = json_number_value(json_object_get(of, "solid")) / voxels;
        const double mixed = json_number_value(json_object_get(of, "chunks_mixed")) / voxels * 512;
        const size_t materials = json_object_size(json_object_get(of, "materials"));
        if (water < worlds[i].water[0] || water > worlds[i].water[1] || solid < worlds[i].solid[0] || solid > worlds[i].solid[1] ||
            mixed < worlds[i].mixed[0] || mixed > worlds[i].mixed[1] || materials < worlds[i].solids + (water > 0) + (water + solid < 1))
            fail_msg("%s: %.4f water, %.4f solid, %.4f mixed, %zu materials", worlds[i].name, water, solid, mixed, materials);
        json_decref(of);
    }
}

static void edits_are_applied(void **state)
{
    vp_world *world = NULL;
    size_t filled = 0;
    (void)state;
    assert_ok(vp_world_create(&(vp_world_def){.size = {16, 16, 16}}, &world, &error));
    const vp_edit of[] = {{.shape = VP_EDIT_VOXEL, .low = {1, 2, 3}, .voxel = {7, 255}},
                          {.shape = VP_EDIT_BOX, .low = {4, -2, 4}, .high = {6, 1, 7}, .voxel = {8, 255}},
                          {.shape = VP_EDIT_SPHERE, .centre = {10, 10, 10}, .radius = 1, .voxel = {9, 255}}};
    for (size_t i = 0; i < 3; i++)
        assert_ok(vp_edit_apply(&of[i], world, NULL, &error));
    for (int32_t i = 0; i < 16 * 16 * 16; i++)
        filled += vp_world_voxel(world, (vp_ivec3){i % 16, i / 256, i / 16 % 16}).material != VP_AIR;
    assert_int_equal(filled, 1 + 2 * 3 + 8);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){1, 2, 3}).material, 7);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){5, 0, 6}).material, 8);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){9, 10, 9}).material, 9);
    assert_refused(vp_edit_apply(&(vp_edit){.shape = 3}, NULL, NULL, &error), VP_E_ARGUMENT, "3");
    vp_world_destroy(world);
}

static void no_boxes_at_all(void **state)
{
    vp_box_set set;
    (void)state;
    assert_ok(vp_box_set_create(0, &set, &error));
    vp_box_set_split(&set);
    assert_int_equal(vp_box_set_boxes(&set).count, 0);
    vp_box_set_destroy(&set);
    vp_box_set_destroy(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_has_its_hash),
        cmocka_unit_test(hashes_are_of_the_fields),
        cmocka_unit_test(worlds_are_as_their_names_say),
        cmocka_unit_test(edits_are_applied),
        cmocka_unit_test(no_boxes_at_all),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
