/* SPDX-License-Identifier: MIT */
/* Kept manifolds of bodies that hardly move, between edits. */
#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/manifold_scene.h"

static const float tolerance = 0.01f;

static vp_manifold kept[MANIFOLDS], now[MANIFOLDS], exact[MANIFOLDS];

/* Asks with the cache. @return the number of manifolds */
static uint32_t ask_cached(const manifold_world *s, const vp_manifold_body *body, float margin_now, vp_manifold_cache *cache)
{
    const vp_manifold_def def = {.margin = margin_now};
    uint32_t made;
    assert_ok(vp_manifold_terrain_cached(&def, body, &s->reader, tolerance, cache, &scratch, now, MANIFOLDS, &made, &error));
    return made;
}

/* The result must be that of the exact call. */
static void assert_exact(const manifold_world *s, const vp_manifold_body *body, uint32_t made)
{
    assert_int_equal(made, ask(s, body, true, exact));
    assert_memory_equal(now, exact, made * sizeof *now);
}

/* Moves and turns a body so that its points move by up to `by`. */
static vp_manifold_body moved_body(vp_random *r, const vp_manifold_body *body, float by)
{
    vp_manifold_body b = *body;
    const float part = vp_random_between(r, 0.0f, 1.0f), step = by * part / 1.7321f;
    const float turn = 0.5f * by * (1.0f - part) / vp_collide_radius(b.shape), *q = body->pose.rotation;
    const int axis = (int)vp_random_below(r, 3);
    const float unit[3] = {axis == 0, axis == 1, axis == 2}, w = 1.0f - 0.5f * turn * turn;
    b.pose.position.x += step * random_sign(r);
    b.pose.position.y += step * random_sign(r);
    b.pose.position.z += step * random_sign(r);
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        b.pose.rotation[k] = q[k] * w + turn * (unit[k] * q[3] + unit[l] * q[m] - unit[m] * q[l]);
    }
    b.pose.rotation[3] = q[3] * w - turn * (unit[0] * q[0] + unit[1] * q[1] + unit[2] * q[2]);
    return b;
}

static const vp_manifold_point *find_feature(const vp_manifold *m, uint32_t count, uint64_t feature)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < m[i].count; p++)
            if (m[i].point[p].feature == feature)
                return &m[i].point[p];
    return NULL;
}

/* Each point is one of the kept ones, moved, and no other is missing within the margin. */
static void judge_moved(const vp_manifold_body *before, uint32_t before_count, const vp_manifold_body *after, uint32_t count)
{
    const vp_vec3 by = vp_vec3_sub(after->pose.position, before->pose.position);
    uint32_t points = 0, within = 0;
    float last = -INFINITY;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < now[i].count; k++, points++) {
            const vp_manifold_point *p = &now[i].point[k], *old = find_feature(kept, before_count, p->feature);
            assert_non_null(old);
            assert_memory_equal(&p->normal, &old->normal, sizeof p->normal);
            assert_memory_equal(&p->at, &old->at, sizeof p->at);
            assert_true(p->material == old->material && p->distance <= margin);
            assert_true(fabsf(p->distance - old->distance) <= tolerance + 1e-5f);
            assert_true(p->distance >= (k == 0 ? last : now[i].point[k - 1].distance));
            last = k == 0 ? p->distance : last;
            assert_true(fabsf(vp_vec3_dot(vp_vec3_sub(p->on_shape, p->on_triangle), p->normal) - p->distance) < 1e-5f);
            const vp_vec3 stays = vp_vec3_sub(vp_vec3_add(p->on_triangle, by), old->on_triangle);
            const vp_vec3 moved = vp_vec3_sub(vp_vec3_add(p->on_shape, by), old->on_shape);
            assert_true(vp_vec3_dot(stays, stays) < 1e-10f && vp_vec3_dot(moved, moved) <= 1.01f * tolerance * tolerance);
            assert_true(fabsf(vp_vec3_dot(p->on_shape, p->on_shape) - vp_vec3_dot(old->on_shape, old->on_shape)) < 1e-5f);
        }
    for (uint32_t i = 0; i < before_count; i++)
        for (uint32_t k = 0; k < kept[i].count; k++)
            within += kept[i].point[k].distance <= margin - 1.001f * tolerance;
    assert_true(points >= within);
}

/* docs/CONTRACT.md: MAN-11. A body that stays gets the exact bits, one that moves a little the kept points, and one that moves more the
   exact manifolds. The deepest triangle at the present pose, by the kernels, is not missed. */
TEST(moves)
{
    manifold_world s;
    vp_random r = {97};
    uint32_t reused = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < 2 * POSES; i++) {
        vp_manifold_cache cache = {.count = 0};
        vp_manifold_body at = some_body(&r, &s, (vp_body_kind)(i % VP_BODIES));
        uint32_t before = ask_cached(&s, &at, margin, &cache);
        assert_false(cache.is_reused);
        assert_exact(&s, &at, before);
        memcpy(kept, now, sizeof kept);
        for (int step = 0; step < 6; step++) {
            const vp_manifold_body body = step == 0 ? at : moved_body(&r, &at, step < 5 ? 0.98f * tolerance : 3.0f * tolerance);
            const uint32_t made = ask_cached(&s, &body, margin, &cache);
            if (step == 0)
                assert_exact(&s, &body, made);
            if (step < 5)
                assert_true(cache.is_reused);
            if (!cache.is_reused) {
                assert_exact(&s, &body, made);
                continue;
            }
            judge_moved(&at, before, &body, made);
            const float least = least_distance_of(&s, &body, margin), slack = vp_collide_radius(body.shape) / 256.0f + 2.0f * tolerance;
            if (least <= 0.0f)
                assert_true(made > 0 && now[0].point[0].distance <= least + slack + 1e-5f);
            reused++;
        }
    }
    assert_true(reused >= 10u * POSES);
    close_scene(&s);
}

/* docs/CONTRACT.md: MAN-11. After an edit near the body, also of a material alone, the manifolds are exact. An edit far away changes
   nothing. */
TEST(edits)
{
    manifold_world s;
    vp_random r = {101};
    uint32_t changed = 0, reused = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < 2 * POSES; i++) {
        vp_manifold_cache cache = {.count = 0};
        const vp_manifold_body at = some_body(&r, &s, (vp_body_kind)(i % VP_BODIES));
        const uint32_t before = ask_cached(&s, &at, margin, &cache);
        memcpy(kept, now, sizeof kept);
        const float reach = i % 4 == 0 ? 16.0f : 2.0f;
        const vp_ivec3 voxel = {(int32_t)vp_min(vp_max(at.pose.position.x + reach * random_sign(&r), 0.0f), SIDE - 1.0f),
                                (int32_t)vp_max(at.pose.position.y + 2.0f * random_sign(&r), 0.0f),
                                (int32_t)vp_min(vp_max(at.pose.position.z + reach * random_sign(&r), 0.0f), SIDE - 1.0f)};
        vp_voxel v = vp_terrain_voxel(s.terrain, voxel);
        v.material = v.material >= 2 ? (uint8_t)(2 + (v.material + 1) % 5) : 3;
        v.occupancy = i % 3 == 0 ? v.occupancy : (uint8_t)vp_random_below(&r, 256);
        vp_terrain_release_reader(&s.reader);
        if (i % 2 == 0)
            assert_ok(vp_terrain_set_voxel(s.terrain, voxel, v, NULL, &error));
        else
            assert_ok(vp_terrain_set_voxels(s.terrain, &voxel, &v, 1, NULL, &error));
        vp_terrain_acquire_reader(s.terrain, &s.reader);
        const uint32_t made = ask_cached(&s, &at, margin, &cache);
        assert_exact(&s, &at, made);
        changed += made != before || memcmp(kept, now, made * sizeof *now) != 0;
        reused += cache.is_reused;
    }
    assert_true(changed > POSES / 4 && reused > POSES / 16);
    close_scene(&s);
}

/* Another terrain, shape or margin is not answered from the cache. */
TEST(other_arguments)
{
    manifold_world s;
    vp_manifold_cache cache = {.count = 0};
    vp_random r = {103};
    uint32_t made;
    open_scene(&s, flat, (vp_ivec3){0, 0, 0}, NULL);
    vp_manifold_body at = some_body(&r, &s, VP_BODY_BOX);
    ask_cached(&s, &at, margin, &cache);
    ask_cached(&s, &at, 2.0f * margin, &cache);
    assert_false(cache.is_reused);
    at.shape = &bodies[VP_BODY_SPHERE].shape;
    ask_cached(&s, &at, 2.0f * margin, &cache);
    assert_false(cache.is_reused);
    assert_refused(vp_manifold_terrain_cached(&(vp_manifold_def){.margin = margin}, &at, &s.reader, 0.03f, &cache, &scratch, now, MANIFOLDS,
                                              &made, &error),
                   VP_E_ARGUMENT, "tolerance is 0.03");
    assert_refused(vp_manifold_terrain_cached(&(vp_manifold_def){.margin = margin, .motion = {0.0f, 0.0f, 1.0f}}, &at, &s.reader, 0.0f,
                                              &cache, &scratch, now, MANIFOLDS, &made, &error),
                   VP_E_ARGUMENT, "motion must be 0");
    assert_false(cache.is_reused);
    assert_refused(vp_manifold_terrain_cached(&(vp_manifold_def){.margin = -1.0f}, &at, &s.reader, 0.0f, &cache, &scratch, now, MANIFOLDS,
                                              &made, &error),
                   VP_E_ARGUMENT, "margin is -1");
    const vp_manifold_def by_chunk = {.margin = 2.0f * margin, .by_chunk = true};
    ask_cached(&s, &at, 2.0f * margin, &cache);
    assert_ok(vp_manifold_terrain_cached(&by_chunk, &at, &s.reader, margin, &cache, &scratch, now, MANIFOLDS, &made, &error));
    assert_false(cache.is_reused);
    const uint32_t all = made;
    const vp_manifold first = now[0];
    for (uint32_t room = 0; room < 2; room++) /* a cache without room, then from the cache */
        for (int again = 0; again < 2; again++) {
            cache = again == 0 ? (vp_manifold_cache){.count = 0} : cache;
            memset(now, 0, sizeof now[0]);
            assert_ok(vp_manifold_terrain_cached(&by_chunk, &at, &s.reader, margin, &cache, &scratch, now, room, &made, &error));
            assert_int_equal(cache.is_reused, again);
            assert_int_equal(made, all);
            assert_true(all > 0);
            assert_int_equal(memcmp(now, &first, sizeof first) == 0, room == 1);
        }
    close_scene(&s);
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL); /* mostly at the same address */
    made = ask_cached(&s, &at, 2.0f * margin, &cache);
    assert_false(cache.is_reused);
    assert_int_equal(made, 0); /* inside the hills */
    close_scene(&s);
}

static uint32_t ask_surface(const manifold_world *s, const vp_manifold_body *body, vp_surface surface, vp_manifold_cache *cache,
                            vp_manifold *out)
{
    const vp_manifold_def def = {.margin = margin, .surface = surface};
    uint32_t made;
    assert_ok(cache != NULL ? vp_manifold_terrain_cached(&def, body, &s->reader, tolerance, cache, &scratch, out, MANIFOLDS, &made, &error)
                            : vp_manifold_terrain(&def, body, &s->reader, &scratch, out, MANIFOLDS, &made, &error));
    return made;
}

/* docs/CONTRACT.md: MAN-11. Manifolds with water are kept too, are not those with the solid below, and are exact after an edit of the
   water. */
TEST(water)
{
    manifold_world s = {0};
    assert_ok(vp_world_create(&(vp_world_def){.size = {24, 24, 24}}, &s.world, &error));
    for (int32_t i = 0; i < 24 * 24 * 10; i++) { /* solid up to y 5, water up to 9.5 */
        const int32_t y = i / (24 * 24);
        const vp_voxel v = {y < 5 ? VP_FIRST_SOLID : VP_WATER, y < 9 ? 255 : 127};
        assert_ok(vp_world_set_voxel(s.world, (vp_ivec3){i % 24, y, i / 24 % 24}, v, NULL, &error));
    }
    const vp_terrain_def def = {.world = s.world, .surfaces = VP_TERRAIN_SOLID | VP_TERRAIN_WATER, .budget = VP_TERRAIN_NO_LIMIT};
    assert_ok(vp_terrain_create(&def, &s.terrain, &error));
    vp_terrain_acquire_reader(s.terrain, &s.reader);
    const vp_collide_shape tall = vp_collide_box((vp_vec3){0.5f, 2.4f, 0.5f}); /* reaches from the solid to the water's surface */
    const vp_manifold_body at = {&tall, vp_pose_at((vp_vec3){12.3f, 7.2f, 12.3f})};
    vp_manifold_cache cache = {.count = 0};
    for (int i = 0; i < 8; i++) {
        const vp_surface surface = i < 4 ? VP_SURFACE_WATER : VP_SURFACE_SOLID;
        if (i == 2) { /* two voxels of water vanish */
            vp_terrain_release_reader(&s.reader);
            assert_ok(vp_terrain_set_voxel(s.terrain, (vp_ivec3){12, 9, 12}, (vp_voxel){VP_AIR, 0}, NULL, &error));
            assert_ok(vp_terrain_set_voxel(s.terrain, (vp_ivec3){12, 8, 12}, (vp_voxel){VP_AIR, 0}, NULL, &error));
            vp_terrain_acquire_reader(s.terrain, &s.reader);
        }
        const uint32_t made = ask_surface(&s, &at, surface, &cache, now), right = ask_surface(&s, &at, surface, NULL, exact);
        assert_int_equal(cache.is_reused, i % 2 == 1 || i > 4);
        assert_true(made > 0 && made == right);
        assert_memory_equal(now, exact, made * sizeof *now);
        if (i == 2)
            assert_memory_not_equal(now, kept, sizeof *now);
        memcpy(kept, now, sizeof *now);
    }
    close_scene(&s);
}

int main(void)
{
    return test_run_all(begin, end);
}
