/* SPDX-License-Identifier: MIT */
/* Scenes, in common families and in the worst families for trees. They are made from whole numbers and + - * / of binary32. Lengths are
 * in voxels. Without a reason for other radii, radii are 1, with at least 51 cubic voxels per object. */
#include "datasets/scene_sets.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/generate/noise.h"
#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/manifest_data.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { ALL = 0xffff, GROWING_MAX = 3400 };

uint32_t vp_scene_count_of(const char *text)
{
    return vp_count_in(text, 1, VP_SCENE_SETS_MAX);
}

vp_status vp_scene_count(const vp_making *from, uint32_t *count, vp_error *error)
{
    const char *slash = strchr(from->name, '/');
    *count = slash != NULL ? vp_scene_count_of(slash + 1) : from->dataset->count;
    if (*count == 0 || *count > VP_SCENE_SETS_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.80s\": after the slash comes the number of objects, a whole number from 1 to %d",
                       from->name, VP_SCENE_SETS_MAX);
    return VP_OK;
}

void vp_scene_set_drop(vp_scene_set *set)
{
    free(set->sphere);
    free(set->mask);
    free((void *)(uintptr_t)set->mesh.vertex);
    free((void *)(uintptr_t)set->mesh.index);
    *set = (vp_scene_set){0};
}

/* Allocates spheres, vertices and triangles. All masks are ALL. */
static vp_status create(uint32_t count, uint32_t vertices, uint32_t triangles, vp_scene_set *out, vp_error *error)
{
    *out = (vp_scene_set){.count = count};
    out->sphere = malloc(((size_t)count + 1) * sizeof *out->sphere);
    out->mask = malloc(((size_t)count + 1) * sizeof *out->mask);
    out->mesh = (vp_triangles){.vertex = malloc(((size_t)vertices + 1) * sizeof *out->mesh.vertex),
                               .index = malloc(((size_t)triangles * 3 + 1) * sizeof *out->mesh.index),
                               .vertex_count = vertices,
                               .triangle_count = triangles};
    if (out->sphere == NULL || out->mask == NULL || out->mesh.vertex == NULL || out->mesh.index == NULL) {
        vp_scene_set_drop(out);
        return vp_fail(error, VP_E_MEMORY, "no memory for a scene of %u objects", count);
    }
    for (uint32_t i = 0; i <= count; i++)
        out->mask[i] = ALL;
    return VP_OK;
}

/* Returns the smallest whole edge of a cube with `each` cubic voxels per object. */
static uint32_t edge_of(uint64_t count, uint32_t each)
{
    uint64_t edge = 1;
    while (edge * edge * edge < count * each)
        edge++;
    return (uint32_t)edge;
}

static uint32_t root_of(uint32_t count)
{
    uint32_t root = 1;
    while ((uint64_t)(root + 1) * (root + 1) <= count)
        root++;
    return root;
}

static vp_vec3 random_place(vp_random *r, float edge)
{
    return vp_random_vec3(r, (vp_vec3){0, 0, 0}, (vp_vec3){edge, edge, edge});
}

vp_status vp_scene_uniform(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    vp_random r = {seed};
    const float edge = (float)edge_of(count, 51);
    VP_RETURN_IF_FAILED(create(count, 0, 0, out, error));
    for (uint32_t i = 0; i < count; i++)
        out->sphere[i] = (vp_sphere){random_place(&r, edge), 1.0f};
    return VP_OK;
}

typedef vp_status make_scene_fn(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error);

/* The number of clusters is about the number of objects in each. A cluster is denser in its middle. */
static vp_status clustered(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    vp_random r = {seed};
    const uint32_t clusters = root_of(count);
    const float edge = (float)edge_of(count, 200);
    VP_RETURN_IF_FAILED(create(count, 0, 0, out, error));
    vp_vec3 middle = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (i % ((count + clusters - 1) / clusters) == 0)
            middle = random_place(&r, edge);
        const vp_vec3 a = random_place(&r, 4.0f), b = random_place(&r, 4.0f), c = random_place(&r, 4.0f);
        out->sphere[i] = (vp_sphere){vp_vec3_add(middle, vp_vec3_add(a, vp_vec3_add(b, c))), 1.0f};
    }
    return VP_OK;
}

/* Objects on the ground, a height field of hills. */
static vp_status hills(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    vp_random r = {seed};
    const vp_noise noise = vp_noise_make(&r, 4, 64.0f);
    const float edge = 4.0f * (float)root_of(count);
    VP_RETURN_IF_FAILED(create(count, 0, 0, out, error));
    for (uint32_t i = 0; i < count; i++) {
        vp_vec3 p = random_place(&r, edge);
        p.y = 40.0f + 24.0f * vp_noise_sum_2d(&noise, p.x, p.z);
        out->sphere[i] = (vp_sphere){p, 1.0f};
    }
    return VP_OK;
}

/* The same ground as about that many triangles, with one sphere on it per sixteen triangles. */
static vp_status hill_triangles(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    vp_random r = {seed};
    const vp_noise noise = vp_noise_make(&r, 4, 64.0f);
    const uint32_t edge = root_of(count / 2 > 0 ? count / 2 : 1), row = edge + 1, spheres = count / 16 + 1;
    VP_RETURN_IF_FAILED(create(spheres, row * row, 2 * edge * edge, out, error));
    vp_vec3 *vertex = (vp_vec3 *)(uintptr_t)out->mesh.vertex;
    uint32_t *index = (uint32_t *)(uintptr_t)out->mesh.index;
    for (uint32_t z = 0; z < row; z++)
        for (uint32_t x = 0; x < row; x++)
            vertex[z * row + x] = (vp_vec3){(float)x, 40.0f + 24.0f * vp_noise_sum_2d(&noise, (float)x, (float)z), (float)z};
    for (uint32_t z = 0; z < edge; z++)
        for (uint32_t x = 0; x < edge; x++) {
            const uint32_t at = z * row + x, two[6] = {at, at + row, at + 1, at + 1, at + row, at + row + 1};
            memcpy(index, two, sizeof two);
            index += 6;
        }
    for (uint32_t i = 0; i < spheres; i++) {
        vp_vec3 p = random_place(&r, (float)edge);
        p.y = 40.0f + 24.0f * vp_noise_sum_2d(&noise, p.x, p.z);
        out->sphere[i] = (vp_sphere){p, 0.5f};
    }
    return VP_OK;
}

/* Radii from 0.1 to 10, most of them small. */
static vp_status mixed_radii(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    vp_random r = {seed};
    const float edge = (float)edge_of(count, 200);
    VP_RETURN_IF_FAILED(create(count, 0, 0, out, error));
    for (uint32_t i = 0; i < count; i++) {
        const vp_vec3 p = random_place(&r, edge);
        const float u = vp_random_unit(&r), square = u * u;
        out->sphere[i] = (vp_sphere){p, 0.1f + 9.9f * (square * square)};
    }
    return VP_OK;
}

static int by_x(const void *a, const void *b)
{
    const vp_vec3 p = ((const vp_sphere *)a)->centre, q = ((const vp_sphere *)b)->centre;
    if (p.x != q.x)
        return p.x < q.x ? -1 : 1;
    if (p.y != q.y)
        return p.y < q.y ? -1 : 1;
    return p.z < q.z ? -1 : p.z > q.z;
}

static vp_status sorted(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_scene_uniform(count, seed, out, error));
    qsort(out->sphere, count, sizeof *out->sphere, by_x);
    return VP_OK;
}

/* Equal spheres, each touching the next, from one end to the other. */
static vp_status line(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    const vp_status status = create(count, 0, 0, out, error);
    (void)seed;
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        out->sphere[i] = (vp_sphere){{2.0f * (float)i, 0, 0}, 1.0f};
    return status;
}

/* Concentric spheres, the largest first. */
static vp_status concentric(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    const vp_status status = create(count, 0, 0, out, error);
    (void)seed;
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        out->sphere[i] = (vp_sphere){{3, 5, 7}, (float)(count - i)};
    return status;
}

/* Each is 1 % larger than the previous one, and touches it. */
static vp_status growing(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    (void)seed;
    if (count > GROWING_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "%u objects, each 1 %% larger than the one before: must be at most %d", count, GROWING_MAX);
    VP_RETURN_IF_FAILED(create(count, 0, 0, out, error));
    float x = 0, radius = 1;
    for (uint32_t i = 0; i < count; i++) {
        out->sphere[i] = (vp_sphere){{x, 0, 0}, radius};
        x += radius;
        radius *= 1.01f;
        x += radius;
    }
    return VP_OK;
}

static vp_status one_place(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error)
{
    const vp_status status = create(count, 0, 0, out, error);
    (void)seed;
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        out->sphere[i] = (vp_sphere){{3, 5, 7}, 1.0f};
    return status;
}

static const struct {
    const char *name;
    make_scene_fn *make;
} families[] = {{"uniform", vp_scene_uniform}, {"clustered", clustered}, {"hills", hills}, {"hill-triangles", hill_triangles},
                {"mixed-radii", mixed_radii},  {"sorted", sorted},       {"line", line},   {"concentric", concentric},
                {"growing", growing},          {"one-place", one_place}};

static make_scene_fn *find(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i].name, name) == 0)
            return families[i].make;
    return NULL;
}

static bool is_family(const char *name)
{
    return find(name) != NULL;
}

static vp_status make(const vp_making *from, void **set, vp_error *error)
{
    uint32_t count;
    VP_RETURN_IF_FAILED(vp_scene_count(from, &count, error));
    return find(from->dataset->generator)(count, from->seed, *set, error);
}

/* Small numbers, so that many objects barely touch or barely miss. Some share a place, some have no extent, some are huge. Triangles may
 * be segments and points. Masks have two bits. */
static vp_status fuzz(const vp_making *from, void **set, vp_error *error)
{
    vp_random r = {from->seed ^ UINT64_C(0x7363656e)};
    const uint32_t count = vp_random_below(&r, 40), vertices = 12,
                   triangles = vp_random_below(&r, 3) == 0 ? 0 : 1 + vp_random_below(&r, 12);
    vp_scene_set *scene = *set;
    VP_RETURN_IF_FAILED(create(count, triangles > 0 ? vertices : 0, triangles, scene, error));
    vp_vec3 *vertex = (vp_vec3 *)(uintptr_t)scene->mesh.vertex;
    uint32_t *index = (uint32_t *)(uintptr_t)scene->mesh.index;
    for (uint32_t i = 0; i < count; i++) {
        vp_sphere *s = &scene->sphere[i];
        const uint32_t odd = vp_random_below(&r, 16);
        s->centre.x = (float)vp_random_below(&r, 33) / 4.0f;
        s->centre.y = (float)vp_random_below(&r, 33) / 4.0f;
        s->centre.z = (float)vp_random_below(&r, 33) / 4.0f;
        s->radius = (float)vp_random_below(&r, 9) / 4.0f;
        if (odd == 0)
            s->radius = -0.0f;
        if (odd == 1 && i > 0)
            *s = scene->sphere[vp_random_below(&r, i)];
        if (odd == 2)
            *s = (vp_sphere){{VP_SPHERETREE_MAX, s->centre.y, -VP_SPHERETREE_MAX}, VP_SPHERETREE_MAX};
        if (odd == 3)
            *s = (vp_sphere){{0x1p-149f, s->centre.y, 0x1p-130f}, 0x1p-149f};
        scene->mask[i] = vp_random_below(&r, 8) == 0 ? 0 : 1 + vp_random_below(&r, 3);
    }
    scene->mask[count] = 1 + vp_random_below(&r, 3);
    for (uint32_t i = 0; i < scene->mesh.vertex_count; i++) {
        vertex[i].x = (float)vp_random_below(&r, 9);
        vertex[i].y = (float)vp_random_below(&r, 9);
        vertex[i].z = (float)vp_random_below(&r, 3);
    }
    for (uint32_t i = 0; i < triangles * 3; i++)
        index[i] = vp_random_below(&r, vertices);
    return VP_OK;
}

/* ---- the kind ---- */

static uint64_t count(const void *set)
{
    const vp_scene_set *scene = set;
    return (uint64_t)scene->count + scene->mesh.triangle_count;
}

/* Hashes the numbers of spheres, vertices and triangles, then spheres, masks, vertices and indices. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_scene_set *scene = set;
    vp_hash_u32(h, scene->count);
    vp_hash_u32(h, scene->mesh.vertex_count);
    vp_hash_u32(h, scene->mesh.triangle_count);
    vp_hash_words(h, scene->sphere, (size_t)scene->count * 4);
    vp_hash_words(h, scene->mask, (size_t)scene->count + (scene->mesh.triangle_count > 0));
    vp_hash_words(h, scene->mesh.vertex, (size_t)scene->mesh.vertex_count * 3);
    vp_hash_words(h, scene->mesh.index, (size_t)scene->mesh.triangle_count * 3);
}

static void lines(const void *set, vp_text *to)
{
    const vp_scene_set *scene = set;
    for (uint32_t i = 0; i < scene->count; i++) {
        vp_text_add_vec3(to, "{\"centre\": ", scene->sphere[i].centre);
        vp_text_add(to, ", \"radius\": \"%a\", \"mask\": %u}\n", (double)scene->sphere[i].radius, scene->mask[i]);
    }
    for (uint32_t t = 0; t < scene->mesh.triangle_count; t++) {
        uint32_t corner[3];
        vp_triangle_corners(&scene->mesh, t, corner);
        const vp_vec3 *v = scene->mesh.vertex, at[3] = {v[corner[0]], v[corner[1]], v[corner[2]]};
        vp_text_add_points(to, "{\"triangle\": [", at, 3);
        vp_text_add(to, "], \"mask\": %u}\n", scene->mask[scene->count]);
    }
}

VP_KIND_DROP(vp_scene_set_drop)

static const vp_generator generators[] = {{.name = "uniform", .has = is_family, .make = make}, {0}};

const vp_kind vp_kind_scenes = {
    .name = "scenes",
    .words = "scenes",
    .bytes = sizeof(vp_scene_set),
    .one = "scene",
    .member = (const char *const[]){"count", "hash", "hashes", NULL},
    .generator = generators,
    .count_of = vp_scene_count_of,
    .fuzz = fuzz,
    .count = count,
    .hash = hash,
    .lines = lines,
    .drop = drop,
};
