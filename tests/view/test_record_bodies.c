/* SPDX-License-Identifier: MIT */
/* Records of moving bodies: what is read is what was given, step by step; shapes are those surfaces. */
#define _XOPEN_SOURCE 700
#include "tests/support/check.h"

#include <stdlib.h>

#include "host/record/read.h"
#include "host/record/write.h"
#include "tests/view/moving.h"

enum { GROUND, BODIES, CONTACTS, NORMALS, FIGURES };

static const double length = 0.5;

static const vp_recorder *begin_recording(vp_record_writer **writer, vp_bodies_recording *r)
{
    static const char *const figure[] = {"energy"};
    assert_ok(
        vp_record_writer_create(NULL, &(vp_record_about){.type = "simulate", .title = "moving", .seconds = 1 / 30.0}, writer, &error));
    const vp_recorder *to = vp_record_writer_recorder(*writer);
    vp_bodies_record_begin(&(vp_bodies_record_def){.to = to, .normal_length = length, .figure = figure, .figure_count = 1}, r);
    return to;
}

static vp_record *end_recording(vp_record_writer *writer, vp_bodies_recording *r, vp_bytes *bytes)
{
    vp_record *record;
    vp_bodies_record_end(r);
    assert_ok(vp_record_writer_close(writer, NULL, bytes, &error));
    assert_ok(vp_record_open(bytes->at, bytes->size, &record, &error));
    assert_ok(vp_record_check(record, &error));
    return record;
}

static void assert_near(double read, double given, double steps)
{
    assert_true(fabs(read - given) <= 0.5 / steps);
}

static void compare_bodies(vp_record *record, const moving *m)
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

static void compare_contacts(vp_record *record, const moving *m)
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
    assert_ok(vp_record_layer_now(record, NORMALS, &lines, &error)); /* after this the rows of the points are gone */
    assert_int_equal(lines.count, m->contacts);
    for (uint32_t i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) {
            assert_near(lines.rows[6 * i + (uint32_t)k], m->contact[i].point[k], 4096);
            assert_near(lines.rows[6 * i + 3 + (uint32_t)k], m->contact[i].point[k] + length * m->contact[i].normal[k], 4096);
        }
}

static void compare_figures(vp_record *record, const moving *m, double energy)
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

static void steps_are_read_as_they_were_given(void **state)
{
    (void)state;
    vp_record_writer *writer;
    vp_bodies_recording r;
    vp_bytes bytes;
    vp_record_now now;
    moving m;
    uint32_t asleep = 0, between = 0, ground = 0;
    assert_ok(moving_create(&m, &error));
    begin_recording(&writer, &r);
    moving_begin(&m, &r);
    for (uint32_t s = 0; s < MOVING_STEPS; s++) {
        const double energy = -1.5 * s;
        moving_step(&m, s);
        assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){m.now, m.count, m.contact, m.contacts, &energy}, &error));
    }
    vp_record *record = end_recording(writer, &r, &bytes);
    assert_int_equal(vp_record_info_of(record).frames, MOVING_STEPS);
    for (uint32_t s = MOVING_STEPS; s-- > 0;) {
        moving_step(&m, s);
        assert_ok(vp_record_seek(record, s, &error));
        compare_bodies(record, &m);
        compare_contacts(record, &m);
        compare_figures(record, &m, -1.5 * s);
        for (uint32_t i = 0; i < m.count; i++)
            asleep += m.now[i].state == VP_BODY_ASLEEP;
        for (uint32_t i = 0; i < m.contacts; i++) {
            between += m.contact[i].other != VP_BODIES_RECORD_GROUND;
            ground += m.contact[i].other == VP_BODIES_RECORD_GROUND;
        }
        assert_ok(vp_record_layer_now(record, GROUND, &now, &error));
        assert_int_equal(now.count, 1);
    }
    assert_true(asleep > 100 && between > 40 && ground > 500); /* the sample has them all */
    vp_record_close(record);
    free(bytes.at);
    moving_destroy(&m);
}

/* ---- shapes ---- */

/* How far a point is from a shape's surface, by the shape's formula; hulls by their planes. */
static double off_surface(const vp_collide_shape *s, const double p[3])
{
    const double aside = hypot(p[0], p[2]), half = (double)s->half_height, radius = (double)s->radius;
    const double h[3] = {(double)s->half.x, (double)s->half.y, (double)s->half.z};
    double most = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return hypot(aside, p[1]) - radius;
    case VP_COLLIDE_CAPSULE:
        return hypot(aside, fmax(fabs(p[1]) - half, 0)) - radius;
    case VP_COLLIDE_CYLINDER:
        return fmax(aside - radius, fabs(p[1]) - half);
    case VP_COLLIDE_BOX:
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(p[k]) - h[k]);
        return most;
    case VP_COLLIDE_HULL:
        for (uint32_t f = 0; f < s->hull->face_count; f++) {
            const vp_collide_plane *plane = &s->hull->plane[f];
            most = fmax(most, (double)plane->normal.x * p[0] + (double)plane->normal.y * p[1] + (double)plane->normal.z * p[2] -
                                  (double)plane->offset);
        }
        return most;
    case VP_COLLIDE_KINDS:
        break;
    }
    return most;
}

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

/* Parts as a mesh: every corner is on a part's surface, and the volume is that of the parts, less what round ones lose between corners. */
static void shapes_are_those_surfaces(void **state)
{
    (void)state;
    static const double pi = 3.14159265358979;
    vp_record_writer *writer;
    vp_bodies_recording r;
    vp_bytes bytes;
    vp_record_shape read;
    moving m;
    assert_ok(moving_create(&m, &error));
    begin_recording(&writer, &r);
    const vp_pose moved = {{3, -2, 1}, {0, 0, 1, 1}}; /* a quarter around z: x to y */
    const double volume[] = {4.0 / 3 * pi * 0.216, pi * 0.16 * (1 + 1.6 / 3), 8 * 0.7 * 0.5 * 0.6, pi * 0.25 * 1.2, 1.4 * 1.3 * 2.4 / 3};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(vp_bodies_record_shape(&r, &(vp_manifold_body){&m.shape[i], moved}, 1), i);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(vp_bodies_record_shape(&r, &(vp_manifold_body){&m.shape[i], vp_pose_at((vp_vec3){0, 0, 0})}, 1), 5 + i);
    assert_int_equal(vp_bodies_record_shape(&r, (vp_manifold_body[]){{&m.shape[0], moved}, {&m.shape[4], moved}, {&m.shape[2], moved}}, 3),
                     10);
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){.figure = volume}, &error));
    vp_record *record = end_recording(writer, &r, &bytes);
    for (uint32_t i = 0; i < 5; i++) {
        assert_ok(vp_record_shape_read(record, i, &read, &error));
        for (uint32_t c = 0; c < read.corner_count; c++) {
            const float *at = read.corner + 3 * (size_t)c;
            const double from[3] = {(double)at[1] + 2, 3 - (double)at[0], (double)at[2] - 1}; /* back into the shape's frame */
            assert_true(fabs(off_surface(&m.shape[i], from)) < 1e-5);
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
    vp_record_close(record);
    free(bytes.at);
    moving_destroy(&m);
}

static void the_ground_is_replaced(void **state)
{
    (void)state;
    static const float corner[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1};
    static const uint32_t triangle[] = {0, 1, 2, 1, 3, 2};
    static const uint8_t material[] = {0, 1};
    static const vp_record_name materials[] = {{"sand", VP_RECORD_ANY_COLOUR}, {"rock", 0x828284}};
    vp_record_writer *writer;
    vp_bodies_recording r;
    vp_bytes bytes;
    vp_record_now now;
    vp_record_shape read, mesh = {.corner = corner, .corner_count = 4, .triangle = triangle, .triangle_count = 2, .material = material};
    assert_ok(vp_record_writer_create(NULL, &(vp_record_about){.type = "simulate", .title = "ground"}, &writer, &error));
    vp_bodies_record_begin(&(vp_bodies_record_def){.to = vp_record_writer_recorder(writer), .materials = materials, .material_count = 2},
                           &r);
    vp_bodies_record_ground(&r, 4, &mesh);
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){0}, &error));
    mesh.triangle_count = 1;
    vp_bodies_record_ground(&r, 4, &mesh);
    vp_bodies_record_ground(&r, 9, &mesh);
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){0}, &error));
    mesh.triangle_count = 0;
    vp_bodies_record_ground(&r, 9, &mesh);
    assert_ok(vp_bodies_record_step(&r, &(vp_bodies_record_now){0}, &error));
    vp_record *record = end_recording(writer, &r, &bytes);
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
    vp_record_close(record);
    free(bytes.at);
}

static void what_cannot_be_recorded_is_named(void **state)
{
    (void)state;
    const vp_recorded_body good = {.position = {1, 2, 3}, .rotation = {0, 0, 0, 3}};
    const vp_recorded_contact touching = {.point = {1, 2, 3}, .normal = {0, 1, 0}};
    const struct {
        vp_recorded_body body;
        vp_recorded_contact contact;
        const char *part;
    } wrong[] = {
        {{.shape = 7}, touching, "layer \"bodies\", frame 0: item 0 has shape 7 of 1"},
        {{.id = VP_RECORD_IDS}, touching, "item 16777216"},
        {{.position = {0, NAN, 0}}, touching, "an item's y is nan"},
        {{.position = {0, 0, 1e6}}, touching, "an item's z is 1000000"},
        {{.rotation = {0, 0, NAN, 1}}, touching, "is turned by"},
        {{.state = VP_BODY_STATES}, touching, "state 3 of 3"},
        {good, {.point = {NAN}}, "layer \"contacts\", frame 0: number 0 of a row is nan"},
        {good, {.normal = {0, 0, INFINITY}}, "layer \"normals\", frame 0: number 5 of a row is inf"},
        {good, {.depth = 1e6}, "number 5 of a row is 1000000"},
    };
    const vp_collide_shape ball = vp_collide_sphere(1);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const double energy = 0;
        vp_record_writer *writer;
        vp_bodies_recording r;
        begin_recording(&writer, &r);
        assert_int_equal(vp_bodies_record_shape(&r, &(vp_manifold_body){&ball, vp_pose_at((vp_vec3){0, 0, 0})}, 1), 0);
        assert_refused(vp_bodies_record_step(&r, &(vp_bodies_record_now){&wrong[i].body, 1, &wrong[i].contact, 1, &energy}, &error),
                       VP_E_ARGUMENT, wrong[i].part);
        assert_refused(vp_bodies_record_step(&r, &(vp_bodies_record_now){&good, 1, &touching, 1, &energy}, &error), VP_E_ARGUMENT,
                       wrong[i].part);
        vp_bodies_record_end(&r);
        assert_refused(vp_record_writer_close(writer, NULL, NULL, &error), VP_E_ARGUMENT, wrong[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_read_as_they_were_given),
        cmocka_unit_test(shapes_are_those_surfaces),
        cmocka_unit_test(the_ground_is_replaced),
        cmocka_unit_test(what_cannot_be_recorded_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
