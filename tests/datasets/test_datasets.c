/* SPDX-License-Identifier: MIT */
/* What the data sets are: the same every time, as their descriptions say, and as their hashes say. Oracles: the voxels
   themselves, read one by one; byte layouts written out by hand; an array that edits are applied to independently. */
#include "tests/support/check.h"
#include "tests/support/sets.h"

#include "datasets/datasets.h"
#include "datasets/hash.h"

#include <stdio.h>
#include <stdlib.h>

static vp_manifest *manifest;

static int open_manifest(void **state)
{
    (void)state;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) == VP_OK)
        return 0;
    print_error("%s\n", error.message);
    return -1;
}

static int close_manifest(void **state)
{
    (void)state;
    vp_manifest_close(manifest);
    return 0;
}

/* ---- a world as plain arrays ---- */

typedef struct plain {
    vp_world *world;
    vp_dims size;
    uint8_t *material, *occupancy; /* rows */
} plain;

static size_t plain_index(const plain *p, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)y * p->size.z + z) * p->size.x + x;
}

static plain open_plain(const char *name)
{
    plain p = {0};
    assert_ok(take_world(manifest, name, &p.world, &error)); /* checks the hash */
    p.size = vp_world_size(p.world);
    size_t voxels = (size_t)p.size.x * p.size.y * p.size.z;
    p.material = malloc(voxels);
    p.occupancy = malloc(voxels);
    assert_non_null(p.material);
    assert_non_null(p.occupancy);
    assert_ok(vp_world_read_rows(p.world, (vp_ivec3){0, 0, 0}, p.size, p.material, p.occupancy, &error));
    return p;
}

static void close_plain(plain *p)
{
    vp_world_destroy(p->world);
    free(p->material);
    free(p->occupancy);
}

static int class_of(uint8_t material)
{
    return material >= 2 ? 2 : material;
}

/* The tag of a chunk, voxel by voxel. */
static vp_chunk_class brute_tag(const plain *p, uint32_t cx, uint32_t cy, uint32_t cz)
{
    bool seen[3] = {false, false, false};
    for (int y = (int)cy * 8 - 1; y <= (int)cy * 8 + 8; y++)
        for (int z = (int)cz * 8 - 1; z <= (int)cz * 8 + 8; z++)
            for (int x = (int)cx * 8 - 1; x <= (int)cx * 8 + 8; x++) {
                bool inside = x >= 0 && y >= 0 && z >= 0 && x < (int)p->size.x && y < (int)p->size.y && z < (int)p->size.z;
                seen[inside ? class_of(p->material[plain_index(p, (uint32_t)x, (uint32_t)y, (uint32_t)z)]) : 0] = true;
                if (seen[0] + seen[1] + seen[2] > 1)
                    return VP_CHUNK_MIXED;
            }
    return seen[0] ? VP_CHUNK_EMPTY : seen[1] ? VP_CHUNK_FULL_WATER : VP_CHUNK_FULL_SOLID;
}

static void count_tags(const plain *p, double share[4])
{
    uint32_t count[4] = {0}, nx = p->size.x / 8, ny = p->size.y / 8, nz = p->size.z / 8;
    for (uint32_t cy = 0; cy < ny; cy++)
        for (uint32_t cz = 0; cz < nz; cz++)
            for (uint32_t cx = 0; cx < nx; cx++)
                count[brute_tag(p, cx, cy, cz)]++;
    for (int t = 0; t < 4; t++)
        share[t] = (double)count[t] / ((double)nx * ny * nz);
}

static void check_share(const char *name, const char *what, double share, double low, double high)
{
    if (share < low || share > high)
        fail_msg("%s: the share of %s is %.4f, not from %.4f to %.4f", name, what, share, low, high);
}

/* ---- hashes ---- */

static uint8_t *put_u32(uint8_t *to, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        *to++ = (uint8_t)(v >> 8 * i);
    return to;
}

static uint8_t *put_float(uint8_t *to, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return put_u32(to, bits);
}

static void world_hash_is_of_size_materials_occupancies(void **state)
{
    (void)state;
    vp_world *world = NULL;
    assert_ok(vp_world_create(&(vp_world_def){.size = {16, 8, 8}}, &world, &error));
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){9, 2, 3}, (vp_voxel){77, 99}, NULL, &error));
    static uint8_t bytes[12 + 2 * 1024];
    put_u32(put_u32(put_u32(bytes, 16), 8), 8);
    bytes[12 + 512 + 2 * 64 + 3 * 8 + 1] = 77; /* brick 1, slice 2, row 3, column 1 */
    bytes[12 + 1024 + 512 + 2 * 64 + 3 * 8 + 1] = 99;
    assert_true(vp_kind_world.hash(world) == vp_hash64(bytes, sizeof bytes));
    vp_world_destroy(world);
}

static void box_and_edit_hashes_are_of_their_fields(void **state)
{
    (void)state;
    vp_box_set boxes;
    assert_ok(vp_box_set_create(1, &boxes, &error));
    boxes.box[0] = (vp_aabb){{1, 2, 3}, {4, 5.5f, -0.0f}};
    uint8_t bytes[64], *to = put_u32(bytes, 1);
    static const float corners[6] = {1, 2, 3, 4, 5.5f, -0.0f};
    for (int i = 0; i < 6; i++)
        to = put_float(to, corners[i]);
    assert_true(vp_kind_boxes.hash(&boxes) == vp_hash64(bytes, (size_t)(to - bytes)));
    vp_box_set_destroy(&boxes);

    vp_edit edit = {
        .shape = VP_EDIT_SPHERE, .low = {-1, 2, 3}, .high = {4, 5, 6}, .centre = {7, 8, 9.25f}, .radius = 10, .voxel = {11, 12}};
    vp_edit_set edits = {1, &edit};
    to = put_u32(put_u32(bytes, 1), 2);
    static const int whole[6] = {-1, 2, 3, 4, 5, 6};
    for (int i = 0; i < 6; i++)
        to = put_u32(to, (uint32_t)whole[i]);
    to = put_float(put_float(put_float(put_float(to, 7), 8), 9.25f), 10);
    *to++ = 11;
    *to++ = 12;
    assert_true(vp_kind_edits.hash(&edits) == vp_hash64(bytes, (size_t)(to - bytes)));
}

/* ---- every set ---- */

/* Worlds that are quick to make in every build; the larger ones are checked whenever they are used. */
static bool is_quick(const vp_dataset *d)
{
    return d->kind == &vp_kind_world && (size_t)d->size.x * d->size.y * d->size.z <= (size_t)256 * 128 * 256;
}

static void check_boxes(const plain *p, const char *name, double least, double most)
{
    vp_box_set set;
    assert_ok(TAKE(boxes, manifest, name, p->world, &set, &error)); /* checks the hash */
    assert_int_equal(set.count, 65536);
    double shortest = 1e9, longest = 0;
    for (uint32_t i = 0; i < set.count; i++) {
        const vp_aabb *b = &set.box[i];
        const double low[3] = {b->min.x, b->min.y, b->min.z}, high[3] = {b->max.x, b->max.y, b->max.z};
        uint32_t chunk[3];
        for (int axis = 0; axis < 3; axis++) {
            double edge = high[axis] - low[axis], middle = (high[axis] + low[axis]) / 2;
            if (!(edge >= least && edge <= most))
                fail_msg("%s: box %u has an edge of %.9g", name, i, edge);
            shortest = edge < shortest ? edge : shortest;
            longest = edge > longest ? edge : longest;
            assert_true(middle >= 0);
            chunk[axis] = (uint32_t)(middle / 8);
            if ((float)low[axis] != set.component[axis][i] || (float)high[axis] != set.component[axis + 3][i])
                fail_msg("%s: box %u is another in the six arrays", name, i);
        }
        assert_true(chunk[0] < p->size.x / 8 && chunk[1] < p->size.y / 8 && chunk[2] < p->size.z / 8);
        if (brute_tag(p, chunk[0], chunk[1], chunk[2]) != VP_CHUNK_MIXED)
            fail_msg("%s: the middle of box %u is not in a mixed chunk", name, i);
    }
    /* 12288 draws come near both ends. */
    assert_true(shortest < least + 0.02 * (most - least));
    assert_true(longest > most - 0.02 * (most - least));
    vp_boxes six = vp_box_set_boxes(&set);
    assert_int_equal(six.count, set.count);
    assert_ptr_equal(six.min_x, set.component[0]);
    assert_ptr_equal(six.max_z, set.component[5]);
    vp_box_set_destroy(&set);
}

/* Applies a sequence to the world and, by the definitions of the edits, to the arrays. */
static void check_edits(plain *p, const char *name)
{
    vp_edit_set set;
    vp_chunk_set stale;
    assert_ok(TAKE(edits, manifest, name, p->world, &set, &error));
    assert_ok(vp_chunk_set_create(vp_world_chunks(p->world), NULL, &stale, &error));
    assert_int_equal(set.count, 1000);
    uint32_t shapes[3] = {0}, classes[3] = {0};
    for (uint32_t i = 0; i < set.count; i++) {
        const vp_edit *e = &set.edit[i];
        assert_ok(vp_edit_apply(e, p->world, &stale, &error));
        shapes[e->shape]++;
        classes[class_of(e->voxel.material)]++;
        int low[3] = {e->low.x, e->low.y, e->low.z}, high[3] = {e->high.x, e->high.y, e->high.z};
        const float c[3] = {e->centre.x, e->centre.y, e->centre.z};
        for (int axis = 0; axis < 3; axis++) {
            if (e->shape == VP_EDIT_VOXEL)
                high[axis] = low[axis] + 1;
            if (e->shape == VP_EDIT_SPHERE) {
                low[axis] = (int)c[axis] - 8;
                high[axis] = (int)c[axis] + 9;
            }
        }
        for (int y = low[1]; y < high[1]; y++)
            for (int z = low[2]; z < high[2]; z++)
                for (int x = low[0]; x < high[0]; x++) {
                    double dx = x + 0.5 - (double)c[0], dy = y + 0.5 - (double)c[1], dz = z + 0.5 - (double)c[2];
                    bool inside = x >= 0 && y >= 0 && z >= 0 && x < (int)p->size.x && y < (int)p->size.y && z < (int)p->size.z;
                    double r = (double)e->radius; /* quarters: exact in both precisions */
                    if (!inside || (e->shape == VP_EDIT_SPHERE && dx * dx + dy * dy + dz * dz > r * r))
                        continue;
                    size_t at = plain_index(p, (uint32_t)x, (uint32_t)y, (uint32_t)z);
                    p->material[at] = e->voxel.material;
                    p->occupancy[at] = e->voxel.occupancy;
                }
    }
    for (int i = 0; i < 3; i++)
        if (shapes[i] < 150 || classes[i] < 50)
            fail_msg("%s: %u edits of shape %d, %u of class %d", name, shapes[i], i, classes[i], i);
    assert_true(vp_chunk_set_count(&stale) > 0);

    size_t voxels = (size_t)p->size.x * p->size.y * p->size.z;
    uint8_t *material = malloc(voxels), *occupancy = malloc(voxels);
    assert_non_null(material);
    assert_non_null(occupancy);
    assert_ok(vp_world_read_rows(p->world, (vp_ivec3){0, 0, 0}, p->size, material, occupancy, &error));
    for (size_t i = 0; i < voxels; i++)
        if (material[i] != p->material[i] || occupancy[i] != p->occupancy[i])
            fail_msg("%s: after the edits voxel %zu is %d %d, not %d %d", name, i, material[i], occupancy[i], p->material[i],
                     p->occupancy[i]);
    free(material);
    free(occupancy);
    vp_chunk_set_destroy(&stale);
    vp_edit_set_destroy(&set);
}

static void every_set_is_as_its_hash_and_its_parameters_say(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double least, most;
    } boxes[] = {{"boxes-small", 0.5, 2}, {"boxes-medium", 3, 6}, {"boxes-large", 8, 16}};
    uint32_t checked = 0;
    for (size_t w = 0; w < vp_manifest_count(manifest); w++) {
        const vp_dataset *d = vp_manifest_entry(manifest, w);
        if (!is_quick(d) || d->on_demand)
            continue;
        char name[160];
        plain p = open_plain(d->name);
        assert_int_equal(p.size.x, d->size.x);
        assert_int_equal(p.size.y, d->size.y);
        assert_int_equal(p.size.z, d->size.z);
        for (size_t b = 0; b < sizeof boxes / sizeof boxes[0]; b++) {
            snprintf(name, sizeof name, "%s/%s", d->name, boxes[b].name);
            check_boxes(&p, name, boxes[b].least, boxes[b].most);
        }
        snprintf(name, sizeof name, "%s/edits-mixed", d->name);
        check_edits(&p, name);
        close_plain(&p);
        checked++;
    }
    assert_true(checked >= 9);
}

/* ---- what the worlds look like ---- */

typedef struct look {
    double air, water, solid; /* shares of the voxels */
    double partial;           /* share of partly filled ones among the solids that touch air */
    double overhung;          /* share of columns with something solid above air or water */
    uint32_t materials;       /* how many kinds of solids */
    uint32_t highest_water;   /* y */
    double lowest, highest;   /* ground: of the columns' highest solid voxels */
} look;

static look look_at(const plain *p)
{
    look l = {.lowest = 1e9};
    size_t count[256] = {0}, faces = 0, partial = 0, overhung = 0;
    vp_dims s = p->size;
    for (uint32_t z = 0; z < s.z; z++)
        for (uint32_t x = 0; x < s.x; x++) {
            uint32_t top = 0;
            bool solid_over_open = false;
            for (uint32_t y = 0; y < s.y; y++) {
                uint8_t m = p->material[plain_index(p, x, y, z)];
                count[m]++;
                if (m >= 2)
                    top = y;
                if (m == VP_WATER && y > l.highest_water)
                    l.highest_water = y;
                uint8_t above = y + 1 < s.y ? p->material[plain_index(p, x, y + 1, z)] : VP_AIR;
                solid_over_open = solid_over_open || (m < 2 && above >= 2);
                if (m >= 2 && above == VP_AIR) {
                    faces++;
                    partial += p->occupancy[plain_index(p, x, y, z)] < 255;
                }
            }
            overhung += solid_over_open;
            l.lowest = top < l.lowest ? top : l.lowest;
            l.highest = top > l.highest ? top : l.highest;
        }
    double voxels = (double)s.x * s.y * s.z;
    l.air = (double)count[VP_AIR] / voxels;
    l.water = (double)count[VP_WATER] / voxels;
    l.solid = 1 - l.air - l.water;
    l.partial = (double)partial / (double)faces;
    l.overhung = (double)overhung / ((double)s.x * s.z);
    for (int m = 2; m < 256; m++)
        l.materials += count[m] != 0;
    return l;
}

static void terrain_looks_like_terrain(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t water_level;
        double relief, full, mixed;
    } worlds[] = {{"terrain-l2", 23, 20, 0.005, 0.6}, {"terrain-l3", 53, 45, 0.03, 0.5}};
    for (size_t i = 0; i < 2; i++) {
        plain p = open_plain(worlds[i].name);
        look l = look_at(&p);
        double tags[4];
        count_tags(&p, tags);
        check_share(worlds[i].name, "air", l.air, 0.5, 0.65);
        check_share(worlds[i].name, "water", l.water, 0.01, 0.1);
        check_share(worlds[i].name, "solid", l.solid, 0.3, 0.5);
        check_share(worlds[i].name, "partly filled voxels on the ground", l.partial, 0.5, 1.0);
        check_share(worlds[i].name, "columns with overhangs or caves", l.overhung, 0.2, 0.99);
        check_share(worlds[i].name, "empty chunks", tags[VP_CHUNK_EMPTY], 0.4, 0.5);
        check_share(worlds[i].name, "full chunks", tags[VP_CHUNK_FULL_SOLID] + tags[VP_CHUNK_FULL_WATER], worlds[i].full, 0.15);
        check_share(worlds[i].name, "mixed chunks", tags[VP_CHUNK_MIXED], 0.35, worlds[i].mixed);
        assert_int_equal(l.highest_water, worlds[i].water_level);
        assert_true(l.materials >= 8);
        if (l.highest - l.lowest < worlds[i].relief)
            fail_msg("%s: the ground rises from %.0f to %.0f only", worlds[i].name, l.lowest, l.highest);
        close_plain(&p);
    }
}

/* The terrain that triangle trees are measured on has less of everything but ground. */
static void terrain_230k_has_hills_caves_and_lakes(void **state)
{
    (void)state;
    plain p = open_plain("terrain-230k");
    look l = look_at(&p);
    check_share("terrain-230k", "water", l.water, 0.005, 0.1);
    check_share("terrain-230k", "solid", l.solid, 0.2, 0.5);
    check_share("terrain-230k", "columns with overhangs or caves", l.overhung, 0.05, 0.3);
    assert_int_equal(l.highest_water, 17);
    assert_true(l.materials >= 8);
    if (l.highest - l.lowest < 25)
        fail_msg("terrain-230k: the ground rises from %.0f to %.0f only", l.lowest, l.highest);
    close_plain(&p);
}

/* Under a lake's surface there is water down to its bed, and no cave. */
static void lakes_are_filled(void **state)
{
    (void)state;
    plain p = open_plain("terrain-l3");
    uint32_t lakes = 0;
    for (uint32_t z = 0; z < p.size.z; z++)
        for (uint32_t x = 0; x < p.size.x; x++) {
            uint32_t y = p.size.y;
            while (y-- > 54 && p.material[plain_index(&p, x, y, z)] == VP_AIR)
                ;
            if (y != 53 || p.material[plain_index(&p, x, y, z)] != VP_WATER)
                continue;
            lakes++;
            assert_int_equal(p.occupancy[plain_index(&p, x, y, z)], 191); /* three quarters full */
            for (; y > 0 && p.material[plain_index(&p, x, y, z)] == VP_WATER; y--)
                if (p.material[plain_index(&p, x, y - 1, z)] == VP_AIR)
                    fail_msg("air under the lake at (%u, %u, %u)", x, y - 1, z);
        }
    assert_true(lakes > 1000);
    close_plain(&p);
}

static void noise_has_the_shares_that_its_name_says(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double filled, water;
    } worlds[] = {{"sparse", 0.02, 0.25},   {"dense", 0.98, 0.02},    {"random-10", 0.1, 0.25},
                  {"random-50", 0.5, 0.25}, {"random-90", 0.9, 0.25}, {"all-mixed", 0.625, 0.5}};
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        plain p = open_plain(worlds[i].name);
        size_t count[3] = {0}, voxels = (size_t)p.size.x * p.size.y * p.size.z, kinds[256] = {0};
        for (size_t v = 0; v < voxels; v++) {
            count[class_of(p.material[v])]++;
            kinds[p.material[v]]++;
            if (p.material[v] == VP_AIR)
                assert_int_equal(p.occupancy[v], 0);
        }
        /* 262144 draws or more: five deviations are below 0.005. */
        check_share(worlds[i].name, "filled voxels", 1 - (double)count[0] / (double)voxels, worlds[i].filled - 0.005,
                    worlds[i].filled + 0.005);
        check_share(worlds[i].name, "water", (double)count[1] / (double)voxels, worlds[i].filled * worlds[i].water - 0.005,
                    worlds[i].filled * worlds[i].water + 0.005);
        for (int m = 2; m < 11; m++)
            assert_true(kinds[m] > 0);
        double tags[4];
        count_tags(&p, tags);
        assert_true(tags[VP_CHUNK_MIXED] == 1.0);
        close_plain(&p);
    }
}

static void checker_alternates(void **state)
{
    (void)state;
    plain p = open_plain("checker");
    for (uint32_t y = 0; y < p.size.y; y++)
        for (uint32_t z = 0; z < p.size.z; z++)
            for (uint32_t x = 0; x < p.size.x; x++)
                assert_int_equal(p.material[plain_index(&p, x, y, z)], (x + y + z) % 2 == 0 ? VP_FIRST_SOLID : VP_AIR);
    close_plain(&p);
}

static void no_boxes_at_all(void **state)
{
    (void)state;
    vp_box_set set;
    assert_ok(vp_box_set_create(0, &set, &error));
    assert_int_equal(set.count, 0);
    vp_box_set_split(&set);
    assert_int_equal(vp_box_set_boxes(&set).count, 0);
    vp_box_set_destroy(&set);
    vp_box_set_destroy(&set);
    assert_refused(vp_edit_apply(&(vp_edit){.shape = 3}, NULL, NULL, &error), VP_E_ARGUMENT, "3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(world_hash_is_of_size_materials_occupancies),
        cmocka_unit_test(box_and_edit_hashes_are_of_their_fields),
        cmocka_unit_test(every_set_is_as_its_hash_and_its_parameters_say),
        cmocka_unit_test(terrain_looks_like_terrain),
        cmocka_unit_test(terrain_230k_has_hills_caves_and_lakes),
        cmocka_unit_test(lakes_are_filled),
        cmocka_unit_test(noise_has_the_shares_that_its_name_says),
        cmocka_unit_test(checker_alternates),
        cmocka_unit_test(no_boxes_at_all),
    };
    return cmocka_run_group_tests(tests, open_manifest, close_manifest);
}
