/* SPDX-License-Identifier: MIT */
#include "conformance/family.h"


/* In the order in which they are asked. */
#define FAMILIES(F)                                                                                                                        \
    F(dilation)                                                                                                                            \
    F(overlap)                                                                                                                             \
    F(grid_walk)                                                                                                                           \
    F(ray_triangle)                                                                                                                        \
    F(ray_mesh)                                                                                                                            \
    F(aabb_gather)                                                                                                                         \
    F(mesher)                                                                                                                              \
    F(hull2)                                                                                                                               \
    F(hull3) F(scene_query) F(automaton_step) F(faces) F(boxes) F(decompose) F(regions) F(buoyancy) F(manifold) F(shape_shape) F(cast)

#define DECLARE(name) extern const vp_family vp_family_##name;
FAMILIES(DECLARE)

#define LIST(name) &vp_family_##name,
const vp_family *const vp_families[] = {FAMILIES(LIST) NULL};
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
