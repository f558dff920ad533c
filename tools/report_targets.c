/* SPDX-License-Identifier: MIT */
/* What the project asks of its kernels, and what a machine reaches. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

typedef enum against {
    AGAINST_SCALAR,
    AGAINST_READ, /* the memory: reading the world once */
    AGAINST_PEER, /* the fastest of those whose names begin so */
    MOST_BYTES,   /* no more bytes a triangle than this */
    MOST_US,      /* no more microseconds an item */
    MOST_MS,      /* no more milliseconds an item */
    MOST_SPHERES, /* no more than so many times the time of the hull of a sphere of as many points */
    VERTICES,     /* exactly so many vertices of a hull */
    FACES,
    CORNERS       /* vertices that are corners of faces */
} against;

/* One target. `data` are data sets, or the part of their names after the slash ("boxes-small": of every
   world), or none for every one; judged is the data set on which the kernel does worst. `who` NULL: the
   version that this machine's processor is given when nobody chooses. */
typedef struct target {
    const char *what, *kernel, *data[2], *who;
    against against;
    double asked;
    const char *peer, *suffix; /* of the version's name; NULL: none */
} target;

static const target targets[] = {
    {"world build in the L2 cache, AVX2", "dilate_world", {"terrain-l2"}, "avx2", AGAINST_SCALAR, 25, NULL, NULL},
    {"world build in the L2 cache, AVX-512", "dilate_world", {"terrain-l2"}, "avx512", AGAINST_SCALAR, 35, NULL, NULL},
    {"world build in the L3 cache", "dilate_world", {"terrain-l3", "luanti"}, NULL, AGAINST_READ, 0.50, NULL, NULL},
    {"world build in DRAM", "dilate_world", {"terrain-dram"}, NULL, AGAINST_READ, 0.60, NULL, NULL},
    {"one chunk after an edit", "dilate_chunk", {NULL}, NULL, AGAINST_SCALAR, 10, NULL, NULL},
    {"overlap of one box, small boxes", "overlap_one", {"boxes-small"}, NULL, AGAINST_SCALAR, 1.8, NULL, NULL},
    {"overlap of one box, medium boxes", "overlap_one", {"boxes-medium"}, NULL, AGAINST_SCALAR, 2.5, NULL, NULL},
    {"overlap of a batch, small boxes", "overlap_batch", {"boxes-small"}, NULL, AGAINST_SCALAR, 3, NULL, NULL},
    {"overlap of a batch, medium boxes", "overlap_batch", {"boxes-medium"}, NULL, AGAINST_SCALAR, 4.5, NULL, NULL},
    {"surface of a chunk of terrain", "mesh_chunk", {"terrain-l2", "terrain-l3"}, NULL, AGAINST_SCALAR, 6, NULL, NULL},
    {"trees of chunks", "kd_build", {"chunks", "chunks-luanti"}, NULL, AGAINST_PEER, 5, "peer-embree-low", "-create"},
    {"trees of chunks", "kd_build", {"chunks", "chunks-luanti"}, NULL, AGAINST_PEER, 12, "peer-bullet", "-create"},
    {"nodes of the published form", "kd_build", {NULL}, "scalar-published", MOST_BYTES, 13.5, NULL, NULL},
    {"nodes of the slab form", "kd_build", {NULL}, "scalar-slab", MOST_BYTES, 18.5, NULL, NULL},
    {"coherent rays at a world, AVX2", "kd_ray", {"world-230k/coherent", "world-luanti/coherent"}, "avx2", AGAINST_PEER, 1.0, "peer-embree", NULL},
    {"incoherent rays at a world", "kd_ray", {"world-230k/incoherent", "world-luanti/incoherent"}, NULL, AGAINST_PEER, 0.9, "peer-embree", NULL},
    {"coherent rays in packets of 16", "kd_ray16", {"world-230k/coherent", "world-luanti/coherent"}, NULL, AGAINST_PEER, 1.5, "peer-embree", NULL},
    {"coherent rays at chunks", "kd_ray", {"chunks/coherent", "chunks-luanti/coherent"}, NULL, AGAINST_PEER, 1.0, "peer-embree", NULL},
    {"each ray at another chunk", "kd_ray", {"chunks/cold", "chunks-luanti/cold"}, NULL, AGAINST_PEER, 1.0, "peer-embree", NULL},
    {"boxes of 1.5 voxels in chunks", "kd_box", {"chunks/box-1.5", "chunks-luanti/box-1.5"}, NULL, AGAINST_PEER, 2, "peer-bullet-quantized", NULL},
    {"mesh and tree of chunks, packed form", "kd_build", {"chunks", "chunks-luanti"}, NULL, MOST_BYTES, 15.5, NULL, "-create-packed"},
    {"goal: mesh and tree of chunks, implied form", "kd_build", {"chunks", "chunks-luanti"}, NULL, MOST_BYTES, 8, NULL, "-create-implied"},
    {"edit of a voxel to the first ray", "edit_to_ray", {"voxel"}, NULL, AGAINST_PEER, 5, "peer-embree", NULL},
    {"goal: edit of a voxel to the first ray", "edit_to_ray", {"voxel"}, NULL, MOST_US, 5, NULL, NULL},
    {"hull of a ball of 16", "hull3", {"ball/16"}, NULL, MOST_US, 2.5, NULL, NULL},
    {"goal: hull of a ball of 16", "hull3", {"ball/16"}, NULL, MOST_US, 1.5, NULL, NULL},
    {"hull of a ball of 64", "hull3", {"ball/64"}, NULL, MOST_US, 10, NULL, NULL},
    {"goal: hull of a ball of 64", "hull3", {"ball/64"}, NULL, MOST_US, 6, NULL, NULL},
    {"hulls of balls of 1,000 and 10,000", "hull3", {"ball/1000", "ball/10000"}, NULL, AGAINST_PEER, 10, "peer-qhull", NULL},
    {"goal: hulls of balls of 1,000 and 10,000", "hull3", {"ball/1000", "ball/10000"}, NULL, AGAINST_PEER, 15, "peer-qhull", NULL},
    {"hull of a ball of 100,000", "hull3", {"ball/100000"}, NULL, AGAINST_PEER, 15, "peer-qhull", NULL},
    {"goal: hull of a ball of 100,000", "hull3", {"ball/100000"}, NULL, AGAINST_PEER, 30, "peer-qhull", NULL},
    {"hull of a ball of 1,000,000", "hull3", {"ball/1000000"}, NULL, AGAINST_PEER, 12, "peer-qhull", NULL},
    {"goal: hull of a ball of 1,000,000", "hull3", {"ball/1000000"}, NULL, AGAINST_PEER, 50, "peer-qhull", NULL},
    {"hull of a sphere of 10,000", "hull3", {"sphere/10000"}, NULL, AGAINST_PEER, 3.3, "peer-qhull", NULL},
    {"goal: hull of a sphere of 10,000", "hull3", {"sphere/10000"}, NULL, AGAINST_PEER, 5, "peer-qhull", NULL},
    {"hull of a cylinder of 10,000, two big caps", "hull3", {"cylinder/10000"}, NULL, MOST_MS, 3, NULL, NULL},
    {"goal: hull of a cylinder of 10,000, two big caps", "hull3", {"cylinder/10000"}, NULL, MOST_MS, 1, NULL, NULL},
    {"vertices of that cylinder, all of its rims", "hull3", {"cylinder/10000"}, NULL, VERTICES, 6667, NULL, NULL},
    {"hull of a turned grid of 10,000 on a cube", "hull3", {"cube-grid-turned/10000"}, NULL, AGAINST_PEER, 10, "peer-qhull", NULL},
    {"goal: hull of a turned grid of 10,000 on a cube", "hull3", {"cube-grid-turned/10000"}, NULL, AGAINST_PEER, 20, "peer-qhull", NULL},
    {"faces of that grid", "hull3", {"cube-grid-turned/10000"}, NULL, FACES, 6, NULL, NULL},
    {"corners of that grid", "hull3", {"cube-grid-turned/10000"}, NULL, CORNERS, 8, NULL, NULL},
    {"hull of the armadillo, 26,002", "hull3", {"armadillo/26002"}, NULL, AGAINST_PEER, 10, "peer-qhull", NULL},
    {"goal: hull of the armadillo, 26,002", "hull3", {"armadillo/26002"}, NULL, AGAINST_PEER, 20, "peer-qhull", NULL},
    {"hull of any family", "hull3", {NULL}, NULL, MOST_SPHERES, 4, NULL, NULL},
};

enum { TARGETS = sizeof targets / sizeof targets[0] };

/* The worst and the best of the data sets that a target is about. */
typedef struct outcome {
    double worst, best;
    const vp_measured *at; /* the worst; NULL: not measured */
    const char *who;
    size_t count;
} outcome;

static bool is_about(const target *t, const char *data)
{
    const char *slash = strchr(data, '/');
    for (size_t i = 0; i < 2 && t->data[i] != NULL; i++)
        if (strcmp(data, t->data[i]) == 0 || (slash != NULL && strcmp(slash + 1, t->data[i]) == 0))
            return true;
    return t->data[0] == NULL;
}

/* The fastest of the peers whose names begin with the target's. */
static double fastest_peer(const vp_bench *bench, const char *kernel, const char *peer, const char *data)
{
    double fastest = NAN;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (m->kind == VP_WHO_PEER && strcmp(m->kernel, kernel) == 0 && strncmp(m->who, peer, strlen(peer)) == 0 &&
            strcmp(m->data, data) == 0)
            fastest = fmin(fastest, vp_measured_ns(m));
    }
    return fastest;
}

/* The time of a hull over that of the sphere of as many points: "cube/1000" over "sphere/1000". */
static double over_sphere(const vp_bench *bench, const vp_measured *m)
{
    char data[64];
    snprintf(data, sizeof data, "sphere%.40s", m->data + strcspn(m->data, "/"));
    return vp_measured_ns(m) / vp_measured_ns(vp_bench_find(bench, m->kernel, m->who, data));
}

/* What is reached on one data set; of bytes the bytes. */
static double reached_on(const target *t, const vp_result *r, const vp_bench *bench, const vp_measured *m)
{
    switch (t->against) {
    case AGAINST_SCALAR: return vp_faster_scalar(r, m->kernel, m->data) / vp_measured_ns(m);
    case AGAINST_READ: return vp_measured_ns(vp_bench_find(bench, "stream_read", "limit", m->data)) / vp_measured_ns(m);
    case AGAINST_PEER: return fastest_peer(bench, m->kernel, t->peer, m->data) / vp_measured_ns(m);
    case MOST_US: return vp_measured_ns(m) / 1e3;
    case MOST_MS: return vp_measured_ns(m) / 1e6;
    case MOST_SPHERES: return over_sphere(bench, m);
    case VERTICES: return m->counter[VP_HULL_VERTICES];
    case FACES: return m->counter[VP_HULL_FACES];
    case CORNERS: return m->counter[VP_HULL_CORNERS];
    case MOST_BYTES: break;
    }
    return m->counter[VP_BYTES_PER_TRIANGLE];
}

/* Whether less is better. */
static bool is_less(const target *t)
{
    return t->against == MOST_BYTES || t->against == MOST_US || t->against == MOST_MS || t->against == MOST_SPHERES;
}

static bool is_count(const target *t)
{
    return t->against == VERTICES || t->against == FACES || t->against == CORNERS;
}

static bool is_enough(const target *t, double reached)
{
    if (is_count(t))
        return !(reached < t->asked) && !(reached > t->asked) && !isnan(reached);
    return is_less(t) ? reached <= t->asked : reached >= t->asked;
}

static bool is_by(const vp_measured *m, const char *who, const char *suffix)
{
    const size_t length = strlen(who);
    return strncmp(m->who, who, length) == 0 && strcmp(m->who + length, suffix != NULL ? suffix : "") == 0;
}

/* What was measured of ours and not of the peer is no row to leave out. */
static outcome judge(const target *t, const vp_result *r)
{
    bool alone = false;
    const char *who[VP_VERSIONS_MOST];
    size_t versions = vp_versions_of(&r->bench, who);
    outcome o = {NAN, NAN, NULL, t->who, 0};
    if (o.who == NULL && versions != 0)
        o.who = who[versions - 1];
    const vp_bench *bench = t->against == AGAINST_READ ? vp_limits_of(r) : &r->bench;
    for (size_t i = 0; o.who != NULL && i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, t->kernel) != 0 || !is_by(m, o.who, t->suffix) || !is_about(t, m->data))
            continue;
        double ratio = reached_on(t, r, bench, m);
        alone = alone || (isnan(ratio) && t->against == AGAINST_PEER);
        if (isnan(ratio))
            continue;
        const bool less = is_less(t);
        o.count++;
        o.best = less ? fmin(o.best, ratio) : fmax(o.best, ratio);
        if (less ? !(o.worst >= ratio) : !(o.worst <= ratio)) {
            o.worst = ratio;
            o.at = m;
        }
    }
    if (alone)
        return (outcome){NAN, NAN, NULL, o.who, 0};
    return o;
}

/* Where it is going: shown, but not counted among what is asked for. */
static bool is_goal(const target *t)
{
    return strncmp(t->what, "goal: ", 6) == 0;
}

static vp_figure figure_of(const target *t, double value)
{
    if (is_count(t)) {
        vp_figure f;
        snprintf(f.text, sizeof f.text, "%.0f", value);
        return f;
    }
    return t->against == AGAINST_READ || (is_less(t) && t->against != MOST_SPHERES) ? vp_figure_of(value) : vp_figure_times(value);
}

/* Whether another measurement might say otherwise. Counts and bytes are what they are. */
static bool is_near(const target *t, double reached, double noise)
{
    return !is_count(t) && t->against != MOST_BYTES && reached > 0 && fabs(log(reached / t->asked)) < log(1 + noise);
}

static const char *verdict_of(const target *t, double reached, double noise)
{
    const bool enough = is_enough(t, reached), near = is_near(t, reached, noise);
    return enough ? (near ? "yes, by little" : "yes") : near ? "no, by little" : "no";
}

void vp_targets_count(const vp_result *r, size_t *asked, size_t *reached, size_t *by_little)
{
    const double noise = vp_noise_of(&r->bench).typical;
    *asked = *reached = *by_little = 0;
    for (size_t t = 0; t < TARGETS; t++) {
        if (is_goal(&targets[t]))
            continue;
        outcome o = judge(&targets[t], r);
        *asked += o.at != NULL;
        *reached += is_enough(&targets[t], o.worst);
        *by_little += is_enough(&targets[t], o.worst) && is_near(&targets[t], o.worst, noise);
    }
}

static void row_of_target(vp_page *page, const target *t, const outcome *o, double noise)
{
    static const char *const of[] = {[AGAINST_SCALAR] = " the faster scalar", [AGAINST_READ] = " of the read stream",
                                     [AGAINST_PEER] = " ", [MOST_BYTES] = " bytes a triangle at most", [MOST_US] = " µs at most",
                                     [MOST_MS] = " ms at most", [MOST_SPHERES] = " a sphere of as many points at most",
                                     [VERTICES] = ", exactly", [FACES] = ", exactly", [CORNERS] = ", exactly"};
    const bool bullets = t->peer != NULL && strcmp(t->peer, "peer-bullet") == 0;
    const bool lows = t->peer != NULL && strcmp(t->peer, "peer-embree-low") == 0;
    const bool embrees = t->peer != NULL && strcmp(t->peer, "peer-embree") == 0;
    vp_table_row(page);
    vp_table_cell(page, "%s", t->what);
    vp_table_cell(page, "%s%s%s", figure_of(t, t->asked).text, of[t->against],
                  bullets   ? "the faster peer-bullet"
                  : embrees ? "the fastest peer-embree"
                  : lows    ? "the faster peer-embree-low"
                  : t->peer != NULL ? t->peer
                                    : "");
    if (o->at == NULL) {
        vp_table_cell(page, "not measured");
        vp_table_cell(page, "-");
        vp_table_cell(page, "-");
        vp_table_cell(page, "-");
        return;
    }
    vp_table_cell(page, "%s", figure_of(t, o->worst).text);
    vp_table_mark(page, is_enough(t, o->worst));
    vp_table_cell(page, "%s", verdict_of(t, o->worst, noise));
    vp_table_cell(page, "%s", o->at->who);
    if (o->count > 1 && t->against == MOST_SPHERES) /* the best is a set without vertices to speak of */
        vp_table_cell(page, "%s, the worst of %zu", o->at->data, o->count);
    else if (o->count > 1)
        vp_table_cell(page, "%s, the worst of %zu; best %s", o->at->data, o->count, vp_figure_of(o->best).text);
    else
        vp_table_cell(page, "%s", o->at->data);
}

void vp_section_targets(vp_page *page, const vp_result *r)
{
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Asked for and reached");
    if (r->bench.json == NULL) {
        vp_page_say(page, VP_IN_BOTH, "Unknown: there is no bench.json.");
        return;
    }
    vp_page_say(page, VP_IN_BOTH,
                "Speed-ups are over %s, or over another library on the same data and questions. A share of "
                "the read stream is the time to read the world once, divided by the time of the build. Goals are where it is going, and are not "
                "counted among what is asked for.",
                r->clang.json != NULL ? "the faster of the two compilers' scalar reference"
                                      : "the scalar reference of the one compiler that was measured");
    vp_table_begin(page, VP_IN_BOTH, "targets");
    vp_table_column(page, false, "what");
    vp_table_column(page, false, "asked for");
    vp_table_column(page, true, "reached");
    vp_table_column(page, false, "enough");
    vp_table_column(page, false, "version");
    vp_table_column(page, false, "data set");
    const double noise = vp_noise_of(&r->bench).typical; /* NaN: unknown, and nothing is near */
    for (size_t t = 0; t < TARGETS; t++) {
        outcome o = judge(&targets[t], r);
        row_of_target(page, &targets[t], &o, noise);
    }
    vp_table_end(page);
}

void vp_section_notes(vp_page *page, const vp_result *r)
{
    if (r->notes == NULL)
        return;
    vp_page_heading(page, VP_IN_HTML, 3, NULL, "Notes");
    vp_page_notes(page, r->notes);
}
