/* SPDX-License-Identifier: MIT */
/* Checked sweeps and rays, and the movement of a player with them: article "Les bases d'un voxel engine", "Les
 * collisions". */
#include <voxphys/block_shapes.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "src/blocks/meet.h"
#include "src/blocks/tables.h"
#include "src/core/error.h"

static vp_status check_finite(vp_vec3 v, const char *what, double max, vp_error *error)
{
    for (uint32_t a = 0; a < 3; a++) {
        const double c = vp_coordinate(v, a);
        if (!(fabs(c) <= max))
            return vp_fail(error, VP_E_ARGUMENT, "%s.%c is %g; must be finite%s", what, "xyz"[a], c,
                           max < FLT_MAX ? " and -2^40 to 2^40" : "");
    }
    return VP_OK;
}

static vp_status check_path(const vp_block_path *path, vp_error *error)
{
    VP_RETURN_IF_FAILED(check_finite(path->box.min, "box.min", (double)VP_BLOCK_FAR, error));
    VP_RETURN_IF_FAILED(check_finite(path->box.max, "box.max", (double)VP_BLOCK_FAR, error));
    VP_RETURN_IF_FAILED(check_finite(path->move, "move", (double)FLT_MAX, error));
    for (uint32_t a = 0; a < 3; a++) {
        const double low = vp_coordinate(path->box.min, a), high = vp_coordinate(path->box.max, a);
        if (!(low < high))
            return vp_fail(error, VP_E_ARGUMENT, "the box has no extent along %c: %g to %g; must be min < max", "xyz"[a], low, high);
    }
    return VP_OK;
}

vp_status vp_block_sweep(const vp_block_view *view, const vp_kernels *kernels, const vp_block_path *path, vp_block_hit *out,
                         vp_error *error)
{
    VP_RETURN_IF_NULL(error, view, path, out);
    vp_kernels table;
    VP_RETURN_IF_FAILED(vp_block_view_check(view, error));
    VP_RETURN_IF_FAILED(check_path(path, error));
    VP_RETURN_IF_FAILED(vp_block_table(kernels, &table, error));
    table.block_sweep(view, path, out);
    return VP_OK;
}

vp_status vp_block_ray(const vp_block_view *view, const vp_kernels *kernels, const vp_block_line *line, vp_block_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, view, line, out);
    vp_kernels table;
    VP_RETURN_IF_FAILED(vp_block_view_check(view, error));
    VP_RETURN_IF_FAILED(check_finite(line->origin, "origin", (double)VP_BLOCK_FAR, error));
    VP_RETURN_IF_FAILED(check_finite(line->move, "move", (double)FLT_MAX, error));
    VP_RETURN_IF_FAILED(vp_block_table(kernels, &table, error));
    table.block_ray(view, line, out);
    return VP_OK;
}

/* ---- moving ---- */

typedef struct moving_box {
    const vp_block_view *view;
    const vp_kernels *kernels;
    const vp_block_mover *mover;
    float half[3];
    float centre[3];
    uint32_t up; /* the axis */
    uint32_t sides;
    vp_block fluid;
} moving_box;

static vp_block_path path_of(const moving_box *b, const float move[3])
{
    const float *c = b->centre, *h = b->half;
    return (vp_block_path){{{c[0] - h[0], c[1] - h[1], c[2] - h[2]}, {c[0] + h[0], c[1] + h[1], c[2] + h[2]}}, {move[0], move[1], move[2]}};
}

static vp_block_hit sweep_body(const moving_box *b, const float move[3])
{
    const vp_block_path path = path_of(b, move);
    vp_block_hit hit;
    b->kernels->block_sweep(b->view, &path, &hit);
    return hit;
}

/* The centre, near `centre`, whose leading side is at most at a plane. The plane is not before the side at `from`, and
 * the centre does not go back past `from`. */
static float place_before_plane(float centre, float from, float half, double plane, bool upwards)
{
    const double start = (double)centre;
    for (double back = 0;;) {
        const double beyond = upwards ? (double)(centre + half) - plane : plane - (double)(centre - half);
        if (beyond <= 0)
            return (upwards ? centre < from : centre > from) ? from : centre;
        back = 2 * back + beyond; /* the side may be rounded more coarsely than the centre, so `beyond` alone may have no effect */
        centre = (float)(upwards ? start - back : start + back);
    }
}

/* Moves a body out of the blocks that a rounded move left it in. Trailing sides are rounded too, and may be in a corner
 * that was just passed. Each block blocks the body only on the axis on which they met last, so that it does not try the
 * same move for ever. */
static void leave_blocks(moving_box *b, const moving_box *before, const float move[3])
{
    static const float nowhere[3] = {0, 0, 0};
    const vp_block_path path = path_of(before, move);
    for (int i = 0; i < 8; i++) {
        const vp_block_hit in = sweep_body(b, nowhere);
        const int32_t block[3] = {in.block.x, in.block.y, in.block.z};
        vp_block_meeting met;
        if (in.end != VP_BLOCK_INSIDE)
            return;
        (void)vp_block_path_meets(&path, block, &met);
        const uint32_t a = met.axis;
        const bool upwards = move[a] > 0;
        b->centre[a] = place_before_plane(b->centre[a], before->centre[a], b->half[a], upwards ? block[a] : (double)block[a] + 1, upwards);
    }
    memcpy(b->centre, before->centre, sizeof b->centre);
}

/* Moves the body to a sweep's hit, and out of any block that rounding put it in. */
static void follow_path(moving_box *b, const float move[3], const vp_block_hit *hit)
{
    const int32_t block[3] = {hit->block.x, hit->block.y, hit->block.z};
    const moving_box before = *b;
    if (b->fluid == 0)
        b->fluid = hit->fluid;
    for (uint32_t a = 0; a < 3; a++) {
        const bool upwards = move[a] > 0;
        const double way = (double)move[a] * hit->t,
                     face = (double)(upwards ? before.centre[a] + b->half[a] : before.centre[a] - b->half[a]);
        if (move[a] == 0)
            continue;
        double plane = face + way;
        if (hit->end == VP_BLOCK_MEETS && hit->side / 2 == a)
            plane = upwards ? block[a] : (double)block[a] + 1;
        b->centre[a] = place_before_plane((float)(before.centre[a] + way), before.centre[a], b->half[a], plane, upwards);
    }
    leave_blocks(b, &before, move);
}

static vp_block_hit move_checked(moving_box *b, const float move[3])
{
    const vp_block_hit hit = sweep_body(b, move);
    if (hit.end != VP_BLOCK_INSIDE)
        follow_path(b, move, &hit);
    return hit;
}

static void set_along_up(const moving_box *b, float way, float move[3])
{
    move[0] = move[1] = move[2] = 0;
    move[b->up] = b->mover->up % 2 == 1 ? way : -way;
}

/* The block below, if it is near. 0 = none. */
static vp_block ground_of(const moving_box *b)
{
    float down[3];
    set_along_up(b, -0x1p-6f, down);
    const vp_block_hit hit = sweep_body(b, down);
    return hit.end == VP_BLOCK_MEETS ? hit.type : 0;
}

/* Moves up, on, and down on the step that stops it on an axis. @return false if it cannot; it is not moved then */
static bool try_step_up(moving_box *b, const float rest[3], uint32_t axis)
{
    moving_box at = *b;
    float way[3];
    if (!(b->mover->step > 0) || axis == b->up || ground_of(b) == 0)
        return false;
    set_along_up(b, b->mover->step, way);
    move_checked(&at, way);
    const float lifted = fabsf(at.centre[at.up] - b->centre[at.up]);
    for (uint32_t a = 0; a < 3; a++)
        way[a] = a == b->up ? 0 : rest[a];
    const vp_block_hit on = move_checked(&at, way);
    if (on.end == VP_BLOCK_MEETS) {
        at.sides |= 1u << on.side;
        for (uint32_t a = 0; a < 3; a++)
            way[a] = a == on.side / 2 ? 0 : way[a] * (float)(1 - on.t);
        const vp_block_hit slide = move_checked(&at, way);
        at.sides |= slide.end == VP_BLOCK_MEETS ? 1u << slide.side : 0;
    }
    const bool on_step = rest[axis] > 0 ? at.centre[axis] > b->centre[axis] : at.centre[axis] < b->centre[axis];
    set_along_up(b, -lifted, way);
    const vp_block_hit down = move_checked(&at, way);
    if (!on_step || down.end != VP_BLOCK_MEETS)
        return false;
    at.sides |= 1u << down.side;
    *b = at;
    return true;
}

/* The axes that a body was stopped on since it last moved, with the remaining distance and the side. */
typedef struct stops {
    float remaining[3];
    uint32_t side[3];
} stops;

/* Stops a body on an axis. Frees another axis that was stopped over an edge here, if nothing blocks it any more. If a
 * body meets two blocks over edges that have an axis in common, stopping that axis is enough. */
static void stop_axis(moving_box *b, stops *s, float rest[3], uint32_t side)
{
    b->sides |= 1u << side;
    s->remaining[side / 2] = rest[side / 2];
    s->side[side / 2] = side;
    rest[side / 2] = 0;
    for (uint32_t a = 0; a < 3; a++) {
        float way[3] = {rest[0], rest[1], rest[2]};
        if (s->remaining[a] == 0 || a == side / 2)
            continue;
        way[a] = s->remaining[a];
        const vp_block_hit hit = sweep_body(b, way);
        if (hit.end == VP_BLOCK_MEETS && hit.t == 0)
            continue;
        rest[a] = s->remaining[a];
        s->remaining[a] = 0;
        b->sides &= ~(1u << s->side[a]);
        return;
    }
}

static vp_status check_mover(const vp_block_mover *mover, vp_vec3 centre, vp_vec3 move, vp_error *error)
{
    const vp_block_path path = {{vp_vec3_sub(centre, mover->half), vp_vec3_add(centre, mover->half)}, move};
    VP_RETURN_IF_FAILED(check_finite(centre, "centre", (double)VP_BLOCK_FAR, error));
    VP_RETURN_IF_FAILED(check_finite(mover->half, "vp_block_mover.half", (double)VP_BLOCK_FAR, error));
    for (uint32_t a = 0; a < 3; a++)
        if (!(vp_coordinate(mover->half, a) > 0))
            return vp_fail(error, VP_E_ARGUMENT, "vp_block_mover.half.%c is %g; must be > 0", "xyz"[a], vp_coordinate(mover->half, a));
    if (mover->up >= VP_SIDE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_mover.up is %u; must be a vp_side, 0 to 5", mover->up);
    if (!(mover->step >= 0 && mover->step <= VP_BLOCK_FAR))
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_mover.step is %g; must be 0 to 2^40", (double)mover->step);
    return check_path(&path, error);
}

vp_status vp_block_move(const vp_block_view *view, const vp_block_mover *mover, vp_vec3 centre, vp_vec3 move, vp_block_move_result *out,
                        vp_error *error)
{
    VP_RETURN_IF_NULL(error, view, mover, out);
    vp_kernels kernels;
    VP_RETURN_IF_FAILED(vp_block_view_check(view, error));
    VP_RETURN_IF_FAILED(check_mover(mover, centre, move, error));
    VP_RETURN_IF_FAILED(vp_block_table(mover->kernels, &kernels, error));
    moving_box b = {.view = view, .kernels = &kernels, .mover = mover, .up = mover->up / 2};
    float rest[3] = {move.x, move.y, move.z};
    for (uint32_t a = 0; a < 3; a++) {
        b.half[a] = (float)vp_coordinate(mover->half, a);
        b.centre[a] = (float)vp_coordinate(centre, a);
    }
    *out = (vp_block_move_result){.centre = centre};
    stops here = {.remaining = {0}};
    for (vp_block_hit hit = move_checked(&b, rest); hit.end != VP_BLOCK_PASSES; hit = move_checked(&b, rest)) {
        out->inside = hit.end == VP_BLOCK_INSIDE;
        if (out->inside)
            break;
        for (uint32_t a = 0; a < 3; a++)
            rest[a] *= (float)(1 - hit.t);
        if (try_step_up(&b, rest, hit.side / 2)) {
            out->stepped = true;
            break;
        }
        if (hit.t > 0)
            here = (stops){.remaining = {0}};
        stop_axis(&b, &here, rest, hit.side);
    }
    out->centre = (vp_vec3){b.centre[0], b.centre[1], b.centre[2]};
    out->sides = b.sides;
    out->fluid = b.fluid;
    out->ground = out->inside ? 0 : ground_of(&b);
    return VP_OK;
}
