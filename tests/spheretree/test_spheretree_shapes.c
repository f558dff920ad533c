/* SPDX-License-Identifier: MIT */
/* Shapes, half-spaces, sweeps, nearest items, limits and events of both forms of the sphere tree, against a flat list of objects
 * (docs/CONTRACT.md: SPH-10, SPH-11, SPH-12, SPH-13). Distances from triangles are found by projecting to and fro. */
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/spheretree.h>

#include "src/kd/sphere_triangle.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"

enum { ROUNDS = IS_THIN ? 60 / THIN_BY + 2 : 80, STEPS = IS_THIN ? 2000 / THIN_BY + 20 : 800 };
enum { MOST = 300 };

typedef struct flat {
    vp_spheretree_object object[MOST];
    bool there[MOST];
    vp_spheretree *tree;
} flat;

static void create(flat *f, int form, bool events, const vp_allocator *allocator)
{
    static test_table table[TEST_TABLES_MAX];
    static size_t tables, next;
    tables = tables > 0 ? tables : test_tables(table);
    const vp_spheretree_def def = {
        .form = (vp_spheretree_form)form, .events = events, .kernels = &table[next++ % tables].kernels, .allocator = allocator};
    memset(f, 0, sizeof *f);
    assert_ok(vp_spheretree_create(&def, &f->tree, &error));
}

static vp_vec3 random_place(vp_random *r, float most)
{
    return vp_random_vec3(r, (vp_vec3){-most, -most, -most}, (vp_vec3){most, most, most});
}

static vp_sphere random_sphere(vp_random *r)
{
    const vp_vec3 at = random_place(r, 10);
    return (vp_sphere){at, vp_random_between(r, 0, 1.5f)};
}

static void insert(flat *f, vp_random *r, uint32_t with)
{
    const vp_sphere at = random_sphere(r);
    const vp_spheretree_object object = {at, 5, 1u + vp_random_below(r, 7), with};
    uint32_t id;
    assert_ok(vp_spheretree_insert(f->tree, &object, &id, &error));
    assert_true(id < MOST && !f->there[id]);
    f->there[id] = true;
    f->object[id] = object;
}

/* ---- an oracle ---- */

typedef struct shape_oracle {
    vp_spheretree_shape shape;
    double axis[3][3], half[3];
} shape_oracle;

static vp_vec3 vec_of(const double v[3])
{
    return (vp_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

static shape_oracle random_shape(vp_random *r, int axes)
{
    const double a = (double)vp_random_between(r, 0, 6), b = (double)vp_random_between(r, 0, 6);
    shape_oracle o = {
        .shape = {.centre = random_place(r, 10), .radius = vp_random_below(r, 2) == 0 ? 0 : vp_random_between(r, 0, 2)},
        .axis = {{cos(a) * cos(b), sin(a) * cos(b), sin(b)}, {-sin(a), cos(a), 0}, {-cos(a) * sin(b), -sin(a) * sin(b), cos(b)}}};
    for (int i = 0; i < axes; i++) {
        double v[3];
        o.half[i] = (double)vp_random_between(r, 0.1f, 4);
        for (int k = 0; k < 3; k++)
            v[k] = o.axis[i][k] * o.half[i];
        o.shape.axis[i] = vec_of(v);
    }
    return o;
}

/* The nearest point of a shape's box, moved by s along d, to a point. */
static void project(const shape_oracle *o, const double moved[3], const double p[3], double out[3])
{
    const double c[3] = {(double)o->shape.centre.x + moved[0], (double)o->shape.centre.y + moved[1], (double)o->shape.centre.z + moved[2]};
    memcpy(out, c, sizeof c);
    for (int i = 0; i < 3; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++)
            along += (p[k] - c[k]) * o->axis[i][k];
        along = fmin(fmax(along, -o->half[i]), o->half[i]);
        for (int k = 0; k < 3; k++)
            out[k] += along * o->axis[i][k];
    }
}

/* The distance of a moved shape from a sphere, negative if they overlap. */
static double gap_to_sphere(const shape_oracle *o, const double moved[3], const vp_sphere *s)
{
    const double p[3] = {(double)s->centre.x, (double)s->centre.y, (double)s->centre.z};
    double q[3];
    project(o, moved, p, q);
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2])) - (double)o->shape.radius -
           (double)s->radius;
}

static double gap_to_triangle(const shape_oracle *o, const double moved[3], const vp_vec3 corner[3])
{
    double p[3] = {(double)corner[0].x, (double)corner[0].y, (double)corner[0].z}, q[3] = {0, 0, 0}, distance = 0;
    for (int i = 0; i < 3000; i++) {
        project(o, moved, p, q);
        const vp_real3 from = {q[0], q[1], q[2]};
        const vp_real3 seen[3] = {vp_real3_sub(vp_real3_of(corner[0]), from), vp_real3_sub(vp_real3_of(corner[1]), from),
                                  vp_real3_sub(vp_real3_of(corner[2]), from)};
        vp_contact_point unused;
        const vp_real3 to = vp_nearest_point(seen, &unused);
        p[0] = q[0] + to.x;
        p[1] = q[1] + to.y;
        p[2] = q[2] + to.z;
        distance = sqrt(vp_real3_dot(to, to));
    }
    return distance - (double)o->shape.radius;
}

static bool listed(const vp_spheretree_item *item, uint32_t count, uint32_t object, uint32_t triangle)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < count; i++)
        times += item[i].object == object && item[i].triangle == triangle;
    assert_in_range(times, 0, 1);
    return times == 1;
}

/* ---- spheres and triangles ---- */

static const double still[3] = {0, 0, 0};

static void touch_and_sweep(flat *f, vp_random *r, const shape_oracle *o, const vp_triangles *mesh, uint32_t mesh_id)
{
    vp_spheretree_item item[MOST];
    vp_spheretree_hit hit;
    uint32_t count;
    assert_ok(vp_spheretree_touch(f->tree, &o->shape, NULL, item, MOST, &count, &error));
    for (uint32_t id = 0; id < MOST; id++) {
        const double gap = gap_to_sphere(o, still, &f->object[id].sphere);
        if (f->there[id] && fabs(gap) > 1e-5)
            assert_int_equal(listed(item, count, id, VP_SPHERETREE_NONE), gap < 0);
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const vp_vec3 corner[3] = {mesh->vertex[mesh->index[3 * i]], mesh->vertex[mesh->index[3 * i + 1]],
                                   mesh->vertex[mesh->index[3 * i + 2]]};
        const double gap = gap_to_triangle(o, still, corner);
        if (gap > 1e-2 || gap < -1e-2 || (gap == 0 && o->shape.radius == 0))
            assert_int_equal(listed(item, count, mesh_id, i), gap <= 0);
    }
    const vp_vec3 d = random_place(r, 3);
    const float t_max = vp_random_between(r, 0.5f, 8);
    assert_ok(vp_spheretree_sweep(f->tree, &o->shape, d, t_max, NULL, &hit, &error));
    const bool hits = hit.item.object != VP_SPHERETREE_NONE;
    assert_true(hits ? hit.t <= t_max : hit.t == t_max);
    double least = INFINITY;
    enum { SAMPLES = 60 };
    for (int i = 0; i <= SAMPLES + 1; i++) { /* the last sample is at the hit */
        const double t = i > SAMPLES ? (double)hit.t : ((double)hit.t - 1e-3) * i / SAMPLES;
        const double moved[3] = {t * (double)d.x, t * (double)d.y, t * (double)d.z};
        if (i <= SAMPLES && hit.t <= 1e-3f)
            continue;
        for (uint32_t id = 0; id < MOST; id++) {
            const double gap = f->there[id] ? gap_to_sphere(o, moved, &f->object[id].sphere) : INFINITY;
            if (i <= SAMPLES)
                assert_true(gap > -1e-5);
            else if (id == hit.item.object)
                least = gap;
        }
        for (uint32_t k = 0; k < mesh->triangle_count && (i % 20 == 0 || i > SAMPLES); k++) {
            const vp_vec3 corner[3] = {mesh->vertex[mesh->index[3 * k]], mesh->vertex[mesh->index[3 * k + 1]],
                                       mesh->vertex[mesh->index[3 * k + 2]]};
            if (i <= SAMPLES)
                assert_true(gap_to_triangle(o, moved, corner) > -1e-4);
            else if (hit.item.object == mesh_id && hit.item.triangle == k)
                least = gap_to_triangle(o, moved, corner);
        }
    }
    if (hits) /* projecting is slow between lines that are nearly parallel */
        assert_true(least < 5e-2 && (hit.t == 0 || least > -1e-4));
}

TEST(shapes)
{
    vp_random r = {1};
    for (int form = 0; form < VP_SPHERETREE_FORM_COUNT; form++)
        for (int round = 0; round < ROUNDS; round++) {
            flat f;
            vp_vec3 vertex[12];
            uint32_t index[12], mesh_id;
            create(&f, form, false, NULL);
            const uint32_t count = round % 4 == 0 ? 200 : vp_random_below(&r, 30);
            for (uint32_t i = 0; i < count; i++)
                insert(&f, &r, 0);
            for (uint32_t i = 0; i < 12; i++) {
                vertex[i] = random_place(&r, 10);
                index[i] = i;
            }
            const vp_triangles mesh = {.vertex = vertex, .index = index, .vertex_count = 12, .triangle_count = 4};
            assert_ok(vp_spheretree_insert_mesh(f.tree, &mesh, 0, 1, &mesh_id, &error));
            const shape_oracle o = random_shape(&r, round % 4);
            touch_and_sweep(&f, &r, &o, &mesh, mesh_id);
            vp_spheretree_destroy(f.tree);
        }
}

TEST(half_spaces_and_nearest)
{
    vp_random r = {2};
    for (int form = 0; form < VP_SPHERETREE_FORM_COUNT; form++)
        for (int round = 0; round < ROUNDS; round++) {
            flat f;
            vp_spheretree_plane plane[6];
            vp_spheretree_item item[MOST];
            vp_spheretree_hit hit[MOST];
            uint32_t count, nearer;
            vp_aabb bounds;
            create(&f, form, false, NULL);
            assert_false(vp_spheretree_bounds(f.tree, &bounds));
            for (uint32_t i = 0; i < 250; i++)
                insert(&f, &r, 0);
            for (uint32_t i = 0; i < 100; i += 3) {
                assert_ok(vp_spheretree_remove(f.tree, i, &error));
                f.there[i] = false;
            }
            assert_true(vp_spheretree_bounds(f.tree, &bounds));
            const uint32_t planes = vp_random_below(&r, 7);
            for (uint32_t i = 0; i < planes; i++)
                plane[i] = (vp_spheretree_plane){random_place(&r, 2), vp_random_between(&r, 0, 10)};
            const vp_spheretree_query query = {.mask = 3};
            assert_ok(vp_spheretree_frustum(f.tree, plane, planes, &query, item, MOST, &count, &error));
            for (uint32_t id = 0, at = vp_spheretree_next(f.tree, 0); id < MOST; id++) {
                const vp_sphere *s = &f.object[id].sphere;
                bool in = f.there[id] && (f.object[id].mask & 3) != 0;
                for (uint32_t i = 0; i < planes; i++) {
                    const vp_real3 n = vp_real3_of(plane[i].normal);
                    in = in &&
                         vp_real3_dot(n, vp_real3_of(s->centre)) + (double)plane[i].offset >= -sqrt(vp_real3_dot(n, n)) * (double)s->radius;
                }
                assert_int_equal(listed(item, count, id, VP_SPHERETREE_NONE), in);
                if (!f.there[id])
                    continue;
                assert_int_equal(at, id);
                at = vp_spheretree_next(f.tree, id + 1);
                assert_true(s->centre.x - s->radius >= bounds.min.x && s->centre.z + s->radius <= bounds.max.z);
            }
            const vp_vec3 point = random_place(&r, 12);
            const float distance = round % 2 == 0 ? INFINITY : 4;
            const uint32_t capacity = vp_random_below(&r, 20);
            assert_ok(vp_spheretree_nearest(f.tree, point, distance, &query, hit, capacity, &count, &error));
            nearer = 0;
            for (uint32_t id = 0; id < MOST; id++) {
                const vp_real3 away = vp_real3_sub(vp_real3_of(f.object[id].sphere.centre), vp_real3_of(point));
                const float t = (float)fmax(sqrt(vp_real3_dot(away, away)) - (double)f.object[id].sphere.radius, 0);
                if (!f.there[id] || (f.object[id].mask & 3) == 0 || t > distance)
                    continue;
                bool found = false;
                for (uint32_t i = 0; i < count; i++)
                    found = found || (hit[i].item.object == id && hit[i].t == t);
                nearer++;
                assert_true(found || (count == capacity && (capacity == 0 || t >= hit[count - 1].t)));
            }
            assert_int_equal(count, nearer < capacity ? nearer : capacity);
            for (uint32_t i = 1; i < count; i++)
                assert_true(hit[i - 1].t <= hit[i].t);
            vp_spheretree_destroy(f.tree);
        }
}

/* ---- ends of queries ---- */

typedef struct stopper {
    uint32_t calls, most;
    bool stop;
} stopper;

static bool stop_after(void *user, uint32_t object, uint64_t data, float *t)
{
    stopper *s = user;
    (void)object, (void)data, (void)t;
    s->stop = ++s->calls == s->most;
    return true;
}

TEST(queries_end)
{
    test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    vp_random r = {3};
    for (int form = 0; form < VP_SPHERETREE_FORM_COUNT; form++) {
        flat f;
        create(&f, form, false, NULL);
        for (uint32_t i = 0; i < 250; i++)
            insert(&f, &r, 0);
        const vp_sphere all = {{0, 0, 0}, 100};
        const vp_aabb box = {{-100, -100, -100}, {100, 100, 100}};
        const vp_ray ray = {{0, 0, 0}, f.object[0].sphere.centre, INFINITY};
        for (size_t i = 0; i < tables; i++) {
            const vp_kernels *k = &table[i].kernels;
            const vp_spheretree_view *view = vp_spheretree_view_of(f.tree);
            vp_spheretree_item item[MOST];
            vp_spheretree_pair pair[MOST];
            stopper s = {.most = 5};
            vp_spheretree_query query = {.mask = UINT32_MAX, .limit = 7};
            assert_int_equal(k->scene_sphere(view, &all, &query, item, MOST), 7);
            assert_int_equal(k->scene_box(view, &box, &query, item, 3), 7);
            assert_int_equal(k->scene_pairs(view, &query, pair, MOST), 7);
            query = (vp_spheretree_query){.mask = UINT32_MAX, .test = stop_after, .user = &s, .stop = &s.stop};
            assert_int_equal(k->scene_sphere(view, &all, &query, item, MOST), 5);
            s = (stopper){.most = 1};
            assert_int_equal(k->scene_box(view, &box, &query, item, MOST), 1);
            assert_int_equal(k->scene_sphere(view, &all, &query, item, MOST), 0); /* stopped from the start */
            assert_int_equal(k->scene_box(view, &box, &query, item, MOST), 0);
            s = (stopper){.most = 1};
            k->scene_ray_all(view, &ray, &query, NULL, 0);
            assert_int_equal(s.calls, 1);
        }
        vp_spheretree_destroy(f.tree);
    }
}

/* ---- events ---- */

static bool touching[MOST][MOST];

static bool accept(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    assert_true(a < b);
    return (a + b) % 5 != 0;
}

static bool should_touch(const flat *f, uint32_t a, uint32_t b)
{
    const vp_spheretree_object *p = &f->object[a], *q = &f->object[b];
    const uint32_t p_with = p->with != 0 ? p->with : p->mask, q_with = q->with != 0 ? q->with : q->mask;
    const vp_real3 d = vp_real3_sub(vp_real3_of(p->sphere.centre), vp_real3_of(q->sphere.centre));
    const double reach = (double)p->sphere.radius + (double)q->sphere.radius;
    return f->there[a] && f->there[b] && (p->mask & q_with) != 0 && (q->mask & p_with) != 0 && (a + b) % 5 != 0 &&
           vp_real3_dot(d, d) <= reach * reach;
}

static uint32_t out_of_memory;

/* Applies events to the pairs that touched before. Pairs of replaced objects can end and begin. */
static void apply_events(flat *f, const bool *replaced, bool refused)
{
    const vp_spheretree_event *event;
    uint32_t count;
    vp_status status = vp_spheretree_events(f->tree, accept, NULL, &event, &count, NULL);
    if (refused && status != VP_OK) {
        assert_int_equal(status, VP_E_MEMORY);
        out_of_memory++;
        status = vp_spheretree_events(f->tree, accept, NULL, &event, &count, NULL);
    }
    assert_int_equal(status, VP_OK);
    static bool ended[MOST][MOST];
    memset(ended, 0, sizeof ended);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(event[i].a < event[i].b);
        bool *touches = &touching[event[i].a][event[i].b];
        assert_int_equal(*touches, !event[i].begins);
        *touches = event[i].begins;
        if (!event[i].begins)
            ended[event[i].a][event[i].b] = true;
        else
            assert_true(!ended[event[i].a][event[i].b] || replaced[event[i].a] || replaced[event[i].b]);
    }
    for (uint32_t a = 0; a < MOST; a++)
        for (uint32_t b = a + 1; b < MOST; b++)
            assert_int_equal(touching[a][b], should_touch(f, a, b));
    assert_ok(vp_spheretree_events(f->tree, accept, NULL, &event, &count, &error));
    assert_int_equal(count, 0);
}

static void play(int form, bool custom, uint32_t steps, test_memory *memory)
{
    static flat f;
    vp_random r = {(uint64_t)form + 10 * custom};
    const vp_allocator allocator = memory != NULL ? test_memory_allocator(memory) : (vp_allocator){0};
    create(&f, form, true, memory != NULL ? &allocator : NULL);
    memset(touching, 0, sizeof touching);
    for (uint32_t step = 0; step < steps; step++) {
        bool replaced[MOST] = {false};
        const uint32_t changes = vp_random_below(&r, 3) == 0 ? 150 : vp_random_below(&r, 6);
        for (uint32_t i = 0; i < changes; i++) {
            const uint32_t id = vp_random_below(&r, MOST - 20), kind = vp_random_below(&r, 5);
            if (!f.there[id]) {
                insert(&f, &r, custom ? vp_random_below(&r, 8) : 0);
            } else if (kind == 0) {
                assert_ok(vp_spheretree_remove(f.tree, id, &error));
                f.there[id] = false;
                replaced[id] = true;
            } else {
                f.object[id].sphere = random_sphere(&r);
                assert_ok(vp_spheretree_move(f.tree, id, &f.object[id].sphere, &error));
            }
        }
        if (step % 50 == 49) {
            vp_spheretree_clear(f.tree);
            memset(f.there, 0, sizeof f.there);
        }
        if (memory != NULL)
            test_memory_fail_at(memory, 1 + step % 6);
        apply_events(&f, replaced, memory != NULL);
        if (memory != NULL)
            test_memory_fail_at(memory, 0);
    }
    vp_spheretree_destroy(f.tree);
}

TEST(events)
{
    test_memory memory;
    for (int form = 0; form < VP_SPHERETREE_FORM_COUNT; form++) {
        play(form, false, STEPS / 10, NULL);
        play(form, true, STEPS / 10, NULL);
        test_memory_begin(&memory);
        memory.only_one = true;
        play(form, false, STEPS / 20, &memory);
        play(form, true, STEPS / 20, &memory);
        test_memory_end(&memory);
    }
    assert_true(out_of_memory > 0);
}

/* A mesh has one event with each object, and built trees have events too. */
TEST(events_of_meshes)
{
    const vp_vec3 vertex[4] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 0}};
    const uint32_t index[6] = {0, 1, 2, 1, 2, 3};
    const vp_triangles mesh = {.vertex = vertex, .index = index, .vertex_count = 4, .triangle_count = 2};
    for (int form = 0; form < VP_SPHERETREE_FORM_COUNT; form++) {
        flat f;
        const vp_spheretree_event *event;
        uint32_t count, id;
        create(&f, form, true, NULL);
        const vp_spheretree_object object[2] = {{{{2, 2, 0.5f}, 1}, 0, 1, 0}, {{{9, 9, 9}, 1}, 0, 1, 0}};
        assert_ok(vp_spheretree_build(f.tree, object, 2, &error));
        assert_ok(vp_spheretree_insert_mesh(f.tree, &mesh, 0, 1, &id, &error));
        assert_ok(vp_spheretree_events(f.tree, NULL, NULL, &event, &count, &error));
        assert_true(count == 1 && event[0].begins && event[0].a == 0 && event[0].b == id);
        assert_ok(vp_spheretree_move(f.tree, 1, &object[0].sphere, &error));
        assert_ok(vp_spheretree_events(f.tree, NULL, NULL, &event, &count, &error));
        assert_int_equal(count, 2);
        assert_ok(vp_spheretree_remove(f.tree, id, &error));
        assert_ok(vp_spheretree_events(f.tree, NULL, NULL, &event, &count, &error));
        assert_true(count == 2 && !event[0].begins && !event[1].begins && event[0].b == id && event[1].b == id);
        vp_spheretree_destroy(f.tree);
    }
}

TEST(refusals)
{
    flat f;
    vp_spheretree_hit hit;
    uint32_t count;
    const vp_spheretree_event *event;
    create(&f, VP_SPHERETREE_WIDE, false, NULL);
    assert_refused(vp_spheretree_events(f.tree, NULL, NULL, &event, &count, &error), VP_E_ARGUMENT, "events is false");
    const vp_spheretree_shape skew = {.axis = {{1, 0, 0}, {1, 1, 0}}}, negative = {.radius = -1}, far = {.centre = {0, 0, INFINITY}};
    assert_refused(vp_spheretree_touch(f.tree, &skew, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "axis[0] and axis[1]");
    assert_refused(vp_spheretree_touch(f.tree, &negative, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "-1");
    assert_refused(vp_spheretree_touch(f.tree, &far, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "centre.z is inf");
    const vp_spheretree_shape point = {.radius = 0};
    assert_refused(vp_spheretree_sweep(f.tree, &point, (vp_vec3){0, 0, 0}, 1, NULL, &hit, &error), VP_E_ARGUMENT, "ray");
    assert_refused(vp_spheretree_nearest(f.tree, (vp_vec3){0, 0, 0}, NAN, NULL, &hit, 1, &count, &error), VP_E_ARGUMENT, "nan");
    const vp_spheretree_plane plane = {{0, NAN, 0}, 0};
    assert_refused(vp_spheretree_frustum(f.tree, &plane, 1, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "plane 0");
    vp_spheretree_destroy(f.tree);
}
