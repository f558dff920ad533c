/* SPDX-License-Identifier: MIT */
#include "datasets/generate/soup.h"

enum { KINDS = 4 };

/* The scale and position of a soup. */
typedef struct placing {
    double by, away;
} placing;

static void put(const double from[3], double to[3], const void *of)
{
    const placing *p = of;
    for (int axis = 0; axis < 3; axis++)
        to[axis] = (from[axis] + p->away) * p->by;
}

/* Triangles of few points. In a third of the soups all points are in a plane. In another third some triangles are repeated. */
static void loose(vp_model *model, vp_random *random)
{
    const uint32_t points = 1 + vp_random_below(random, 20), triangles = vp_random_below(random, 60), most = 2 + vp_random_below(random, 4);
    const uint32_t how = vp_random_below(random, 3), line = vp_random_below(random, 4);
    for (uint32_t i = 0; i < points; i++) {
        const double x = vp_random_below(random, most), y = vp_random_below(random, most), z = vp_random_below(random, most);
        vp_model_point(model, x, how == 0 && line == 0 ? x : y, how == 0 ? x : z);
    }
    for (uint32_t i = 0; !model->failed && i < triangles; i++) {
        const uint32_t a = vp_random_below(random, points), b = vp_random_below(random, points), c = vp_random_below(random, points);
        const uint32_t again = vp_random_below(random, 8);
        const uint32_t *old = model->triangle != NULL ? model->triangle[model->triangles / 2] : NULL;
        if (how == 1 && again == 0 && model->triangles > 0)
            vp_model_triangle(model, old[1], old[2], old[0]);
        else
            vp_model_triangle(model, a, b, c);
    }
}

/* Some of the cells of a lattice. */
static void cells(vp_model *model, bool mended, vp_random *random)
{
    enum { EDGE = 3, CELLS = EDGE * EDGE * EDGE };
    const uint32_t share = 1 + vp_random_below(random, 4);
    vp_model_box box[CELLS + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < CELLS; i++) {
        const double x = i % EDGE, y = i / EDGE % EDGE, z = i / EDGE / EDGE;
        if (vp_random_below(random, 5) < share)
            box[count++] = (vp_model_box){{x, y, z}, {x + 1, y + 1, z + 1}, false};
    }
    if (count > 0)
        vp_model_boxes(model, box, count, &(vp_model_lattice){.grain = {1, 1, 1}, .mended = mended});
}

/* Removes some triangles, and flips some in half of the soups. */
static void spoil(vp_model *model, vp_random *random)
{
    const uint32_t turned = vp_random_below(random, 2);
    uint32_t kept = 0;
    for (uint32_t i = 0; !model->failed && i < model->triangles; i++) {
        const uint32_t how = vp_random_below(random, 16), a = model->triangle[i][0], b = model->triangle[i][1], c = model->triangle[i][2];
        if (how == 0)
            continue;
        model->triangle[kept][0] = a;
        model->triangle[kept][1] = how == turned ? c : b;
        model->triangle[kept++][2] = how == turned ? b : c;
    }
    model->triangles = model->failed ? model->triangles : kept;
}

void vp_soup_make(vp_model *model, uint32_t kind, vp_random *random)
{
    static const double scales[] = {1.0, 100.0, 0.001, 1000.0, 1e-20, 1e10};
    placing at;
    at.by = scales[vp_random_below(random, sizeof scales / sizeof scales[0])];
    at.away = vp_random_below(random, 4) == 0 ? 1000.0 : 0.0;
    if (kind % KINDS < 2)
        loose(model, random);
    else
        cells(model, kind % KINDS == 2 || vp_random_below(random, 2) == 0, random);
    if (kind % KINDS == 3)
        spoil(model, random);
    const bool shaken = vp_random_below(random, 3) == 0;
    for (uint32_t i = 0; shaken && !model->failed && i < model->points * 3; i++)
        model->point[i / 3][i % 3] += 1e-5 * ((double)vp_random_unit(random) - 0.5);
    vp_model_move(model, 0, put, &at);
}
