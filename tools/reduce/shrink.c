/* SPDX-License-Identifier: MIT */
/* Reduction of questions to fewer parts and rounder numbers. */
#include "tools/reduce/reduce.h"

#include <math.h>
#include <stdlib.h>

#include "host/program.h"

size_t vp_shrinking_parts(const vp_question *q)
{
    size_t count = 0;
    for (size_t p = 0; q->family->part[p] != NULL; p++)
        count += q->family->part[p]->count != NULL ? q->family->part[p]->count(q->family->part[p], q->part[p]) : 0;
    return count;
}

/* ---- candidates ---- */

static bool is_over(vp_shrinking *s)
{
    s->stopped = s->stopped || *s->stop != 0 || s->tries >= s->most_tries;
    return s->stopped;
}

/* Tries a candidate, which becomes the best or is dropped. @param status  result of making it, returned if it is not VP_OK */
static vp_status attempt(vp_shrinking *s, vp_status status, vp_question *candidate, bool *fails, vp_error *error)
{
    *fails = false;
    if (status == VP_OK && !is_over(s))
        status = s->fails(s->user, candidate, fails, error);
    if (status == VP_OK && *fails) {
        const vp_question last = s->best;
        s->best = *candidate;
        *candidate = last;
        vp_progress(s->progress, s->begun_with - vp_shrinking_parts(&s->best), s->begun_with + 1);
    }
    vp_question_drop(candidate);
    return status;
}

/* ---- fewer parts ---- */

/* Leaves out as many elements of a part as possible: halves, quarters, then single ones, from the end. */
static vp_status leave_out_of(vp_shrinking *s, size_t p, vp_error *error)
{
    vp_status status = VP_OK;
    const vp_question *q = &s->best; /* follows changes of `best` */
    const vp_part *part = q->family->part[p];
    bool any = true;
    for (size_t step = (part->count(part, q->part[p]) + 1) / 2; status == VP_OK && any && step > 0 && !is_over(s);) {
        any = step > 1;
        for (size_t to = part->count(part, q->part[p]), from; status == VP_OK && to > 0 && !is_over(s); to = from) {
            vp_question candidate;
            bool fails = false;
            from = to > step ? to - step : 0;
            status = vp_question_copy(q, &candidate, error);
            if (status == VP_OK && !part->leave_out(part, candidate.part[p], from, to))
                status = vp_fail(error, VP_E_MEMORY, "no memory for a question");
            status = attempt(s, status, &candidate, &fails, error);
            any = any || fails;
        }
        step = step > 1 ? step / 2 : 1;
    }
    return status;
}

static vp_status leave_out(vp_shrinking *s, vp_error *error)
{
    for (size_t p = 0; s->best.family->part[p] != NULL; p++)
        if (s->best.family->part[p]->leave_out != NULL)
            VP_RETURN_IF_FAILED(leave_out_of(s, p, error));
    return VP_OK;
}

/* ---- a smaller grid ---- */

/* Leaves out the first or the last layer along an axis and shifts positions with it. @return false if it is the only one */
static bool crop_one(vp_question *q, int axis, bool first)
{
    vp_vec3 by;
    if (!q->family->part[0]->crop(q->part[0], axis, first, &by))
        return false;
    for (size_t i = 1; q->family->part[i] != NULL; i++)
        if (q->family->part[i]->move != NULL)
            q->family->part[i]->move(q->part[i], by);
    return true;
}

static vp_status crop(vp_shrinking *s, vp_error *error)
{
    vp_status status = VP_OK;
    for (int side = 0; s->best.family->part[0]->crop != NULL && status == VP_OK && side < 6; side++)
        for (bool fails = true; status == VP_OK && fails && !is_over(s);) {
            vp_question candidate;
            status = vp_question_copy(&s->best, &candidate, error);
            if (status == VP_OK && !crop_one(&candidate, side / 2, side % 2 == 0)) {
                vp_question_drop(&candidate);
                break;
            }
            status = attempt(s, status, &candidate, &fails, error);
        }
    return status;
}

/* ---- rounder numbers ---- */

/* Exponents of a number's highest and lowest set bits. Not for 0. */
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

/* Distance of a number from a round one, 0 for 0. Ordered by its significant bits, then whether it is an integer, then
   its distance from 1. */
static uint64_t burden(float x)
{
    if (x == 0.0f)
        return signbit(x) ? 1 : 0;
    const int high = highest_bit(x), low = lowest_bit(x);
    return (uint64_t)(high - low + 1) * 4096 + (uint64_t)(high < 0 ? -high : high) * 4 + (low < 0 ? 2048 : 0) + (signbit(x) ? 2 : 0);
}

/* Rounds a number to a multiple of a power of two. */
static float on_grid(float x, int power)
{
    return (float)ldexp(rint(ldexp((double)x, -power)), power);
}

/* The k-th replacement of a number, the roundest first: 0, -0, 1, -1, the nearest integer, then the number with fewer and
   fewer significant bits. NaN = this one is not rounder. @return false after the last, and for numbers that are not finite */
static bool is_rounder(float now, int k, float *to)
{
    enum { FIXED = 5 };
    if (!isfinite(now) || burden(now) == 0)
        return false;
    const int high = now != 0.0f ? highest_bit(now) : 0, bits = now != 0.0f ? high - lowest_bit(now) + 1 : 0;
    if (k >= FIXED - 1 + bits)
        return false;
    const float fixed[FIXED] = {0.0f, -0.0f, 1.0f, -1.0f, rintf(now)};
    *to = k < FIXED ? fixed[k] : on_grid(now, high - (k - FIXED));
    if (!isfinite(*to) || burden(*to) >= burden(now))
        *to = NAN;
    return true;
}

/* Sets the i-th number of a part to the first rounder value that still fails. */
static vp_status round_number(vp_shrinking *s, size_t p, size_t i, bool *changed, vp_error *error)
{
    const vp_part *part = s->best.family->part[p];
    const float now = *part->number(part, s->best.part[p], i);
    vp_status status = VP_OK;
    bool fails = false;
    float to;
    for (int k = 0; status == VP_OK && !fails && !is_over(s) && is_rounder(now, k, &to); k++) {
        vp_question candidate;
        if (isnan(to))
            continue;
        status = vp_question_copy(&s->best, &candidate, error);
        if (status == VP_OK)
            *part->number(part, candidate.part[p], i) = to;
        status = attempt(s, status, &candidate, &fails, error);
    }
    *changed = *changed || fails;
    return status;
}

/* Sets a level to the highest value. */
static vp_status round_level(vp_shrinking *s, size_t p, size_t i, bool *changed, vp_error *error)
{
    const vp_part *part = s->best.family->part[p];
    const uint8_t now = *part->level(s->best.part[p], i);
    vp_question candidate;
    bool fails;
    if (now == 0 || now == 255)
        return VP_OK;
    vp_status status = vp_question_copy(&s->best, &candidate, error);
    if (status == VP_OK)
        *part->level(candidate.part[p], i) = 255;
    status = attempt(s, status, &candidate, &fails, error);
    *changed = *changed || fails;
    return status;
}

static vp_status round_all(vp_shrinking *s, bool *changed, vp_error *error)
{
    vp_status status = VP_OK;
    const vp_question *q = &s->best; /* follows changes of `best` */
    for (size_t p = 0; q->family->part[p] != NULL; p++) {
        const vp_part *part = q->family->part[p];
        for (size_t i = 0; status == VP_OK && part->number != NULL && !is_over(s) && part->number(part, q->part[p], i) != NULL; i++)
            status = round_number(s, p, i, changed, error);
        for (size_t i = 0; status == VP_OK && part->level != NULL && !is_over(s) && part->level(q->part[p], i) != NULL; i++)
            status = round_level(s, p, i, changed, error);
    }
    return status;
}

vp_status vp_shrink(vp_shrinking *s, vp_error *error)
{
    vp_status status = VP_OK;
    for (bool changed = true; status == VP_OK && changed && !is_over(s);) {
        changed = false;
        status = leave_out(s, error);
        if (status == VP_OK)
            status = crop(s, error);
        if (status == VP_OK)
            status = round_all(s, &changed, error);
    }
    vp_progress("", 1, 1);
    return status;
}
