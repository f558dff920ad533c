/* SPDX-License-Identifier: MIT */
/* Properties of manifolds. All triangles around a body are used, chunk borders do not matter, and ids persist. A margin adds
 * points that are apart, and changes no touching point. The case manifold and the corpus judge each point and bodies at rest,
 * test_compounds.c directions, order and names, for which bodies of one part are compounds. */
#include "cases/narrowphase/shapes.h"
#include "cases/narrowphase/manifold.h"
#include "tests/narrowphase/manifold_scene.h"
#include "tests/support/contact_oracle.h"

enum { MANY_ANSWERS = 128 }; /* above which answers are bounded first (src/narrowphase/correct.c) */

#ifdef TEST_DEEP
enum { TIMES = 50 };
#else
enum { TIMES = 1 };
#endif

/* docs/CONTRACT.md: MAN-4. The triangles that a terrain gathers about a body are enough. All triangles far around it, connected, give the
 * same manifolds, bit for bit. */
TEST(enough)
{
    static vp_collide_triangle t[SCENE_TRIANGLES];
    static uint32_t words[VP_COLLIDE_CONNECT_WORDS(SCENE_TRIANGLES)];
    manifold_world s;
    vp_random r = {37};
    const vp_manifold_def def = {.margin = margin, .by_chunk = true};
    const vp_vec3 point[4] = {{-1.0f, 0.1f, 0.0f}, {1.0f, 0.1f, 0.0f}, {0.0f, -0.1f, -1.0f}, {0.0f, -0.1f, 1.0f}};
    vp_collide_owned_hull solid;
    assert_ok(vp_collide_hull_create(&(vp_collide_hull_def){.point = point, .count = 4}, &solid, &error));
    const vp_collide_shape sharp = vp_collide_hull_shape(&solid.hull), large = vp_collide_box((vp_vec3){6.0f, 4.0f, 5.0f});
    uint32_t large_answers = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < POSES; i++) {
        vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        vp_manifold_body body = some_body(&r, &s, (vp_body_kind)(i % VP_BODIES));
        uint32_t made;
        if (i % 2 == 0) { /* its edges are so sharp that it may leave by the next triangle */
            body.shape = &sharp;
            body.pose.position.y -= vp_random_between(&r, 0.0f, 0.5f);
        } else if (i % 4 == 1) { /* most of its answers are cleared before their edges are connected */
            body.shape = &large;
            body.pose.position.y -= vp_random_between(&r, -1.0f, 4.0f);
            large_answers += scene_triangles(&s, &body, 0.0f, t) > 2 * MANY_ANSWERS;
        }
        const uint32_t count = scene_triangles(&s, &body, 3.0f, t);
        assert_ok(vp_collide_connect(t, count, words, &error));
        assert_ok(vp_manifold_mesh(&def, &body, t, count, &scratch, n, MANIFOLDS, &made, &error));
        assert_int_equal(ask(&s, &body, false, m), made);
        assert_memory_equal(m, n, made * sizeof *m);
    }
    assert_true(large_answers > POSES / 10);
    close_scene(&s);
    vp_collide_hull_destroy(&solid);
}

/* ---- meshes ---- */

/* docs/CONTRACT.md: MAN-6. A body on more triangles than 2^14. */
TEST(very_large)
{
    enum { WIDTH = 96, COUNT = 2 * WIDTH * WIDTH, LARGE_ROOM = 20000 };
    vp_collide_triangle *t = calloc(COUNT, sizeof *t);
    uint32_t *words = calloc(VP_COLLIDE_CONNECT_WORDS(COUNT), sizeof *words);
    vp_manifold_scratch room = {malloc(vp_manifold_scratch_bytes(LARGE_ROOM)), LARGE_ROOM, 0};
    const vp_collide_shape shape = vp_collide_box((vp_vec3){0.5f * WIDTH + 1.0f, 1.0f, 0.5f * WIDTH + 1.0f});
    const vp_manifold_body body = {&shape, vp_pose_at((vp_vec3){0.5f * WIDTH, 0.875f, 0.5f * WIDTH})};
    vp_manifold m;
    uint32_t made;
    assert_true(t != NULL && words != NULL && room.memory != NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        const float x = (float)(i / 2 % WIDTH), z = (float)(i / 2 / WIDTH);
        const vp_vec3 corner[4] = {{x, 0.0f, z}, {x, 0.0f, z + 1.0f}, {x + 1.0f, 0.0f, z + 1.0f}, {x + 1.0f, 0.0f, z}};
        t[i] = vp_collide_triangle_of((vp_vec3[3]){corner[0], corner[1 + i % 2], corner[2 + i % 2]}, i);
    }
    assert_ok(vp_collide_connect(t, COUNT, words, &error));
    assert_ok(vp_manifold_mesh(&(vp_manifold_def){.margin = margin}, &body, t, COUNT, &room, &m, 1, &made, &error));
    assert_int_equal(room.needed, COUNT);
    assert_true(made == 1 && m.count == 4);
    for (uint32_t k = 0; k < m.count; k++)
        assert_true(m.point[k].normal.y == 1.0f && fabsf(m.point[k].distance + 0.125f) < 1e-5f);
    free(t);
    free(words);
    free(room.memory);
}

static uint32_t ask_mesh(const vp_manifold_body *body, vp_collide_triangle *t, uint32_t count, vp_manifold *out, uint32_t capacity)
{
    uint32_t words[VP_COLLIDE_CONNECT_WORDS(16)], made;
    const vp_manifold_def def = {.margin = margin, .by_chunk = true};
    assert_true(count <= 16);
    assert_ok(vp_collide_connect(t, count, words, &error));
    assert_ok(vp_manifold_mesh(&def, body, t, count, &scratch, out, capacity, &made, &error));
    assert_true(made <= capacity);
    return made;
}

/* docs/CONTRACT.md: MAN-4, NAR-7. The same ground and the same bodies, with chunk borders elsewhere. */
TEST(borders)
{
    manifold_world s, moved;
    vp_random r = {13};
    const vp_ivec3 by = {3, 2, 5};
    uint32_t fewer = 0, more = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    open_scene(&moved, hills, by, NULL);
    for (int i = 0; i < POSES; i++)
        for (int b = 0; b < VP_BODIES; b++) {
            vp_manifold m[MANIFOLDS], n[MANIFOLDS], parts[MANIFOLDS];
            vp_manifold_body body = some_body(&r, &s, (vp_body_kind)b);
            const uint32_t made = ask(&s, &body, true, m), cut = ask(&s, &body, false, parts);
            body.pose.position = vp_vec3_add(body.pose.position, (vp_vec3){(float)by.x, (float)by.y, (float)by.z});
            assert_int_equal(ask(&moved, &body, true, n), made);
            const uint32_t cut_there = ask(&moved, &body, false, parts);
            fewer += cut < cut_there;
            more += cut > cut_there;
            for (uint32_t d = 0; d < made; d++) {
                assert_int_equal(m[d].count, n[d].count);
                for (uint32_t k = 0; k < m[d].count; k++) {
                    bool same = false; /* points of equal depth are in the order of their names */
                    for (uint32_t h = 0; h < made; h++)
                        for (uint32_t j = 0; j < n[h].count; j++)
                            same = same || memcmp(&m[d].point[k], &n[h].point[j], offsetof(vp_manifold_point, at)) == 0;
                    assert_true(same);
                }
            }
        }
    close_scene(&s);
    close_scene(&moved);
    assert_true(fewer > 0 && more > 0);
}

/* docs/CONTRACT.md: MAN-3. Bodies in flat ground at any place, over all its edges and borders, are only pushed up. */
TEST(ghosts)
{
    manifold_world s;
    vp_random r = {31};
    uint32_t points = 0;
    open_scene(&s, flat, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < POSES * VP_BODIES; i++) {
        vp_manifold m[MANIFOLDS];
        vp_manifold_body body = some_body(&r, &s, (vp_body_kind)(i % VP_BODIES));
        if (i % 3 == 0)
            body.pose.position.y -= vp_random_between(&r, 0.0f, 0.3f);
        const uint32_t made = ask(&s, &body, i % 2 == 0, m);
        for (uint32_t k = 0; k < made; k++)
            for (uint32_t p = 0; p < m[k].count; p++, points++)
                assert_true(m[k].point[p].normal.y > 0.9999f);
    }
    close_scene(&s);
    assert_true(points > 2 * POSES);
}

/* All triangles with a point at one place, each in another chunk, give it the same name. */
static uint64_t one_name(const vp_manifold_body *body, vp_collide_triangle *t, uint32_t count, uint32_t want)
{
    vp_manifold m[4];
    assert_int_equal(ask_mesh(body, t, count, m, 4), want);
    for (uint32_t i = 0; i < want; i++) {
        assert_int_equal(m[i].count, 1);
        assert_true(m[i].point[0].feature == m[0].point[0].feature);
    }
    return m[0].point[0].feature;
}

/* docs/CONTRACT.md: MAN-5. The top of a pyramid has one name, whichever of its triangles has the contact. So has each of its ridges. */
TEST(names)
{
    const vp_vec3 top = {0.0f, 1.0f, 0.0f};
    const vp_vec3 base[4] = {{-3.0f, 0.0f, -3.0f}, {-3.0f, 0.0f, 3.0f}, {3.0f, 0.0f, 3.0f}, {3.0f, 0.0f, -3.0f}};
    uint64_t name = 0, ridge[4] = {0};
    vp_random r = {5};
    for (int i = 0; i < 100; i++) {
        vp_collide_triangle t[4];
        for (uint32_t k = 0; k < 4; k++) { /* rotated in the list, and each triangle alone */
            const uint32_t n = (k + (uint32_t)i) % 4;
            const vp_vec3 c[3] = {top, base[n], base[(n + 1) % 4]};
            t[k] = vp_collide_triangle_of(c, n);
            t[k].id.chunk = n;
        }
        vp_manifold_body sphere = {&bodies[VP_BODY_SPHERE].shape, vp_pose_at((vp_vec3){0.0f, 1.5f, 0.0f})};
        sphere.pose.position.x = 0.02f * random_sign(&r);
        sphere.pose.position.z = 0.02f * random_sign(&r);
        const uint64_t found = one_name(&sphere, t, 4, 4);
        assert_true(name == 0 || found == name);
        name = found;
        const int k = i % 4; /* along a ridge, above it */
        const float part = vp_random_between(&r, 0.3f, 0.6f);
        const vp_vec3 on = vp_vec3_add(top, vp_vec3_scale(vp_vec3_sub(base[k], top), part));
        sphere.pose.position = (vp_vec3){on.x * 1.03f, on.y + 0.49f, on.z * 1.03f};
        const uint64_t along = one_name(&sphere, t, 4, 2);
        assert_true(ridge[k] == 0 || along == ridge[k]);
        ridge[k] = along;
    }
    for (int k = 0; k < 4; k++)
        assert_true(ridge[k] != name && ridge[k] != ridge[(k + 1) % 4]);
}

/* ---- persistent names ---- */

/* A body that moves by 1e-3 and turns by as much keeps its points' names, except of points that are about to go. */
static void count_names(const manifold_world *s, const vp_manifold_body *body, vp_random *r, uint32_t *all, uint32_t *kept)
{
    vp_manifold m[MANIFOLDS], n[MANIFOLDS];
    vp_manifold_body moved = *body;
    const vp_vec3 by = {random_sign(r), random_sign(r), random_sign(r)};
    float square = 0.0f;
    for (int k = 0; k < 4; k++)
        square += body->pose.rotation[k] * body->pose.rotation[k];
    for (int k = 0; k < 4; k++)
        moved.pose.rotation[k] += 3e-4f * sqrtf(square) * random_sign(r);
    moved.pose.position = vp_vec3_add(body->pose.position, vp_vec3_scale(by, 1e-3f / sqrtf(vp_vec3_dot(by, by))));
    const uint32_t made = ask(s, body, true, m), made_there = ask(s, &moved, true, n);
    for (uint32_t i = 0; i < made && made_there > 0; i++)
        for (uint32_t k = 0; k < m[i].count; k++) {
            if (m[i].point[k].distance > margin - 2e-3f)
                continue;
            ++*all;
            for (uint32_t h = 0; h < made_there; h++)
                for (uint32_t j = 0; j < n[h].count; j++)
                    *kept += m[i].point[k].feature == n[h].point[j].feature;
        }
}

/* docs/CONTRACT.md: MAN-5 */
TEST(motion)
{
    manifold_world s[2];
    vp_random r = {17};
    vp_vec3 up;
    open_scene(&s[0], hills, (vp_ivec3){0, 0, 0}, NULL);
    open_scene(&s[1], flat, (vp_ivec3){0, 0, 0}, NULL);
    const float level = surface_at(&s[1], 20.0f, 20.0f, &up);
    for (int at_rest = 0; at_rest < 2; at_rest++) {
        uint32_t all = 0, kept = 0;
        for (int i = 0; i < POSES * VP_BODIES; i++) {
            const vp_body_kind b = (vp_body_kind)(i % VP_BODIES);
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
        assert_true(all > 0 && all - kept <= 1 + all / 100);
    }
    close_scene(&s[0]);
    close_scene(&s[1]);
}

/* A hull on a triangle. A corner of the ground inside it adds nothing to its three points. */
TEST(three_corners)
{
    static const vp_vec3 point[4] = {{-1.0f, -0.25f, -1.0f}, {1.0f, -0.25f, -1.0f}, {0.0f, -0.25f, 1.0f}, {0.0f, 0.75f, 0.0f}};
    static const vp_vec3 around[4] = {{3.0f, 0.0f, 3.0f}, {3.0f, 0.0f, -3.0f}, {-3.0f, 0.0f, -3.0f}, {-3.0f, 0.0f, 3.0f}};
    const vp_collide_hull_def def = {.point = point, .count = 4};
    vp_collide_owned_hull solid;
    vp_collide_triangle t[4];
    vp_manifold m;
    assert_ok(vp_collide_hull_create(&def, &solid, &error));
    const vp_collide_shape shape = vp_collide_hull_shape(&solid.hull);
    const vp_manifold_body body = {&shape, vp_pose_at((vp_vec3){0.0f, 0.24f, 0.0f})};
    for (uint32_t k = 0; k < 4; k++)
        t[k] = vp_collide_triangle_of((vp_vec3[3]){{0.0f, 0.0f, -0.4f}, around[k], around[(k + 1) % 4]}, k);
    assert_int_equal(ask_mesh(&body, t, 4, &m, 1), 1);
    assert_int_equal(m.count, 3);
    for (uint32_t k = 0; k < 3; k++)
        assert_true(m.point[k].normal.y == 1.0f && fabsf(m.point[k].distance + 0.01f) <= 1e-6f);
    vp_collide_hull_destroy(&solid);
}

/* A cylinder on a triangle smaller than its caps, on either cap. The triangle's corners are its points. */
TEST(either_cap)
{
    const vp_collide_shape shape = vp_collide_cylinder(1.0f, 0.25f);
    for (int over = 0; over < 2; over++) {
        const vp_manifold_body body = {&shape, {{0.0f, 0.24f, 0.0f}, {(float)over, 0.0f, 0.0f, (float)(1 - over)}}};
        vp_collide_triangle t = vp_collide_triangle_of((vp_vec3[3]){{-0.4f, 0.0f, -0.3f}, {0.0f, 0.0f, 0.5f}, {0.4f, 0.0f, -0.3f}}, 0);
        vp_manifold m;
        assert_int_equal(ask_mesh(&body, &t, 1, &m, 1), 1);
        assert_int_equal(m.count, 3);
        for (uint32_t k = 0; k < 3; k++)
            assert_true(m.point[k].normal.y == 1.0f && vp_vec3_dot(m.point[k].on_shape, m.point[k].on_shape) > 0.25f);
    }
}

/* docs/CONTRACT.md: MAN-3. A cylinder on a ridge has a point near both ends of the part below its cap. This holds however near to the rim
   the ridge is, and however the cylinder is turned. */
TEST(ridge)
{
    const float radius = 1.0f;
    const vp_collide_shape shape = vp_collide_cylinder(radius, 0.25f);
    for (int i = 0; i < 400; i++) {
        const float off = 0.98f * (float)(i % 20) / 19.0f, half = sqrtf(radius * radius - off * off), angle = 0.05f * (float)(i / 20);
        const int over = i % 2;
        const vp_pose pose = {{0.0f, 0.245f, off},
                              {over ? cosf(angle) : 0.0f, over ? 0.0f : sinf(angle), over ? sinf(angle) : 0.0f, over ? 0.0f : cosf(angle)}};
        const vp_manifold_body body = {&shape, pose};
        vp_collide_triangle t[2] = {vp_collide_triangle_of((vp_vec3[3]){{4.0f, 0.0f, 0.0f}, {-4.0f, 0.0f, 0.0f}, {0.0f, -4.0f, 4.0f}}, 0),
                                    vp_collide_triangle_of((vp_vec3[3]){{-4.0f, 0.0f, 0.0f}, {4.0f, 0.0f, 0.0f}, {0.0f, -4.0f, -4.0f}}, 1)};
        float low = 0.0f, high = 0.0f;
        vp_manifold m;
        assert_int_equal(ask_mesh(&body, t, 2, &m, 1), 1);
        for (uint32_t k = 0; k < m.count; k++) {
            const vp_manifold_point *q = &m.point[k];
            assert_true(q->normal.y > 0.9999f && q->distance > -0.00501f);
            low = q->distance <= 0.0f ? fminf(low, q->on_shape.x) : low;
            high = q->distance <= 0.0f ? fmaxf(high, q->on_shape.x) : high;
        }
        assert_true(low < -0.85f * half && high > 0.85f * half);
    }
}

/* ---- margins ---- */

static uint32_t ask_with(const manifold_world *s, const vp_manifold_body *body, float wide, bool whole, vp_manifold *out)
{
    const vp_manifold_def def = {.margin = wide, .by_chunk = !whole};
    uint32_t made;
    assert_ok(vp_manifold_terrain(&def, body, &s->reader, &scratch, out, MANIFOLDS, &made, &error));
    assert_true(made <= MANIFOLDS);
    return made;
}

/* Removes points that are apart, and manifolds without points. */
static uint32_t keep_touching(vp_manifold *m, uint32_t made)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < made; i++) {
        uint32_t count = 0;
        while (count < m[i].count && m[i].point[count].distance <= 0.0f)
            count++;
        memset(m[i].point + count, 0, (VP_MANIFOLD_POINTS - count) * sizeof *m[i].point);
        m[i].count = count;
        if (count > 0)
            m[kept++] = m[i];
    }
    return kept;
}

/* A terrain measures a sphere's contacts only if they may become points. On a mesh all are measured. */
TEST(spheres_apart)
{
    manifold_world s;
    vp_random r = {47};
    uint32_t made_in_all = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < 10 * POSES; i++) {
        static vp_manifold m[VP_MANIFOLD_DIRECTIONS], n[VP_MANIFOLD_DIRECTIONS];
        const vp_collide_shape sphere = vp_collide_sphere(vp_random_between(&r, 0.1f, 3.0f));
        const vp_manifold_def def = {.margin = vp_random_between(&r, 0.0f, 0.5f)};
        vp_manifold_body body = some_body(&r, &s, VP_BODY_SPHERE);
        vp_collide_triangle *t;
        uint32_t count, made, again;
        body.shape = &sphere;
        body.pose.position.y += sphere.radius - 0.5f + vp_random_between(&r, -0.05f, 0.1f);
        const vp_vec3 reach = {sphere.radius + 4.0f, sphere.radius + 4.0f, sphere.radius + 4.0f};
        const vp_aabb box = {vp_vec3_sub(body.pose.position, reach), vp_vec3_add(body.pose.position, reach)};
        assert_ok(vp_manifold_case_triangles(s.terrain, &box, &t, &count, &error));
        uint32_t *const words = malloc((VP_COLLIDE_CONNECT_WORDS((size_t)count) + 1) * sizeof *words);
        assert_non_null(words);
        assert_ok(vp_collide_connect(t, count, words, &error));
        assert_ok(vp_manifold_terrain(&def, &body, &s.reader, &scratch, m, VP_MANIFOLD_DIRECTIONS, &made, &error));
        assert_ok(vp_manifold_mesh(&def, &body, t, count, &scratch, n, VP_MANIFOLD_DIRECTIONS, &again, &error));
        assert_int_equal(made, again);
        assert_memory_equal(m, n, made * sizeof *m);
        made_in_all += made;
        free(words);
        free(t);
    }
    close_scene(&s);
    assert_true(made_in_all > POSES);
}

/* docs/CONTRACT.md: MAN-7 */
TEST(touching)
{
    static const float wide[] = {0.005f, 0.02f, 0.1f, 1.0f};
    manifold_world s;
    vp_random r = {43};
    uint32_t points = 0, more = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < TIMES * POSES * VP_BODIES; i++) {
        static vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        vp_manifold_body body = some_body(&r, &s, (vp_body_kind)(i % VP_BODIES));
        const bool whole = i % 3 != 0;
        if (i % 2 == 0) /* with several points that barely touch */
            body.pose.position.y -= vp_random_between(&r, 0.0f, 0.05f);
        const uint32_t made = ask_with(&s, &body, 0.0f, whole, m);
        for (size_t k = 0; k < sizeof wide / sizeof wide[0]; k++) {
            const uint32_t all = ask_with(&s, &body, wide[k], whole, n), kept = keep_touching(n, all);
            if (kept != made || memcmp(m, n, made * sizeof *m) != 0)
                fail_msg("%s at %g, %g, %g: with margin %g other points touch", vp_body_name((vp_body_kind)(i % VP_BODIES)),
                         (double)body.pose.position.x, (double)body.pose.position.y, (double)body.pose.position.z, (double)wide[k]);
            more += all > kept;
        }
        for (uint32_t k = 0; k < made; k++)
            points += m[k].count;
    }
    close_scene(&s);
    assert_true(points > POSES * VP_BODIES && more > POSES);
}

static uint32_t ask_moving(const manifold_world *s, const vp_manifold_body *body, vp_vec3 motion, vp_manifold *out)
{
    const vp_manifold_def def = {.margin = margin, .motion = motion};
    uint32_t made;
    assert_ok(vp_manifold_terrain(&def, body, &s->reader, &scratch, out, MANIFOLDS, &made, &error));
    return made;
}

/* docs/CONTRACT.md: MAN-12. A ball above flat ground has a point if its motion takes it within the margin. On hills the points that touch
   are those without motion. */
TEST(moving)
{
    const vp_collide_shape ball = vp_collide_sphere(0.5f);
    manifold_world s;
    vp_random r = {47};
    vp_vec3 normal;
    uint32_t reached = 0, points = 0;
    open_scene(&s, flat, (vp_ivec3){0, 0, 0}, NULL);
    const float top = surface_at(&s, 20.5f, 20.5f, &normal);
    for (int i = 0; i < POSES; i++) {
        vp_manifold m[MANIFOLDS];
        const vp_vec3 by = {0.5f * random_sign(&r), 0.5f * random_sign(&r), 0.5f * random_sign(&r)};
        const float gap = vp_random_between(&r, 2.0f * margin, 0.5f), least = gap + fminf(by.y, 0.0f);
        const vp_manifold_body body = {&ball, vp_pose_at((vp_vec3){20.5f, top + 0.5f + gap, 20.5f})};
        const uint32_t made = ask_moving(&s, &body, by, m);
        if (fabsf(least - margin) > 1e-4f)
            assert_int_equal(made, least < margin);
        assert_true(made == 0 || fabsf(m[0].point[0].distance - gap) < 1e-5f);
        reached += made;
    }
    for (int i = 0; i < POSES; i++) { /* a box that falls flat on one triangle has all corners */
        const vp_collide_shape box = vp_collide_box((vp_vec3){0.05f, 0.5f, 0.05f});
        const float gap = vp_random_between(&r, 2.0f * margin, 0.5f);
        const vp_manifold_body body = {&box, vp_pose_at((vp_vec3){20.75f, top + 0.5f + gap, 21.1f})};
        vp_manifold m[MANIFOLDS];
        assert_int_equal(ask_moving(&s, &body, (vp_vec3){random_sign(&r), -0.5f, random_sign(&r)}, m), 1);
        assert_int_equal(m[0].count, VP_MANIFOLD_POINTS);
    }
    close_scene(&s);
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < POSES * VP_BODIES; i++) {
        static vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        const vp_manifold_body body = some_body(&r, &s, (vp_body_kind)(i % VP_BODIES));
        const uint32_t made = ask_with(&s, &body, 0.0f, true, m);
        const uint32_t all = ask_moving(&s, &body, (vp_vec3){random_sign(&r), random_sign(&r), random_sign(&r)}, n);
        assert_int_equal(keep_touching(n, all), made);
        assert_memory_equal(m, n, made * sizeof *m);
        points += made;
    }
    close_scene(&s);
    assert_true(reached > POSES / 8 && reached < POSES / 2 && points > POSES);
    assert_refused(vp_manifold_mesh(&(vp_manifold_def){.motion = {0.0f, NAN, 0.0f}}, &(vp_manifold_body){&ball, vp_pose_at(normal)}, NULL,
                                    0, &scratch, NULL, 0, &points, &error),
                   VP_E_ARGUMENT, "motion is (0, nan, 0)");
}

/* docs/CONTRACT.md: MAN-12. Bodies that fly along x through a slope of small triangles have a point that stops them. The nearest triangles
   are not on their way. */
TEST(moving_along_a_slope)
{
    enum { EDGE = 40, ALL = 2 * EDGE * EDGE };
    static vp_collide_triangle slope[ALL];
    static uint32_t words[VP_COLLIDE_CONNECT_WORDS(ALL)];
    const vp_collide_shape shape[] = {vp_collide_sphere(0.3f), vp_collide_capsule(0.2f, 0.2f), vp_collide_box((vp_vec3){0.2f, 0.2f, 0.2f}),
                                      vp_collide_cylinder(0.2f, 0.2f)};
    vp_random r = {53};
    for (uint32_t i = 0; i < ALL; i++) {
        const float x = 0.5f * ((float)(i / 2 % EDGE) - EDGE / 2), z = 0.5f * ((float)(i / 2 / EDGE) - EDGE / 2), far = x + 0.5f;
        const vp_vec3 corner[2][3] = {{{x, -x, z}, {far, -far, z + 0.5f}, {far, -far, z}},
                                      {{x, -x, z}, {x, -x, z + 0.5f}, {far, -far, z + 0.5f}}};
        slope[i] = vp_collide_triangle_of(corner[i % 2], i);
    }
    assert_ok(vp_collide_connect(slope, ALL, words, &error));
    for (int i = 0; i < POSES; i++) {
        vp_manifold m[MANIFOLDS];
        const float way = vp_random_between(&r, 2.0f, 5.0f), y = random_sign(&r), from = vp_random_between(&r, 0.8f, way);
        const vp_manifold_body body = {&shape[i % 4], vp_pose_at((vp_vec3){from - y, y, random_sign(&r)})};
        const vp_manifold_def def = {.margin = margin, .motion = {-way, 0.0f, 0.0f}};
        uint32_t made;
        assert_ok(vp_manifold_mesh(&def, &body, slope, ALL, &scratch, m, MANIFOLDS, &made, &error));
        assert_true(made > 0 && m[0].point[0].distance <= way * m[0].point[0].normal.x);
        assert_true(fabsf(m[0].point[0].normal.x - sqrtf(0.5f)) < 1e-5f);
    }
}

/* A crate on a bumpy slope has four touching points. The two farther points have directions of their own. */
TEST(crate)
{
    const vp_vec3 p[6] = {{-2.0f, 0.05f, -2.0f}, {0.0f, 0.0f, -2.0f}, {2.0f, 0.25f, -2.0f},
                          {-2.0f, 0.05f, 2.0f},  {0.0f, 0.0f, 2.0f},  {2.0f, 0.25f, 2.0f}};
    static const int corner[4][3] = {{0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}};
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    const vp_manifold_body body = {&box, vp_pose_at((vp_vec3){0.0f, 0.5f, 0.0f})};
    vp_collide_triangle t[4];
    uint32_t words[VP_COLLIDE_CONNECT_WORDS(4)];
    for (uint32_t i = 0; i < 4; i++)
        t[i] = vp_collide_triangle_of((vp_vec3[3]){p[corner[i][0]], p[corner[i][1]], p[corner[i][2]]}, i);
    assert_ok(vp_collide_connect(t, 4, words, &error));
    for (int k = 0; k < 3; k++) {
        const vp_manifold_def def = {.margin = 0.1f * (float)k, .by_chunk = true};
        vp_manifold m[VP_MANIFOLD_DIRECTIONS];
        uint32_t made, right = 0;
        assert_ok(vp_manifold_mesh(&def, &body, t, 4, &scratch, m, VP_MANIFOLD_DIRECTIONS, &made, &error));
        for (uint32_t i = 0; i < made; i++)
            for (uint32_t j = 0; j < m[i].count; j++)
                right += m[i].point[j].distance < -0.06f && m[i].point[j].on_shape.x > 0.49f;
        assert_int_equal(right, 2);
    }
}

/* A body on a strip of four or six triangles. The correction drops contacts of triangles that hold it at the sides. */
typedef struct triangle_strip {
    vp_collide_shape shape;
    vp_vec3 position;
    uint32_t columns;
    float height[2][4]; /* [row][column], columns 2 apart, rows at z = -2 and 2 */
    float low, high;    /* range of the touching points along the axis */
    vp_vec3 axis;
} triangle_strip;

/* docs/CONTRACT.md: MAN-10. Touching points reach both sides of the body. None is deeper than the deepest of its direction, and each is on
   its triangle. */
TEST(cleared)
{
    const triangle_strip strips[] = {
        {vp_collide_box((vp_vec3){0.75f, 0.25f, 1.75f}),
         {0.75f, 0.1625f, 0.0f},
         3,
         {{0.0f, -0.15f, -0.05f}, {0.0f, -0.15f, 0.1f}},
         -1.74f,
         1.74f,
         {0.0f, 0.0f, 1.0f}},
        {vp_collide_cylinder(1.25f, 0.5f),
         {0.25f, 0.5125f, 1.0f},
         4,
         {{-0.05f, -0.1f, -0.05f, -0.15f}, {-0.05f, 0.0f, 0.1f, 0.1f}},
         -0.88f,
         1.24f,
         {1.0f, 0.0f, 0.0f}},
    };
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++) {
        const triangle_strip *s = &strips[i];
        const vp_manifold_body body = {&s->shape, vp_pose_at(s->position)};
        vp_collide_triangle t[6];
        vp_manifold m[VP_MANIFOLD_DIRECTIONS];
        uint32_t count = 0;
        for (uint32_t x = 0; x + 1 < s->columns; x++) {
            const float left = 2.0f * (float)x - (float)(s->columns - 1), right = left + 2.0f;
            const vp_vec3 p[4] = {{left, s->height[0][x], -2.0f},
                                  {left, s->height[1][x], 2.0f},
                                  {right, s->height[1][x + 1], 2.0f},
                                  {right, s->height[0][x + 1], -2.0f}};
            for (int k = 1; k < 3; k++, count++)
                t[count] = vp_collide_triangle_of((vp_vec3[3]){p[0], p[k], p[k + 1]}, count);
        }
        assert_int_equal(ask_mesh(&body, t, count, m, VP_MANIFOLD_DIRECTIONS), 1);
        float low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < m[0].count; k++) {
            const vp_manifold_point *q = &m[0].point[k];
            const float at = vp_vec3_dot(q->on_shape, s->axis);
            low = q->distance <= 0.0f ? fminf(low, at) : low;
            high = q->distance <= 0.0f ? fmaxf(high, at) : high;
            assert_true(q->distance >= m[0].point[0].distance);
            assert_true((double)contact_distance(vp_vec3_add(body.pose.position, q->on_triangle), t[q->at.triangle].corner) < 2e-5);
        }
        assert_true(low < s->low && high > s->high);
    }
}

int main(void)
{
    return test_run_all(begin, end);
}
