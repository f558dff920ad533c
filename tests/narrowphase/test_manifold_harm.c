/* SPDX-License-Identifier: MIT */
/* Manifolds with too little room, without memory or with invalid input, and for many bodies at once. */
#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/manifold_scene.h"
#include "tests/support/memory.h"

/* ---- a scratch that is too small ---- */

enum { LARGE_ROOM = 8192 };

/* Large bodies, some long and thin. They touch few of the triangles around them. */
static vp_collide_shape large_shape(vp_random *r, int i)
{
    const float size = vp_random_between(r, 2.0f, 9.0f);
    return i % 3 == 0   ? vp_collide_capsule(0.25f, size)
           : i % 3 == 1 ? vp_collide_box((vp_vec3){size, 0.5f, size * vp_random_between(r, 0.2f, 1.0f)})
                        : vp_collide_sphere(size);
}

static vp_manifold_body large_body(vp_random *r, const manifold_world *s, const vp_collide_shape *shape)
{
    vp_manifold_body body = some_body(r, s, VP_BODY_SPHERE);
    vp_vec3 up;
    body.shape = shape;
    body.pose.position.x = vp_random_between(r, 8.0f, SIDE - 8.0f);
    body.pose.position.z = vp_random_between(r, 8.0f, SIDE - 8.0f);
    body.pose.position.y =
        surface_at(s, body.pose.position.x, body.pose.position.z, &up) + (shape->kind == VP_COLLIDE_SPHERE ? 0.9f * shape->radius : 0.3f);
    return body;
}

/* docs/CONTRACT.md: MAN-6, MAN-8. The size reported as needed is enough, and gives the result of a larger scratch. With less room the
   deepest triangle is kept, and nothing is deeper than with enough room. */
TEST(too_small)
{
    manifold_world s;
    vp_random r = {53};
    void *memory = malloc(vp_manifold_scratch_bytes(LARGE_ROOM));
    uint32_t small_enough = 0, limited = 0, fewer = 0;
    assert_non_null(memory);
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < POSES / 2; i++) {
        static vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        const vp_manifold_def def = {.margin = margin, .by_chunk = i % 2 != 0};
        const vp_collide_shape shape = large_shape(&r, i);
        const vp_manifold_body body = large_body(&r, &s, &shape);
        vp_manifold_scratch room = {memory, LARGE_ROOM, 0}, small = {memory, VP_MANIFOLD_MIN_TRIANGLES, 0};
        vp_error why;
        uint32_t made, again;
        assert_ok(vp_manifold_terrain(&def, &body, &s.reader, &room, m, MANIFOLDS, &made, &error));
        assert_true(room.needed >= VP_MANIFOLD_MIN_TRIANGLES);
        const vp_status status = vp_manifold_terrain(&def, &body, &s.reader, &small, n, MANIFOLDS, &again, &why);
        assert_int_equal(status, room.needed <= small.capacity ? VP_OK : VP_E_LIMIT);
        if (status == VP_OK) {
            small_enough++;
        } else {
            const float slack = vp_collide_radius(&shape) / 256.0f + 1e-5f, deepest = least_distance_of(&s, &body, margin);
            float least = INFINITY;
            char needed[16];
            snprintf(needed, sizeof needed, "%u", small.needed);
            assert_non_null(strstr(why.message, needed));
            assert_true(small.needed >= room.needed && again > 0 && again <= MANIFOLDS);
            for (uint32_t k = 0; k < again; k++)
                least = n[k].point[0].distance < least ? n[k].point[0].distance : least;
            assert_true(least <= deepest + slack);
            limited++;
            fewer += again < made;
        }
        for (int k = 0; k < 2; k++) { /* `needed` of the call with enough room, and of the one without */
            small.capacity = k == 0 ? room.needed : small.needed;
            assert_ok(vp_manifold_terrain(&def, &body, &s.reader, &small, n, MANIFOLDS, &again, &error));
            assert_int_equal(again, made);
            assert_memory_equal(m, n, made * sizeof *m);
        }
    }
    assert_true(small_enough > 0 && limited > POSES / 8 && fewer > 0);
    free(memory);
    close_scene(&s);
}

/* docs/CONTRACT.md: MAN-8. A mesh with more triangles than fit, in three orders. The kept triangles give the same manifolds. They are the
   deepest triangles with all their surroundings. */
TEST(any_order)
{
    enum { CELLS = 40, COUNT = 2 * CELLS * CELLS };
    static vp_collide_triangle t[COUNT], turned[COUNT];
    static uint32_t words[VP_COLLIDE_CONNECT_WORDS(COUNT)];
    static vp_vec3 p[CELLS + 1][CELLS + 1];
    static vp_manifold m[3][MANIFOLDS];
    const vp_manifold_def def = {.margin = margin};
    const vp_collide_shape ball = vp_collide_sphere(9.0f);
    const vp_manifold_body body = {&ball, vp_pose_at((vp_vec3){20.3f, 7.6f, 19.8f})};
    vp_manifold_scratch small = {scratch.memory, VP_MANIFOLD_MIN_TRIANGLES, 0};
    uint32_t count = 0, made[3];
    for (int z = 0; z <= CELLS; z++)
        for (int x = 0; x <= CELLS; x++)
            p[z][x] = (vp_vec3){(float)x, 0.4f * sinf(1.7f * (float)x) * cosf(1.1f * (float)z), (float)z};
    for (int z = 0; z < CELLS; z++)
        for (int x = 0; x < CELLS; x++) {
            t[count] = vp_collide_triangle_of((vp_vec3[3]){p[z][x], p[z + 1][x], p[z + 1][x + 1]}, count);
            count++;
            t[count] = vp_collide_triangle_of((vp_vec3[3]){p[z][x], p[z + 1][x + 1], p[z][x + 1]}, count);
            count++;
        }
    assert_ok(vp_collide_connect(t, COUNT, words, &error));
    for (int k = 0; k < 3; k++) { /* unchanged, backwards, in steps of 7 */
        for (uint32_t i = 0; i < COUNT; i++)
            turned[i] = t[k == 0 ? i : k == 1 ? COUNT - 1 - i : i * 7 % COUNT];
        const vp_status status = vp_manifold_mesh(&def, &body, turned, COUNT, &small, m[k], MANIFOLDS, &made[k], NULL);
        assert_int_equal(status, VP_E_LIMIT);
        assert_true(made[k] > 0);
        assert_int_equal(made[k], made[0]);
        assert_memory_equal(m[k], m[0], made[0] * sizeof *m[0]);
    }
}

/* ---- many bodies ---- */

/* docs/CONTRACT.md: MAN-6 */
TEST(many)
{
    enum { BODIES = 24 };
    manifold_world s;
    vp_random r = {23};
    vp_manifold_body body[BODIES];
    vp_manifold all[MANIFOLDS * 4], m[MANIFOLDS];
    vp_manifold_result result[BODIES];
    uint32_t all_made;
    const vp_manifold_def def = {.margin = margin, .by_chunk = true};
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < BODIES; i++)
        body[i] = some_body(&r, &s, (vp_body_kind)(i % VP_BODIES));
    for (uint32_t room = 0; room <= MANIFOLDS * 4; room += room < 8 ? 4 : MANIFOLDS) {
        assert_ok(vp_manifold_terrain_many(&def, body, BODIES, &s.reader, &scratch, all, room, result, &all_made, &error));
        uint32_t at = 0;
        for (uint32_t i = 0; i < BODIES; i++) {
            const uint32_t made = ask(&s, &body[i], false, m);
            assert_int_equal(result[i].status, VP_OK);
            assert_int_equal(result[i].first, at);
            assert_int_equal(result[i].count, made);
            for (uint32_t k = 0; k < made && at + k < room; k++)
                assert_memory_equal(&all[at + k], &m[k], sizeof *m);
            at += made;
        }
        assert_int_equal(all_made, at);
    }
    /* One invalid body, and one for which the scratch is too small. The others keep their manifolds. */
    const vp_collide_shape large = vp_collide_sphere(14.0f);
    vp_manifold_scratch small = {scratch.memory, VP_MANIFOLD_MIN_TRIANGLES, 0};
    body[5].pose.position.x = NAN;
    body[7] = (vp_manifold_body){&large, body[8].pose};
    body[7].pose.position.y += 13.0f;
    assert_ok(vp_manifold_terrain_many(&def, body, BODIES, &s.reader, &small, all, MANIFOLDS * 4, result, &all_made, &error));
    for (uint32_t i = 0; i < BODIES; i++) {
        vp_error why;
        uint32_t made;
        const vp_status status = vp_manifold_terrain(&def, &body[i], &s.reader, &small, m, MANIFOLDS, &made, &why);
        assert_int_equal(status, i == 5 ? VP_E_ARGUMENT : i == 7 ? VP_E_LIMIT : VP_OK);
        assert_int_equal(result[i].status, status);
        assert_int_equal(result[i].count, made);
        assert_true(made > 0 || i != 7);
        assert_memory_equal(&all[result[i].first], m, made * sizeof *m);
    }
    assert_refused(vp_manifold_terrain_many(&def, body, BODIES, &s.reader, &(vp_manifold_scratch){NULL, ROOM, 0}, all, MANIFOLDS, result,
                                            &all_made, &error),
                   VP_E_ARGUMENT, "vp_manifold_scratch.memory is NULL");
    assert_int_equal(all_made, 0);
    const vp_terrain_reader ended = {0};
    assert_refused(vp_manifold_terrain_many(&(vp_manifold_def){.margin = NAN}, body, BODIES, &s.reader, &scratch, all, MANIFOLDS, result,
                                            &all_made, &error),
                   VP_E_ARGUMENT, "vp_manifold_def.margin is nan");
    assert_refused(vp_manifold_terrain_many(&def, body, BODIES, &ended, &scratch, all, MANIFOLDS, result, &all_made, &error), VP_E_ARGUMENT,
                   "read");
    close_scene(&s);
}

/* docs/CONTRACT.md: MAN-6 */
TEST(refusals)
{
    const vp_manifold_body body = {&bodies[VP_BODY_SPHERE].shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
    vp_collide_triangle t = vp_collide_triangle_of((vp_vec3[3]){{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}, 0);
    vp_manifold m;
    uint32_t made;
    vp_manifold_def def = {.margin = margin, .by_chunk = true};
    vp_manifold_scratch none = {NULL, ROOM, 0}, small = {scratch.memory, VP_MANIFOLD_MIN_TRIANGLES - 1, 0},
                        large = {scratch.memory, VP_MANIFOLD_MAX_TRIANGLES + 1, 0};
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &none, &m, 1, &made, &error), VP_E_ARGUMENT, "vp_manifold_scratch.memory is NULL");
    vp_manifold_scratch crooked = {(char *)scratch.memory + 4, ROOM, 0};
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &crooked, &m, 1, &made, &error), VP_E_ARGUMENT, "must be aligned to");
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &small, &m, 1, &made, &error), VP_E_ARGUMENT,
                   "vp_manifold_scratch.capacity is 127");
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &large, &m, 1, &made, &error), VP_E_ARGUMENT, "1048577");
    def.margin = INFINITY;
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &scratch, &m, 1, &made, &error), VP_E_ARGUMENT, "inf");
    def.margin = margin;
    def.surface = (vp_surface)7;
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &scratch, &m, 1, &made, &error), VP_E_ARGUMENT, "7");
    def.surface = VP_SURFACE_SOLID;
    vp_collide_triangle two[2] = {t, t};
    two[1].corner[0] = (vp_vec3){-1.0f, 0.0f, 0.0f}; /* first in the order of correction */
    two[1].normal.z = 3.0f;
    assert_refused(vp_manifold_mesh(&def, &body, two, 2, &scratch, &m, 1, &made, &error), VP_E_ARGUMENT, "triangle 1: normal is (0, 0, 3)");
    t.corner[2].y = NAN;
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &scratch, &m, 1, &made, &error), VP_E_ARGUMENT, "corner[2].y");
    assert_ok(vp_manifold_mesh(&def, &body, &t, 0, &scratch, &m, 1, &made, &error));
    assert_int_equal(made, 0);
    assert_int_equal(vp_manifold_scratch_bytes(VP_MANIFOLD_MIN_TRIANGLES - 1), 0);
    assert_int_equal(vp_manifold_scratch_bytes(VP_MANIFOLD_MAX_TRIANGLES + 1), 0);
}

/* docs/CONTRACT.md: MAN-6. With all trees made, nothing is allocated. */
TEST(memory)
{
    test_memory m;
    manifold_world s;
    vp_random r = {29};
    test_memory_begin(&m);
    const vp_allocator allocator = test_memory_allocator(&m);
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, &allocator);
    test_memory_fail_at(&m, 1);
    for (int i = 0; i < 6 * VP_BODIES; i++) {
        vp_manifold out[MANIFOLDS];
        const vp_manifold_body body = some_body(&r, &s, (vp_body_kind)(i % VP_BODIES));
        ask(&s, &body, i % 2 == 0, out);
    }
    assert_int_equal(m.requests, 0);
    test_memory_fail_at(&m, 0);
    close_scene(&s);
    test_memory_end(&m);
}

/* docs/CONTRACT.md: MAN-6. Trees are made while allocations fail. The result is complete, or an error is reported. */
TEST(no_memory)
{
    test_memory m;
    manifold_world s;
    vp_random r = {31};
    uint32_t refused = 0;
    test_memory_begin(&m);
    const vp_allocator allocator = test_memory_allocator(&m);
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, &allocator);
    for (int i = 0; i < VP_BODIES; i++) {
        const vp_manifold_def def = {.margin = margin, .by_chunk = true};
        const vp_manifold_body body = some_body(&r, &s, (vp_body_kind)i);
        vp_manifold right[MANIFOLDS], out[MANIFOLDS];
        const uint32_t made = ask(&s, &body, false, right);
        bool all = false;
        for (uint64_t n = 1; !all; n++) {
            vp_manifold_result result;
            uint32_t count;
            vp_error why;
            vp_terrain_release_reader(&s.reader); /* evicts its trees */
            test_memory_fail_at(&m, 0);
            assert_ok(vp_terrain_set_budget(s.terrain, VP_TERRAIN_NO_CACHE, &error));
            assert_ok(vp_terrain_set_budget(s.terrain, VP_TERRAIN_NO_LIMIT, &error));
            vp_terrain_acquire_reader(s.terrain, &s.reader);
            test_memory_fail_at(&m, n);
            const vp_status status = vp_manifold_terrain_many(&def, &body, 1, &s.reader, &scratch, out, MANIFOLDS, &result, &count, &why);
            all = m.requests < n;
            refused += all ? 0 : 1;
            assert_int_equal(status, VP_OK);
            assert_true(result.status == VP_OK || (result.status == VP_E_MEMORY && !all));
            assert_true(count == result.count && count == (result.status == VP_OK ? made : 0));
            if (result.status == VP_OK)
                assert_memory_equal(out, right, made * sizeof *out);
        }
        test_memory_fail_at(&m, 0);
    }
    assert_true(refused >= VP_BODIES);
    close_scene(&s);
    test_memory_end(&m);
}

int main(void)
{
    return test_run_all(begin, end);
}
