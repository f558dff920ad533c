/* SPDX-License-Identifier: MIT */
/* Manifolds, by what must hold of any: points lie where they should, the deepest is there, walls and corners stay, borders of chunks
 * don't matter, names last. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/support/check.h"
#include "tests/support/memory.h"

#ifdef TEST_THIN
enum { POSES = 12 };
#else
enum { POSES = 300 };
#endif
enum { ROOM = 1024, MANIFOLDS = 64, SIDE = 40 };

static const float margin = 0.02f;
static vp_body_shape bodies[VP_BODIES];
static vp_manifold_scratch scratch = {NULL, ROOM, 0};

static int begin(void **state)
{
    (void)state;
    for (int b = 0; b < VP_BODIES; b++)
        assert_ok(vp_body_shape_create((vp_body)b, 1.0f, NULL, &bodies[b], &error));
    scratch.memory = malloc(vp_manifold_scratch_bytes(ROOM));
    assert_non_null(scratch.memory);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int b = 0; b < VP_BODIES; b++)
        vp_body_shape_destroy(&bodies[b]);
    free(scratch.memory);
    return 0;
}

/* ---- terrains ---- */

/* How high the ground is at a place of the world that is not shifted. */
typedef double ground(double x, double z);

static double flat(double x, double z)
{
    (void)x, (void)z;
    return 8.5;
}

static double hills(double x, double z)
{
    return 9.0 + 2.0 * sin(0.55 * x + 0.3 * z) + 1.5 * sin(0.9 * z - 0.2 * x) + (sin(2.1 * x) * sin(1.7 * z) > 0.6 ? 2.0 : 0.0);
}

typedef struct scene {
    vp_world *world;
    vp_terrain *terrain;
    vp_terrain_reader reader;
} scene;

static void open_scene(scene *s, ground *height, vp_ivec3 shift, const vp_allocator *allocator)
{
    *s = (scene){0};
    assert_ok(vp_world_create(&(vp_world_def){.size = {SIDE + 8, 32, SIDE + 8}}, &s->world, &error));
    for (int32_t z = 0; z < SIDE; z++)
        for (int32_t x = 0; x < SIDE; x++)
            for (int32_t y = 0; y < 20; y++) {
                const double fill = height(x + 0.5, z + 0.5) - y;
                if (fill <= 0.0)
                    continue;
                const vp_voxel v = {(uint8_t)(2 + (x + z) % 5), (uint8_t)(fill >= 1.0 ? 255 : (int)(fill * 255.0))};
                assert_ok(vp_world_set_voxel(s->world, (vp_ivec3){x + shift.x, y + shift.y, z + shift.z}, v, NULL, &error));
            }
    const vp_terrain_def def = {.world = s->world, .budget = VP_TERRAIN_NO_LIMIT, .allocator = allocator};
    assert_ok(vp_terrain_create(&def, &s->terrain, &error));
    assert_ok(vp_terrain_prepare(s->terrain, &error));
    vp_terrain_begin_reading(s->terrain, &s->reader);
}

static void close_scene(scene *s)
{
    vp_terrain_end_reading(&s->reader);
    vp_terrain_destroy(s->terrain);
    vp_world_destroy(s->world);
}

/* The height of the surface that a ray from above meets. */
static float surface_at(const scene *s, float x, float z, vp_vec3 *normal)
{
    const vp_ray ray = {.origin = {x, 30.0f, z}, .direction = {0.0f, -1.0f, 0.0f}, .t_max = 40.0f};
    vp_terrain_point hit;
    assert_ok(vp_terrain_reader_raycast_point(&s->reader, VP_SURFACE_SOLID, &ray, &hit, &error));
    assert_true(hit.hit.hit.t < 40.0f);
    *normal = hit.triangle.normal;
    return hit.point.y;
}

static float random_sign(vp_random *r)
{
    return vp_random_between(r, -1.0f, 1.0f);
}

/* On the ground: a third deep, a third shallow, a third a little apart. All numbers are small fractions, so they can be moved by voxels
   without a rounding. */
static vp_manifold_body some_body(vp_random *r, const scene *s, vp_body body)
{
    vp_manifold_body b = {&bodies[body].shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
    float square;
    do {
        square = 0.0f;
        for (int k = 0; k < 4; k++) {
            b.pose.rotation[k] = random_sign(r);
            square += b.pose.rotation[k] * b.pose.rotation[k];
        }
    } while (square < 0.1f);
    vp_pose_place place = {.scale = 1.0f, .centred = false};
    memcpy(place.rotation, b.pose.rotation, sizeof place.rotation);
    place.point.x = vp_random_between(r, 6.0f, SIDE - 6.0f);
    place.point.z = vp_random_between(r, 6.0f, SIDE - 6.0f);
    place.point.y = surface_at(s, place.point.x, place.point.z, &place.normal);
    const uint32_t third = vp_random_below(r, 3);
    place.gap = third == 0 ? vp_random_between(r, -0.2f, 0.0f) : third == 1 ? 0.002f * random_sign(r) : vp_random_between(r, 0.0f, 0.018f);
    b.pose = vp_pose_of(b.shape, &place);
    float *at[3] = {&b.pose.position.x, &b.pose.position.y, &b.pose.position.z};
    for (int k = 0; k < 3; k++)
        *at[k] = floorf(*at[k] * 4096.0f) / 4096.0f;
    return b;
}

static uint32_t ask(const scene *s, const vp_manifold_body *body, bool whole, vp_manifold *out)
{
    const vp_manifold_def def = {.margin = margin, .whole = whole};
    uint32_t made;
    assert_ok(vp_manifold_terrain(&def, body, &s->reader, &scratch, out, MANIFOLDS, &made, &error));
    assert_true(made <= MANIFOLDS);
    return made;
}

/* ---- where points lie ---- */

/* How far a point is outside of a shape, along one of its surfaces; negative inside. */
static double outside(const vp_manifold_body *b, vp_vec3 p)
{
    vp_collide_frame f;
    double q[3], most = -INFINITY;
    assert_ok(vp_collide_frame_of(&b->pose, &f, &error));
    for (int k = 0; k < 3; k++)
        q[k] = (double)f.row[k].x * (double)p.x + (double)f.row[k].y * (double)p.y + (double)f.row[k].z * (double)p.z;
    const vp_collide_shape *s = b->shape;
    const double r = (double)s->radius, h = (double)s->half_height, over = fabs(q[1]) - h;
    const double half[3] = {(double)s->half.x, (double)s->half.y, (double)s->half.z};
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - r;
    case VP_COLLIDE_CAPSULE:
        return sqrt(q[0] * q[0] + q[2] * q[2] + (over > 0.0 ? over * over : 0.0)) - r;
    case VP_COLLIDE_CYLINDER:
        return fmax(sqrt(q[0] * q[0] + q[2] * q[2]) - r, over);
    case VP_COLLIDE_BOX:
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(q[k]) - half[k]);
        return most;
    default:
        for (uint32_t i = 0; i < s->hull->face_count; i++) {
            const vp_vec3 n = s->hull->plane[i].normal;
            most = fmax(most, (double)n.x * q[0] + (double)n.y * q[1] + (double)n.z * q[2] - (double)s->hull->plane[i].offset);
        }
        return most;
    }
}

/* How far a point is from a triangle. */
static double from_triangle(const vp_vec3 corner[3], vp_vec3 position, vp_vec3 p)
{
    double c[3][3], q[3] = {(double)position.x + (double)p.x, (double)position.y + (double)p.y, (double)position.z + (double)p.z};
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        c[k][0] = (double)corner[k].x, c[k][1] = (double)corner[k].y, c[k][2] = (double)corner[k].z;
    }
    double n[3], e[3][3], square = 0.0;
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++)
            e[k][a] = c[(k + 1) % 3][a] - c[k][a];
    for (int a = 0; a < 3; a++)
        n[a] = e[0][(a + 1) % 3] * e[1][(a + 2) % 3] - e[0][(a + 2) % 3] * e[1][(a + 1) % 3];
    for (int a = 0; a < 3; a++)
        square += n[a] * n[a];
    bool inside = square > 0.0;
    for (int k = 0; k < 3; k++) { /* the edges */
        double along = 0.0, length = 0.0, far = 0.0, side = 0.0;
        for (int a = 0; a < 3; a++) {
            along += (q[a] - c[k][a]) * e[k][a];
            length += e[k][a] * e[k][a];
            side += (n[(a + 1) % 3] * e[k][(a + 2) % 3] - n[(a + 2) % 3] * e[k][(a + 1) % 3]) * (q[a] - c[k][a]);
        }
        inside = inside && side >= 0.0;
        const double t = length > 0.0 ? fmin(fmax(along / length, 0.0), 1.0) : 0.0;
        for (int a = 0; a < 3; a++)
            far += pow(q[a] - c[k][a] - t * e[k][a], 2.0);
        best = fmin(best, sqrt(far));
    }
    double height = 0.0;
    for (int a = 0; a < 3; a++)
        height += (q[a] - c[0][a]) * n[a];
    return inside ? fmin(best, fabs(height) / sqrt(square)) : best;
}

static void check_point(const scene *s, const vp_manifold_body *body, const vp_manifold_point *p)
{
    vp_terrain_triangle t;
    assert_ok(vp_terrain_reader_triangle(&s->reader, VP_SURFACE_SOLID, p->at, &t, &error));
    const double on_shape = outside(body, p->on_shape), on_triangle = from_triangle(t.corner, body->pose.position, p->on_triangle);
    if (!(fabs(on_shape) < 2e-5) || !(on_triangle < 2e-5))
        fail_msg("kind %d: a point is %g off the shape, %g off its triangle; distance %g", (int)body->shape->kind, on_shape, on_triangle,
                 (double)p->distance);
    const vp_vec3 way = vp_vec3_sub(vp_vec3_sub(p->on_shape, p->on_triangle), vp_vec3_scale(p->normal, p->distance));
    assert_true(fabsf(way.x) + fabsf(way.y) + fabsf(way.z) < 2e-5f);
    assert_true(fabsf(vp_vec3_dot(p->normal, p->normal) - 1.0f) < 1e-5f);
    assert_true(p->distance <= margin);
    assert_int_equal(p->material, t.material);
}

/* The least distance of all triangles, by the kernels alone. */
static float deepest_of(const scene *s, const vp_manifold_body *body)
{
    static vp_terrain_triangle_id id[4 * ROOM];
    static vp_terrain_triangle found[4 * ROOM];
    vp_aabb box;
    uint32_t count;
    float least = INFINITY;
    assert_ok(vp_collide_bounds(body->shape, &body->pose, 1.0f, &box, &error));
    assert_ok(vp_terrain_reader_gather_triangles(&s->reader, VP_SURFACE_SOLID, &box, id, found, 4 * ROOM, &count, &error));
    assert_true(count <= 4 * ROOM);
    for (uint32_t i = 0; i < count; i++) {
        const vp_collide_triangle t = vp_collide_triangle_of(found[i].corner, i);
        vp_collide_answer a;
        assert_ok(vp_collide_triangles(NULL, body->shape, &body->pose, margin, &t, 1, &a, &error));
        least = a.triangle_feature != VP_COLLIDE_NONE && a.distance < least ? a.distance : least;
    }
    return least;
}

static void check_manifold(const scene *s, const vp_manifold_body *body, const vp_manifold *m)
{
    assert_in_range(m->count, 1, VP_MANIFOLD_POINTS);
    for (uint32_t i = 0; i < m->count; i++) {
        const vp_manifold_point *p = &m->point[i];
        check_point(s, body, p);
        assert_true(m->chunk == VP_COLLIDE_NO_CHUNK || m->chunk == p->at.chunk);
        for (uint32_t k = 0; k < i; k++) {
            const vp_manifold_point *q = &m->point[k];
            assert_true(q->distance < p->distance || (q->distance == p->distance && q->feature < p->feature));
            assert_true(q->feature != p->feature);
        }
    }
}

/* Each manifold's points are where they say. Nothing is lost: the deepest is as deep as the deepest triangle, or deeper; of all
   directions that chunks tell, the whole has one, or four others. */
static void points(void **state)
{
    (void)state;
    scene s;
    vp_random r = {7};
    uint32_t touching = 0, over_borders = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < POSES; i++)
        for (int b = 0; b < VP_BODIES; b++) {
            vp_manifold m[MANIFOLDS], whole;
            const vp_manifold_body body = some_body(&r, &s, (vp_body)b);
            const uint32_t made = ask(&s, &body, false, m);
            const float slack = vp_collide_radius(body.shape) / 256.0f + 1e-5f, deepest = deepest_of(&s, &body);
            float least = INFINITY;
            assert_int_equal(ask(&s, &body, true, &whole), made > 0 ? 1 : 0);
            assert_true(made > 0 || deepest > -slack);
            if (made == 0)
                continue;
            check_manifold(&s, &body, &whole);
            for (uint32_t k = 0; k < made; k++) {
                check_manifold(&s, &body, &m[k]);
                assert_true(k == 0 || m[k].chunk > m[k - 1].chunk);
                least = m[k].point[0].distance < least ? m[k].point[0].distance : least;
                for (uint32_t p = 0; p < m[k].count; p++) {
                    bool told = false;
                    for (uint32_t q = 0; q < whole.count; q++)
                        told = told || vp_vec3_dot(whole.point[q].normal, m[k].point[p].normal) > 0.9962f;
                    for (uint32_t q = 0; q < whole.count && !told && whole.count == VP_MANIFOLD_POINTS; q++)
                        told = q + 1 == whole.count;
                    assert_true(told);
                }
            }
            assert_true(least <= deepest + slack);
            assert_true(whole.point[0].distance <= least + slack);
            touching++;
            over_borders += made > 1;
        }
    close_scene(&s);
    assert_true(touching > POSES);
    assert_true(over_borders > 0);
}

/* ---- at rest ---- */

/* Twice the area of the points' hull, seen from above. */
static float area_of(const vp_manifold *m)
{
    float most = 0.0f;
    static const int order[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
    for (int o = 0; o < 3 && m->count == 4; o++) {
        float sum = 0.0f;
        for (int k = 0; k < 4; k++) {
            const vp_vec3 a = m->point[order[o][k]].on_shape, b = m->point[order[o][(k + 1) % 4]].on_shape;
            sum += a.x * b.z - a.z * b.x;
        }
        most = fabsf(sum) > most ? fabsf(sum) : most;
    }
    return most;
}

static float length_of(const vp_manifold *m)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const vp_vec3 d = vp_vec3_sub(m->point[i].on_shape, m->point[k].on_shape);
            most = vp_vec3_dot(d, d) > most ? vp_vec3_dot(d, d) : most;
        }
    return sqrtf(most);
}

/* Upright and turned about y, or lying; a little deep, just touching, a little apart; also where corners lie exactly on edges of the
   ground. */
static void rest(void **state)
{
    (void)state;
    scene s;
    vp_random r = {11};
    vp_vec3 up;
    open_scene(&s, flat, (vp_ivec3){0, 0, 0}, NULL);
    const float level = surface_at(&s, 20.0f, 20.0f, &up);
    for (int i = 0; i < POSES; i++) {
        const bool exact = i % 3 == 0;
        const float turn = exact ? 0.0f : vp_random_between(&r, -1.0f, 1.0f), gap = 0.01f * random_sign(&r);
        const vp_vec3 at = {exact ? 18.0f + 0.09375f : vp_random_between(&r, 10.0f, 30.0f), 0.0f,
                            exact ? 18.001953125f : vp_random_between(&r, 10.0f, 30.0f)};
        const vp_pose upright = {{at.x, level + gap, at.z}, {0.0f, turn, 0.0f, 1.0f}};
        const vp_pose lying = {{at.x, level + gap, at.z}, {0.0f, 0.0f, 1.0f, 1.0f}};
        vp_manifold m;
        vp_manifold_body box = {&bodies[VP_BODY_BOX].shape, upright};
        box.pose.position.y += box.shape->half.y;
        assert_int_equal(ask(&s, &box, true, &m), 1);
        assert_int_equal(m.count, 4);
        assert_true(area_of(&m) > 0.98f * 8.0f * box.shape->half.x * box.shape->half.z);
        for (int k = 0; k < 4; k++)
            assert_true(m.point[k].normal.y > 0.9999f && fabsf(m.point[k].distance - gap) < 1e-5f);
        vp_manifold_body capsule = {&bodies[VP_BODY_CAPSULE].shape, lying};
        capsule.pose.position.y += capsule.shape->radius;
        assert_int_equal(ask(&s, &capsule, true, &m), 1);
        assert_int_equal(m.count, 2);
        assert_true(length_of(&m) > 0.99f * 2.0f * capsule.shape->half_height);
        vp_manifold_body cylinder = {&bodies[VP_BODY_CYLINDER].shape, lying};
        cylinder.pose.position.y += cylinder.shape->radius;
        assert_int_equal(ask(&s, &cylinder, true, &m), 1);
        assert_true(m.count >= 2 && length_of(&m) > 0.99f * 2.0f * cylinder.shape->half_height);
        cylinder.pose = upright;
        cylinder.pose.position.y += cylinder.shape->half_height;
        assert_int_equal(ask(&s, &cylinder, true, &m), 1);
        assert_int_equal(m.count, 4);
        assert_true(area_of(&m) > 0.85f * 4.0f * cylinder.shape->radius * cylinder.shape->radius);
        vp_manifold_body sphere = {&bodies[VP_BODY_SPHERE].shape, upright};
        sphere.pose.position.y += sphere.shape->radius;
        assert_int_equal(ask(&s, &sphere, true, &m), 1);
        assert_int_equal(m.count, 1);
    }
    close_scene(&s);
}

/* ---- meshes ---- */

static uint32_t ask_mesh(const vp_manifold_body *body, vp_collide_triangle *t, uint32_t count, vp_manifold *out)
{
    uint32_t words[VP_COLLIDE_CONNECT_WORDS(16)], made;
    const vp_manifold_def def = {.margin = margin};
    assert_true(count <= 16);
    assert_ok(vp_collide_connect(t, count, words, &error));
    assert_ok(vp_manifold_mesh(&def, body, t, count, &scratch, out, 1, &made, &error));
    return made;
}

/* A groove along z whose walls rise by 45 degrees: each has its points, and a box that lies in it two on each. */
static void groove(void **state)
{
    (void)state;
    const vp_vec3 p[6] = {{-4.0f, 4.0f, -4.0f}, {0.0f, 0.0f, -4.0f}, {4.0f, 4.0f, -4.0f},
                          {-4.0f, 4.0f, 4.0f},  {0.0f, 0.0f, 4.0f},  {4.0f, 4.0f, 4.0f}};
    const int corner[4][3] = {{0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}};
    vp_collide_triangle t[4];
    for (uint32_t i = 0; i < 4; i++)
        t[i] = vp_collide_triangle_of((vp_vec3[3]){p[corner[i][0]], p[corner[i][1]], p[corner[i][2]]}, i);
    for (int b = 0; b < VP_BODIES; b++) {
        vp_manifold_body body = {&bodies[b].shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.3f})};
        if (b == VP_BODY_CAPSULE || b == VP_BODY_CYLINDER)
            body.pose.rotation[0] = 1.0f; /* along z */
        if (b == VP_BODY_BOX) {           /* by 45 degrees about z, with an edge in the groove */
            body.pose.rotation[2] = 0.41421356f;
            body.pose.position.x = (body.shape->half.x - body.shape->half.y) * 0.70710678f;
        }
        vp_manifold m;
        float low = -1.0f, high = 3.0f;
        for (int i = 0; i < 40; i++) { /* where it just touches both */
            const float middle = 0.5f * (low + high);
            body.pose.position.y = middle;
            if (ask_mesh(&body, t, 4, &m) > 0 && m.point[0].distance < 0.0f)
                low = middle;
            else
                high = middle;
        }
        body.pose.position.y = high - 0.005f;
        assert_int_equal(ask_mesh(&body, t, 4, &m), 1);
        uint32_t left = 0, right = 0;
        for (uint32_t i = 0; i < m.count; i++) {
            left += m.point[i].normal.x > 0.7f;
            right += m.point[i].normal.x < -0.7f;
        }
        assert_int_equal(left + right, m.count);
        const uint32_t want = b == VP_BODY_SPHERE || b >= VP_BODY_HULL16 ? 1 : 2;
        if (b < VP_BODY_HULL16)
            assert_true(left >= want && right >= want);
    }
}

/* The top of a pyramid has one name, whichever of its triangles tells of it, and so has each of its ridges. */
static void names(void **state)
{
    (void)state;
    const vp_vec3 top = {0.0f, 1.0f, 0.0f};
    const vp_vec3 base[4] = {{-3.0f, 0.0f, -3.0f}, {-3.0f, 0.0f, 3.0f}, {3.0f, 0.0f, 3.0f}, {3.0f, 0.0f, -3.0f}};
    uint64_t name = 0, ridge[4] = {0};
    uint32_t tops = 0, ridges = 0;
    vp_random r = {5};
    for (int i = 0; i < 100; i++) {
        vp_collide_triangle t[4];
        for (uint32_t k = 0; k < 4; k++) { /* turned in the list, and each by itself */
            const uint32_t n = (k + (uint32_t)i) % 4;
            const vp_vec3 c[3] = {top, base[n], base[(n + 1) % 4]};
            t[k] = vp_collide_triangle_of((vp_vec3[3]){c[0], c[1], c[2]}, n);
        }
        vp_manifold m;
        vp_manifold_body sphere = {&bodies[VP_BODY_SPHERE].shape, vp_pose_at((vp_vec3){0.0f, 1.5f, 0.0f})};
        sphere.pose.position.x = 0.02f * random_sign(&r);
        sphere.pose.position.z = 0.02f * random_sign(&r);
        assert_int_equal(ask_mesh(&sphere, t, 4, &m), 1);
        assert_true(name == 0 || m.point[0].feature == name);
        name = m.point[0].feature;
        tops++;
        const int k = i % 4; /* along a ridge, above it */
        const float part = vp_random_between(&r, 0.3f, 0.6f);
        const vp_vec3 on = vp_vec3_add(top, vp_vec3_scale(vp_vec3_sub(base[k], top), part));
        sphere.pose.position = (vp_vec3){on.x * 1.03f, on.y + 0.49f, on.z * 1.03f};
        assert_int_equal(ask_mesh(&sphere, t, 4, &m), 1);
        assert_true(ridge[k] == 0 || m.point[0].feature == ridge[k]);
        ridge[k] = m.point[0].feature;
        ridges++;
    }
    for (int k = 0; k < 4; k++)
        assert_true(ridge[k] != name && ridge[k] != ridge[(k + 1) % 4]);
    assert_true(tops == 100 && ridges == 100);
}

/* ---- borders ---- */

/* The same ground and the same bodies, with borders of chunks elsewhere. */
static void borders(void **state)
{
    (void)state;
    scene s, moved;
    vp_random r = {13};
    const vp_ivec3 by = {3, 2, 5};
    uint32_t fewer = 0, more = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    open_scene(&moved, hills, by, NULL);
    for (int i = 0; i < POSES; i++)
        for (int b = 0; b < VP_BODIES; b++) {
            vp_manifold m, n, parts[MANIFOLDS];
            vp_manifold_body body = some_body(&r, &s, (vp_body)b);
            const uint32_t made = ask(&s, &body, true, &m), cut = ask(&s, &body, false, parts);
            body.pose.position = vp_vec3_add(body.pose.position, (vp_vec3){(float)by.x, (float)by.y, (float)by.z});
            assert_int_equal(ask(&moved, &body, true, &n), made);
            const uint32_t cut_there = ask(&moved, &body, false, parts);
            fewer += cut < cut_there;
            more += cut > cut_there;
            if (made == 0)
                continue;
            assert_int_equal(m.count, n.count);
            for (uint32_t k = 0; k < m.count; k++) {
                bool same = false; /* equally deep ones are in the order of their names */
                for (uint32_t j = 0; j < n.count; j++)
                    same = same || memcmp(&m.point[k], &n.point[j], offsetof(vp_manifold_point, at)) == 0;
                assert_true(same);
            }
        }
    close_scene(&s);
    close_scene(&moved);
    assert_true(fewer > 0 && more > 0);
}

/* ---- names last ---- */

/* Of a body that is moved by 1e-3 and turned by as much, points keep their names, unless they were about to go. */
static void count_names(const scene *s, const vp_manifold_body *body, vp_random *r, uint32_t *all, uint32_t *kept)
{
    vp_manifold m, n;
    vp_manifold_body moved = *body;
    const vp_vec3 by = {random_sign(r), random_sign(r), random_sign(r)};
    float square = 0.0f;
    for (int k = 0; k < 4; k++)
        square += body->pose.rotation[k] * body->pose.rotation[k];
    for (int k = 0; k < 4; k++)
        moved.pose.rotation[k] += 3e-4f * sqrtf(square) * random_sign(r);
    moved.pose.position = vp_vec3_add(body->pose.position, vp_vec3_scale(by, 1e-3f / sqrtf(vp_vec3_dot(by, by))));
    if (ask(s, body, true, &m) == 0 || ask(s, &moved, true, &n) == 0)
        return;
    for (uint32_t k = 0; k < m.count; k++) {
        if (m.point[k].distance > margin - 2e-3f)
            continue;
        ++*all;
        for (uint32_t j = 0; j < n.count; j++)
            *kept += m.point[k].feature == n.point[j].feature;
    }
}

static void motion(void **state)
{
    (void)state;
    scene s[2];
    vp_random r = {17};
    vp_vec3 up;
    open_scene(&s[0], hills, (vp_ivec3){0, 0, 0}, NULL);
    open_scene(&s[1], flat, (vp_ivec3){0, 0, 0}, NULL);
    const float level = surface_at(&s[1], 20.0f, 20.0f, &up);
    for (int at_rest = 0; at_rest < 2; at_rest++) {
        uint32_t all = 0, kept = 0;
        for (int i = 0; i < POSES * VP_BODIES; i++) {
            const vp_body b = (vp_body)(i % VP_BODIES);
            vp_manifold_body body = some_body(&r, &s[at_rest], b);
            if (at_rest != 0) { /* upright, or lying */
                const bool lies = b == VP_BODY_CAPSULE || (b == VP_BODY_CYLINDER && i % 2 == 0);
                const float turn = random_sign(&r), reach = b == VP_BODY_BOX ? body.shape->half.y : lies ? body.shape->radius : 0.40625f;
                body.pose.position.y = level + reach - 0.005f;
                body.pose.rotation[0] = lies ? 1.0f : 0.0f;
                body.pose.rotation[1] = lies ? turn : 0.3f;
                body.pose.rotation[2] = lies ? -turn : 0.0f;
                body.pose.rotation[3] = 1.0f;
                if (b == VP_BODY_SPHERE || b >= VP_BODY_HULL16)
                    continue;
            }
            count_names(&s[at_rest], &body, &r, &all, &kept);
        }
        if (getenv("VP_TELL") != NULL)
            printf("%u of %u points keep their names: %.2f %%\n", kept, all, 100.0 * kept / all);
        assert_true(all > 0 && all - kept <= 1 + all / 100);
    }
    close_scene(&s[0]);
    close_scene(&s[1]);
}

/* ---- limits ---- */

static void limits(void **state)
{
    (void)state;
    scene s;
    vp_random r = {19};
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    uint32_t refused = 0, cut = 0;
    for (int i = 0; i < POSES / 4; i++) {
        const vp_manifold_def def = {.margin = margin};
        const vp_manifold_body body = some_body(&r, &s, (vp_body)(i % VP_BODIES));
        vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        const uint32_t made = ask(&s, &body, false, m);
        if (made == 0)
            continue;
        vp_manifold_scratch small = {scratch.memory, 1, 0};
        vp_status status = VP_E_LIMIT;
        uint32_t again = 0;
        for (int k = 0; k < 4 && status == VP_E_LIMIT; k++) {
            vp_error error;
            status = vp_manifold_terrain(&def, &body, &s.reader, &small, n, MANIFOLDS, &again, &error);
            refused += status == VP_E_LIMIT;
            if (status == VP_E_LIMIT) {
                char needed[16];
                snprintf(needed, sizeof needed, "%u", small.needed);
                assert_true(small.needed > small.capacity);
                assert_non_null(strstr(error.message, needed));
                small.capacity = small.needed;
            }
        }
        assert_int_equal(status, VP_OK);
        assert_int_equal(again, made);
        assert_memory_equal(m, n, made * sizeof *m);
        memset(n, 0x5a, sizeof n);
        assert_ok(vp_manifold_terrain(&def, &body, &s.reader, &scratch, n, 1, &again, &error));
        assert_int_equal(again, made);
        assert_memory_equal(m, n, sizeof *m);
        for (size_t k = sizeof *m; k < sizeof n; k++)
            assert_int_equal(((unsigned char *)n)[k], 0x5a);
        cut += made > 1;
    }
    assert_true(refused > 0 && cut > 0);
    close_scene(&s);
}

static void many(void **state)
{
    (void)state;
    enum { BODIES = 24 };
    scene s;
    vp_random r = {23};
    vp_manifold_body body[BODIES];
    vp_manifold all[MANIFOLDS * 4], m[MANIFOLDS];
    uint32_t first[BODIES + 1];
    const vp_manifold_def def = {.margin = margin};
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < BODIES; i++)
        body[i] = some_body(&r, &s, (vp_body)(i % VP_BODIES));
    for (uint32_t room = 0; room <= MANIFOLDS * 4; room += room < 8 ? 4 : MANIFOLDS) {
        assert_ok(vp_manifold_terrain_many(&def, body, BODIES, &s.reader, &scratch, all, room, first, &error));
        for (uint32_t i = 0; i < BODIES; i++) {
            const uint32_t made = ask(&s, &body[i], false, m);
            assert_int_equal(first[i + 1] - first[i], made);
            for (uint32_t k = 0; k < made && first[i] + k < room; k++)
                assert_memory_equal(&all[first[i] + k], &m[k], sizeof *m);
        }
    }
    body[5].pose.position.x = NAN;
    assert_refused(vp_manifold_terrain_many(&def, body, BODIES, &s.reader, &scratch, all, 1, first, &error), VP_E_ARGUMENT, "body 5");
    close_scene(&s);
}

static void refusals(void **state)
{
    (void)state;
    const vp_manifold_body body = {&bodies[VP_BODY_SPHERE].shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
    vp_collide_triangle t = vp_collide_triangle_of((vp_vec3[3]){{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}, 0);
    vp_manifold m;
    uint32_t made;
    vp_manifold_def def = {.margin = margin};
    vp_manifold_scratch none = {NULL, 8, 0}, small = {scratch.memory, 0, 0}, large = {scratch.memory, VP_MANIFOLD_MOST_TRIANGLES + 1, 0};
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &none, &m, 1, &made, &error), VP_E_ARGUMENT, "no memory");
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &small, &m, 1, &made, &error), VP_E_ARGUMENT, "0 triangles");
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &large, &m, 1, &made, &error), VP_E_ARGUMENT, "16385");
    def.margin = INFINITY;
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &scratch, &m, 1, &made, &error), VP_E_ARGUMENT, "inf");
    def.margin = margin;
    def.surface = (vp_surface)7;
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &scratch, &m, 1, &made, &error), VP_E_ARGUMENT, "7");
    def.surface = VP_SURFACE_SOLID;
    t.corner[2].y = NAN;
    assert_refused(vp_manifold_mesh(&def, &body, &t, 1, &scratch, &m, 1, &made, &error), VP_E_ARGUMENT, "corner[2].y");
    assert_ok(vp_manifold_mesh(&def, &body, &t, 0, &scratch, &m, 1, &made, &error));
    assert_int_equal(made, 0);
    assert_int_equal(vp_manifold_scratch_bytes(0), 0);
    assert_int_equal(vp_manifold_scratch_bytes(VP_MANIFOLD_MOST_TRIANGLES + 1), 0);
}

/* With all trees made, no memory is asked for. */
static void memory(void **state)
{
    (void)state;
    test_memory m;
    scene s;
    vp_random r = {29};
    test_memory_begin(&m);
    const vp_allocator allocator = test_memory_allocator(&m);
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, &allocator);
    test_memory_fail_at(&m, 1);
    for (int i = 0; i < 6 * VP_BODIES; i++) {
        vp_manifold out[MANIFOLDS];
        const vp_manifold_body body = some_body(&r, &s, (vp_body)(i % VP_BODIES));
        ask(&s, &body, i % 2 == 0, out);
    }
    assert_int_equal(m.requests, 0);
    test_memory_fail_at(&m, 0);
    close_scene(&s);
    test_memory_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points), cmocka_unit_test(rest),   cmocka_unit_test(groove), cmocka_unit_test(names),    cmocka_unit_test(borders),
        cmocka_unit_test(motion), cmocka_unit_test(limits), cmocka_unit_test(many),   cmocka_unit_test(refusals), cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
