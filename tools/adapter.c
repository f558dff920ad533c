/* SPDX-License-Identifier: MIT */
/* voxphys adapter: answers the questions of the conformance corpus by the library's own kernels, for `voxphys check` and as an example of
 * an adapter. What is asked of no function of the library as it is asked here is put together from several; how, stands above each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "src/core/error.h"
#include "src/core/isa_names.h"
#include "src/core/memory.h"
#include "conformance/serve.h"
#include "host/program.h"
#include "tools/commands.h"

/* What answers; the words behind the question's number are written to `to`. A failure is a refusal, and nothing was written. */
typedef vp_status answer_fn(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error);

/* ---- grids ---- */

static size_t cell_at(const vp_question *q, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)y * q->extents.z + z) * q->extents.x + x;
}

static uint32_t whole_chunks(uint32_t extent)
{
    return (extent + VP_CHUNK_EDGE - 1) / VP_CHUNK_EDGE * VP_CHUNK_EDGE;
}

/* A world with the grid in it, its lowest cell so many voxels from the world's corner on each axis, and air around. */
static vp_status make_world(const vp_question *q, uint32_t border, vp_world **out, vp_error *error)
{
    const size_t cells = vp_question_cells(q);
    const vp_world_def def = {.size = {whole_chunks(q->extents.x + 2 * border), whole_chunks(q->extents.y + 2 * border), whole_chunks(q->extents.z + 2 * border)}};
    uint8_t *material = malloc(cells), *occupancy = malloc(cells);
    vp_status status = material == NULL || occupancy == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %zu cells", cells)
                                                             : vp_world_create(&def, out, error);
    if (status == VP_OK) {
        for (size_t i = 0; i < cells; i++) {
            const char c = q->cells != NULL ? q->cells[i] : q->full[i] > 0 ? '#' : '.';
            material[i] = c == '#' ? VP_FIRST_SOLID : c == '~' ? VP_WATER : VP_AIR;
            occupancy[i] = q->full != NULL ? q->full[i] : c != '.' ? 255 : 0;
        }
        const vp_ivec3 low = {(int32_t)border, (int32_t)border, (int32_t)border};
        status = vp_world_write_rows(*out, low, q->extents, material, occupancy, NULL, error);
    }
    free(material);
    free(occupancy);
    return status;
}

static vp_status make_broadphase(const vp_question *q, const vp_kernels *kernels, vp_world **world, vp_broadphase **out, vp_error *error)
{
    const vp_status status = make_world(q, 0, world, error);
    if (status != VP_OK)
        return status;
    const vp_broadphase_def def = {.world = *world, .kernels = kernels};
    return vp_broadphase_create(&def, out, error);
}

/* The masks of a broadphase, cut to the grid. */
static vp_status answer_dilation(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    const vp_status status = make_broadphase(q, kernels, &world, &broadphase, error);
    for (int water = 0; status == VP_OK && water < 2; water++) {
        if (water != 0)
            putc(' ', to);
        for (uint32_t y = 0; y < q->extents.y; y++)
            for (uint32_t z = 0; z < q->extents.z; z++)
                for (uint32_t x = 0; x < q->extents.x; x++) {
                    const vp_ivec3 chunk = {(int32_t)(x / 8), (int32_t)(y / 8), (int32_t)(z / 8)};
                    const vp_chunk_masks *masks = vp_broadphase_masks(broadphase, chunk);
                    const uint64_t slice = water != 0 ? masks->water[y % 8] : masks->solid[y % 8];
                    putc((slice >> (z % 8 * 8 + x % 8) & 1) != 0 ? '1' : '0', to);
                }
    }
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    return status;
}

static vp_status answer_overlap(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    static const char *const words[] = {"none", "solid", "water", "both"};
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    uint32_t touch;
    if (q->extents.x % 8 != 0 || q->extents.y % 8 != 0 || q->extents.z % 8 != 0)
        return vp_fail(error, VP_E_UNSUPPORTED, "a world of %u x %u x %u is no whole chunks", q->extents.x, q->extents.y, q->extents.z);
    vp_status status = make_broadphase(q, kernels, &world, &broadphase, error);
    if (status == VP_OK) {
        const vp_broadphase_view bits = vp_broadphase_bits(broadphase);
        touch = kernels->overlap_box(&bits, &q->box);
        fputs(touch == VP_TOUCH_INVALID ? "invalid" : words[touch], to);
    }
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    return status;
}

/* By vp_mesh_create of a world that has a chunk of air around the grid. */
static vp_status answer_mesher(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    vp_world *world = NULL;
    vp_mesh mesh = {0};
    vp_status status = make_world(q, VP_CHUNK_EDGE, &world, error);
    if (status == VP_OK) {
        const vp_mesh_def def = {.world = world, .surface = VP_SURFACE_SOLID, .kernels = kernels};
        status = vp_mesh_create(&def, &mesh, error);
    }
    if (status == VP_OK) {
        fprintf(to, "mesh %u %u", mesh.vertex_count, mesh.quad_count * 2);
        for (uint32_t i = 0; i < mesh.vertex_count; i++) {
            const vp_vec3 v = mesh.vertex[i];
            fprintf(to, " %s", vp_bits_of(v.x - (float)VP_CHUNK_EDGE).text);
            fprintf(to, " %s", vp_bits_of(v.y - (float)VP_CHUNK_EDGE).text);
            fprintf(to, " %s", vp_bits_of(v.z - (float)VP_CHUNK_EDGE).text);
        }
        for (uint64_t t = 0; t < (uint64_t)mesh.quad_count * 2; t++) {
            uint32_t corner[3];
            vp_mesh_triangle(&mesh, t, corner);
            fprintf(to, " %u %u %u", corner[0], corner[1], corner[2]);
        }
    }
    vp_mesh_destroy(&mesh);
    vp_world_destroy(world);
    return status;
}

/* ---- rays and boxes at triangles ---- */

static vp_status make_tree(const vp_triangles *triangles, const vp_kernels *kernels, vp_kd **out, vp_error *error)
{
    const vp_kd_def def = {.triangles = *triangles, .form = VP_KD_WIDE, .kernels = kernels};
    return vp_kd_create(&def, out, error);
}

static vp_triangles triangles_of(const vp_question *q)
{
    static const uint32_t alone[3] = {0, 1, 2};
    const bool is_one = q->family == VP_ASKED_RAY_TRIANGLE;
    return (vp_triangles){.vertex = q->point,
                          .index = is_one ? alone : &q->triangle[0][0],
                          .vertex_count = q->points,
                          .triangle_count = is_one ? 1 : q->triangles};
}

static vp_status cast(const vp_triangles *triangles, const vp_ray *ray, const vp_kernels *kernels, vp_hit *out, vp_error *error)
{
    vp_kd *tree = NULL;
    vp_status status = make_tree(triangles, kernels, &tree, error);
    if (status == VP_OK)
        status = vp_kd_raycast(tree, ray, out, error);
    vp_kd_destroy(tree);
    return status;
}

/* One triangle is asked of a tree, which also refuses what is no ray or no triangle, and tried by brute force. */
static vp_hit try_alone(const vp_question *q, const vp_kernels *kernels)
{
    float corner[3][3][1 + VP_TRIANGLE_SOA_SLACK] = {0};
    vp_triangle_soa soup = {.count = 1};
    for (int c = 0; c < 3; c++) {
        const float at[3] = {q->point[c].x, q->point[c].y, q->point[c].z};
        for (int axis = 0; axis < 3; axis++) {
            corner[c][axis][0] = at[axis];
            soup.corner[c][axis] = corner[c][axis];
        }
    }
    return kernels->brute_ray(&soup, &q->ray);
}

static vp_status answer_ray(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_triangles triangles = triangles_of(q);
    vp_hit hit;
    const vp_status status = cast(&triangles, &q->ray, kernels, &hit, error);
    if (status != VP_OK)
        return status;
    if (q->family == VP_ASKED_RAY_TRIANGLE) {
        const vp_hit alone = try_alone(q, kernels);
        if (alone.triangle != hit.triangle || memcmp(&alone.t, &hit.t, sizeof hit.t) != 0) {
            /* No answer, and not meant as one: two kernels disagree. */
            fprintf(to, "disagree %d %s %d %s", hit.triangle, vp_bits_of(hit.t).text, alone.triangle, vp_bits_of(alone.t).text);
            return VP_OK;
        }
    }
    if (hit.triangle == VP_NO_HIT)
        fputs("none", to);
    else if (q->family == VP_ASKED_RAY_TRIANGLE)
        fprintf(to, "hit %s", vp_bits_of(hit.t).text);
    else
        fprintf(to, "hit %d %s", hit.triangle, vp_bits_of(hit.t).text);
    return VP_OK;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* In ascending order, so that programs can be compared word by word. */
static vp_status answer_gather(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_triangles triangles = triangles_of(q);
    vp_kd *tree = NULL;
    uint32_t count = 0, *found = malloc(((size_t)q->triangles + 1) * sizeof *found);
    vp_status status = found == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", q->triangles) : make_tree(&triangles, kernels, &tree, error);
    if (status == VP_OK)
        status = vp_kd_gather(tree, &q->box, found, q->triangles, &count, error);
    if (status == VP_OK) {
        qsort(found, count, sizeof *found, by_number);
        fprintf(to, "set %u", count);
        for (uint32_t i = 0; i < count; i++)
            fprintf(to, " %u", found[i]);
    }
    vp_kd_destroy(tree);
    free(found);
    return status;
}

/* ---- a ray from cell to cell ---- */

/* The faces of solid cells towards air, a quad each, and of which cell each is. */
typedef struct cubes {
    vp_vec3 *vertex;
    uint32_t (*quad)[4];
    vp_ivec3 *cell;
    uint32_t quads;
} cubes;

static bool is_solid(const vp_question *q, int64_t x, int64_t y, int64_t z)
{
    if (x < 0 || y < 0 || z < 0 || x >= q->extents.x || y >= q->extents.y || z >= q->extents.z)
        return false;
    return q->cells[cell_at(q, (uint32_t)x, (uint32_t)y, (uint32_t)z)] == '#';
}

/* @param axis, side  of the cell's face
   @param c           NULL: only counted */
static void add_face(const vp_question *q, const int64_t at[3], int axis, int side, cubes *c)
{
    int64_t beyond[3] = {at[0], at[1], at[2]};
    beyond[axis] += side != 0 ? 1 : -1;
    if (is_solid(q, beyond[0], beyond[1], beyond[2]))
        return;
    if (c->quad != NULL) {
        const int first[3] = {q->first.x, q->first.y, q->first.z};
        for (uint32_t corner = 0; corner < 4; corner++) {
            float v[3];
            for (int k = 0; k < 3; k++)
                v[k] = (float)(at[k] + first[k]);
            v[axis] += side != 0 ? 1.0f : 0.0f;
            v[(axis + 1) % 3] += corner == 1 || corner == 2 ? 1.0f : 0.0f;
            v[(axis + 2) % 3] += corner >= 2 ? 1.0f : 0.0f;
            c->vertex[c->quads * 4 + corner] = (vp_vec3){v[0], v[1], v[2]};
            c->quad[c->quads][corner] = c->quads * 4 + corner;
        }
        c->cell[c->quads] = (vp_ivec3){(int32_t)at[0] + q->first.x, (int32_t)at[1] + q->first.y, (int32_t)at[2] + q->first.z};
    }
    c->quads++;
}

static void add_faces(const vp_question *q, cubes *c)
{
    c->quads = 0;
    for (int64_t y = 0; y < q->extents.y; y++)
        for (int64_t z = 0; z < q->extents.z; z++)
            for (int64_t x = 0; x < q->extents.x; x++)
                for (int face = 0; is_solid(q, x, y, z) && face < 6; face++)
                    add_face(q, (const int64_t[3]){x, y, z}, face / 2, face % 2, c);
}

static void write_cell(vp_ivec3 cell, float t, FILE *to)
{
    fprintf(to, "hit %d %d %d %s", cell.x, cell.y, cell.z, vp_bits_of(t).text);
}

/* Cells are cubes, and cubes are triangles: the nearest of these by vp_kd_raycast. A ray that begins in a solid cell is there at once. */
static vp_status answer_walk(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const float origin[3] = {q->ray.origin.x, q->ray.origin.y, q->ray.origin.z};
    const int first[3] = {q->first.x, q->first.y, q->first.z};
    cubes c = {.quads = 0};
    add_faces(q, &c);
    const uint32_t quads = c.quads;
    c.vertex = malloc(((size_t)quads + 1) * 4 * sizeof *c.vertex);
    c.quad = malloc(((size_t)quads + 1) * sizeof *c.quad);
    c.cell = malloc(((size_t)quads + 1) * sizeof *c.cell);
    vp_hit hit = {.triangle = VP_NO_HIT};
    vp_status status = VP_OK;
    if (c.vertex == NULL || c.quad == NULL || c.cell == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u faces", quads);
    } else {
        add_faces(q, &c);
        const vp_triangles triangles = {.vertex = c.vertex, .index = &c.quad[0][0], .vertex_count = quads * 4, .triangle_count = quads * 2, .quads = true};
        status = cast(&triangles, &q->ray, kernels, &hit, error);
    }
    if (status == VP_OK) {
        int64_t at[3] = {-1, -1, -1};
        for (int k = 0; k < 3; k++)
            if (fabsf(origin[k]) < 1e9f)
                at[k] = (int64_t)floorf(origin[k]) - first[k];
        if (is_solid(q, at[0], at[1], at[2]))
            write_cell((vp_ivec3){(int32_t)at[0] + first[0], (int32_t)at[1] + first[1], (int32_t)at[2] + first[2]}, 0.0f, to);
        else if (hit.triangle == VP_NO_HIT)
            fputs("none", to);
        else
            write_cell(c.cell[hit.triangle / 2], hit.t, to);
    }
    free(c.vertex);
    free(c.quad);
    free(c.cell);
    return status;
}

/* ---- hulls ---- */

/* By the kernel, whose corners are in order. */
static vp_status answer_hull2(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    if (q->points == 0)
        return vp_fail(error, VP_E_ARGUMENT, "there are no points");
    for (uint32_t i = 0; i < q->points; i++)
        if (!isfinite(q->point[i].x) || !isfinite(q->point[i].y))
            return vp_fail(error, VP_E_ARGUMENT, "point %u is not finite", i);
    const vp_allocator a = vp_allocator_default();
    const size_t bytes = vp_hull2_scratch_bytes(q->points);
    void *scratch = vp_allocate(&a, bytes, 1);
    uint32_t *corner = malloc((size_t)q->points * sizeof *corner);
    const bool memory = scratch != NULL && corner != NULL;
    if (memory) {
        const vp_hull2_job build = {.point = q->point, .count = q->points, .axis = {0, 1}, .most_work = UINT64_MAX, .scratch = scratch, .corner = corner};
        const uint32_t corners = kernels->hull2(&build).corners;
        fprintf(to, "hull %u", corners);
        for (uint32_t i = 0; i < corners; i++)
            fprintf(to, " %u", corner[i]);
    }
    vp_release(&a, scratch, bytes, 1);
    free(corner);
    return memory ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %u points", q->points);
}

static vp_status answer_hull3(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_hull_def def = {.point = q->point, .count = q->points, .kernels = kernels};
    vp_hull hull = {0};
    const vp_status status = vp_hull_create(&def, &hull, error);
    if (status == VP_OK && hull.dimension < 3) {
        fputs("flat", to);
    } else if (status == VP_OK) {
        fprintf(to, "hull %u", hull.triangle_count);
        for (uint32_t i = 0; i < hull.triangle_count; i++)
            for (int k = 0; k < 3; k++)
                fprintf(to, " %u", hull.vertex[hull.triangle[i][k]]);
    }
    vp_hull_destroy(&hull);
    return status;
}

/* ---- the protocol ---- */

static answer_fn *const answers[VP_ASKED_COUNT] = {
    [VP_ASKED_DILATION] = answer_dilation, [VP_ASKED_OVERLAP] = answer_overlap,    [VP_ASKED_GRID_WALK] = answer_walk,
    [VP_ASKED_RAY_TRIANGLE] = answer_ray,  [VP_ASKED_RAY_MESH] = answer_ray,       [VP_ASKED_AABB_GATHER] = answer_gather,
    [VP_ASKED_MESHER] = answer_mesher,     [VP_ASKED_HULL2] = answer_hull2,        [VP_ASKED_HULL3] = answer_hull3,
};

static bool can(const void *user, vp_asked_family family)
{
    (void)user;
    return answers[family] != NULL;
}

static vp_status answer(const void *kernels, const vp_question *q, FILE *to, vp_error *error)
{
    return answers[q->family](q, kernels, to, error);
}

int vp_command_adapter(int argc, char **argv)
{
    const char *isa = NULL;
    const vp_option options[] = {{"--isa", "NAME", "kernels: " VP_ISA_NAMES " (as VOXPHYS_ISA says)", &isa}};
    const vp_usage usage = {"adapter", "[OPTION...]",
                            "Reads conformance questions from standard input, one per line, and writes the answers to standard output:\n"
                            "for 'voxphys check --adapter \"voxphys adapter\"', and as a reference to compare an adapter of your own with.\n"
                            "docs/CONFORMANCE.md describes the protocol.",
                            options, 1, 0, 0};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    vp_error error;
    vp_kernels kernels;
    if (isa == NULL ? vp_kernels_default(&kernels, &error) != VP_OK : vp_kernels_named(isa, &kernels, &error) != VP_OK)
        return vp_command_fail("adapter", &error);
    const char *shown = isa != NULL && strcmp(isa, "best") != 0 ? isa : vp_isa_shown(vp_kernels_isa(&kernels, VP_KERNEL_kd_ray));
    char name[64];
    snprintf(name, sizeof name, "voxphys-%s", shown);
    const vp_server server = {name, vp_version_string(), &kernels, can, answer};
    return vp_serve(&server) ? VP_EXIT_DONE : VP_EXIT_FAILED;
}
