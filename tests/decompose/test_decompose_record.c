/* SPDX-License-Identifier: MIT */
/* A recorder and a watcher get the same data (docs/CONTRACT.md: DEC-11). The watcher stores each step. The recorder, which is called after
 * it, compares each frame with the stored step. */
#include <stdio.h>

#include "datasets/generate/shapes.h"
#include "tests/decompose/shapes.h"
#include "tests/support/memory.h"

#ifdef TEST_THIN
enum { EVERY = 31 };
#else
enum { EVERY = 7 };
#endif

enum { SHAPES = 3000, LAYERS = 7, ROWS = 8, COLUMNS = 10, NODES = 2400 };

typedef struct shape {
    uint32_t corners, triangles;
    double area;        /* total area of its triangles */
    vp_vec3 corner[40]; /* only of small shapes */
} shape;

typedef struct item {
    bool lives;
    uint32_t shape;
    double values[4];
} item;

typedef struct listener {
    vp_recorder to;
    /* from the watcher */
    vp_decomposition_lengths lengths;
    vp_vec3 vertex[MESH_POINTS];
    uint32_t first_triangles, vertices, edges;
    uint64_t steps;
    vp_decomposition_step step;
    vp_decomposition_queued front[VP_DECOMPOSE_FRONT];
    vp_vec3 merged[40];
    /* from the recorder */
    char name[LAYERS + 1][32];
    vp_record_kind kind[LAYERS + 1];
    uint32_t layers, shapes, living, frames, others;
    shape shape[SHAPES];
    item hull[NODES], ghost[2];
    double rows[LAYERS + 1][ROWS][COLUMNS], scalars[3];
    uint32_t row_count[LAYERS + 1], width[LAYERS + 1];
    uint64_t fail_at;
} listener;

static listener heard;

static uint32_t layer_named(const char *name)
{
    for (uint32_t i = 0; i < heard.layers; i++)
        if (strcmp(heard.name[i], name) == 0)
            return i;
    fail_msg("no layer %s", name);
    return 0;
}

static uint32_t on_layer(void *user, const vp_record_layer *layer)
{
    (void)user;
    assert_true(heard.layers < LAYERS + 1 && heard.frames == 0);
    snprintf(heard.name[heard.layers], sizeof heard.name[0], "%s", layer->name);
    heard.kind[heard.layers] = layer->kind;
    heard.width[heard.layers] = layer->column_count + (layer->kind == VP_RECORD_ARRAY ? vp_record_draw_numbers(layer->draw) : 0);
    for (uint32_t k = 0; k < layer->column_count; k++) {
        const vp_record_column *c = &layer->columns[k];
        if (c->meaning == VP_RECORD_ITEM)
            assert_string_equal(heard.name[c->of], "hull");
    }
    return heard.layers++;
}

static uint32_t on_shape(void *user, const vp_record_shape *s)
{
    (void)user;
    assert_true(heard.shapes < SHAPES && s->form == VP_RECORD_MESH);
    shape *to = &heard.shape[heard.shapes];
    *to = (shape){.corners = s->corner_count, .triangles = s->triangle_count};
    for (uint32_t i = 0; i < s->corner_count && i < 40; i++)
        to->corner[i] = (vp_vec3){s->corner[3 * i], s->corner[3 * i + 1], s->corner[3 * i + 2]};
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        double p[3][3], n[3];
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                p[k][i] = (double)s->corner[3 * s->triangle[3 * t + (uint32_t)k] + (uint32_t)i];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            n[i] = (p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) - (p[1][k] - p[0][k]) * (p[2][j] - p[0][j]);
        }
        to->area += sqrt(dot3(n, n)) / 2;
    }
    return heard.shapes++;
}

static item *find(uint32_t layer, uint32_t id)
{
    if (strcmp(heard.name[layer], "hull") == 0) {
        assert_true(id < NODES);
        return &heard.hull[id];
    }
    assert_int_equal(id, 0);
    return &heard.ghost[strcmp(heard.name[layer], "surface") == 0 ? 0 : 1];
}

static void on_item(void *user, uint32_t layer, const vp_record_item *i)
{
    (void)user;
    item *to = find(layer, i->id);
    assert_true(i->shape < heard.shapes && !to->lives);
    *to = (item){.lives = true, .shape = i->shape};
    if (i->values != NULL)
        memcpy(to->values, i->values, sizeof to->values);
    heard.living += strcmp(heard.name[layer], "hull") == 0;
}

static void on_remove(void *user, uint32_t layer, uint32_t id)
{
    (void)user;
    item *from = find(layer, id);
    assert_true(from->lives);
    from->lives = false;
    heard.living -= strcmp(heard.name[layer], "hull") == 0;
}

static void on_rows(void *user, uint32_t layer, const double *rows, uint32_t count)
{
    (void)user;
    assert_true(count <= ROWS && heard.width[layer] <= COLUMNS);
    heard.row_count[layer] = count;
    for (uint32_t i = 0; i < count; i++)
        memcpy(heard.rows[layer][i], rows + i * heard.width[layer], heard.width[layer] * sizeof *rows);
}

static void on_texts(void *user, uint32_t layer, const vp_record_text *texts, uint32_t count)
{
    (void)user;
    (void)layer;
    (void)texts;
    heard.others += count;
}

static void on_scalars(void *user, uint32_t layer, const double *values)
{
    (void)user;
    (void)layer;
    memcpy(heard.scalars, values, sizeof heard.scalars);
}

static void on_voxels(void *user, uint32_t layer, const vp_record_voxel *changes, uint32_t count)
{
    (void)user;
    (void)layer;
    (void)changes;
    heard.others += count;
}

static void expect_hull(const item *hull, const vp_decomposition_part *part)
{
    const shape *s = &heard.shape[hull->shape];
    assert_true(hull->lives);
    assert_int_equal(s->corners, part->vertex_count);
    assert_int_equal(s->triangles, part->dimension < 2 ? 1 : part->dimension == 2 ? part->triangle_count / 2 : part->triangle_count);
    const double near = part->dimension == 2 ? 0.001 : 1e-9; /* one side of a flat hull, whose triangles are not exactly in a plane */
    assert_true(fabs(s->area - part->area) <= near * part->area);
    for (uint32_t i = 0; i < s->corners && i < 40; i++)
        assert_memory_equal(&s->corner[i], &heard.merged[i], sizeof heard.merged[i]);
}

static void expect_step(const vp_decomposition_step *s)
{
    const double *decided = heard.rows[layer_named("decisions")][0], *ray = heard.rows[layer_named("deciding ray")][0];
    const uint32_t queue = layer_named("queue");
    assert_int_equal(heard.row_count[layer_named("decisions")], 1);
    assert_true(decided[0] == s->edge.node[0] && decided[1] == s->edge.node[1] && decided[2] == s->edge.error &&
                decided[3] == (double)s->edge.by);
    assert_true(decided[4] == (s->collapse ? 0 : s->final ? 1 : 2) && decided[5] == (double)s->tie);
    assert_int_equal(heard.row_count[queue], s->front_count < 4 ? s->front_count : 4);
    for (uint32_t i = 0; i < heard.row_count[queue]; i++) {
        const double *row = heard.rows[queue][i];
        const vp_decomposition_queued *q = &heard.front[i];
        assert_true(row[0] == q->node[0] && row[1] == q->node[1] && row[2] == q->error && row[3] == (double)q->by && row[4] == q->diagonal);
    }
    assert_int_equal(heard.row_count[layer_named("deciding ray")], s->edge.by == VP_DECOMPOSITION_BY_RAY);
    for (int k = 0; k < 3 && s->edge.by == VP_DECOMPOSITION_BY_RAY; k++)
        assert_true(ray[k] == s->ray.from[k] && ray[3 + k] == s->ray.along[k] * s->ray.length);
    if (s->edge.by == VP_DECOMPOSITION_BY_RAY)
        assert_true(ray[6] == s->ray.length && ray[7] == s->ray.triangle);
    assert_true(fabs(heard.scalars[0] - s->edge.error) <= heard.lengths.quantization / 4);
    assert_true(heard.scalars[1] == s->hulls && heard.scalars[2] == s->queued);
    assert_int_equal(heard.living, s->hulls);
    assert_true(heard.hull[s->edge.node[0]].lives == !s->collapse && heard.hull[s->edge.node[1]].lives == !s->collapse);
    assert_true(heard.ghost[1].lives == !s->collapse);
    if (!s->collapse) {
        expect_hull(&heard.ghost[1], &s->merged);
        return;
    }
    const item *made = &heard.hull[s->merged.node];
    expect_hull(made, &s->merged);
    assert_true(made->values[0] == s->edge.error && made->values[1] == s->merged.dimension);
    assert_true(made->values[2] == s->edge.node[0] && made->values[3] == s->edge.node[1]);
}

static vp_status on_frame(void *user, vp_error *error)
{
    (void)user;
    if (heard.frames == heard.fail_at) {
        error->status = VP_E_IO;
        snprintf(error->message, sizeof error->message, "the disk is full");
        return VP_E_IO;
    }
    assert_true(heard.frames == heard.steps);
    assert_true(heard.ghost[0].lives);
    if (heard.frames++ != 0) {
        expect_step(&heard.step);
    } else {
        const shape *surface = &heard.shape[heard.ghost[0].shape];
        const double *input = heard.rows[layer_named("input")][0];
        assert_int_equal(surface->triangles, heard.first_triangles);
        assert_int_equal(heard.living, heard.first_triangles);
        assert_true(input[0] == heard.first_triangles && input[1] == heard.vertices && input[2] == heard.edges);
        assert_true(input[4] == heard.lengths.concavity && input[5] == heard.lengths.quantization && input[6] == heard.lengths.spacing);
        assert_true(heard.scalars[1] == heard.first_triangles && heard.scalars[2] == heard.edges);
    }
    for (uint32_t i = 0; i < heard.layers; i++)
        heard.row_count[i] = 0;
    return VP_OK;
}

static void watch_start(void *user, const vp_decomposition_start *start)
{
    (void)user;
    heard.lengths = start->lengths;
    heard.first_triangles = start->input->triangles;
    heard.vertices = start->input->vertices;
    heard.edges = start->edges;
    memcpy(heard.vertex, start->vertex, start->input->vertices * sizeof *start->vertex);
}

static void watch_step(void *user, const vp_decomposition_step *step)
{
    (void)user;
    heard.step = *step;
    heard.steps++;
    if (step->front_count > 0)
        memcpy(heard.front, step->front, step->front_count * sizeof *step->front);
    for (uint32_t i = 0; i < step->merged.vertex_count && i < 40; i++)
        heard.merged[i] = heard.vertex[step->merged.vertex[i]];
}

static const vp_decomposition_watch watch = {.on_start = watch_start, .on_step = watch_step};

static void listen(uint64_t fail_at)
{
    memset(&heard, 0, sizeof heard);
    heard.fail_at = fail_at;
    heard.to = (vp_recorder){.layer = on_layer,
                             .shape = on_shape,
                             .item = on_item,
                             .remove = on_remove,
                             .rows = on_rows,
                             .texts = on_texts,
                             .scalars = on_scalars,
                             .voxels = on_voxels,
                             .frame = on_frame};
}

/* Decomposes a mesh with a recorder. Recording does not change the digest of the decomposition. */
static void hear(const mesh *m, float concavity, float quantization, uint32_t min_hulls)
{
    vp_decomposition_def def = def_of(m);
    vp_decomposition d, alone;
    def.concavity = concavity;
    def.quantization = quantization;
    def.min_hulls = min_hulls;
    assert_ok(vp_decomposition_create(&def, &alone, &error));
    def.watch = &watch;
    def.recorder = &heard.to;
    listen(UINT64_MAX);
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_true(digest_of(&d) == digest_of(&alone));
    assert_int_equal(heard.frames, d.counts.collapses + d.counts.drops + 1);
    assert_int_equal(heard.living, d.hull_count);
    for (uint32_t i = 0; i < d.hull_count; i++)
        assert_true(heard.hull[d.hull[i].node].lives);
    assert_int_equal(heard.others, 0);
    vp_decomposition_destroy(&d);
    vp_decomposition_destroy(&alone);
}

static void is_told_what_a_watcher_is(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double grain, scale;
        float concavity, quantization;
    } set[] = {{"solid-l", 500, 1, 0, 0},          {"solid-cross", 1000, 1e-9, 0, 0}, {"solid-gear", 400, 1e9, 0, 5},
               {"solid-degenerate", 500, 1, 0, 0}, {"solid-twice", 500, 1, 0.01f, 0}, {"solid-moebius", 500, 1, 40, 0}};
    mesh m;
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        make_shape(set[i].shape, set[i].grain, set[i].scale, &m);
        hear(&m, set[i].concavity, set[i].quantization, i == 0 ? 3 : 0);
    }
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
    const double *decided = heard.rows[layer_named("decisions")][0];
    assert_true(decided[3] == VP_DECOMPOSITION_BY_AREA && decided[4] == 2);
    m.triangles = 0;
    add_triangle(&m, 8, 8, 8);
    add_triangle(&m, 0, 0, 1);
    add_triangle(&m, 1, 1, 2);
    hear(&m, 0, 0, 0);
}

static void failures_end_it(void **state)
{
    (void)state;
    mesh m;
    make_shape("solid-l", 1000, 1, &m);
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d = {.hull_count = 5};
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    def.allocator = &allocator;
    def.watch = &watch;
    def.recorder = &heard.to;
    for (uint64_t at = 0; at < 4; at++) {
        listen(at);
        assert_refused(vp_decomposition_create(&def, &d, &error), VP_E_IO, "the disk is full");
        assert_int_equal(d.hull_count, 5);
        assert_int_equal(heard.frames, at);
        assert_int_equal(memory.live_bytes, 0);
    }
    m.points = m.triangles = 0;
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){1, 2, 3}, false);
    def = def_of(&m);
    def.allocator = &allocator;
    def.watch = &watch;
    def.recorder = &heard.to;
    vp_status status = VP_E_MEMORY;
    vp_error error;
    for (uint64_t n = 1; status != VP_OK; n += EVERY) {
        listen(UINT64_MAX);
        test_memory_fail_at(&memory, n);
        status = vp_decomposition_create(&def, &d, &error);
        if (status != VP_OK) {
            assert_int_equal(status, VP_E_MEMORY);
            assert_int_equal(memory.live_bytes, 0);
        }
    }
    assert_int_equal(heard.frames, d.counts.collapses + d.counts.drops + 1);
    vp_decomposition_destroy(&d);
    test_memory_end(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_told_what_a_watcher_is), cmocka_unit_test(failures_end_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
