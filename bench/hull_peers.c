/* SPDX-License-Identifier: MIT */
/* Hulls by other libraries. What one makes is looked at by our validator before it is timed; its faults are told in the label and in
 * counters, and do not keep it from being timed: how often a library fails is a result. One that refuses points has an error. */
#include "bench/suite.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <voxphys/hull.h>

#include "bench/hull_sets.h"
#include "bench/peers/hull_peer.h"
#include "core/error.h"

static const vp_hull_peer *const peers[] = {
#ifdef VP_BENCH_QHULL
    &vp_hull_peer_qhull,
#endif
#ifdef VP_BENCH_CGAL
    &vp_hull_peer_cgal,
#endif
#ifdef VP_BENCH_BULLET
    &vp_hull_peer_bullet,
#endif
    NULL};

/* Of 1e-5 of the extent, which is what is called valid; faces whose height is under 1e-5 of their length have no plane to speak of. */
static const double OUTSIDE = 1e-5, SLIVER = 1e-5;

typedef struct peer_entry {
    vp_suite *suite;
    const vp_hull_peer *peer;
    const char *family, *count;
    bool tried;
    vp_error verdict; /* of trying */
} peer_entry;

enum { MOST_SECONDS = 10 };

static double extent_of(const vp_point_sets *sets)
{
    vp_hull_bounds b;
    vp_hull_bounds_scalar(sets->point, sets->first[1], &b);
    const double side[3] = {(double)b.max.x - (double)b.min.x, (double)b.max.y - (double)b.min.y, (double)b.max.z - (double)b.min.z};
    return fmax(fmax(side[0], side[1]), side[2]);
}

/* The peer's hull among the points and its own places. */
static vp_status look(const vp_point_sets *sets, const vp_hull_peer_mesh *m, vp_hull_verdict *v, vp_error *error)
{
    const uint32_t count = sets->first[1];
    vp_vec3 *point = malloc(((size_t)count + m->places) * sizeof *point);
    if (point == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to look at a hull of %u points", count);
    memcpy(point, sets->point, (size_t)count * sizeof *point);
    memcpy(point + count, m->place, (size_t)m->places * sizeof *point);
    for (uint32_t t = 0; t < m->triangles; t++)
        for (int k = 0; k < 3; k++)
            m->triangle[t][k] += count;
    const vp_hull_subject subject = {.point = point, .count = count + m->places, .triangle = (const uint32_t(*)[3])m->triangle,
                                     .triangle_count = m->triangles, .allowed = OUTSIDE * extent_of(sets), .sliver = SLIVER};
    const vp_status status = vp_hull_validate(&subject, v, error);
    free(point);
    return status;
}

static void name_faults(const vp_hull_verdict *v, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s%s%s%s", (v->faults & VP_HULL_OPEN) != 0 ? "open " : "", (v->faults & VP_HULL_EULER) != 0 ? "euler " : "",
             (v->faults & VP_HULL_CONCAVE) != 0 ? "concave " : "", (v->faults & VP_HULL_OUTSIDE) != 0 ? "outside " : "");
    if (text[0] == '\0')
        snprintf(text, bytes, "none ");
}

static void tell(vp_bench_state *state, const peer_entry *e, const vp_point_sets *sets, const vp_hull_verdict *v)
{
    char faults[64], label[320];
    name_faults(v, faults, sizeof faults);
    snprintf(label, sizeof label, "hulls faults=%s; %s; %s", faults, e->peer->version, e->peer->note);
    vp_bench_label(state, label);
    vp_bench_items(state, vp_bench_iterations(state));
    vp_bench_counter(state, "faults", (double)v->faults);
    vp_bench_counter(state, "vertices", (double)v->vertices);
    vp_bench_counter(state, "outside_of_extent", v->outside / extent_of(sets));
}

/* Whether a peer comes to an end with these points, in a process of its own, that is stopped after some time. */
static vp_status try_peer(const vp_hull_peer *peer, const vp_workload *workload, vp_error *error)
{
    const pid_t child = fork();
    int told = 0;
    if (child == 0) {
        alarm(MOST_SECONDS);
        void *work = peer->make(workload->points.point, workload->points.first[1]);
        _exit(work != NULL && peer->run(work) ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &told, 0) != child)
        return vp_fail(error, VP_E_IO, "no process for %s", peer->name);
    if (WIFSIGNALED(told) && WTERMSIG(told) == SIGALRM)
        return vp_fail(error, VP_E_UNSUPPORTED, "%s takes more than %d s", peer->name, MOST_SECONDS);
    if (WIFSIGNALED(told))
        return vp_fail(error, VP_E_UNSUPPORTED, "%s crashes (signal %d)", peer->name, WTERMSIG(told));
    return WEXITSTATUS(told) == 0 ? VP_OK : vp_fail(error, VP_E_UNSUPPORTED, "%s refuses these points", peer->name);
}

static void run_peer(vp_bench_state *state, void *context)
{
    peer_entry *e = context;
    vp_workload workload;
    vp_hull_peer_mesh mesh = {0};
    vp_hull_verdict verdict;
    vp_error error;
    if (vp_suite_workload(e->suite, e->family, e->count, &workload, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    void *work = NULL;
    vp_status status = VP_OK;
    if (!e->tried) {
        e->tried = true;
        e->verdict.status = try_peer(e->peer, &workload, &e->verdict);
    }
    if (e->verdict.status != VP_OK) {
        vp_bench_skip(state, e->verdict.message); /* which is an answer, and none of ours */
        return;
    }
    work = e->peer->make(workload.points.point, workload.points.first[1]);
    if (work == NULL)
        status = vp_fail(&error, VP_E_MEMORY, "no memory for %s on %s", e->peer->name, workload.name);
    else if (!e->peer->run(work))
        status = vp_fail(&error, VP_E_UNSUPPORTED, "%s refuses these points", e->peer->name);
    else if (!e->peer->mesh(work, &mesh))
        status = vp_fail(&error, VP_E_MEMORY, "no memory for the hull of %s", e->peer->name);
    else if (mesh.triangles == 0)
        status = vp_fail(&error, VP_E_UNSUPPORTED, "%s makes no triangle of these points", e->peer->name);
    if (status == VP_OK)
        status = look(&workload.points, &mesh, &verdict, &error);
    if (status == VP_OK) {
        while (vp_bench_next(state))
            e->peer->run(work);
        tell(state, e, &workload.points, &verdict);
    } else {
        vp_bench_skip(state, error.message);
    }
    free(mesh.place);
    free(mesh.triangle);
    e->peer->drop(work);
}

void vp_suite_add_hull_peers(vp_suite *suite)
{
    for (const vp_hull_peer *const *peer = peers; *peer != NULL; peer++)
        for (size_t i = 0; i < vp_hull_set_count; i++) {
            peer_entry *e = vp_suite_entry(suite, sizeof *e, NULL);
            *e = (peer_entry){.suite = suite, .peer = *peer, .family = vp_hull_sets[i].family, .count = vp_hull_sets[i].count};
            char name[VP_SUITE_NAME_BYTES];
            snprintf(name, sizeof name, "hull3/peer-%s/%s/%s", (*peer)->name, e->family, e->count);
            vp_bench_register(name, run_peer, e);
        }
}
