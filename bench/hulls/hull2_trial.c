/* SPDX-License-Identifier: MIT */
#include "bench/hulls/hull2_trial.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/kernels.h>

#include "host/subprocess.h"
#include "src/core/error.h"
#include "src/core/memory.h"

const vp_hull2_peer *const vp_hull2_peers[] = {
#ifdef VP_BENCH_QHULL
    &vp_hull2_peer_qhull,
#endif
#ifdef VP_BENCH_CGAL
    &vp_hull2_peer_cgal,
#endif
    NULL};

/* The shadow along one axis is in the plane of the two others. */
static void plane_of(uint32_t along, uint32_t axis[2])
{
    axis[0] = (along + 1) % 3;
    axis[1] = (along + 2) % 3;
}

/* ---- the reference ---- */

void vp_hull2_shadows_destroy(vp_hull2_shadows *shadows)
{
    for (int k = 0; k < 3; k++)
        free(shadows->of[k].corner);
    *shadows = (vp_hull2_shadows){0};
}

vp_status vp_hull2_shadows_make(const vp_vec3 *point, uint32_t count, vp_hull2_shadows *out, vp_error *error)
{
    vp_allocator a = vp_allocator_default();
    const size_t scratch_bytes = vp_hull2_scratch_bytes(count);
    void *scratch = vp_allocate(&a, scratch_bytes, 1);
    uint32_t *corner = malloc((size_t)count * sizeof *corner);
    bool all = scratch != NULL && corner != NULL;
    *out = (vp_hull2_shadows){0};
    for (uint32_t k = 0; all && k < 3; k++) {
        vp_hull2_job build = {.point = point, .count = count, .most_work = UINT64_MAX, .scratch = scratch, .corner = corner};
        plane_of(k, build.axis);
        vp_hull2_polygon *p = &out->of[k];
        p->corners = vp_hull2_scalar(&build).corners;
        p->corner = malloc((size_t)p->corners * sizeof *p->corner);
        all = p->corner != NULL;
        for (uint32_t c = 0; all && c < p->corners; c++) {
            const vp_vec3 at = point[corner[c]];
            const float of[3] = {at.x, at.y, at.z};
            for (int i = 0; i < 2; i++)
                p->corner[c][i] = (double)of[build.axis[i]];
        }
    }
    vp_release(&a, scratch, scratch_bytes, 1);
    free(corner);
    if (all)
        return VP_OK;
    vp_hull2_shadows_destroy(out);
    return vp_fail(error, VP_E_MEMORY, "no memory for the polygons of %u points", count);
}

/* ---- a library ---- */

bool vp_hull2_work_make(const vp_hull2_peer *peer, const vp_vec3 *point, uint32_t count, vp_hull2_work *out)
{
    bool all = true;
    *out = (vp_hull2_work){.peer = peer};
    for (uint32_t k = 0; all && k < 3; k++) {
        uint32_t axis[2];
        plane_of(k, axis);
        out->of[k] = peer->make(point, count, axis);
        all = out->of[k] != NULL;
    }
    if (!all)
        vp_hull2_work_drop(out);
    return all;
}

void vp_hull2_work_run(vp_hull2_work *work)
{
    for (int k = 0; k < 3; k++)
        work->made[k] = work->peer->run(work->of[k]);
}

void vp_hull2_work_drop(vp_hull2_work *work)
{
    for (int k = 0; k < 3; k++)
        work->peer->drop(work->of[k]);
    *work = (vp_hull2_work){.peer = work->peer};
}

/* ---- beside each other ---- */

/* Which of a polygon's first so many corners is in a place; `corners` if none is. */
static uint32_t find(const vp_hull2_polygon *polygon, uint32_t corners, const double place[2])
{
    uint32_t i = 0;
    while (i < corners && !(polygon->corner[i][0] == place[0] && polygon->corner[i][1] == place[1]))
        i++;
    return i;
}

void vp_hull2_compare(const vp_hull2_polygon *reference, const vp_hull2_polygon *made, vp_hull2_found *found)
{
    uint32_t first = UINT32_MAX, last = 0, descents = 0;
    found->wanted += reference->corners;
    found->corners += made->corners;
    for (uint32_t i = 0; i < reference->corners; i++)
        found->missing += find(made, made->corners, reference->corner[i]) == made->corners;
    for (uint32_t i = 0; i < made->corners; i++) {
        const uint32_t at = find(reference, reference->corners, made->corner[i]);
        if (at == reference->corners || find(made, i, made->corner[i]) != i) {
            found->extra++;
            continue;
        }
        if (first == UINT32_MAX)
            first = at;
        else
            descents += at < last;
        last = at;
    }
    descents += first != UINT32_MAX && first < last;
    found->turned += descents > 1;
}

bool vp_hull2_look(const vp_hull2_work *work, const vp_hull2_shadows *reference, vp_hull2_found *out)
{
    *out = (vp_hull2_found){0};
    for (int k = 0; k < 3; k++) {
        vp_hull2_polygon made = {0};
        if (!work->made[k]) {
            out->refused++;
            continue;
        }
        const bool told = work->peer->corners(work->of[k], &made);
        if (told)
            vp_hull2_compare(&reference->of[k], &made, out);
        free(made.corner);
        if (!told)
            return false;
    }
    return true;
}

bool vp_hull2_is_equal(const vp_hull2_found *found)
{
    return found->refused == 0 && found->missing == 0 && found->extra == 0 && found->turned == 0;
}

/* ---- in a process of its own ---- */

typedef struct trial {
    const vp_hull2_peer *peer;
    const vp_vec3 *point;
    uint32_t count;
    const vp_hull2_shadows *reference;
    vp_hull2_work work;
    bool made;
} trial;

/* What is told of it. */
typedef struct news {
    bool looked; /* not without memory */
    vp_hull2_found found;
} news;

static void make_polygons(void *context)
{
    trial *t = context;
    t->made = vp_hull2_work_make(t->peer, t->point, t->count, &t->work);
    if (t->made)
        vp_hull2_work_run(&t->work);
}

static void look(void *context, void *answer)
{
    const trial *t = context;
    news n = {0};
    n.looked = t->made && vp_hull2_look(&t->work, t->reference, &n.found);
    memcpy(answer, &n, sizeof n);
}

vp_status vp_hull2_try(const vp_hull2_peer *peer, const vp_vec3 *point, uint32_t count, const vp_hull2_shadows *reference, unsigned seconds,
                       vp_hull2_trial *out, vp_error *error)
{
    trial t = {.peer = peer, .point = point, .count = count, .reference = reference};
    const vp_apart apart = {.name = peer->name, .context = &t, .work = make_polygons, .look = look, .answer_bytes = sizeof(news)};
    news n = {0};
    vp_apart_end end;
    *out = (vp_hull2_trial){.outcome = VP_HULL_VALID};
    const vp_status status = vp_apart_run(&apart, seconds, &n, &end, &out->signal, error);
    if (status != VP_OK)
        return status;
    if (end != VP_APART_ENDED) {
        out->outcome = end == VP_APART_LATE ? VP_HULL_LATE : VP_HULL_CRASHED;
        return VP_OK;
    }
    if (!n.looked)
        return vp_fail(error, VP_E_MEMORY, "no memory for what %s makes of %u points", peer->name, count);
    out->found = n.found;
    out->outcome = n.found.refused == 3 ? VP_HULL_REFUSED : vp_hull2_is_equal(&n.found) ? VP_HULL_VALID : VP_HULL_FAULTY;
    return VP_OK;
}
