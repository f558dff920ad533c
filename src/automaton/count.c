/* SPDX-License-Identifier: MIT */
/* Checked functions of count rules, and grids that keep bit planes. */
#include <string.h>

#include "src/automaton/automaton_internal.h"
#include "src/automaton/count_planes.h"
#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"

enum { LAYERS_A_TASK = 12 };

typedef struct count_tasks {
    const vp_count_job *job;
    vp_count_rule_fn *kernel;
    uint32_t first, layers;
} count_tasks;

static void count_layers(void *argument, uint32_t task)
{
    const count_tasks *tasks = argument;
    vp_count_job part = *tasks->job;
    const uint32_t done = task * LAYERS_A_TASK, left = tasks->layers - done;
    part.first_layer = tasks->first + done;
    part.layer_count = left < LAYERS_A_TASK ? left : LAYERS_A_TASK;
    tasks->kernel(&part);
}

static vp_status check_job(const vp_count_job *job, vp_error *error)
{
    const vp_dims s = job->size;
    /* the first product can't overflow once both are small, nor can the second */
    if (s.x == 0 || s.y == 0 || s.z == 0 || s.x > VP_AUTOMATON_MAX_CELLS || s.y > VP_AUTOMATON_MAX_CELLS || s.z > VP_AUTOMATON_MAX_CELLS ||
        (uint64_t)s.x * s.y > VP_AUTOMATON_MAX_CELLS || (uint64_t)s.x * s.y * s.z > VP_AUTOMATON_MAX_CELLS)
        return vp_fail(error, VP_E_ARGUMENT, "%u x %u x %u cells: none may be 0, and all at most %d", s.x, s.y, s.z,
                       VP_AUTOMATON_MAX_CELLS);
    if (job->first_layer >= s.y || job->layer_count > s.y - job->first_layer)
        return vp_fail(error, VP_E_ARGUMENT, "%u layers from layer %u on are not all inside of %u", job->layer_count, job->first_layer,
                       s.y);
    if (job->species > VP_COUNT_RULE_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "%u species; at most %u", job->species, VP_COUNT_RULE_MAX);
    VP_RETURN_IF_ARRAY_NULL(error, job->rules, job->species);
    for (uint32_t i = 0; i < job->species; i++)
        if ((job->rules[i].survive | job->rules[i].born) >> 27 != 0)
            return vp_fail(error, VP_E_ARGUMENT, "species %u: sets %08x and %08x have a bit above 26", i + 1, job->rules[i].survive,
                           job->rules[i].born);
    return VP_OK;
}

static vp_status compute_step(const vp_count_job *job, const vp_kernels *kernels, const vp_executor *executor, vp_error *error)
{
    vp_kernels table;
    if (kernels == NULL) {
        VP_RETURN_IF_FAILED(vp_kernels_default(&table, error));
        kernels = &table;
    }
    count_tasks tasks = {job, kernels->count_rule, job->first_layer, 0};
    tasks.layers = job->layer_count > 0 ? job->layer_count : job->size.y - job->first_layer;
    const vp_executor by = vp_executor_or_serial(executor);
    by.parallel_for(by.user, (tasks.layers + LAYERS_A_TASK - 1) / LAYERS_A_TASK, count_layers, &tasks);
    return vp_succeed(error);
}

vp_status vp_count_rule_step(const vp_count_job *job, const vp_kernels *kernels, const vp_executor *executor, vp_error *error)
{
    VP_RETURN_IF_NULL(error, job);
    VP_RETURN_IF_FAILED(check_job(job, error));
    VP_RETURN_IF_NULL_NAMED(error, "job->cell, job->out", job->cell, job->out);
    if (job->out == job->cell)
        return vp_fail(error, VP_E_ARGUMENT, "a count rule can't write the cells that it reads, at %p", (const void *)job->cell);
    if (job->planes != NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_count_job.planes must be NULL; vp_count_grid keeps planes");
    return compute_step(job, kernels, executor, error);
}

/* ---- grids ---- */

struct vp_count_grid {
    vp_allocator allocator;
    vp_dims size;
    uint32_t species;
    vp_count_sets rules[VP_COUNT_RULE_MAX];
    size_t pitch, rows;                   /* words of a row, rows of a plane */
    uint64_t *plane[2], *touched[2], now; /* [now] is valid. plane[now ^ 1] differs from it in touched cells only */
};

/* Sets up to 64 cells of a word, and marks those whose content changes. */
static void write_word(vp_count_grid *g, size_t word, uint32_t shift, const uint8_t *cell, uint32_t count)
{
    uint64_t bits[UINT8_MAX + 1];
    memset(bits, 0, (g->species + 1) * sizeof *bits);
    for (uint32_t i = 0; i < count; i++)
        bits[cell[i]] = cell[i] <= g->species ? bits[cell[i]] | UINT64_C(1) << (shift + i) : 0; /* walls are in no plane */
    const uint64_t mask = (count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX) << shift;
    for (uint32_t s = 0; s <= g->species; s++) {
        uint64_t *to = g->plane[g->now] + s * g->rows * g->pitch + word;
        g->touched[g->now][word] |= (*to & mask) ^ bits[s];
        *to = (*to & ~mask) | bits[s];
    }
}

static void read_word(const vp_count_grid *g, size_t word, uint32_t shift, uint8_t *cell, uint32_t count)
{
    memset(cell, UINT8_MAX, count);
    for (uint32_t s = 0; s <= g->species; s++) {
        const uint64_t bits = g->plane[g->now][s * g->rows * g->pitch + word] >> shift;
        for (uint32_t i = 0; bits != 0 && i < count; i++)
            cell[i] = (bits >> i & 1u) != 0 ? (uint8_t)s : cell[i];
    }
}

static void copy_box(const vp_count_grid *g, vp_ivec3 low, vp_dims size, const uint8_t *in, uint8_t *out, vp_count_grid *to)
{
    const uint32_t from = (uint32_t)low.x;
    for (uint32_t y = 0; y < size.y; y++)
        for (uint32_t z = 0; z < size.z; z++) {
            const size_t at = ((size_t)y * size.z + z) * size.x;
            const size_t row = (((size_t)low.y + y) * g->size.z + (size_t)low.z + z) * g->pitch;
            for (uint32_t x = 0; x < size.x;) {
                const uint32_t shift = (from + x) % 64, left = size.x - x, count = left < 64 - shift ? left : 64 - shift;
                if (to != NULL)
                    write_word(to, row + (from + x) / 64, shift, in + at + x, count);
                else
                    read_word(g, row + (from + x) / 64, shift, out + at + x, count);
                x += count;
            }
        }
}

vp_status vp_count_grid_create(const vp_count_job *job, const vp_allocator *allocator, vp_count_grid **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, job, out);
    *out = NULL;
    const vp_count_job used = {.size = job->size, .species = job->species, .rules = job->rules};
    VP_RETURN_IF_FAILED(check_job(&used, error));
    VP_RETURN_IF_NULL_NAMED(error, "job->cell", job->cell);
    const vp_allocator by = vp_allocator_or_default(allocator);
    vp_count_grid *g = vp_allocate_zero(&by, 1, sizeof *g);
    if (g == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a count grid");
    g->allocator = by;
    g->size = job->size;
    g->species = job->species;
    if (job->species > 0)
        memcpy(g->rules, job->rules, job->species * sizeof *g->rules);
    const uint32_t words = (g->size.x + 63) / 64, last = (g->size.x - 1) % 64 + 1;
    g->pitch = words + (last == 64 && words > 1 ? 1 : 0); /* see count_rule of count_body.h */
    g->rows = (size_t)g->size.y * g->size.z;
    for (int i = 0; i < 2 && g->rows <= SIZE_MAX / (g->species + 1); i++) {
        g->plane[i] = vp_allocate_zero(&by, g->rows * (g->species + 1), g->pitch * sizeof *g->plane[i]);
        g->touched[i] = vp_allocate_zero(&by, g->rows, g->pitch * sizeof *g->touched[i]);
    }
    if (g->plane[0] == NULL || g->plane[1] == NULL || g->touched[0] == NULL || g->touched[1] == NULL) {
        vp_count_grid_destroy(g);
        return vp_fail(error, VP_E_MEMORY, "no memory for %u planes of %u x %u x %u cells", job->species + 1, job->size.x, job->size.y,
                       job->size.z);
    }
    copy_box(g, (vp_ivec3){0}, g->size, job->cell, NULL, g);
    for (size_t row = 0; row < g->rows; row++)
        for (uint32_t i = 0; i < words; i++)
            g->touched[0][row * g->pitch + i] = i + 1 < words ? UINT64_MAX : UINT64_MAX >> (64 - last);
    *out = g;
    return vp_succeed(error);
}

void vp_count_grid_destroy(vp_count_grid *g)
{
    if (g == NULL)
        return;
    const vp_allocator allocator = g->allocator;
    for (int i = 0; i < 2; i++) {
        vp_release(&allocator, g->plane[i], g->rows * (g->species + 1), g->pitch * sizeof *g->plane[i]);
        vp_release(&allocator, g->touched[i], g->rows, g->pitch * sizeof *g->touched[i]);
    }
    vp_release(&allocator, g, 1, sizeof *g);
}

vp_status vp_count_grid_step(vp_count_grid *g, const vp_kernels *kernels, const vp_executor *executor, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "grid", g);
    const uint64_t next = g->now ^ 1;
    const vp_count_planes planes = {
        .pitch = g->pitch, .cell = g->plane[g->now], .out = g->plane[next], .touched = g->touched[g->now], .changed = g->touched[next]};
    const vp_count_job job = {.size = g->size, .species = g->species, .rules = g->rules, .planes = &planes};
    VP_RETURN_IF_FAILED(compute_step(&job, kernels, executor, error));
    g->now = next;
    return VP_OK;
}

vp_status vp_count_grid_read(const vp_count_grid *g, vp_ivec3 low, vp_dims size, uint8_t *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "grid, out", g, out);
    VP_RETURN_IF_FAILED(vp_check_cell_box(g->size, low, size, error));
    copy_box(g, low, size, NULL, out, NULL);
    return vp_succeed(error);
}

vp_status vp_count_grid_write(vp_count_grid *g, vp_ivec3 low, vp_dims size, const uint8_t *cell, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "grid, cell", g, cell);
    VP_RETURN_IF_FAILED(vp_check_cell_box(g->size, low, size, error));
    copy_box(g, low, size, cell, NULL, g);
    return vp_succeed(error);
}

const uint64_t *vp_count_grid_changes(const vp_count_grid *g, size_t *pitch)
{
    *pitch = g->pitch;
    return g->touched[g->now];
}
