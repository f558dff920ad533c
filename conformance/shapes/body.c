/* SPDX-License-Identifier: MIT */
/* A convex shape, where it is, and in some families a margin around it. */
#include <math.h>
#include <string.h>

#include "conformance/shapes/shapes.h"

static const char *const kind_name[VP_COLLIDE_KINDS] = {"sphere", "capsule", "box", "cylinder", "hull"};
static const size_t kind_numbers[VP_COLLIDE_KINDS] = {1, 2, VP_BODY_NUMBERS, 2, 0}; /* a hull is of the points */

_Static_assert(sizeof(vp_pose) == 7 * sizeof(float), "a pose is numbers alone");

/* ---- words ---- */

static int kind_of(const char *word, size_t length)
{
    int kind = 0;
    while (kind < VP_COLLIDE_KINDS && !vp_word_is(word, length, kind_name[kind]))
        kind++;
    return kind;
}

static vp_status read(vp_reader *r, const vp_part *of, void *part)
{
    vp_asked_body *q = part;
    const char *word = "";
    size_t length = 0;
    vp_status status = vp_reader_floats(r, &q->pose.position.x, 3, "the bits of the position");
    if (status == VP_OK)
        status = vp_reader_floats(r, q->pose.rotation, 4, "the bits of the rotation");
    if (status == VP_OK && of == &vp_part_body_margin)
        status = vp_reader_floats(r, &q->margin, 1, "the bits of the margin");
    if (status != VP_OK)
        return status;
    vp_word_next(r->words, &word, &length);
    q->kind = kind_of(word, length);
    if (q->kind == VP_COLLIDE_KINDS)
        return vp_fail(r->error, VP_E_FORMAT, "'%.*s' is none of sphere, capsule, box, cylinder, hull", (int)(length < 40 ? length : 40),
                       length > 0 ? word : "");
    return vp_reader_floats(r, q->number, kind_numbers[q->kind], "the bits of a length");
}

/* How many numbers are before those of the shape. */
static size_t numbers_before(const vp_part *of)
{
    return of == &vp_part_body_margin ? 8 : 7;
}

static float *number(const vp_part *of, void *part, size_t i)
{
    vp_asked_body *q = part;
    const size_t before = numbers_before(of);
    if (i < 3)
        return &q->pose.position.x + i;
    if (i < 7)
        return &q->pose.rotation[i - 3];
    if (i < before)
        return &q->margin;
    return i < before + kind_numbers[q->kind] ? &q->number[i - before] : NULL;
}

static void write(const vp_part *of, const void *part, FILE *to)
{
    vp_asked_body q = *(const vp_asked_body *)part;
    const size_t before = numbers_before(of);
    for (size_t i = 0; i < before; i++)
        fprintf(to, " %s", vp_bits_of(*number(of, &q, i)).text);
    fprintf(to, " %s", kind_name[q.kind]);
    for (size_t i = before; number(of, &q, i) != NULL; i++)
        fprintf(to, " %s", vp_bits_of(*number(of, &q, i)).text);
}

static void move(void *part, vp_vec3 by)
{
    vp_asked_body *q = part;
    q->pose.position = vp_vec3_add(q->pose.position, by);
}

static bool is_shape(json_t *value)
{
    const json_t *name = json_array_get(value, 0);
    const int kind = name != NULL ? kind_of(json_string_value(name), json_string_length(name)) : VP_COLLIDE_KINDS;
    bool good = kind < VP_COLLIDE_KINDS && json_array_size(value) == 1 + kind_numbers[kind];
    float length;
    for (size_t i = 1; good && i < json_array_size(value); i++)
        good = vp_bits_read(json_string_value(json_array_get(value, i)), json_string_length(json_array_get(value, i)), &length);
    return good;
}

static const vp_value rotation_value = {.type = JSON_ARRAY, .part = &vp_is_bits, .count = 4},
                      shape_value = {.type = JSON_ARRAY, .part = &vp_is_words, .also = is_shape};
static const vp_member members[] = {{.name = "position", .is = &vp_is_place},
                                    {.name = "rotation", .is = &rotation_value},
                                    {.name = "shape", .is = &shape_value},
                                    {.name = NULL}},
                       margin_members[] = {{.name = "position", .is = &vp_is_place},
                                           {.name = "rotation", .is = &rotation_value},
                                           {.name = "margin", .is = &vp_is_bits},
                                           {.name = "shape", .is = &shape_value},
                                           {.name = NULL}};

#define BODY .size = sizeof(vp_asked_body), .read = read, .write = write, .number = number, .move = move
const vp_part vp_part_body = {BODY, .members = members}, vp_part_body_margin = {BODY, .members = margin_members};

/* ---- what they are ---- */

vp_status vp_body_shape(const vp_asked_body *q, const vp_asked_mesh *points, const vp_kernels *kernels, vp_collide_solid *solid,
                        vp_collide_shape *out, vp_error *error)
{
    const float *n = q->number;
    vp_status status = VP_OK;
    memset(solid, 0, sizeof *solid);
    memset(out, 0, sizeof *out);
    if (q->kind != VP_COLLIDE_HULL && points->points > 0)
        return vp_fail(error, VP_E_ARGUMENT, "a %s has no points", kind_name[q->kind]);
    switch (q->kind) {
    case VP_COLLIDE_SPHERE:
        *out = vp_collide_sphere(n[0]);
        break;
    case VP_COLLIDE_CAPSULE:
        *out = vp_collide_capsule(n[0], n[1]);
        break;
    case VP_COLLIDE_BOX:
        *out = vp_collide_box((vp_vec3){n[0], n[1], n[2]});
        break;
    case VP_COLLIDE_CYLINDER:
        *out = vp_collide_cylinder(n[0], n[1]);
        break;
    default: {
        const vp_collide_hull_def def = {.point = points->point, .count = points->points, .kernels = kernels};
        status = vp_collide_hull_create(&def, solid, error);
        *out = vp_collide_hull_shape(&solid->hull);
    }
    }
    return status;
}

bool vp_body_is_sound(const vp_part *of, const vp_asked_body *body, const vp_asked_mesh *points)
{
    vp_asked_body q = *body;
    const float *r = q.pose.rotation;
    bool sound = (r[0] != 0.0f || r[1] != 0.0f || r[2] != 0.0f || r[3] != 0.0f) && q.margin >= 0.0f;
    for (size_t i = 0; number(of, &q, i) != NULL; i++)
        sound = sound && isfinite(*number(of, &q, i));
    for (size_t i = 0; i < kind_numbers[q.kind]; i++)
        sound = sound && q.number[i] >= 0.0f;
    return sound && (q.kind == VP_COLLIDE_HULL ? points->points > 0 && vp_mesh_is_finite(points) : points->points == 0);
}
