/* SPDX-License-Identifier: MIT */
/* The wide form of the sphere tree: its objects and its structure, in exact arithmetic, after random operations on many kinds of scenes,
 * and depth. The scene cases judge all queries by brute force (docs/CONTRACT.md: SPH-2, SPH-9). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/spheretree.h>

#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "tests/spheretree/structure.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"

#ifdef TEST_THIN
enum { OPERATIONS = 3000 / TEST_THIN, DEEP = 20000 / TEST_THIN };
#else
enum { OPERATIONS = 3000, DEEP = 40000 };
#endif

/* ---- a flat list ---- */

enum { MOST = 700, BATCH = 64 };

typedef enum scene_family { UNIFORM, CONCENTRIC, EQUAL, LINE, CLUSTERS, HUGE_AND_TINY, FAMILIES } scene_family;

typedef struct flat_scene {
    vp_spheretree_object object[MOST];
    bool there[MOST]; /* by id */
    uint32_t count;
    scene_family family;
} flat_scene;

static vp_sphere random_sphere(vp_random *r, scene_family family)
{
    const vp_vec3 side = {12, 12, 12};
    vp_sphere s = {{0, 0, 0}, vp_random_between(r, 0, 2)};
    if (family == UNIFORM)
        s.centre = vp_random_vec3(r, (vp_vec3){-12, -12, -12}, side);
    else if (family == EQUAL)
        s = (vp_sphere){{5, 6, 7}, 1};
    else if (family == LINE) /* some nearly touch */
        s = (vp_sphere){{(float)vp_random_below(r, 400), 0, vp_random_below(r, 2) == 0 ? 0 : 1 + 0x1p-22f}, 0.5f};
    else if (family == CLUSTERS)
        s.centre = (vp_vec3){(float)vp_random_below(r, 5) * 1000 + vp_random_unit(r), vp_random_unit(r), vp_random_unit(r)};
    else if (family == HUGE_AND_TINY) {
        const float scale = ldexpf(1, (int)vp_random_below(r, 150) - 90); /* to 2^60 */
        s.centre = vp_random_vec3(r, (vp_vec3){-scale, -scale, -scale}, (vp_vec3){scale, scale, scale});
        s.radius = scale * vp_random_unit(r);
    }
    return s;
}

/* Mostly a small step, sometimes another place. */
static vp_sphere random_step(vp_random *r, const flat_scene *f, uint32_t id)
{
    vp_sphere s = f->object[id].sphere;
    if (vp_random_below(r, 4) == 0 || f->family == HUGE_AND_TINY)
        return random_sphere(r, f->family);
    if (f->family != EQUAL && f->family != CONCENTRIC)
        s.centre = vp_vec3_add(s.centre, vp_random_vec3(r, (vp_vec3){-1, -1, -1}, (vp_vec3){1, 1, 1}));
    return s;
}

static uint32_t random_id(vp_random *r, const flat_scene *f)
{
    uint32_t id = vp_random_below(r, MOST);
    while (!f->there[id])
        id = (id + 1) % MOST;
    return id;
}

/* The tree has exactly these objects. The scene cases judge queries. */
static void check_objects(const vp_spheretree *tree, const flat_scene *f)
{
    assert_int_equal(vp_spheretree_stats_of(tree).objects, f->count);
    for (uint32_t id = 0; id < MOST; id++) {
        vp_spheretree_object found;
        assert_int_equal(vp_spheretree_find(tree, id, &found), f->there[id]);
        if (f->there[id])
            assert_true(memcmp(&found.sphere, &f->object[id].sphere, sizeof found.sphere) == 0 && found.mask == f->object[id].mask);
    }
    check_tree(tree);
}

/* ---- operations ---- */

static void insert_some(vp_spheretree *tree, flat_scene *f, vp_random *r, uint32_t count)
{
    vp_spheretree_object object[MOST];
    uint32_t id[MOST];
    for (uint32_t i = 0; i < count; i++)
        object[i] =
            (vp_spheretree_object){random_sphere(r, f->family), i, vp_random_below(r, 8) == 0 ? 1u << vp_random_below(r, 32) : 3, 0};
    assert_ok(vp_spheretree_insert_batch(tree, object, count, id, &error));
    for (uint32_t i = 0; i < count; i++) {
        assert_in_range(id[i], 0, MOST - 1);
        assert_false(f->there[id[i]]);
        f->there[id[i]] = true;
        f->object[id[i]] = object[i];
    }
    f->count += count;
}

static void remove_some(vp_spheretree *tree, flat_scene *f, vp_random *r, uint32_t count)
{
    uint32_t id[MOST];
    for (uint32_t i = 0; i < count; i++) {
        id[i] = random_id(r, f);
        f->there[id[i]] = false;
        f->count--;
    }
    assert_ok(vp_spheretree_remove_batch(tree, id, count, &error));
}

static void move_some(vp_spheretree *tree, flat_scene *f, vp_random *r, uint32_t count)
{
    uint32_t id[MOST];
    vp_sphere to[MOST];
    for (uint32_t i = 0; i < count; i++) {
        id[i] = random_id(r, f);
        to[i] = f->object[id[i]].sphere = random_step(r, f, id[i]);
    }
    assert_ok(vp_spheretree_move_batch(tree, id, to, count, &error));
}

/* Replaces a tree by itself from bytes. Results and their order stay, and so do its bytes. */
static vp_spheretree *through_bytes(vp_spheretree *tree, flat_scene *f, vp_random *r)
{
    static vp_spheretree_item item[2][MOST];
    const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE};
    vp_spheretree *other = NULL;
    vp_blob blob[2];
    uint32_t count[2];
    assert_ok(vp_spheretree_encode(tree, NULL, &blob[0], &error));
    assert_ok(vp_spheretree_decode(blob[0].bytes, blob[0].size, &def, &other, &error));
    assert_ok(vp_spheretree_encode(other, NULL, &blob[1], &error));
    assert_int_equal(blob[0].size, blob[1].size);
    assert_memory_equal(blob[0].bytes, blob[1].bytes, blob[0].size);
    for (int i = 0; i < 8; i++) {
        const vp_sphere at = random_sphere(r, f->family);
        assert_ok(vp_spheretree_sphere(tree, &at, NULL, item[0], MOST, &count[0], &error));
        assert_ok(vp_spheretree_sphere(other, &at, NULL, item[1], MOST, &count[1], &error));
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(item[0], item[1], count[0] * sizeof **item);
    }
    for (size_t bytes = 0; bytes < blob[0].size; bytes += blob[0].size / 7 + 1) { /* a byte less, and a wrong one */
        vp_spheretree *none = NULL;
        assert_int_equal(vp_spheretree_decode(blob[0].bytes, bytes, &def, &none, NULL), VP_E_FORMAT);
        blob[0].bytes[bytes] ^= 1;
        assert_int_equal(vp_spheretree_decode(blob[0].bytes, blob[0].size, &def, &none, NULL), VP_E_FORMAT);
        blob[0].bytes[bytes] ^= 1;
    }
    vp_spheretree_destroy(tree);
    vp_blob_destroy(&blob[0]);
    vp_blob_destroy(&blob[1]);
    check_tree(other);
    return other;
}

static void operate(scene_family family, uint64_t seed)
{
    vp_random r = {seed};
    flat_scene f = {.family = family};
    vp_spheretree *tree = new_wide(NULL, 0);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        const uint32_t count = vp_random_below(&r, 8) == 0 ? 1 + vp_random_below(&r, BATCH) : 1, kind = vp_random_below(&r, 20);
        if (kind < 6 && f.count + count <= MOST)
            insert_some(tree, &f, &r, count);
        else if (kind < (f.count > MOST / 2 ? 12u : 10u) && f.count >= count)
            remove_some(tree, &f, &r, count);
        else if (f.count > 0)
            move_some(tree, &f, &r, count);
        if (i % 100 == 0)
            check_objects(tree, &f);
        if (i % 500 == 499)
            tree = through_bytes(tree, &f, &r);
        if (i % 2000 == 1999) {
            vp_spheretree_clear(tree);
            memset(f.there, 0, sizeof f.there);
            f.count = 0;
        }
    }
    check_tree(tree);
    remove_some(tree, &f, &r, f.count);
    assert_int_equal(vp_spheretree_stats_of(tree).nodes, 0);
    vp_spheretree_destroy(tree);
}

TEST(random_operations)
{
    for (uint32_t family = 0; family < FAMILIES; family++)
        operate((scene_family)family, 1000 + family);
}

/* Batches that empty nodes make the same tree on every instruction set. */
TEST(trees_are_equal)
{
    enum { OBJECTS = 2500, BATCHES = 100 };
    static vp_spheretree_object object[OBJECTS];
    static vp_sphere sphere[OBJECTS];
    static uint32_t id[OBJECTS];
    vp_blob want = {0};
    for (int isa = 0; isa < VP_ISA_COUNT; isa++) {
        vp_kernels kernels;
        vp_random r = {11};
        vp_spheretree *tree = NULL;
        vp_blob got;
        if (vp_kernels_named(vp_isa_name((vp_isa)isa), &kernels, NULL) != VP_OK)
            continue;
        const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE, .kernels = &kernels};
        assert_ok(vp_spheretree_create(&def, &tree, &error));
        for (uint32_t i = 0; i < OBJECTS; i++)
            object[i] = (vp_spheretree_object){random_sphere(&r, HUGE_AND_TINY), i, 1, 0};
        assert_ok(vp_spheretree_build(tree, object, OBJECTS, &error));
        for (uint32_t batch = 0; batch < BATCHES; batch++) {
            const uint32_t part = 5 + vp_random_below(&r, 60);
            uint32_t count = 0;
            for (uint32_t i = 0; i < OBJECTS; i++)
                if (vp_random_below(&r, 100) < part) {
                    id[count] = i;
                    sphere[count++] = vp_random_below(&r, 4) == 0 ? random_sphere(&r, HUGE_AND_TINY) : object[i].sphere;
                    object[i].sphere = sphere[count - 1];
                }
            assert_ok(vp_spheretree_move_batch(tree, id, sphere, count, &error));
        }
        check_tree(tree);
        assert_ok(vp_spheretree_encode(tree, NULL, &got, &error));
        vp_spheretree_destroy(tree);
        if (want.bytes == NULL) {
            want = got;
            continue;
        }
        assert_int_equal(got.size, want.size);
        assert_memory_equal(got.bytes, want.bytes, want.size);
        vp_blob_destroy(&got);
    }
    vp_blob_destroy(&want);
}

/* ---- depth ---- */

/* Depth and memory stay small for scenes without a good split, inserted one by one. */
TEST(no_scene_is_deep)
{
    for (uint32_t family = 0; family < FAMILIES; family++) {
        vp_random r = {family};
        vp_spheretree *tree = new_wide(NULL, 0);
        uint32_t id;
        for (uint32_t i = 0; i < DEEP; i++) {
            const vp_spheretree_object object = {random_sphere(&r, (scene_family)family), i, 1, 0};
            assert_ok(vp_spheretree_insert(tree, &object, &id, &error));
        }
        const vp_spheretree_stats stats = vp_spheretree_stats_of(tree);
        assert_int_equal(stats.leaves, DEEP);
        assert_true(stats.depth <= 6);
        assert_true(stats.nodes <= DEEP / 6);
        vp_spheretree_destroy(tree);
    }
}

/* ---- plain queries ---- */

/* Queries without options agree with the exact tests, and find no object without a mask. Lists that are too short begin like long ones. */
TEST(plain_queries_are_exact)
{
    enum { OBJECTS = 600, QUERIES = 40, SHORT = 2 };
    static vp_spheretree_object object[OBJECTS + 1];
    static vp_spheretree_item list[OBJECTS], begin[OBJECTS];
    for (uint32_t family = 0; family < FAMILIES; family++) {
        vp_random r = {family + 50};
        vp_spheretree *tree = new_wide(NULL, 0);
        for (uint32_t i = 0; i <= OBJECTS; i++)
            object[i] = (vp_spheretree_object){random_sphere(&r, (scene_family)family), i, i < OBJECTS, 0};
        for (uint32_t all = OBJECTS; all <= OBJECTS + 1; all++) { /* the last object has no mask */
            vp_spheretree_clear(tree);
            assert_ok(vp_spheretree_build(tree, object, all, &error));
            for (uint32_t i = 0; i < QUERIES; i++) {
                const vp_sphere by = random_sphere(&r, (scene_family)family);
                const vp_vec3 size = {by.radius, by.radius, by.radius};
                const vp_aabb box = {vp_vec3_sub(by.centre, size), by.centre};
                uint32_t count, spheres = 0, boxes = 0, few;
                for (uint32_t k = 0; k < OBJECTS; k++) {
                    spheres += vp_sphere_touches_sphere(&by, &object[k].sphere);
                    boxes += vp_box_touches_sphere(&box, &object[k].sphere);
                }
                assert_ok(vp_spheretree_sphere(tree, &by, NULL, list, OBJECTS, &count, &error));
                assert_int_equal(count, spheres);
                for (uint32_t k = 0; k < count; k++)
                    assert_true(vp_sphere_touches_sphere(&by, &object[list[k].object].sphere) && list[k].triangle == VP_SPHERETREE_NONE);
                assert_ok(vp_spheretree_box(tree, &box, NULL, list, OBJECTS, &count, &error));
                assert_int_equal(count, boxes);
                for (uint32_t k = 0; k < count; k++)
                    assert_true(vp_box_touches_sphere(&box, &object[list[k].object].sphere) && list[k].triangle == VP_SPHERETREE_NONE);
                begin[SHORT] = (vp_spheretree_item){1, 1};
                assert_ok(vp_spheretree_box(tree, &box, NULL, begin, SHORT, &few, &error));
                assert_true(few == count && begin[SHORT].triangle == 1);
                assert_memory_equal(begin, list, (count < SHORT ? count : SHORT) * sizeof *list);
            }
        }
        vp_spheretree_destroy(tree);
    }
}

/* ---- nodes ---- */

/* New leaf nodes of objects on a line do not overlap, whether coordinates differ by 2^120 or are equal. They are in order of memory. */
TEST(medians_are_exact)
{
    enum { OBJECTS = 5000 };
    static vp_spheretree_object object[OBJECTS];
    vp_random r = {8};
    vp_spheretree *tree = new_wide(NULL, 0);
    for (int ties = 0; ties < 2; ties++)
        for (uint32_t objects = 100; objects <= OBJECTS; objects *= 7) {
            for (uint32_t i = 0; i < objects; i++) {
                const float x =
                    ties ? (float)vp_random_below(&r, 20) : ldexpf(vp_random_unit(&r) - 0.5f, (int)vp_random_below(&r, 120) - 60);
                object[i] = (vp_spheretree_object){{{x, 0, 0}, 1}, i, 1, 0};
            }
            vp_spheretree_clear(tree);
            assert_ok(vp_spheretree_build(tree, object, objects, &error));
            const vp_spheretree_wide *wide = vp_spheretree_view_of(tree)->wide;
            float end = -INFINITY;
            for (uint32_t at = 0; at < tree->wide.node_used; at++) {
                float low = INFINITY, high = -INFINITY;
                for (uint32_t lane = 0; lane < wide->info[at].count && wide->info[at].level == 0; lane++) {
                    low = fminf(low, wide->node[at].x[lane]);
                    high = fmaxf(high, wide->node[at].x[lane]);
                }
                assert_true(low >= end);
                end = fmaxf(end, high);
            }
            assert_true(end > 0);
        }
    vp_spheretree_destroy(tree);
}

/* Pairs in a node of any number of leaves, and of spheres whose squares underflow, on every instruction set. */
TEST(pairs_of_one_node)
{
    for (int isa = 0; isa < VP_ISA_COUNT; isa++) {
        vp_kernels kernels;
        if (vp_kernels_named(vp_isa_name((vp_isa)isa), &kernels, NULL) != VP_OK)
            continue;
        const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE, .kernels = &kernels};
        vp_spheretree *tree = NULL;
        uint32_t id, count;
        assert_ok(vp_spheretree_create(&def, &tree, &error));
        for (uint32_t i = 0; i < VP_WIDE; i++) {
            const vp_spheretree_object object = {{{0, 0, 0.0625f * (float)i}, 1}, 0, 1, 0};
            assert_ok(vp_spheretree_insert(tree, &object, &id, &error));
            assert_ok(vp_spheretree_pairs(tree, NULL, NULL, 0, &count, &error));
            assert_int_equal(count, i * (i + 1) / 2);
        }
        assert_int_equal(vp_spheretree_stats_of(tree).nodes, 1);
        for (uint32_t others = 0; others + 2 <= VP_WIDE; others++) { /* in all lanes */
            vp_spheretree_clear(tree);
            for (uint32_t i = 0; i < others; i++) {
                const vp_spheretree_object object = {{{4 * (float)i + 4, 0, 0}, 1}, 0, 1, 0};
                assert_ok(vp_spheretree_insert(tree, &object, &id, &error));
            }
            for (int k = 0; k < 2; k++) { /* the squares of 0x1.18p-75 round to 2^-149, and so their sum is above the square of 2^-74 */
                const float at = (float)k * 0x1.18p-75f;
                const vp_spheretree_object object = {{{at, at, at}, 0x1p-75f}, 0, 1, 0};
                assert_ok(vp_spheretree_insert(tree, &object, &id, &error));
            }
            assert_ok(vp_spheretree_pairs(tree, NULL, NULL, 0, &count, &error));
            assert_int_equal(count, 1);
        }
        vp_spheretree_destroy(tree);
    }
}

/* Trees that can't be encoded, and a decoding without memory. */
TEST(bytes_refused)
{
    const vp_spheretree_def published = {.form = VP_SPHERETREE_PUBLISHED};
    vp_spheretree *tree = NULL, *other = NULL;
    vp_blob blob;
    assert_ok(vp_spheretree_create(&published, &tree, &error));
    assert_refused(vp_spheretree_encode(tree, NULL, &blob, &error), VP_E_ARGUMENT, "published form");
    vp_spheretree_destroy(tree);
    tree = new_wide(NULL, 0);
    const vp_spheretree_object object = {{{1, 2, 3}, 1}, 0, 1, 0};
    uint32_t id;
    assert_ok(vp_spheretree_insert(tree, &object, &id, &error));
    assert_ok(vp_spheretree_encode(tree, NULL, &blob, &error));
    assert_refused(vp_spheretree_decode(blob.bytes, blob.size, &published, &other, &error), VP_E_ARGUMENT, "form is 0");
    uint64_t n = 0;
    for (vp_status status = VP_E_MEMORY; status != VP_OK;) {
        test_memory memory;
        test_memory_begin(&memory);
        test_memory_fail_at(&memory, ++n);
        const vp_allocator allocator = test_memory_allocator(&memory);
        const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE, .allocator = &allocator};
        status = vp_spheretree_decode(blob.bytes, blob.size, &def, &other, NULL);
        if (status == VP_OK)
            vp_spheretree_destroy(other);
        else
            assert_int_equal(status, VP_E_MEMORY);
        test_memory_end(&memory);
    }
    assert_int_equal(n, 5);
    vp_blob_destroy(&blob);
    assert_ok(vp_spheretree_insert_mesh(tree, &mesh, 0, 1, &id, &error));
    assert_refused(vp_spheretree_encode(tree, NULL, &blob, &error), VP_E_ARGUMENT, "1 meshes");
    vp_spheretree_destroy(tree);
}

/* A tree as bytes: inner nodes are full, and of the 16 nodes below one of level 1, the middle one has 16 objects and the others have one.
 */
typedef struct thin_tree {
    uint8_t *node, *object; /* next ones */
    vp_spheretree_object *middle;
    uint32_t objects, middles;
} thin_tree;

static void write_thin(thin_tree *t, uint32_t level, vp_vec3 at, float size)
{
    *t->node++ = VP_WIDE;
    for (int i = 0; i < VP_WIDE; i++) {
        const float angle = (float)i * 0.4f, ring = i > 0 ? 0.3f * size : 0;
        if (level > 1) {
            const vp_vec3 to = {at.x + ((float)(i % 4) - 1.5f) * size / 4, at.y + ((float)(i / 4) - 1.5f) * size / 4, 0};
            write_thin(t, level - 1, to, 0.15f * size);
            continue;
        }
        if (i == 0)
            t->middle[t->middles++] = (vp_spheretree_object){{at, 0.001f}, 0, 1, 0};
        const int count = *t->node++ = i == 0 ? VP_WIDE : 1;
        for (int k = 0; k < count; k++) {
            const float x = count > 1 ? ((float)(k % 4) - 1.5f) * 0.01f : 0, y = count > 1 ? ((float)(k / 4) - 1.5f) * 0.01f : 0;
            const vp_sphere sphere = {{at.x + ring * cosf(angle) + x * size, at.y + ring * sinf(angle) + y * size, 0}, 0.001f * size};
            uint32_t bits[4];
            memcpy(bits, &sphere, sizeof bits);
            vp_put_le32(t->object + 8, t->objects++);
            vp_put_le32(t->object + 12, 1);
            for (int n = 0; n < 4; n++)
                vp_put_le32(t->object + 20 + 4 * n, bits[n]);
            t->object += 36;
        }
    }
}

/* One insertion can split all inner nodes above a full one, though there are few leaves. */
TEST(room_for_thin_nodes)
{
    enum { LEVEL = 4, MIDDLES = 4096, OBJECTS = MIDDLES * 31, NODES = 69905, BYTES = 48 + NODES + OBJECTS * 36 };
    uint8_t *bytes = calloc(BYTES + 4, 1);
    vp_spheretree_object *middle = calloc(MIDDLES, sizeof *middle);
    uint32_t *id = calloc(MIDDLES, sizeof *id);
    assert_true(bytes != NULL && middle != NULL && id != NULL);
    thin_tree t = {bytes + 48, bytes + 48 + NODES, middle, 0, 0};
    write_thin(&t, LEVEL, (vp_vec3){0, 0, 0}, 1000);
    assert_true(t.node == bytes + 48 + NODES && t.object == bytes + BYTES && t.middles == MIDDLES);
    const uint8_t magic[8] = {0x89, 'V', 'P', 'S', '\r', '\n', 0x1a, '\n'};
    const uint32_t head[] = {1, LEVEL, NODES, OBJECTS, 0};
    memcpy(bytes, magic, sizeof magic);
    for (int i = 0; i < 5; i++)
        vp_put_le32(bytes + 8 + 4 * i, head[i]);
    vp_put_le64(bytes + 32, BYTES + 4);
    vp_put_le32(bytes + 44, vp_crc32(0, bytes, 44));
    vp_put_le32(bytes + BYTES, vp_crc32(0, bytes + 48, BYTES - 48));
    const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE};
    vp_spheretree *tree = NULL;
    assert_ok(vp_spheretree_decode(bytes, BYTES + 4, &def, &tree, &error));
    assert_ok(vp_spheretree_insert_batch(tree, middle, MIDDLES, id, &error));
    assert_true(tree->wide.box_used <= tree->wide.box_room && tree->wide.node_used <= tree->wide.node_room);
    vp_spheretree_destroy(tree);
    free(bytes);
    free(middle);
    free(id);
}

/* Inner nodes from bytes can have one child. A root with one is refused, so none is left of two when the other is removed. */
TEST(no_root_has_one_child)
{
    enum { DEEPEST = 3, MOST_BYTES = 48 + 2 * DEEPEST + 1 + 2 * 36 + 4 };
    const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE};
    for (uint32_t level = 1; level <= DEEPEST; level++) {
        const uint32_t nodes = 2 * level + 1;
        uint8_t bytes[MOST_BYTES] = {0}, *node = bytes + 48;
        const size_t size = 48 + nodes + 2 * 36 + 4;
        vp_spheretree *tree = new_wide(NULL, 0), *other = NULL;
        const vp_spheretree_object object[2] = {{{{0, 0, 0}, 1}, 0, 1, 0}, {{{9, 0, 0}, 1}, 0, 1, 0}};
        uint32_t id[2];
        vp_blob blob;
        assert_ok(vp_spheretree_insert_batch(tree, object, 2, id, &error));
        assert_ok(vp_spheretree_encode(tree, NULL, &blob, &error));
        memcpy(bytes, blob.bytes, 48);
        *node++ = 2;
        for (uint32_t i = 1; i < nodes; i++)
            *node++ = 1;
        memcpy(node, blob.bytes + 49, 2 * 36);
        vp_blob_destroy(&blob);
        vp_spheretree_destroy(tree);
        vp_put_le32(bytes + 12, level);
        vp_put_le32(bytes + 16, nodes);
        vp_put_le64(bytes + 32, size);
        vp_put_le32(bytes + 44, vp_crc32(0, bytes, 44));
        vp_put_le32(bytes + size - 4, vp_crc32(0, bytes + 48, size - 52));
        assert_ok(vp_spheretree_decode(bytes, size, &def, &tree, &error));
        check_tree(tree);
        assert_ok(vp_spheretree_remove(tree, id[1], &error));
        check_tree(tree);
        assert_int_equal(vp_spheretree_stats_of(tree).nodes, 1);
        assert_ok(vp_spheretree_encode(tree, NULL, &blob, &error));
        assert_ok(vp_spheretree_decode(blob.bytes, blob.size, &def, &other, &error));
        vp_blob_destroy(&blob);
        vp_spheretree_destroy(tree);
        vp_spheretree_destroy(other);
    }
}

/* ---- memory ---- */

/* Each allocation fails in turn. The call reports it, changes nothing, and succeeds once memory is available. Moves succeed without memory.
 */
static bool refuse_nth(vp_spheretree_form form, uint64_t n)
{
    enum { OBJECTS = 48, STEPS = 24, MESHES = 3 };
    test_memory memory;
    test_memory_begin(&memory);
    memory.only_one = true;
    test_memory_fail_at(&memory, n);
    const vp_allocator allocator = test_memory_allocator(&memory);
    const vp_spheretree_def def = {.form = form, .allocator = &allocator, .capacity = 2};
    vp_spheretree_object object[OBJECTS];
    uint32_t id[OBJECTS], refused = 0, objects = 0, count = 0;
    vp_random r = {7};
    vp_spheretree *tree = NULL;
    if (vp_spheretree_create(&def, &tree, NULL) == VP_E_MEMORY) {
        refused++;
        assert_null(tree);
        assert_ok(vp_spheretree_create(&def, &tree, &error));
    }
    for (uint32_t i = 0; i < OBJECTS; i++)
        object[i] = (vp_spheretree_object){random_sphere(&r, UNIFORM), i, 1, 0};
    for (uint32_t step = 0; step < STEPS; step++) {
        vp_status status = VP_E_MEMORY;
        uint32_t *last = step % 8 == 2 ? &id[OBJECTS - 1] : &id[0];
        for (int attempt = 0; attempt < 2 && status != VP_OK; attempt++) {
            if (step == 0)
                status = vp_spheretree_build(tree, object, OBJECTS, NULL);
            else if (step % 8 == 1)
                status = vp_spheretree_insert_mesh(tree, &mesh, 0, 1, id, NULL);
            else if (step % 8 == 2)
                status = vp_spheretree_insert_batch(tree, object, OBJECTS, id, NULL);
            else
                status = vp_spheretree_insert(tree, &object[step], id, NULL);
            if (status != VP_OK) {
                assert_int_equal(status, VP_E_MEMORY);
                refused++;
                assert_int_equal(vp_spheretree_stats_of(tree).objects, objects);
                check_tree(tree);
            }
        }
        assert_int_equal(status, VP_OK);
        objects = vp_spheretree_stats_of(tree).objects;
        assert_true(step == 0 || *last + 1 == objects);
    }
    for (uint32_t i = 0; i < OBJECTS; i++) {
        const vp_sphere far = {{(float)(i % 2) * 5000, (float)i, 0}, 1};
        assert_ok(vp_spheretree_move(tree, i, &far, &error));
    }
    check_tree(tree);
    const vp_sphere all = {{0, 0, 0}, 10000};
    assert_ok(vp_spheretree_sphere(tree, &all, NULL, NULL, 0, &count, &error));
    assert_int_equal(count, objects - MESHES + MESHES * MESH_TRIANGLES);
    vp_spheretree_destroy(tree);
    test_memory_end(&memory);
    const bool asked = memory.requests >= n;
    assert_true(refused == asked || (refused == 0 && form == VP_SPHERETREE_WIDE)); /* moves in a wide tree do without */
    return asked;
}

TEST(without_memory)
{
    for (int form = 0; form < VP_SPHERETREE_FORM_COUNT; form++) {
        uint64_t n = 1;
        while (refuse_nth((vp_spheretree_form)form, n))
            n++;
        assert_true(n > 16);
    }
}

TEST(batches_stop_at_errors)
{
    for (int form = 0; form < VP_SPHERETREE_FORM_COUNT; form++) {
        const vp_spheretree_def def = {.form = (vp_spheretree_form)form};
        vp_spheretree *tree = NULL;
        vp_spheretree_object object[3] = {{{{0, 0, 0}, 1}, 0, 1, 0}, {{{1, 0, 0}, 1}, 0, 1, 0}, {{{2, 0, 0}, -1}, 0, 1, 0}};
        uint32_t id[3];
        assert_ok(vp_spheretree_create(&def, &tree, &error));
        assert_refused(vp_spheretree_insert_batch(tree, object, 3, id, &error), VP_E_ARGUMENT, "-1");
        assert_int_equal(vp_spheretree_stats_of(tree).objects, 0);
        assert_ok(vp_spheretree_insert_batch(tree, object, 2, id, &error));
        const uint32_t some[3] = {id[1], 77, id[0]};
        const vp_sphere to[3] = {{{9, 0, 0}, 1}, {{9, 0, 0}, 1}, {{9, 0, 0}, 1}};
        assert_refused(vp_spheretree_move_batch(tree, some, to, 3, &error), VP_E_ARGUMENT, "object 77");
        assert_true(vp_spheretree_find(tree, id[1], &object[2]) && object[2].sphere.centre.x == 9);
        assert_true(vp_spheretree_find(tree, id[0], &object[2]) && object[2].sphere.centre.x == 0);
        assert_refused(vp_spheretree_remove_batch(tree, some, 3, &error), VP_E_ARGUMENT, "object 77");
        assert_int_equal(vp_spheretree_stats_of(tree).objects, 1);
        assert_ok(vp_spheretree_remove_batch(tree, NULL, 0, &error));
        vp_spheretree_destroy(tree);
    }
    vp_spheretree *none = NULL;
    assert_refused(vp_spheretree_create(&(vp_spheretree_def){.form = (vp_spheretree_form)9}, &none, &error), VP_E_ARGUMENT, "form is 9");
}
