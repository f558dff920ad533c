/* SPDX-License-Identifier: MIT */
/* M. L. Fredman, R. Sedgewick, D. D. Sleator and R. E. Tarjan, "The pairing heap: a new form of self-adjusting heap"
 * (1986). Two heaps are joined by making one the first child of the other's root. When a root is removed, its children
 * are joined in pairs, and then the pairs from the last to the first. */
#include "src/terrain/heap.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_first(const vp_kept *a, const vp_kept *b)
{
    if (a->place != b->place)
        return a->place < b->place;
    return a->chunk != b->chunk ? a->chunk < b->chunk : a->entry < b->entry;
}

/* Joins two heaps without siblings. */
static vp_kept *join_heaps(vp_kept *a, vp_kept *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    if (is_first(b, a)) {
        vp_kept *c = a;
        a = b;
        b = c;
    }
    b->before = a;
    b->next = a->child;
    if (b->next != NULL)
        b->next->before = b;
    a->child = b;
    return a;
}

/* Joins all heaps of a list of siblings. */
static vp_kept *join_siblings(vp_kept *first)
{
    vp_kept *pairs = NULL, *all = NULL;
    while (first != NULL) {
        vp_kept *a = first, *b = a->next;
        first = b != NULL ? b->next : NULL;
        a->next = a->before = NULL;
        if (b != NULL)
            b->next = b->before = NULL;
        vp_kept *pair = join_heaps(a, b);
        pair->next = pairs;
        pairs = pair;
    }
    while (pairs != NULL) {
        vp_kept *next = pairs->next;
        pairs->next = NULL;
        all = join_heaps(all, pairs);
        pairs = next;
    }
    return all;
}

vp_kept *vp_heap_put(vp_kept *min, vp_kept *kept)
{
    kept->child = kept->next = kept->before = NULL;
    return join_heaps(min, kept);
}

vp_kept *vp_heap_take(vp_kept *min, vp_kept *kept)
{
    vp_kept *children = join_siblings(kept->child);
    kept->child = NULL;
    if (kept == min)
        return children;
    if (kept->before->child == kept)
        kept->before->child = kept->next;
    else
        kept->before->next = kept->next;
    if (kept->next != NULL)
        kept->next->before = kept->before;
    kept->next = kept->before = NULL;
    return join_heaps(min, children);
}
