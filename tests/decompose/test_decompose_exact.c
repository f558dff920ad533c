/* SPDX-License-Identifier: MIT */
/* Errors over all points of the surface (docs/CONTRACT.md: DEC-14). The oracle casts rays from many points of every triangle, near the best
 * of them from more, and finds the solid by solid angles. It shares no code with src/decompose. */
#include "datasets/generate/shapes.h"
#include "tests/decompose/shapes.h"
#include "tests/support/threads.h"

static small_mesh m;

/* ---- the oracle ---- */

static void corner_of(const small_mesh *mesh, uint32_t t, int k, double out[3])
{
    const vp_vec3 p = mesh->point[mesh->triangle[t][k]];
    out[0] = (double)p.x;
    out[1] = (double)p.y;
    out[2] = (double)p.z;
}

static bool normal_of(const small_mesh *mesh, uint32_t t, double out[3])
{
    double a[3], b[3], c[3];
    corner_of(mesh, t, 0, a);
    corner_of(mesh, t, 1, b);
    corner_of(mesh, t, 2, c);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    }
    const double size = sqrt(dot3(out, out));
    for (int k = 0; k < 3; k++)
        out[k] /= size;
    return size > 0.0;
}

/* The winding number of a closed mesh around a point: the sum of its triangles' solid angles, in turns. */
static double wind(const small_mesh *mesh, const double p[3])
{
    double sum = 0.0;
    for (uint32_t t = 0; t < mesh->triangles; t++) {
        double v[3][3], size[3];
        for (int k = 0; k < 3; k++) {
            corner_of(mesh, t, k, v[k]);
            for (int axis = 0; axis < 3; axis++)
                v[k][axis] -= p[axis];
            size[k] = sqrt(dot3(v[k], v[k]));
        }
        const double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                              v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        sum += 2 * atan2(volume, size[0] * size[1] * size[2] + dot3(v[0], v[1]) * size[2] + dot3(v[1], v[2]) * size[0] +
                                     dot3(v[2], v[0]) * size[1]);
    }
    return sum / (4 * 3.14159265358979323846);
}

/* The length of a ray ("Rays of samples" in docs/kernels/decompose.md). 0 = it has none. */
static double length_of(const vp_hull *hull, const double x[3], const double along[3], double s)
{
    double in = 0.0, out = INFINITY, deep_in = 0.0, deep_out = INFINITY;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double height = dot3(hull->plane[f], x) - hull->plane[f][3], rise = dot3(hull->plane[f], along);
        if (rise == 0.0 && height > -s)
            return 0.0;
        if (rise > 0.0) {
            out = fmin(out, -height / rise);
            deep_out = fmin(deep_out, -(height + s) / rise);
        }
        if (rise < 0.0) {
            in = fmax(in, -height / rise);
            deep_in = fmax(deep_in, -(height + s) / rise);
        }
    }
    return in <= s && deep_in < deep_out ? out : 0.0;
}

/* Finds the longest ray of a triangle into a hull from points of a grid in a part of the triangle. @param middle  receives the best one */
static double search_grid(const small_mesh *mesh, uint32_t t, const vp_hull *hull, double s, double middle[2], double radius, int steps)
{
    double a[3], b[3], c[3], n[3], best = 0.0, at[2] = {middle[0], middle[1]};
    corner_of(mesh, t, 0, a);
    corner_of(mesh, t, 1, b);
    corner_of(mesh, t, 2, c);
    if (!normal_of(mesh, t, n))
        return 0.0;
    for (int i = -steps; i <= steps; i++)
        for (int k = -steps; k <= steps; k++) {
            const double u = middle[0] + i * radius / steps, v = middle[1] + k * radius / steps;
            double x[3], before[3];
            if (u < 0.0 || v < 0.0 || u + v > 1.0)
                continue;
            for (int axis = 0; axis < 3; axis++) {
                x[axis] = a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]);
                before[axis] = x[axis] + s * n[axis];
            }
            const double length = length_of(hull, x, n, s);
            if (length > best && wind(mesh, before) < 0.5) {
                best = length;
                at[0] = u;
                at[1] = v;
            }
        }
    middle[0] = at[0];
    middle[1] = at[1];
    return best;
}

static double longest_ray(const small_mesh *mesh, const vp_hull *hull, double s, int steps)
{
    double longest = 0.0;
    for (uint32_t t = 0; t < mesh->triangles; t++) {
        double middle[2] = {0.5, 0.5}, radius = 0.5;
        double best = search_grid(mesh, t, hull, s, middle, radius, steps);
        for (int round = 0; round < 8 && best > 0.0 && best > 0.5 * longest; round++) {
            radius *= 0.25;
            best = fmax(best, search_grid(mesh, t, hull, s, middle, radius, 5));
        }
        longest = fmax(longest, best);
    }
    return longest;
}

/* No ray that the oracle finds is longer than a hull's error, and some is nearly as long. */
static void expect_exact(const char *what, const vp_decomposition *d)
{
    for (uint32_t h = 0; h < d->hull_count; h++) {
        const vp_decomposition_hull *hull = &d->hull[h];
        if (hull->by == VP_DECOMPOSITION_BY_AREA || hull->hull.dimension < 3)
            continue;
        const double longest = longest_ray(&m, &hull->hull, d->lengths.quantization, 12);
        if (!(longest <= hull->error + 1e-6 && hull->error <= longest + 0.01 * d->lengths.quantization))
            fail_msg("%s: hull %u has an error of %.9g, but a ray of %.9g", what, h, hull->error, longest);
    }
}

/* ---- shapes ---- */

/* A prism between z = 0 and z = 100. @param cap  its triangles at z = 100 */
static void make_prism(const float (*corner)[2], uint32_t corners, const uint32_t (*cap)[3], float low, float high)
{
    const uint32_t first = m.points;
    for (uint32_t i = 0; i < 2 * corners; i++)
        add_point(&m, corner[i % corners][0], corner[i % corners][1], i < corners ? high : low);
    for (uint32_t i = 0; i + 2 < corners; i++) {
        add_triangle(&m, first + cap[i][0], first + cap[i][1], first + cap[i][2]);
        add_triangle(&m, first + corners + cap[i][2], first + corners + cap[i][1], first + corners + cap[i][0]);
    }
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t next = (i + 1) % corners;
        add_triangle(&m, first + i, first + corners + i, first + next);
        add_triangle(&m, first + next, first + corners + i, first + corners + next);
    }
}

static const float profile_l[6][2] = {{0, 0}, {1000, 0}, {1000, 300}, {300, 300}, {300, 1000}, {0, 1000}};
static const uint32_t cap_l[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
static const float profile_u[8][2] = {{0, 0}, {1000, 0}, {1000, 600}, {800, 600}, {800, 100}, {200, 100}, {200, 600}, {0, 600}};
static const uint32_t cap_u[6][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}};
/* A wall 3 to 6 thick in the middle of 1000 x 300, and a plate under it. The wall has a groove of 3, whose hull fills a strip of the plate.
 */
static const float profile_wall[7][2] = {{0, 0}, {1000, 0}, {1000, 80}, {510, 80}, {500, 77}, {490, 80}, {0, 80}};
static const uint32_t cap_wall[5][3] = {{0, 5, 6}, {0, 4, 5}, {0, 1, 4}, {1, 3, 4}, {1, 2, 3}};

static double largest_error(const vp_decomposition *d)
{
    double largest = 0.0;
    for (uint32_t h = 0; h < d->hull_count; h++)
        largest = fmax(largest, d->hull[h].error);
    return largest;
}

/* Decomposes the mesh with a limit that is not reached. @param quantization  0 = default  @return the largest error of a hull */
static double error_with(bool exact, float quantization)
{
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d;
    def.concavity = 2000.0f;
    def.unit = VP_DECOMPOSITION_WORLD;
    def.quantization = quantization;
    def.exact = exact;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    const double largest = largest_error(&d);
    if (exact)
        expect_exact("one hull", &d);
    vp_decomposition_destroy(&d);
    return largest;
}

static double error_of_all(bool exact)
{
    return error_with(exact, 0);
}

/* ---- tests ---- */

/* Errors that follow from the shapes: rays from the inner corner of an L up to the face between its ends, from a wall of a U to the far
 * side of the other wall, and from the bottom of a groove along its slope's normal. Samples find shorter ones. */
TEST(known_errors)
{
    m.points = m.triangles = 0;
    make_prism(profile_l, 6, cap_l, 0.0f, 100.0f);
    assert_true(fabs(error_of_all(true) - 700.0) < 1e-6 && error_of_all(false) < 697.0);
    m.points = m.triangles = 0;
    make_prism(profile_u, 8, cap_u, 0.0f, 100.0f);
    assert_true(fabs(error_of_all(true) - 800.0) < 1e-6);
    make_groove(&m);
    assert_true(fabs(error_of_all(true) - 20.0 * sqrt(1.04)) < 1e-6 && error_of_all(false) < 20.3);
}

/* The longest ray counts if another one is nearly as long, whichever is found first. */
TEST(nearly_equal_rays)
{
    for (int axis = 0; axis < 2; axis++) {
        float profile[6][2];
        memcpy(profile, profile_l, sizeof profile);
        for (int i = 0; i < 6; i++)
            profile[i][axis] += profile[i][axis] == 1000 ? 7.0f : 0.0f;
        m.points = m.triangles = 0;
        make_prism((const float(*)[2])profile, 6, cap_l, 0.0f, 100.0f);
        assert_true(fabs(error_of_all(true) - 707.0) < 1e-6);
    }
}

/* With a quantization of 20, rays have no length in an L of 36, because no point of it is deeper than 18. Nor have those from a box below
 * the notch, which cross the L's hull. */
TEST(rays_are_deep)
{
    for (int is_deep = 0; is_deep < 2; is_deep++) {
        m.points = m.triangles = 0;
        make_prism(profile_l, 6, cap_l, 0.0f, is_deep ? 44.0f : 36.0f);
        add_box(&m, (vp_vec3){400, 400, -60}, (vp_vec3){500, 500, -10}, false);
        assert_true(fabs(error_with(true, 20) - (is_deep ? 700.0 : 0.0)) < 1e-6);
    }
}

/* A box hangs over the opening of a U. Rays go down from it through the U's hull if they enter that within the quantization of 20. Else
 * those from the U's inner sides are the longest. */
TEST(rays_enter_at_once)
{
    for (int is_near = 0; is_near < 2; is_near++) {
        const float low = is_near ? 610.0f : 621.0f;
        float profile[8][2];
        memcpy(profile, profile_u, sizeof profile);
        for (int i = 0; i < 8; i++)
            profile[i][0] *= 0.5f;
        m.points = m.triangles = 0;
        make_prism((const float(*)[2])profile, 8, cap_u, 0.0f, 100.0f);
        add_box(&m, (vp_vec3){150, low, 10}, (vp_vec3){350, low + 50, 90}, false);
        assert_true(fabs(error_with(true, 20) - (is_near ? 610.0 : 500.0)) < 1e-6);
    }
}

/* A box in the notch of an L covers its corner and 200 of its sides. So rays begin outside of it, or on it, and are no longer than 500. The
 * box overlaps the L, or only touches it. If it is lower than the L, rays begin above it. */
TEST(covered_surface_does_not_count)
{
    for (int overlaps = 0; overlaps < 2; overlaps++)
        for (int is_low = 0; is_low < 2; is_low++) {
            const float low = overlaps ? 250.0f : 300.0f, past = overlaps ? 10.0f : 0.0f;
            m.points = m.triangles = 0;
            make_prism(profile_l, 6, cap_l, 0.0f, 100.0f);
            add_box(&m, (vp_vec3){low, low, -past}, (vp_vec3){500, 500, is_low ? 60.0f : 100.0f + past}, false);
            assert_true(fabs(error_of_all(true) - (is_low ? 700.0 : 500.0)) < 1e-6);
        }
}

/* A wall stands on a plate. Its hull covers a triangle of 20 x 3 on the plate, from which rays are as long as the wall is high, 300. No
 * sample of the plate is in it. */
TEST(samples_miss)
{
    uint32_t hulls[2];
    m.points = m.triangles = 0;
    make_prism(profile_wall, 7, cap_wall, 0.0f, 300.0f);
    add_box(&m, (vp_vec3){0, -500, -100}, (vp_vec3){1000, 500, 0}, false);
    for (int exact = 0; exact < 2; exact++) {
        vp_decomposition_def def = def_of(&m);
        vp_decomposition d;
        def.exact = exact != 0;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        hulls[exact] = d.hull_count;
        for (uint32_t h = 0; h < d.hull_count && !exact; h++)
            if (d.hull[h].triangle[0] == 0)
                assert_true(d.hull[h].error < 10.0 && longest_ray(&m, &d.hull[h].hull, d.lengths.quantization, 200) > 299.0);
        if (exact)
            expect_exact("wall", &d);
        vp_decomposition_destroy(&d);
    }
    assert_int_equal(hulls[0], 2);
    assert_true(hulls[1] > 2);
}

typedef struct seen_rays {
    uint32_t rays;
    const vp_vec3 *vertex;
    double quantization;
} seen_rays;

/* A ray begins in its triangle and ends in the hull, or on it. */
static void see_step(void *user, const vp_decomposition_step *step)
{
    seen_rays *seen = user;
    double corner[3][3], n[3];
    vp_vec3 point[MESH_POINTS];
    if (step->edge.by != VP_DECOMPOSITION_BY_RAY || step->merged.dimension < 3)
        return;
    for (int k = 0; k < 3; k++)
        corner_of(&m, step->ray.triangle, k, corner[k]);
    assert_true(normal_of(&m, step->ray.triangle, n));
    for (int k = 0; k < 3; k++) {
        const double *a = corner[k], *b = corner[(k + 1) % 3], *p = step->ray.from;
        const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
        const double across[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        assert_true(dot3(across, n) >= -1e-6 * sqrt(dot3(u, u)) && fabs(dot3(v, n)) < 1e-6);
    }
    const vp_vec3 end = {(float)(step->ray.from[0] + n[0] * step->ray.length), (float)(step->ray.from[1] + n[1] * step->ray.length),
                         (float)(step->ray.from[2] + n[2] * step->ray.length)};
    for (uint32_t i = 0; i < step->merged.vertex_count; i++)
        point[i] = seen->vertex[step->merged.vertex[i]];
    vp_hull hull;
    assert_ok(vp_hull_create(&(vp_hull_def){.point = point, .count = step->merged.vertex_count}, &hull, &error));
    assert_true(above(&hull, end) < 2 * seen->quantization);
    vp_hull_destroy(&hull);
    seen->rays++;
}

static void see_start(void *user, const vp_decomposition_start *start)
{
    seen_rays *seen = user;
    assert_int_equal(start->samples, 0);
    seen->vertex = start->vertex;
    seen->quantization = start->lengths.quantization;
}

static const struct {
    const char *name;
    double grain;
} shapes[] = {{"solid-arch", 500}, {"solid-torus", 200}, {"solid-crossed", 1000}, {"solid-curved-wall", 500}, {"solid-plate-l", 1000}};

TEST(every_point_counts)
{
    uint32_t rays = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        seen_rays seen = {0};
        const vp_decomposition_watch watch = {.user = &seen, .on_start = see_start, .on_step = see_step};
        make_shape(shapes[i].name, shapes[i].grain, 1.0, &m);
        vp_decomposition_def def = def_of(&m);
        vp_decomposition d;
        def.exact = true;
        def.watch = &watch;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        assert_int_equal(d.counts.samples, 0);
        rays += seen.rays;
        expect_sound(shapes[i].name, &def, &d);
        expect_exact(shapes[i].name, &d);
        vp_decomposition_destroy(&d);
    }
    assert_true(rays > 20);
}

/* Points that fill the inside keep all errors within the allowed one. */
TEST(points_inside_are_tested)
{
    make_shape("solid-anchor", 250, 1.0, &m);
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d;
    def.exact = true;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_true(d.hull_count > 1 && largest_error(&d) <= d.lengths.concavity);
    vp_decomposition_destroy(&d);
}

/* With a reach the errors only order the merges. */
TEST(with_reach)
{
    m.points = m.triangles = 0;
    make_prism(profile_l, 6, cap_l, 0.0f, 100.0f);
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d;
    def.exact = true;
    def.reach = 300.0f; /* (650, 650) is 350 from both arms */
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_int_equal(d.hull_count, 2);
    vp_decomposition_destroy(&d);
    def.reach = 360.0f;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_int_equal(d.hull_count, 1);
    assert_true(fabs(d.hull[0].error - 700.0) < 1e-6 && d.hull[0].reach >= 350.0 && d.hull[0].reach <= 360.0);
    vp_decomposition_destroy(&d);
}

/* Neither threads nor the order of triangles matter, nor a scale that is a power of two. */
TEST(same_hulls)
{
    static small_mesh other;
    vp_random random = {5};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        make_shape(shapes[i].name, shapes[i].grain, 1.0, &m);
        vp_decomposition_def def = def_of(&m);
        vp_decomposition want, got;
        def.exact = true;
        assert_ok(vp_decomposition_create(&def, &want, &error));
        for (uint32_t threads = 2; threads <= 4; threads += 2) {
            const vp_executor executor = test_threads(threads);
            def.executor = &executor;
            assert_ok(vp_decomposition_create(&def, &got, &error));
            assert_true(digest_of(&got) == digest_of(&want));
            vp_decomposition_destroy(&got);
        }
        shuffle(&m, &random, &other);
        def = def_of(&other);
        def.exact = true;
        assert_ok(vp_decomposition_create(&def, &got, &error));
        assert_true(digest_of(&got) == digest_of(&want));
        vp_decomposition_destroy(&got);
        for (uint32_t k = 0; k < other.points; k++)
            other.point[k] = vp_vec3_scale(other.point[k], 0x1p-30f);
        assert_ok(vp_decomposition_create(&def, &got, &error));
        assert_int_equal(got.hull_count, want.hull_count);
        assert_true(largest_error(&got) == largest_error(&want) * 0x1p-30);
        vp_decomposition_destroy(&got);
        vp_decomposition_destroy(&want);
    }
}
