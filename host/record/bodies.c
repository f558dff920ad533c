/* SPDX-License-Identifier: MIT */
#include "host/record/bodies.h"

#include <math.h>
#include <stdlib.h>

enum {
    DEPTH_STEPS = 65536, /* steps of depth */
    SIZE_BITS = 20,      /* bits of a shape's radius */
    OWN_FIGURES = 3,     /* awake, contacts, deepest */
    QUARTER = 4,         /* corners of a quarter circle */
    SIDES = 4 * QUARTER, /* corners of a circle */
    AWAKE_COLOUR = 0xe58e3a,
    ASLEEP_COLOUR = 0x5d6b7c,
    FIXED_COLOUR = 0x9a8f80,
    GROUND_COLOUR = 0x87957b,
    POINT_COLOUR = 0xd81b60,
    BLACK = 0x010101,
    NORMAL_COLOUR = 0x00a8ff
};

#define WATER_OPACITY 0.55

/* ---- shapes ---- */

/* Cosines of k * 22.5 degrees, written out so that a recording has the same bytes everywhere. */
static const double quarter[QUARTER + 1] = {1, 0.92387953251128676, 0.70710678118654752, 0.38268343236508977, 0};

static double cosine(int k)
{
    const int at = k & (SIDES - 1), half = at > SIDES / 2 ? SIDES - at : at;
    return half > QUARTER ? -quarter[2 * QUARTER - half] : quarter[half];
}

static double sine(int k)
{
    return cosine(k - QUARTER);
}

/* A mesh of several parts. */
typedef struct joined_mesh {
    vp_bytes corner, triangle;
    const vp_pose *pose; /* pose of the current part */
    uint32_t first;      /* first corner of the current part */
} joined_mesh;

static void turn(const float rotation[4], const double v[3], double out[3])
{
    const double x = (double)rotation[0], y = (double)rotation[1], z = (double)rotation[2], w = (double)rotation[3];
    const double s = 2 / (x * x + y * y + z * z + w * w);
    const double t[3] = {s * (y * v[2] - z * v[1]), s * (z * v[0] - x * v[2]), s * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + (y * t[2] - z * t[1]);
    out[1] = v[1] + w * t[1] + (z * t[0] - x * t[2]);
    out[2] = v[2] + w * t[2] + (x * t[1] - y * t[0]);
}

static void add_corner(joined_mesh *m, double x, double y, double z)
{
    double at[3];
    turn(m->pose->rotation, (double[3]){x, y, z}, at);
    const float corner[3] = {(float)(at[0] + (double)m->pose->position.x), (float)(at[1] + (double)m->pose->position.y),
                             (float)(at[2] + (double)m->pose->position.z)};
    vp_bytes_add(&m->corner, corner, sizeof corner);
}

static void add_triangle(joined_mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t triangle[3] = {m->first + a, m->first + b, m->first + c};
    vp_bytes_add(&m->triangle, triangle, sizeof triangle);
}

/* Adds a surface of revolution around y. Rings have a radius and y, lowest first. The first and the last have radius 0. */
static void add_rings(joined_mesh *m, double ring[][2], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < SIDES; k++)
            add_corner(m, ring[i][0] * cosine(k), ring[i][1], ring[i][0] * sine(k));
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t k = 0; k < SIDES && (ring[i][0] != ring[i + 1][0] || ring[i][1] != ring[i + 1][1]); k++) {
            const uint32_t next = (k + 1) % SIDES, low = i * SIDES, high = low + SIDES;
            if (i > 0)
                add_triangle(m, low + k, high + k, low + next);
            if (i + 2 < count)
                add_triangle(m, low + next, high + k, high + next);
        }
}

static void add_round(joined_mesh *m, double radius, double half)
{
    double ring[2 * (QUARTER + 1)][2];
    for (int k = 0; k <= QUARTER; k++) {
        ring[k][0] = ring[2 * QUARTER + 1 - k][0] = radius * sine(k);
        ring[k][1] = -half - radius * cosine(k);
        ring[2 * QUARTER + 1 - k][1] = -ring[k][1];
    }
    add_rings(m, ring, 2 * (QUARTER + 1));
}

static void add_box(joined_mesh *m, vp_vec3 half)
{
    static const uint8_t side[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int c = 0; c < 8; c++)
        add_corner(m, (double)((c & 1) != 0 ? half.x : -half.x), (double)((c & 2) != 0 ? half.y : -half.y),
                   (double)((c & 4) != 0 ? half.z : -half.z));
    for (int s = 0; s < 6; s++) {
        add_triangle(m, side[s][0], side[s][1], side[s][2]);
        add_triangle(m, side[s][0], side[s][2], side[s][3]);
    }
}

static void add_hull(joined_mesh *m, const vp_collide_hull *h)
{
    for (uint32_t v = 0; v < h->vertex_count; v++)
        add_corner(m, (double)h->vertex[v].x, (double)h->vertex[v].y, (double)h->vertex[v].z);
    for (uint32_t f = 0; f < h->face_count; f++)
        for (uint32_t c = h->first_corner[f] + 1; c + 1 < h->first_corner[f + 1]; c++)
            add_triangle(m, h->corner[h->first_corner[f]], h->corner[c], h->corner[c + 1]);
}

static void add_part(joined_mesh *m, const vp_manifold_body *part)
{
    const vp_collide_shape *s = part->shape;
    const double radius = (double)s->radius, half = (double)s->half_height;
    m->pose = &part->pose;
    m->first = (uint32_t)(m->corner.size / sizeof(float[3]));
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        add_round(m, radius, 0);
        break;
    case VP_COLLIDE_CAPSULE:
        add_round(m, radius, half);
        break;
    case VP_COLLIDE_BOX:
        add_box(m, s->half);
        break;
    case VP_COLLIDE_CYLINDER:
        add_rings(m, (double[4][2]){{0, -half}, {radius, -half}, {radius, half}, {0, half}}, 4);
        break;
    case VP_COLLIDE_HULL:
        add_hull(m, s->hull);
        break;
    case VP_COLLIDE_KINDS:
        break;
    }
}

/* Steps per unit for lengths up to `reach`. */
static double scale_for(double reach)
{
    int bits;
    frexp(reach, &bits);
    return ldexp(1, SIZE_BITS - bits);
}

/* Whether a part is no hull and lies unrotated at its body's origin. Alone, such a part has a form of its own in the recording. */
static bool is_plain(const vp_manifold_body *part)
{
    const vp_pose *p = &part->pose;
    return part->shape->kind != VP_COLLIDE_HULL && p->position.x == 0 && p->position.y == 0 && p->position.z == 0 && p->rotation[0] == 0 &&
           p->rotation[1] == 0 && p->rotation[2] == 0;
}

static uint32_t add_plain(vp_bodies_recording *r, const vp_collide_shape *s, double scale)
{
    static const vp_record_form form[VP_COLLIDE_KINDS] = {VP_RECORD_SPHERE, VP_RECORD_CAPSULE, VP_RECORD_BOX, VP_RECORD_CYLINDER};
    vp_record_shape shape = {.form = form[s->kind], .scale = scale, .size = {(double)s->radius, (double)s->half_height}};
    if (s->kind == VP_COLLIDE_BOX) {
        shape.size[0] = (double)s->half.x;
        shape.size[1] = (double)s->half.y;
        shape.size[2] = (double)s->half.z;
    }
    return r->to->shape(r->to->user, &shape);
}

uint32_t vp_bodies_record_shape(vp_bodies_recording *r, const vp_manifold_body *part, uint32_t count)
{
    joined_mesh m = {0};
    double reach = 0;
    for (uint32_t i = 0; i < count; i++) {
        const vp_vec3 at = part[i].pose.position;
        reach = fmax(reach, (double)vp_collide_radius(part[i].shape) + (double)sqrtf(vp_vec3_dot(at, at)));
    }
    if (count == 1 && is_plain(part))
        return add_plain(r, part->shape, scale_for(reach));
    for (uint32_t i = 0; i < count; i++)
        add_part(&m, &part[i]);
    uint32_t shape = 0;
    if (m.corner.failed || m.triangle.failed)
        r->no_memory = true;
    else
        shape = r->to->shape(r->to->user, &(vp_record_shape){.form = VP_RECORD_MESH,
                                                             .scale = scale_for(reach),
                                                             .corner = (const float *)(const void *)m.corner.at,
                                                             .corner_count = (uint32_t)(m.corner.size / sizeof(float[3])),
                                                             .triangle = (const uint32_t *)(const void *)m.triangle.at,
                                                             .triangle_count = (uint32_t)(m.triangle.size / sizeof(uint32_t[3]))});
    free(m.corner.at);
    free(m.triangle.at);
    return shape;
}

/* ---- layers ---- */

void vp_bodies_record_begin(const vp_bodies_record_def *def, vp_bodies_recording *out)
{
    static const vp_record_name states[VP_BODY_STATES] = {{"awake", AWAKE_COLOUR}, {"asleep", ASLEEP_COLOUR}, {"fixed", FIXED_COLOUR}};
    vp_record_name materials[VP_RECORD_NAMES] = {{"ground", GROUND_COLOUR}};
    uint32_t material_count = 1;
    static const char *const own[OWN_FIGURES] = {"awake", "contacts", "deepest"};
    vp_record_column figures[VP_RECORD_COLUMNS] = {{0}};
    const vp_recorder *to = def->to;
    for (uint32_t m = 0; def->looks != NULL && m < VP_RECORD_NAMES; m++, material_count = m) {
        const vp_look *look = &def->looks->of[m];
        const uint32_t colour = (uint32_t)look->colour[0] << 16 | (uint32_t)look->colour[1] << 8 | look->colour[2];
        materials[m] = (vp_record_name){look->name[0] != '\0' ? look->name : "-", colour != 0 ? colour : BLACK};
    }
    *out = (vp_bodies_recording){
        .to = to, .normal_length = def->normal_length, .figure_count = def->figure_count, .has_water = def->has_water};
    for (uint32_t k = 0; k < OWN_FIGURES + def->figure_count && k < VP_RECORD_COLUMNS; k++)
        figures[k].name = k < OWN_FIGURES ? own[k] : def->figure[k - OWN_FIGURES];
    vp_record_layer ground = {.name = "ground",
                              .kind = VP_RECORD_ITEMS,
                              .scale = VP_BODIES_RECORD_STEPS,
                              .colouring = VP_RECORD_BY_MATERIAL,
                              .materials = materials,
                              .material_count = material_count};
    out->ground = to->layer(to->user, &ground);
    ground.name = "water";
    ground.opacity = WATER_OPACITY;
    if (def->has_water)
        out->water = to->layer(to->user, &ground);
    out->bodies = to->layer(
        to->user,
        &(vp_record_layer){
            .name = "bodies", .kind = VP_RECORD_ITEMS, .scale = VP_BODIES_RECORD_STEPS, .states = states, .state_count = VP_BODY_STATES});
    const vp_record_column of_contact[] = {{.name = "body", .scale = 1, .meaning = VP_RECORD_ITEM, .of = out->bodies},
                                           {.name = "other", .scale = 1, .meaning = VP_RECORD_ITEM, .of = out->bodies},
                                           {.name = "depth", .scale = DEPTH_STEPS}};
    out->contacts = to->layer(to->user, &(vp_record_layer){.name = "contacts",
                                                           .kind = VP_RECORD_ARRAY,
                                                           .draw = VP_RECORD_POINTS,
                                                           .scale = VP_BODIES_RECORD_STEPS,
                                                           .colour = POINT_COLOUR,
                                                           .columns = of_contact,
                                                           .column_count = 3});
    out->normals = to->layer(
        to->user,
        &(vp_record_layer){
            .name = "normals", .kind = VP_RECORD_ARRAY, .draw = VP_RECORD_LINES, .scale = VP_BODIES_RECORD_STEPS, .colour = NORMAL_COLOUR});
    out->figures = to->layer(
        to->user, &(vp_record_layer){
                      .name = "figures", .kind = VP_RECORD_SCALARS, .columns = figures, .column_count = OWN_FIGURES + def->figure_count});
}

/* ---- steps ---- */

/* A body that was shown before and is not recorded in this step is removed. */
enum { ABSENT, SHOWN, TOLD };

static void tell_bodies(vp_bodies_recording *r, const vp_bodies_record_now *now)
{
    static const uint8_t absent[64];
    for (uint32_t i = 0; i < now->body_count; i++) {
        const vp_recorded_body *b = &now->body[i];
        vp_record_item item = {.id = b->id, .shape = b->shape, .state = (uint32_t)b->state};
        double most = 0, square = 0;
        for (int k = 0; k < 4; k++)
            most = fmax(most, fabs(b->rotation[k]));
        for (int k = 0; k < 4 && most > 0; k++) {
            item.rotation[k] = b->rotation[k] / most;
            square += item.rotation[k] * item.rotation[k];
        }
        for (int k = 0; k < 4; k++)
            item.rotation[k] /= most > 0 ? sqrt(square) : 1;
        memcpy(item.position, b->position, sizeof item.position);
        while (b->id < VP_RECORD_IDS && r->there.size <= b->id && !r->there.failed)
            vp_bytes_add(&r->there, absent, sizeof absent);
        if (b->id < r->there.size)
            r->there.at[b->id] = TOLD;
        r->to->item(r->to->user, r->bodies, &item);
    }
    for (uint32_t id = 0; id < r->there.size; id++) {
        if (r->there.at[id] == SHOWN)
            r->to->remove(r->to->user, r->bodies, id);
        r->there.at[id] = r->there.at[id] == TOLD ? SHOWN : ABSENT;
    }
}

/* Records contacts and normals. @return the largest depth, at least 0 */
static double tell_contacts(vp_bodies_recording *r, const vp_bodies_record_now *now)
{
    double deepest = 0;
    r->points.size = r->lines.size = 0;
    for (uint32_t i = 0; i < now->contact_count; i++) {
        const vp_recorded_contact *c = &now->contact[i];
        const double other = c->other == VP_BODIES_RECORD_GROUND ? -1 : (double)c->other, *p = c->point, *n = c->normal;
        const double point[] = {p[0], p[1], p[2], (double)c->body, other, c->depth}, length = r->normal_length;
        const double line[] = {p[0], p[1], p[2], p[0] + length * n[0], p[1] + length * n[1], p[2] + length * n[2]};
        vp_bytes_add(&r->points, point, sizeof point);
        vp_bytes_add(&r->lines, line, sizeof line);
        deepest = fmax(deepest, c->depth);
    }
    if (!r->points.failed && !r->lines.failed) {
        r->to->rows(r->to->user, r->contacts, (const double *)(const void *)r->points.at, now->contact_count);
        r->to->rows(r->to->user, r->normals, (const double *)(const void *)r->lines.at, now->contact_count);
    }
    return deepest;
}

vp_status vp_bodies_record_step(vp_bodies_recording *r, const vp_bodies_record_now *now, vp_error *error)
{
    double figures[VP_RECORD_COLUMNS] = {0};
    tell_bodies(r, now);
    for (uint32_t i = 0; i < now->body_count; i++)
        figures[0] += now->body[i].state == VP_BODY_AWAKE;
    figures[1] = now->contact_count;
    figures[2] = tell_contacts(r, now);
    for (uint32_t k = 0; k < r->figure_count && k < VP_RECORD_COLUMNS - OWN_FIGURES; k++)
        figures[OWN_FIGURES + k] = now->figure[k];
    r->to->scalars(r->to->user, r->figures, figures);
    if (r->no_memory || r->there.failed || r->points.failed || r->lines.failed)
        return vp_fail(error, VP_E_MEMORY, "no memory to record %u bodies and %u contacts", now->body_count, now->contact_count);
    return r->to->frame(r->to->user, error);
}

void vp_bodies_record_end(vp_bodies_recording *r)
{
    free(r->there.at);
    free(r->points.at);
    free(r->lines.at);
    *r = (vp_bodies_recording){0};
}
