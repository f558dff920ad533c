/* SPDX-License-Identifier: MIT */
/* Scripts by which the objects of a uniform scene move, step after step. */
#include "datasets/scene_sets.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/manifest_data.h"
#include "datasets/random.h"
#include "src/core/error.h"

/* The changes to objects in each step, in percent. */
typedef struct vp_motions_params {
    float steps;
    float moved;      /* by up to `by` along each axis */
    float by;         /* voxels */
    float teleported; /* moved to the place where another object was made */
    float churned;    /* removed, with others inserted */
} vp_motions_params;

/* The current objects. */
typedef struct motion_script {
    vp_motion_set *set;
    vp_random r;
    uint32_t *alive, alive_count, next;
    vp_sphere *now; /* by number */
    uint32_t motions;
} motion_script;

static void add(motion_script *s, vp_motion_kind kind, uint32_t object, vp_sphere sphere)
{
    s->set->motion[s->motions++] = (vp_motion){kind, object, sphere};
    if (kind != VP_MOTION_REMOVE)
        s->now[object] = sphere;
}

static vp_sphere made_before(motion_script *s)
{
    return s->set->scene.sphere[vp_random_below(&s->r, s->set->scene.count)];
}

static void play_step(motion_script *s, const vp_motions_params *p)
{
    const uint32_t count = s->alive_count;
    const uint32_t moved = (uint32_t)((float)count * p->moved / 100.0f), teleported = (uint32_t)((float)count * p->teleported / 100.0f),
                   churned = (uint32_t)((float)count * p->churned / 100.0f);
    for (uint32_t i = 0; i < moved; i++) { /* move each object once, or random objects */
        const uint32_t object = s->alive[moved == count ? i : vp_random_below(&s->r, count)];
        vp_sphere to = s->now[object];
        to.centre = vp_vec3_add(to.centre, vp_random_vec3(&s->r, (vp_vec3){-p->by, -p->by, -p->by}, (vp_vec3){p->by, p->by, p->by}));
        add(s, VP_MOTION_MOVE, object, to);
    }
    for (uint32_t i = 0; i < teleported; i++) {
        const uint32_t object = s->alive[vp_random_below(&s->r, count)];
        const vp_sphere to = made_before(s);
        add(s, VP_MOTION_MOVE, object, to);
    }
    for (uint32_t i = 0; i < churned; i++) {
        const uint32_t which = vp_random_below(&s->r, s->alive_count), object = s->alive[which];
        add(s, VP_MOTION_REMOVE, object, (vp_sphere){{0, 0, 0}, 0});
        s->alive[which] = s->alive[--s->alive_count];
    }
    for (uint32_t i = 0; i < churned; i++) {
        const vp_sphere to = made_before(s);
        add(s, VP_MOTION_INSERT, s->next, to);
        s->alive[s->alive_count++] = s->next++;
    }
}

static vp_status play(const char *name, const vp_motions_params *p, uint64_t seed, vp_motion_set *set, vp_error *error)
{
    const uint32_t count = set->scene.count;
    set->steps = (uint32_t)p->steps;
    const size_t most = (size_t)((p->moved + p->teleported + 2 * p->churned) / 100.0f * (float)count + 4.0f) * set->steps;
    const size_t numbers = count + (size_t)(p->churned / 100.0f * (float)count + 1.0f) * set->steps;
    motion_script s = {set, {seed + 1}, NULL, count, count, NULL, 0};
    set->first = calloc((size_t)set->steps + 1, sizeof *set->first);
    set->motion = malloc((most + 1) * sizeof *set->motion);
    s.alive = malloc(((size_t)count + 1) * sizeof *s.alive);
    s.now = malloc((numbers + 1) * sizeof *s.now);
    const bool all = set->first != NULL && set->motion != NULL && s.alive != NULL && s.now != NULL;
    if (all) {
        memcpy(s.now, set->scene.sphere, count * sizeof *s.now);
        for (uint32_t i = 0; i < count; i++)
            s.alive[i] = i;
        for (uint32_t step = 0; step < set->steps; step++) {
            play_step(&s, p);
            set->first[step + 1] = s.motions;
        }
    }
    free(s.alive);
    free(s.now);
    return all ? VP_OK : vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for motions of %u objects", name, count);
}

static vp_status make(const vp_making *from, void **set, vp_error *error)
{
    uint32_t count;
    vp_motion_set *motions = *set;
    VP_RETURN_IF_FAILED(vp_scene_count(from, &count, error));
    VP_RETURN_IF_FAILED(vp_scene_uniform(count, from->seed, &motions->scene, error));
    return play(from->name, from->params, from->seed, motions, error);
}

static vp_status fuzz(const vp_making *from, void **set, vp_error *error)
{
    const vp_motions_params params = {4, 20, 1, 10, 30};
    vp_random r = {from->seed ^ UINT64_C(0x6d6f7665)};
    vp_motion_set *motions = *set;
    VP_RETURN_IF_FAILED(vp_scene_uniform(1 + vp_random_below(&r, 40), from->seed, &motions->scene, error));
    return play(from->name, &params, from->seed, motions, error);
}

/* ---- the kind ---- */

static uint64_t count(const void *set)
{
    const vp_motion_set *motions = set;
    return motions->first[motions->steps];
}

/* Hashes the number of objects and the objects, then the number of steps and each step's motions. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_motion_set *motions = set;
    vp_hash_u32(h, motions->scene.count);
    vp_hash_words(h, motions->scene.sphere, (size_t)motions->scene.count * 4);
    vp_hash_u32(h, motions->steps);
    for (uint32_t s = 0; s < motions->steps; s++) {
        vp_hash_u32(h, motions->first[s + 1] - motions->first[s]);
        for (const vp_motion *m = motions->motion + motions->first[s]; m < motions->motion + motions->first[s + 1]; m++) {
            vp_hash_u32(h, (uint32_t)m->kind);
            vp_hash_u32(h, m->object);
            vp_hash_words(h, &m->sphere, 4);
        }
    }
}

static void add_sphere(vp_text *to, const vp_sphere *sphere)
{
    vp_text_add_vec3(to, ", \"centre\": ", sphere->centre);
    vp_text_add(to, ", \"radius\": \"%a\"}\n", (double)sphere->radius);
}

static void lines(const void *set, vp_text *to)
{
    static const char *const words[] = {"move", "remove", "insert"};
    const vp_motion_set *motions = set;
    for (uint32_t i = 0; i < motions->scene.count; i++) {
        vp_text_add(to, "{\"object\": %u", i);
        add_sphere(to, &motions->scene.sphere[i]);
    }
    for (uint32_t s = 0; s < motions->steps; s++)
        for (const vp_motion *m = motions->motion + motions->first[s]; m < motions->motion + motions->first[s + 1]; m++) {
            vp_text_add(to, "{\"step\": %u, \"%s\": %u", s, words[m->kind], m->object);
            if (m->kind != VP_MOTION_REMOVE)
                add_sphere(to, &m->sphere);
            else
                vp_text_add(to, "}\n");
        }
}

static void destroy(vp_motion_set *motions)
{
    vp_scene_set_drop(&motions->scene);
    free(motions->first);
    free(motions->motion);
}

VP_KIND_DROP(destroy)

static const vp_param params[] = {VP_PARAM_WHOLE(vp_motions_params, steps, 1, 1000), VP_PARAM(vp_motions_params, moved, 0, 100),
                                  VP_PARAM(vp_motions_params, by, 0, 1000),          VP_PARAM(vp_motions_params, teleported, 0, 100),
                                  VP_PARAM(vp_motions_params, churned, 0, 100),      {0}};
static const vp_generator generators[] = {{.name = "motions", .param = params, .make = make}, {0}};

const vp_kind vp_kind_motions = {
    .name = "motions",
    .words = "motions of scenes",
    .bytes = sizeof(vp_motion_set),
    .one = "script of motions",
    .member = (const char *const[]){"count", "params", "hash", "hashes", NULL},
    .generator = generators,
    .count_of = vp_scene_count_of,
    .fuzz = fuzz,
    .count = count,
    .hash = hash,
    .lines = lines,
    .drop = drop,
};
