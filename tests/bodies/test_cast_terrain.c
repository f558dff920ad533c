/* SPDX-License-Identifier: MIT */
/* Casts, overlap and closest points on a terrain, against all of its triangles and against the distance kernels along the way.
 * docs/CONTRACT.md: CAS-5, CAS-6, CAS-7 */
#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/manifold_scene.h"
#include "tests/support/contact_oracle.h"

enum { MOST = 1 << 16 };

static const uint32_t casts = IS_THIN ? 40 / THIN_BY + 4 : 40;

static manifold_world ground_scene;
static vp_collide_triangle *all;
static uint32_t all_count;

static int open_all(void **state)
{
    static vp_terrain_triangle_id id[MOST];
    static vp_terrain_triangle found[MOST];
    const vp_aabb box = {{-10, -10, -10}, {100, 100, 100}};
    begin(state);
    open_scene(&ground_scene, hills, (vp_ivec3){3, 2, 3}, NULL);
    assert_ok(vp_terrain_reader_gather_triangles(&ground_scene.reader, VP_SURFACE_SOLID, &box, id, found, MOST, &all_count, &error));
    assert_true(all_count > 3000 && all_count <= MOST);
    all = malloc(all_count * sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < all_count; i++) {
        all[i] = vp_collide_triangle_of(found[i].corner, 0);
        all[i].normal = found[i].normal;
        all[i].id = id[i];
        all[i].material = found[i].material;
    }
    return 0;
}

static int close_all(void **state)
{
    free(all);
    close_scene(&ground_scene);
    return end(state);
}

/* The least signed distance of a shape at a pose from the triangles within `within`, or INFINITY. */
static float least_distance(const vp_collide_shape *shape, const vp_pose *pose, float within)
{
    return least_distance_of(&ground_scene, &(vp_manifold_body){shape, *pose}, within);
}

/* In equal shares from the air, from anywhere, and from near the ground. */
static vp_cast_def any_cast(vp_random *r, const vp_collide_shape *shape, uint32_t number)
{
    vp_cast_def def = {.shape = shape,
                       .pose =
                           vp_pose_at((vp_vec3){vp_random_between(r, -4, 52), vp_random_between(r, 18, 30), vp_random_between(r, -4, 52)})};
    vp_random_rotation(r, def.pose.rotation);
    if (number % 3 == 1)
        def.pose.position.y = vp_random_between(r, -2.0f, 30.0f);
    if (number % 3 == 2)
        def.pose.position.y =
            (float)hills((double)def.pose.position.x - 3.0, (double)def.pose.position.z - 3.0) + 2.0f + vp_random_between(r, -0.5f, 1.5f);
    const float length = number % 5 == 0 ? 60.0f : number % 5 == 1 ? 0.2f : 8.0f;
    for (int k = 0; k < 3; k++)
        (&def.translation.x)[k] = vp_random_between(r, -length, length);
    def.translation.y = number % 3 == 0 ? -fabsf(def.translation.y) : def.translation.y;
    return def;
}

static bool centre_inside(const vp_cast_def *def)
{
    bool inside;
    assert_ok(vp_terrain_reader_inside(&ground_scene.reader, VP_SURFACE_SOLID, def->pose.position, &inside, &error));
    return inside;
}

/* docs/CONTRACT.md: CAS-6 */
TEST(overlaps)
{
    for (int body = 0; body < VP_BODIES; body++) {
        vp_random random = {31 + (uint64_t)body};
        uint32_t yes = 0, no = 0;
        for (uint32_t i = 0; i < 2 * casts; i++) {
            const vp_cast_def def = any_cast(&random, &bodies[body].shape, i);
            const float least = least_distance(def.shape, &def.pose, 0.0f);
            bool any, mesh;
            assert_ok(vp_overlap_terrain(&ground_scene.reader, VP_SURFACE_SOLID, &def, &any, &error));
            assert_true(any == (least <= 0.0f || centre_inside(&def)));
            yes += any, no += !any;
            if (i < 20) {
                assert_ok(vp_overlap_mesh(all, all_count, &def, &mesh, &error));
                assert_true(mesh == (least <= 0.0f));
            }
        }
        assert_true(yes > casts / 10 && no > casts / 10);
    }
}

/* docs/CONTRACT.md: CAS-7. The nearest of all triangles, in long double. */
TEST(closest)
{
    vp_random random = {8};
    uint32_t some = 0, none = 0;
    for (uint32_t i = 0; i < casts / 2 + 4 && i < 2000; i++) {
        const vp_cast_def def = any_cast(&random, &bodies[0].shape, i);
        const vp_vec3 p = def.pose.position;
        const float most = i % 4 == 0 ? INFINITY : vp_random_between(&random, 0.0f, 8.0f);
        vp_closest got, mesh;
        long double right = INFINITY;
        for (uint32_t k = 0; k < all_count; k++) {
            const long double distance = contact_distance(p, all[k].corner);
            right = distance < right ? distance : right;
        }
        assert_ok(vp_closest_terrain(&ground_scene.reader, VP_SURFACE_SOLID, p, most, &got, &error));
        assert_ok(vp_closest_mesh(all, all_count, p, most, &mesh, &error));
        assert_true(got.found == mesh.found && got.distance == mesh.distance && got.at.chunk == mesh.at.chunk &&
                    got.at.triangle == mesh.at.triangle && got.material == mesh.material);
        assert_true(got.found == (right <= (long double)most));
        some += got.found, none += !got.found;
        if (!got.found)
            continue;
        assert_true(fabsl((long double)got.distance - right) <= 1e-6L * (1.0L + right));
        const vp_vec3 from = vp_vec3_sub(p, got.point);
        assert_true(fabsf(sqrtf(vp_vec3_dot(from, from)) - got.distance) <= 1e-5f);
    }
    assert_true(some > 4 && none > 0);
}

TEST(refusals)
{
    const vp_terrain_reader *r = &ground_scene.reader;
    vp_cast_def def = {.shape = &bodies[0].shape, .pose = vp_pose_at((vp_vec3){9, 30, 9})}, bad = def;
    vp_cast_hit hit = {.t = 7.0f};
    vp_closest near = {.distance = 7.0f};
    bool any = true;
    bad.translation.y = INFINITY;
    assert_refused(vp_cast_terrain(r, VP_SURFACE_SOLID, &bad, &hit, &error), VP_E_ARGUMENT, "translation.y");
    assert_refused(vp_cast_terrain(r, VP_SURFACE_WATER, &def, &hit, &error), VP_E_ARGUMENT, "");
    assert_refused(vp_cast_terrain(&(vp_terrain_reader){0}, VP_SURFACE_SOLID, &def, &hit, &error), VP_E_ARGUMENT, "");
    bad.pose.position.z = NAN;
    assert_refused(vp_overlap_terrain(r, VP_SURFACE_SOLID, &bad, &any, &error), VP_E_ARGUMENT, "position.z");
    assert_refused(vp_closest_terrain(r, VP_SURFACE_SOLID, bad.pose.position, 1.0f, &near, &error), VP_E_ARGUMENT, "point.z");
    assert_refused(vp_closest_terrain(r, VP_SURFACE_SOLID, def.pose.position, -1.5f, &near, &error), VP_E_ARGUMENT, "-1.5");
    assert_refused(vp_closest_mesh(all, 1, def.pose.position, NAN, &near, &error), VP_E_ARGUMENT, "nan");
    assert_true(hit.t == 7.0f && near.distance == 7.0f && any);
    /* Across the whole world from the largest coordinates. */
    def.pose.position = (vp_vec3){24.0f, 1e9f, 24.0f};
    def.translation = (vp_vec3){0.0f, -2e9f, 0.0f};
    assert_ok(vp_cast_terrain(r, VP_SURFACE_SOLID, &def, &hit, &error));
    assert_true(hit.found && fabsf(hit.t - 0.5f) < 1e-6f);
}

int main(void)
{
    return test_run_all(open_all, close_all);
}
