/* SPDX-License-Identifier: MIT */
/* `voxphys collide -o` makes a picture of the ground around a body, its contact points and normals. The body is transparent:
 * the picture is a mix of one with it and one without it. All coordinates are relative to the body's position. */
#include <stdlib.h>

#include "host/camera.h"
#include "host/png_write.h"
#include "host/bytes.h"
#include "src/core/error.h"
#include "tools/collide/collide.h"
#include "tools/render/scene.h"

enum { WIDTH = 800, HEIGHT = 450, SAMPLES = 2, AMBIENT = 8, OPAQUE = 96 /* OPAQUE: the body's share, of 256 */ };
enum { REACH = 4, DISTANCE = 5 }; /* ground and camera, in radii of the shape */
enum { GROUND, TOUCHED, BODY, POINT, NORMAL, COLOURS };

static const struct {
    const char *name;
    uint8_t colour[3];
} colours[COLOURS] = {
    {"ground", {176, 168, 150}}, {"touched", {226, 178, 96}}, {"body", {70, 120, 190}}, {"point", {200, 30, 40}}, {"normal", {30, 30, 36}}};

/* ---- a model ---- */

typedef struct picture_model {
    vp_vec3 *vertex; /* three per triangle */
    uint8_t *colour;
    uint32_t triangles;
    size_t vertex_room, colour_room;
    vp_status status;
    vp_error *error;
} picture_model;

static void add_triangle(picture_model *m, vp_vec3 a, vp_vec3 b, vp_vec3 c, uint8_t colour)
{
    const size_t count = (size_t)m->triangles + 1;
    if (m->status == VP_OK)
        m->status = vp_grow_array(&m->vertex, &m->vertex_room, count * 3, sizeof *m->vertex, "corners of a picture", m->error);
    if (m->status == VP_OK)
        m->status = vp_grow_array(&m->colour, &m->colour_room, count, 1, "triangles of a picture", m->error);
    if (m->status != VP_OK)
        return;
    vp_vec3 *to = m->vertex + 3 * (size_t)m->triangles;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    m->colour[m->triangles++] = colour;
}

static void add_hull(picture_model *m, const vp_vec3 *point, uint32_t count, uint8_t colour)
{
    vp_hull hull = {0};
    if (m->status == VP_OK)
        m->status = vp_hull_create(&(vp_hull_def){.point = point, .count = count}, &hull, m->error);
    for (uint32_t t = 0; m->status == VP_OK && t < hull.triangle_count; t++)
        add_triangle(m, point[hull.vertex[hull.triangle[t][0]]], point[hull.vertex[hull.triangle[t][1]]],
                     point[hull.vertex[hull.triangle[t][2]]], colour);
    vp_hull_destroy(&hull);
}

/* ---- geometry ---- */

enum { ROUND = 24, BALL = ROUND * (ROUND / 2 + 1) };

/* Points of a sphere. */
static uint32_t ball(vp_vec3 centre, float radius, uint32_t around, vp_vec3 *out)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p <= around / 2; p++)
        for (uint32_t y = 0; y < around; y++)
            out[count++] = vp_vec3_add(
                centre,
                vp_vec3_scale(vp_direction_of(360.0f * (float)y / (float)around, 360.0f * (float)p / (float)around - 90.0f), radius));
    return count;
}

/* Points of a unit ring around a centre, perpendicular to n. */
static uint32_t ring(vp_vec3 centre, vp_vec3 n, float radius, uint32_t around, vp_vec3 *out)
{
    const vp_vec3 axis = n.y < 0.7f && n.y > -0.7f ? (vp_vec3){0, 1, 0} : (vp_vec3){1, 0, 0};
    const vp_vec3 u = vp_unit(vp_vec3_cross(axis, n)), v = vp_vec3_cross(n, u);
    for (uint32_t i = 0; i < around; i++) {
        const vp_vec3 d = vp_direction_of(360.0f * (float)i / (float)around, 0);
        out[i] = vp_vec3_add(centre, vp_vec3_add(vp_vec3_scale(u, d.x * radius), vp_vec3_scale(v, d.z * radius)));
    }
    return around;
}

/* A shape's points in its frame. `out` has room for two balls, or a hull's vertices. */
static uint32_t points_of(const vp_collide_shape *s, vp_vec3 *out)
{
    const vp_vec3 low = {0, -s->half_height, 0}, high = {0, s->half_height, 0}, up = {0, 1, 0};
    uint32_t count = 0;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return ball((vp_vec3){0, 0, 0}, s->radius, ROUND, out);
    case VP_COLLIDE_CAPSULE:
        count = ball(low, s->radius, ROUND, out);
        return count + ball(high, s->radius, ROUND, out + count);
    case VP_COLLIDE_BOX:
        for (int i = 0; i < 8; i++)
            out[count++] = (vp_vec3){i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y, i & 4 ? s->half.z : -s->half.z};
        return count;
    case VP_COLLIDE_CYLINDER:
        count = ring(low, up, s->radius, 2 * ROUND, out);
        return count + ring(high, up, s->radius, 2 * ROUND, out + count);
    default:
        memcpy(out, s->hull->vertex, s->hull->vertex_count * sizeof *out);
        return s->hull->vertex_count;
    }
}

static void add_body(picture_model *m, const vp_collide_shape *shape, const vp_pose *pose)
{
    const uint32_t room = shape->kind == VP_COLLIDE_HULL ? shape->hull->vertex_count : 2 * BALL;
    vp_vec3 *point = malloc((room + 1) * sizeof *point);
    vp_collide_frame f;
    if (m->status == VP_OK && point == NULL)
        m->status = vp_fail(m->error, VP_E_MEMORY, "no memory for the %u points of a body", room);
    if (m->status == VP_OK)
        m->status = vp_collide_frame_of(pose, &f, m->error);
    const uint32_t count = m->status == VP_OK ? points_of(shape, point) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const vp_vec3 p = point[i];
        point[i] = vp_vec3_add(vp_vec3_scale(f.row[0], p.x), vp_vec3_add(vp_vec3_scale(f.row[1], p.y), vp_vec3_scale(f.row[2], p.z)));
    }
    add_hull(m, point, count, BODY);
    free(point);
}

/* Adds a ball at the contact point on the ground, and an arrow along the normal. */
static void add_point(picture_model *m, const vp_manifold_point *p, float size)
{
    enum { AROUND = 12 };
    vp_vec3 point[AROUND * (AROUND / 2 + 1)];
    const vp_vec3 at = p->on_triangle, neck = vp_vec3_add(at, vp_vec3_scale(p->normal, 0.62f * size));
    add_hull(m, point, ball(at, 0.055f * size, AROUND, point), POINT);
    uint32_t count = ring(at, p->normal, 0.018f * size, AROUND, point);
    count += ring(neck, p->normal, 0.018f * size, AROUND, point + count);
    add_hull(m, point, count, NORMAL);
    count = ring(neck, p->normal, 0.055f * size, AROUND, point);
    point[count++] = vp_vec3_add(at, vp_vec3_scale(p->normal, 0.8f * size));
    add_hull(m, point, count, NORMAL);
}

static bool is_touched(const vp_collided *b, vp_terrain_triangle_id id)
{
    for (uint32_t k = 0; k < b->count; k++)
        for (uint32_t i = 0; i < b->manifold[k].count; i++)
            if (b->manifold[k].point[i].at.chunk == id.chunk && b->manifold[k].point[i].at.triangle == id.triangle)
                return true;
    return false;
}

static void add_ground(picture_model *m, vp_colliding *r, const vp_collided *b, float reach)
{
    const vp_vec3 at = b->pose.position, by = {reach, reach, reach};
    const vp_aabb box = {vp_vec3_sub(at, by), vp_vec3_add(at, by)};
    if (m->status == VP_OK)
        m->status = vp_ground_near(&r->ground, &box, &r->near, m->error);
    for (uint32_t i = 0; m->status == VP_OK && i < r->near.count; i++) {
        const vp_collide_triangle *t = &r->near.triangle[i];
        const vp_vec3 c[3] = {vp_vec3_sub(t->corner[0], at), vp_vec3_sub(t->corner[1], at), vp_vec3_sub(t->corner[2], at)};
        bool seen = false; /* distant ground could hide everything from the camera */
        for (int k = 0; k < 3; k++)
            seen = seen || vp_vec3_dot(c[k], c[k]) < reach * reach;
        if (seen)
            add_triangle(m, c[0], c[1], c[2], is_touched(b, t->id) ? TOUCHED : GROUND);
    }
}

/* ---- the direction ---- */

/* Whether a triangle lies between the body and the camera. */
static bool hides(const vp_vec3 *c, vp_vec3 towards, float size)
{
    const vp_vec3 u = vp_vec3_sub(c[1], c[0]), v = vp_vec3_sub(c[2], c[0]), p = vp_vec3_cross(towards, v);
    const float d = vp_vec3_dot(u, p);
    if (d == 0.0f)
        return false;
    const vp_vec3 from = vp_vec3_scale(c[0], -1.0f), q = vp_vec3_cross(from, u);
    const float a = vp_vec3_dot(from, p) / d, b = vp_vec3_dot(towards, q) / d, t = vp_vec3_dot(v, q) / d;
    return a >= 0.0f && b >= 0.0f && a + b <= 1.0f && t >= size && t <= DISTANCE * size;
}

static bool is_hidden(const picture_model *m, float yaw, float pitch, float size)
{
    const vp_vec3 towards = vp_direction_of(yaw, pitch);
    bool hidden = false;
    for (uint32_t i = 0; i < m->triangles && !hidden; i++)
        hidden = hides(m->vertex + 3 * (size_t)i, towards, size);
    return hidden;
}

/* If ground hides the body, picks a direction that shows it. It tries directions around it, then higher ones, then from below. */
static void look_around(vp_colliding *r, const picture_model *ground, float size)
{
    static const float pitches[] = {30, 60, 85, -30, -60};
    for (int i = 0; i < 40; i++) {
        const float yaw = 35.0f + 45.0f * (float)(i % 8), pitch = pitches[i / 8];
        if (is_hidden(ground, yaw, pitch, size))
            continue;
        r->yaw = yaw;
        r->pitch = pitch;
        return;
    }
}

/* ---- rendering ---- */

static vp_status take(const vp_colliding *r, const picture_model *m, float size, uint8_t **rgb, vp_error *error)
{
    const vp_scene_def def = {.kernels = &r->ground.kernels,
                              .form = VP_KD_WIDE,
                              .threads = 1,
                              .shading = VP_SHADING_FLAT,
                              .shadows = false, /* because arrows cast none */
                              .samples = SAMPLES,
                              .ambient = AMBIENT,
                              .sun_yaw = -30,
                              .sun_pitch = 48};
    vp_view view = vp_view_default();
    vp_picture picture = {.width = WIDTH, .height = HEIGHT, .samples = SAMPLES, .threads = 1};
    vp_source *source = calloc(1, sizeof *source);
    vp_render_scene *scene = calloc(1, sizeof *scene);
    uint32_t *index = malloc((size_t)m->triangles * 3 * sizeof *index);
    vp_picture_panel panel = {.scene = scene, .width = WIDTH};
    vp_status status = source != NULL && scene != NULL && index != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a picture");
    view.yaw = r->yaw;
    view.pitch = r->pitch;
    view.has_target = true;
    view.distance = DISTANCE * size;
    view.aspect = (float)WIDTH / HEIGHT;
    if (status == VP_OK) {
        *source = (vp_source){.command = "collide", .name = r->ground.name, .kind = VP_SOURCE_FILE};
        for (uint32_t i = 0; i < 3 * m->triangles; i++)
            index[i] = i;
        source->file.triangles = (vp_triangles){m->vertex, index, 3 * m->triangles, m->triangles, false};
        source->file.material = m->colour;
        for (int i = 0; i < COLOURS; i++)
            memcpy(source->looks.of[i].colour, colours[i].colour, 3);
        status = vp_scene_make(&def, source, scene, error);
    }
    if (status == VP_OK)
        status = vp_camera_make(&view, &scene->box, &panel.camera, error);
    if (status == VP_OK)
        status = vp_picture_take(&picture, &panel, error);
    *rgb = picture.rgb;
    if (scene != NULL)
        vp_scene_drop(scene);
    free(scene);
    free(source);
    free(index);
    return status;
}

vp_status vp_collide_picture(vp_colliding *r, vp_error *error)
{
    const vp_collided *b = &r->body[0];
    const float size = vp_collide_radius(&r->shape.shape);
    picture_model m = {.status = VP_OK, .error = error};
    uint8_t *with = NULL, *without = NULL;
    add_ground(&m, r, b, REACH * size);
    if (r->look_around)
        look_around(r, &m, size);
    for (uint32_t k = 0; k < b->count; k++)
        for (uint32_t i = 0; i < b->manifold[k].count; i++)
            add_point(&m, &b->manifold[k].point[i], size);
    const bool alone = m.triangles == 0; /* no ground */
    if (m.status == VP_OK && !alone)
        m.status = take(r, &m, size, &without, error);
    add_body(&m, &r->shape.shape, &b->pose);
    if (m.status == VP_OK)
        m.status = take(r, &m, size, &with, error);
    vp_status status = m.status;
    for (size_t i = 0; status == VP_OK && !alone && i < (size_t)WIDTH * HEIGHT * 3; i++)
        with[i] = (uint8_t)((with[i] * OPAQUE + without[i] * (256 - OPAQUE) + 128) >> 8);
    if (status == VP_OK)
        status = vp_png_save(with, WIDTH, HEIGHT, r->out, error);
    free(with);
    free(without);
    free(m.vertex);
    free(m.colour);
    return status;
}
