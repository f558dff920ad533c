/* SPDX-License-Identifier: MIT */
/* libccd's GJK with EPA, and its MPR. It reports overlap with depth and position, and nothing for separated shapes. The computation uses
 * binary64 in the shape's frame, or in the first shape's frame for a pair. Its loops have no iteration limit. After a fixed number of
 * support queries the shape therefore becomes the point 0, which ends them. */
#include <stdlib.h>

#include "bench/peers/narrow.h"
#include "cases/bodies/pairs.h"

#include <ccd/ccd.h>

#include "src/narrowphase/gjk.h"

enum { QUESTIONS = 1000, STEPS = 100 };

typedef struct asked_shape {
    const vp_collide_shape *shape;
    uint32_t *left;
} asked_shape;

typedef struct asked_triangle {
    vp_real3 corner[3];
    uint32_t *left;
} asked_triangle;

static void put(ccd_vec3_t *to, vp_real3 p)
{
    ccdVec3Set(to, p.x, p.y, p.z);
}

static void support_shape(const void *object, const ccd_vec3_t *d, ccd_vec3_t *to)
{
    const asked_shape *o = object;
    const vp_real3 u = {ccdVec3X(d), ccdVec3Y(d), ccdVec3Z(d)}, zero = {0.0, 0.0, 0.0};
    const double length = vp_real3_length(u), by = length > 0.0 ? vp_gjk_radius(o->shape) / length : 0.0;
    if (*o->left == 0) {
        put(to, zero);
        return;
    }
    --*o->left;
    put(to, vp_real3_plus(vp_gjk_core(o->shape, u), u, by));
}

static void support_triangle(const void *object, const ccd_vec3_t *d, ccd_vec3_t *to)
{
    const asked_triangle *o = object;
    const vp_real3 u = {ccdVec3X(d), ccdVec3Y(d), ccdVec3Z(d)}, zero = {0.0, 0.0, 0.0};
    int most = 0;
    for (int k = 1; k < 3; k++)
        most = vp_real3_dot(u, o->corner[k]) > vp_real3_dot(u, o->corner[most]) ? k : most;
    put(to, *o->left == 0 ? zero : o->corner[most]);
}

static void centre_shape(const void *object, ccd_vec3_t *to)
{
    ccdVec3Set(to, 0, 0, 0);
}

static void centre_triangle(const void *object, ccd_vec3_t *to)
{
    const vp_real3 *c = ((const asked_triangle *)object)->corner;
    put(to, vp_real3_scale(vp_real3_plus(vp_real3_plus(c[0], c[1], 1.0), c[2], 1.0), 1.0 / 3.0));
}

static vp_real3 into(const vp_collide_frame *f, vp_vec3 p)
{
    const vp_real3 from = vp_real3_sub(vp_real3_of(p), vp_real3_of(f->position));
    return (vp_real3){vp_real3_dot(vp_real3_of(f->row[0]), from), vp_real3_dot(vp_real3_of(f->row[1]), from),
                      vp_real3_dot(vp_real3_of(f->row[2]), from)};
}

static void out_of(const vp_collide_frame *f, const ccd_vec3_t *p, double out[3])
{
    const double x = ccdVec3X(p), y = ccdVec3Y(p), z = ccdVec3Z(p);
    out[0] = x * (double)f->row[0].x + y * (double)f->row[1].x + z * (double)f->row[2].x;
    out[1] = x * (double)f->row[0].y + y * (double)f->row[1].y + z * (double)f->row[2].y;
    out[2] = x * (double)f->row[0].z + y * (double)f->row[1].z + z * (double)f->row[2].z;
}

/* Sets the common members of triangles and other shapes. */
static ccd_t settings_of(double reach)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = support_shape;
    ccd.center1 = centre_shape;
    ccd.max_iterations = STEPS;
    ccd.epa_tolerance = ccd.mpr_tolerance = 1e-6 * reach; /* its default tolerances are absolute, whatever the input's size */
    ccd.dist_tolerance = 1e-6 * reach;
    return ccd;
}

typedef int penetration(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);

static void collide(const vp_collide_job *job, penetration *by)
{
    uint32_t left;
    const asked_shape shape = {job->shape, &left};
    ccd_t ccd = settings_of((double)vp_collide_radius(job->shape));
    ccd.support2 = support_triangle;
    ccd.center2 = centre_triangle;
    for (uint32_t i = 0; i < job->count; i++) {
        asked_triangle triangle = {.left = &left};
        ccd_real_t depth = 0;
        ccd_vec3_t way, at;
        left = QUESTIONS;
        for (int k = 0; k < 3; k++)
            triangle.corner[k] = into(&job->frame, job->triangle[i].corner[k]);
        if (by(&shape, &triangle, &ccd, &depth, &way, &at) != 0) {
            job->result[i] = vp_narrow_none(job);
            continue;
        }
        double n[3], p[3];
        ccdVec3Scale(&way, -1); /* points out of the triangle */
        out_of(&job->frame, &way, n);
        out_of(&job->frame, &at, p);
        job->result[i] = vp_narrow_touch(-depth, n, p);
    }
}

/* Returns the algorithm of a peer's name. */
static penetration *algorithm_of(const vp_peer *peer)
{
    return strncmp(peer->name, "ccd-mpr", 7) == 0 ? ccdMPRPenetration : ccdGJKPenetration;
}

typedef struct triangles_work {
    vp_collide_samples asked;
    penetration *by;
} triangles_work;

static void *make(const vp_peer *peer, const vp_data *data)
{
    triangles_work *w = calloc(1, sizeof *w);
    vp_error error;
    if (w != NULL && vp_collide_samples_create(vp_narrow_body(peer), data->set, &w->asked, &error) != VP_OK) {
        free(w);
        w = NULL;
    }
    if (w != NULL)
        w->by = algorithm_of(peer);
    return w;
}

static bool rewind_answers(void *work)
{
    vp_collide_samples_spoil(&((triangles_work *)work)->asked);
    return true;
}

static bool run(void *work, uint32_t step)
{
    const triangles_work *w = work;
    for (uint32_t i = 0; i < w->asked.places; i++)
        collide(&w->asked.job[i], w->by);
    return true;
}

static bool answers(void *work, uint32_t step, vp_peer_answers *out)
{
    out->collided = &((triangles_work *)work)->asked;
    out->overlaps_alone = true;
    return true;
}

static void drop(void *work)
{
    if (work != NULL)
        vp_collide_samples_destroy(&((triangles_work *)work)->asked);
    free(work);
}

/* ---- pairs ---- */

/* A shape in the frame of another, with its position and axes in that frame. */
typedef struct asked_other {
    const vp_collide_shape *shape;
    vp_real3 at, axis[3];
    uint32_t *left;
} asked_other;

typedef struct pairs_work {
    vp_pairs pairs;
    vp_collide_frame (*frame)[2];
    vp_shape_contact *answer;
    penetration *by;
} pairs_work;

static void support_other(const void *object, const ccd_vec3_t *d, ccd_vec3_t *to)
{
    const asked_other *o = object;
    const vp_real3 u = {ccdVec3X(d), ccdVec3Y(d), ccdVec3Z(d)}, zero = {0.0, 0.0, 0.0};
    const vp_real3 local = {vp_real3_dot(o->axis[0], u), vp_real3_dot(o->axis[1], u), vp_real3_dot(o->axis[2], u)};
    const double length = vp_real3_length(u), by = length > 0.0 ? vp_gjk_radius(o->shape) / length : 0.0;
    const vp_real3 on = vp_gjk_core(o->shape, local);
    vp_real3 at = vp_real3_plus(o->at, u, by);
    at = vp_real3_plus(vp_real3_plus(vp_real3_plus(at, o->axis[0], on.x), o->axis[1], on.y), o->axis[2], on.z);
    put(to, *o->left == 0 ? zero : at);
}

static void centre_other(const void *object, ccd_vec3_t *to)
{
    put(to, ((const asked_other *)object)->at);
}

static void collide_pair(const vp_manifold_body body[2], const vp_collide_frame frame[2], penetration *by, vp_shape_contact *answer)
{
    uint32_t left = QUESTIONS;
    const asked_shape a = {body[0].shape, &left};
    asked_other b = {.shape = body[1].shape, .at = into(&frame[0], frame[1].position), .left = &left};
    for (int k = 0; k < 3; k++) {
        const vp_real3 row = vp_real3_of(frame[1].row[k]);
        b.axis[k] = (vp_real3){vp_real3_dot(vp_real3_of(frame[0].row[0]), row), vp_real3_dot(vp_real3_of(frame[0].row[1]), row),
                               vp_real3_dot(vp_real3_of(frame[0].row[2]), row)};
    }
    ccd_t ccd = settings_of((double)vp_collide_radius(a.shape));
    ccd.support2 = support_other;
    ccd.center2 = centre_other;
    ccd_real_t depth = 0;
    ccd_vec3_t way, at;
    memset(answer, 0, sizeof *answer);
    answer->feature_a = answer->feature_b = VP_COLLIDE_NONE;
    if (by(&a, &b, &ccd, &depth, &way, &at) != 0)
        return;
    double n[3];
    const double zero[3] = {0.0, 0.0, 0.0};
    ccdVec3Scale(&way, -1); /* points out of the second shape */
    out_of(&frame[0], &way, n);
    const vp_collide_result touch = vp_narrow_touch(-depth, n, zero);
    answer->distance = touch.distance;
    answer->normal = touch.normal;
    answer->feature_a = answer->feature_b = 0;
}

static void drop_pairs(void *work)
{
    pairs_work *w = work;
    if (w != NULL) {
        vp_pairs_destroy(&w->pairs);
        free(w->frame);
        free(w->answer);
    }
    free(w);
}

static void *make_pairs(const vp_peer *peer, const vp_data *data)
{
    pairs_work *w = calloc(1, sizeof *w);
    vp_error error;
    if (w == NULL)
        return NULL;
    bool made = vp_pairs_create(vp_pair_of(peer->name), data->set, &w->pairs, &error) == VP_OK;
    w->frame = calloc(w->pairs.count + 1u, sizeof *w->frame);
    w->answer = calloc(w->pairs.count + 1u, sizeof *w->answer);
    made = made && w->frame != NULL && w->answer != NULL;
    for (uint32_t i = 0; made && i < 2 * w->pairs.count; i++)
        made = vp_collide_frame_of(&w->pairs.body[i / 2][i % 2].pose, &w->frame[i / 2][i % 2], &error) == VP_OK;
    w->by = algorithm_of(peer);
    if (made)
        return w;
    drop_pairs(w);
    return NULL;
}

static bool rewind_pairs(void *work)
{
    pairs_work *w = work;
    memset(w->answer, 0xff, w->pairs.count * sizeof *w->answer);
    return true;
}

static bool run_pairs(void *work, uint32_t step)
{
    const pairs_work *w = work;
    for (uint32_t i = 0; i < w->pairs.count; i++)
        collide_pair(w->pairs.body[i], w->frame[i], w->by, &w->answer[i]);
    return true;
}

static bool answers_of_pairs(void *work, uint32_t step, vp_peer_answers *out)
{
    out->contact = ((pairs_work *)work)->answer;
    out->overlaps_alone = true;
    return true;
}

#define NOTE "binary64, in the shape's frame, 100 steps and 1000 questions at most, tolerances 1e-6 of the shape; for it: overlaps alone"
#define PEER(name, note, end, row)                                                                                                         \
    {                                                                                                                                      \
        name end, "2.1", note NOTE, row, false, false, make, rewind_answers, run, answers, drop                                            \
    }
#define PEERS(end, row) PEER("ccd-gjk", "GJK and EPA, ", end, row), PEER("ccd-mpr", "MPR, ", end, row)
#define PAIR_BY(name, note)                                                                                                                \
    {                                                                                                                                      \
        name, "2.1", note NOTE, VP_OPERATION_collide_shapes, false, false, make_pairs, rewind_pairs, run_pairs, answers_of_pairs,          \
            drop_pairs                                                                                                                     \
    }
#define PAIR(a, b, pair) PAIR_BY("ccd-gjk/" pair, "GJK and EPA, "), PAIR_BY("ccd-mpr/" pair, "MPR, "),

const vp_peer vp_peers_narrow_ccd[] = {PEERS("", VP_KERNEL_collide_sphere),  PEERS("", VP_KERNEL_collide_capsule),
                                       PEERS("", VP_KERNEL_collide_box),     PEERS("", VP_KERNEL_collide_cylinder),
                                       PEERS("/16", VP_KERNEL_collide_hull), PEERS("/64", VP_KERNEL_collide_hull),
                                       VP_PAIR_LIST(PAIR) VP_PEERS_END};
