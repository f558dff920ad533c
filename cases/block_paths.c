/* SPDX-License-Identifier: MIT */
/* The cases of paths through blocks. Players and rays of five lengths begin near blocks that collide. Small sets also have paths that lie
 * and move in planes between blocks. Judged by testing all blocks that a path could touch, one by one. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/block_shapes.h>

#include "cases/block_paths.h"
#include "cases/case.h"
#include "cases/copies.h"
#include "datasets/block_sets.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { VARIANTS = 5, ROUND = 4 /* one in ROUND small cases has whole or half coordinates */ };
static const char *const lengths[VARIANTS + 1] = {"by-1", "by-0.2", "by-5", "by-20", "by-100", NULL};
static const float length_of[VARIANTS] = {1, 0.2f, 5, 20, 100};
static const uint32_t paths_of[VARIANTS] = {VP_BLOCK_PATHS, VP_BLOCK_PATHS, 2048, 512,
                                            128}; /* the judge's work grows with the cube of the length */

typedef struct block_paths_work {
    const vp_block_view *from; /* the set's view */
    vp_block_view view;        /* its copy */
    uint32_t count;
    vp_block_path *paths; /* as generated */
    vp_block_line *lines;
    const vp_block_path *path; /* the kernel's input */
    const vp_block_line *line;
    vp_block_hit *hit;
    vp_block_hit *right; /* the judge's answers, made on first use */
    bool judged;
} block_paths_work;

static void copy_view(block_paths_work *w, vp_arena *arena)
{
    const vp_block_view *v = w->from;
    const size_t chunks = (size_t)v->size.x * v->size.y * v->size.z;
    vp_block_cells *cells = vp_arena_keep(arena, chunks, sizeof *cells, alignof(vp_block_cells));
    for (size_t c = 0; c < chunks; c++) {
        cells[c] = v->chunk[c];
        if (cells[c].cell != NULL)
            cells[c].cell = vp_arena_input(arena, cells[c].cell, VP_BLOCK_CELLS, cells[c].width, cells[c].width, 0);
    }
    w->view = *v;
    w->view.chunk = vp_arena_input(arena, cells, chunks, sizeof *cells, alignof(vp_block_cells), 0);
    w->view.type = vp_arena_input(arena, v->type, v->type_count, sizeof *v->type, alignof(vp_block_type), 0);
}

/* The block of the set at a position, empty outside. */
static vp_block block_at(const vp_block_view *v, const int32_t at[3])
{
    const int32_t x = at[0] - 32 * v->low.x, y = at[1] - 32 * v->low.y, z = at[2] - 32 * v->low.z;
    if (x < 0 || y < 0 || z < 0 || (uint32_t)x >= 32 * v->size.x || (uint32_t)y >= 32 * v->size.y || (uint32_t)z >= 32 * v->size.z)
        return 0;
    const vp_block_cells *c = &v->chunk[((uint32_t)y / 32 * v->size.z + (uint32_t)z / 32) * v->size.x + (uint32_t)x / 32];
    return vp_block_at(c, (uint32_t)x % 32, (uint32_t)y % 32, (uint32_t)z % 32);
}

static uint32_t bits_at(const vp_block_view *v, const int32_t at[3])
{
    const vp_block block = block_at(v, at);
    return block < v->type_count ? v->type[block].flags : 0;
}

/* Finds a place in the world or a little outside. Usually it does not collide, but a block two away does. */
static void find_place(const vp_block_view *v, vp_random *r, bool is_round, float place[3])
{
    const int32_t low[3] = {32 * v->low.x, 32 * v->low.y, 32 * v->low.z};
    const uint32_t size[3] = {32 * v->size.x, 32 * v->size.y, 32 * v->size.z};
    for (int tries = 0; tries < 50; tries++) {
        int32_t at[3];
        for (int a = 0; a < 3; a++) {
            place[a] = vp_random_between(r, (float)low[a] - 2, (float)low[a] + (float)size[a] + 2);
            if (is_round)
                place[a] = floorf(2 * place[a]) / 2;
            at[a] = (int32_t)floorf(place[a]);
        }
        if ((bits_at(v, at) & VP_BLOCK_COLLIDES) != 0)
            continue;
        for (int k = 0; k < 6; k++) {
            int32_t beside[3] = {at[0], at[1], at[2]};
            beside[k / 2] += k % 2 == 1 ? 2 : -2;
            if ((bits_at(v, beside) & VP_BLOCK_COLLIDES) != 0)
                return;
        }
    }
}

uint32_t vp_block_paths_draw(const vp_data *data, uint32_t variant, vp_block_path *path, vp_block_line *line)
{
    const vp_block_view *view = ((const vp_block_set *)data->set)->view;
    const bool small = strncmp(data->name, "fuzz-", 5) == 0;
    const uint32_t count = small ? 48 : paths_of[variant];
    vp_random r = {variant + 1};
    for (uint32_t i = 0; i < count; i++) {
        const bool is_round = small && i % ROUND == 0;
        static const uint32_t stops[4] = {VP_BLOCK_COLLIDES, VP_BLOCK_COLLIDES | VP_BLOCK_FLUID, 0, VP_BLOCK_OPAQUE};
        float place[3], move[3], squares = 0;
        find_place(view, &r, is_round, place);
        for (int a = 0; a < 3; a++) {
            move[a] = is_round ? (float)vp_random_below(&r, 3) - 1 : vp_random_between(&r, -1, 1);
            squares += move[a] * move[a];
        }
        for (int a = 0; a < 3; a++)
            move[a] *= is_round ? ceilf(length_of[variant]) : length_of[variant] / sqrtf(squares);
        const vp_vec3 low = {place[0], place[1], place[2]}, by = {move[0], move[1], move[2]};
        const vp_vec3 body = is_round ? (vp_vec3){0.5f, 1.5f, 1} : (vp_vec3){0.6f, 1.8f, 0.6f};
        path[i] = (vp_block_path){{low, vp_vec3_add(low, body)}, by};
        line[i] = (vp_block_line){low, by, small ? stops[i / ROUND % 4] : VP_BLOCK_COLLIDES};
    }
    return count;
}

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    block_paths_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(block_paths_work));
    w->from = ((const vp_block_set *)data->set)->view;
    copy_view(w, arena);
    w->paths = vp_arena_keep(arena, VP_BLOCK_PATHS, sizeof *w->paths, alignof(vp_block_path));
    w->lines = vp_arena_keep(arena, VP_BLOCK_PATHS, sizeof *w->lines, alignof(vp_block_line));
    w->count = vp_block_paths_draw(data, variant, w->paths, w->lines);
    w->right = vp_arena_keep(arena, w->count, sizeof *w->right, alignof(vp_block_hit));
    w->path = vp_arena_input(arena, w->paths, w->count, sizeof *w->paths, alignof(vp_block_path), 0);
    w->line = vp_arena_input(arena, w->lines, w->count, sizeof *w->lines, alignof(vp_block_line), 0);
    w->hit = vp_arena_output(arena, w->count, sizeof *w->hit, alignof(vp_block_hit), 0);
    return VP_OK;
}

VP_RUN_EACH(run_sweeps, block_paths_work, w->count, how->kernels->block_sweep(&w->view, &w->path[i], &w->hit[i]))
VP_RUN_EACH(run_rays, block_paths_work, w->count, how->kernels->block_ray(&w->view, &w->line[i], &w->hit[i]))

static void record(const void *argument, vp_records *out)
{
    const block_paths_work *w = argument;
    for (uint32_t i = 0; i < w->count; i++) {
        const vp_block_hit *h = &w->hit[i];
        const uint32_t what[2] = {h->end, h->side};
        const vp_block type[2] = {h->type, h->fluid};
        const double at[2] = {h->t, h->fluid_t};
        vp_records_put_longs(out, at, 2);
        vp_records_put_words(out, &h->block, 3);
        vp_records_put_words(out, what, 2);
        vp_records_put_halves(out, type, 2);
        vp_records_end(out);
    }
}

/* ---- judges ---- */

/* The time from `first` to `last` in which a path and a block overlap, first on each axis and then on all. */
typedef struct overlap_time {
    double first, last;
    bool with_first, with_last; /* for rays, whether the end points belong to it */
    bool from_start;
    int axis; /* lowest axis that `first` comes from, -1 = none */
    int axes; /* number of axes with the same `first` */
} overlap_time;

/* The time in which a moving segment from low to high overlaps the inside of the segment from `block` to `block` + 1. */
static overlap_time on_axis(double low, double high, double move, double block)
{
    overlap_time s = {-INFINITY, INFINITY, true, true, low < block + 1 && high > block, -1, 0};
    if (move > 0) {
        s.first = (block - high) / move;
        s.last = (block + 1 - low) / move;
    } else if (move < 0) {
        s.first = (block + 1 - low) / move;
        s.last = (block - high) / move;
    } else if (!s.from_start) {
        s.first = INFINITY;
    }
    return s;
}

static void get(vp_vec3 v, double out[3])
{
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

/* The same for a box. A point is a ray, for which blocks include their low end and not their high end. */
static bool together(const vp_aabb *box, vp_vec3 move, const int32_t at[3], overlap_time *out)
{
    double low[3], high[3], by[3];
    const bool point = memcmp(&box->min, &box->max, sizeof box->min) == 0;
    get(box->min, low);
    get(box->max, high);
    get(move, by);
    *out = (overlap_time){-INFINITY, INFINITY, true, true, true, -1, 0};
    for (int a = 0; a < 3; a++) {
        overlap_time s = on_axis(low[a], high[a], by[a], at[a]);
        if (point) {
            s.from_start = low[a] >= at[a] && low[a] < at[a] + 1;
            s.with_first = by[a] >= 0;
            s.with_last = by[a] <= 0;
            s.first = by[a] != 0 ? s.first : s.from_start ? -INFINITY : INFINITY;
        }
        if (s.first >= out->first) {
            out->with_first = s.with_first && (s.first > out->first || out->with_first);
            out->axis = s.first > out->first ? a : out->axis;
            out->axes = s.first > out->first ? 1 : out->axes + 1;
            out->first = s.first;
        }
        if (s.last <= out->last) {
            out->with_last = s.with_last && (s.last < out->last || out->with_last);
            out->last = s.last;
        }
        out->from_start = out->from_start && s.from_start;
    }
    if (out->from_start)
        return true;
    if (point)
        return out->first >= 0 && (out->first < 1 || (out->first == 1 && out->with_first)) &&
               (out->first < out->last || (out->first == out->last && out->with_first && out->with_last));
    return out->first >= 0 && out->first < 1 && out->first < out->last;
}

typedef struct found {
    overlap_time span;
    int32_t at[3];
    vp_block type; /* 0 = none */
} found;

/* Whether a is hit before b. Ties go by ascending y, z, x. */
static bool is_before(const found *a, const found *b, bool point)
{
    if (b->type == 0 || a->span.from_start != b->span.from_start)
        return b->type == 0 || a->span.from_start;
    if (a->span.from_start)
        return false;
    if (a->span.first != b->span.first)
        return a->span.first < b->span.first;
    return point ? a->span.with_first && !b->span.with_first : a->span.axes < b->span.axes;
}

static void search(const vp_block_view *v, const vp_aabb *box, vp_vec3 move, uint32_t stops, bool any, vp_block_hit *out)
{
    double low[3], high[3], by[3];
    int32_t from[3], to[3], at[3];
    const bool point = memcmp(&box->min, &box->max, sizeof box->min) == 0;
    const int32_t first[3] = {32 * v->low.x, 32 * v->low.y, 32 * v->low.z};
    const uint32_t size[3] = {32 * v->size.x, 32 * v->size.y, 32 * v->size.z};
    found stop = {.type = 0}, fluid = {.type = 0};
    get(box->min, low);
    get(box->max, high);
    get(move, by);
    for (int a = 0; a < 3; a++) {
        from[a] = (int32_t)fmax(floor(fmin(low[a], low[a] + by[a])) - 1, first[a]);
        to[a] = (int32_t)fmin(floor(fmax(high[a], high[a] + by[a])) + 1, (double)first[a] + size[a] - 1);
    }
    for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
        for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
            for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
                found now = {.at = {at[0], at[1], at[2]}, .type = block_at(v, at)};
                const uint32_t is = now.type < v->type_count ? v->type[now.type].flags : 0;
                const bool stopping = now.type != 0 && (any || (is & stops) != 0), wet = !point && !stopping && (is & VP_BLOCK_FLUID) != 0;
                if ((!stopping && !wet) || !together(box, move, at, &now.span))
                    continue;
                found *best = stopping ? &stop : &fluid;
                if (is_before(&now, best, point))
                    *best = now;
            }
    *out = (vp_block_hit){.t = 1, .fluid_t = 1, .end = VP_BLOCK_PASSES, .side = VP_SIDE_COUNT};
    if (stop.type != 0) {
        out->end = stop.span.from_start ? VP_BLOCK_INSIDE : VP_BLOCK_MEETS;
        out->t = stop.span.from_start ? 0 : stop.span.first + 0.0;
        out->block = (vp_ivec3){stop.at[0], stop.at[1], stop.at[2]};
        out->type = stop.type;
        if (!stop.span.from_start)
            out->side = 2 * (uint32_t)stop.span.axis + (by[stop.span.axis] < 0);
    }
    if (fluid.type != 0 &&
        (stop.type != 0 && stop.span.from_start ? fluid.span.from_start
                                                : fluid.span.from_start || stop.type == 0 || fluid.span.first <= out->t)) {
        out->fluid = fluid.type;
        out->fluid_t = fluid.span.from_start ? 0 : fluid.span.first + 0.0;
    }
}

static vp_status compare(const block_paths_work *w, vp_error *error)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const vp_block_hit *h = &w->hit[i], *r = &w->right[i];
        if (memcmp(&h->t, &r->t, sizeof h->t) != 0 || memcmp(&h->fluid_t, &r->fluid_t, sizeof h->t) != 0 || h->block.x != r->block.x ||
            h->block.y != r->block.y || h->block.z != r->block.z || h->end != r->end || h->side != r->side || h->type != r->type ||
            h->fluid != r->fluid)
            return vp_fail(error, VP_E_FORMAT,
                           "path %u: end %u at %g in (%d, %d, %d), side %u, fluid %u at %g; not %u, %g, (%d, %d, %d), %u, %u, %g", i,
                           h->end, h->t, (int)h->block.x, (int)h->block.y, (int)h->block.z, h->side, h->fluid, h->fluid_t, r->end, r->t,
                           (int)r->block.x, (int)r->block.y, (int)r->block.z, r->side, r->fluid, r->fluid_t);
    }
    return VP_OK;
}

static vp_status judge_sweeps(const void *argument, uint32_t step, vp_error *error)
{
    block_paths_work *w = vp_unconst(argument);
    for (uint32_t i = 0; !w->judged && i < w->count; i++)
        search(w->from, &w->paths[i].box, w->paths[i].move, VP_BLOCK_COLLIDES, false, &w->right[i]);
    w->judged = true;
    return compare(w, error);
}

static vp_status judge_rays(const void *argument, uint32_t step, vp_error *error)
{
    block_paths_work *w = vp_unconst(argument);
    for (uint32_t i = 0; !w->judged && i < w->count; i++) {
        const vp_block_line *l = &w->lines[i];
        const vp_aabb point = {l->origin, l->origin};
        search(w->from, &point, l->move, l->stops, l->stops == 0, &w->right[i]);
    }
    w->judged = true;
    return compare(w, error);
}

static void count_hits(const void *argument, vp_counters *out)
{
    const block_paths_work *w = argument;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < w->count; i++)
        hits += w->hit[i].end != VP_BLOCK_PASSES;
    vp_count(out, "hits", (double)hits / w->count);
}

enum { ALL = (1 << VARIANTS) - 1, SOME = 1 | 4, TIMED = VP_TIMED | VP_ENDS };
static const vp_measured measured[] = {VP_ON("planet", ALL, TIMED),
                                       VP_ON("planet-caves", SOME, TIMED),
                                       VP_ON("blocks-sparse", ALL, TIMED),
                                       VP_ON("blocks-luanti", SOME, TIMED),
                                       {.data = NULL}};

const vp_case vp_case_block_sweep = {.kind = &vp_kind_blocks,
                                     .variant = lengths,
                                     .questions = true,
                                     .make = make,
                                     .run = run_sweeps,
                                     .records = record,
                                     .judge = judge_sweeps,
                                     .counters = count_hits,
                                     .measured = measured};
const vp_case vp_case_block_ray = {.kind = &vp_kind_blocks,
                                   .variant = lengths,
                                   .questions = true,
                                   .make = make,
                                   .run = run_rays,
                                   .records = record,
                                   .judge = judge_rays,
                                   .counters = count_hits,
                                   .measured = measured};
