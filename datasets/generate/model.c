/* SPDX-License-Identifier: MIT */
#include "datasets/generate/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/grow.h"

/* ---- growth ---- */

uint32_t vp_model_point(vp_model *model, double x, double y, double z)
{
    double(*point)[3] = model->failed ? NULL : vp_with_room(model->point, model->points + 1u, &model->point_room, sizeof *point);
    model->failed = point == NULL;
    if (model->failed)
        return 0;
    model->point = point;
    double *to = model->point[model->points];
    to[0] = x;
    to[1] = y;
    to[2] = z;
    return model->points++;
}

void vp_model_triangle(vp_model *model, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t(*triangle)[3] =
        model->failed ? NULL : vp_with_room(model->triangle, model->triangles + 1u, &model->triangle_room, sizeof *triangle);
    model->failed = triangle == NULL;
    if (model->failed)
        return;
    model->triangle = triangle;
    uint32_t *to = model->triangle[model->triangles++];
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

void vp_model_quad(vp_model *model, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    if (a != b && b != c && a != c)
        vp_model_triangle(model, a, b, c);
    if (a != c && c != d && a != d)
        vp_model_triangle(model, a, c, d);
}

void vp_model_prune(vp_model *model)
{
    uint32_t *number = calloc((size_t)model->points + 1, sizeof *number), kept = 0;
    model->failed = model->failed || number == NULL;
    for (size_t i = 0; !model->failed && i < (size_t)model->triangles * 3; i++)
        number[model->triangle[i / 3][i % 3]] = 1;
    for (uint32_t i = 0; !model->failed && i < model->points; i++)
        if (number[i] != 0) {
            memmove(model->point[kept], model->point[i], sizeof *model->point);
            number[i] = kept++;
        }
    for (size_t i = 0; !model->failed && i < (size_t)model->triangles * 3; i++)
        model->triangle[i / 3][i % 3] = number[model->triangle[i / 3][i % 3]];
    model->points = model->failed ? model->points : kept;
    free(number);
}

void vp_model_drop(vp_model *model)
{
    free(model->point);
    free(model->triangle);
    *model = (vp_model){0};
}

/* ---- motions ---- */

void vp_model_move(vp_model *model, uint32_t first, vp_model_map *map, const void *of)
{
    for (uint32_t i = first; i < model->points; i++) {
        const double from[3] = {model->point[i][0], model->point[i][1], model->point[i][2]};
        map(from, model->point[i], of);
    }
}

void vp_model_smooth(vp_model *model, uint32_t times, double share)
{
    double(*sum)[4] = malloc(((size_t)model->points + 1) * sizeof *sum);
    model->failed = model->failed || sum == NULL;
    for (uint32_t round = 0; !model->failed && round < times; round++) {
        memset(sum, 0, model->points * sizeof *sum);
        for (uint32_t t = 0; t < model->triangles; t++)
            for (uint32_t k = 0; k < 6; k++) {
                const uint32_t at = model->triangle[t][k / 2], neighbour = model->triangle[t][(k / 2 + 1 + k % 2) % 3];
                for (uint32_t c = 0; c < 3; c++)
                    sum[at][c] += model->point[neighbour][c];
                sum[at][3] += 1.0;
            }
        for (uint32_t i = 0; i < model->points; i++)
            for (uint32_t c = 0; c < 3 && sum[i][3] > 0.0; c++)
                model->point[i][c] += share * (sum[i][c] / sum[i][3] - model->point[i][c]);
    }
    free(sum);
}

/* ---- circles ---- */

/* Returns cosine and sine of half an angle of at most a third of a turn. */
static void halve(double turn[2])
{
    const double cosine = sqrt((1.0 + turn[0]) / 2.0);
    turn[1] = turn[1] / (2.0 * cosine);
    turn[0] = cosine;
}

void vp_turn(uint32_t k, uint32_t n, double out[2])
{
    static const double quarters[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    const bool thirds = n % 3 == 0;
    double step[2] = {thirds ? -0.5 : 0.0, thirds ? sqrt(3.0) / 2.0 : 1.0}, turn[2] = {1.0, 0.0};
    for (uint32_t parts = thirds ? 3 : 4; parts < n; parts *= 2)
        halve(step);
    const double *quarter = quarters[k % n / (n / 4)];
    for (uint32_t bits = k % n % (n / 4); bits != 0; bits /= 2) {
        if (bits % 2 != 0) {
            const double cosine = turn[0] * step[0] - turn[1] * step[1];
            turn[1] = turn[0] * step[1] + turn[1] * step[0];
            turn[0] = cosine;
        }
        const double cosine = step[0] * step[0] - step[1] * step[1];
        step[1] = 2.0 * (step[0] * step[1]);
        step[0] = cosine;
    }
    out[0] = turn[0] * quarter[0] - turn[1] * quarter[1];
    out[1] = turn[0] * quarter[1] + turn[1] * quarter[0];
}

void vp_around_y(const double from[3], double to[3], const void *of)
{
    double turn[2];
    vp_turn((uint32_t)from[1], *(const uint32_t *)of, turn);
    to[0] = from[0] * turn[0];
    to[1] = from[2];
    to[2] = -(from[0] * turn[1]);
}

/* ---- boxes ---- */

typedef struct lattice {
    const vp_model_lattice *how;
    double *line[3]; /* lines of each axis, ascending */
    uint32_t cells[3];
    uint8_t *solid;   /* one per cell */
    uint32_t *number; /* number of each lattice point in the model, plus 1; 0: not in the model */
} lattice;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static uint32_t parts_of(double length, double grain)
{
    const uint32_t parts = grain > 0.0 ? (uint32_t)(length / grain) : 0;
    return (double)parts * grain < length ? parts + 1 : parts;
}

/* Makes the lines along an axis: all sides of boxes, and equal parts of the distances between them. */
static bool make_lines(lattice *l, const vp_model_box *boxes, uint32_t count, uint32_t axis)
{
    const double grain = l->how->grain[axis];
    double *side = malloc(((size_t)count * 2 + 1) * sizeof *side);
    uint32_t sides = 0, parts = 0;
    if (side == NULL)
        return false;
    for (uint32_t b = 0; b < count; b++) {
        side[b * 2] = boxes[b].low[axis];
        side[b * 2 + 1] = boxes[b].high[axis];
    }
    qsort(side, (size_t)count * 2, sizeof *side, ascending);
    for (uint32_t i = 0; i < count * 2; i++)
        if (sides == 0 || side[i] != side[sides - 1])
            side[sides++] = side[i];
    for (uint32_t i = 0; i + 1 < sides; i++)
        parts += parts_of(side[i + 1] - side[i], grain);
    double *line = l->line[axis] = malloc(((size_t)parts + 1) * sizeof *line);
    l->cells[axis] = parts;
    for (uint32_t i = 0; line != NULL && i + 1 < sides; i++) {
        const uint32_t n = parts_of(side[i + 1] - side[i], grain);
        for (uint32_t p = 0; p < n; p++)
            *line++ = side[i] + (side[i + 1] - side[i]) * (double)p / (double)n;
    }
    if (line != NULL)
        *line = side[sides - 1];
    free(side);
    return line != NULL;
}

static size_t cell_of(const lattice *l, const uint32_t at[3])
{
    return ((size_t)at[2] * l->cells[1] + at[1]) * l->cells[0] + at[0];
}

/* Advances to the next lattice position, x first. Returns false after the last one. */
static bool next(const lattice *l, uint32_t at[3])
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (++at[axis] < l->cells[axis])
            return true;
        at[axis] = 0;
    }
    return false;
}

/* Returns the first line that is not below a place. */
static uint32_t line_at(const lattice *l, uint32_t axis, double place)
{
    uint32_t i = 0;
    while (l->line[axis][i] < place)
        i++;
    return i;
}

static void fill(lattice *l, const vp_model_box *box)
{
    uint32_t low[3], high[3], at[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        low[axis] = line_at(l, axis, box->low[axis]);
        high[axis] = line_at(l, axis, box->high[axis]);
    }
    for (at[2] = low[2]; at[2] < high[2]; at[2]++)
        for (at[1] = low[1]; at[1] < high[1]; at[1]++)
            for (at[0] = low[0]; at[0] < high[0]; at[0]++)
                l->solid[cell_of(l, at)] = box->cut ? 0 : 1;
}

/* Finds the neighbour along an axis. Returns false if there is none. */
static bool neighbour(const lattice *l, const uint32_t at[3], uint32_t axis, bool up, uint32_t out[3])
{
    const uint32_t n = l->cells[axis];
    memcpy(out, at, 3 * sizeof *out);
    if (!l->how->around[axis] && (up ? at[axis] + 1 == n : at[axis] == 0))
        return false;
    out[axis] = (at[axis] + (up ? 1 : n - 1)) % n;
    return true;
}

/* Where four cells meet at an edge and only two diagonal ones are solid, fills a third. @return whether there was such
 * an edge */
static bool mend(lattice *l)
{
    bool found = false;
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t at[3] = {0, 0, 0}, u[3], v[3], both[3];
        do {
            if (!neighbour(l, at, (axis + 1) % 3, true, u) || !neighbour(l, at, (axis + 2) % 3, true, v))
                continue;
            neighbour(l, u, (axis + 2) % 3, true, both);
            uint8_t *here = &l->solid[cell_of(l, at)], *across = &l->solid[cell_of(l, both)];
            uint8_t *one = &l->solid[cell_of(l, u)], *other = &l->solid[cell_of(l, v)];
            if (*here == *across && *one == *other && *here != *one) {
                *(*here ? one : here) = 1;
                found = true;
            }
        } while (next(l, at));
    }
    return found;
}

static uint32_t point_of(lattice *l, vp_model *model, const uint32_t at[3])
{
    uint32_t p[3];
    for (uint32_t axis = 0; axis < 3; axis++)
        p[axis] = l->how->around[axis] ? at[axis] % l->cells[axis] : at[axis];
    if (l->how->pole && p[0] == 0)
        p[1] = 0;
    uint32_t *number = &l->number[((size_t)p[2] * (l->cells[1] + 1) + p[1]) * (l->cells[0] + 1) + p[0]];
    if (*number == 0)
        *number = vp_model_point(model, l->line[0][p[0]], l->line[1][p[1]], l->line[2][p[2]]) + 1;
    return *number - 1;
}

/* The face of a cell. */
static void add_face(lattice *l, vp_model *model, const uint32_t at[3], uint32_t axis, bool up)
{
    static const uint32_t turn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    uint32_t corner[4];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t *by = turn[up ? i : 3 - i];
        uint32_t p[3] = {at[0], at[1], at[2]};
        p[axis] += up;
        p[(axis + 1) % 3] += by[0];
        p[(axis + 2) % 3] += by[1];
        corner[i] = point_of(l, model, p);
    }
    vp_model_quad(model, corner[0], corner[1], corner[2], corner[3]);
}

static void add_faces(lattice *l, vp_model *model)
{
    uint32_t at[3] = {0, 0, 0}, beside[3];
    do {
        for (uint32_t side = 0; side < 6 && l->solid[cell_of(l, at)]; side++) {
            const uint32_t axis = side / 2;
            const bool up = side % 2 != 0, pole = l->how->pole && axis == 0 && !up && at[0] == 0;
            if (!pole && !(neighbour(l, at, axis, up, beside) && l->solid[cell_of(l, beside)]))
                add_face(l, model, at, axis, up);
        }
    } while (next(l, at));
}

void vp_model_boxes(vp_model *model, const vp_model_box *boxes, uint32_t count, const vp_model_lattice *how)
{
    lattice l = {.how = how};
    bool made = !model->failed;
    for (uint32_t axis = 0; made && axis < 3; axis++)
        made = make_lines(&l, boxes, count, axis);
    if (made) {
        const size_t x = l.cells[0], y = l.cells[1], z = l.cells[2];
        l.solid = calloc(x * y * z, sizeof *l.solid);
        l.number = calloc((x + 1) * (y + 1) * (z + 1), sizeof *l.number);
        made = l.solid != NULL && l.number != NULL;
    }
    for (uint32_t b = 0; made && b < count; b++)
        fill(&l, &boxes[b]);
    while (made && how->mended && mend(&l))
        continue;
    if (made)
        add_faces(&l, model);
    model->failed = model->failed || !made;
    for (uint32_t axis = 0; axis < 3; axis++)
        free(l.line[axis]);
    free(l.solid);
    free(l.number);
}
