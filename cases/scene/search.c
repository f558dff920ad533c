/* SPDX-License-Identifier: MIT */
#include "cases/scene/search.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/random.h"
#include "src/core/error.h"
#include "src/spheretree/ray_sphere.h"
#include "src/spheretree/touch.h"

const char *const vp_scene_ways[VP_WAYS + 1] = {"smaller", "least", "built", "wide", "brute", "sweep1", "sweep3", NULL};

/* Whether a way applies to a scene. Offline builds and baselines take only spheres, and offline builds have a limit
 * of VP_SPHERETREE_MAX_BUILD objects. */
static bool scene_way_takes(const vp_scene_set *scene, vp_scene_way way)
{
    return way < VP_WAY_BUILT || way == VP_WAY_WIDE ||
           (scene->mesh.triangle_count == 0 && (way != VP_WAY_BUILT || scene->count <= VP_SPHERETREE_MAX_BUILD));
}

uint64_t vp_scene_data_of(uint32_t object)
{
    return (uint64_t)object * 7;
}

vp_status vp_scene_fill(const vp_scene_set *scene, vp_scene_way way, const vp_kernels *kernels, const vp_allocator *allocator,
                        vp_spheretree **out, vp_error *error)
{
    const vp_spheretree_def def = {.form = way == VP_WAY_WIDE ? VP_SPHERETREE_WIDE : VP_SPHERETREE_PUBLISHED,
                                   .rule = way == VP_WAY_LEAST ? VP_SPHERETREE_LEAST : VP_SPHERETREE_SMALLER,
                                   .kernels = kernels,
                                   .allocator = allocator};
    vp_spheretree *tree = NULL;
    uint32_t id;
    vp_status status = vp_spheretree_create(&def, &tree, error);
    if (status == VP_OK && (way == VP_WAY_BUILT || way == VP_WAY_WIDE)) {
        vp_spheretree_object *object = vp_must(malloc(((size_t)scene->count + 1) * sizeof *object), 1);
        for (uint32_t i = 0; i < scene->count; i++)
            object[i] = (vp_spheretree_object){scene->sphere[i], vp_scene_data_of(i), scene->mask[i], 0};
        status = vp_spheretree_build(tree, object, scene->count, error);
        free(object);
    } else {
        for (uint32_t i = 0; status == VP_OK && i < scene->count; i++) {
            const vp_spheretree_object object = {scene->sphere[i], vp_scene_data_of(i), scene->mask[i], 0};
            status = vp_spheretree_insert(tree, &object, &id, error);
        }
    }
    if (status == VP_OK && scene->mesh.triangle_count > 0)
        status = vp_spheretree_insert_mesh(tree, &scene->mesh, vp_scene_data_of(scene->count), scene->mask[scene->count], &id, error);
    if (status != VP_OK) {
        vp_spheretree_destroy(tree);
        return status;
    }
    *out = tree;
    return VP_OK;
}

/* ---- questions ---- */

static vp_vec3 near(vp_random *r, const vp_sphere *of, float by)
{
    vp_vec3 p; /* one draw per statement, for a fixed order */
    p.x = of->centre.x + of->radius * vp_random_between(r, -by, by);
    p.y = of->centre.y + of->radius * vp_random_between(r, -by, by);
    p.z = of->centre.z + of->radius * vp_random_between(r, -by, by);
    return p;
}

static float held(float v, float most)
{
    return v > most ? most : v < -most ? -most : v;
}

static vp_vec3 held_place(vp_vec3 p, float most)
{
    return (vp_vec3){held(p.x, most), held(p.y, most), held(p.z, most)};
}

/* A sphere of the scene, or one as large as a triangle. */
static vp_sphere random_of(const vp_scene_set *scene, vp_random *r)
{
    const uint32_t items = vp_scene_items(scene), i = items == 0 ? 0 : vp_random_below(r, items);
    if (items == 0)
        return (vp_sphere){{0, 0, 0}, 1};
    if (i < scene->count)
        return scene->sphere[i];
    uint32_t corner[3];
    vp_triangle_corners(&scene->mesh, i - scene->count, corner);
    return (vp_sphere){scene->mesh.vertex[corner[0]], 1};
}

void vp_scene_ask(const vp_scene_set *scene, vp_scene_questions *out)
{
    vp_random r = {20251124};
    bool differ = false;
    for (uint32_t i = 0; i <= scene->count && !differ; i++)
        differ = scene->mask[i] != scene->mask[0];
    out->count = scene->count < 1000 ? 64 : VP_SCENE_QUERIES;
    for (uint32_t i = 0; i < out->count; i++) {
        const vp_sphere of = random_of(scene, &r), other = random_of(scene, &r);
        const float most = VP_SPHERETREE_MAX;
        out->sphere[i] = (vp_sphere){held_place(near(&r, &of, 2), most), held(of.radius * 2, most)};
        const vp_vec3 low = near(&r, &of, 2);
        const vp_vec3 long_by = {of.radius * 3 * vp_random_unit(&r), of.radius * 2, of.radius * 3};
        out->box[i] = (vp_aabb){low, vp_vec3_add(low, long_by)};
        for (int k = 0; k < 3; k++)
            out->triangle[i][k] = held_place(near(&r, &of, 3), most);
        const vp_vec3 from = held_place(near(&r, &of, 4), VP_KD_MAX), to = near(&r, &other, 1);
        out->ray[i] = (vp_ray){from, vp_vec3_sub(to, from), i % 4 == 3 ? 0.5f : INFINITY};
        if (differ && i % 8 == 1) { /* from inside along an axis, at a corner and next to it */
            out->ray[i] = (vp_ray){held_place(of.centre, VP_KD_MAX), {0, 0, -1}, INFINITY};
            out->sphere[i] = (vp_sphere){other.centre, 0};
            out->box[i] = (vp_aabb){{-INFINITY, of.centre.y, 0}, {of.centre.x, of.centre.y, INFINITY}};
            out->triangle[i][2] = out->triangle[i][1] = of.centre;
        }
        if (out->ray[i].direction.x == 0 && out->ray[i].direction.y == 0 && out->ray[i].direction.z == 0)
            out->ray[i].direction.x = 1;
        out->query[i] =
            (vp_spheretree_query){.mask = differ ? i % 4 : UINT32_MAX, .test = differ && i >= out->count / 2 ? vp_scene_object_test : NULL};
        if (differ && i % 4 == 0)
            out->query[i].mask = UINT32_MAX;
    }
}

bool vp_scene_object_test(void *user, uint32_t object, uint64_t data, float *t)
{
    if (data != vp_scene_data_of(object)) /* another object's data makes every answer wrong */
        return false;
    if (object % 3 == 1)
        *t += 0.5f;
    return object % 3 != 0;
}

/* ---- primitive tests only ---- */

uint32_t vp_scene_items(const vp_scene_set *scene)
{
    return scene->count + scene->mesh.triangle_count;
}

vp_spheretree_item vp_scene_item_number(const vp_scene_set *scene, uint32_t item)
{
    return item < scene->count ? (vp_spheretree_item){item, VP_SPHERETREE_NONE} : (vp_spheretree_item){scene->count, item - scene->count};
}

static void corners_of(const vp_scene_set *scene, uint32_t item, vp_vec3 out[3])
{
    uint32_t corner[3];
    vp_triangle_corners(&scene->mesh, item - scene->count, corner);
    for (int k = 0; k < 3; k++)
        out[k] = scene->mesh.vertex[corner[k]];
}

static bool is_asked(const vp_scene_set *scene, const vp_spheretree_query *query, uint32_t item)
{
    return (scene->mask[item < scene->count ? item : scene->count] & query->mask) != 0;
}

bool vp_scene_item_touched(const vp_scene_set *scene, const vp_scene_questions *asked, vp_asked_shape shape, uint32_t i, uint32_t item)
{
    const vp_spheretree_query *query = &asked->query[i];
    vp_vec3 corner[3];
    float t = 0;
    if (!is_asked(scene, query, item))
        return false;
    if (item >= scene->count) {
        corners_of(scene, item, corner);
        return shape == VP_ASK_SPHERE ? vp_triangle_touches_sphere(corner, &asked->sphere[i])
               : shape == VP_ASK_BOX  ? vp_triangle_touches_box(corner, &asked->box[i])
                                      : vp_triangles_touch(asked->triangle[i], corner);
    }
    const vp_sphere *sphere = &scene->sphere[item];
    const bool touched = shape == VP_ASK_SPHERE ? vp_sphere_touches_sphere(&asked->sphere[i], sphere)
                         : shape == VP_ASK_BOX  ? vp_box_touches_sphere(&asked->box[i], sphere)
                                                : vp_triangle_touches_sphere(asked->triangle[i], sphere);
    return touched && (query->test == NULL || query->test(NULL, item, vp_scene_data_of(item), &t));
}

bool vp_scene_item_met(const vp_scene_set *scene, const vp_scene_questions *asked, uint32_t i, uint32_t item, float *s,
                       vp_spheretree_hit *hit)
{
    const vp_spheretree_query *query = &asked->query[i];
    vp_ray_frame ray;
    vp_meeting m;
    if (!is_asked(scene, query, item) || !vp_ray_frame_of(&asked->ray[i], &ray))
        return false;
    if (item >= scene->count) {
        vp_vec3 p[3];
        corners_of(scene, item, p);
        const float a[3] = {p[0].x, p[0].y, p[0].z}, b[3] = {p[1].x, p[1].y, p[1].z}, c[3] = {p[2].x, p[2].y, p[2].z};
        if (!vp_ray_meets(&ray, a, b, c, &m))
            return false;
    } else {
        float t;
        if (!vp_ray_meets_sphere(&ray, &scene->sphere[item], &m))
            return false;
        t = m.t;
        if (query->test != NULL && !query->test(NULL, item, vp_scene_data_of(item), &t))
            return false;
        if (t > m.t) {
            m.t = t;
            m.s = (float)(t / ray.unscale);
        }
        if (!(m.s <= ray.s_max && m.t <= ray.t_max && m.t <= FLT_MAX))
            return false;
    }
    *s = m.s;
    *hit = (vp_spheretree_hit){m.t, vp_scene_item_number(scene, item), m.u, m.v};
    return true;
}

bool vp_scene_items_touch(const vp_scene_set *scene, uint32_t a, uint32_t b)
{
    vp_vec3 corner[3];
    if (a >= scene->count && b >= scene->count)
        return false;
    if (!(scene->mask[a < scene->count ? a : scene->count] & scene->mask[b < scene->count ? b : scene->count]))
        return false;
    if (a < scene->count && b < scene->count)
        return vp_sphere_touches_sphere(&scene->sphere[a], &scene->sphere[b]);
    corners_of(scene, a < scene->count ? b : a, corner);
    return vp_triangle_touches_sphere(corner, &scene->sphere[a < scene->count ? a : b]);
}

bool vp_scene_hit_is_before(float at, vp_spheretree_item item, float other_at, vp_spheretree_item other)
{
    if (at != other_at)
        return at < other_at;
    return item.object != other.object ? item.object < other.object : item.triangle < other.triangle;
}

/* The baselines that the article discusses: brute force over the objects' spheres, and sweep-and-prune with sorted intervals on axes. Both
 * end in the same tests as a tree, so their answers are the same. */

typedef struct interval {
    double low, high, furthest; /* furthest = maximum of this and all previous `high` */
    uint32_t object;
} interval;

struct vp_sweep {
    uint32_t axes, count;
    interval *list[3];
    double (*low)[3], (*high)[3]; /* by object */
};

static int by_low(const void *a, const void *b)
{
    const interval *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->object < y->object ? -1 : x->object > y->object;
}

vp_sweep *vp_sweep_create(const vp_sphere *sphere, uint32_t count, uint32_t axes)
{
    vp_sweep *s = calloc(1, sizeof *s);
    bool all = s != NULL;
    if (all) {
        *s = (vp_sweep){.axes = axes, .count = count};
        s->low = malloc(((size_t)count + 1) * sizeof *s->low);
        s->high = malloc(((size_t)count + 1) * sizeof *s->high);
        all = s->low != NULL && s->high != NULL;
        for (uint32_t k = 0; all && k < axes; k++)
            all = (s->list[k] = malloc(((size_t)count + 1) * sizeof *s->list[k])) != NULL;
    }
    if (!all) {
        vp_sweep_destroy(s);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double c[3] = {(double)sphere[i].centre.x, (double)sphere[i].centre.y, (double)sphere[i].centre.z},
                     r = (double)sphere[i].radius;
        for (int k = 0; k < 3; k++) { /* more than all rounding of the tests */
            const double slack = (fabs(c[k]) + r) * 0x1p-40;
            s->low[i][k] = c[k] - r - slack;
            s->high[i][k] = c[k] + r + slack;
        }
    }
    for (uint32_t k = 0; k < axes; k++) {
        double furthest = -INFINITY;
        for (uint32_t i = 0; i < count; i++)
            s->list[k][i] = (interval){s->low[i][k], s->high[i][k], 0, i};
        qsort(s->list[k], count, sizeof *s->list[k], by_low);
        for (uint32_t i = 0; i < count; i++)
            s->list[k][i].furthest = furthest = fmax(furthest, s->list[k][i].high);
    }
    return s;
}

void vp_sweep_destroy(vp_sweep *s)
{
    if (s == NULL)
        return;
    for (uint32_t k = 0; k < s->axes; k++)
        free(s->list[k]);
    free(s->low);
    free(s->high);
    free(s);
}

/* The part of a list that may overlap, from the first whose running maximum end is high enough to the last that begins low enough. */
static void range_of(const interval *list, uint32_t count, double low, double high, uint32_t range[2])
{
    uint32_t from = 0, to = count;
    for (uint32_t n = count; n > 0;) {
        const uint32_t half = n / 2;
        if (list[from + half].furthest < low) {
            from += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    uint32_t below = 0;
    for (uint32_t n = count; n > 0;) {
        const uint32_t half = n / 2;
        if (list[below + half].low <= high) {
            below += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    to = below;
    range[0] = from;
    range[1] = to > from ? to : from;
}

static bool overlaps(const vp_sweep *s, uint32_t object, const double low[3], const double high[3])
{
    for (uint32_t k = 0; k < s->axes; k++)
        if (s->low[object][k] > high[k] || s->high[object][k] < low[k])
            return false;
    return true;
}

uint64_t vp_sweep_box(const vp_sweep *s, const double low[3], const double high[3], vp_sweep_take_fn *take, void *user)
{
    uint32_t best = 0, range[2] = {0, s->count};
    for (uint32_t k = 0; k < s->axes; k++) { /* the axis with the fewest overlaps */
        uint32_t other[2];
        range_of(s->list[k], s->count, low[k], high[k], other);
        if (other[1] - other[0] < range[1] - range[0] || k == 0) {
            best = k;
            range[0] = other[0];
            range[1] = other[1];
        }
    }
    for (uint32_t i = range[0]; i < range[1]; i++) {
        const uint32_t object = s->axes == 0 ? i : s->list[best][i].object;
        if (overlaps(s, object, low, high) && !take(user, object))
            return i + 1 - range[0];
    }
    return range[1] - range[0];
}

uint64_t vp_sweep_pairs(const vp_sweep *s, vp_sweep_pair_fn *take, void *user)
{
    uint64_t looked = 0;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = i + 1; k < s->count; k++) {
            if (s->axes > 0 && s->list[0][k].low > s->list[0][i].high)
                break;
            const uint32_t a = s->axes == 0 ? i : s->list[0][i].object, b = s->axes == 0 ? k : s->list[0][k].object;
            looked++;
            if (overlaps(s, b, s->low[a], s->high[a]))
                take(user, a < b ? a : b, a < b ? b : a);
        }
    return looked;
}

/* ---- the work ---- */

typedef struct searched {
    vp_spheretree *tree;
    vp_sweep *sweep;
    vp_scene_questions asked;
} searched;

static void drop_searched(void *argument)
{
    searched *s = argument;
    if (s != NULL) {
        vp_spheretree_destroy(s->tree);
        vp_sweep_destroy(s->sweep);
    }
    free(s);
}

static vp_status make_searched(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    const vp_scene_set *scene = from->set;
    const vp_kernels scalar = vp_scalar_kernels();
    searched *s = *out = vp_must(calloc(1, sizeof *s), sizeof *s);
    vp_scene_ask(scene, &s->asked);
    if (variant >= VP_WAY_BRUTE) {
        s->sweep = vp_sweep_create(scene->sphere, scene->count, variant == VP_WAY_BRUTE ? 0 : variant == VP_WAY_SWEEP1 ? 1 : 3);
        return s->sweep != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "%s: no memory for intervals", from->name);
    }
    return vp_scene_fill(scene, (vp_scene_way)variant, &scalar, NULL, &s->tree, error);
}

static const vp_derivation derivation = {"sphere tree", make_searched, drop_searched};

static const void *input(vp_arena *arena, const void *from, size_t count, size_t size, size_t alignment)
{
    return count > 0 ? vp_arena_input(arena, from, count, size, alignment, 0) : NULL;
}

/* Counts the nodes, boxes and leaves of a wide tree up to the last one in use. */
static void count_wide(const vp_spheretree_wide *wide, uint32_t at, uint32_t *nodes, uint32_t *boxes, uint32_t *leaves)
{
    const vp_spheretree_wide_info *info = &wide->info[at];
    *nodes = at >= *nodes ? at + 1 : *nodes;
    *boxes = info->level > 0 && info->box >= *boxes ? info->box + 1 : *boxes;
    for (uint32_t lane = 0; lane < info->count; lane++) {
        const uint32_t child = wide->node[at].child[lane], leaf = child & ~VP_SPHERETREE_LEAF;
        if (info->level > 0)
            count_wide(wide, child, nodes, boxes, leaves);
        else if (leaf != child && leaf >= *leaves)
            *leaves = leaf + 1;
    }
}

static const vp_spheretree_wide *input_wide(vp_arena *arena, const vp_spheretree_wide *from)
{
    vp_spheretree_wide *wide = vp_arena_keep(arena, 1, sizeof *wide, alignof(vp_spheretree_wide));
    uint32_t nodes = 0, boxes = 0, leaves = 0;
    if (from->root != VP_SPHERETREE_NONE)
        count_wide(from, from->root, &nodes, &boxes, &leaves);
    *wide = *from;
    wide->node = (vp_spheretree_wide_node *)(uintptr_t)input(arena, from->node, nodes, sizeof *from->node, 64);
    wide->info =
        (vp_spheretree_wide_info *)(uintptr_t)input(arena, from->info, nodes, sizeof *from->info, alignof(vp_spheretree_wide_info));
    wide->box = (vp_spheretree_wide_box *)(uintptr_t)input(arena, from->box, boxes, sizeof *from->box, 64);
    wide->leaf =
        (vp_spheretree_wide_leaf *)(uintptr_t)input(arena, from->leaf, leaves, sizeof *from->leaf, alignof(vp_spheretree_wide_leaf));
    return wide;
}

vp_status vp_scene_search_begin(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const void *made;
    const vp_status status = vp_data_derive(data, &derivation, variant, &made, error);
    if (status != VP_OK)
        return status;
    const searched *s = made;
    vp_scene_search *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(vp_scene_search));
    w->scene = data->set;
    w->way = (vp_scene_way)variant;
    w->asked = vp_arena_input(arena, &s->asked, 1, sizeof s->asked, alignof(vp_scene_questions), 0);
    w->sweep = s->sweep;
    if (s->tree == NULL)
        return VP_OK;
    const vp_spheretree_view *tree = vp_spheretree_view_of(s->tree);
    w->stats = vp_spheretree_stats_of(s->tree);
    w->tree = *tree;
    w->tree.node = (vp_spheretree_node *)(uintptr_t)input(arena, tree->node, tree->wide == NULL ? w->stats.nodes : 0, sizeof *tree->node,
                                                          alignof(vp_spheretree_node));
    w->tree.object = input(arena, tree->object, w->stats.objects, sizeof *tree->object, alignof(vp_spheretree_entry));
    if (tree->wide != NULL)
        w->tree.wide = input_wide(arena, tree->wide);
    if (w->scene->mesh.triangle_count > 0) {
        const vp_triangles *t = &w->scene->mesh;
        vp_spheretree_mesh *mesh = vp_arena_keep(arena, 1, sizeof *mesh, alignof(vp_spheretree_mesh));
        *mesh = tree->mesh[0];
        mesh->triangles.vertex = input(arena, t->vertex, t->vertex_count, sizeof *t->vertex, alignof(vp_vec3));
        mesh->triangles.index = input(arena, t->index, (size_t)t->triangle_count * 3, sizeof *t->index, alignof(uint32_t));
        w->tree.mesh = mesh;
    }
    return VP_OK;
}

bool vp_scene_search_takes(const vp_data *data, uint32_t variant)
{
    return scene_way_takes(data->set, (vp_scene_way)variant);
}

/* ---- cost ---- */

void vp_scene_search_count(const vp_scene_search *w, const vp_spheretree_cost *cost, double by, vp_counters *out)
{
    if (w->sweep == NULL)
        vp_count(out, "nodes", (double)cost->nodes / by);
    vp_count(out, "tests", (double)cost->tests / by);
    if (w->sweep == NULL) {
        vp_count(out, "depth", (double)w->stats.depth);
        const size_t node = w->tree.wide == NULL ? sizeof *w->tree.node : sizeof *w->tree.wide->node + sizeof *w->tree.wide->info;
        vp_count(out, "bytes_per_object",
                 (double)(w->stats.nodes * node + w->stats.objects * sizeof *w->tree.object) / (double)w->stats.leaves);
        vp_count(out, "excess", w->stats.excess);
    }
}

int vp_scene_by_item(const void *a, const void *b)
{
    const vp_spheretree_item *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

vp_status vp_scene_judge_items(const vp_scene_set *scene, const vp_scene_questions *asked, vp_asked_shape shape, uint32_t i,
                               const vp_spheretree_item *item, uint32_t kept, uint32_t count, vp_error *error)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < vp_scene_items(scene); k++)
        if (vp_scene_item_touched(scene, asked, shape, i, k)) {
            const vp_spheretree_item want = vp_scene_item_number(scene, k);
            if (n >= kept || vp_scene_by_item(&item[n++], &want) != 0)
                return vp_fail(error, VP_E_FORMAT, "question %u does not find object %u, triangle %u", i, want.object, want.triangle);
        }
    return n == count ? VP_OK : vp_fail(error, VP_E_FORMAT, "question %u touches %u items, not %u", i, n, count);
}

const char *const vp_scene_search_notes[VP_WAYS] = {
    ", tree of the published rule",  ", tree of the rule that grows least", ", tree built offline", ", wide tree", ", every object",
    ", sweep-and-prune on one axis", ", sweep-and-prune on three axes"};

enum {
    TREES = 1 << VP_WAY_SMALLER | 1 << VP_WAY_LEAST,
    BUILT = 1 << VP_WAY_BUILT,
    WIDE = 1 << VP_WAY_WIDE,
    BASELINES = 1 << VP_WAY_BRUTE | 1 << VP_WAY_SWEEP1 | 1 << VP_WAY_SWEEP3
};
#define OF(set, bits) VP_ON(set, bits, VP_TIMED | VP_ONLY_SCALAR), VP_ON(set, WIDE, VP_TIMED)
#define ALL_OF(family)                                                                                                                     \
    OF(family "/100", TREES | BUILT | BASELINES), OF(family "/1000", TREES | BUILT | BASELINES), OF(family "/10000", TREES | BASELINES)
const vp_measured vp_scene_searches[] = {ALL_OF("uniform"),
                                         ALL_OF("hills"),
                                         OF("clustered/10000", TREES),
                                         OF("mixed-radii/10000", TREES),
                                         OF("hill-triangles/10000", TREES),
                                         OF("sorted/10000", TREES),
                                         OF("line/1000", TREES),
                                         OF("growing/3400", TREES),
                                         VP_ON("uniform/100000", WIDE, VP_TIMED),
                                         {.data = NULL}};
