/* SPDX-License-Identifier: MIT */
/* Bytes as points and as options of a hull. Exactly the invalid sets are refused. Kernels of every instruction set give the same bits. The
 * validator accepts the hulls. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tape.h"
#include "tests/support/hull_same.h"

#include <float.h>
#include <math.h>

#include <voxphys/hull.h>

enum { MAX_POINTS = 64 };

/* A few integers, and their neighbours. */
static float near_lattice(tape *t, float step)
{
    const uint8_t b = next(t);
    float x = (float)(b % 5) * step;
    if (b / 5 % 4 == 1)
        x = nextafterf(x, INFINITY);
    if (b / 5 % 4 == 2)
        x = nextafterf(x, -INFINITY);
    return x;
}

/* Points of one of several kinds. @return number of points */
static uint32_t points_of(tape *t, vp_vec3 *point)
{
    const uint8_t mode = next(t), exponent = next(t);
    const uint32_t count = next(t) % (MAX_POINTS + 1);
    const float step = ldexpf(1.0f, exponent % 4 != 0 ? 0 : (int)exponent - 140);
    float few[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (mode % 8 == 3)
        for (int i = 0; i < 4; i++)
            few[i] = raw(t);
    for (uint32_t i = 0; i < count; i++) {
        float p[3] = {0.0f, 0.0f, 0.0f};
        uint8_t b;
        switch (mode % 8) {
        case 0: /* any bits */
            for (int k = 0; k < 3; k++)
                p[k] = raw(t);
            break;
        case 2: /* repeated points */
            b = next(t);
            if (b % 2 != 0 && i > 0) {
                point[i] = point[b / 2 % i];
                continue;
            }
            for (int k = 0; k < 3; k++)
                p[k] = (float)(next(t) % 16) * step;
            break;
        case 3: /* few values */
            b = next(t);
            for (int k = 0; k < 3; k++)
                p[k] = few[b >> 2 * k & 3];
            break;
        case 4: /* across an axis, or tilted */
            p[0] = near_lattice(t, step);
            p[1] = near_lattice(t, step);
            p[2] = mode / 8 % 2 == 0 ? step : p[0] + p[1];
            break;
        case 5: /* 16 bits per coordinate, rounded to a rotated lattice */
            for (int k = 0; k < 3; k++)
                p[k] = (float)(next(t) * 256 + next(t)) * (step / 3.0f);
            break;
        case 6: /* finite, of all magnitudes */
            for (int k = 0; k < 3; k++) {
                b = next(t);
                p[k] = ldexpf((float)(int8_t)next(t), (int)b - 130);
            }
            break;
        default: /* a lattice */
            for (int k = 0; k < 3; k++)
                p[k] = near_lattice(t, step);
            break;
        }
        point[i] = (vp_vec3){p[0], p[1], p[2]};
    }
    return count;
}

static bool is_finite(const vp_vec3 *point, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(point[i].x) || !isfinite(point[i].y) || !isfinite(point[i].z))
            return false;
    return true;
}

/* Checks that numbers are in range and faces have at least three corners. In 3D the validator must accept the hull. */
static void check_valid(const vp_hull_def *def, const vp_hull *h)
{
    uint32_t triangle[2 * MAX_POINTS][3];
    double reach = 0.0;
    FUZZ_CHECK(h->dimension <= 3 && h->vertex_count > h->dimension && h->vertex_count <= def->count);
    FUZZ_CHECK(h->triangle_count == (h->dimension >= 2 ? 2 * h->vertex_count - 4 : 0));
    for (uint32_t v = 0; v < h->vertex_count; v++)
        FUZZ_CHECK(h->vertex[v] < def->count && (v == 0 || h->vertex[v] > h->vertex[v - 1]));
    for (uint32_t f = 0; f < h->face_count; f++)
        FUZZ_CHECK(h->first_corner[f + 1] >= h->first_corner[f] + 3);
    for (uint32_t c = 0; c < h->corner_count; c++)
        FUZZ_CHECK(h->corner[c] < h->vertex_count && h->across[c] < h->face_count);
    FUZZ_CHECK(h->volume >= 0.0 && h->area >= 0.0 && h->error >= 0.0 && h->moved >= 0.0);
    FUZZ_CHECK(def->max_vertices == 0 || h->vertex_count <= def->max_vertices);
    if (h->dimension < 3)
        return;
    for (uint32_t t = 0; t < h->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            triangle[t][k] = h->vertex[h->triangle[t][k]];
    for (uint32_t i = 0; i < def->count; i++) {
        const double at[3] = {fabs((double)def->point[i].x), fabs((double)def->point[i].y), fabs((double)def->point[i].z)};
        for (int k = 0; k < 3; k++)
            reach = at[k] > reach ? at[k] : reach;
    }
    const vp_hull_validate_def subject = {def->point, def->count, (const uint32_t(*)[3])triangle, h->triangle_count, reach * 0x1p-44,
                                          0.0,        NULL};
    vp_hull_report v;
    FUZZ_CHECK(vp_hull_validate(&subject, &v, NULL) == VP_OK);
    if (h->error > 0.0) /* points were left outside */
        v.faults &= ~(uint32_t)VP_HULL_OUTSIDE;
    FUZZ_CHECK(v.faults == 0 && v.vertices == h->vertex_count && v.euler == 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    tape t = {bytes, size};
    vp_vec3 point[MAX_POINTS];
    const uint8_t options = next(&t), work = next(&t);
    vp_hull_def def = {.separate = options % 2 != 0, .max_work = (uint64_t)work * work};
    switch (options / 2 % 4) {
    case 1:
        def.tolerance = raw(&t);
        break;
    case 2:
        def.tolerance = ldexpf(1.0f, -(int)(next(&t) % 150));
        break;
    case 3:
        def.tolerance = FLT_TRUE_MIN;
        break;
    default:
        break;
    }
    if (options / 8 % 4 == 1)
        def.max_vertices = 4 + next(&t) % 16;
    if (options / 8 % 4 == 2)
        def.max_error = ldexpf(1.0f, 16 - (int)(next(&t) % 32));
    def.contain = options / 32 % 4 == 1;
    def.count = points_of(&t, point);
    def.point = point;
    const bool right = def.count > 0 && def.tolerance >= 0.0f && def.tolerance <= FLT_MAX && is_finite(point, def.count);
    vp_hull first = {0};
    for (unsigned isa = 0; isa < VP_ISA_COUNT; isa++) {
        vp_kernels kernels;
        vp_hull h = {0}, short_one = {0};
        vp_error error;
        vp_kernels_best(&kernels, 0);
        if (!vp_isa_usable((vp_isa)isa))
            continue;
        for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
            vp_kernels_use(&kernels, (vp_kernel_id)k, (vp_isa)isa);
        def.kernels = &kernels;
        vp_hull_def all = def;
        all.max_work = 0;
        FUZZ_CHECK(vp_hull_create(&all, &h, &error) == (right ? VP_OK : VP_E_ARGUMENT));
        if (right && def.max_work > 0) {
            FUZZ_CHECK(vp_hull_create(&def, &short_one, &error) == (def.max_work < h.work ? VP_E_LIMIT : VP_OK));
            if (short_one.block != NULL)
                FUZZ_CHECK(hull_difference(&short_one, &h) == NULL);
            vp_hull_destroy(&short_one);
        }
        if (right && first.block == NULL) {
            check_valid(&def, &h);
            first = h;
        } else if (right) {
            FUZZ_CHECK(hull_difference(&h, &first) == NULL);
            vp_hull_destroy(&h);
        }
    }
    vp_hull_destroy(&first);
    return 0;
}
