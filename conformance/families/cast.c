/* SPDX-License-Identifier: MIT */
/* cast: the first hit of a convex shape that moves along a line, on triangles or on another shape. The oracle gives the range of t. The
 * normal and the point are judged by definition. At t the two must touch, a plane with this normal must separate them, and the way must
 * lead into it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/convex.h"

enum { MESH, POINTS, MOVER, OTHER_POINTS, OTHER };
enum { T, NORMAL, PLACE, VERTICES }; /* parts of a hit, t is stored as an x */

static bool has_other(const vp_question *q)
{
    return ((const vp_query_body *)q->part[OTHER])->kind != VP_COLLIDE_KINDS;
}

/* ---- answering ---- */

static vp_status cast_mesh(const vp_query_mesh *mesh, const vp_cast_def *def, vp_cast_hit *hit, vp_error *error)
{
    vp_collide_triangle *triangle = vp_mesh_collided(mesh, 1);
    if (triangle == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", mesh->triangles);
    const vp_status status = vp_cast_mesh(triangle, mesh->triangles, def, hit, error);
    free(triangle);
    return status;
}

static vp_status cast_other(const vp_question *q, const vp_kernels *kernels, const vp_cast_def *def, vp_cast_hit *hit, vp_error *error)
{
    const vp_query_body *other = q->part[OTHER];
    vp_collide_owned_hull solid;
    vp_collide_shape shape;
    vp_status status = vp_body_shape(other, q->part[OTHER_POINTS], kernels, &solid, &shape, error);
    if (status == VP_OK)
        status = vp_cast_shape(def, &(vp_manifold_body){.shape = &shape, .pose = other->pose}, hit, error);
    vp_collide_hull_destroy(&solid);
    return status;
}

static void print_hit(const vp_cast_hit *hit, vp_vec3 position, FILE *to)
{
    const vp_vec3 p = vp_vec3_sub(hit->point, position), n = hit->normal;
    const float number[] = {hit->t, n.x, n.y, n.z, p.x, p.y, p.z};
    if (!hit->found || hit->started_inside) {
        fputs(hit->found ? "inside" : "none", to);
        return;
    }
    fputs("hit", to);
    vp_words_floats(to, number, sizeof number / sizeof number[0]);
}

static json_t *unsound(const vp_question *q)
{
    const vp_query_mesh *mesh = q->part[MESH], *other_points = q->part[OTHER_POINTS];
    const bool other = has_other(q) ? mesh->triangles == 0 && vp_body_is_sound(&vp_part_target_body, q->part[OTHER], other_points)
                                    : other_points->points == 0;
    const bool sound = other && vp_mesh_is_finite(mesh) && vp_body_is_sound(&vp_part_body_way, q->part[MOVER], q->part[POINTS]);
    return sound ? NULL : json_pack("{s:b}", "refused", 1);
}

static vp_status answer(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_body *mover = q->part[MOVER];
    const vp_query_mesh *mesh = q->part[MESH], *other_points = q->part[OTHER_POINTS];
    vp_collide_owned_hull solid;
    vp_collide_shape shape;
    vp_cast_hit hit;
    if (has_other(q) ? mesh->triangles > 0 : other_points->points > 0)
        return vp_fail(error, VP_E_ARGUMENT, "there are triangles and another shape, or points of no other shape");
    vp_status status = vp_body_shape(mover, q->part[POINTS], kernels, &solid, &shape, error);
    const vp_cast_def def = {.shape = &shape, .pose = mover->pose, .translation = mover->translation, .kernels = kernels};
    if (status == VP_OK)
        status = has_other(q) ? cast_other(q, kernels, &def, &hit, error) : cast_mesh(mesh, &def, &hit, error);
    if (status == VP_OK)
        print_hit(&hit, mover->pose.position, to);
    vp_collide_hull_destroy(&solid);
    return status;
}

/* ---- answers ---- */

static const vp_form forms[] = {{"none", .kind = VP_ANSWER_NONE},
                                {"inside", .kind = VP_ANSWER_OTHER},
                                {"hit", .kind = VP_ANSWER_HIT, .is = VP_FORM_PLACES, .each = VERTICES - 1},
                                {.word = NULL}};

static const char *word_of(const vp_answer *answer)
{
    return answer->kind == VP_ANSWER_NONE ? "none" : answer->kind == VP_ANSWER_HIT ? "hit" : "inside";
}

/* A triangle or the other shape, relative to the mover's start. */
typedef struct obstacle {
    vp_real3 corner[3]; /* of a triangle */
    vp_convex shape;    /* body is NULL for a triangle */
    vp_real3 at;        /* position of the shape */
} obstacle;

static obstacle obstacle_of(const vp_question *q, uint32_t i)
{
    const vp_query_body *mover = q->part[MOVER], *other = q->part[OTHER];
    const vp_query_mesh *mesh = q->part[MESH];
    const vp_real3 start = vp_real3_of(mover->pose.position);
    obstacle o;
    memset(&o, 0, sizeof o);
    if (has_other(q)) {
        o.shape = vp_convex_of(other, q->part[OTHER_POINTS]);
        o.at = vp_real3_sub(vp_real3_of(other->pose.position), start);
    } else {
        for (int k = 0; k < 3; k++)
            o.corner[k] = vp_real3_sub(vp_real3_of(mesh->point[mesh->triangle[i][k]]), start);
    }
    return o;
}

static double highest(const obstacle *o, vp_real3 n)
{
    if (o->shape.body != NULL)
        return vp_real3_dot(n, vp_real3_plus(o->at, vp_convex_furthest(&o->shape, n), 1.0));
    return fmax(fmax(vp_real3_dot(n, o->corner[0]), vp_real3_dot(n, o->corner[1])), vp_real3_dot(n, o->corner[2]));
}

static double distance_to(const obstacle *o, vp_real3 p)
{
    return o->shape.body != NULL ? vp_convex_beyond(&o->shape, vp_real3_sub(p, o->at)) : vp_to_triangle(p, o->corner);
}

/* Checks normal and point of a hit. `within` is the tolerance of a distance. */
static void check_contact(const vp_question *q, const vp_answer *said, double within, char *reason)
{
    const vp_query_body *mover = q->part[MOVER];
    const vp_convex s = vp_convex_of(mover, q->part[POINTS]);
    const vp_real3 way = vp_real3_of(mover->translation), n = vp_real3_of(said->vertex[NORMAL]), p = vp_real3_of(said->vertex[PLACE]),
                   moved = vp_real3_scale(way, (double)said->t);
    const double length = vp_real3_length(n), off = vp_convex_beyond(&s, vp_real3_sub(p, moved)),
                 lowest = vp_real3_dot(n, vp_real3_plus(moved, vp_convex_furthest(&s, vp_real3_scale(n, -1.0)), 1.0));
    const uint32_t count = has_other(q) ? 1 : ((const vp_query_mesh *)q->part[MESH])->triangles;
    double nearest = INFINITY, depth = INFINITY; /* the smallest depth among obstacles that have the point */
    for (uint32_t i = 0; i < count; i++) {
        const obstacle o = obstacle_of(q, i);
        const double d = distance_to(&o, p);
        nearest = fmin(nearest, d);
        if (d <= 10.0 * within)
            depth = fmin(depth, highest(&o, n) - lowest);
    }
    if (!(fabs(length - 1.0) <= 1e-5))
        vp_reason_say(reason, "the normal (%g, %g, %g) has the length %.9g", n.x, n.y, n.z, length);
    else if (!(vp_real3_dot(n, way) < -within / 16.0))
        vp_reason_say(reason, "the way does not press against the normal (%g, %g, %g): it moves by %g along it", n.x, n.y, n.z,
                      vp_real3_dot(n, way));
    else if (!(off <= 10.0 * within))
        vp_reason_say(reason, "at t %.9g the point (%g, %g, %g) is %g outside the shape", (double)said->t, p.x, p.y, p.z, off);
    else if (!(nearest <= 10.0 * within))
        vp_reason_say(reason, "the point (%g, %g, %g) is %g away from what is hit", p.x, p.y, p.z, nearest);
    else if (!(depth <= 2.0 * within))
        vp_reason_say(reason, "at t %.9g the two overlap by %g along the normal (%g, %g, %g)", (double)said->t, depth, n.x, n.y, n.z);
}

/* Whether a word is one of the right ones. */
static bool is_word_right(const json_t *alternative, const char *word)
{
    const json_t *one;
    size_t i;
    json_array_foreach (json_object_get(alternative, "words"), i, one)
        if (strcmp(json_string_value(one), word) == 0)
            return true;
    return false;
}

static void say_right(const json_t *alternative, char *text, size_t room)
{
    const json_t *t = json_object_get(alternative, "t"), *one;
    size_t i;
    if (t != NULL)
        snprintf(text, room, "a hit at t from %.9g to %.9g", (double)vp_value_bits(json_array_get(t, 0)),
                 (double)vp_value_bits(json_array_get(t, 1)));
    json_array_foreach (json_object_get(alternative, "words"), i, one)
        snprintf(text + strlen(text), room - strlen(text), "%s'%s'", text[0] != '\0' ? ", or " : "", json_string_value(one));
}

static vp_status judge(const vp_judging *j, bool *right)
{
    const json_t *t = json_object_get(j->alternative, "t");
    const double within = json_number_value(json_object_get(j->alternative, "within"));
    char wanted[120] = "";
    say_right(j->alternative, wanted, sizeof wanted);
    if (j->answer->kind != VP_ANSWER_HIT) {
        if (!is_word_right(j->alternative, word_of(j->answer)))
            vp_reason_say(j->reason, "'%s'; right is %s", word_of(j->answer), wanted);
    } else if (t == NULL) {
        vp_reason_say(j->reason, "'hit' at t %.9g; right is %s", (double)j->answer->t, wanted);
    } else if (!vp_is_within(j->answer->t, t)) {
        const double low = (double)vp_value_bits(json_array_get(t, 0)), high = (double)vp_value_bits(json_array_get(t, 1)),
                     at = (double)j->answer->t;
        vp_reason_say(j->reason, "t is %.9g; right is %s; it is off by %g", at, wanted, fmax(low - at, at - high));
    } else {
        check_contact(j->q, j->answer, within, j->reason);
    }
    *right = j->reason[0] == '\0';
    return VP_OK;
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    if (json_object_get(alternative, "t") == NULL && json_array_size(json_object_get(alternative, "words")) == 0)
        return vp_expected_wrong(alternative, "words", error);
    return vp_hulls_sound(q, POINTS, OTHER_POINTS, error);
}

/* ---- judging by another program's answer ---- */

/* Tolerance of a distance, from the sizes and the distances of mover and obstacles. */
static double within_of(const vp_question *q)
{
    const vp_query_body *mover = q->part[MOVER], *other = q->part[OTHER];
    const vp_query_mesh *mesh = q->part[MESH];
    const double radius = vp_convex_of(mover, q->part[POINTS]).radius;
    double far = 0.0;
    const vp_vec3 p = mover->pose.position;
    for (uint32_t i = 0; i < mesh->points; i++)
        far = fmax(far, vp_real3_length(vp_real3_sub(vp_real3_of(mesh->point[i]), vp_real3_of(p))));
    if (has_other(q))
        far = vp_convex_of(other, q->part[OTHER_POINTS]).radius +
              vp_real3_length(vp_real3_sub(vp_real3_of(other->pose.position), vp_real3_of(p)));
    return 4e-6 * (radius + fmax(fmax(fabs((double)p.x), fabs((double)p.y)), fabs((double)p.z))) + 1e-6 * far +
           0x1p-22 * vp_real3_length(vp_real3_of(mover->translation));
}

/* Whether the mover is so thin along an axis that it hardly gets deep into anything. */
static bool is_thin(const vp_question *q, double least)
{
    const vp_convex s = vp_convex_of(q->part[MOVER], q->part[POINTS]);
    bool thin = false;
    for (int k = 0; k < 3; k++) {
        const vp_real3 n = s.axis[k], ahead = vp_convex_furthest(&s, n), back = vp_convex_furthest(&s, vp_real3_scale(n, -1.0));
        thin = thin || vp_real3_dot(n, vp_real3_sub(ahead, back)) < least;
    }
    return thin;
}

/* A hit is right if it is sound and about as early as the trusted one. A mere touch decides nothing. */
static vp_status like(const vp_likening *l, const vp_answer *right)
{
    const vp_real3 way = vp_real3_of(((const vp_query_body *)l->q->part[MOVER])->translation);
    const double within = within_of(l->q);
    const bool hit = right->kind == VP_ANSWER_HIT;
    bool same = false;
    vp_answer answer;
    vp_error why;
    if (!vp_hulls_are_small(l->q, POINTS, OTHER_POINTS))
        return vp_like_undecided(l, "a hull has too many points");
    if (is_thin(l->q, 32.0 * within))
        return vp_like_undecided(l, "the shape is thin, and may pass");
    const vp_status status = vp_like_expected(l, l->words,
                                              json_pack("{s:s, s:[s, s], s:[s, s], s:f}", "checker", "cast", "words", "none", "inside", "t",
                                                        vp_bits_of(0.0f).text, vp_bits_of(1.0f).text, "within", within),
                                              &same);
    if (status != VP_OK || !same || vp_answer_read(l->q, l->words, &answer, &why) != VP_OK)
        return status;
    const double pressed = hit ? -vp_real3_dot(vp_real3_of(right->vertex[NORMAL]), way) : 0.0,
                 late = answer.kind == VP_ANSWER_HIT ? (double)answer.t - (double)right->t : 1.0 - (double)right->t;
    const bool both = answer.kind == right->kind, is_late = hit && answer.kind != VP_ANSWER_OTHER && pressed * late > 16.0 * within;
    if (is_late)
        vp_reason_say(l->reason, "'%s'; there is a hit at t %.9g", word_of(&answer), (double)right->t);
    vp_answer_drop(&answer);
    if (is_late)
        *l->out = VP_LIKE_WRONG;
    else if (!both || fabs(pressed * late) > 16.0 * within)
        return vp_like_undecided(l, "the two touch, or nearly, and this may be a hit or none");
    return VP_OK;
}

/* ---- in the corpus ---- */

static const char *const right_words[] = {"none", "inside", NULL};
static const vp_value word_value = {.type = JSON_STRING, .choice = &(const vp_choice){right_words, NULL}},
                      words_value = {.type = JSON_ARRAY, .part = &word_value, .also = vp_value_unique};
static const vp_member expected[] = {{.name = "checker", .is = &vp_is_words},
                                     {.name = "words", .is = &words_value},
                                     {.name = "t", .is = &vp_is_range, .otherwise = ""},
                                     {.name = "within", .is = &vp_is_tolerance},
                                     {.name = NULL}};

const vp_family vp_family_cast = {VP_FAMILY("cast", VP_PROPERTY | VP_EXACT | VP_REFUSED),
                                  .checker = "cast",
                                  .part = {&vp_part_mesh, &vp_part_points, &vp_part_body_way, &vp_part_other_points, &vp_part_target_body},
                                  .sound = sound,
                                  .unsound = unsound,
                                  .like = like};
