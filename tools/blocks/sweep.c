/* SPDX-License-Identifier: MIT */
/* `voxphys blocks sweep` sweeps boxes through blocks. */
#include <inttypes.h>
#include <jansson.h>

#include "datasets/hash.h"
#include "datasets/random.h"
#include "host/program.h"
#include "tools/blocks/blocks.h"

static const char *const side_names[VP_SIDE_COUNT + 1] = {"-x", "+x", "-y", "+y", "-z", "+z", "none"};
static const char *const end_names[3] = {"passes", "meets", "inside"};

typedef struct sweep_answer {
    vp_block_path path;
    vp_block_hit hit;
    vp_block_move_result moved; /* result of --slide */
} sweep_answer;

typedef struct sweeping {
    vp_block_mover mover;
    bool slide;
    uint32_t count; /* paths of a batch. 0 = the paths are given */
    uint32_t given;
    uint64_t seed;
    float size[3], length;
    vp_block_source_world world;
    vp_block_held held;
    sweep_answer answer[VP_OPTION_MANY];
    uint64_t ends[3], fluids;
    double t_sum, seconds;
    uint64_t digest;
} sweeping;

/* ---- sweeps ---- */

static vp_status sweep(sweeping *s, sweep_answer *a, vp_error *error)
{
    if (!s->slide)
        return vp_block_sweep(&s->held.view, NULL, &a->path, &a->hit, error);
    const vp_vec3 low = a->path.box.min, high = a->path.box.max;
    s->mover.half = vp_vec3_scale(vp_vec3_sub(high, low), 0.5f);
    return vp_block_move(&s->held.view, &s->mover, vp_vec3_add(low, s->mover.half), a->path.move, &a->moved, error);
}

static void hash_answer(const sweeping *s, vp_hasher *h, const sweep_answer *a)
{
    if (s->slide) {
        vp_hash_vec3(h, a->moved.centre);
        const uint32_t words[5] = {a->moved.sides, a->moved.ground, a->moved.fluid, a->moved.stepped, a->moved.inside};
        vp_hash_words(h, words, 5);
        return;
    }
    uint64_t bits[2];
    memcpy(&bits[0], &a->hit.t, 8);
    memcpy(&bits[1], &a->hit.fluid_t, 8);
    const uint32_t words[11] = {(uint32_t)bits[0],
                                (uint32_t)(bits[0] >> 32),
                                (uint32_t)bits[1],
                                (uint32_t)(bits[1] >> 32),
                                (uint32_t)a->hit.block.x,
                                (uint32_t)a->hit.block.y,
                                (uint32_t)a->hit.block.z,
                                a->hit.end,
                                a->hit.side,
                                a->hit.type,
                                a->hit.fluid};
    vp_hash_words(h, words, 11);
}

static void count(sweeping *s, const sweep_answer *a)
{
    if (s->slide) {
        s->ends[a->moved.inside ? VP_BLOCK_INSIDE : a->moved.sides != 0 ? VP_BLOCK_MEETS : VP_BLOCK_PASSES]++;
        s->fluids += a->moved.fluid != 0;
        return;
    }
    s->ends[a->hit.end]++;
    s->fluids += a->hit.fluid != 0;
    s->t_sum += a->hit.t;
}

/* A path between two random places in the world. */
static vp_block_path any_path(const sweeping *s, vp_random *r)
{
    const vp_block_view *v = &s->held.view;
    const float low[3] = {(float)v->low.x * 32, (float)v->low.y * 32, (float)v->low.z * 32},
                size[3] = {(float)v->size.x * 32, (float)v->size.y * 32, (float)v->size.z * 32};
    float at[3], move[3]; /* one draw per statement, because their order is defined */
    for (int a = 0; a < 3; a++)
        at[a] = low[a] + vp_random_unit(r) * size[a];
    for (int a = 0; a < 3; a++)
        move[a] = vp_random_between(r, -1, 1) * s->length;
    return (vp_block_path){{{at[0], at[1], at[2]}, {at[0] + s->size[0], at[1] + s->size[1], at[2] + s->size[2]}},
                           {move[0], move[1], move[2]}};
}

static vp_status work(sweeping *s, vp_error *error)
{
    const uint32_t n = s->count > 0 ? s->count : s->given;
    vp_status status = vp_block_source_hold(&s->world, &s->held, error);
    vp_random r = {s->seed};
    vp_hasher h;
    vp_hash_begin(&h);
    for (uint32_t i = 0; i < n && status == VP_OK; i++) {
        sweep_answer *a = &s->answer[s->count > 0 ? 0 : i];
        if (s->count > 0)
            a->path = any_path(s, &r);
        const double begin = vp_seconds();
        status = sweep(s, a, error);
        s->seconds += vp_seconds() - begin;
        if (status != VP_OK)
            break;
        hash_answer(s, &h, a);
        count(s, a);
        if (i % 4096 == 0)
            vp_progress("sweeps", i, n);
    }
    vp_progress("", 1, 1);
    s->digest = vp_hash_end(&h);
    return status;
}

/* ---- output ---- */

static json_t *answer_json(const sweeping *s, const sweep_answer *a)
{
    if (s->slide) {
        json_t *sides = json_array();
        for (int side = 0; side < VP_SIDE_COUNT; side++)
            if ((a->moved.sides >> side & 1u) != 0)
                json_array_append_new(sides, json_string(side_names[side]));
        return json_pack("{s:o, s:o, s:s, s:s, s:b, s:b}", "centre", vp_json_vec3(a->moved.centre), "sides", sides, "ground",
                         vp_block_type_name(&s->world, a->moved.ground).text, "fluid", vp_block_type_name(&s->world, a->moved.fluid).text,
                         "stepped", (int)a->moved.stepped, "inside", (int)a->moved.inside);
    }
    const vp_block_hit *hit = &a->hit;
    json_t *block =
        hit->end != VP_BLOCK_PASSES ? json_pack("[i, i, i]", (int)hit->block.x, (int)hit->block.y, (int)hit->block.z) : json_null();
    return json_pack("{s:s, s:f, s:o, s:s, s:s, s:s, s:f}", "end", end_names[hit->end], "t", hit->t, "block", block, "type",
                     vp_block_type_name(&s->world, hit->type).text, "side", side_names[hit->side], "fluid",
                     vp_block_type_name(&s->world, hit->fluid).text, "fluid_t", hit->fluid_t);
}

static int print_json(sweeping *s)
{
    const uint32_t n = s->count > 0 ? s->count : s->given;
    json_t *answers = json_array();
    for (uint32_t i = 0; s->count == 0 && i < s->given; i++)
        json_array_append_new(answers, answer_json(s, &s->answer[i]));
    return vp_print_json(json_pack("{s:o, s:b, s:I, s:I, s:I, s:I, s:I, s:o, s:f, s:o, s:o}", "world", vp_blocks_world_json(&s->world),
                                   "slide", (int)s->slide, "count", (json_int_t)n, "passes", (json_int_t)s->ends[0], "meets",
                                   (json_int_t)s->ends[1], "inside", (json_int_t)s->ends[2], "fluids", (json_int_t)s->fluids, "mean_t",
                                   s->slide ? json_null() : json_real(s->t_sum / n), "seconds", s->seconds, "digest",
                                   vp_json_hex(s->digest), "answers", answers));
}

static void print_answer(const sweeping *s, const sweep_answer *a)
{
    const vp_block_hit *hit = &a->hit;
    if (s->slide) {
        printf("moves      to %.9g, %.9g, %.9g", (double)a->moved.centre.x, (double)a->moved.centre.y, (double)a->moved.centre.z);
        for (int side = 0; side < VP_SIDE_COUNT; side++)
            if ((a->moved.sides >> side & 1u) != 0)
                printf(", stopped by a side %s", side_names[side]);
        printf("%s%s; stands on %s", a->moved.stepped ? ", up a step" : "", a->moved.inside ? ", inside blocks" : "",
               vp_block_type_name(&s->world, a->moved.ground).text);
        puts(a->moved.fluid != 0 ? ", in a fluid" : "");
        return;
    }
    if (hit->end == VP_BLOCK_PASSES)
        printf("passes     to the end");
    else
        printf("%-10s t %.9g: %s at (%d, %d, %d), side %s", hit->end == VP_BLOCK_MEETS ? "meets" : "inside", hit->t,
               vp_block_type_name(&s->world, hit->type).text, (int)hit->block.x, (int)hit->block.y, (int)hit->block.z,
               side_names[hit->side]);
    if (hit->fluid != 0)
        printf("; %s from t %.9g on", vp_block_type_name(&s->world, hit->fluid).text, hit->fluid_t);
    puts("");
}

static int print_text(sweeping *s)
{
    const uint32_t n = s->count > 0 ? s->count : s->given;
    vp_blocks_print_world(&s->world);
    for (uint32_t i = 0; s->count == 0 && i < s->given; i++)
        print_answer(s, &s->answer[i]);
    printf("sweeps     %u: %" PRIu64 " pass, %" PRIu64 " meet a block, %" PRIu64 " begin inside; %" PRIu64 " touch a fluid", n, s->ends[0],
           s->ends[1], s->ends[2], s->fluids);
    if (!s->slide)
        printf("; mean t %.4f", s->t_sum / n);
    printf("; %.3f us each; digest %016" PRIx64 "\n", s->seconds / n * 1e6, s->digest);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

/* Checks combinations of options. */
static bool check(const vp_command_line *line, const char *const path[], sweeping *s)
{
    const bool random = s->count > 0;
    for (; path[s->given] != NULL; s->given++) {
        float n[9];
        if (!vp_parse_float_list(line->command, "--path", "X,Y,Z,X,Y,Z,X,Y,Z", path[s->given], n, 9))
            return false;
        s->answer[s->given].path = (vp_block_path){{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}}, {n[6], n[7], n[8]}};
    }
    if (random == (s->given > 0))
        return VP_REFUSE(line->command,
                         random ? "--random and --path exclude each other" : "--path X,Y,Z,X,Y,Z,X,Y,Z or --random N is missing");
    static const struct {
        const char *option, *of;
    } parts[] = {{"--step", "--slide"}, {"--up", "--slide"}, {"--seed", "--random"}, {"--size", "--random"}, {"--length", "--random"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (vp_given(line, parts[i].option) != NULL && vp_given(line, parts[i].of) == NULL)
            return VP_REFUSE(line->command, "%s is for %s", parts[i].option, parts[i].of);
    return true;
}

int vp_blocks_sweep_command(int argc, char **argv)
{
    static const char command[] = "blocks sweep";
    static sweeping run_of = {.seed = 1, .length = 8, .size = {0.6f, 1.8f, 0.6f}, .mover = {.up = VP_SIDE_Y_HIGH}};
    sweeping *const s = &run_of;
    const char *path[VP_OPTION_MANY + 1];
    bool json;
    const vp_argument arguments[] = {
        VP_GROUP("Boxes"),
        {"--path", "PATH...", "minimum and maximum corner of a box, and its motion: X,Y,Z,X,Y,Z,X,Y,Z; up to 64 times", VP_MANY(path)},
        {"--random", "N", "move N boxes at random places in the world's chunks instead, 1 to 1073741824", VP_U32(&s->count, 1, 1u << 30)},
        {"--seed", "N", "with --random: seed, from 0 (default 1)", VP_U64(&s->seed, 0, UINT64_MAX)},
        {"--size", "X,Y,Z", "with --random: size of the boxes (default 0.6,1.8,0.6)", VP_FLOATS(s->size, 3)},
        {"--length", "L", "with --random: maximum motion along each axis, 0 to 2^40 (default 8)", VP_WITHIN(&s->length, 0, VP_BLOCK_FAR)},
        VP_GROUP("Motion"),
        {"--slide", NULL, "move like a player: slide on along the sides of the blocks hit", VP_FLAG(&s->slide)},
        {"--step", "H", "with --slide: maximum height of a step, from 0 (default 0)", VP_FLOAT(&s->mover.step)},
        {"--up", "SIDE", "with --slide: up direction: -x, +x, -y, +y, -z, +z (default +y)",
         VP_WORD_OF(&s->mover.up, side_names, VP_SIDE_COUNT)},
        VP_GROUP("Output"),
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        command, "WORLD --path PATH|--random N [OPTION...]", 1, 1, arguments,
        "Move boxes through blocks, and print the first block that each hits.\n"
        "Prints the time of the hit, from 0 to 1, the side of the block, and the fluids that the box passes. The digest\n"
        "of all answers is the same on every machine.\n" VP_BLOCK_SOURCE_HELP "\n\nExample: voxphys blocks sweep planet --random 1000");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (!check(&line, path, s))
        return VP_EXIT_USAGE;
    vp_status status = vp_block_source_open(command, argv[1], &s->world, &error);
    if (status == VP_OK)
        status = work(s, &error);
    int code = status != VP_OK ? vp_command_fail(command, &error) : json ? print_json(s) : print_text(s);
    if (s->world.blocks != NULL)
        vp_blocks_release_box(s->world.blocks, &s->held);
    vp_block_source_close(&s->world);
    return code;
}
