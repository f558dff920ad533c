/* SPDX-License-Identifier: MIT */
/* Of rays, where roundings decide which triangle is met and whether one is, the corpus' makers ask the same of rays beside (conformance/corpus/make/rays.py,
 * grids.py); so does this, of a program that is held for right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/shapes/shapes.h"

/* ---- boxes ---- */

static vp_status read_box(vp_reader *r, void *part)
{
    vp_aabb *box = part;
    const vp_status status = vp_reader_vec3(r, &box->min, "the bits of a lower face");
    return status == VP_OK ? vp_reader_vec3(r, &box->max, "the bits of an upper face") : status;
}

static void write_vec3(vp_vec3 v, FILE *to)
{
    fprintf(to, " %s %s %s", vp_bits_of(v.x).text, vp_bits_of(v.y).text, vp_bits_of(v.z).text);
}

static void write_box(const void *part, FILE *to)
{
    const vp_aabb *box = part;
    write_vec3(box->min, to);
    write_vec3(box->max, to);
}

static void move_box(void *part, vp_vec3 by)
{
    vp_aabb *box = part;
    box->min = vp_vec3_add(box->min, by);
    box->max = vp_vec3_add(box->max, by);
}

static float *number_of_box(void *part, size_t i)
{
    vp_aabb *b = part;
    float *const all[] = {&b->min.x, &b->min.y, &b->min.z, &b->max.x, &b->max.y, &b->max.z};
    return i < 6 ? all[i] : NULL;
}

bool vp_box_is_sound(const vp_aabb *box)
{
    return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

static const vp_member box_members[] = {{"min", &vp_is_place, NULL, false}, {"max", &vp_is_place, NULL, false}, {.name = NULL}};
const vp_part vp_part_box = {
    .size = sizeof(vp_aabb), .members = box_members, .read = read_box, .write = write_box, .move = move_box, .number = number_of_box};

/* ---- rays ---- */

static vp_status read_ray(vp_reader *r, void *part)
{
    vp_ray *ray = part;
    vp_status status = vp_reader_vec3(r, &ray->origin, "the bits of the origin");
    if (status == VP_OK)
        status = vp_reader_vec3(r, &ray->direction, "the bits of the direction");
    return status == VP_OK ? vp_reader_floats(r, &ray->t_max, 1, "the bits of t_max") : status;
}

static void write_ray(const void *part, FILE *to)
{
    const vp_ray *ray = part;
    write_vec3(ray->origin, to);
    write_vec3(ray->direction, to);
    fprintf(to, " %s", vp_bits_of(ray->t_max).text);
}

static float *number_of_ray(void *part, size_t i)
{
    vp_ray *r = part;
    float *const all[] = {&r->origin.x, &r->origin.y, &r->origin.z, &r->direction.x, &r->direction.y, &r->direction.z, &r->t_max};
    return i < 7 ? all[i] : NULL;
}

static const vp_member ray_members[] = {
    {"origin", &vp_is_place, NULL, false}, {"direction", &vp_is_place, NULL, false}, {"t_max", &vp_is_bits, NULL, false}, {.name = NULL}};
const vp_part vp_part_ray = {.size = sizeof(vp_ray), .members = ray_members, .read = read_ray, .write = write_ray, .number = number_of_ray};

vp_status vp_ray_cast(const vp_triangles *triangles, const vp_ray *ray, const vp_kernels *kernels, vp_hit *out, vp_error *error)
{
    vp_kd *tree = NULL;
    vp_status status = vp_mesh_tree(triangles, kernels, &tree, error);
    if (status == VP_OK)
        status = vp_kd_raycast(tree, ray, out, error);
    vp_kd_destroy(tree);
    return status;
}

bool vp_ray_read(vp_words *words, int places, vp_answer *out)
{
    int64_t number;
    out->kind = VP_ANSWER_NONE;
    if (vp_word_said(words, "none"))
        return true;
    out->kind = VP_ANSWER_HIT;
    if (!vp_word_said(words, "hit"))
        return false;
    for (int k = 0; k < places; k++) {
        if (!vp_word_whole(words, INT32_MIN, INT32_MAX, &number))
            return false;
        out->place[k] = (int32_t)number;
    }
    return vp_word_float(words, &out->t);
}

static float bound_of(const json_t *range, size_t i)
{
    const char *text = json_string_value(json_array_get(range, i));
    float out;
    return text != NULL && vp_bits_read(text, strlen(text), &out) ? out : NAN;
}

static bool is_range(json_t *value)
{
    return bound_of(value, 0) <= bound_of(value, 1);
}

const vp_value vp_is_range = {is_range, &vp_is_bits, 2};

bool vp_ray_within(const json_t *alternative, const vp_answer *answer)
{
    const json_t *range = json_object_get(alternative, "t");
    return answer->kind == VP_ANSWER_HIT && answer->t >= bound_of(range, 0) && answer->t <= bound_of(range, 1);
}

static bool is_finite(vp_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

json_t *vp_ray_unsound(const vp_ray *ray, const vp_asked_mesh *mesh)
{
    const vp_vec3 d = ray->direction;
    const bool sound = is_finite(ray->origin) && is_finite(d) && (d.x != 0.0f || d.y != 0.0f || d.z != 0.0f) && ray->t_max >= 0.0f &&
                       (mesh == NULL || vp_mesh_is_finite(mesh));
    return sound ? NULL : json_pack("[{s:b}, {s:b}]", "none", 1, "refused", 1);
}

/* ---- alike ---- */

/* What was said of a ray and of those beside it: what is met, and when. */
typedef struct sayings {
    struct met {
        int32_t place[3];
        float low, high;
    } *met;
    size_t count, room;
    bool none;
} sayings;

static vp_status add_saying(sayings *s, const vp_answer *a, vp_error *error)
{
    size_t i = 0;
    while (i < s->count && memcmp(s->met[i].place, a->place, sizeof a->place) != 0)
        i++;
    if (i == s->room) {
        struct met *more = realloc(s->met, (s->room * 2 + 8) * sizeof *more);
        if (more == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for what a ray meets");
        s->met = more;
        s->room = s->room * 2 + 8;
    }
    if (i == s->count) {
        s->met[i].low = s->met[i].high = a->t;
        memcpy(s->met[i].place, a->place, sizeof a->place);
        s->count++;
    }
    s->met[i].low = fminf(s->met[i].low, a->t);
    s->met[i].high = fmaxf(s->met[i].high, a->t);
    return VP_OK;
}

/* @param none  whether nothing is met; false too of what is no answer */
static vp_status add_words(sayings *s, const vp_question *q, const char *words, bool *none, vp_error *error)
{
    vp_answer a;
    vp_error why;
    *none = false;
    vp_status status = vp_answer_read(q, words, &a, &why);
    if (status == VP_OK && a.kind == VP_ANSWER_HIT)
        status = add_saying(s, &a, error);
    else if (status == VP_OK)
        *none = a.kind == VP_ANSWER_NONE;
    else if (status == VP_E_MEMORY)
        vp_fail(error, status, "%s", why.message);
    vp_answer_drop(&a);
    return status == VP_E_FORMAT ? VP_OK : status;
}

static vp_status ask_beside(const vp_likening *l, sayings *s, vp_ray ray, bool *none)
{
    vp_question q = *l->q; /* what it points to is only read */
    char *words = NULL;
    *none = false;
    q.part[1] = &ray;
    vp_status status = l->ask(l->user, &q, &words, l->error);
    if (status == VP_OK && words != NULL)
        status = add_words(s, &q, words, none, l->error);
    free(words);
    return status;
}

static double longest_of(vp_vec3 d)
{
    return fmax(fabs((double)d.x), fmax(fabs((double)d.y), fabs((double)d.z)));
}

static vp_vec3 moved(vp_vec3 from, double x, double y, double z)
{
    return (vp_vec3){(float)((double)from.x + x), (float)((double)from.y + y), (float)((double)from.z + z)};
}

/* One of 27 places around, the origin among them. */
static vp_vec3 origin_beside(vp_vec3 origin, int move, double beside)
{
    return moved(origin, beside * (move % 3 - 1), beside * (move / 3 % 3 - 1), beside * (move / 9 - 1));
}

/* Rays that begin, and end, beside this one, as far as roundings may move it. */
static vp_status ask_around(const vp_likening *l, bool cells, double beside, sayings *s)
{
    const vp_ray ray = *(const vp_ray *)l->q->part[1];
    const double along = beside / longest_of(ray.direction);
    vp_status status = VP_OK;
    for (int move = 0; status == VP_OK && move < 27; move++)
        for (int end = -1; status == VP_OK && end <= 1; end++) {
            vp_ray other = ray;
            bool none;
            if (isinf(ray.t_max) && end != 0)
                continue;
            other.origin = origin_beside(ray.origin, move, beside);
            if (end != 0)
                other.t_max = (float)fmax((double)ray.t_max + end * along, 0.0);
            status = ask_beside(l, s, other, &none);
            if (status != VP_OK || !none)
                continue;
            if (!cells) { /* or it begins just behind one */
                other.origin = moved(other.origin, -along * (double)ray.direction.x, -along * (double)ray.direction.y, -along * (double)ray.direction.z);
                other.t_max = (float)(2.0 * along);
                status = ask_beside(l, s, other, &none);
            }
            s->none = s->none || none;
        }
    return status;
}

/* Triangles with a corner or more in one place are met together, and a program tells one of them. Whether the one that is told is met, alone, as
 * soon as anything that may be told: by the ray or by one beside it. */
static vp_status ask_alone(const vp_likening *l, const vp_asked_mesh *mesh, double beside, double slack, sayings *s)
{
    vp_asked_mesh one = *mesh; /* what it points to is only read */
    const vp_question alone = {.family = l->q->family, .part = {&one, l->q->part[1]}};
    vp_likening of_it = *l;
    vp_answer told;
    vp_error why;
    double last = -1.0;
    vp_status status = vp_answer_read(l->q, l->words, &told, &why); /* holds nothing, of a ray */
    if (status != VP_OK || told.kind != VP_ANSWER_HIT || told.place[0] < 0 || (uint32_t)told.place[0] >= mesh->triangles)
        return VP_OK;
    of_it.q = &alone;
    one.triangle = mesh->triangle + told.place[0];
    one.triangles = 1;
    for (size_t i = 0; i < s->count; i++)
        last = fmax(last, (double)s->met[i].high + slack);
    for (int move = 0; status == VP_OK && move < 27; move++) {
        sayings met = {.met = NULL};
        vp_ray ray = *(const vp_ray *)l->q->part[1];
        bool none;
        ray.origin = origin_beside(ray.origin, move, beside);
        status = ask_beside(&of_it, &met, ray, &none);
        if (status == VP_OK && met.count > 0 && (double)met.met[0].low <= last) {
            told.t = met.met[0].low;
            status = add_saying(s, &told, l->error);
        }
        free(met.met);
    }
    return status;
}

static json_t *bits_json(double value, float towards)
{
    float out = (float)value;
    if (towards > 0.0f ? (double)out < value : (double)out > value)
        out = nextafterf(out, towards);
    return json_string(vp_bits_of(out).text);
}

static json_t *sayings_json(const sayings *s, const vp_ray_likening *how, double slack)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->count; i++) {
        const struct met *m = &s->met[i];
        json_t *t = json_pack("[o, o]", bits_json(fmax((double)m->low - slack, 0.0), -INFINITY), bits_json((double)m->high + slack, INFINITY));
        json_array_append_new(list, how->met(m->place, t));
    }
    if (s->none)
        json_array_append_new(list, json_pack("{s:b}", "none", 1));
    return list;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Whether a ray runs in a triangle's plane, or nearly so, and through the triangle: it may be met anywhere, or not. */
static bool runs_within(const vp_asked_mesh *q, const vp_ray *ray, uint32_t triangle, double near)
{
    const double d[3] = {(double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z};
    double v[3][3], u[3], w[3], n[3], across[3], low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 3; c++) {
        const vp_vec3 at = q->point[q->triangle[triangle][c]], o = ray->origin;
        v[c][0] = (double)at.x - (double)o.x;
        v[c][1] = (double)at.y - (double)o.y;
        v[c][2] = (double)at.z - (double)o.z;
    }
    for (int k = 0; k < 3; k++) {
        u[k] = v[1][k] - v[0][k];
        w[k] = v[2][k] - v[0][k];
    }
    cross(u, w, n);
    const double length = sqrt(dot(n, n)), way = sqrt(dot(d, d));
    if (length == 0.0 || fabs(dot(n, d)) > VP_LIKE_TOLERANCE * length * way || fabs(dot(n, v[0])) > near * length)
        return false;
    cross(n, d, across);
    for (int c = 0; c < 3; c++) {
        const double side = dot(v[c], across) / (length * way);
        low = fmin(low, side);
        high = fmax(high, side);
    }
    return low <= near && high >= -near;
}

/* The largest coordinate in play. */
static double size_of(const vp_asked_mesh *q, vp_vec3 o)
{
    double size = longest_of(o);
    for (size_t i = 0; i < (size_t)q->triangles * 3; i++)
        size = fmax(size, longest_of(q->point[q->triangle[i / 3][i % 3]]));
    return size;
}

vp_status vp_ray_like(const vp_likening *l, const vp_ray_likening *how, const vp_answer *of_right)
{
    const vp_asked_mesh *mesh = how->mesh;
    const vp_ray *ray = l->q->part[1];
    const bool cells = mesh == NULL;
    const double size = cells ? how->size : size_of(mesh, ray->origin), beside = size * (cells ? 0x1p-22 : 0x1p-21),
                 slack = size * (cells ? 0x1p-20 : 0x1p-21) / longest_of(ray->direction);
    sayings s = {.none = of_right->kind == VP_ANSWER_NONE};
    bool right = false, within = false, begins = false;
    vp_status status = s.none ? VP_OK : add_saying(&s, of_right, l->error);
    if (status == VP_OK)
        status = vp_like_expected(l, l->words, sayings_json(&s, how, slack), &right);
    if (status == VP_OK && !right && !how->decided) {
        status = ask_around(l, cells, beside, &s);
        if (status == VP_OK && !cells && mesh->triangles > 1)
            status = ask_alone(l, mesh, beside, slack, &s);
        if (status == VP_OK)
            status = vp_like_expected(l, l->words, sayings_json(&s, how, slack), &right);
    }
    for (size_t i = 0; !cells && i < s.count; i++)
        begins = begins || (double)s.met[i].low <= slack;
    for (uint32_t t = 0; status == VP_OK && !cells && !right && !within && t < mesh->triangles; t++)
        within = runs_within(mesh, ray, t, 4.0 * beside);
    free(s.met);
    if (status == VP_OK && !right && begins)
        return vp_like_undecided(l, "the ray begins in a triangle, which may be met at 0, or not");
    return within ? vp_like_undecided(l, "the ray runs in the plane of a triangle") : status;
}
