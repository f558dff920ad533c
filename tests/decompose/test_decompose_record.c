/* SPDX-License-Identifier: MIT */
/* A recorder and a watcher get the same data (docs/CONTRACT.md: DEC-11). The watcher stores each step, which is then compared with the
 * frame of the recording that is read back. */
#include <stdio.h>

#include "datasets/generate/shapes.h"
#include "host/record/read.h"
#include "host/record/write.h"
#include "tests/decompose/shapes.h"
#include "tests/support/memory.h"

#ifdef TEST_THIN
enum { EVERY = 31 };
#else
enum { EVERY = 7 };
#endif

enum { NODES = 2400, CORNERS = 40 /* of a hull, which are kept */ };

typedef struct step {
    vp_decomposition_step step;
    vp_decomposition_queued front[VP_DECOMPOSE_FRONT];
    vp_vec3 corner[CORNERS];
} step;

/* The data of the watcher. */
static struct {
    vp_decomposition_lengths lengths;
    vp_vec3 vertex[MESH_POINTS];
    uint32_t triangles, vertices, edges, steps;
    step step[NODES];
} watched;

static void watch_start(void *user, const vp_decomposition_start *start)
{
    (void)user;
    watched.lengths = start->lengths;
    watched.triangles = start->input->triangles;
    watched.vertices = start->input->vertices;
    watched.edges = start->edges;
    watched.steps = 0;
    memcpy(watched.vertex, start->vertex, start->input->vertices * sizeof *start->vertex);
}

static void watch_step(void *user, const vp_decomposition_step *s)
{
    (void)user;
    assert_true(watched.steps < NODES);
    step *to = &watched.step[watched.steps++];
    to->step = *s;
    if (s->front_count > 0)
        memcpy(to->front, s->front, s->front_count * sizeof *s->front);
    for (uint32_t i = 0; i < s->merged.vertex_count && i < CORNERS; i++)
        to->corner[i] = watched.vertex[s->merged.vertex[i]];
}

static const vp_decomposition_watch watch = {.on_start = watch_start, .on_step = watch_step};

/* ---- a recorder that may fail ---- */

static vp_recorder recorder;
static vp_status (*write_frame)(void *user, vp_error *error);
static uint64_t frames, fail_at;

static vp_status frame(void *user, vp_error *error)
{
    if (frames == fail_at) {
        error->status = VP_E_IO;
        snprintf(error->message, sizeof error->message, "the disk is full");
        return VP_E_IO;
    }
    frames++;
    return write_frame(user, error);
}

static vp_record_writer *record(uint64_t until)
{
    vp_record_writer *writer;
    assert_ok(vp_record_writer_create(NULL, &(vp_record_about){.type = "decompose", .title = "steps"}, &writer, &error));
    recorder = *vp_record_writer_recorder(writer);
    write_frame = recorder.frame;
    recorder.frame = frame;
    frames = 0;
    fail_at = until;
    return writer;
}

/* ---- comparison ---- */

static vp_record_now layer_now(vp_record *r, const char *name)
{
    const vp_record_info info = vp_record_info_of(r);
    vp_record_now now;
    uint32_t i = 0;
    while (i < info.layer_count && strcmp(info.layers[i].name, name) != 0)
        i++;
    assert_true(i < info.layer_count);
    assert_ok(vp_record_layer_now(r, i, &now, &error));
    return now;
}

static const vp_record_item *item_of(vp_record *r, const char *layer, uint32_t id)
{
    const vp_record_now now = layer_now(r, layer);
    for (uint32_t i = 0; i < now.count; i++)
        if (now.items[i].id == id)
            return &now.items[i];
    return NULL;
}

/* Recorded numbers are rounded to a quarter of the quantization, and places to a part of the mesh's size. */
static void expect_near(double got, double want, double by)
{
    if (!(fabs(got - want) <= by))
        fail_msg("%.17g, not %.17g", got, want);
}

static bool is_near(float got, float want)
{
    return fabs((double)got - (double)want) <= 5 * watched.lengths.quantization + fabs((double)want) * 0x1p-23;
}

/* The shape has these corners, in another order. */
static void expect_corners(vp_record *r, const vp_record_item *item, const vp_vec3 *corner, uint32_t corners, uint32_t triangles)
{
    vp_record_shape shape;
    assert_non_null(item);
    assert_ok(vp_record_shape_read(r, item->shape, &shape, &error));
    assert_int_equal(shape.corner_count, corners);
    assert_int_equal(shape.triangle_count, triangles);
    for (uint32_t i = 0; i < corners && corner != NULL; i++) {
        const float *at = shape.corner + 3 * (size_t)i;
        uint32_t k = 0;
        while (k < corners && !(is_near(at[0], corner[k].x) && is_near(at[1], corner[k].y) && is_near(at[2], corner[k].z)))
            k++;
        assert_true(k < corners);
    }
    vp_record_shape_drop(&shape);
}

static void expect_shape(vp_record *r, const vp_record_item *item, const step *s)
{
    const vp_decomposition_part *part = &s->step.merged;
    expect_corners(r, item, part->vertex_count <= CORNERS ? s->corner : NULL, part->vertex_count,
                   part->dimension < 2 ? 1 : part->triangle_count / (part->dimension == 2 ? 2 : 1));
}

static void expect_start(vp_record *r)
{
    const double *input = layer_now(r, "input").rows,
                 lengths[3] = {watched.lengths.concavity, watched.lengths.quantization, watched.lengths.spacing};
    assert_true(input[0] == watched.triangles && input[1] == watched.vertices && input[2] == watched.edges);
    assert_memory_equal(input + 4, lengths, sizeof lengths);
    const double *figures = layer_now(r, "figures").scalars;
    assert_true(figures[1] == watched.triangles && figures[2] == watched.edges);
    assert_int_equal(layer_now(r, "hull").count, watched.triangles);
    assert_int_equal(layer_now(r, "surface").count, 1);
}

static void expect_step(vp_record *r, const step *stored)
{
    const vp_decomposition_step *s = &stored->step;
    const double by = watched.lengths.quantization / 4;
    vp_record_now now = layer_now(r, "decisions");
    assert_int_equal(now.count, 1);
    assert_true(now.rows[0] == s->edge.node[0] && now.rows[1] == s->edge.node[1] && now.rows[3] == (double)s->edge.by);
    expect_near(now.rows[2], s->edge.error, by);
    assert_true(now.rows[4] == (s->collapse ? 0 : s->final ? 1 : 2) && now.rows[5] == (double)s->tie);
    now = layer_now(r, "queue");
    assert_int_equal(now.count, s->front_count < 4 ? s->front_count : 4);
    for (uint32_t i = 0; i < now.count; i++) {
        const double *row = now.rows + 5 * i;
        const vp_decomposition_queued *q = &stored->front[i];
        assert_true(row[0] == q->node[0] && row[1] == q->node[1] && row[3] == (double)q->by);
        expect_near(row[2], q->error, by);
        expect_near(row[4], q->diagonal, 4 * by);
    }
    now = layer_now(r, "deciding ray");
    assert_int_equal(now.count, s->edge.by == VP_DECOMPOSITION_BY_RAY);
    if (now.count == 1) {
        for (int k = 0; k < 3; k++) {
            expect_near(now.rows[k], s->ray.from[k], 10 * by);
            expect_near(now.rows[3 + k], s->ray.along[k] * s->ray.length, 10 * by);
        }
        expect_near(now.rows[6], s->ray.length, by);
        assert_true(now.rows[7] == s->ray.triangle);
    }
    const double *figures = layer_now(r, "figures").scalars;
    expect_near(figures[0], s->edge.error, by);
    assert_true(figures[1] == s->hulls && figures[2] == s->queued);
    assert_int_equal(layer_now(r, "hull").count, s->hulls);
    for (int k = 0; k < 2; k++)
        assert_true((item_of(r, "hull", s->edge.node[k]) != NULL) == !s->collapse);
    assert_int_equal(layer_now(r, "hull of both").count, !s->collapse);
    const vp_record_item *merged = s->collapse ? item_of(r, "hull", s->merged.node) : item_of(r, "hull of both", 0);
    if (s->collapse) {
        assert_non_null(merged);
        expect_near(merged->values[0], s->edge.error, by);
        assert_true(merged->values[1] == s->merged.dimension);
        assert_true(merged->values[2] == s->edge.node[0] && merged->values[3] == s->edge.node[1]);
    }
    expect_shape(r, merged, stored);
}

/* The last frame shows the result, also with points inside the solid. */
static void expect_result(vp_record *r, const vp_decomposition *d)
{
    assert_int_equal(layer_now(r, "hull").count, d->hull_count);
    for (uint32_t i = 0; i < d->hull_count; i++) {
        const vp_hull *hull = &d->hull[i].hull;
        if (hull->dimension == 3 && hull->vertex_count == d->hull[i].point_count)
            expect_corners(r, item_of(r, "hull", d->hull[i].node), d->hull[i].point, hull->vertex_count, hull->triangle_count);
        else
            assert_non_null(item_of(r, "hull", d->hull[i].node));
    }
}

/* Decomposes a mesh with a recorder. Recording does not change the digest of the decomposition. @return the frames after the last step */
static uint32_t hear(const small_mesh *m, float concavity, float quantization, uint32_t min_hulls)
{
    vp_decomposition_def def = def_of(m);
    vp_decomposition d, alone;
    vp_record_writer *writer = record(UINT64_MAX);
    vp_bytes bytes;
    vp_record *r;
    def.concavity = concavity;
    def.quantization = quantization;
    def.min_hulls = min_hulls;
    assert_ok(vp_decomposition_create(&def, &alone, &error));
    def.watch = &watch;
    def.recorder = &recorder;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_true(digest_of(&d) == digest_of(&alone));
    assert_ok(vp_record_writer_close(writer, NULL, &bytes, &error));
    assert_ok(vp_record_open(bytes.at, bytes.size, &r, &error));
    const uint32_t recorded = vp_record_info_of(r).frames;
    assert_true(recorded > watched.steps);
    assert_int_equal(watched.steps, d.counts.collapses + d.counts.drops);
    for (uint32_t f = 0; f <= watched.steps; f++) {
        assert_ok(vp_record_seek(r, f, &error));
        if (f == 0)
            expect_start(r);
        else
            expect_step(r, &watched.step[f - 1]);
    }
    assert_ok(vp_record_seek(r, recorded - 1, &error));
    expect_result(r, &d);
    vp_record_close(r);
    free(bytes.at);
    vp_decomposition_destroy(&d);
    vp_decomposition_destroy(&alone);
    return recorded - watched.steps - 1;
}

TEST(has_what_a_watcher_has)
{
    static const struct {
        const char *shape;
        double grain, scale;
        float concavity, quantization;
    } set[] = {{"solid-l", 500, 1, 0, 0},          {"solid-cross", 1000, 1e-9, 0, 0}, {"solid-gear", 400, 1e9, 0, 5},
               {"solid-degenerate", 500, 1, 0, 0}, {"solid-twice", 500, 1, 0.01f, 0}, {"solid-moebius", 500, 1, 40, 0}};
    small_mesh m;
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        make_shape(set[i].shape, set[i].grain, set[i].scale, &m);
        hear(&m, set[i].concavity, set[i].quantization, i == 0 ? 3 : 0);
    }
    m.points = m.triangles = 0;
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){9, 9, 9}, false);
    add_point(&m, 10, 1, 1);
    add_point(&m, 10, 5, 1);
    add_point(&m, 11, 1, 5);
    add_triangle(&m, 8, 9, 10); /* a sheet of two sides gets a thickness */
    add_triangle(&m, 8, 10, 9);
    assert_true(hear(&m, 0, 0, 0) > 0);
    /* a flat L, where an area decides. Far away, a point and a segment */
    m.points = m.triangles = 0;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            add_point(&m, 1e6f + (float)x, (float)y, -3);
    for (uint32_t q = 0; q < 3; q++) {
        const uint32_t c = q == 2 ? 3 : q;
        add_triangle(&m, c, c + 1, c + 4);
        add_triangle(&m, c, c + 4, c + 3);
    }
    hear(&m, 0, 0, 0);
    const vp_decomposition_step *last = &watched.step[watched.steps - 1].step;
    assert_true(last->edge.by == VP_DECOMPOSITION_BY_AREA && !last->collapse && !last->final);
    m.triangles = 0;
    add_triangle(&m, 8, 8, 8);
    add_triangle(&m, 0, 0, 1);
    add_triangle(&m, 1, 1, 2);
    hear(&m, 0, 0, 0);
}

TEST(failures_end_it)
{
    small_mesh m = {.points = 0};
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){1, 2, 3}, false);
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d = {.hull_count = 5};
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    def.allocator = &allocator;
    def.watch = &watch;
    def.recorder = &recorder;
    for (uint64_t at = 0; at < 4; at++) {
        vp_record_writer *writer = record(at);
        assert_refused(vp_decomposition_create(&def, &d, &error), VP_E_IO, "the disk is full");
        assert_int_equal(d.hull_count, 5);
        assert_int_equal(frames, at);
        assert_int_equal(memory.live_bytes, 0);
        vp_record_writer_drop(writer);
    }
    vp_status status = VP_E_MEMORY;
    vp_error error;
    for (uint64_t n = 1; status != VP_OK; n += EVERY) {
        vp_record_writer *writer = record(UINT64_MAX);
        test_memory_fail_at(&memory, n);
        status = vp_decomposition_create(&def, &d, &error);
        vp_record_writer_drop(writer);
        if (status != VP_OK) {
            assert_int_equal(status, VP_E_MEMORY);
            assert_int_equal(memory.live_bytes, 0);
        }
    }
    assert_int_equal(frames, d.counts.collapses + d.counts.drops + 1);
    vp_decomposition_destroy(&d);
    test_memory_end(&memory);
}
