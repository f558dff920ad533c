/* SPDX-License-Identifier: MIT */
/* Queries and edits of one terrain from several threads at once. Edits only ever make one of a few known worlds, and every
 * answer must be brute force's answer in one of them, all answers of one call in the same one. Under the thread
 * sanitizer this is also the proof that nothing is read while it is written. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#endif
#include "src/terrain/terrain_internal.h"
#include "tests/support/check.h"
#include "tests/support/contact_oracle.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/threads.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN
enum { ROUNDS = 60 };
#else
enum { ROUNDS = 1500 };
#endif

static const vp_ivec3 origin = {0, 0, 0};
static const vp_dims whole = {0, 0, 0};

/* ---- edits between known worlds ---- */

enum { STATES = 3, RAYS = 48, BOXES = 12, LIST = 3000 };

typedef struct known {
    vp_terrain_hit closest[RAYS], touched[RAYS];
    terrain_oracle oracle;
    uint32_t hits[RAYS], boxed[BOXES];
    vp_voxel voxel;
} known;

typedef struct scene {
    vp_terrain *terrain;
    vp_ray ray[RAYS];
    vp_aabb box[BOXES];
    known of[STATES];
    atomic_bool stop;
    atomic_uint answers, wrong, started;
} scene;

static const vp_ivec3 low = {5, 3, 4}, high = {13, 13, 12};

/* What makes a world the n-th of the known ones: all of one box. */
static vp_voxel content(uint32_t n)
{
    static const vp_voxel all[STATES] = {{VP_AIR, 0}, {5, 255}, {2, 140}};
    return all[n];
}

static bool same(const scene *s, uint32_t state, const vp_terrain_hit *got)
{
    for (uint32_t i = 0; i < RAYS; i++)
        if (!terrain_same_hit(&got[i], &s->of[state].closest[i]))
            return false;
    return true;
}

static void expect(scene *s, bool right)
{
    atomic_fetch_add(&s->answers, 1);
    if (!right)
        atomic_fetch_add(&s->wrong, 1);
}

static float largest(vp_vec3 v)
{
    return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fabsf(v.z));
}

/* What a contact tells hangs together: the point is on the triangle whose corners are told, a radius from the centre. */
static bool is_whole(const vp_terrain_contact *c, const vp_ray *ray, float radius)
{
    if (c->hit.hit.triangle < 0)
        return true;
    const vp_vec3 off = vp_vec3_sub(c->at.centre, c->at.point), end = vp_vec3_add(ray->origin, vp_vec3_scale(ray->direction, c->hit.hit.t));
    const float distance = sqrtf(vp_vec3_dot(off, off)), slack = 1e-6f * (largest(ray->origin) + largest(c->at.centre) + 32);
    return contact_distance(c->at.point, c->triangle.corner) < slack && largest(vp_vec3_sub(end, c->at.centre)) < slack &&
           distance < radius + slack && (c->hit.hit.t == 0 || distance > radius - slack) &&
           (distance < slack * 64 || vp_vec3_dot(c->at.normal, off) > distance * 0.99f);
}

/* All that one call tells is of one version. */
static void ask_at_once(scene *s, uint32_t i, uint32_t b)
{
    enum { SOME = 8 };
    const float radius = 0.5f;
    vp_terrain_point p;
    vp_terrain_contact c;
    vp_terrain_triangle_id list[SOME];
    vp_terrain_triangle is[SOME];
    uint32_t count = 0;
    bool right[3] = {false};
    vp_error error;
    if (vp_terrain_raycast_point(s->terrain, VP_SURFACE_SOLID, &s->ray[i], &p, &error) != VP_OK ||
        vp_terrain_sphere_sweep(s->terrain, VP_SURFACE_SOLID, &s->ray[i], radius, &c, &error) != VP_OK ||
        vp_terrain_gather_triangles(s->terrain, VP_SURFACE_SOLID, &s->box[b], list, is, SOME, &count, &error) != VP_OK) {
        expect(s, false);
        return;
    }
    for (uint32_t k = 0; k < STATES; k++) {
        const known *w = &s->of[k];
        right[0] |= terrain_same_hit(&p.hit, &w->closest[i]) && terrain_is_triangle(&w->oracle, &p.hit, &p.triangle);
        right[1] |= terrain_same_hit(&c.hit, &w->touched[i]) && terrain_is_triangle(&w->oracle, &c.hit, &c.triangle);
        bool all = count == w->boxed[b];
        for (uint32_t n = 0; all && n < count && n < SOME; n++)
            all = terrain_is_triangle(&w->oracle, &(vp_terrain_hit){{0, (int32_t)list[n].triangle, 0, 0}, list[n].chunk}, &is[n]);
        right[2] |= all;
    }
    expect(s, right[0] && right[1] && right[2] && is_whole(&c, &s->ray[i], radius));
}

/* All that a reader is asked is of one version, one call after the other. */
static void ask_reader(scene *s, uint32_t i)
{
    vp_terrain_reader reader;
    vp_terrain_hit hit, many[RAYS];
    vp_terrain_triangle is = {.material = 0};
    vp_terrain_contact c;
    vp_error error;
    bool right = false;
    vp_terrain_begin_reading(s->terrain, &reader);
    vp_status status = vp_terrain_reader_raycast(&reader, VP_SURFACE_SOLID, &s->ray[i], &hit, &error);
    sched_yield();
    if (status == VP_OK && hit.hit.triangle >= 0)
        status = vp_terrain_reader_triangle(&reader, VP_SURFACE_SOLID, (vp_terrain_triangle_id){hit.chunk, (uint32_t)hit.hit.triangle}, &is,
                                            &error);
    if (status == VP_OK)
        status = vp_terrain_reader_raycast_many(&reader, VP_SURFACE_SOLID, s->ray, RAYS, many, &error);
    if (status == VP_OK)
        status = vp_terrain_reader_sphere_sweep(&reader, VP_SURFACE_SOLID, &s->ray[i], 0.5f, &c, &error);
    const vp_voxel v = vp_world_voxel(vp_terrain_reader_world(&reader), low);
    vp_terrain_end_reading(&reader);
    for (uint32_t k = 0; status == VP_OK && k < STATES; k++) {
        const known *w = &s->of[k];
        right |= terrain_same_hit(&hit, &w->closest[i]) && terrain_is_triangle(&w->oracle, &hit, &is) && same(s, k, many) &&
                 terrain_same_hit(&c.hit, &w->touched[i]) && v.material == w->voxel.material;
    }
    expect(s, right);
}

static void ask_one(scene *s, vp_random *r)
{
    const uint32_t i = vp_random_below(r, RAYS), b = vp_random_below(r, BOXES);
    vp_terrain_hit hit, all[1];
    vp_terrain_contact touched;
    vp_terrain_triangle_id *list = malloc(LIST * sizeof *list);
    uint32_t hits = 0, boxed = 0;
    bool any = false;
    vp_error error;
    if (list == NULL || vp_terrain_raycast(s->terrain, VP_SURFACE_SOLID, &s->ray[i], &hit, &error) != VP_OK ||
        vp_terrain_raycast_any(s->terrain, VP_SURFACE_SOLID, &s->ray[i], &any, &error) != VP_OK ||
        vp_terrain_raycast_all(s->terrain, VP_SURFACE_SOLID, &s->ray[i], all, 1, &hits, &error) != VP_OK ||
        vp_terrain_sphere_sweep(s->terrain, VP_SURFACE_SOLID, &s->ray[i], 0.5f, &touched, &error) != VP_OK ||
        vp_terrain_gather(s->terrain, VP_SURFACE_SOLID, &s->box[b], list, LIST, &boxed, &error) != VP_OK) {
        expect(s, false);
        free(list);
        return;
    }
    free(list);
    ask_at_once(s, i, b);
    ask_reader(s, i);
    const vp_voxel v = vp_terrain_voxel(s->terrain, low);
    bool right[6] = {false};
    for (uint32_t k = 0; k < STATES; k++) {
        const known *w = &s->of[k];
        right[0] |= terrain_same_hit(&hit, &w->closest[i]);
        right[1] |= any == (w->closest[i].hit.triangle >= 0);
        right[2] |= hits == w->hits[i];
        right[3] |= terrain_same_hit(&touched.hit, &w->touched[i]);
        right[4] |= boxed == w->boxed[b];
        right[5] |= v.material == w->voxel.material && v.occupancy == w->voxel.occupancy;
    }
    expect(s, right[0] && right[1] && right[2] && right[3] && right[4] && right[5]);
}

static void ask_many(scene *s)
{
    vp_terrain_hit got[RAYS];
    vp_error error;
    bool right = false;
    if (vp_terrain_raycast_many(s->terrain, VP_SURFACE_SOLID, s->ray, RAYS, got, &error) == VP_OK)
        for (uint32_t k = 0; k < STATES; k++)
            right |= same(s, k, got);
    expect(s, right);
}

static void *asker(void *user)
{
    scene *s = user;
    vp_random r = {100 + atomic_fetch_add(&s->started, 1)};
    while (!atomic_load(&s->stop)) {
        ask_one(s, &r);
        ask_many(s);
        const vp_terrain_stats stats = vp_terrain_stats_of(s->terrain);
        if (stats.bytes > stats.budget)
            expect(s, false);
    }
    return NULL;
}

static void *editor(void *user)
{
    scene *s = user;
    static const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, 30000, VP_TERRAIN_NO_CACHE, 12000};
    vp_random r = {100 + atomic_fetch_add(&s->started, 1)};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        vp_error error;
        if (vp_terrain_fill_box(s->terrain, low, high, content(vp_random_below(&r, STATES)), NULL, &error) != VP_OK)
            expect(s, false);
        if (round % 16 == 5 && vp_terrain_set_budget(s->terrain, budgets[round / 16 % 4], &error) != VP_OK)
            expect(s, false);
        if (round % 64 == 40 && vp_terrain_prepare(s->terrain, &error) != VP_OK)
            expect(s, false);
        if (round % 8 == 3) {
            vp_terrain_reader reader;
            vp_terrain_begin_reading(s->terrain, &reader);
            const vp_world *world = vp_terrain_reader_world(&reader);
            const vp_voxel a = vp_world_voxel(world, low), b = vp_world_voxel(world, (vp_ivec3){high.x - 1, high.y - 1, high.z - 1});
            vp_terrain_end_reading(&reader);
            expect(s, a.material == b.material && a.occupancy == b.occupancy);
        }
    }
    return NULL;
}

static void know(scene *s, vp_world *world, vp_random *r)
{
    for (uint32_t k = 0; k < STATES; k++) {
        terrain_oracle o;
        assert_ok(vp_world_fill_box(world, low, high, content(k), NULL, &error));
        terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o);
        s->of[k].oracle = o;
        for (uint32_t i = 0; k == 0 && i < RAYS; i++)
            s->ray[i] = terrain_random_ray(r, &o, vp_world_size(world));
        for (uint32_t b = 0; k == 0 && b < BOXES; b++)
            s->box[b] = test_random_box(r, vp_world_size(world));
        known *w = &s->of[k];
        w->voxel = content(k);
        for (uint32_t i = 0; i < RAYS; i++) {
            vp_terrain_hit list[1];
            w->closest[i] = terrain_oracle_closest(&o, &s->ray[i]);
            w->touched[i] = terrain_oracle_touched(&o, &s->ray[i], 0.5f);
            w->hits[i] = terrain_oracle_all(&o, &s->ray[i], list, 1);
        }
        vp_terrain_triangle_id *list = malloc((o.triangles.triangle_count + (size_t)1) * sizeof *list);
        assert_non_null(list);
        assert_true(o.triangles.triangle_count <= LIST);
        for (uint32_t b = 0; b < BOXES; b++)
            w->boxed[b] = terrain_oracle_overlapping(&o, &s->box[b], list, o.triangles.triangle_count);
        free(list);
    }
    for (uint32_t k = 0; k < STATES; k++) /* else nothing could be told from anything */
        assert_false(same(s, k, s->of[(k + 1) % STATES].closest));
}

static void edits_while_others_ask(void **state)
{
    (void)state;
    static scene s;
    enum { ASKERS = 3, EDITORS = 2 };
    vp_random r = {41};
    vp_world *world = test_world(3, 2, 2, NULL);
    assert_ok(vp_world_fill_box(world, origin, (vp_ivec3){24, 6, 16}, (vp_voxel){2, 255}, NULL, &error));
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){15, 9, 5}, 4, (vp_voxel){3, 200}, NULL, &error));
    know(&s, world, &r);
    const vp_executor executor = test_threads(2);
    const vp_terrain_def def = {.world = world, .form = VP_KD_WIDE, .budget = VP_TERRAIN_NO_LIMIT, .executor = &executor};
    assert_ok(vp_terrain_create(&def, &s.terrain, &error));
    pthread_t ask[ASKERS], change[EDITORS];
    for (int i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_create(&ask[i], NULL, asker, &s), 0);
    for (int i = 0; i < EDITORS; i++)
        assert_int_equal(pthread_create(&change[i], NULL, editor, &s), 0);
    for (int i = 0; i < EDITORS; i++)
        pthread_join(change[i], NULL);
    atomic_store(&s.stop, true);
    for (int i = 0; i < ASKERS; i++)
        pthread_join(ask[i], NULL);
    assert_int_equal(atomic_load(&s.wrong), 0);
    assert_true(atomic_load(&s.answers) > ROUNDS / 4);
    terrain_oracle o;
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o);
    for (int i = 0; i < 200; i++)
        terrain_expect(s.terrain, VP_SURFACE_SOLID, &o, &r);
    terrain_oracle_free(&o);
    for (uint32_t k = 0; k < STATES; k++)
        terrain_oracle_free(&s.of[k].oracle);
    vp_terrain_destroy(s.terrain);
    vp_world_destroy(world);
}

/* ---- one tree a chunk ---- */

typedef struct crowd {
    vp_terrain *terrain;
    uint32_t chunks;
    atomic_uint ready, wrong;
} crowd;

enum { CROWD = 6 };

static void *visitor(void *user)
{
    crowd *c = user;
    atomic_fetch_add(&c->ready, 1);
    while (atomic_load(&c->ready) % CROWD != 0)
        ;
    for (uint32_t chunk = 0; chunk < c->chunks; chunk++) {
        vp_terrain_reader reader;
        vp_terrain_triangle is;
        vp_error error;
        vp_terrain_begin_reading(c->terrain, &reader);
        const vp_status status = vp_terrain_reader_triangle(&reader, VP_SURFACE_SOLID, (vp_terrain_triangle_id){chunk, 0}, &is, &error);
        vp_terrain_end_reading(&reader);
        if (status != VP_OK && status != VP_E_ARGUMENT)
            atomic_fetch_add(&c->wrong, 1);
    }
    return NULL;
}

/* All want all chunks at the same time, and in the same order. */
static void one_build_a_chunk(void **state)
{
    (void)state;
    vp_random r = {42};
    vp_world *world = test_random_world(&r, (vp_dims){6, 4, 6}, NULL);
    const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, SIZE_MAX / 2};
    for (int b = 0; b < 2; b++)
        for (int round = 0; round < 3; round++) {
            crowd c = {.chunks = 6 * 4 * 6};
            const vp_terrain_def def = {.world = world, .form = VP_KD_WIDE, .budget = budgets[b]};
            assert_ok(vp_terrain_create(&def, &c.terrain, &error));
            pthread_t thread[CROWD];
            for (int i = 0; i < CROWD; i++)
                assert_int_equal(pthread_create(&thread[i], NULL, visitor, &c), 0);
            for (int i = 0; i < CROWD; i++)
                pthread_join(thread[i], NULL);
            const vp_terrain_stats stats = vp_terrain_stats_of(c.terrain);
            assert_int_equal(atomic_load(&c.wrong), 0);
            assert_int_equal(stats.built, c.chunks);
            assert_int_equal(stats.kept + stats.empty, c.chunks);
            assert_true(stats.misses >= c.chunks);
            if (b == 1)
                assert_int_equal(stats.misses + stats.hits, (uint64_t)c.chunks * CROWD);
            vp_terrain_destroy(c.terrain);
        }
    vp_world_destroy(world);
}

/* ---- little room ---- */

typedef struct squeeze {
    vp_terrain *terrain;
    const terrain_oracle *o;
    atomic_uint wrong, started;
} squeeze;

static void *squeezed(void *user)
{
    squeeze *s = user;
    vp_random r = {100 + atomic_fetch_add(&s->started, 1)};
    const vp_dims size = {32, 24, 32};
    for (int i = 0; i < (ROUNDS < 400 ? ROUNDS : 400); i++) {
        vp_terrain_hit got;
        vp_error error;
        const vp_ray ray = terrain_random_ray(&r, s->o, size);
        const vp_terrain_hit want = terrain_oracle_closest(s->o, &ray);
        if (vp_terrain_raycast(s->terrain, VP_SURFACE_SOLID, &ray, &got, &error) != VP_OK || !terrain_same_hit(&got, &want))
            atomic_fetch_add(&s->wrong, 1);
    }
    return NULL;
}

/* More threads than trees that fit: what others use stays while they use it. */
static void trees_that_are_pinned(void **state)
{
    (void)state;
    vp_random r = {43};
    vp_world *world = test_random_world(&r, (vp_dims){4, 3, 4}, NULL);
    terrain_oracle o;
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o);
    static const size_t budgets[] = {14000, 25000, VP_TERRAIN_NO_CACHE, 70000};
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
        squeeze s = {.o = &o};
        const vp_terrain_def def = {.world = world, .form = VP_KD_WIDE, .budget = budgets[b]};
        assert_ok(vp_terrain_create(&def, &s.terrain, &error));
        pthread_t thread[CROWD];
        for (int i = 0; i < CROWD; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, squeezed, &s), 0);
        for (int i = 0; i < CROWD; i++)
            pthread_join(thread[i], NULL);
        const vp_terrain_stats stats = vp_terrain_stats_of(s.terrain);
        assert_int_equal(atomic_load(&s.wrong), 0);
        assert_true(stats.most_bytes <= budgets[b]);
        assert_true(budgets[b] == VP_TERRAIN_NO_CACHE || stats.evictions > 20);
        vp_terrain_destroy(s.terrain);
    }
    terrain_oracle_free(&o);
    vp_world_destroy(world);
}

/* ---- many readers of one tree ---- */

/* More than an entry of the cache can count: READERS_COUNTED may read a tree at once; who comes then waits for one of them to
   go. */
enum { READERS = 70, READERS_COUNTED = 63 };

typedef struct meeting {
    vp_terrain *terrain;
    uint32_t chunk;
    atomic_uint came, got, wrong;
    atomic_bool go;
    const vp_kd_view *tree[READERS];
} meeting;

static meeting met;

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* In the place of a kernel: takes the tree of one chunk, and stays with it until it may go. */
static vp_terrain_hit stay(const vp_terrain_view *view, const vp_ray *ray)
{
    const uint32_t i = atomic_fetch_add(&met.came, 1);
    const vp_kd_view *tree = view->find(view->user, met.chunk);
    if (tree == NULL)
        tree = view->make(view->user, met.chunk);
    met.tree[i] = tree;
    atomic_fetch_add(&met.got, 1);
    while (!atomic_load(&met.go))
        wait_a_little();
    return (vp_terrain_hit){{ray->t_max, tree->triangles.triangle_count == 0 ? VP_NO_HIT : 0, 0, 0}, met.chunk};
}

static void *reader_of_one(void *user)
{
    const vp_ray ray = {{4, 20, 4}, {0, -1, 0}, 30};
    vp_terrain_hit hit;
    vp_error error;
    (void)user;
    if (vp_terrain_raycast(met.terrain, VP_SURFACE_SOLID, &ray, &hit, &error) != VP_OK || hit.hit.triangle != 0)
        atomic_fetch_add(&met.wrong, 1);
    return NULL;
}

/* @param there  the tree is made before they come; otherwise by one of them */
static void read_together(vp_world *world, const vp_kernels *kernels, bool there)
{
    const vp_terrain_def def = {.world = world, .form = VP_KD_WIDE, .budget = SIZE_MAX / 2, .kernels = kernels};
    pthread_t thread[READERS];
    memset(&met, 0, sizeof met);
    assert_ok(vp_terrain_create(&def, &met.terrain, &error));
    if (there)
        assert_ok(vp_terrain_prepare(met.terrain, &error));
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, reader_of_one, NULL), 0);
    for (int i = 0; i < 60000 && (atomic_load(&met.came) < READERS || atomic_load(&met.got) < READERS_COUNTED); i++)
        wait_a_little();
    for (int i = 0; i < 50; i++) /* for those who should not get it */
        wait_a_little();
    const uint32_t got = atomic_load(&met.got);
    atomic_store(&met.go, true);
    for (int i = 0; i < READERS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(got, READERS_COUNTED);
    assert_int_equal(atomic_load(&met.got), READERS);
    assert_int_equal(atomic_load(&met.wrong), 0);
    for (int i = 1; i < READERS; i++)
        assert_ptr_equal(met.tree[i], met.tree[0]);
    vp_terrain_stats stats = vp_terrain_stats_of(met.terrain);
    assert_int_equal(stats.kept, 1);
    assert_int_equal(stats.built, 1);
    assert_true(there ? stats.hits == READERS : stats.hits + stats.misses == READERS);
    assert_ok(vp_terrain_set_budget(met.terrain, VP_TERRAIN_NO_CACHE, &error)); /* nobody reads it any more: it can go */
    stats = vp_terrain_stats_of(met.terrain);
    assert_int_equal(stats.evictions, 1);
    assert_int_equal(stats.kept, 0);
    assert_int_equal(stats.bytes, 0);
    vp_terrain_destroy(met.terrain);
}

static void more_readers_than_are_counted(void **state)
{
    (void)state;
    vp_world *world = test_world(1, 2, 1, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){2, 2, 2}, (vp_ivec3){6, 6, 6}, (vp_voxel){2, 255}, NULL, &error));
    vp_kernels kernels;
    assert_ok(vp_kernels_named("scalar", &kernels, &error));
    kernels.terrain_ray = stay;
    read_together(world, &kernels, true);
    read_together(world, &kernels, false);
    vp_world_destroy(world);
}

/* ---- reading ---- */

typedef struct beside {
    vp_terrain *terrain;
    vp_dims chunks;
    atomic_bool done, right;
} beside;

/* Makes all chunks, one box after the other. */
static void *gather_everywhere(void *argument)
{
    beside *b = argument;
    vp_terrain_triangle_id one;
    bool right = true;
    for (uint32_t c = 0; c < b->chunks.x * b->chunks.y * b->chunks.z; c++) {
        const float x = (float)(c % b->chunks.x * 8), y = (float)(c / b->chunks.x % b->chunks.y * 8),
                    z = (float)(c / b->chunks.x / b->chunks.y * 8);
        const vp_aabb box = {{x, y, z}, {x + 8, y + 8, z + 8}};
        uint32_t count;
        vp_error why;
        right = vp_terrain_gather(b->terrain, VP_SURFACE_SOLID, &box, &one, 1, &count, &why) == VP_OK && right;
    }
    atomic_store(&b->right, right);
    atomic_store(&b->done, true);
    return NULL;
}

/* Where nobody edits, a query waits for no reader, however much it has made. */
static void queries_do_not_wait_for_readers(void **state)
{
    (void)state;
    vp_random r = {77};
    beside b = {.chunks = {7, 3, 7}};
    vp_world *world = test_random_world(&r, b.chunks, NULL);
    const vp_terrain_def def = {.world = world, .form = VP_KD_WIDE, .budget = VP_TERRAIN_NO_LIMIT};
    assert_ok(vp_terrain_create(&def, &b.terrain, &error));
    atomic_init(&b.done, false);
    atomic_init(&b.right, false);
    pthread_t thread;
    vp_terrain_reader reader;
    vp_terrain_begin_reading(b.terrain, &reader);
    assert_int_equal(pthread_create(&thread, NULL, gather_everywhere, &b), 0);
    for (int tenths = 0; tenths < 600 && !atomic_load(&b.done); tenths++)
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    assert_true(atomic_load(&b.done));
    vp_terrain_end_reading(&reader);
    pthread_join(thread, NULL);
    assert_true(atomic_load(&b.right));
    assert_in_range(vp_terrain_stats_of(b.terrain).built, 65, 147); /* more than the top level is told of at once */
    vp_terrain_destroy(b.terrain);
    vp_world_destroy(world);
}

/* ---- who reads and does something else ---- */

static const char reads[] = "this thread reads the terrain";

/* What would wait for this thread's own reader says so at once. */
static void edits_by_who_reads(void **state)
{
    (void)state;
    const vp_voxel rock = {2, 255};
    const uint8_t material[1] = {2};
    const vp_ivec3 at = {1, 1, 1};
    vp_terrain *t = NULL;
    vp_world *world = test_world(2, 2, 2, NULL);
    const vp_terrain_def def = {.world = world, .budget = 5000};
    assert_ok(vp_terrain_create(&def, &t, &error));
    vp_terrain_reader first, second, third = {.terrain = NULL};
    vp_terrain_begin_reading(t, &first);
    vp_terrain_begin_reading(t, &second);
    for (int left = 2; left > 0; left--) { /* they end in the order in which they began */
        assert_refused(vp_terrain_set_voxel(t, at, rock, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_set_voxels(t, &at, &rock, 1, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_fill_box(t, at, (vp_ivec3){3, 3, 3}, rock, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_fill_sphere(t, (vp_vec3){4, 4, 4}, 2, rock, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_write_rows(t, at, (vp_dims){1, 1, 1}, material, NULL, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_set_budget(t, VP_TERRAIN_NO_LIMIT, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_prepare(t, &error), VP_E_ARGUMENT, reads);
        vp_terrain_end_reading(left == 2 ? &first : &second);
        vp_terrain_end_reading(&first); /* has ended */
        vp_terrain_end_reading(&third); /* has not begun */
    }
    assert_int_equal(vp_terrain_voxel(t, at).material, VP_AIR);
    assert_int_equal(vp_terrain_stats_of(t).budget, 5000);
    assert_ok(vp_terrain_set_voxel(t, at, rock, NULL, &error));
    assert_ok(vp_terrain_set_budget(t, 0, &error));
    assert_ok(vp_terrain_prepare(t, &error));
    assert_int_equal(vp_terrain_voxel(t, at).material, 2);
    vp_terrain_destroy(t);
    vp_world_destroy(world);
}

typedef struct waiting {
    vp_terrain *terrain;
    const vp_terrain_reader *reader;
    atomic_bool done, wrong;
} waiting;

static const vp_ivec3 far_corner = {15, 15, 15};

static void *edits_the_corner(void *user)
{
    waiting *w = user;
    vp_error why;
    if (vp_terrain_set_voxel(w->terrain, far_corner, (vp_voxel){5, 255}, NULL, &why) != VP_OK)
        atomic_store(&w->wrong, true);
    atomic_store(&w->done, true);
    return NULL;
}

/* Another thread asks the reader that it was given. */
static void *asks_the_reader(void *user)
{
    waiting *w = user;
    const vp_ray ray = {{8.25f, 15, 8.25f}, {0, -1, 0}, 20};
    vp_terrain_hit hit;
    vp_error why;
    for (int i = 0; i < 50; i++)
        if (vp_terrain_reader_raycast(w->reader, VP_SURFACE_SOLID, &ray, &hit, &why) != VP_OK || hit.hit.triangle < 0)
            atomic_store(&w->wrong, true);
    return NULL;
}

/* While an edit waits for a reader, the thread that reads asks the reader, the terrain, and begins again. */
static void questions_while_an_edit_waits(void **state)
{
    (void)state;
    const vp_ray ray = {{8.25f, 15, 8.25f}, {0, -1, 0}, 20};
    const vp_aabb box = {{0, 0, 0}, {16, 16, 16}};
    vp_terrain_reader reader, again;
    vp_terrain_hit hit;
    vp_terrain_point point;
    vp_terrain_contact contact;
    vp_terrain_triangle_id list[4];
    vp_terrain_triangle is[4];
    uint32_t count = 0;
    bool any = false;
    pthread_t thread, other[2];
    vp_world *world = test_world(2, 2, 2, NULL);
    assert_ok(vp_world_fill_box(world, origin, (vp_ivec3){16, 5, 16}, (vp_voxel){2, 255}, NULL, &error));
    waiting w = {.reader = &reader};
    const vp_terrain_def def = {.world = world};
    assert_ok(vp_terrain_create(&def, &w.terrain, &error));
    vp_terrain_begin_reading(w.terrain, &reader);
    assert_int_equal(pthread_create(&thread, NULL, edits_the_corner, &w), 0);
    while ((atomic_load(&w.terrain->gate.state) & VP_GATE_CLOSED) == 0) /* until it waits */
        wait_a_little();
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&other[i], NULL, asks_the_reader, &w), 0);
    for (int i = 0; i < 3; i++) {
        assert_ok(vp_terrain_raycast(w.terrain, VP_SURFACE_SOLID, &ray, &hit, &error));
        assert_ok(vp_terrain_raycast_point(w.terrain, VP_SURFACE_SOLID, &ray, &point, &error));
        assert_ok(vp_terrain_raycast_any(w.terrain, VP_SURFACE_SOLID, &ray, &any, &error));
        assert_ok(vp_terrain_raycast_all(w.terrain, VP_SURFACE_SOLID, &ray, &hit, 1, &count, &error));
        assert_ok(vp_terrain_raycast_many(w.terrain, VP_SURFACE_SOLID, &ray, 1, &hit, &error));
        assert_ok(vp_terrain_sphere_sweep(w.terrain, VP_SURFACE_SOLID, &ray, 1, &contact, &error));
        assert_ok(vp_terrain_gather(w.terrain, VP_SURFACE_SOLID, &box, list, 4, &count, &error));
        vp_terrain_begin_reading(w.terrain, &again);
        assert_ok(vp_terrain_reader_raycast_any(&again, VP_SURFACE_SOLID, &ray, &any, &error));
        assert_ok(vp_terrain_reader_gather_triangles(&again, VP_SURFACE_SOLID, &box, list, is, 4, &count, &error));
        assert_true(any && count > 4);
        assert_refused(vp_terrain_set_voxel(w.terrain, origin, (vp_voxel){5, 255}, NULL, &error), VP_E_ARGUMENT, reads);
        assert_int_equal(vp_terrain_voxel(w.terrain, far_corner).material, VP_AIR);
        assert_true(vp_terrain_reader_broadphase(&again) == vp_terrain_reader_broadphase(&reader));
        vp_terrain_end_reading(&again);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(other[i], NULL);
    assert_false(atomic_load(&w.done));
    vp_terrain_end_reading(&reader);
    pthread_join(thread, NULL);
    assert_false(atomic_load(&w.wrong));
    assert_int_equal(vp_terrain_voxel(w.terrain, far_corner).material, 5);
    vp_terrain_destroy(w.terrain);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(edits_while_others_ask),          cmocka_unit_test(one_build_a_chunk),
                                       cmocka_unit_test(trees_that_are_pinned),           cmocka_unit_test(more_readers_than_are_counted),
                                       cmocka_unit_test(queries_do_not_wait_for_readers), cmocka_unit_test(edits_by_who_reads),
                                       cmocka_unit_test(questions_while_an_edit_waits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
