/* SPDX-License-Identifier: MIT */
/* Queries, saves and edits of one terrain on several threads. Edits only make one of a few known worlds. Every answer equals
 * brute force in one of them. All answers of one call, or of one reader, fit the same world. The thread sanitizer also checks that
 * nothing is read during a write. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* nanosleep, mkdtemp */
#endif
#include "src/terrain/terrain_internal.h"
#include "tests/support/folder.h"
#include "tests/support/oracle.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/threads.h"
#include "tests/world/same.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <voxphys/voxphys.h>

enum { ROUNDS = IS_THIN ? 60 : 800 };

static const vp_ivec3 origin = {0, 0, 0};
static const vp_dims whole = {0, 0, 0};

static void start(pthread_t *thread, int count, void *(*task)(void *), void *user)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, task, user), 0);
}

static void join(pthread_t *thread, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* ---- edits between known worlds ---- */

enum { STATES = 3, RAYS = 48, BOXES = 12, SMALL = 300, LIST = 3000, SOME = 8 };

typedef struct known {
    vp_world *world;
    terrain_oracle oracle;
    vp_terrain_hit closest[RAYS], touched[RAYS];
    uint32_t hits[RAYS], boxed[BOXES];
    uint8_t touch[SMALL];
    double in_water;
} known;

typedef struct threads_scene {
    vp_world *world;
    vp_terrain *terrain;
    vp_ray ray[RAYS];
    vp_aabb box[BOXES];
    vp_aabb small[SMALL]; /* boxes near the edits, so many that a query takes some time */
    float side[6][SMALL]; /* the boxes as arrays */
    vp_boxes boxes;
    vp_collide_shape shape;
    vp_buoyancy_body body; /* in the columns of the edits, higher than them */
    known of[STATES];
    atomic_bool stop;
    atomic_uint answers, wrong, started;
} threads_scene;

static threads_scene s;

static const vp_ivec3 low = {5, 3, 4}, high = {13, 13, 12};
static const float radius = 0.5f;

/* The voxels that make a world the n-th known one, in a box. */
static vp_voxel content(uint32_t n)
{
    static const vp_voxel all[STATES] = {{VP_WATER, 127}, {5, 255}, {2, 140}};
    return all[n];
}

static void expect(bool right)
{
    atomic_fetch_add(&s.answers, 1);
    if (!right)
        atomic_fetch_add(&s.wrong, 1);
}

/* The answers of every query for one ray and one box. */
typedef struct answers {
    uint32_t i, b; /* numbers of the ray and the box */
    vp_terrain_hit hit, many[RAYS], all[1];
    vp_terrain_point point;
    vp_terrain_contact contact;
    vp_terrain_triangle_id list[LIST], some[SOME];
    vp_terrain_triangle is[SOME];
    uint32_t hits, boxed, gathered, touch;
    uint8_t touches[SMALL];
    bool any;
    vp_voxel voxel;
    vp_buoyancy_volume in_water;
} answers;

#define ASK(of, who, a, error)                                                                                                             \
    (vp_##of##_raycast(who, VP_SURFACE_SOLID, &s.ray[(a)->i], &(a)->hit, error) == VP_OK &&                                                \
     vp_##of##_raycast_any(who, VP_SURFACE_SOLID, &s.ray[(a)->i], &(a)->any, error) == VP_OK &&                                            \
     vp_##of##_raycast_all(who, VP_SURFACE_SOLID, &s.ray[(a)->i], (a)->all, 1, &(a)->hits, error) == VP_OK &&                              \
     vp_##of##_raycast_many(who, VP_SURFACE_SOLID, s.ray, RAYS, (a)->many, error) == VP_OK &&                                              \
     vp_##of##_raycast_point(who, VP_SURFACE_SOLID, &s.ray[(a)->i], &(a)->point, error) == VP_OK &&                                        \
     vp_##of##_sphere_sweep(who, VP_SURFACE_SOLID, &s.ray[(a)->i], radius, &(a)->contact, error) == VP_OK &&                               \
     vp_##of##_gather(who, VP_SURFACE_SOLID, &s.box[(a)->b], (a)->list, LIST, &(a)->boxed, error) == VP_OK &&                              \
     vp_##of##_gather_triangles(who, VP_SURFACE_SOLID, &s.box[(a)->b], (a)->some, (a)->is, SOME, &(a)->gathered, error) == VP_OK)

static bool ask_boxes(answers *a)
{
    vp_error error;
    return vp_terrain_overlap(s.terrain, &s.small[a->b], &a->touch, &error) == VP_OK &&
           vp_terrain_overlap_many(s.terrain, &s.boxes, a->touches, &error) == VP_OK;
}

static bool ask_terrain(answers *a)
{
    vp_error error;
    a->voxel = vp_terrain_voxel(s.terrain, low);
    return ASK(terrain, s.terrain, a, &error) && ask_boxes(a) &&
           vp_buoyancy_in_terrain(&s.body, s.terrain, &a->in_water, &error) == VP_OK;
}

static bool ask_reader(const vp_terrain_reader *reader, answers *a)
{
    vp_error error;
    a->voxel = vp_world_voxel(vp_terrain_reader_world(reader), low);
    const bool asked = ASK(terrain_reader, reader, a, &error);
    sched_yield();
    return asked && vp_broadphase_overlap(vp_terrain_reader_broadphase(reader), &s.small[a->b], &a->touch, &error) == VP_OK &&
           vp_broadphase_overlap_batch(vp_terrain_reader_broadphase(reader), &s.boxes, a->touches, &error) == VP_OK &&
           vp_buoyancy_in_world(&s.body, vp_terrain_reader_world(reader), vp_terrain_reader_broadphase(reader), &a->in_water, &error) == VP_OK;
}

enum { ALL_FIT = (1 << 12) - 1 };

/* A bit for each answer that is right in this world. */
static uint32_t fitting(const known *w, const answers *a)
{
    const vp_terrain_hit *closest = &w->closest[a->i];
    const vp_voxel voxel = vp_world_voxel(w->world, low);
    uint32_t many = 0, some = 0;
    for (uint32_t i = 0; i < RAYS; i++)
        many += terrain_same_hit(&a->many[i], &w->closest[i]);
    for (uint32_t n = 0; n < a->gathered && n < SOME; n++)
        some += terrain_is_triangle(&w->oracle, &(vp_terrain_hit){{0, (int32_t)a->some[n].triangle, 0, 0}, a->some[n].chunk}, &a->is[n]);
    const bool fits[] = {terrain_same_hit(&a->hit, closest),
                         a->any == (closest->in_chunk.triangle >= 0),
                         a->hits == w->hits[a->i],
                         many == RAYS,
                         terrain_same_hit(&a->point.hit, closest) && terrain_is_triangle(&w->oracle, closest, &a->point.triangle),
                         terrain_same_hit(&a->contact.hit, &w->touched[a->i]) &&
                             terrain_is_triangle(&w->oracle, &a->contact.hit, &a->contact.triangle),
                         a->boxed == w->boxed[a->b],
                         a->gathered == w->boxed[a->b] && some == (a->gathered < SOME ? a->gathered : SOME),
                         a->touch == w->touch[a->b],
                         memcmp(a->touches, w->touch, sizeof w->touch) == 0,
                         a->voxel.material == voxel.material && a->voxel.occupancy == voxel.occupancy,
                         fabs(a->in_water.volume - w->in_water) <= 1e-9};
    uint32_t bits = 0;
    for (uint32_t i = 0; i < sizeof fits / sizeof fits[0]; i++)
        bits |= (uint32_t)fits[i] << i;
    return bits;
}

/* Saves and loads, with the thread's own path or a shared one. */
static bool save(uint32_t own)
{
    char path[128];
    vp_error error;
    vp_world *loaded = NULL;
    bool right = false;
    snprintf(path, sizeof path, "%s/%u.vpw", folder, own);
    if (vp_terrain_save(s.terrain, "while others edit", path, &error) == VP_OK && vp_world_load(path, NULL, &loaded, NULL, &error) == VP_OK)
        for (uint32_t k = 0; k < STATES; k++)
            right = right || same_worlds(loaded, s.of[k].world);
    vp_world_destroy(loaded);
    return right;
}

static void *asker(void *user)
{
    const uint32_t number = atomic_fetch_add(&s.started, 1);
    vp_random r = {100 + number};
    answers *a = malloc(sizeof *a);
    (void)user;
    for (uint32_t round = 0; a != NULL && !atomic_load(&s.stop); round++) {
        vp_terrain_reader reader;
        uint32_t fit = 0;
        bool at_once = false, boxes = true;
        a->i = vp_random_below(&r, RAYS);
        a->b = vp_random_below(&r, BOXES);
        for (int i = 0; i < 8; i++) { /* so fast that an edit rarely comes between */
            uint32_t right = 0;
            for (uint32_t k = ask_boxes(a) ? 0 : STATES; k < STATES; k++)
                right += memcmp(a->touches, s.of[k].touch, sizeof a->touches) == 0;
            boxes = boxes && right != 0;
        }
        bool asked = ask_terrain(a);
        for (uint32_t k = 0; asked && k < STATES; k++)
            fit |= fitting(&s.of[k], a);
        expect(boxes && fit == ALL_FIT);
        vp_terrain_acquire_reader(s.terrain, &reader);
        asked = ask_reader(&reader, a);
        vp_terrain_release_reader(&reader);
        for (uint32_t k = 0; asked && k < STATES; k++)
            at_once = at_once || fitting(&s.of[k], a) == ALL_FIT;
        expect(at_once);
        const vp_terrain_stats stats = vp_terrain_stats_of(s.terrain);
        if (stats.bytes > stats.budget || (round % 8 == 3 && !save(round % 16 == 3 ? number : 99)))
            expect(false);
    }
    free(a);
    return NULL;
}

static void *editor(void *user)
{
    static const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, 30000, VP_TERRAIN_NO_CACHE, 12000};
    vp_random r = {100 + atomic_fetch_add(&s.started, 1)};
    (void)user;
    for (uint32_t round = 0; round < ROUNDS || atomic_load(&s.answers) < ROUNDS / 4; round++) {
        vp_error error;
        if (vp_terrain_fill_box(s.terrain, low, high, content(vp_random_below(&r, STATES)), NULL, &error) != VP_OK)
            expect(false);
        if (round % 16 == 5 && vp_terrain_set_budget(s.terrain, budgets[round / 16 % 4], &error) != VP_OK)
            expect(false);
        if (round % 64 == 40 && vp_terrain_prepare(s.terrain, &error) != VP_OK)
            expect(false);
    }
    return NULL;
}

static void know(known *w, uint32_t k, vp_random *r)
{
    static vp_terrain_triangle_id list[LIST];
    vp_terrain_hit one[1];
    assert_ok(vp_world_fill_box(s.world, low, high, content(k), NULL, &error));
    w->world = copy_of(s.world);
    w->in_water = content(k).material == VP_WATER ? 6.0 * 6.0 * 2.5 : 0.0; /* from y = 10 to 12.5 */
    terrain_oracle_make(s.world, VP_SURFACE_SOLID, origin, whole, &w->oracle);
    oracle voxels = oracle_make(s.world, true);
    for (uint32_t i = 0; i < RAYS; i++) {
        if (k == 0)
            s.ray[i] = terrain_random_ray(r, &w->oracle, vp_world_size(s.world));
        w->closest[i] = terrain_oracle_closest(&w->oracle, &s.ray[i]);
        w->touched[i] = terrain_oracle_touched(&w->oracle, &s.ray[i], radius);
        w->hits[i] = terrain_oracle_all(&w->oracle, &s.ray[i], one, 1);
    }
    for (uint32_t b = 0; b < BOXES; b++) {
        if (k == 0)
            s.box[b] = test_random_box(r, vp_world_size(s.world));
        w->boxed[b] = terrain_oracle_overlapping(&w->oracle, &s.box[b], list, LIST);
    }
    for (uint32_t b = 0; b < SMALL; b++) {
        const vp_vec3 at = {vp_random_between(r, 4, 14), vp_random_between(r, 4, 14), vp_random_between(r, 4, 13)};
        if (k == 0)
            s.small[b] = (vp_aabb){at, {at.x + 0.5f, at.y + 0.5f, at.z + 0.5f}};
        const vp_aabb *box = &s.small[b];
        const float side[6] = {box->min.x, box->min.y, box->min.z, box->max.x, box->max.y, box->max.z};
        for (int i = 0; i < 6; i++)
            s.side[i][b] = side[i];
        w->touch[b] = (uint8_t)oracle_overlap(&voxels, box, NULL);
    }
    oracle_free(&voxels);
}

static int begin(void **state)
{
    (void)state;
    vp_random r = {41};
    s.world = test_world(3, 2, 2, NULL);
    assert_ok(vp_world_fill_box(s.world, origin, (vp_ivec3){24, 6, 16}, (vp_voxel){2, 255}, NULL, &error));
    assert_ok(vp_world_fill_sphere(s.world, (vp_vec3){15, 9, 5}, 4, (vp_voxel){3, 200}, NULL, &error));
    for (uint32_t k = 0; k < STATES; k++)
        know(&s.of[k], k, &r);
    for (uint32_t k = 0; k < STATES; k++) /* or the worlds could not be distinguished */
        assert_memory_not_equal(s.of[k].closest, s.of[(k + 1) % STATES].closest, sizeof s.of[k].closest);
    s.shape = vp_collide_box((vp_vec3){3, 2, 3});
    const vp_pose pose = vp_pose_at((vp_vec3){9, 12, 8});
    assert_ok(vp_buoyancy_body_init(&s.shape, &pose, &s.body, &error));
    s.boxes = (vp_boxes){s.side[0], s.side[1], s.side[2], s.side[3], s.side[4], s.side[5], SMALL};
    return make_folder();
}

static int end(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < STATES; k++) {
        terrain_oracle_free(&s.of[k].oracle);
        vp_world_destroy(s.of[k].world);
    }
    vp_world_destroy(s.world);
    return drop_folder();
}

static void make(const vp_executor *executor)
{
    const vp_terrain_def def = {.world = s.world, .form = VP_KD_WIDE, .budget = VP_TERRAIN_NO_LIMIT, .executor = executor};
    assert_ok(vp_terrain_create(&def, &s.terrain, &error));
    atomic_store(&s.stop, false);
    atomic_store(&s.wrong, 0);
}

TEST(edits_while_others_ask)
{
    enum { ASKERS = 3, EDITORS = 2 };
    const vp_executor executor = test_threads(2);
    pthread_t ask[ASKERS], change[EDITORS];
    make(&executor);
    start(ask, ASKERS, asker, NULL);
    start(change, EDITORS, editor, NULL);
    join(change, EDITORS);
    atomic_store(&s.stop, true);
    join(ask, ASKERS);
    assert_int_equal(atomic_load(&s.wrong), 0);
    vp_terrain_destroy(s.terrain);
}

/* ---- readers and queries ---- */

/* A thread that uses every chunk of a terrain. */
typedef struct visit {
    vp_terrain *terrain;
    uint32_t chunks;
    atomic_uint wrong;
    atomic_bool done;
} visit;

static void *visitor(void *user)
{
    visit *c = user;
    for (uint32_t chunk = 0; chunk < c->chunks; chunk++) {
        vp_terrain_reader reader;
        vp_terrain_triangle is;
        vp_error error;
        vp_terrain_acquire_reader(c->terrain, &reader);
        const vp_status status = vp_terrain_reader_triangle(&reader, VP_SURFACE_SOLID, (vp_terrain_triangle_id){chunk, 0}, &is, &error);
        vp_terrain_release_reader(&reader);
        if (status != VP_OK && status != VP_E_ARGUMENT) /* a chunk without triangles */
            atomic_fetch_add(&c->wrong, 1);
    }
    atomic_store(&c->done, true);
    return NULL;
}

/* Without edits a query waits for no reader, however many trees it makes, here more than the top level learns at once. */
TEST(queries_do_not_wait_for_readers)
{
    vp_random r = {77};
    visit c = {.chunks = 7 * 3 * 7};
    vp_world *world = test_random_world(&r, (vp_dims){7, 3, 7}, NULL);
    const vp_terrain_def def = {.world = world, .form = VP_KD_WIDE, .budget = VP_TERRAIN_NO_LIMIT};
    assert_ok(vp_terrain_create(&def, &c.terrain, &error));
    pthread_t thread;
    vp_terrain_reader reader;
    vp_terrain_acquire_reader(c.terrain, &reader);
    start(&thread, 1, visitor, &c);
    for (int i = 0; i < 60000 && !atomic_load(&c.done); i++)
        wait_a_little();
    assert_true(atomic_load(&c.done));
    vp_terrain_release_reader(&reader);
    join(&thread, 1);
    assert_int_equal(atomic_load(&c.wrong), 0);
    assert_true(vp_terrain_stats_of(c.terrain).built > VP_MADE_MAX);
    vp_terrain_destroy(c.terrain);
    vp_world_destroy(world);
}

int main(void)
{
    return test_run_all(begin, end);
}
