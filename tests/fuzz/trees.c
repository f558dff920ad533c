/* SPDX-License-Identifier: MIT */
/* Bytes as triangles and as queries of trees over them. Exactly the invalid triangles are refused. Trees of every form and instruction set
 * return the same hits and boxes' triangles as brute force over every triangle. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tape.h"

#include <math.h>

#include <voxphys/kd.h>

#include "src/kd/ray_triangle.h"

enum { MAX_VERTICES = 40, MAX_INDICES = 240, MAX_TREES = 32, QUESTIONS = 12 };

/* Small integers and halves, or any bits. */
static float number(tape *t, bool any)
{
    return any ? raw(t) : (float)(next(t) % 33) * 0.5f - 8.0f;
}

/* @param halves cleared if coordinates may be any bits */
static vp_vec3 vertex_of(tape *t, bool *halves)
{
    const bool any = next(t) % 8 == 0;
    *halves &= !any;
    vp_vec3 p;
    p.x = number(t, any);
    p.y = number(t, any);
    p.z = number(t, any);
    return p;
}

static vp_vec3 point(tape *t)
{
    bool halves = true;
    return vertex_of(t, &halves);
}

static bool is_coordinate(vp_vec3 v)
{
    return fabsf(v.x) <= VP_KD_MAX && fabsf(v.y) <= VP_KD_MAX && fabsf(v.z) <= VP_KD_MAX;
}

static bool can_be(const vp_triangles *t)
{
    const uint32_t indices = t->quads ? t->triangle_count * 2 : t->triangle_count * 3;
    if (t->quads && t->triangle_count % 2 != 0)
        return false;
    for (uint32_t i = 0; i < indices; i++)
        if (t->index[i] >= t->vertex_count || !is_coordinate(t->vertex[t->index[i]]))
            return false;
    return true;
}

static vp_hit every_triangle(const vp_triangles *t, const vp_ray *ray, const vp_ray_frame *frame)
{
    vp_hit best = {ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    float s = INFINITY;
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        uint32_t corner[3];
        vp_meeting m;
        vp_triangle_corners(t, i, corner);
        float at[3][3];
        for (int k = 0; k < 3; k++)
            memcpy(at[k], &t->vertex[corner[k]], sizeof at[k]);
        if (vp_ray_meets(frame, at[0], at[1], at[2], &m) && m.s < s) {
            s = m.s;
            best = (vp_hit){m.t, (int32_t)i, m.u, m.v};
        }
    }
    return best;
}

static void ask_rays(tape *t, const vp_triangles *triangles, vp_kd *const *tree, int trees)
{
    const vp_vec3 from = point(t), to = point(t);
    vp_ray ray = {from, {to.x - from.x, to.y - from.y, to.z - from.z}, INFINITY};
    if (next(t) % 2 == 0)
        ray.t_max = number(t, next(t) % 4 == 0);
    vp_ray_frame frame = {0};
    const bool valid = vp_ray_frame_of(&ray, &frame);
    FUZZ_CHECK(valid == (is_coordinate(ray.origin) && fabsf(ray.direction.x) <= FLT_MAX && fabsf(ray.direction.y) <= FLT_MAX &&
                         fabsf(ray.direction.z) <= FLT_MAX && ray.t_max >= 0.0f &&
                         (ray.direction.x != 0.0f || ray.direction.y != 0.0f || ray.direction.z != 0.0f)));
    const vp_hit want = valid ? every_triangle(triangles, &ray, &frame) : (vp_hit){0};
    for (int i = 0; i < trees; i++) {
        vp_hit got;
        bool any;
        if (!valid) {
            vp_error error;
            FUZZ_CHECK(vp_kd_raycast(tree[i], &ray, &got, &error) == VP_E_ARGUMENT);
            FUZZ_CHECK(vp_kd_raycast_any(tree[i], &ray, &any, &error) == VP_E_ARGUMENT);
            continue;
        }
        FUZZ_CHECK(vp_kd_raycast(tree[i], &ray, &got, NULL) == VP_OK);
        FUZZ_CHECK(memcmp(&got, &want, sizeof got) == 0);
        FUZZ_CHECK(vp_kd_raycast_any(tree[i], &ray, &any, NULL) == VP_OK);
        FUZZ_CHECK(any == (want.triangle >= 0));
    }
}

static void ask_boxes(tape *t, const vp_triangles *triangles, vp_kd *const *tree, int trees)
{
    static uint32_t list[MAX_INDICES];
    const vp_aabb box = {point(t), point(t)};
    const bool valid = box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z;
    uint8_t wanted[MAX_INDICES] = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; valid && i < triangles->triangle_count; i++) {
        uint32_t c[3];
        vp_triangle_corners(triangles, i, c);
        const vp_vec3 p[3] = {triangles->vertex[c[0]], triangles->vertex[c[1]], triangles->vertex[c[2]]};
        wanted[i] = fmaxf(fmaxf(p[0].x, p[1].x), p[2].x) >= box.min.x && fminf(fminf(p[0].x, p[1].x), p[2].x) <= box.max.x &&
                    fmaxf(fmaxf(p[0].y, p[1].y), p[2].y) >= box.min.y && fminf(fminf(p[0].y, p[1].y), p[2].y) <= box.max.y &&
                    fmaxf(fmaxf(p[0].z, p[1].z), p[2].z) >= box.min.z && fminf(fminf(p[0].z, p[1].z), p[2].z) <= box.max.z;
        count += wanted[i];
    }
    for (int i = 0; i < trees; i++) {
        uint32_t found = 0;
        vp_error error;
        uint8_t left[MAX_INDICES];
        if (!valid) {
            FUZZ_CHECK(vp_kd_gather(tree[i], &box, list, MAX_INDICES, &found, &error) == VP_E_ARGUMENT);
            continue;
        }
        FUZZ_CHECK(vp_kd_gather(tree[i], &box, list, MAX_INDICES, &found, NULL) == VP_OK);
        FUZZ_CHECK(found == count);
        memcpy(left, wanted, sizeof left);
        for (uint32_t k = 0; k < found; k++) {
            FUZZ_CHECK(list[k] < triangles->triangle_count && left[list[k]] == 1);
            left[list[k]] = 0;
        }
    }
}

/* A tree of each form for each instruction set of this machine. @return number of trees */
static int make_trees(const vp_triangles *triangles, bool halves, vp_kd *tree[MAX_TREES])
{
    const bool right = can_be(triangles);
    int count = 0;
    for (unsigned isa = 0; isa < VP_ISA_COUNT; isa++) {
        vp_kernels kernels;
        vp_kernels_best(&kernels, 0);
        if (!vp_isa_usable((vp_isa)isa))
            continue;
        for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
            vp_kernels_use(&kernels, (vp_kernel_id)k, (vp_isa)isa);
        for (vp_kd_form form = 0; form < VP_KD_FORM_COUNT; form++) {
            vp_error error;
            vp_kd_def def = {.triangles = *triangles, .form = form, .kernels = &kernels};
            const bool made = vp_kd_create(&def, &tree[count], &error) == VP_OK;
            /* packed and implied trees cannot hold every mesh */
            FUZZ_CHECK(made == right || (right && (form == VP_KD_IMPLIED || (form == VP_KD_PACKED && !halves))));
            count += made;
        }
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tape t = {bytes, count};
    vp_vec3 vertex[MAX_VERTICES];
    uint32_t index[MAX_INDICES];
    bool halves = true; /* all coordinates are small multiples of 1/2 */
    const uint8_t flags = next(&t);
    const bool quads = (flags & 1) != 0, wrong = (flags & 14) == 14;
    const uint32_t vertices = 1 + next(&t) % MAX_VERTICES, corners = quads ? 4 : 3, items = next(&t) % (MAX_INDICES / corners);
    for (uint32_t i = 0; i < vertices; i++)
        vertex[i] = vertex_of(&t, &halves);
    for (uint32_t i = 0; i < items * corners; i++)
        index[i] = next(&t) % (wrong ? MAX_VERTICES : vertices);
    const vp_triangles triangles = {vertex, index, vertices, quads ? items * 2 : items, quads};
    vp_kd *tree[MAX_TREES];
    const int trees = make_trees(&triangles, halves, tree);
    for (int q = 0; trees != 0 && q < QUESTIONS; q++) {
        ask_rays(&t, &triangles, tree, trees);
        ask_boxes(&t, &triangles, tree, trees);
    }
    for (int i = 0; i < trees; i++)
        vp_kd_destroy(tree[i]);
    return 0;
}
