/* SPDX-License-Identifier: MIT */
/* Sets of points for hulls, with a family at all counts, scales and places, or a single set of a family. */
#include "datasets/point_sets.h"

#include "src/core/error.h"
#include "datasets/fuzz.h"
#include "datasets/generate/points.h"
#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/manifest_data.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MIN = 4, SCALES = VP_POINT_SETS_SCALES, PLACES = VP_POINT_SETS_PLACES };

const float vp_point_sets_scale[SCALES] = {1e-5f, 1.0f, 1e6f}, vp_point_sets_place[PLACES] = {0.0f, 1000.0f};

/* 16, 64, 256, 1000, 4000, 10000, then room for further counts. */
static uint32_t next_count(uint32_t count)
{
    static const uint32_t of[] = {16, 64, 256, 1000, 4000, 10000};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (of[i] > count)
            return of[i];
    return count * 10;
}

uint32_t vp_point_sets_size(uint32_t n)
{
    uint32_t count = next_count(0);
    for (uint32_t i = 0; i < n; i++)
        count = next_count(count);
    return count;
}

/* Parses "1000" to 1000. Returns 0 if it is no whole number from 4 to VP_POINT_SETS_MAX. */
static uint32_t point_count_of(const char *text)
{
    return vp_count_in(text, MIN, VP_POINT_SETS_MAX);
}

static vp_status create(const char *name, uint32_t sets, uint64_t points, vp_point_sets *out, vp_error *error)
{
    out->first = calloc((size_t)sets + 1, sizeof *out->first);
    out->point = malloc((size_t)points * sizeof *out->point);
    if (out->first != NULL && out->point != NULL)
        return VP_OK;
    vp_point_sets_destroy(out);
    return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u sets of points", name, sets);
}

static void append(vp_point_sets *to, vp_point_family family, uint32_t count, uint64_t seed, float by, float away)
{
    const uint32_t first = to->first[to->count];
    vp_family_make(family, count, seed, by, away, to->point + first);
    to->first[++to->count] = first + vp_family_points(family, count);
}

static vp_status make_all(const vp_dataset *d, vp_point_family family, vp_point_sets *out, vp_error *error)
{
    uint32_t sets = 0;
    uint64_t points = 0;
    for (uint32_t count = next_count(0); count <= d->count; count = next_count(count)) {
        sets += SCALES * PLACES;
        points += (uint64_t)vp_family_points(family, count) * SCALES * PLACES;
    }
    VP_RETURN_IF_FAILED(create(d->name, sets, points, out, error));
    for (uint32_t count = next_count(0); count <= d->count; count = next_count(count))
        for (int s = 0; s < SCALES; s++)
            for (int p = 0; p < PLACES; p++)
                append(out, family, count, d->seed, vp_point_sets_scale[s], vp_point_sets_place[p]);
    return VP_OK;
}

static vp_status make(const vp_making *from, void **set, vp_error *error)
{
    const vp_dataset *d = from->dataset;
    const char *slash = strchr(from->name, '/');
    vp_point_family family;
    vp_point_sets *sets = *set;
    if (!vp_family_find(d->generator, &family))
        return vp_fail(error, VP_E_ARGUMENT, "data set \"%.60s\" is not made of points", d->name);
    if (slash == NULL)
        return make_all(d, family, sets, error);
    const uint32_t count = point_count_of(slash + 1);
    if (count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.80s\": after the slash comes the number of points, a whole number from %d to %d",
                       from->name, MIN, VP_POINT_SETS_MAX);
    VP_RETURN_IF_FAILED(create(from->name, 1, vp_family_points(family, count), sets, error));
    append(sets, family, count, d->seed, 1.0f, 0.0f);
    return VP_OK;
}

/* ---- the kind ---- */

/* Hashes the number of sets, and the number of points and the points of each. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_point_sets *sets = set;
    vp_hash_u32(h, sets->count);
    for (uint32_t i = 0; i < sets->count; i++) {
        const uint32_t first = sets->first[i], points = sets->first[i + 1] - first;
        vp_hash_u32(h, points);
        vp_hash_words(h, sets->point + first, (size_t)points * 3);
    }
}

/* Writes one set per line. */
static void lines(const void *set, vp_text *to)
{
    const vp_point_sets *sets = set;
    for (uint32_t s = 0; s < sets->count; s++) {
        vp_text_add_points(to, "{\"points\": [", sets->point + sets->first[s], sets->first[s + 1] - sets->first[s]);
        vp_text_add(to, "]}\n");
    }
}

static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_point_sets *sets = data->set;
    const json_int_t points = sets->first[sets->count];
    (void)error;
    *out = json_pack("{s:i, s:I, s:I}", "sets", (int)sets->count, "points", points, "bytes", points * (json_int_t)sizeof *sets->point);
    return VP_OK;
}

VP_KIND_DROP(vp_point_sets_destroy)

static bool is_family(const char *name)
{
    vp_point_family family;
    return vp_family_find(name, &family);
}

static const vp_generator generators[] = {{.name = "ball", .has = is_family, .make = make}, {0}};

const vp_kind vp_kind_points = {
    .name = "points",
    .words = "points",
    .bytes = sizeof(vp_point_sets),
    .one = "set of points",
    .member = (const char *const[]){"count", "hash", "hashes", NULL},
    .generator = generators,
    .count_of = point_count_of,
    .fuzz = vp_fuzz_of_stream,
    .count = vp_set_count,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
