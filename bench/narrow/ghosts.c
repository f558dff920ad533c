/* SPDX-License-Identifier: MIT */
/* The part "ghosts". Shapes overlap grounds of triangles by a given depth. It counts contact normals that the ground's surface does not
 * have, for our kernels, for corrected contacts, and for libraries that make manifolds. The judge uses only the formulas of the grounds. */
#include <math.h>
#include <string.h>

#include "bench/experiment.h"
#include "bench/narrow/parts.h"
#include "bench/peers/manifold.h"
#include "cases/narrowphase/shapes.h"
#include "cases/narrowphase/slides.h"

enum { PLACES = 200, NEAR = 512 };
#define MARGIN 0.02f
#define GHOST  2.0 /* degrees */

/* The depths of overlap, limited to half the shape. */
static const struct {
    const char *name;
    double depth;
} overlaps[] = {{"0.02", 0.02}, {"0.2", 0.2}, {"half", INFINITY}};

/* A ground, a shape and a depth. */
typedef struct ghost_question {
    ground_shape g;
    const char *shape, *overlap;
    vp_row_id row;
    const vp_collide_triangle *mesh;
    vp_manifold_body body[PLACES];
    json_t *rows;
} ghost_question;

/* A place in the middle of the ground, every second one near a crease. */
static void set_places(ghost_question *q, const vp_collide_shape *shape, double depth, uint64_t seed)
{
    vp_random r = {seed};
    vp_error error;
    for (int i = 0; i < PLACES; i++) {
        ground_place p = {.shape = shape, .pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f}), .g = q->g};
        const float wide = i % 2 != 0 ? 0.25f : 5.0f, from = i % 4 == 1 && is_pyramids(q->g) ? (float)PYRAMID_HALF : 0.0f;
        for (int k = 0; k < 4 && i % 8 >= 2; k++) /* some are not rotated */
            p.pose.rotation[k] = vp_random_between(&r, -1.0f, 1.0f);
        must(vp_collide_frame_of(&p.pose, &p.frame, &error), &error);
        const float x = from + vp_random_between(&r, -wide, wide), z = vp_random_between(&r, -5.0f, 5.0f);
        const double half = slide_to(&p, x, z);
        slide_into(&p, depth < half ? depth : half);
        q->body[i] = (vp_manifold_body){shape, p.pose};
    }
}

static void put(const ghost_question *q, const char *who, const vp_peer_touch *touch, uint32_t touches)
{
    uint32_t ghosts = 0, none = 0;
    double worst = 0.0;
    for (uint32_t i = 0, t = 0; i < PLACES; i++) {
        const uint32_t first = t;
        double off = 0.0;
        for (; t < touches && touch[t].body == i; t++) {
            const double by = triangle_off(q->g, q->mesh[touch[t].triangle].corner, vp_real3_of(touch[t].normal));
            off = by > off ? by : off;
        }
        ghosts += off > GHOST;
        none += t == first;
        worst = off > worst ? off : worst;
    }
    json_array_append_new(q->rows,
                          json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:f}", "ground", ground_name[q->g], "overlap", q->overlap, "shape",
                                    q->shape, "who", who, "places", PLACES, "ghosts", (int)ghosts, "none", (int)none, "worst", worst));
}

static uint32_t gather(const ghost_question *q, const vp_manifold_body *body, uint32_t *number, vp_collide_triangle *list)
{
    const float by = vp_collide_gather_margin(body->shape);
    vp_error error;
    vp_aabb box;
    uint32_t count = 0;
    must(vp_collide_bounds(body->shape, &body->pose, MARGIN, &box, &error), &error);
    box.min = vp_vec3_sub(box.min, (vp_vec3){by, by, by});
    box.max = vp_vec3_add(box.max, (vp_vec3){by, by, by});
    for (uint32_t i = 0; i < GROUND_TRIANGLES; i++) {
        const vp_vec3 *c = q->mesh[i].corner;
        const vp_aabb around = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
        if (!vp_aabb_overlaps(&box, &around))
            continue;
        if (count == NEAR)
            must(VP_E_LIMIT, &(vp_error){VP_E_LIMIT, "too many triangles are near"});
        number[count] = i;
        list[count++] = q->mesh[i];
    }
    return count;
}

/* Answers triangle by triangle, raw and corrected. */
static void try_ours(const ghost_question *q)
{
    static vp_collide_triangle list[NEAR];
    static vp_collide_result answer[NEAR];
    static uint32_t number[NEAR], scratch[VP_COLLIDE_CONNECT_WORDS(NEAR)];
    vp_kernels scalar;
    vp_error error;
    must(vp_kernels_named("scalar", &scalar, &error), &error);
    vp_peer_touch *touch[2];
    uint32_t touches[2] = {0, 0};
    for (int corrected = 0; corrected < 2; corrected++)
        touch[corrected] = room((size_t)PLACES * NEAR, sizeof *touch[corrected]);
    for (uint32_t i = 0; i < PLACES; i++) {
        const vp_manifold_body *b = &q->body[i];
        const uint32_t count = gather(q, b, number, list);
        must(vp_collide_connect(list, count, scratch, &error), &error);
        must(vp_collide_triangles(&scalar, b->shape, &b->pose, MARGIN, list, count, answer, &error), &error);
        for (int corrected = 0; corrected < 2; corrected++) {
            if (corrected != 0)
                must(vp_collide_correct(&scalar, b->shape, &b->pose, MARGIN, list, count, answer, &error), &error);
            for (uint32_t k = 0; k < count; k++)
                if (answer[k].triangle_feature != VP_COLLIDE_NONE)
                    touch[corrected][touches[corrected]++] = (vp_peer_touch){i, number[k], answer[k].distance, answer[k].normal};
        }
    }
    put(q, "raw", touch[0], touches[0]);
    put(q, "corrected", touch[1], touches[1]);
    free(touch[0]);
    free(touch[1]);
}

static void try_peer(const ghost_question *q, const vp_peer *peer)
{
    const vp_touch_samples asked = {q->mesh, q->body, GROUND_TRIANGLES, PLACES, MARGIN};
    const vp_data data = {.set = &asked};
    vp_peer_answers got;
    void *work = peer->make(peer, &data);
    if (work == NULL || !vp_peer_rewind(peer, work) || !vp_peer_run(peer, work, 0) || !vp_peer_answers_of(peer, work, 0, &got))
        must(VP_E_MEMORY, &(vp_error){VP_E_MEMORY, "a library gave up"});
    put(q, peer->name, got.touch, got.touches);
    peer->drop(work);
}

void vp_narrow_ghosts(const vp_narrow_how *how, json_t *out)
{
    ghost_question *q = room(1, sizeof *q);
    const vp_peer *peer;
    q->rows = new_list(out, "ghosts");
    for (int g = 0; g < GROUNDS; g++) {
        if (how->only != NULL && strcmp(how->only, ground_name[g]) != 0)
            continue;
        vp_collide_triangle *mesh = ground_mesh((ground_shape)g, 5 + (uint64_t)g);
        if (mesh == NULL)
            must(VP_E_MEMORY, &(vp_error){VP_E_MEMORY, "no memory for a ground"});
        q->g = (ground_shape)g;
        q->mesh = mesh;
        for (uint32_t s = 0; s < VP_BODY_HULL64; s++) {
            vp_body_shape body;
            vp_error error;
            must(vp_body_shape_create((vp_body_kind)s, 1.0f, NULL, &body, &error), &error);
            q->shape = vp_body_name((vp_body_kind)s);
            q->row = VP_OPERATION_manifold_sphere + s;
            for (size_t o = 0; o < sizeof overlaps / sizeof overlaps[0]; o++) {
                q->overlap = overlaps[o].name;
                set_places(q, &body.shape, overlaps[o].depth, 100 * (uint64_t)g + 10 * s + o);
                try_ours(q);
                for (size_t i = 0; how->times && (peer = vp_peer_at(i)) != NULL; i++)
                    if (peer->row == q->row)
                        try_peer(q, peer);
            }
            vp_body_shape_destroy(&body);
        }
        free(mesh);
    }
    free(q);
}
