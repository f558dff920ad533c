/* SPDX-License-Identifier: MIT */
/* Shared by redwood and oak: the two kinds of wood of "Example Rule: The Redwood Tree" (article "Voxel Seeds").
 *
 * A **kernel** voxel (generation below 1000) is the growing end of a line, the trunk's or a branch's. Its generation is
 * the number of voxels in the line. Its resource is the line's end, relative to the voxel, and the line's level, which
 * is 0 for the trunk. It moves there, one face at a time, in a random direction, "most probable [...] where the
 * difference to the target is largest", and leaves dead wood. It begins branches, "tangential to the chosen direction".
 * "If the growth reaches the target it creates a center voxel for the needles."
 *
 * **Raw wood** (generation above 1000) makes a line thick: "a Generation counter larger than 1000 where the difference
 * to 1000 describes the target width of the trunk/branch. For each kernel voxel the width is determined by the distance
 * to its target. If this width is at least one r voxels are spawned in the neighbourhood. These remember there spawner
 * position in the Resource field and growth further if [...] the stored width [...] is larger than there actual
 * euclidean distance." This is a ball around each voxel of the line, so "twists in the kernel line do not cause holes".
 *
 * Ours are widths in eighths of a cell, levels, and all numbers of vp_automaton_tree_params. A line that is blocked
 * waits, then gives up and ends in leaves. Wood grows through leaves, and lines grow through wood of their own species.
 * Kernels must be faster than raw wood, because raw wood stops at the balls of earlier voxels. */
#ifndef VP_REFERENCE_AUTOMATON_WOOD_H
#define VP_REFERENCE_AUTOMATON_WOOD_H

#include <stdlib.h>

#include <voxphys/automaton.h>

enum { RAW = 1000, FACES = 6, EIGHTHS = 8, LEAF_COST = 4, TRUNK = 0, FLARE_HEIGHT = 8 };

/* Draws of a kernel. Those of branches follow, DRAWS_OF_BRANCH each. */
enum { DRAW_DIRECTION = 0, DRAW_LEADER = 1, DRAW_RAW = 4, DRAW_BRANCH = 20, DRAWS_OF_BRANCH = 8 };

/* Faces are +x -x +y -y +z -z. Face f is on axis f/2, on its low side if f is odd. */
static const int face_place[FACES] = {14, 12, 22, 4, 16, 10};
static const int8_t face_step[FACES][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

/* ---- resources, three signed numbers of 10 bits and the level in 2 bits ---- */

static inline uint32_t pack_resource(int x, int y, int z, int level)
{
    return ((uint32_t)x & 1023) | ((uint32_t)y & 1023) << 10 | ((uint32_t)z & 1023) << 20 | (uint32_t)level << 30;
}

static inline int unpack_resource(uint32_t resource, int axis)
{
    const int field = (int)(resource >> 10 * axis & 1023);
    return field < 512 ? field : field - 1024;
}

static inline int level_of(uint32_t resource)
{
    return (int)(resource >> 30);
}

static inline int find_whole_root(int value)
{
    int root = 0;
    while ((root + 1) * (root + 1) <= value)
        root++;
    return root;
}

/* ---- cells that wood may grow into ---- */

static inline bool is_soft(const vp_automaton_tree_params *tree, const vp_automaton_cell *cell)
{
    return vp_automaton_type_set_has(tree->soft, cell->type);
}

static inline bool is_kernel(const vp_automaton_cell *cell)
{
    return cell->living && cell->memory.generation < RAW;
}

/* Whether a line may grow into a cell. Wood of its own species does not block it, unless it is the end
 * of another line. */
static inline bool is_passable(const vp_automaton_window *in, const vp_automaton_tree_params *tree, const vp_automaton_cell *cell)
{
    return is_soft(tree, cell) || (cell->type == in->type && !is_kernel(cell));
}

static inline bool is_written(const vp_automaton_action *out, int place)
{
    return (out->written >> place & 1u) != 0;
}

static inline vp_automaton_cell make_dead_wood(const vp_automaton_window *in)
{
    return (vp_automaton_cell){.type = in->type};
}

static inline vp_automaton_cell make_living_wood(const vp_automaton_window *in, uint32_t tick, int generation, uint32_t resource)
{
    return (vp_automaton_cell){in->type, true, {(uint16_t)tick, (uint16_t)generation, resource}};
}

/* ---- raw wood ---- */

/* Fills a ball around the spawner: raw wood grows to all free faces that are less than the width away from it. */
static inline void grow_raw(const vp_automaton_window *in, const vp_automaton_tree_params *tree, vp_automaton_action *out)
{
    const vp_automaton_cell_memory *self = &in->cell[VP_WINDOW_CENTRE].memory;
    const int width = self->generation - RAW;
    for (int f = 0; f < FACES; f++) {
        const int x = unpack_resource(self->resource, 0) - face_step[f][0], y = unpack_resource(self->resource, 1) - face_step[f][1],
                  z = unpack_resource(self->resource, 2) - face_step[f][2];
        const int64_t wide = (int64_t)width * width, far = (int64_t)EIGHTHS * EIGHTHS * (x * x + y * y + z * z);
        if (wide <= far || !is_soft(tree, &in->cell[face_place[f]]))
            continue;
        const uint32_t tick = vp_automaton_window_below(in, (uint32_t)f, 3);
        vp_automaton_action_write(out, face_place[f], make_living_wood(in, tick, self->generation, pack_resource(x, y, z, 0)),
                                  VP_RULE_NO_LINK);
    }
    vp_automaton_action_write(out, VP_WINDOW_CENTRE, make_dead_wood(in), VP_RULE_NO_LINK);
}

/* ---- kernels ---- */

/* A kernel that moves. */
typedef struct wood_line {
    const vp_automaton_window *in;
    const vp_automaton_tree_params *tree;
    vp_automaton_action *out;
    int level, generation;
    int target[3]; /* relative to this voxel */
    int distance;  /* to the target, along the axes */
    int face;      /* the direction of its next step */
} wood_line;

/* Width of the line here, in eighths. */
static inline int line_width(const wood_line *line)
{
    const int *t = line->target, eighths = find_whole_root(EIGHTHS * EIGHTHS * (t[0] * t[0] + t[1] * t[1] + t[2] * t[2]));
    int width = line->tree->width[line->level] + eighths * line->tree->taper[line->level] / 64;
    const int low = FLARE_HEIGHT - line->generation;
    if (line->level == TRUNK && low > 0)
        width += line->tree->flare * low * low / 64;
    return width < UINT16_MAX - RAW ? width : UINT16_MAX - RAW;
}

/* Chooses the way to the target. Each axis has its share of the distance as its probability, and a blocked axis is
 * replaced by the next. @return -1 if all are blocked */
static inline int choose_face(const wood_line *line)
{
    const int x = abs(line->target[0]), y = abs(line->target[1]);
    const int draw = (int)vp_automaton_window_below(line->in, DRAW_DIRECTION, (uint32_t)line->distance);
    int axis = draw < x ? 0 : draw < x + y ? 1 : 2;
    for (int i = 0; i < 3; i++, axis = (axis + 1) % 3) {
        const int face = 2 * axis + (line->target[axis] < 0);
        if (line->target[axis] != 0 && is_passable(line->in, line->tree, &line->in->cell[face_place[face]]))
            return face;
    }
    return -1;
}

/* The length of the line so far, in percent of its whole length. */
static inline int line_percent(const wood_line *line)
{
    return line->generation * 100 / (line->generation + line->distance);
}

/* Begins a branch on a face perpendicular to the line, the one in whose direction `target`, relative to this voxel, is
 * furthest. Does nothing if the face is blocked or already written. The branch begins only if the line moves on. */
static inline void begin_branch(const wood_line *line, const int target[3], uint32_t draw)
{
    int face = -1, furthest = 0;
    for (int f = 0; f < FACES; f++) {
        const int ahead = target[f / 2] * (f % 2 == 1 ? -1 : 1);
        if (f / 2 != line->face / 2 && ahead > furthest) {
            furthest = ahead;
            face = f;
        }
    }
    if (face < 0 || is_written(line->out, face_place[face]) || !is_passable(line->in, line->tree, &line->in->cell[face_place[face]]))
        return;
    const int8_t *step = face_step[face];
    const uint32_t resource = pack_resource(target[0] - step[0], target[1] - step[1], target[2] - step[2], line->level + 1);
    const vp_automaton_cell kernel = make_living_wood(line->in, vp_automaton_window_below(line->in, draw, 3), 0, resource);
    vp_automaton_action_write(line->out, face_place[face], kernel, face_place[line->face]);
}

/* Begins a branch of the trunk, in one of 16 directions, with a target `length` aside and `rise` up. */
static inline void begin_around(const wood_line *line, int sixteenth, int length, int rise, uint32_t draw)
{
    static const int8_t cosine[16] = {64, 59, 45, 24, 0, -24, -45, -59, -64, -59, -45, -24, 0, 24, 45, 59}; /* in 1/64 */
    const int x = length * cosine[sixteenth & 15], z = length * cosine[(sixteenth + 12) & 15];              /* the sine */
    const int target[3] = {x >= 0 ? (x + 32) / 64 : -((32 - x) / 64), rise, z >= 0 ? (z + 32) / 64 : -((32 - z) / 64)};
    begin_branch(line, target, draw);
}

/* Begins a branch of a branch, to a random side, seldom straight down. Its target is two thirds of the length ahead,
 * and `rise` higher. */
static inline void begin_aside(const wood_line *line, int length, int rise, uint32_t draw)
{
    const int axis = line->face / 2, side = (axis * 2 + 2 + (int)vp_automaton_window_below(line->in, draw + 2, 4)) % FACES;
    int target[3] = {0, 0, 0};
    if (side == 3 && vp_automaton_window_below(line->in, draw + 3, 100) < 75)
        return;
    length = length < line->distance + 2 ? length : line->distance + 2;
    target[side / 2] = length * (side % 2 == 1 ? -1 : 1);
    target[axis] = length * 2 / 3 * (line->face % 2 == 1 ? -1 : 1);
    target[1] += rise;
    begin_branch(line, target, draw + 6);
}

/* Branches that a line begins here, if any. */
typedef void wood_branches_fn(const wood_line *line);

/* Moves the kernel one voxel ahead, with branches and raw wood next to it, and leaves dead wood here. All writes depend
 * on the kernel's move. */
static inline void move_kernel(const wood_line *line, wood_branches_fn *branches)
{
    const vp_automaton_window *in = line->in;
    const int *t = line->target, ahead = face_place[line->face], width = line_width(line);
    const int8_t *step = face_step[line->face];
    const int generation = line->generation < RAW - 2 ? line->generation + 1 : RAW - 2;
    const uint32_t resource = pack_resource(t[0] - step[0], t[1] - step[1], t[2] - step[2], line->level);
    vp_automaton_action_write(line->out, ahead, make_living_wood(in, 0, generation, resource), VP_RULE_NO_LINK);
    if (line->level < line->tree->top && line_percent(line) >= line->tree->from[line->level])
        branches(line);
    for (int f = 0; width >= EIGHTHS && f < FACES; f++) {
        if (is_written(line->out, face_place[f]) || !is_soft(line->tree, &in->cell[face_place[f]]))
            continue;
        const uint32_t spawner = pack_resource(-face_step[f][0], -face_step[f][1], -face_step[f][2], 0);
        const uint32_t tick = vp_automaton_window_below(in, DRAW_RAW + (uint32_t)f, 3);
        vp_automaton_action_write(line->out, face_place[f], make_living_wood(in, tick, RAW + width, spawner), ahead);
    }
    vp_automaton_action_write(line->out, VP_WINDOW_CENTRE, make_dead_wood(in), ahead);
}

/* Turns the end of a line into leaves. `radius` is at most that of its level. */
static inline void end_in_leaves(const vp_automaton_tree_params *tree, int radius, vp_automaton_action *out)
{
    const int generation = tree->leaf_end - LEAF_COST * radius;
    const vp_automaton_cell_memory memory = {.generation = (uint16_t)(generation > 0 ? generation : 0)};
    vp_automaton_action_write(out, VP_WINDOW_CENTRE, (vp_automaton_cell){tree->leaf, true, memory}, VP_RULE_NO_LINK);
}

/* The next action of a kernel. */
typedef enum wood_way { WOOD_GOES, WOOD_WAITS, WOOD_ARRIVED, WOOD_GAVE_UP } wood_way;

static inline wood_way look_ahead(const vp_automaton_window *in, vp_automaton_action *out, wood_line *line)
{
    const vp_automaton_cell_memory *self = &in->cell[VP_WINDOW_CENTRE].memory;
    *line = (wood_line){.in = in, .tree = in->parameters, .out = out, .level = level_of(self->resource), .generation = self->generation};
    for (int axis = 0; axis < 3; axis++) {
        line->target[axis] = unpack_resource(self->resource, axis);
        line->distance += abs(line->target[axis]);
    }
    if (line->distance == 0)
        return WOOD_ARRIVED;
    line->face = choose_face(line);
    if (line->face >= 0)
        return WOOD_GOES;
    const int patient = line->tree->interval[0] + line->tree->patience;
    return self->tick < (patient < UINT16_MAX ? patient : UINT16_MAX) ? WOOD_WAITS : WOOD_GAVE_UP;
}

#endif
