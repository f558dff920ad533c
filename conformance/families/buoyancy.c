/* SPDX-License-Identifier: MIT */
/* buoyancy: how much of a shape is in the water of cells, and where the middle of that part is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/shapes/shapes.h"

enum { MAX_NUMBERS = 3 };

static const char *const kind_name[VP_COLLIDE_KINDS] = {"sphere", "capsule", "box", "cylinder", "hull"};
static const size_t kind_numbers[VP_COLLIDE_KINDS] = {1, 2, MAX_NUMBERS, 2, 0}; /* a hull is of the points */

typedef struct asked_body {
    vp_pose pose;
    int kind;
    float number[MAX_NUMBERS];
} asked_body;

_Static_assert(sizeof(vp_pose) == 7 * sizeof(float), "a pose is numbers alone");

/* ---- words ---- */

static int kind_of(const char *word, size_t length)
{
    int kind = 0;
    while (kind < VP_COLLIDE_KINDS && !vp_word_is(word, length, kind_name[kind]))
        kind++;
    return kind;
}

static vp_status read_body(vp_reader *r, const vp_part *of, void *part)
{
    asked_body *q = part;
    const char *word = "";
    size_t length = 0;
    (void)of;
    vp_status status = vp_reader_floats(r, &q->pose.position.x, 3, "the bits of the position");
    if (status == VP_OK)
        status = vp_reader_floats(r, q->pose.rotation, 4, "the bits of the rotation");
    if (status != VP_OK)
        return status;
    vp_word_next(r->words, &word, &length);
    q->kind = kind_of(word, length);
    if (q->kind == VP_COLLIDE_KINDS)
        return vp_fail(r->error, VP_E_FORMAT, "'%.*s' is none of sphere, capsule, box, cylinder, hull", (int)(length < 40 ? length : 40),
                       length > 0 ? word : "");
    return vp_reader_floats(r, q->number, kind_numbers[q->kind], "the bits of a length");
}

/* Of the pose, then of the shape. */
static float *body_number(const vp_part *of, void *part, size_t i)
{
    asked_body *q = part;
    (void)of;
    if (i < 3)
        return &q->pose.position.x + i;
    if (i < 7)
        return &q->pose.rotation[i - 3];
    return i < 7 + kind_numbers[q->kind] ? &q->number[i - 7] : NULL;
}

static void write_body(const vp_part *of, const void *part, FILE *to)
{
    asked_body q = *(const asked_body *)part;
    for (size_t i = 0; body_number(of, &q, i) != NULL; i++) {
        if (i == 7)
            fprintf(to, " %s", kind_name[q.kind]);
        fprintf(to, " %s", vp_bits_of(*body_number(of, &q, i)).text);
    }
    if (kind_numbers[q.kind] == 0)
        fprintf(to, " %s", kind_name[q.kind]);
}

static void move_body(void *part, vp_vec3 by)
{
    asked_body *q = part;
    q->pose.position = vp_vec3_add(q->pose.position, by);
}

static bool is_shape(json_t *value)
{
    const json_t *name = json_array_get(value, 0);
    const int kind = name != NULL ? kind_of(json_string_value(name), json_string_length(name)) : VP_COLLIDE_KINDS;
    bool good = kind < VP_COLLIDE_KINDS && json_array_size(value) == 1 + kind_numbers[kind];
    float number;
    for (size_t i = 1; good && i < json_array_size(value); i++)
        good = vp_bits_read(json_string_value(json_array_get(value, i)), json_string_length(json_array_get(value, i)), &number);
    return good;
}

static const vp_value rotation_value = {.type = JSON_ARRAY, .part = &vp_is_bits, .count = 4},
                      shape_value = {.type = JSON_ARRAY, .part = &vp_is_words, .also = is_shape};
static const vp_member body_members[] = {{.name = "position", .is = &vp_is_place},
                                         {.name = "rotation", .is = &rotation_value},
                                         {.name = "shape", .is = &shape_value},
                                         {.name = NULL}};
static const vp_part part_body = {
    .size = sizeof(asked_body), .members = body_members, .read = read_body, .write = write_body, .number = body_number, .move = move_body};

/* ---- the body ---- */

/* A shape, and the hull that it may point to. */
typedef struct body {
    vp_collide_shape shape;
    vp_collide_solid solid;
    vp_submerged_body made;
} body;

/* Destroy the solid, also after a failure. */
static vp_status make_body(const vp_question *question, const vp_kernels *kernels, body *out, vp_error *error)
{
    const vp_asked_mesh *points = question->part[1];
    const asked_body *q = question->part[2];
    const float *n = q->number;
    vp_status status = VP_OK;
    memset(out, 0, sizeof *out);
    switch (q->kind) {
    case VP_COLLIDE_SPHERE:
        out->shape = vp_collide_sphere(n[0]);
        break;
    case VP_COLLIDE_CAPSULE:
        out->shape = vp_collide_capsule(n[0], n[1]);
        break;
    case VP_COLLIDE_BOX:
        out->shape = vp_collide_box((vp_vec3){n[0], n[1], n[2]});
        break;
    case VP_COLLIDE_CYLINDER:
        out->shape = vp_collide_cylinder(n[0], n[1]);
        break;
    default: {
        const vp_collide_hull_def def = {.point = points->point, .count = points->points, .kernels = kernels};
        status = vp_collide_hull_create(&def, &out->solid, error);
        out->shape = vp_collide_hull_shape(&out->solid.hull);
    }
    }
    if (status == VP_OK && q->kind != VP_COLLIDE_HULL && points->points > 0)
        status = vp_fail(error, VP_E_ARGUMENT, "a %s has no points", kind_name[q->kind]);
    return status == VP_OK ? vp_submerged_body_of(&out->shape, &q->pose, &out->made, error) : status;
}

static bool is_finite(float *(*number)(const vp_part *, void *, size_t), void *part)
{
    for (size_t i = 0; number(NULL, part, i) != NULL; i++)
        if (!isfinite(*number(NULL, part, i)))
            return false;
    return true;
}

/* Whether it is a question, of all but a hull, which may be flat: that is for the oracle to say. */
static json_t *unsound(const vp_question *question)
{
    const vp_asked_mesh *points = question->part[1];
    asked_body q = *(const asked_body *)question->part[2];
    const float *r = q.pose.rotation;
    bool sound = is_finite(body_number, &q) && (r[0] != 0.0f || r[1] != 0.0f || r[2] != 0.0f || r[3] != 0.0f);
    for (size_t i = 0; i < kind_numbers[q.kind]; i++)
        sound = sound && q.number[i] >= 0.0f;
    sound = sound && (q.kind == VP_COLLIDE_HULL ? points->points > 0 && vp_mesh_is_finite(points) : points->points == 0);
    return sound ? NULL : json_pack("{s:b}", "refused", 1);
}

/* ---- answering ---- */

/* A world with the grid's water at its lowest corner. Destroy it, also after a failure. */
static vp_status make_world(const vp_asked_grid *grid, vp_world **out, vp_error *error)
{
    const size_t count = vp_grid_cells(grid);
    const vp_dims n = grid->extents;
    const vp_world_def def = {.size = {(n.x + 7) / 8 * 8, (n.y + 7) / 8 * 8, (n.z + 7) / 8 * 8}};
    uint8_t *material = malloc(count);
    vp_status status = material == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %zu cells", count) : vp_world_create(&def, out, error);
    for (size_t i = 0; status == VP_OK && i < count; i++)
        material[i] = grid->full[i] > 0 ? VP_WATER : VP_AIR;
    if (status == VP_OK)
        status = vp_world_write_rows(*out, (vp_ivec3){0, 0, 0}, n, material, grid->full, NULL, error);
    free(material);
    return status;
}

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    vp_submerged part = {0.0, {0.0, 0.0, 0.0}};
    body b;
    vp_status status = make_body(question, kernels, &b, error);
    if (status == VP_OK)
        status = make_world(question->part[0], &world, error);
    if (status == VP_OK)
        status = vp_broadphase_create(&(vp_broadphase_def){.world = world, .kernels = kernels}, &broadphase, error);
    if (status == VP_OK)
        status = vp_submerged_in_world(&b.made, world, broadphase, &part, error);
    if (status == VP_OK)
        fprintf(to, "submerged %s %s %s %s", vp_bits_of((float)part.volume).text, vp_bits_of((float)part.centre[0]).text,
                vp_bits_of((float)part.centre[1]).text, vp_bits_of((float)part.centre[2]).text);
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    vp_collide_hull_destroy(&b.solid);
    return status;
}

/* ---- what is answered ---- */

static bool read(const vp_question *q, vp_words *words, vp_answer *out)
{
    (void)q;
    out->vertex = calloc(1, sizeof *out->vertex);
    out->no_memory = out->vertex == NULL;
    return !out->no_memory && vp_word_said(words, "submerged") && vp_word_float(words, &out->t) && vp_word_float(words, &out->vertex->x) &&
           vp_word_float(words, &out->vertex->y) && vp_word_float(words, &out->vertex->z);
}

static bool is_within(float value, const json_t *range)
{
    float low = 0.0f, high = 0.0f;
    vp_bits_read(json_string_value(json_array_get(range, 0)), 8, &low);
    vp_bits_read(json_string_value(json_array_get(range, 1)), 8, &high);
    return value >= low && value <= high;
}

static vp_status judge(const vp_judging *j, bool *right)
{
    const json_t *centre = json_object_get(j->alternative, "centre");
    const vp_vec3 c = *j->answer->vertex;
    *right = is_within(j->answer->t, json_object_get(j->alternative, "volume"));
    if (!*right)
        vp_reason_say(j->reason, "the volume is %g", (double)j->answer->t);
    for (size_t a = 0; *right && a < 3; a++) {
        const float value = a == 0 ? c.x : a == 1 ? c.y : c.z;
        *right = is_within(value, json_array_get(centre, a));
        if (!*right)
            vp_reason_say(j->reason, "the centre's %c is %g", "xyz"[a], (double)value);
    }
    return VP_OK;
}

static json_t *range_around(double value, double by)
{
    return json_pack("[s, s]", vp_bits_of((float)(value - by)).text, vp_bits_of((float)(value + by)).text);
}

/* Two right answers are each within 1 % of the truth. Of little water the centre is not looked at. */
static vp_status like(const vp_likening *l, const vp_answer *right)
{
    body b;
    bool same;
    vp_error why;
    const vp_status made = make_body(l->q, NULL, &b, &why);
    double size = 0.0, most = b.made.whole.volume * 0.02;
    for (int a = 0; a < 3; a++)
        size = fmax(size, b.made.high[a] - b.made.low[a]);
    size = (double)right->t > most ? 0.02 * size : size;
    vp_collide_hull_destroy(&b.solid);
    if (made != VP_OK)
        return vp_like_undecided(l, "the shape has no volume that is known");
    const vp_vec3 c = *right->vertex;
    return vp_like_expected(l, l->words,
                            json_pack("{s:o, s:[o, o, o]}", "volume", range_around((double)right->t, most), "centre",
                                      range_around((double)c.x, size), range_around((double)c.y, size), range_around((double)c.z, size)),
                            &same);
}

static const vp_value centre_value = {.type = JSON_ARRAY, .part = &vp_is_range, .count = 3};
static const vp_member expected[] = {{.name = "volume", .is = &vp_is_range}, {.name = "centre", .is = &centre_value}, {.name = NULL}};

const vp_family vp_family_buoyancy = {.name = "buoyancy",
                                      .part = {&vp_part_full_grid, &vp_part_points, &part_body},
                                      .promises = 1u << VP_PROMISE_BOUND | 1u << VP_PROMISE_EXACT,
                                      .refuses = true,
                                      .expected = expected,
                                      .answer = answer,
                                      .read = read,
                                      .judge = judge,
                                      .unsound = unsound,
                                      .like = like};
