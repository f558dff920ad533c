/* SPDX-License-Identifier: MIT */
/* The built-in species, which are four rules with parameters. The numbers of redwood and oak were chosen because their
   trees look like trees. */
#include <voxphys/automaton.h>

#define LEAVES(a) (UINT64_C(1) << (a))
#define SOFT                                                                                                                               \
    {                                                                                                                                      \
        {                                                                                                                                  \
            UINT64_C(1) << VP_CELL_EMPTY | LEAVES(VP_AUTOMATON_NEEDLE) | LEAVES(VP_AUTOMATON_LEAF) | LEAVES(VP_AUTOMATON_BLOSSOM), 0       \
        }                                                                                                                                  \
    }
enum { LEAF_END = 64 };

static const vp_automaton_leaf_params needle = {LEAF_END, 3}, leaf = {LEAF_END, 4}, blossom = {LEAF_END, 3};

static const vp_automaton_tree_params redwood = {.leaf = VP_AUTOMATON_NEEDLE,
                                                 .leaf_end = LEAF_END,
                                                 .soft = SOFT,
                                                 .height = {62, 76},
                                                 .lean = 2,
                                                 .germination = 400,
                                                 .interval = {2, 12},
                                                 .patience = 24,
                                                 .width = {5, 3, 2, 2},
                                                 .taper = {3, 5, 0, 0},
                                                 .flare = 10,
                                                 .from = {30, 10, 100, 100},
                                                 .chance = {90, 85, 0, 0},
                                                 .radius = {2, 2, 2, 2},
                                                 .top = 2};

static const vp_automaton_tree_params pine = {.leaf = VP_AUTOMATON_NEEDLE,
                                              .leaf_end = LEAF_END,
                                              .soft = SOFT,
                                              .height = {24, 34},
                                              .lean = 1,
                                              .germination = 200,
                                              .interval = {3, 14},
                                              .patience = 24,
                                              .width = {4, 3, 2, 2},
                                              .taper = {3, 4, 0, 0},
                                              .flare = 4,
                                              .from = {20, 10, 100, 100},
                                              .chance = {90, 70, 0, 0},
                                              .radius = {2, 2, 2, 2},
                                              .top = 2};

static const vp_automaton_tree_params oak = {.leaf = VP_AUTOMATON_LEAF,
                                             .leaf_end = LEAF_END,
                                             .soft = SOFT,
                                             .height = {13, 16},
                                             .lean = 2,
                                             .germination = 400,
                                             .interval = {3, 14},
                                             .patience = 24,
                                             .width = {13, 4, 3, 2},
                                             .taper = {5, 6, 5, 3},
                                             .flare = 14,
                                             .from = {58, 30, 30, 100},
                                             .chance = {100, 55, 40, 0},
                                             .radius = {4, 4, 4, 3},
                                             .top = 3,
                                             .branch = {13, 18}};

static const vp_automaton_tree_params cherry = {.leaf = VP_AUTOMATON_BLOSSOM,
                                                .leaf_end = LEAF_END,
                                                .soft = SOFT,
                                                .height = {6, 8},
                                                .lean = 1,
                                                .germination = 200,
                                                .interval = {3, 14},
                                                .patience = 24,
                                                .width = {8, 3, 2, 2},
                                                .taper = {4, 5, 3, 3},
                                                .flare = 6,
                                                .from = {50, 40, 100, 100},
                                                .chance = {100, 50, 0, 0},
                                                .radius = {3, 3, 3, 3},
                                                .top = 2,
                                                .branch = {6, 9}};

static const vp_automaton_species builtin[] = {
    {.name = "ground", .type = VP_AUTOMATON_GROUND, .revision = 1},
    {.name = "beetle", .type = VP_AUTOMATON_BEETLE, .strength = 30, .revision = 1, .interval = 1, .rule = vp_automaton_rule_beetle},
    {.name = "ant", .type = VP_AUTOMATON_ANT, .strength = 31, .revision = 1, .interval = 3, .rule = vp_automaton_rule_beetle},
    {.name = "firefly", .type = VP_AUTOMATON_FIREFLY, .strength = 30, .revision = 1, .interval = 7, .rule = vp_automaton_rule_beetle},
    {"needle", VP_AUTOMATON_NEEDLE, 10, 1, 2, NULL, vp_automaton_rule_leaf, vp_automaton_plant_leaf, &needle},
    {"leaf", VP_AUTOMATON_LEAF, 20, 1, 2, NULL, vp_automaton_rule_leaf, vp_automaton_plant_leaf, &leaf},
    {"blossom", VP_AUTOMATON_BLOSSOM, 15, 1, 2, NULL, vp_automaton_rule_leaf, vp_automaton_plant_leaf, &blossom},
    {"redwood", VP_AUTOMATON_REDWOOD, 40, 1, 0, vp_automaton_tree_interval, vp_automaton_rule_redwood, vp_automaton_plant_tree, &redwood},
    {"pine", VP_AUTOMATON_PINE, 40, 1, 0, vp_automaton_tree_interval, vp_automaton_rule_redwood, vp_automaton_plant_tree, &pine},
    {"oak", VP_AUTOMATON_OAK, 50, 1, 0, vp_automaton_tree_interval, vp_automaton_rule_oak, vp_automaton_plant_tree, &oak},
    {"cherry", VP_AUTOMATON_CHERRY, 45, 1, 0, vp_automaton_tree_interval, vp_automaton_rule_oak, vp_automaton_plant_tree, &cherry},
};

const vp_automaton_species *vp_automaton_species_builtin(uint32_t *count)
{
    *count = (uint32_t)(sizeof builtin / sizeof builtin[0]);
    return builtin;
}
