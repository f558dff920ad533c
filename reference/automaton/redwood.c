/* SPDX-License-Identifier: MIT */
/* RedWoodRule of "Example Rule: The Redwood Tree" (article "Voxel Seeds"). See wood.h for its two kinds of wood. The
 * article leaves the places and lengths of branches open. Ours has a whorl of up to four branches at every third voxel
 * of the trunk, and sometimes one between. Low branches are long, and level or hanging. High ones are short. Branches
 * have short twigs to both sides. */
#include "reference/automaton/wood.h"

enum { WHORL_EVERY = 3, WHORL = 4 };

/* A branch of the trunk. The crown's radius falls from 0.15 of the height to zero. */
static void begin_trunk_branch(const wood_line *line, uint32_t draw, int sixteenth)
{
    const int total = line->generation + line->distance;
    const int low = line->distance * 100 / (total * (100 - line->tree->from[TRUNK]) / 100 + 1); /* 100 at the lowest branch, 0 at the top */
    const int max = (15 + low * total * 15 / 1000) * (75 + (int)vp_automaton_window_below(line->in, draw + 2, 50)) / 1000;
    const int length = max > 1 ? max : 1;
    const int rise = length * (40 - low * 60 / 100 + (int)vp_automaton_window_below(line->in, draw + 3, 20)) / 100;
    begin_around(line, sixteenth, length, rise, draw + 4);
}

static void grow_branches(const wood_line *line)
{
    const bool trunk = line->level == TRUNK, whorl = trunk && line->generation % WHORL_EVERY == 0;
    for (int i = 0; i < (whorl ? WHORL : 2); i++) {
        const uint32_t draw = DRAW_BRANCH + DRAWS_OF_BRANCH * (uint32_t)i;
        int chance = line->tree->chance[line->level];
        if (trunk && !whorl)
            chance = i == 0 ? chance / 4 : 0;
        else if (!trunk && i > 0)
            chance /= 3;
        if ((int)vp_automaton_window_below(line->in, draw, 100) >= chance)
            continue;
        /* 6/16 is near the golden angle. */
        const int sixteenth = line->generation * 6 + i * 4 + (int)vp_automaton_window_below(line->in, draw + 1, 3);
        if (trunk)
            begin_trunk_branch(line, draw, sixteenth);
        else
            begin_aside(line, 1 + (int)vp_automaton_window_below(line->in, draw + 4, 2), 0, draw);
    }
}

void vp_automaton_rule_redwood(const vp_automaton_window *in, vp_automaton_action *out)
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
    else if (way != WOOD_WAITS) /* short branches have a smaller ball */
        end_in_leaves(tree, tree->radius[line.level] - (line.level == TRUNK + 1 && line.generation < 4), out);
}

uint32_t vp_automaton_tree_interval(const vp_automaton_cell_memory *memory, const void *parameters)
{
    const vp_automaton_tree_params *tree = parameters;
    if (memory->generation >= RAW)
        return tree->interval[1];
    return memory->generation == 0 && level_of(memory->resource) == TRUNK ? tree->germination : tree->interval[0];
}

vp_automaton_cell_memory vp_automaton_plant_tree(const vp_automaton_window *in, bool wait)
{
    const vp_automaton_tree_params *tree = in->parameters;
    const uint32_t side = 2 * (uint32_t)tree->lean + 1;
    const int height = tree->height[0] + (int)vp_automaton_window_below(in, 1, (uint32_t)(tree->height[1] - tree->height[0] + 1));
    const int x = (int)vp_automaton_window_below(in, 3, side) - tree->lean, z = (int)vp_automaton_window_below(in, 4, side) - tree->lean;
    const uint32_t tick = wait && tree->germination > 0 ? vp_automaton_window_below(in, 2, tree->germination) : tree->germination;
    return (vp_automaton_cell_memory){(uint16_t)tick, 0, pack_resource(x, height, z, TRUNK)};
}
