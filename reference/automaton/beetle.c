/* SPDX-License-Identifier: MIT */
/* The flying beetle, the example of "About the automaton behind Voxel Seeds" (article "Voxel Seeds"): "Iterate over all
 * neighbours and count the empty cells. If there is at least one empty cell choose one of them randomly. Return EMPTY
 * for the current cell and BEETLE for the chosen cell." As in the article's picture, all 26 neighbours count. The link
 * is our addition: a beetle leaves its cell only if it wins the other, because beetles that meet would vanish
 * otherwise. */
#include <voxphys/automaton.h>

void vp_automaton_rule_beetle(const vp_automaton_window *in, vp_automaton_action *out)
{
    int empty[27], count = 0;
    if (!vp_automaton_window_mine(in))
        return;
    for (int k = 0; k < 27; k++) {
        empty[count] = k;
        count += in->cell[k].type == VP_CELL_EMPTY;
    }
    if (count == 0)
        return;
    const int chosen = empty[vp_automaton_window_below(in, 0, (uint32_t)count)];
    vp_automaton_action_write(out, chosen, (vp_automaton_cell){.type = in->type, .living = true}, VP_RULE_NO_LINK);
    vp_automaton_action_write(out, VP_WINDOW_CENTRE, (vp_automaton_cell){.type = VP_CELL_EMPTY}, chosen);
}
