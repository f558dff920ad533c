/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "host/program.h"
#include "tools/choices.h"
#include "tools/render/scene.h"

/* Faces +x -x +y -y +z -z: normals, and corners counterclockwise as seen from outside. */
static const int8_t out_of[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const int8_t side_corner[6][4][3] = {{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}}, {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}},
                                            {{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}},
                                            {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}, {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}};

static bool is_solid(uint8_t material)
{
    return material >= VP_FIRST_SOLID;
}

/* The material of a voxel from unpacked bricks, which is faster than vp_world_voxel. Air outside the world. */
static inline uint8_t material_at(const vp_bricks *b, int32_t x, int32_t y, int32_t z)
{
    const uint32_t ux = (uint32_t)x, uy = (uint32_t)y, uz = (uint32_t)z;
    if (ux / VP_CHUNK_EDGE >= b->chunks.x || uy / VP_CHUNK_EDGE >= b->chunks.y || uz / VP_CHUNK_EDGE >= b->chunks.z)
        return VP_AIR;
    const size_t chunk = ((size_t)(uy / VP_CHUNK_EDGE) * b->chunks.z + uz / VP_CHUNK_EDGE) * b->chunks.x + ux / VP_CHUNK_EDGE;
    return b->material[chunk * VP_CHUNK_VOXELS + uy % VP_CHUNK_EDGE * 64 + uz % VP_CHUNK_EDGE * 8 + ux % VP_CHUNK_EDGE];
}

/* Bit f is set if face f of a voxel is visible. */
static uint32_t seen_faces(const vp_bricks *bricks, vp_surface surface, vp_ivec3 at, uint8_t material)
{
    uint32_t faces = 0;
    if (surface == VP_SURFACE_SOLID ? !is_solid(material) : material != VP_WATER)
        return 0;
    for (int f = 0; f < 6; f++) {
        const uint8_t next = material_at(bricks, at.x + out_of[f][0], at.y + out_of[f][1], at.z + out_of[f][2]);
        faces |= (uint32_t)(surface == VP_SURFACE_SOLID ? !is_solid(next) : next == VP_AIR) << f;
    }
    return faces;
}

/* Adds all faces to a mesh, or only counts them if it has no capacity yet. */
static void walk(const vp_world *world, vp_surface surface, vp_mesh *mesh)
{
    const vp_dims size = vp_world_size(world);
    const vp_bricks bricks = vp_world_bricks(world);
    uint32_t count = 0;
    for (int32_t y = 0; y < (int32_t)size.y; y++)
        for (int32_t z = 0; z < (int32_t)size.z; z++)
            for (int32_t x = 0; x < (int32_t)size.x; x++) {
                const uint8_t material = material_at(&bricks, x, y, z);
                const uint32_t faces = seen_faces(&bricks, surface, (vp_ivec3){x, y, z}, material);
                for (int f = 0; f < 6; f++) {
                    if ((faces >> f & 1u) == 0)
                        continue;
                    for (uint32_t k = 0; k < 4 && mesh->quad != NULL; k++) {
                        const int8_t *c = side_corner[f][k];
                        mesh->vertex[(size_t)count * 4 + k] = (vp_vec3){(float)(x + c[0]), (float)(y + c[1]), (float)(z + c[2])};
                        mesh->quad[count][k] = count * 4 + k;
                        mesh->material[count] = material;
                    }
                    count++;
                }
            }
    mesh->quad_count = count;
    mesh->vertex_count = count * 4;
}

/* Makes the faces of voxels of a surface that do not border on the same surface. Water has faces next to air only.
   Outside the world is air. */
static vp_status vp_block_faces(const vp_world *world, vp_surface surface, vp_surface_mesh *out, vp_error *error)
{
    const double begin = vp_seconds();
    vp_mesh mesh = {.allocator = vp_allocator_default()};
    *out = (vp_surface_mesh){0};
    walk(world, surface, &mesh); /* at most one face between two voxels, so 32 bits suffice */
    const size_t count = mesh.quad_count;
    if (count > VP_KD_MAX_TRIANGLES / 2)
        return vp_fail(error, VP_E_ARGUMENT, "the %s voxels have %zu faces; a tree has at most %d", vp_surface_names[surface], count,
                       VP_KD_MAX_TRIANGLES / 2);
    if (count == 0)
        return VP_OK;
    const vp_allocator *a = &mesh.allocator;
    mesh.vertex = a->allocate(a->user, count * 4 * sizeof *mesh.vertex, 64);
    mesh.quad = a->allocate(a->user, count * sizeof *mesh.quad, 64);
    mesh.material = a->allocate(a->user, count, 64);
    out->world_mesh = mesh;
    if (mesh.vertex == NULL || mesh.quad == NULL || mesh.material == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu faces", count);
    walk(world, surface, &out->world_mesh);
    out->triangles = vp_triangles_of(&out->world_mesh);
    out->material = mesh.material;
    out->seconds = vp_seconds() - begin;
    return VP_OK;
}

/* Scenes from sources. */

/* ---- closing a world ---- */

/* Adds a chunk of air at a world's low faces, up to the maximum size. */
static vp_status close_world(vp_source *source, vp_ivec3 *shift, vp_error *error)
{
    vp_dims size = vp_world_size(source->world);
    vp_world *closed = NULL;
    *shift = (vp_ivec3){size.x < VP_WORLD_MAX_XZ ? VP_CHUNK_EDGE : 0, size.y < VP_WORLD_MAX_Y ? VP_CHUNK_EDGE : 0,
                        size.z < VP_WORLD_MAX_XZ ? VP_CHUNK_EDGE : 0};
    const vp_dims larger = {size.x + (uint32_t)shift->x, size.y + (uint32_t)shift->y, size.z + (uint32_t)shift->z};
    VP_RETURN_IF_FAILED(vp_world_enlarge(source->world, larger, *shift, &closed, error));
    vp_world_destroy(source->world);
    source->world = closed;
    return VP_OK;
}

/* ---- surfaces ---- */

/* Computes each vertex normal as the mean of its triangles' normals, weighted by area. */
static vp_status make_normals(vp_scene_surface *s, vp_error *error)
{
    const vp_triangles *t = &s->mesh.triangles;
    s->normal = calloc((size_t)t->vertex_count + 1, sizeof *s->normal);
    if (s->normal == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u normals", t->vertex_count);
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        uint32_t corner[3];
        vp_triangle_corners(t, i, corner);
        const vp_vec3 a = t->vertex[corner[0]];
        const vp_vec3 n = vp_vec3_cross(vp_vec3_sub(t->vertex[corner[1]], a), vp_vec3_sub(t->vertex[corner[2]], a));
        for (int k = 0; k < 3; k++)
            s->normal[corner[k]] = vp_vec3_add(s->normal[corner[k]], n);
    }
    for (uint32_t v = 0; v < t->vertex_count; v++)
        s->normal[v] = vp_unit(s->normal[v]);
    return VP_OK;
}

static vp_status make_surface(vp_render_scene *scene, vp_source *source, int number, vp_ivec3 shift, vp_error *error)
{
    vp_scene_surface *s = &scene->surface[number];
    const vp_scene_def *d = &scene->def;
    VP_RETURN_IF_FAILED(d->shading == VP_SHADING_BLOCKS
                            ? vp_block_faces(source->world, (vp_surface)number, &s->mesh, error)
                            : vp_source_surface(source, (vp_surface)number, d->kernels, d->threads, &s->mesh, error));
    scene->mesh_seconds += s->mesh.seconds;
    if (s->mesh.triangles.triangle_count == 0)
        return VP_OK;
    const vp_vec3 back = {(float)shift.x, (float)shift.y, (float)shift.z};
    for (uint32_t v = 0; v < s->mesh.world_mesh.vertex_count; v++) /* exact, because both are multiples of 1/512 */
        s->mesh.world_mesh.vertex[v] = vp_vec3_sub(s->mesh.world_mesh.vertex[v], back);
    const vp_kd_def def = {.triangles = s->mesh.triangles, .material = s->mesh.material, .form = d->form, .kernels = d->kernels};
    double begin = vp_seconds();
    vp_status status = vp_kd_create(&def, &s->tree, error);
    scene->build_seconds += vp_seconds() - begin;
    if (status != VP_OK)
        return status;
    scene->box = vp_aabb_union(&scene->box, &vp_kd_view_of(s->tree)->box);
    return d->shading == VP_SHADING_SMOOTH ? make_normals(s, error) : VP_OK;
}

/* ---- colours ---- */

/* x^2.4 for x from 0 to 1, by square roots and Newton's method for the fifth root. pow() may return different bits on other machines. */
static double power_2_4(double x)
{
    double square = x * x, root = 1; /* the fifth root of `square`. Newton's method falls to it from above */
    for (int i = 0; x > 0 && i < 64; i++) {
        double fourth = (root * root) * (root * root);
        root -= (root - square / fourth) / 5;
    }
    return x > 0 ? square * root : 0;
}

float vp_srgb_linear(double v)
{
    return (float)(v <= 0.04045 ? v / 12.92 : power_2_4((v + 0.055) / 1.055));
}

/* A mesh's white is that of paper. A surface that reflects all light would outshine the sky. */
static void set_colours(vp_render_scene *scene, const vp_looks *looks)
{
    const float share = scene->textured ? 1 : 0.75f;
    for (int m = 0; m < 256; m++) {
        const uint8_t *c = looks->of[m].colour;
        scene->colour[m] =
            (vp_light){share * vp_srgb_linear(c[0] / 255.0), share * vp_srgb_linear(c[1] / 255.0), share * vp_srgb_linear(c[2] / 255.0)};
    }
}

/* ---- light ---- */

/* The sun is a disc of about two degrees. Each sample sees another point of it, on a spiral with even spacing.
   Directions to the sky are evenly spread over the sphere, and so are those of each single sample. */
static vp_status set_light(vp_render_scene *scene, vp_error *error)
{
    static const float turn = 137.50776f; /* golden angle, degrees */
    const float radius = 0.018f;
    const vp_scene_def *d = &scene->def;
    const uint32_t samples = d->samples * d->samples, directions = samples * d->ambient;
    const vp_vec3 sun = vp_direction_of(d->sun_yaw, d->sun_pitch);
    const vp_vec3 across = vp_direction_of(d->sun_yaw + 90, 0), above = vp_vec3_cross(sun, across);
    for (uint32_t i = 0; i < samples; i++) {
        const vp_vec3 on = vp_direction_of((float)i * turn, 0);
        const float out = radius * sqrtf(((float)i + 0.5f) / (float)samples);
        scene->sun[i] = vp_unit(vp_vec3_add(sun, vp_vec3_add(vp_vec3_scale(across, on.x * out), vp_vec3_scale(above, on.z * out))));
    }
    scene->sky = malloc((directions + 1) * sizeof *scene->sky);
    if (scene->sky == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u directions", directions);
    for (uint32_t i = 0; i < directions; i++) {
        const float y = 1 - (2 * (float)i + 1) / (float)directions, level = sqrtf(1 - y * y);
        const vp_vec3 around = vp_direction_of((float)i * turn, 0);
        /* consecutive directions go to different samples */
        scene->sky[(size_t)(i % samples) * d->ambient + i / samples] = (vp_vec3){around.x * level, y, around.z * level};
    }
    return VP_OK;
}

/* ---- making a scene ---- */

vp_status vp_scene_make(const vp_scene_def *def, vp_source *source, vp_render_scene *out, vp_error *error)
{
    *out = (vp_render_scene){.def = *def, .box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    vp_ivec3 shift = {0, 0, 0};
    const bool world = source->kind == VP_SOURCE_WORLD, made = world || source->kind == VP_SOURCE_MESHES; /* world: of voxels */
    if (!world && def->shading == VP_SHADING_BLOCKS)
        return vp_fail(error, VP_E_ARGUMENT, "--shading blocks is for worlds; %s is a mesh", vp_show_path(source->name).text);
    if (world && def->shading != VP_SHADING_BLOCKS)
        VP_RETURN_IF_FAILED(close_world(source, &shift, error));
    out->def.shading = def->shading != VP_SHADING_USUAL ? def->shading : made ? VP_SHADING_SMOOTH : VP_SHADING_FLAT;
    for (int s = 0; s < (world ? VP_SURFACE_COUNT : 1); s++)
        if (!world || def->wanted[s])
            VP_RETURN_IF_FAILED(make_surface(out, source, s, shift, error));
    if (!(out->box.min.x <= out->box.max.x))
        return vp_fail(error, VP_E_ARGUMENT, "%s has no such surface: nothing is visible", vp_show_path(source->name).text);
    const vp_vec3 size = vp_vec3_sub(out->box.max, out->box.min);
    const float edge = vp_max(vp_max(size.x, size.y), size.z);
    float most = edge;
    const float of_box[6] = {out->box.min.x, out->box.min.y, out->box.min.z, out->box.max.x, out->box.max.y, out->box.max.z};
    for (int k = 0; k < 6; k++)
        most = vp_max(most, fabsf(of_box[k]));
    out->textured = made;
    out->contrast = out->def.shading == VP_SHADING_BLOCKS ? 0.10f : 0.05f;
    out->lift = most * 0x1p-14f;
    out->reach = out->textured ? 40 : edge * 0.25f;
    set_colours(out, &source->looks);
    return set_light(out, error);
}

void vp_scene_drop(vp_render_scene *scene)
{
    for (int s = 0; s < VP_SURFACE_COUNT; s++) {
        vp_kd_destroy(scene->surface[s].tree);
        free(scene->surface[s].normal);
        vp_surface_mesh_destroy(&scene->surface[s].mesh);
    }
    free(scene->sky);
    *scene = (vp_render_scene){0};
}
