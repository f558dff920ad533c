/* SPDX-License-Identifier: MIT */
#include "tools/reduce/reduce.h"

#include <math.h>
#include <string.h>

#include "host/program.h"

/* ---- whether a set fails ---- */

static bool is_over(vp_reduction *r)
{
    r->stopped = r->stopped || *r->trial->stop != 0 || r->trial->tries >= r->most_tries;
    return r->stopped;
}

/* Tries the first points of r->other; if they fail as wanted, they are the set. */
static vp_status attempt(vp_reduction *r, uint32_t count, bool *fails, vp_error *error)
{
    vp_outcome found;
    *fails = false;
    if (is_over(r))
        return VP_OK;
    const vp_status status = vp_trial_run(r->trial, r->other, count, &found, error);
    if (status != VP_OK)
        return status;
    *fails = found.end == r->wanted.end && found.number == r->wanted.number && found.stage == r->wanted.stage;
    if (*fails) {
        vp_vec3 *last = r->point;
        r->point = r->other;
        r->other = last;
        r->count = count;
    }
    if (r->count < r->begun_with)
        vp_progress("points left out", r->begun_with - r->count, r->begun_with);
    return VP_OK;
}

/* ---- fewer points ---- */

/* Where part i of n begins. */
static uint32_t begin_of(const vp_reduction *r, uint32_t i, uint32_t n)
{
    return (uint32_t)((uint64_t)r->count * i / n);
}

static vp_status keep_part(vp_reduction *r, uint32_t i, uint32_t n, bool *fails, vp_error *error)
{
    const uint32_t from = begin_of(r, i, n), to = begin_of(r, i + 1, n);
    memcpy(r->other, r->point + from, (to - from) * sizeof *r->other);
    return attempt(r, to - from, fails, error);
}

static vp_status leave_out_part(vp_reduction *r, uint32_t i, uint32_t n, bool *fails, vp_error *error)
{
    const uint32_t from = begin_of(r, i, n), to = begin_of(r, i + 1, n);
    memcpy(r->other, r->point, from * sizeof *r->other);
    memcpy(r->other + from, r->point + to, (r->count - to) * sizeof *r->other);
    return attempt(r, r->count - (to - from), fails, error);
}

/* One of n parts alone, or else without as many of them as can be. *n is in how many parts to go on. */
static vp_status ddmin_round(vp_reduction *r, uint32_t *n, bool *smaller, vp_error *error)
{
    vp_status status = VP_OK;
    bool fails = false;
    *smaller = false;
    for (uint32_t i = 0; status == VP_OK && i < *n && !is_over(r); i++) {
        status = keep_part(r, i, *n, &fails, error);
        if (fails) {
            *n = 2;
            *smaller = true;
            return status;
        }
    }
    for (uint32_t i = 0; status == VP_OK && *n > 2 && i < *n && !is_over(r);) {
        status = leave_out_part(r, i, *n, &fails, error);
        *smaller = *smaller || fails;
        *n -= fails ? 1 : 0; /* the next part has this one's place */
        i += fails ? 0 : 1;
    }
    return status;
}

static vp_status ddmin(vp_reduction *r, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t n = 2; status == VP_OK && r->count >= 2 && !is_over(r);) {
        bool smaller;
        status = ddmin_round(r, &n, &smaller, error);
        if (smaller)
            continue;
        if (n >= r->count)
            break;
        n = n > r->count / 2 ? r->count : 2 * n;
    }
    return status;
}

/* ---- rounder coordinates ---- */

static float *coordinate(vp_vec3 *p, uint32_t axis)
{
    return axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z;
}

/* The power of two of a number's highest bit, and of its lowest. Not of 0. */
static int highest_bit(float x)
{
    return ilogbf(x);
}

static int lowest_bit(float x)
{
    int exponent;
    uint32_t bits = (uint32_t)ldexpf(fabsf(frexpf(x, &exponent)), 24);
    for (exponent -= 24; (bits & 1) == 0; bits >>= 1)
        exponent++;
    return exponent;
}

/* How far a number is from being round: 0 of 0; first its bits count, then whether it is whole, then how far from 1 it is. */
static uint64_t burden(float x)
{
    if (x == 0.0f)
        return signbit(x) ? 1 : 0;
    const int high = highest_bit(x), low = lowest_bit(x);
    return (uint64_t)(high - low + 1) * 4096 + (uint64_t)(high < 0 ? -high : high) * 4 + (low < 0 ? 2048 : 0) + (signbit(x) ? 2 : 0);
}

static uint64_t burden_of(const vp_reduction *r, const vp_vec3 *point)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < r->count; i++)
        all += burden(point[i].x) + burden(point[i].y) + burden(point[i].z);
    return all;
}

/* Tries r->other with as many points as there are, if that is rounder. */
static vp_status attempt_rounder(vp_reduction *r, bool *fails, vp_error *error)
{
    *fails = false;
    for (uint32_t i = 0; i < r->count; i++)
        if (!isfinite(r->other[i].x) || !isfinite(r->other[i].y) || !isfinite(r->other[i].z))
            return VP_OK;
    return burden_of(r, r->other) < burden_of(r, r->point) ? attempt(r, r->count, fails, error) : VP_OK;
}

/* A multiple of a power of two near a number. */
static float on_grid(float x, int power)
{
    return (float)ldexp(rint(ldexp((double)x, -power)), power);
}

/* Moves a set so that its lowest coordinate on each axis is 0. */
static vp_status move_all(vp_reduction *r, bool *changed, vp_error *error)
{
    bool fails;
    vp_vec3 low = r->point[0];
    for (uint32_t i = 1; i < r->count; i++)
        low = vp_vec3_min(low, r->point[i]);
    for (uint32_t i = 0; i < r->count; i++)
        r->other[i] = vp_vec3_sub(r->point[i], low);
    const vp_status status = attempt_rounder(r, &fails, error);
    *changed = *changed || fails;
    return status;
}

/* By a power of two, so that the lowest bit of all is 1, or the highest. */
static vp_status scale_all(vp_reduction *r, bool to_whole, bool *changed, vp_error *error)
{
    bool fails, any = false;
    int power = 0;
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            const float x = *coordinate(&r->point[i], axis);
            if (x == 0.0f)
                continue;
            const int at = to_whole ? lowest_bit(x) : highest_bit(x);
            power = !any || (to_whole ? at < power : at > power) ? at : power;
            any = true;
        }
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            *coordinate(&r->other[i], axis) = ldexpf(*coordinate(&r->point[i], axis), -power);
    const vp_status status = attempt_rounder(r, &fails, error);
    *changed = *changed || fails;
    return status;
}

/* To the coarsest grid on which the set still fails. */
static vp_status coarsen_all(vp_reduction *r, bool *changed, vp_error *error)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            most = fmaxf(most, fabsf(*coordinate(&r->point[i], axis)));
    vp_status status = VP_OK;
    bool fails = false;
    for (int bits = 1; status == VP_OK && most > 0.0f && bits <= 24 && !fails && !is_over(r); bits++) {
        for (uint32_t i = 0; i < r->count; i++)
            for (uint32_t axis = 0; axis < 3; axis++)
                *coordinate(&r->other[i], axis) = on_grid(*coordinate(&r->point[i], axis), highest_bit(most) - bits + 1);
        status = attempt_rounder(r, &fails, error);
    }
    *changed = *changed || fails;
    return status;
}

bool vp_rounder(float now, int k, float *to)
{
    enum { FIXED = 4 };
    if (!isfinite(now) || burden(now) == 0)
        return false;
    const int high = now != 0.0f ? highest_bit(now) : 0, bits = now != 0.0f ? high - lowest_bit(now) + 1 : 0;
    if (k >= FIXED - 1 + bits)
        return false;
    const float fixed[FIXED] = {0.0f, 1.0f, -1.0f, rintf(now)};
    *to = k < FIXED ? fixed[k] : on_grid(now, high - (k - FIXED));
    if (!isfinite(*to) || burden(*to) >= burden(now))
        *to = NAN;
    return true;
}

/* Puts one coordinate to the first rounder value that does. */
static vp_status round_one(vp_reduction *r, uint32_t point, uint32_t axis, bool *changed, vp_error *error)
{
    const float now = *coordinate(&r->point[point], axis);
    vp_status status = VP_OK;
    bool fails = false;
    float to;
    for (int k = 0; status == VP_OK && !fails && !is_over(r) && vp_rounder(now, k, &to); k++) {
        if (isnan(to))
            continue;
        memcpy(r->other, r->point, r->count * sizeof *r->other);
        *coordinate(&r->other[point], axis) = to;
        status = attempt(r, r->count, &fails, error);
    }
    *changed = *changed || fails;
    return status;
}

static vp_status round_all(vp_reduction *r, bool *changed, vp_error *error)
{
    vp_status status = move_all(r, changed, error);
    if (status == VP_OK)
        status = coarsen_all(r, changed, error);
    for (int whole = 0; status == VP_OK && whole < 2; whole++)
        status = scale_all(r, whole == 1, changed, error);
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t axis = 0; axis < r->trial->columns; axis++)
            if (status == VP_OK && !is_over(r))
                status = round_one(r, i, axis, changed, error);
    return status;
}

vp_status vp_reduce(vp_reduction *r, vp_error *error)
{
    vp_status status = VP_OK;
    for (bool changed = true; status == VP_OK && changed && !is_over(r);) {
        changed = false;
        status = ddmin(r, error);
        if (status == VP_OK)
            status = round_all(r, &changed, error);
    }
    vp_progress("", 1, 1);
    return status;
}
