/* SPDX-License-Identifier: MIT */
/* The oak. The article "Voxel Seeds" only names it ("generic rules which together create the oak tree"), and no source
 * describes it. Ours is built from the redwood's parts (wood.h). It has a short thick trunk that ends in a leader,
 * which is a branch itself. Its few, long branches rise and fork twice. Its leaves form large balls. */
#include "reference/automaton/wood.h"

static void grow_branches(const wood_line *line)
{
    const vp_automaton_tree_params *tree = line->tree;
    const vp_automaton_window *in = line->in;
    for (int i = 0; i < 2; i++) {
        const uint32_t draw = DRAW_BRANCH + DRAWS_OF_BRANCH * (uint32_t)i;
        if ((int)vp_automaton_window_below(in, draw, 100) >= tree->chance[line->level] / (i == 0 ? 1 : 3))
            continue;
        const int sixteenth = line->generation * 6 + i * 8 + (int)vp_automaton_window_below(in, draw + 1, 3);
        if (line->level == TRUNK) {
            const uint32_t more = (uint32_t)(tree->branch[1] - tree->branch[0] + 1);
            const int length = tree->branch[0] + (int)vp_automaton_window_below(in, draw + 2, more);
            const int percent = 18 + line_percent(line) - tree->from[TRUNK] + (int)vp_automaton_window_below(in, draw + 3, 24);
            begin_around(line, sixteenth, length, length * percent / 100, draw + 4);
        } else {
            const int length = line->level == TRUNK + 1 ? 4 + (int)vp_automaton_window_below(in, draw + 4, 4)
                                                        : 2 + (int)vp_automaton_window_below(in, draw + 4, 2);
            begin_aside(line, length, (int)vp_automaton_window_below(in, draw + 5, 4), draw);
        }
    }
}

/* Begins a branch that continues where the trunk ends. */
static void begin_leader(const vp_automaton_window *in, vp_automaton_action *out)
{
    const int x = (int)vp_automaton_window_below(in, DRAW_LEADER, 7) - 3, y = 9 + (int)vp_automaton_window_below(in, DRAW_LEADER + 1, 4),
              z = (int)vp_automaton_window_below(in, DRAW_LEADER + 2, 7) - 3;
    vp_automaton_action_write(out, VP_WINDOW_CENTRE, make_living_wood(in, 0, 0, pack_resource(x, y, z, TRUNK + 1)), VP_RULE_NO_LINK);
}

void vp_automaton_rule_oak(const vp_automaton_window *in, vp_automaton_action *out)
{
    const vp_automaton_tree_params *tree = in->parameters;
    wood_line line;
    if (!vp_automaton_window_mine(in))
        return;
    if (!is_kernel(&in->cell[VP_WINDOW_CENTRE])) {
        grow_raw(in, tree, out);
        return;
    }
    const wood_way way = look_ahead(in, out, &line);
    if (way == WOOD_GOES)
        move_kernel(&line, grow_branches);
    else if (way == WOOD_ARRIVED && line.level == TRUNK)
        begin_leader(in, out);
    else if (way != WOOD_WAITS)
        end_in_leaves(tree, tree->radius[line.level], out);
}
