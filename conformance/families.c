/* SPDX-License-Identifier: MIT */
#include "conformance/family.h"

#include <string.h>

extern const vp_family vp_family_dilation, vp_family_overlap, vp_family_grid_walk, vp_family_ray_triangle, vp_family_ray_mesh,
    vp_family_aabb_gather, vp_family_mesher, vp_family_hull2, vp_family_hull3;

const vp_family *const vp_families[] = {
    &vp_family_dilation,    &vp_family_overlap, &vp_family_grid_walk, &vp_family_ray_triangle, &vp_family_ray_mesh,
    &vp_family_aabb_gather, &vp_family_mesher,  &vp_family_hull2,     &vp_family_hull3,        NULL,
};
_Static_assert(sizeof vp_families / sizeof vp_families[0] <= VP_FAMILIES_MAX + 1, "there are more families than are counted on");

const vp_family *vp_family_named(const char *name, size_t length)
{
    const vp_family *const *f = vp_families;
    while (*f != NULL && !vp_word_is(name, length, (*f)->name))
        f++;
    return *f;
}

vp_family_names vp_families_listed(void)
{
    vp_family_names out = {.text = ""};
    size_t at = 0;
    for (const vp_family *const *f = vp_families; *f != NULL && at < sizeof out.text; f++)
        at += (size_t)snprintf(out.text + at, sizeof out.text - at, "%s%s", at > 0 ? ", " : "", (*f)->name);
    return out;
}
