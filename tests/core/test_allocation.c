/* SPDX-License-Identifier: MIT */
/* Each allocation fails in turn while objects are created. The call must return VP_E_MEMORY, leak nothing, and succeed when it is repeated
 * with memory. The cases do the same for broadphases, trees and hulls, test_contact_histories.c and test_terrain_memory.c for calls that
 * modify objects. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"

#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

/* ---- creation of objects ---- */

/* Creates one object and destroys it. @return status of the creation */
typedef vp_status create_fn(const void *from, const vp_allocator *allocator, vp_error *error);

static vp_status make_world(const void *from, const vp_allocator *allocator, vp_error *error)
{
    (void)from;
    vp_world *world = NULL;
    vp_world_def def = {{24, 16, 32}, allocator};
    vp_status status = vp_world_create(&def, &world, error);
    assert_true((status == VP_OK) == (world != NULL));
    vp_world_destroy(world);
    return status;
}

static vp_status make_set(const void *from, const vp_allocator *allocator, vp_error *error)
{
    (void)from;
    vp_chunk_set set = {.chunks = {0, 0, 0}};
    vp_status status = vp_chunk_set_create((vp_dims){9, 9, 9}, allocator, &set, error);
    assert_true((status == VP_OK) == (set.word != NULL));
    vp_chunk_set_destroy(&set);
    return status;
}

static vp_status make_contacts(const void *from, const vp_allocator *allocator, vp_error *error)
{
    vp_contacts *c = NULL;
    vp_contacts_def def = {.broadphase = from, .allocator = allocator};
    vp_status status = vp_contacts_create(&def, &c, error);
    assert_true((status == VP_OK) == (c != NULL));
    vp_contacts_destroy(c);
    return status;
}

static vp_status encode_and_decode(const void *from, const vp_allocator *allocator, vp_error *error)
{
    vp_blob file = {NULL, 0, 0, {0}}, note = {NULL, 0, 0, {0}};
    vp_world *world = NULL;
    vp_status status = vp_world_encode(from, "a note", allocator, &file, error);
    assert_true((status == VP_OK) == (file.bytes != NULL));
    if (status == VP_OK) {
        status = vp_world_decode(file.bytes, file.size, allocator, &world, &note, error);
        assert_true((status == VP_OK) == (world != NULL));
        assert_true((status == VP_OK) == (note.bytes != NULL));
    }
    vp_world_destroy(world);
    vp_blob_destroy(&note);
    vp_blob_destroy(&file);
    return status;
}

static vp_status make_mesh(const void *from, const vp_allocator *allocator, vp_error *error)
{
    vp_mesh mesh = {0};
    vp_mesh_def def = {.world = from, .allocator = allocator};
    vp_status status = vp_mesh_create(&def, &mesh, error);
    assert_true((status == VP_OK) == (mesh.quad != NULL));
    vp_mesh_destroy(&mesh);
    return status;
}

/* Creates a hull from a definition. */
static vp_status make_hull(const void *from, const vp_allocator *allocator, vp_error *error)
{
    static const vp_hull none;
    vp_hull hull = {0};
    vp_hull_def def = *(const vp_hull_def *)from;
    def.allocator = allocator;
    vp_status status = vp_hull_create(&def, &hull, error);
    if (status == VP_OK)
        assert_non_null(hull.block);
    else
        assert_memory_equal(&hull, &none, sizeof hull);
    vp_hull_destroy(&hull);
    return status;
}

static vp_status enclose_hull(const void *from, const vp_allocator *allocator, vp_error *error)
{
    static const vp_hull_enclosure none;
    vp_hull hull;
    vp_hull_enclosure enclosure = {0};
    vp_hull_def def = *(const vp_hull_def *)from;
    vp_status status = vp_hull_create(&def, &hull, error);
    if (status != VP_OK)
        return status;
    def.allocator = allocator;
    status = vp_hull_enclose(&def, &hull, &enclosure, error);
    if (status != VP_OK)
        assert_memory_equal(&enclosure, &none, sizeof enclosure);
    vp_hull_enclosure_destroy(&enclosure);
    vp_hull_destroy(&hull);
    return status;
}

/* Fails allocation 1, 2, ... until the function succeeds, which takes at least `least` allocations. */
static void each_request(const char *name, create_fn *make, const void *from, uint64_t least)
{
    for (int only_one = 0; only_one < 2; only_one++)
        for (uint64_t n = 1;; n++) {
            test_memory memory;
            test_memory_begin(&memory);
            memory.only_one = only_one == 1;
            vp_allocator allocator = test_memory_allocator(&memory);
            test_memory_fail_at(&memory, n);
            vp_error error = {VP_OK, ""};
            vp_status status = make(from, &allocator, &error);
            bool refused = memory.requests >= n;
            test_memory_end(&memory);
            if (!refused) {
                if (status != VP_OK)
                    fail_msg("%s: %s with memory: %s", name, vp_status_name(status), error.message);
                if (n <= least)
                    fail_msg("%s asked %llu times only", name, (unsigned long long)n - 1);
                break;
            }
            if (status != VP_E_MEMORY || error.status != VP_E_MEMORY || error.message[0] == '\0')
                fail_msg("%s, request %llu refused: %s, \"%s\"", name, (unsigned long long)n, vp_status_name(status), error.message);
        }
}

TEST(making)
{
    vp_random r = {1};
    vp_world *world = test_random_world(&r, (vp_dims){3, 4, 3}, NULL);
    vp_broadphase *b = NULL;
    vp_broadphase_def def = {.world = world};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    each_request("world", make_world, NULL, 3);
    each_request("chunk set", make_set, NULL, 1);
    each_request("contacts", make_contacts, b, 2);
    each_request("mesh", make_mesh, world, 6);
    each_request("world file", encode_and_decode, world, 4);
    vp_broadphase_destroy(b);
    vp_world_destroy(world);
}

/* ---- hulls ---- */

/* Few vertices, and planes around all points, of a solid and of a flat set. The last set is thinner than the tolerance, but oblique to the
 * plane through its three extreme points. It is recognized as flat only after its hull in space exists. The cases make plain hulls. */
TEST(hulls)
{
    static const vp_vec3 leaning[] = {{0, 0, 0}, {4, 0, 0}, {2, 2, 0.125f}, {2, -1.875f, 0.125f}, {2, 1, 0}, {2, -1, 0}};
    vp_vec3 solid[64], flat[64];
    vp_random r = {1};
    for (int i = 0; i < 64; i++) {
        solid[i].x = (float)vp_random_below(&r, 9);
        solid[i].y = (float)vp_random_below(&r, 9);
        solid[i].z = (float)vp_random_below(&r, 9);
        flat[i] = (vp_vec3){solid[i].x, solid[i].y, solid[i].x};
    }
    const vp_hull_def few = {.point = solid, .count = 64, .max_vertices = 6, .contain = true},
                      polygon = {.point = flat, .count = 64, .contain = true},
                      thin = {.point = leaning, .count = 6, .tolerance = 0.125f, .max_error = 0.5f};
    enum { MANY = 40000 }; /* so many that some are left out at first */
    static vp_vec3 many[MANY];
    for (int i = 0; i < MANY; i++)
        many[i] = (vp_vec3){vp_random_unit(&r), vp_random_unit(&r), vp_random_unit(&r)};
    const vp_hull_def all = {.point = many, .count = MANY};
    each_request("many points", make_hull, &all, 4);
    each_request("few vertices", make_hull, &few, 2);
    each_request("around few vertices", enclose_hull, &few, 10);
    each_request("around a polygon", enclose_hull, &polygon, 10);
    each_request("few corners", make_hull, &thin, 1);
}
