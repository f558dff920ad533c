/* SPDX-License-Identifier: MIT */
/* Counts how many hulls are correct, ours and other libraries', on the sets that `voxphys verify` uses. Every hull is
 * made in its own process and checked by the same validator. The report reads the output. */
#include "bench/hulls/hull_sets.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/version.h>

#include "bench/peers/judge.h"
#include "src/core/error.h"
#include "datasets/kinds/kind.h"
#include "datasets/point_sets.h"

/* ---- ours, as if it were another library ---- */

typedef struct survey_work {
    const vp_vec3 *point;
    uint32_t count;
    vp_hull hull;
    vp_vec3 *place;
} survey_work;

/* Half of the allowed error. A set within this distance of a plane, a line or a point counts as flat, straight or a
 * single place. */
static float tolerance_of(const vp_vec3 *point, uint32_t count)
{
    return (float)(VP_HULL_ALLOWED / 2 * vp_hull_extent(point, count));
}

static void *make(const vp_peer *peer, const vp_data *data)
{
    const vp_point_sets *points = data->set;
    survey_work *w = calloc(1, sizeof *w);
    if (w != NULL) {
        w->point = points->point;
        w->count = points->first[1];
    }
    return w;
}

static bool run(void *argument, uint32_t step)
{
    survey_work *w = argument;
    vp_error error;
    const vp_hull_def def = {.point = w->point, .count = w->count, .tolerance = tolerance_of(w->point, w->count)};
    vp_hull_destroy(&w->hull);
    w->hull = (vp_hull){0};
    return vp_hull_create(&def, &w->hull, &error) == VP_OK;
}

static bool answers(void *argument, uint32_t step, vp_peer_answers *out)
{
    survey_work *w = argument;
    free(w->place);
    w->place = vp_hull_places(&w->hull, w->point);
    out->place = w->place;
    out->places = w->hull.vertex_count;
    out->triangle = (const uint32_t(*)[3])w->hull.triangle;
    out->triangles = w->hull.triangle_count;
    return w->place != NULL;
}

static void drop(void *argument)
{
    survey_work *w = argument;
    vp_hull_destroy(&w->hull);
    free(w->place);
    free(w);
}

static const vp_peer ours = {.name = "voxphys",
                             .note = "vp_hull_create, the kernels that this machine is given, its tolerance half of what is allowed",
                             .row = VP_KERNEL_hull3,
                             .make = make,
                             .run = run,
                             .answers = answers,
                             .drop = drop};

/* Returns ours first, then the libraries that make hulls, then NULL. */
static const vp_peer *contender(size_t i)
{
    const vp_peer *peer = &ours;
    for (size_t p = 0; i != 0 && (peer = vp_peer_at(p)) != NULL; p++)
        i -= peer->row == VP_KERNEL_hull3;
    return peer;
}

/* "voxphys", "peer-qhull" */
typedef struct who {
    char text[40];
} who;

static who who_of(const vp_peer *peer)
{
    who out;
    snprintf(out.text, sizeof out.text, "%s%.30s", peer == &ours ? "" : "peer-", peer->name);
    return out;
}

/* ---- the sets ---- */

typedef struct survey {
    uint32_t most;
    unsigned seconds;
    json_t *trials;
    uint32_t sets;
} survey;

/* Tries one set of a family. Counts its dimensions, its vertices and the outcome of every contender. */
static vp_status try_set(survey *s, const char *family, const vp_vec3 *point, uint32_t count, double scale, double away, vp_error *error)
{
    static const char *const outcomes[] = {[VP_PEER_RIGHT] = "valid",
                                           [VP_PEER_FAULTY] = "faulty",
                                           [VP_PEER_REFUSES] = "refused",
                                           [VP_PEER_CRASHES] = "crashed",
                                           [VP_PEER_LATE] = "late"};
    static const struct {
        uint32_t bit;
        const char *name;
    } faults[] = {{VP_HULL_INDEX, "index"},
                  {VP_HULL_OPEN, "open"},
                  {VP_HULL_EULER, "euler"},
                  {VP_HULL_CONCAVE, "concave"},
                  {VP_HULL_OUTSIDE, "outside"}};
    vp_hull exact = {0};
    const vp_hull_def def = {.point = point, .count = count, .tolerance = tolerance_of(point, count)};
    uint32_t first[2] = {0, count};
    const vp_point_sets points = {1, first, (vp_vec3 *)(uintptr_t)point};
    const vp_data data = {.kind = &vp_kind_points, .set = &points};
    const vp_peer *peer;
    vp_status status = vp_hull_create(&def, &exact, error);
    for (size_t p = 0; status == VP_OK && (peer = contender(p)) != NULL; p++) {
        const vp_contest contest = {
            .judge = &vp_judge_hulls, .peer = peer, .data = &data, .right = exact.dimension < 3 ? &exact : NULL, .steps = 1};
        vp_verdict v;
        status = vp_contest_try(&contest, s->seconds, &v, error);
        if (status == VP_OK && v.outcome == VP_PEER_NO_MEMORY)
            status = vp_fail(error, VP_E_MEMORY, "no memory to look at what %s made of %u points", peer->name, count);
        if (status != VP_OK)
            break;
        json_t *row = json_pack("{s:s, s:s, s:I, s:f, s:f, s:I, s:I, s:s}", "who", who_of(peer).text, "family", family, "points",
                                (json_int_t)count, "scale", scale, "away", away, "dimension", (json_int_t)exact.dimension, "exact_vertices",
                                (json_int_t)exact.vertex_count, "outcome", outcomes[v.outcome]);
        if (v.outcome == VP_PEER_CRASHES)
            json_object_set_new(row, "signal", json_integer(v.signal));
        if (v.outcome == VP_PEER_RIGHT || v.outcome == VP_PEER_FAULTY) {
            json_t *list = json_array();
            for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++)
                if (((uint32_t)vp_verdict_counter(&v, "faults") & faults[f].bit) != 0)
                    json_array_append_new(list, json_string(faults[f].name));
            if (v.outcome == VP_PEER_FAULTY)
                json_object_set(row, "faults", list);
            json_decref(list);
            json_object_set_new(row, "vertices", json_integer((json_int_t)vp_verdict_counter(&v, "vertices")));
            json_object_set_new(row, "outside_of_extent", json_real(vp_verdict_counter(&v, "outside_of_extent")));
        }
        if (row == NULL || json_array_append_new(s->trials, row) != 0)
            status = vp_fail(error, VP_E_MEMORY, "no memory for the results");
    }
    vp_hull_destroy(&exact);
    s->sets++;
    return status;
}

/* Tries all requested sets of a family. They are ordered by count, each at all scales and places. */
static vp_status try_family(survey *s, const vp_manifest *manifest, const char *family, vp_error *error)
{
    enum { PLACES = VP_POINT_SETS_SCALES * VP_POINT_SETS_PLACES };
    vp_store *store = NULL;
    const vp_data *data;
    vp_status status = vp_store_create(manifest, 0, &store, error);
    if (status == VP_OK)
        status = vp_store_open(store, &vp_kind_points, family, &data, error);
    const vp_point_sets *sets = status == VP_OK ? data->set : NULL;
    for (uint32_t i = 0; status == VP_OK && i < sets->count; i++) {
        const double scale = (double)vp_point_sets_scale[i % PLACES / VP_POINT_SETS_PLACES];
        const double away = (double)vp_point_sets_place[i % VP_POINT_SETS_PLACES];
        if (vp_point_sets_size(i / PLACES) <= s->most)
            status = try_set(s, family, sets->point + sets->first[i], sets->first[i + 1] - sets->first[i], scale, away, error);
    }
    vp_store_destroy(store);
    return status;
}

static json_t *list_peers(void)
{
    const vp_peer *peer;
    json_t *list = json_array();
    for (size_t p = 0; (peer = contender(p)) != NULL; p++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "who", who_of(peer).text, "version",
                                              p == 0 ? vp_version_string() : peer->version, "note", peer->note));
    return list;
}

/* Writes a line per trial. */
static bool write_all(const survey *s, const json_t *about)
{
    size_t i;
    const json_t *row;
    bool good =
        fputs("{\"about\": ", stdout) != EOF && json_dumpf(about, stdout, JSON_COMPACT) == 0 && fputs(",\n\"trials\": [", stdout) != EOF;
    json_array_foreach (s->trials, i, row)
        good = good && fputs(i == 0 ? "\n" : ",\n", stdout) != EOF && json_dumpf(row, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0;
    return good && fputs("\n]}\n", stdout) != EOF && fflush(stdout) == 0;
}

vp_status vp_hull_survey(uint32_t most, unsigned seconds, vp_error *error)
{
    vp_manifest *manifest = NULL;
    survey s = {most, seconds, json_array(), 0};
    vp_status status = vp_manifest_open(NULL, &manifest, error);
    for (size_t d = 0; status == VP_OK && d < vp_manifest_count(manifest); d++) {
        const vp_dataset *set = vp_manifest_entry(manifest, d);
        if (set->kind == &vp_kind_points && !set->on_demand)
            status = try_family(&s, manifest, set->name, error);
    }
    if (status == VP_OK) {
        json_t *about =
            json_pack("{s:I, s:I, s:f, s:f, s:I, s:o}", "most_points", (json_int_t)most, "seconds", (json_int_t)seconds,
                      "allowed_of_extent", VP_HULL_ALLOWED, "sliver", VP_HULL_SLIVER, "sets", (json_int_t)s.sets, "who", list_peers());
        if (about == NULL || !write_all(&s, about))
            status = vp_fail(error, VP_E_IO, "the results cannot be written");
        json_decref(about);
    }
    json_decref(s.trials);
    if (manifest != NULL)
        vp_manifest_close(manifest);
    return status;
}
