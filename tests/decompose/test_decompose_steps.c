/* SPDX-License-Identifier: MIT */
/* Every step as the watcher sees it (docs/CONTRACT.md: DEC-6, DEC-7). The oracle searches all edges for the first one, and computes the
 * error of each that is first, with its own samples. The step must take the same edge, for the same reason and with the
 * same hulls. */
#include "datasets/generate/shapes.h"
#include "tests/decompose/shapes.h"

#ifdef TEST_THIN
enum { ROUNDS = 12 };
#else
enum { ROUNDS = 180 }; /* an edge inherits a refusal in few of them */
#endif
enum { NODES = 160, NODE_POINTS = 120, EDGES = 400, SAMPLES = 40000 };

typedef struct merge_node {
    uint32_t vertex[NODE_POINTS]; /* vertices of the exact hull */
    uint32_t vertices;
    bool lives;
    double area;
} merge_node;

typedef struct merge_edge {
    uint32_t a, b;
    double error, order[2];
    vp_decomposition_by by;
    bool stale; /* `error` is a lower bound */
    bool dead;  /* a ray is longer than allowed */
    bool refused, dropped;
} merge_edge;

typedef struct steps_oracle {
    vp_decomposition_lengths lengths;
    vp_vec3 vertex[MESH_POINTS];
    double point[SAMPLES][3], normal[SAMPLES][3];
    uint32_t sample_triangle[SAMPLES];
    uint32_t samples;
    merge_node node[NODES];
    uint32_t nodes, living, count;
    merge_edge edge[EDGES];
    uint64_t steps;
    uint64_t early; /* edges that were dropped because of a ray before a later collapse */
    uint64_t dropped;
    uint64_t predictions;
} steps_oracle;

static void span(vp_vec3 a, vp_vec3 b, double out[3])
{
    out[0] = (double)b.x - (double)a.x;
    out[1] = (double)b.y - (double)a.y;
    out[2] = (double)b.z - (double)a.z;
}

/* Samples in rows along the longest edge, as documented in samples.c. */
static void sample(steps_oracle *o, const uint32_t t[3], uint32_t input)
{
    double side[3][3], length[3], n[3];
    int longest = 0;
    for (int k = 0; k < 3; k++) {
        span(o->vertex[t[k]], o->vertex[t[(k + 1) % 3]], side[k]);
        length[k] = sqrt(dot3(side[k], side[k]));
        longest = length[k] > length[longest] ? k : longest;
    }
    n[0] = side[0][1] * -side[2][2] - side[0][2] * -side[2][1];
    n[1] = side[0][2] * -side[2][0] - side[0][0] * -side[2][2];
    n[2] = side[0][0] * -side[2][1] - side[0][1] * -side[2][0];
    const double twice = sqrt(dot3(n, n)), height = twice / length[longest];
    const double rows = fmax(1, ceil(height / o->lengths.spacing));
    const vp_vec3 base = o->vertex[t[longest]];
    for (double r = 0; r < rows; r++) {
        const double up = (r + 0.5) / rows, columns = fmax(1, ceil(length[longest] * (1 - up) / o->lengths.spacing));
        for (double c = 0; c < columns; c++) {
            const double aside = (c + 0.5) / columns * (1 - up);
            double *p = o->point[o->samples];
            p[0] = (double)base.x + aside * side[longest][0] - up * side[(longest + 2) % 3][0];
            p[1] = (double)base.y + aside * side[longest][1] - up * side[(longest + 2) % 3][1];
            p[2] = (double)base.z + aside * side[longest][2] - up * side[(longest + 2) % 3][2];
            for (int k = 0; k < 3; k++)
                o->normal[o->samples][k] = n[k] / twice;
            o->sample_triangle[o->samples++] = input;
            assert_true(o->samples < SAMPLES);
        }
    }
}

static uint32_t shared(const uint32_t a[3], const uint32_t b[3])
{
    uint32_t same = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            same += a[i] == b[k];
    return same;
}

static void bound(const steps_oracle *o, merge_edge *e);

static void on_start(void *user, const vp_decomposition_start *start)
{
    steps_oracle *o = user;
    o->lengths = start->lengths;
    o->nodes = o->living = start->input->triangles;
    memcpy(o->vertex, start->vertex, start->input->vertices * sizeof *o->vertex);
    for (uint32_t t = 0; t < o->nodes; t++) {
        merge_node *n = &o->node[t];
        *n = (merge_node){.vertices = 3, .lives = true};
        memcpy(n->vertex, start->triangle[t], sizeof start->triangle[t]);
        double u[3], v[3];
        span(o->vertex[n->vertex[0]], o->vertex[n->vertex[1]], u);
        span(o->vertex[n->vertex[0]], o->vertex[n->vertex[2]], v);
        const double c[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        n->area = sqrt(dot3(c, c)) / 2;
        sample(o, start->triangle[t], start->input_triangle[t]);
        for (uint32_t k = 0; k < t; k++)
            if (shared(start->triangle[k], start->triangle[t]) >= 2)
                o->edge[o->count++] = (merge_edge){.a = k, .b = t};
    }
    for (uint32_t i = 0; i < o->count; i++)
        bound(o, &o->edge[i]);
    assert_int_equal(start->samples, o->samples);
    assert_int_equal(start->edges, o->count);
}

/* Inserts a number that is not in an ascending list. @return new count */
static uint32_t put(uint32_t number, uint32_t *list, uint32_t count)
{
    uint32_t at = count;
    while (at > 0 && list[at - 1] >= number)
        at--;
    if (at < count && list[at] == number)
        return count;
    memmove(list + at + 1, list + at, (count - at) * sizeof *list);
    list[at] = number;
    return count + 1;
}

/* The hull of all points of both nodes. */
static vp_hull hull_of(const steps_oracle *o, uint32_t a, uint32_t b, vp_vec3 *point, uint32_t *count)
{
    uint32_t vertex[2 * NODE_POINTS];
    vp_hull hull;
    *count = 0;
    for (uint32_t i = 0; i < o->node[a].vertices; i++)
        *count = put(o->node[a].vertex[i], vertex, *count);
    for (uint32_t i = 0; i < o->node[b].vertices; i++)
        *count = put(o->node[b].vertex[i], vertex, *count);
    for (uint32_t i = 0; i < *count; i++)
        point[i] = o->vertex[vertex[i]];
    const vp_hull_def def = {.point = point, .count = *count, .tolerance = (float)o->lengths.quantization};
    assert_ok(vp_hull_create(&def, &hull, &error));
    return hull;
}

/* Length of the ray from a sample inside a hull, if it is beyond the surface by more than the quantization. */
static double ray(const steps_oracle *o, const vp_hull *hull, const vp_vec3 *point, uint32_t points, uint32_t i)
{
    double reach = 0;
    for (uint32_t p = 0; p < points; p++) {
        const double from[3] = {(double)point[p].x - o->point[i][0], (double)point[p].y - o->point[i][1],
                                (double)point[p].z - o->point[i][2]};
        reach = fmax(reach, dot3(from, o->normal[i]));
    }
    double in = 0, out = INFINITY, deep_in = 0, deep_out = INFINITY;
    const double s = o->lengths.quantization;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double a = dot3(hull->plane[f], o->point[i]) - hull->plane[f][3], b = dot3(hull->plane[f], o->normal[i]);
        if (b == 0 && a > -s)
            return 0;
        out = b > 0 ? fmin(out, -a / b) : out;
        deep_out = b > 0 ? fmin(deep_out, -(a + s) / b) : deep_out;
        in = b < 0 ? fmax(in, -a / b) : in;
        deep_in = b < 0 ? fmax(deep_in, -(a + s) / b) : deep_in;
    }
    return in <= s && deep_in < deep_out && isfinite(out) && reach > s ? fmin(out, reach) : 0;
}

static bool is_near(const vp_aabb *box, const double p[3], double by)
{
    const double low[3] = {(double)box->min.x, (double)box->min.y, (double)box->min.z};
    const double high[3] = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
    for (int k = 0; k < 3; k++)
        if (p[k] < low[k] - by || p[k] > high[k] + by)
            return false;
    return true;
}

static void order(const steps_oracle *o, merge_edge *e, vp_aabb box)
{
    double side[3];
    span(box.min, box.max, side);
    e->order[0] = floor(e->error / o->lengths.quantization + 0.5);
    e->order[1] = floor(sqrt(dot3(side, side)) / o->lengths.quantization + 0.5);
}

static vp_aabb box_of(const vp_vec3 *point, uint32_t count)
{
    vp_aabb box = {point[0], point[0]};
    for (uint32_t i = 1; i < count; i++)
        box = (vp_aabb){vp_vec3_min(box.min, point[i]), vp_vec3_max(box.max, point[i])};
    return box;
}

/* An inherited ray stays as the lower bound of an edge's error. */
static void bound(const steps_oracle *o, merge_edge *e)
{
    vp_vec3 point[2 * NODE_POINTS];
    uint32_t count = 0;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < o->node[k == 0 ? e->a : e->b].vertices; i++)
            point[count++] = o->vertex[o->node[k == 0 ? e->a : e->b].vertex[i]];
    e->stale = true;
    e->error = e->by == VP_DECOMPOSITION_BY_RAY ? e->error : 0;
    e->by = e->by == VP_DECOMPOSITION_BY_RAY ? e->by : VP_DECOMPOSITION_BY_NOTHING;
    order(o, e, box_of(point, count));
}

static void judge(steps_oracle *o, merge_edge *e)
{
    vp_vec3 point[2 * NODE_POINTS];
    uint32_t count;
    vp_hull hull = hull_of(o, e->a, e->b, point, &count);
    const vp_aabb box = box_of(point, count);
    double error = 0;
    vp_decomposition_by by = VP_DECOMPOSITION_BY_NOTHING;
    if (hull.dimension == 3) {
        for (uint32_t i = 0; i < o->samples; i++) /* merged planes may enclose more than the box */
            error = is_near(&box, o->point[i], o->lengths.quantization) ? fmax(error, ray(o, &hull, point, count, i)) : error;
        by = error > 0 ? VP_DECOMPOSITION_BY_RAY : VP_DECOMPOSITION_BY_NOTHING;
    } else if (hull.area / 2 > o->node[e->a].area + o->node[e->b].area) {
        error = sqrt(hull.area / 2 - (o->node[e->a].area + o->node[e->b].area));
        by = VP_DECOMPOSITION_BY_AREA;
    }
    if (e->by != VP_DECOMPOSITION_BY_RAY || error >= e->error) {
        e->error = error;
        e->by = by;
    }
    e->stale = false;
    e->dead = e->by == VP_DECOMPOSITION_BY_RAY && e->error > o->lengths.concavity;
    order(o, e, box);
    o->predictions++;
    vp_hull_destroy(&hull);
}

/* Which criterion orders `a` before `b`. Equal edges are numbered higher in b. */
static int compare(const merge_edge *a, const merge_edge *b, vp_decomposition_tie *by)
{
    for (int k = 0; k < 2; k++)
        if (a->order[k] != b->order[k]) {
            *by = k == 0 ? VP_DECOMPOSITION_BY_ERROR : VP_DECOMPOSITION_BY_DIAGONAL;
            return a->order[k] < b->order[k] ? -1 : 1;
        }
    *by = VP_DECOMPOSITION_BY_NUMBERS;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b < b->b ? -1 : a->b > b->b;
}

static void expect_part(const steps_oracle *o, const vp_decomposition_part *part, uint32_t a, uint32_t b)
{
    vp_vec3 point[2 * NODE_POINTS];
    uint32_t count;
    vp_hull hull = hull_of(o, a, b, point, &count);
    assert_int_equal(part->dimension, hull.dimension);
    assert_int_equal(part->triangle_count, hull.triangle_count);
    if (hull.dimension == 3) /* in flat hulls different ones of equal points may be the corners */
        assert_int_equal(part->vertex_count, hull.vertex_count);
    for (uint32_t i = 1; i < part->vertex_count; i++)
        assert_true(part->vertex[i - 1] < part->vertex[i]);
    for (uint32_t i = 0; i < part->triangle_count * 3; i++)
        assert_true(part->triangle[i / 3][i % 3] < part->vertex_count);
    for (uint32_t i = 0; i < part->vertex_count; i++)
        assert_true(above(&hull, o->vertex[part->vertex[i]]) <= o->lengths.quantization);
    assert_true(fabs(part->volume - hull.volume) <= 1e-9 * (1 + hull.volume));
    vp_hull_destroy(&hull);
}

/* Keeps the vertices of the exact hull. With a large tolerance, the flatness test depends on the points that are left. */
static void thin(const steps_oracle *o, merge_node *n)
{
    vp_vec3 point[NODE_POINTS];
    vp_hull hull;
    for (uint32_t i = 0; i < n->vertices; i++)
        point[i] = o->vertex[n->vertex[i]];
    const vp_hull_def def = {.point = point, .count = n->vertices, .tolerance = 1e-30f};
    assert_ok(vp_hull_create(&def, &hull, &error));
    for (uint32_t i = 0; i < hull.vertex_count; i++)
        n->vertex[i] = n->vertex[hull.vertex[i]];
    n->vertices = hull.vertex_count;
    vp_hull_destroy(&hull);
}

static void collapse(steps_oracle *o, const vp_decomposition_step *s, double area)
{
    const uint32_t a = s->edge.node[0], b = s->edge.node[1], c = o->nodes++;
    assert_int_equal(s->merged.node, c);
    assert_true(c < NODES);
    merge_node *n = &o->node[c];
    *n = (merge_node){.lives = true, .area = area};
    for (int k = 0; k < 2; k++) {
        const merge_node *from = &o->node[k == 0 ? a : b];
        for (uint32_t i = 0; i < from->vertices; i++)
            n->vertices = put(from->vertex[i], n->vertex, n->vertices);
        o->node[k == 0 ? a : b].lives = false;
    }
    thin(o, n);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        merge_edge e = o->edge[i];
        const bool moves = e.a == a || e.a == b || e.b == a || e.b == b;
        if ((e.a == a && e.b == b))
            continue;
        if (moves) {
            e.a = e.a == a || e.a == b ? e.b : e.a;
            e.b = c;
            e.dropped = false; /* it returns, unless it is refused */
            uint32_t k = 0;
            while (k < kept && (o->edge[k].a != e.a || o->edge[k].b != c))
                k++;
            if (k < kept) {
                merge_edge *first = &o->edge[k];
                const bool longer = first->by != VP_DECOMPOSITION_BY_RAY || first->error < e.error;
                first->refused |= e.refused;
                first->dead |= e.dead;
                if (e.by == VP_DECOMPOSITION_BY_RAY && longer) {
                    first->by = e.by;
                    first->error = e.error;
                    bound(o, first);
                }
                continue;
            }
            bound(o, &e);
        }
        o->edge[kept++] = e;
    }
    o->count = kept;
    o->living--;
}

/* The first two edges that no ray refuses. @return number of queued edges */
static uint32_t find_first(steps_oracle *o, merge_edge **least, merge_edge **second)
{
    uint32_t queued = 0;
    *least = *second = NULL;
    for (uint32_t i = 0; i < o->count; i++) {
        merge_edge *e = &o->edge[i];
        queued += !e->refused && !e->dropped;
        if (e->refused || e->dropped || e->dead)
            continue;
        vp_decomposition_tie by;
        if (*least == NULL || compare(e, *least, &by) < 0) {
            *second = *least;
            *least = e;
        } else if (*second == NULL || compare(e, *second, &by) < 0) {
            *second = e;
        }
    }
    return queued;
}

static void on_step(void *user, const vp_decomposition_step *s)
{
    steps_oracle *o = user;
    merge_edge *least, *second, *refused = NULL, as_reported = {.a = s->edge.node[0], .b = s->edge.node[1], .error = s->edge.error};
    vp_decomposition_tie tie = VP_DECOMPOSITION_ALONE;
    assert_true(s->number == o->steps++);
    assert_true(!s->final || !s->collapse);
    if (!s->collapse && s->edge.by == VP_DECOMPOSITION_BY_RAY) { /* by any ray that is too long */
        for (uint32_t i = 0; i < o->count; i++)
            if (o->edge[i].a == as_reported.a && o->edge[i].b == as_reported.b)
                refused = &o->edge[i];
        assert_true(refused != NULL && !refused->refused && s->final);
        if (!refused->dead)
            judge(o, refused);
        assert_true(refused->dead);
        as_reported.order[0] = floor(s->edge.error / o->lengths.quantization + 0.5);
        as_reported.order[1] = refused->order[1];
    }
    uint32_t queued = find_first(o, &least, &second);
    while (least != NULL && least->stale && (refused == NULL || compare(least, &as_reported, &tie) < 0)) {
        judge(o, least);
        queued = find_first(o, &least, &second);
    }
    assert_int_equal(s->queued, queued - 1);
    assert_int_equal(s->front_count, queued - 1 < VP_DECOMPOSE_FRONT ? queued - 1 : VP_DECOMPOSE_FRONT);
    for (uint32_t i = 1; i < s->front_count; i++)
        assert_true(s->front[i - 1].error <= s->front[i].error + o->lengths.quantization);
    if (s->collapse || s->edge.by != VP_DECOMPOSITION_BY_RAY) {
        assert_non_null(least);
        if (s->edge.node[0] != least->a || s->edge.node[1] != least->b)
            fail_msg("step %u: edge %u, %u, not %u, %u", (unsigned)s->number, s->edge.node[0], s->edge.node[1], least->a, least->b);
        assert_true(fabs(s->edge.error - least->error) <= 1e-6 * (1 + least->error));
        assert_true(s->collapse == (least->error <= o->lengths.concavity));
        const vp_decomposition_queued *next = s->front;
        if (second != NULL && (next->by != VP_DECOMPOSITION_BY_RAY || next->error <= o->lengths.concavity)) {
            compare(least, second, &tie);
            assert_int_equal(s->tie, tie);
            assert_true(s->front[0].node[0] == second->a && s->front[0].node[1] == second->b);
        }
    } else {
        least = refused;
        assert_true(s->edge.error > o->lengths.concavity && s->edge.error <= least->error * (1 + 1e-9));
    }
    if (s->edge.by == VP_DECOMPOSITION_BY_RAY) { /* from a sample, with the reported length */
        uint32_t i = 0;
        while (i < o->samples &&
               (fabs(s->ray.from[0] - o->point[i][0]) + fabs(s->ray.from[1] - o->point[i][1]) + fabs(s->ray.from[2] - o->point[i][2]) >
                    1e-9 * 1000 ||
                o->sample_triangle[i] != s->ray.triangle))
            i++;
        assert_true(i < o->samples);
        assert_true(s->ray.length == s->edge.error && fabs(dot3(s->ray.along, o->normal[i]) - 1) < 1e-12);
    }
    assert_int_equal(s->hulls, o->living - s->collapse);
    assert_int_equal(s->part[0].node, s->edge.node[0]);
    assert_int_equal(s->part[1].node, s->edge.node[1]);
    expect_part(o, &s->merged, s->edge.node[0], s->edge.node[1]);
    expect_part(o, &s->part[0], s->edge.node[0], s->edge.node[0]);
    expect_part(o, &s->part[1], s->edge.node[1], s->edge.node[1]);
    if (s->collapse) {
        o->early += o->dropped;
        o->dropped = 0;
        collapse(o, s, s->merged.dimension == 3 ? s->merged.area / 2 : s->merged.area);
    } else {
        least->refused = s->edge.by == VP_DECOMPOSITION_BY_RAY;
        least->dropped = true;
        o->dropped += least->refused;
        assert_int_equal(s->merged.node, VP_DECOMPOSE_NONE);
    }
}

/* @return number of edges refused before a collapse */
static uint64_t run_along(const small_mesh *m, float spacing, float concavity, float quantization)
{
    static steps_oracle o;
    o.samples = o.count = 0;
    o.steps = o.early = o.dropped = o.predictions = 0;
    const vp_decomposition_watch watch = {.user = &o, .on_start = on_start, .on_step = on_step};
    vp_decomposition_def def = def_of(m);
    def.spacing = spacing;
    def.concavity = concavity;
    def.quantization = quantization;
    def.watch = &watch;
    vp_decomposition d;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_true(d.counts.collapses + d.counts.drops == o.steps);
    assert_true(d.counts.predictions == o.predictions);
    assert_int_equal(d.hull_count, o.living);
    expect_sound("steps", &def, &d);
    for (uint32_t i = 0; i < o.count; i++) /* nothing is left to do */
        assert_true(o.edge[i].refused || o.edge[i].dropped);
    for (uint32_t h = 0; h < d.hull_count; h++)
        assert_true(o.node[d.hull[h].node].lives && (d.hull[h].step < o.steps || d.hull[h].step == UINT64_MAX));
    vp_decomposition_destroy(&d);
    return o.early;
}

TEST(steps_of_shapes)
{
    static small_mesh m;
    make_shape("solid-l", 1000, 1.0, &m);
    run_along(&m, 60, 0, 0);
    make_shape("solid-u", 1000, 1.0, &m); /* like the L, it has no gaps: the oracle knows the edges of the mesh alone */
    run_along(&m, 100, 0, 0);
}

/* Not planar, with errors of all sizes. Few triangles, also open and crossing ones. */
TEST(steps_of_rocks)
{
    static small_mesh m;
    vp_random random = {21};
    uint64_t early = 0;
    for (int round = 0; round < ROUNDS; round++) {
        m.points = m.triangles = 0;
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 4; k++)
                add_point(&m, (float)i * 200 + vp_random_between(&random, -30, 30), vp_random_between(&random, 0, round == 0 ? 0 : 90),
                          (float)k * 250 + vp_random_between(&random, -30, 30));
        for (uint32_t i = 0; i < 5; i++)
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t at = i * 4 + k;
                add_triangle(&m, at, at + 1, at + 4);
                if (vp_random_below(&random, 8) != 0)
                    add_triangle(&m, at + 1, at + 5, at + 4);
            }
        /* when rounding makes many errors equal, some edges are refused before others collapse */
        early += run_along(&m, 60, round == 3 ? 40.0f : round < 4 ? 15.0f : 22.0f, round < 4 ? 0.0f : 15.0f);
    }
    assert_true(early > 0);
}
