/* SPDX-License-Identifier: MIT */
/* Other libraries' trees, broken on purpose, for tree_refusal.sh. They do their work, and the answers are spoilt as BROKEN_TREE
 * says: "few" loses one hit in 400, "lost" one in 25; "moved" has every hit a hundredth too far; "next" tells one triangle in 25
 * by another number; "number" tells numbers that no triangle has; "other" puts another triangle into one box's list,
 * "twice" one that is in it already, "short" leaves one out.
 *
 * With BROKEN_RUNS=n questions are run n times, and with BROKEN_BUILDS=n trees are built n times, and no more. How often each
 * was done is added to the file that BROKEN_COUNTS names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/tree_peer.h"

#if defined(VP_BENCH_EMBREE) || defined(VP_BENCH_BULLET)

/* One is tested at a time. */
static const vp_tree_peer *real;
static const vp_tree_asked *asked_now;
static unsigned long builds, runs;

static bool may(const char *variable, unsigned long *count)
{
    const char *most = getenv(variable);
    ++*count;
    return most == NULL || *count <= strtoul(most, NULL, 10);
}

static bool broken(const char *how)
{
    const char *wanted = getenv("BROKEN_TREE");
    return wanted != NULL && strcmp(wanted, how) == 0;
}

static void spoil_rays(const vp_tree_asked *asked)
{
    const uint32_t lost = broken("few") ? 400 : broken("lost") ? 25 : UINT32_MAX;
    for (uint32_t i = 0, hits = 0; i < asked->rays->count; i++) {
        vp_tree_hit *hit = &asked->hit[i];
        if (hit->triangle < 0)
            continue;
        hits++;
        if (hits % lost == 0)
            hit->triangle = VP_NO_HIT;
        if (broken("moved"))
            hit->t *= 1.01f;
        if (broken("next") && hits % 25 == 0)
            hit->triangle = hit->triangle != 0 ? hit->triangle - 1 : 1;
        if (broken("number"))
            hit->triangle = INT32_MAX;
    }
}

static void spoil_boxes(const vp_tree_asked *asked)
{
    for (uint32_t i = 0; i < asked->boxes->count; i++) {
        uint32_t *list = asked->list + (size_t)i * asked->capacity;
        if (asked->found[i] < 2 || asked->found[i] > asked->capacity)
            continue;
        if (broken("short"))
            asked->found[i]--;
        if (broken("twice"))
            list[1] = list[0];
        if (broken("other"))
            list[0] = UINT32_MAX;
        return;
    }
}

static bool build_tree(void *trees)
{
    return may("BROKEN_BUILDS", &builds) ? real->build(trees) : true;
}

static void clear_tree(void *trees)
{
    real->clear(trees);
}

static uint64_t bytes_tree(const void *trees)
{
    return real->bytes(trees);
}

static uint32_t wrong_tree(const void *trees)
{
    return real->wrong(trees);
}

static void drop_tree(void *trees)
{
    const char *path = getenv("BROKEN_COUNTS");
    FILE *file = path != NULL && trees != NULL ? fopen(path, "a") : NULL;
    if (file != NULL) {
        fprintf(file, "%lu %lu\n", builds, runs);
        fclose(file);
    }
    if (trees != NULL)
        real->drop(trees);
}

static void *ask_tree(void *trees, const vp_tree_asked *asked)
{
    asked_now = asked;
    return real->ask(trees, asked);
}

static void run_tree(void *question)
{
    if (may("BROKEN_RUNS", &runs))
        real->run(question);
}

static void take_tree(void *question)
{
    real->take(question);
    if (asked_now->rays != NULL)
        spoil_rays(asked_now);
    else
        spoil_boxes(asked_now);
}

static void forget_tree(void *question)
{
    if (question != NULL)
        real->forget(question);
}

/* Of edits: one hit is looked at at a time, and every so many-th is spoilt. With BROKEN_ONCE=n trees are made n times, and no more. */
static bool once_tree(void *trees, uint32_t mesh, const vp_ray *ray, vp_tree_hit *hit)
{
    static unsigned long made;
    if (!may("BROKEN_ONCE", &made))
        return true;
    if (!real->once(trees, mesh, ray, hit))
        return false;
    if (hit->triangle >= 0 && broken("lost") && made % 25 == 0)
        hit->triangle = VP_NO_HIT;
    if (hit->triangle >= 0 && broken("moved"))
        hit->t *= 1.01f;
    if (hit->triangle >= 0 && broken("next") && made % 25 == 0)
        hit->triangle = hit->triangle != 0 ? hit->triangle - 1 : 1;
    return true;
}

/* What tree_peers.c takes for vp_peer_x is __wrap_vp_peer_x. */
#define BROKEN(x, name, questions)                                                                                    \
    extern const vp_tree_peer __real_vp_peer_##x, __wrap_vp_peer_##x;                                                 \
    static void *make_##x(const vp_tree_meshes *meshes)                                                               \
    {                                                                                                                 \
        real = &__real_vp_peer_##x;                                                                                   \
        return real->make(meshes);                                                                                    \
    }                                                                                                                 \
    const vp_tree_peer __wrap_vp_peer_##x = {name,       "broken",  questions, make_##x, build_tree, clear_tree, bytes_tree,    \
                                             wrong_tree, drop_tree, ask_tree,  run_tree, take_tree,  forget_tree, once_tree}

#ifdef VP_BENCH_EMBREE
enum { RAYS = 1 << VP_TREE_RAY | 1 << VP_TREE_RAY_ANY | 1 << VP_TREE_RAY8 | 1 << VP_TREE_RAY16 };
BROKEN(embree_low, "embree-low", RAYS);
BROKEN(embree_medium, "embree-medium", RAYS);
BROKEN(embree_high, "embree-high", RAYS);
BROKEN(embree_low_quads, "embree-low-quads", RAYS);
BROKEN(embree_medium_quads, "embree-medium-quads", RAYS);
#endif
#ifdef VP_BENCH_BULLET
enum { BOTH = 1 << VP_TREE_RAY | 1 << VP_TREE_RAY_ANY | 1 << VP_TREE_BOX | 1 << VP_TREE_BOX_LEAVES };
BROKEN(bullet, "bullet", BOTH);
BROKEN(bullet_quantized, "bullet-quantized", BOTH);
#endif

#endif
