/* SPDX-License-Identifier: MIT */
/* libccd: GJK with EPA, and MPR. It tells whether two shapes overlap, how deep and where; of what is apart it tells nothing. In the shape's
 * frame, in binary64. Its loops have no end of their own: after so many questions a shape is the point 0, which ends them. */
#include <stdlib.h>

#include "bench/peers/narrow.h"

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
    (void)object;
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

typedef int penetration(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);

static void collide(const vp_collide_job *job, penetration *by)
{
    uint32_t left;
    const asked_shape shape = {job->shape, &left};
    const double reach = (double)vp_collide_radius(job->shape);
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = support_shape;
    ccd.support2 = support_triangle;
    ccd.center1 = centre_shape;
    ccd.center2 = centre_triangle;
    ccd.max_iterations = STEPS;
    ccd.epa_tolerance = ccd.mpr_tolerance = 1e-6 * reach; /* its own are parts of a unit, whatever is in it */
    ccd.dist_tolerance = 1e-6 * reach;
    for (uint32_t i = 0; i < job->count; i++) {
        asked_triangle triangle = {.left = &left};
        ccd_real_t depth = 0;
        ccd_vec3_t way, at;
        left = QUESTIONS;
        for (int k = 0; k < 3; k++)
            triangle.corner[k] = into(&job->frame, job->triangle[i].corner[k]);
        if (by(&shape, &triangle, &ccd, &depth, &way, &at) != 0) {
            job->answer[i] = vp_narrow_none(job);
            continue;
        }
        double n[3], p[3];
        ccdVec3Scale(&way, -1); /* it is the triangle's way out */
        out_of(&job->frame, &way, n);
        out_of(&job->frame, &at, p);
        job->answer[i] = vp_narrow_touch(-depth, n, p);
    }
}

static void *make(const vp_peer *peer, const vp_data *data)
{
    vp_collide_asked *asked = calloc(1, sizeof *asked);
    vp_error error;
    if (asked != NULL && vp_collide_asked_create(vp_narrow_body(peer), data->set, asked, &error) != VP_OK) {
        free(asked);
        asked = NULL;
    }
    return asked;
}

static bool rewind_answers(void *work)
{
    vp_collide_asked_spoil(work);
    return true;
}

static void run_all(const vp_collide_asked *asked, penetration *by)
{
    for (uint32_t i = 0; i < asked->places; i++)
        collide(&asked->job[i], by);
}

static bool run_gjk(void *work, uint32_t step)
{
    (void)step;
    run_all(work, ccdGJKPenetration);
    return true;
}

static bool run_mpr(void *work, uint32_t step)
{
    (void)step;
    run_all(work, ccdMPRPenetration);
    return true;
}

static bool answers(void *work, uint32_t step, vp_peer_answers *out)
{
    (void)step;
    out->collided = work;
    out->overlaps_alone = true;
    return true;
}

static void drop(void *work)
{
    if (work != NULL)
        vp_collide_asked_destroy(work);
    free(work);
}

#define NOTE "binary64, in the shape's frame, 100 steps and 1000 questions at most, tolerances 1e-6 of the shape; for it: overlaps alone"
#define PEERS(end, row)                                                                                                                    \
    {"ccd-gjk" end, "2.1", "GJK and EPA, " NOTE, row, false, false, make, rewind_answers, run_gjk, answers, drop},                         \
    {                                                                                                                                      \
        "ccd-mpr" end, "2.1", "MPR, " NOTE, row, false, false, make, rewind_answers, run_mpr, answers, drop                                \
    }

const vp_peer vp_peers_narrow_ccd[] = {PEERS("", VP_KERNEL_collide_sphere),
                                       PEERS("", VP_KERNEL_collide_capsule),
                                       PEERS("", VP_KERNEL_collide_box),
                                       PEERS("", VP_KERNEL_collide_cylinder),
                                       PEERS("/16", VP_KERNEL_collide_hull),
                                       PEERS("/64", VP_KERNEL_collide_hull),
                                       VP_PEERS_END};
