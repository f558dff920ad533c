/* SPDX-License-Identifier: MIT */
/* The reader of records of moving bodies returns the recorded steps, shapes and ground. */
#define _XOPEN_SOURCE 700
#include "tests/support/check.h"

#include <stdlib.h>

#include <voxphys/block_store.h>
#include <voxphys/mesh.h>

#include "host/record/read.h"
#include "host/record/write.h"
#include "tests/view/moving.h"

enum { GROUND, BODIES, CONTACTS, NORMALS, FIGURES };

static const double length = 0.5;

static vp_record_writer *writer;
static vp_bodies_recording r;
static vp_bytes bytes;
static vp_record *record; /* the recording that is read back */

/* Begins a recording with these options. */
static void begin_recording(vp_bodies_record_def def)
{
    assert_ok(
        vp_record_writer_create(NULL, &(vp_record_about){.type = "simulate", .title = "bodies", .seconds = 1 / 30.0}, &writer, &error));
    def.to = vp_record_writer_recorder(writer);
    vp_bodies_record_begin(&def, &r);
}

static void end_recording(void)
{
    vp_bodies_record_end(&r);
    assert_ok(vp_record_writer_close(writer, NULL, &bytes, &error));
    assert_ok(vp_record_open(bytes.at, bytes.size, &record, &error));
    assert_ok(vp_record_check(record, &error));
}

static void close_recording(void)
{
    vp_record_close(record);
    free(bytes.at);
}

static void assert_near(double read, double given, double steps)
{
    assert_true(fabs(read - given) <= 0.5 / steps);
}

static void compare_bodies(const moving *m)
{
    vp_record_now now;
    assert_ok(vp_record_layer_now(record, BODIES, &now, &error));
    assert_int_equal(now.count, m->count);
    for (uint32_t i = 0; i < m->count; i++) {
        const vp_recorded_body *b = &m->now[i];
        const vp_record_item *item = &now.items[i];
        double dot = 0, square = 0;
        assert_int_equal(item->id, b->id);
        assert_int_equal(item->shape, b->shape);
        assert_int_equal(item->state, b->state);
        for (int k = 0; k < 3; k++)
            assert_near(item->position[k], b->position[k], 4096);
        for (int k = 0; k < 4; k++) {
            dot += item->rotation[k] * b->rotation[k];
            square += b->rotation[k] * b->rotation[k];
        }
        assert_true(fabs(fabs(dot) / sqrt(square) - 1) < 1e-4);
    }
}

static void compare_contacts(const moving *m)
{
    vp_record_now points, lines;
    assert_ok(vp_record_layer_now(record, CONTACTS, &points, &error));
    assert_int_equal(points.count, m->contacts);
    for (uint32_t i = 0; i < m->contacts; i++) {
        const vp_recorded_contact *c = &m->contact[i];
        for (int k = 0; k < 3; k++)
            assert_near(points.rows[6 * i + (uint32_t)k], c->point[k], 4096);
        assert_true(points.rows[6 * i + 3] == (double)c->body);
        assert_true(points.rows[6 * i + 4] == (c->other == VP_BODIES_RECORD_GROUND ? -1.0 : (double)c->other));
        assert_near(points.rows[6 * i + 5], c->depth, 65536);
    }
    assert_ok(vp_record_layer_now(record, NORMALS, &lines, &error)); /* this call invalidates the rows of the points */
    assert_int_equal(lines.count, m->contacts);
    for (uint32_t i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) {
            assert_near(lines.rows[6 * i + (uint32_t)k], m->contact[i].point[k], 4096);
            assert_near(lines.rows[6 * i + 3 + (uint32_t)k], m->contact[i].point[k] + length * m->contact[i].normal[k], 4096);
        }
}

static void compare_figures(const moving *m, double energy)
{
    vp_record_now now;
    double awake = 0, deepest = 0;
    for (uint32_t i = 0; i < m->count; i++)
        awake += m->now[i].state == VP_BODY_AWAKE;
    for (uint32_t i = 0; i < m->contacts; i++)
        deepest = m->contact[i].depth > deepest ? m->contact[i].depth : deepest;
    assert_ok(vp_record_layer_now(record, FIGURES, &now, &error));
    assert_true(now.scalars[0] == awake && now.scalars[1] == m->contacts && now.scalars[2] == deepest && now.scalars[3] == energy);
}

TEST(steps_are_read_as_they_were_given)
{
    vp_record_now now;
    moving m;
    uint32_t asleep = 0, between = 0, ground = 0;
    assert_ok(moving_create(&m, &error));
    static const char *const figure[] = {"energy"};
    begin_recording((vp_bodies_record_def){.normal_length = length, .figure = figure, .figure_count = 1});
    moving_begin(&m, &r);
    for (uint32_t s = 0; s < MOVING_STEPS; s++) {
        const double energy = -1.5 * s;
        moving_step(&m, s);
        assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){m.now, m.count, m.contact, m.contacts, &energy}, &error));
    }
    end_recording();
    assert_int_equal(vp_record_info_of(record).frames, MOVING_STEPS);
    for (uint32_t s = MOVING_STEPS; s-- > 0;) {
        moving_step(&m, s);
        assert_ok(vp_record_seek(record, s, &error));
        compare_bodies(&m);
        compare_contacts(&m);
        compare_figures(&m, -1.5 * s);
        for (uint32_t i = 0; i < m.count; i++)
            asleep += m.now[i].state == VP_BODY_ASLEEP;
        for (uint32_t i = 0; i < m.contacts; i++) {
            between += m.contact[i].other != VP_BODIES_RECORD_GROUND;
            ground += m.contact[i].other == VP_BODIES_RECORD_GROUND;
        }
        assert_ok(vp_record_layer_now(record, GROUND, &now, &error));
        assert_int_equal(now.count, 1);
    }
    assert_true(asleep > 100 && between > 40 && ground > 500); /* the sample covers all of them */
    moving_destroy(&m);
    close_recording();
}

/* ---- shapes ---- */

static double volume_of(const vp_record_shape *s)
{
    double sum = 0;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        double v[3][3];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                v[c][k] = (double)s->corner[3 * s->triangle[3 * t + (uint32_t)c] + (uint32_t)k];
        sum += v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) - v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
               v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    }
    return sum / 6;
}

/* Parts as a mesh. The volume is that of the parts, minus what round parts lose between corners. A box is where it is moved to. */
TEST(shapes_are_those_surfaces)
{
    static const double pi = 3.14159265358979;
    vp_record_shape read;
    moving m;
    assert_ok(moving_create(&m, &error));
    static const char *const figure[] = {"energy"};
    begin_recording((vp_bodies_record_def){.normal_length = length, .figure = figure, .figure_count = 1});
    const vp_pose moved = {{3, -2, 1}, {0, 0, 1, 1}}; /* a quarter turn about z: x to y */
    const double volume[] = {4.0 / 3 * pi * 0.216, pi * 0.16 * (1 + 1.6 / 3), 8 * 0.7 * 0.5 * 0.6, pi * 0.25 * 1.2, 1.4 * 1.3 * 2.4 / 3};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(vp_bodies_record_shape(&r, &(vp_manifold_body){&m.shape[i], moved}, 1), i);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(vp_bodies_record_shape(&r, &(vp_manifold_body){&m.shape[i], vp_pose_at((vp_vec3){0, 0, 0})}, 1), 5 + i);
    assert_int_equal(vp_bodies_record_shape(&r, (vp_manifold_body[]){{&m.shape[0], moved}, {&m.shape[4], moved}, {&m.shape[2], moved}}, 3),
                     10);
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){.figure = volume}, &error));
    end_recording();
    for (uint32_t i = 0; i < 5; i++) {
        assert_ok(vp_record_shape_read(record, i, &read, &error));
        for (uint32_t c = 0; c < read.corner_count && i == 2; c++) { /* the box, whose x and y have changed places */
            const float *at = read.corner + 3 * (size_t)c;
            assert_true(fabsf(fabsf(at[0] - 3) - 0.5f) < 1e-5f && fabsf(fabsf(at[1] + 2) - 0.7f) < 1e-5f &&
                        fabsf(fabsf(at[2] - 1) - 0.6f) < 1e-5f);
        }
        const double part = volume_of(&read) / volume[i];
        assert_true(i == 2 || i == 4 ? fabs(part - 1) < 1e-4 : part > 0.9 && part < 1);
        vp_record_shape_drop(&read);
    }
    static const vp_record_form form[] = {VP_RECORD_SPHERE, VP_RECORD_CAPSULE, VP_RECORD_BOX, VP_RECORD_CYLINDER, VP_RECORD_MESH};
    static const double size[5][3] = {{0.6}, {0.4, 0.5}, {0.7, 0.5, 0.6}, {0.5, 0.6}};
    for (uint32_t i = 0; i < 5; i++) {
        assert_ok(vp_record_shape_read(record, 5 + i, &read, &error));
        assert_int_equal(read.form, form[i]);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(read.size[k] - size[i][k]) < 1e-5);
        vp_record_shape_drop(&read);
    }
    assert_ok(vp_record_shape_read(record, 10, &read, &error));
    assert_true(fabs(volume_of(&read) / (volume[0] + volume[4] + volume[2]) - 0.98) < 0.02);
    vp_record_shape_drop(&read);
    moving_destroy(&m);
    close_recording();
}

TEST(the_ground_is_replaced)
{
    static const float corner[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1};
    static const uint32_t triangle[] = {0, 1, 2, 1, 3, 2};
    static const uint8_t material[] = {0, 1};
    static const vp_looks looks = {.of = {{"sand", {214, 200, 150}, false}, {"rock", {0, 0, 0}, false}}};
    vp_record_now now;
    vp_record_shape read, mesh = {.corner = corner, .corner_count = 4, .triangle = triangle, .triangle_count = 2, .material = material};
    begin_recording((vp_bodies_record_def){.looks = &looks});
    vp_bodies_record_ground(&r, 4, &mesh);
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){0}, &error));
    mesh.triangle_count = 1;
    vp_bodies_record_ground(&r, 4, &mesh);
    vp_bodies_record_ground(&r, 9, &mesh);
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){0}, &error));
    mesh.triangle_count = 0;
    vp_bodies_record_ground(&r, 9, &mesh);
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){0}, &error));
    end_recording();
    const vp_record_layer *ground = vp_record_info_of(record).layers;
    assert_string_equal(ground->materials[0].name, "sand");
    assert_int_equal(ground->materials[0].colour, 0xd6c896);
    assert_int_equal(ground->materials[1].colour, 0x010101); /* 0 is no colour */
    static const uint32_t triangles[3][2] = {{2}, {1, 1}, {1, 0}};
    for (uint32_t f = 0; f < 3; f++) {
        assert_ok(vp_record_seek(record, f, &error));
        assert_ok(vp_record_layer_now(record, GROUND, &now, &error));
        assert_int_equal(now.count, f == 0 ? 1 : 2);
        for (uint32_t i = 0; i < now.count; i++) {
            assert_ok(vp_record_shape_read(record, now.items[i].shape, &read, &error));
            assert_int_equal(read.triangle_count, triangles[f][i]);
            vp_record_shape_drop(&read);
        }
    }
    close_recording();
}

/* ---- worlds ---- */

/* Triangles as a set, with their number and a sum of their hashes. */
typedef struct triangles {
    uint64_t count, sum;
} triangles;

static void count_triangle(triangles *to, const double corner[9], uint8_t material)
{
    uint64_t hash = material;
    for (int k = 0; k < 9; k++)
        hash = (hash ^ (uint64_t)(int64_t)(corner[k] * 4096)) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
    to->count++;
    to->sum += hash;
}

static triangles in_world(const vp_world *world, vp_surface surface)
{
    triangles all = {0, 0};
    vp_mesh mesh;
    assert_ok(vp_mesh_create(&(vp_mesh_def){.world = world, .surface = surface}, &mesh, &error));
    for (uint32_t t = 0; t < 2 * mesh.quad_count; t++) {
        uint32_t v[3];
        double corner[9];
        vp_mesh_triangle(&mesh, t, v);
        for (int k = 0; k < 9; k++)
            corner[k] = (double)(&mesh.vertex[v[k / 3]].x)[k % 3];
        count_triangle(&all, corner, mesh.material[t / 2]);
    }
    vp_mesh_destroy(&mesh);
    return all;
}

static triangles in_layer(uint32_t layer)
{
    triangles all = {0, 0};
    vp_record_now now;
    assert_ok(vp_record_layer_now(record, layer, &now, &error));
    for (uint32_t i = 0; i < now.count; i++) {
        vp_record_shape s;
        assert_ok(vp_record_shape_read(record, now.items[i].shape, &s, &error));
        for (uint32_t t = 0; t < s.triangle_count; t++) {
            double corner[9];
            for (uint32_t k = 0; k < 9; k++)
                corner[k] = (double)s.corner[3 * s.triangle[3 * t + k / 3] + k % 3];
            count_triangle(&all, corner, s.material[t]);
        }
        vp_record_shape_drop(&s);
    }
    return all;
}

static void assert_same(triangles a, triangles b)
{
    assert_true(a.count == b.count && a.sum == b.sum);
}

/* The pieces are the world's surface, also after edits of which only the changed chunks are recorded. */
TEST(pieces_are_the_surface_of_a_world)
{
    enum { EDITS = 6 };
    vp_world *world;
    vp_chunk_set stale;
    triangles solid[EDITS + 1], water[EDITS + 1];
    assert_ok(vp_world_create(&(vp_world_def){.size = {40, 24, 32}}, &world, &error));
    assert_ok(vp_chunk_set_create(vp_world_chunks(world), NULL, &stale, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){40, 9, 32}, (vp_voxel){VP_FIRST_SOLID, 255}, NULL, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){8, 5, 8}, (vp_ivec3){30, 8, 24}, (vp_voxel){VP_WATER, 255}, NULL, &error));
    begin_recording((vp_bodies_record_def){.has_water = true});
    assert_int_equal(r.water, 1);
    for (int e = 0; e <= EDITS; e++) {
        const vp_vec3 centre = {(float)(6 * e), 8.5f, (float)(e * e % 32)};
        const vp_voxel voxel = {(uint8_t)(e % 2 ? VP_AIR : VP_FIRST_SOLID + e), e % 2 ? 0 : 255};
        if (e > 0)
            assert_ok(vp_world_fill_sphere(world, centre, 3.5f + (float)e / 4, voxel, &stale, &error));
        assert_ok(vp_bodies_record_world(&r, world, e > 0 ? &stale : NULL, &error));
        vp_chunk_set_clear(&stale);
        assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){0}, &error));
        solid[e] = in_world(world, VP_SURFACE_SOLID);
        water[e] = in_world(world, VP_SURFACE_WATER);
        assert_true(solid[e].count > 1000 && water[e].count > 100 && (e == 0 || solid[e].sum != solid[e - 1].sum));
    }
    end_recording();
    for (uint32_t e = 0; e <= EDITS; e++) {
        assert_ok(vp_record_seek(record, e, &error));
        assert_same(in_layer(0), solid[e]);
        assert_same(in_layer(1), water[e]);
    }
    vp_chunk_set_destroy(&stale);
    vp_world_destroy(world);
    close_recording();
}

/* Each side of a block that collides, next to a block that does not, is two triangles. */
TEST(pieces_are_the_sides_of_blocks)
{
    enum { EDGE = 70 };
    vp_blocks *blocks;
    vp_block_held held;
    vp_looks looks;
    uint64_t sides = 0;
    const vp_block_edit edit[] = {{.shape = VP_BLOCK_SPHERE, .block = 4, .centre = {33, 31, 35}, .radius = 27},
                                  {.shape = VP_BLOCK_SPHERE, .block = 0, .centre = {32, 40, 32}, .radius = 9.5f}};
    assert_ok(vp_blocks_create(&(vp_blocks_def){0}, &blocks, &error));
    assert_ok(vp_blocks_edit(blocks, edit, 2, NULL, &error));
    assert_ok(vp_blocks_acquire_box(blocks, (vp_ivec3){0, 0, 0}, (vp_dims){3, 2, 3}, &held, &error));
    for (int32_t i = 0; i < EDGE * EDGE * EDGE; i++)
        for (int s = 0; s < 6; s++) {
            vp_ivec3 at = {i % EDGE - 1, i / EDGE % EDGE - 1, i / EDGE / EDGE - 1}, beside = at;
            *(s / 2 == 0 ? &beside.x : s / 2 == 1 ? &beside.y : &beside.z) += s % 2 ? 1 : -1;
            sides += vp_blocks_get(blocks, at) != 0 && vp_blocks_get(blocks, beside) == 0;
        }
    vp_bodies_looks_of_blocks(&held.view, &looks);
    assert_string_equal(looks.of[4].name, "block:4");
    const uint8_t *c = looks.of[4].colour;
    assert_int_equal((uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2], held.view.type[4].colour);
    begin_recording((vp_bodies_record_def){.looks = &looks});
    assert_ok(vp_bodies_record_blocks(&r, &held.view, &error));
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){0}, &error));
    end_recording();
    assert_int_equal(in_layer(GROUND).count, 2 * sides);
    assert_true(sides > 5000);
    vp_blocks_release_box(blocks, &held);
    vp_blocks_destroy(blocks);
    close_recording();
}
