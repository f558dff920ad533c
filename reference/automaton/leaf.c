/* SPDX-License-Identifier: MIT */
/* SphericalLeafRule of "Example Rule: The Redwood Tree" (article "Voxel Seeds"): "seed a center voxel of the
 * needle/leaf type and do a flood-fill of a spherical region. [...] it is sufficient to use some random manhatten like
 * distance. Therefore the Generation memory is used. This is monotonously increasing and the growth stops if the number
 * gets too large."
 *
 * The numbers are ours. A step over a face costs 3 to 5, over an edge 5 to 7. With steps over faces only, leaves would
 * become octahedra with hanging points. There are no steps over corners. */
#include <voxphys/automaton.h>

enum { FACE_COST = 3, EDGE_COST = 5, RANDOM_COST = 3, RADIUS_COST = 4 /* average cost of a cell of radius */ };

/* Number of coordinates in which place k differs from the centre: 1 across a face, 2 across an edge, 3
 * across a corner. */
static int count_differences(int k)
{
    return (k % 3 != 1) + (k / 3 % 3 != 1) + (k / 9 != 1);
}

void vp_automaton_rule_leaf(const vp_automaton_window *in, vp_automaton_action *out)
{
    const vp_automaton_leaf_params *leaf = in->parameters;
    if (!vp_automaton_window_mine(in))
        return;
    for (int k = 0; k < 27; k++) {
        if (count_differences(k) == 0 || count_differences(k) == 3 || in->cell[k].type != VP_CELL_EMPTY)
            continue;
        const uint32_t draw = (uint32_t)k,
                       cost = (count_differences(k) == 1 ? FACE_COST : EDGE_COST) + vp_automaton_window_below(in, draw, RANDOM_COST);
        const uint32_t generation = in->cell[VP_WINDOW_CENTRE].memory.generation + cost;
        if (generation > leaf->end)
            continue;
        const vp_automaton_cell_memory memory = {.tick = (uint16_t)vp_automaton_window_below(in, 32 + draw, 2),
                                                 .generation = (uint16_t)generation};
        vp_automaton_action_write(out, k, (vp_automaton_cell){in->type, true, memory}, VP_RULE_NO_LINK);
    }
    vp_automaton_action_write(out, VP_WINDOW_CENTRE, (vp_automaton_cell){.type = in->type}, VP_RULE_NO_LINK); /* it stays, and is dead */
}

vp_automaton_cell_memory vp_automaton_plant_leaf(const vp_automaton_window *in, bool wait)
{
    const vp_automaton_leaf_params *leaf = in->parameters;
    const int generation = leaf->end - RADIUS_COST * leaf->radius;
    return (vp_automaton_cell_memory){.tick = (uint16_t)(wait ? vp_automaton_window_below(in, 2, 8) : 0),
                                      .generation = (uint16_t)(generation > 0 ? generation : 0)};
}
