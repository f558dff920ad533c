/* SPDX-License-Identifier: MIT */
#include "tests/support/hull_families.h"

#include "tests/support/check.h"
#include "tests/support/hull_distance.h"

#include <math.h>
#include <stdbool.h>

void point_set_add(point_set *s, double x, double y, double z)
{
    assert_true(s->count < POINT_SET_MAX);
    s->point[s->count++] = (vp_vec3){(float)x, (float)y, (float)z};
}

void point_set_end(point_set *s, const char *name)
{
    s->name = name;
    s->longest = 0.0L;
    for (int axis = 0; axis < 3; axis++) {
        long double low = (long double)hull_coordinate(s->point[0], axis), high = low;
        for (uint32_t i = 1; i < s->count; i++) {
            const long double at = (long double)hull_coordinate(s->point[i], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        s->longest = high - low > s->longest ? high - low : s->longest;
    }
}

void point_set_change(point_set *s, double x, double y, double z, double by)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const vp_vec3 p = s->point[i];
        s->point[i] = (vp_vec3){(float)((double)p.x * x + by), (float)((double)p.y * y + by), (float)((double)p.z * z + by)};
    }
}

void point_set_turn(point_set *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const double x = (double)s->point[i].x, y = (double)s->point[i].y, z = (double)s->point[i].z;
        const double u = 0.6 * x + 0.8 * y, v = 0.6 * y - 0.8 * x;
        s->point[i] = (vp_vec3){(float)u, (float)(0.28 * v - 0.96 * z), (float)(0.96 * v + 0.28 * z)};
    }
}

void point_in_ball(vp_random *r, double p[3], bool on_sphere)
{
    double square;
    do {
        square = 0.0;
        for (int k = 0; k < 3; k++) {
            p[k] = (double)vp_random_between(r, -1.0f, 1.0f);
            square += p[k] * p[k];
        }
    } while (square > 1.0 || square < 0.01);
    for (int k = 0; k < 3 && on_sphere; k++)
        p[k] /= sqrt(square);
}

static void add_ball(point_set *s, vp_random *r, uint32_t count, bool on_sphere)
{
    for (uint32_t i = 0; i < count; i++) {
        double p[3];
        point_in_ball(r, p, on_sphere);
        point_set_add(s, p[0], p[1], p[2]);
    }
}

static void add_rim(point_set *s, uint32_t count, double y)
{
    for (uint32_t i = 0; i < count; i++) {
        const double angle = 6.283185307179586 * (double)i / (double)count;
        point_set_add(s, cos(angle), y, sin(angle));
    }
}

void point_set_make(point_set *s, vp_random *r, uint32_t of, uint32_t size)
{
    static const struct {
        const char *name;
        double x, y, z, by; /* scales, and an offset. x 0 = no change */
        bool turned;
        float tolerance;
    } family[FAMILIES] = {
        [SPHERE] = {.name = "a sphere"},
        [BALL] = {.name = "a ball"},
        [LATTICE] = {.name = "a lattice"},
        [CYLINDER] = {.name = "a cylinder"},
        [CONE] = {.name = "a cone", .turned = true},
        [NEEDLE] = {.name = "a needle", .x = 1.0, .y = 1e-5, .z = 1e-5},
        [PLATE] = {.name = "a plate", .x = 1.0, .y = 1e-5, .z = 1.0},
        [THRICE] = {.name = "each point thrice"},
        [FAR_AWAY] = {.name = "far away", .x = 1.0, .y = 1.0, .z = 1.0, .by = 1000.0},
        [TINY] = {.name = "tiny", .x = 0x1p-130, .y = 0x1p-130, .z = 0x1p-130},
        [HUGE_ONE] = {.name = "huge", .x = 0x1p+120, .y = 0x1p+120, .z = 0x1p+120},
        [THICK] = {.name = "thicker than its tolerance", .x = 1.0, .y = 0.08, .z = 1.0, .tolerance = 0.1f},   /* 0.16 thick */
        [SLIVERS] = {.name = "slivers", .x = 1.0, .y = 5e-7, .z = 1e-6, .turned = true, .tolerance = 1e-12f}, /* a few roundings thick */
        [DISC] = {.name = "a disc"},
        [TILTED] = {.name = "a tilted lattice"},
        [TURNED] = {.name = "a turned disc", .turned = true},
        [LINE] = {.name = "a line"},
        [POINT] = {.name = "a point"}};
    s->count = 0;
    s->tolerance = family[of].tolerance;
    switch (of) {
    case LATTICE:
    case TILTED:
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t x = vp_random_below(r, 9), y = vp_random_below(r, 9);
            point_set_add(s, x, y, of == TILTED ? x + 2 * y : vp_random_below(r, 9));
        }
        break;
    case CYLINDER:
        add_rim(s, size / 2, -1.0);
        add_rim(s, size / 2, 1.0);
        break;
    case CONE:
        add_rim(s, size, 0.0);
        point_set_add(s, 0.1, 3.0, 0.2);
        break;
    case THRICE:
        add_ball(s, r, size / 3, true);
        for (uint32_t i = 0; i < 2 * (size / 3); i++)
            s->point[s->count++] = s->point[i];
        break;
    case DISC:
    case TURNED:
        add_rim(s, size, 0.25);
        for (uint32_t i = 0; i < size / 8; i++)
            point_set_add(s, (double)vp_random_between(r, -0.5f, 0.5f), 0.25, (double)vp_random_between(r, -0.5f, 0.5f));
        break;
    case LINE:
        for (uint32_t i = 0; i < size; i++)
            point_set_add(s, 3.0 + vp_random_below(r, 100), 7.0, -2.0);
        break;
    case POINT:
        for (uint32_t i = 0; i < size; i++)
            point_set_add(s, 1.0, 2.0, 3.0);
        break;
    default:
        add_ball(s, r, size, of != BALL);
        break;
    }
    if (of == THICK) {
        s->point[0] = (vp_vec3){0.0f, 1.0f, 0.0f};
        s->point[1] = (vp_vec3){0.0f, -1.0f, 0.0f};
    }
    if (family[of].x != 0.0)
        point_set_change(s, family[of].x, family[of].y, family[of].z, family[of].by);
    if (family[of].turned)
        point_set_turn(s);
    point_set_end(s, family[of].name);
}
