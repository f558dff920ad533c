/* SPDX-License-Identifier: MIT */
/* `voxphys scene` queries and measures a sphere tree over a scene.
 * The digest of a kind of question is the XXH3-64, little-endian, of the number of results (u32) and the results: object and
 * triangle (2 u32), for pairs twice that, for rays t (f32), object, triangle, u and v (f32). It does not depend on the tree. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/program.h"
#include "host/system.h"
#include "tools/choices.h"
#include "tools/commands.h"
#include "tools/scene/scene.h"

enum { SHOWN = 10, QUESTIONS = 256, QUESTIONS_MAX = 1000000, PAIRS_UNASKED = 20000, OFFLINE = VP_SPHERETREE_RULE_COUNT };

static const char *const rule_words[] = {[VP_SPHERETREE_SMALLER] = "smaller", [VP_SPHERETREE_LEAST] = "least", [OFFLINE] = "offline"};

typedef struct scene_run {
    const char *name, *out;
    bool two_level;
    bool given; /* whether questions are given */
    int rule;   /* vp_spheretree_rule, or OFFLINE */
    uint32_t count, questions, shown;
    vp_scene scene;
    vp_scene_trees trees;
    uint32_t kinds;
    vp_questions asked[VP_OPTION_MANY];
} scene_run;

/* ---- building ---- */

static vp_status build_offline(scene_run *r, vp_error *error)
{
    for (uint32_t i = 0; !r->two_level && i < r->scene.count; i++)
        if (r->scene.mesh[i] != VP_SPHERETREE_NONE)
            return vp_fail(error, VP_E_ARGUMENT, "--tree offline is for spheres, and object %u is a mesh; --two-level makes it one", i);
    return vp_spheretree_build(r->trees.top, r->scene.object, r->scene.count, error);
}

static vp_status insert_all(scene_run *r, vp_error *error)
{
    const vp_scene *s = &r->scene;
    vp_status status = VP_OK;
    uint32_t id;
    for (uint32_t i = 0; status == VP_OK && i < s->count; i++) {
        const vp_spheretree_object *o = &s->object[i];
        if (s->mesh[i] == VP_SPHERETREE_NONE || r->two_level)
            status = vp_spheretree_insert(r->trees.top, o, &id, error);
        else
            status = vp_spheretree_insert_mesh(r->trees.top, &s->of_mesh[s->mesh[i]], o->data, o->mask, &id, error);
        if (i % 1024 == 0)
            vp_progress("objects", i, s->count);
    }
    vp_progress("", 1, 1);
    return status;
}

static vp_status build_behind(scene_run *r, vp_error *error)
{
    const vp_spheretree_def def = {.rule = r->rule == OFFLINE ? VP_SPHERETREE_SMALLER : (vp_spheretree_rule)r->rule};
    uint32_t id;
    r->trees.of_mesh = calloc((size_t)r->scene.meshes + 1, sizeof(vp_spheretree *));
    if (r->trees.of_mesh == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for trees of meshes");
    for (uint32_t m = 0; m < r->scene.meshes; m++) {
        VP_RETURN_IF_FAILED(vp_spheretree_create(&def, &r->trees.of_mesh[m], error));
        VP_RETURN_IF_FAILED(vp_spheretree_insert_mesh(r->trees.of_mesh[m], &r->scene.of_mesh[m], 0, UINT32_MAX, &id, error));
    }
    return VP_OK;
}

static vp_status build(scene_run *r, vp_error *error)
{
    const vp_spheretree_def def = {.rule = r->rule == OFFLINE ? VP_SPHERETREE_SMALLER : (vp_spheretree_rule)r->rule};
    r->trees.scene = &r->scene;
    const double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_spheretree_create(&def, &r->trees.top, error));
    VP_RETURN_IF_FAILED(r->rule == OFFLINE ? build_offline(r, error) : insert_all(r, error));
    if (r->two_level)
        VP_RETURN_IF_FAILED(build_behind(r, error));
    r->trees.seconds = vp_seconds() - begin;
    return VP_OK;
}

static vp_status work(scene_run *r, vp_error *error)
{
    static const vp_question_kind usual[] = {VP_QUESTION_SPHERE, VP_QUESTION_BOX, VP_QUESTION_TRIANGLE, VP_QUESTION_RAY, VP_QUESTION_PAIRS};
    vp_status status = r->out != NULL ? vp_can_write(r->out, error) : VP_OK;
    if (status == VP_OK)
        status = vp_scene_open(r->name, r->count, r->out, &r->scene, error);
    if (status == VP_OK && r->out != NULL)
        status = vp_scene_write(&r->scene, r->out, error);
    if (status == VP_OK)
        status = build(r, error);
    for (size_t k = 0; !r->given && k < sizeof usual / sizeof usual[0]; k++)
        if (usual[k] != VP_QUESTION_PAIRS || (status == VP_OK && vp_spheretree_stats_of(r->trees.top).leaves <= PAIRS_UNASKED))
            r->asked[r->kinds++] = (vp_questions){.kind = usual[k], .batch = usual[k] != VP_QUESTION_PAIRS, .count = 1};
    for (uint32_t k = 0; status == VP_OK && k < r->kinds; k++) {
        if (r->asked[k].batch)
            status = vp_questions_make(&r->scene, r->questions, &r->asked[k], error);
        if (status == VP_OK)
            status = vp_questions_ask(&r->trees, &r->asked[k], error);
    }
    return status;
}

/* ---- output ---- */

static size_t all_bytes(const scene_run *r)
{
    size_t bytes = vp_spheretree_stats_of(r->trees.top).bytes;
    for (uint32_t m = 0; r->trees.of_mesh != NULL && m < r->scene.meshes; m++)
        bytes += vp_spheretree_stats_of(r->trees.of_mesh[m]).bytes;
    return bytes;
}

static json_t *item_json(const scene_run *r, vp_spheretree_item item)
{
    return json_pack("{s:I, s:I, s:o*}", "object", (json_int_t)item.object, "data", (json_int_t)r->scene.object[item.object].data,
                     "triangle", item.triangle != VP_SPHERETREE_NONE ? json_integer(item.triangle) : NULL);
}

static json_t *answer_json(const scene_run *r, const vp_questions *q)
{
    const vp_scene_answer *a = &q->answer;
    json_t *all = json_array();
    for (uint64_t i = 0; i < a->count && i < r->shown && a->count <= a->room && q->kind != VP_QUESTION_RAY_ANY; i++) {
        json_t *one;
        if (q->kind == VP_QUESTION_PAIRS) {
            one = json_pack("[o, o]", item_json(r, a->pair[i].a), item_json(r, a->pair[i].b));
        } else if (q->kind <= VP_QUESTION_TRIANGLE) {
            one = item_json(r, a->item[i]);
        } else {
            one = item_json(r, a->hit[i].item);
            json_object_set_new(one, "t", json_real((double)a->hit[i].t));
            json_object_set_new(one, "u", json_real((double)a->hit[i].u));
            json_object_set_new(one, "v", json_real((double)a->hit[i].v));
        }
        json_array_append_new(all, one);
    }
    return all;
}

static json_t *questions_json(const scene_run *r)
{
    json_t *all = json_array();
    for (uint32_t k = 0; k < r->kinds; k++) {
        const vp_questions *q = &r->asked[k];
        json_t *o = json_pack("{s:s, s:I, s:I, s:f, s:f, s:f, s:o}", "kind", vp_question_words[q->kind], "count", (json_int_t)q->count,
                              "found", (json_int_t)q->found, "nodes", (double)q->cost.nodes / q->count, "tests",
                              (double)q->cost.tests / q->count, "seconds", q->seconds / q->count, "digest", vp_json_hex(q->digest));
        if (!q->batch && r->given)
            json_object_set_new(o, "answer", answer_json(r, q));
        json_array_append_new(all, o);
    }
    return all;
}

static int print_json(const scene_run *r)
{
    const vp_scene *s = &r->scene;
    const vp_spheretree_stats t = vp_spheretree_stats_of(r->trees.top);
    const size_t bytes = all_bytes(r);
    json_t *scene = json_pack("{s:o, s:o, s:I, s:I, s:I, s:I}", "source", vp_json_name(r->name), "hash_checked",
                              vp_json_checked(s->content), "objects", (json_int_t)s->count, "spheres", (json_int_t)s->spheres, "meshes",
                              (json_int_t)s->meshes, "triangles", (json_int_t)s->triangles);
    json_t *tree = json_pack("{s:s, s:b, s:I, s:I, s:I, s:f, s:I, s:f, s:f}", "rule", rule_words[r->rule], "two_level", (int)r->two_level,
                             "leaves", (json_int_t)t.leaves, "nodes", (json_int_t)t.nodes, "depth", (json_int_t)t.depth, "excess", t.excess,
                             "bytes", (json_int_t)bytes, "bytes_per_object", (double)bytes / s->count, "seconds", r->trees.seconds);
    return vp_print_json(
        json_pack("{s:o, s:o, s:o, s:o}", "scene", scene, "tree", tree, "queries", questions_json(r), "file", vp_json_path(r->out)));
}

static void print_item(const scene_run *r, vp_spheretree_item item)
{
    printf("object %u", item.object);
    if (item.triangle != VP_SPHERETREE_NONE)
        printf(", triangle %u", item.triangle);
    if (r->scene.object[item.object].data != 0)
        printf(" (data %" PRIu64 ")", r->scene.object[item.object].data);
}

static void print_answer(const scene_run *r, const vp_questions *q)
{
    const vp_scene_answer *a = &q->answer;
    if (q->kind == VP_QUESTION_RAY_ANY || a->count > a->room)
        return;
    for (uint64_t i = 0; i < a->count && i < r->shown; i++) {
        fputs("          ", stdout);
        if (q->kind > VP_QUESTION_TRIANGLE && q->kind < VP_QUESTION_PAIRS)
            printf("t %.9g: ", (double)a->hit[i].t);
        print_item(r, q->kind == VP_QUESTION_PAIRS ? a->pair[i].a : q->kind <= VP_QUESTION_TRIANGLE ? a->item[i] : a->hit[i].item);
        if (q->kind == VP_QUESTION_PAIRS) {
            fputs(" and ", stdout);
            print_item(r, a->pair[i].b);
        }
        puts("");
    }
    if (a->count > r->shown)
        printf("          and %" PRIu64 " more; --hits prints more\n", a->count - r->shown);
}

static int print_text(const scene_run *r)
{
    const vp_scene *s = &r->scene;
    const vp_spheretree_stats t = vp_spheretree_stats_of(r->trees.top);
    const size_t bytes = all_bytes(r);
    printf("scene     %s: %u object%s, %u sphere%s and %u mesh%s of %u triangle%s\n", r->name, s->count, vp_plural(s->count), s->spheres,
           vp_plural(s->spheres), s->meshes, s->meshes == 1 ? "" : "es", s->triangles, vp_plural(s->triangles));
    printf("tree      %s%s: %u leaves, %u nodes, depth %u, excess %.3g; %zu bytes, %.1f an object; %.3f ms\n", rule_words[r->rule],
           r->two_level ? ", two levels" : "", t.leaves, t.nodes, t.depth, t.excess, bytes, (double)bytes / s->count,
           r->trees.seconds * 1e3);
    for (uint32_t k = 0; k < r->kinds; k++) {
        const vp_questions *q = &r->asked[k];
        if (q->batch)
            printf("%-9s %u: %" PRIu64 " found; %.1f nodes, %.1f tests, %.3f us each; digest %016" PRIx64 "\n", vp_question_words[q->kind],
                   q->count, q->found, (double)q->cost.nodes / q->count, (double)q->cost.tests / q->count, q->seconds / q->count * 1e6,
                   q->digest);
        else
            printf("%-9s %" PRIu64 " found; %" PRIu64 " nodes, %" PRIu64 " tests, %.3f us; digest %016" PRIx64 "\n",
                   vp_question_words[q->kind], q->found, q->cost.nodes, q->cost.tests, q->seconds * 1e6, q->digest);
        if (!q->batch && r->given)
            print_answer(r, q);
    }
    if (r->out != NULL)
        printf("written   %s\n", r->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

static void drop(scene_run *r)
{
    for (uint32_t m = 0; r->trees.of_mesh != NULL && m < r->scene.meshes; m++)
        vp_spheretree_destroy(r->trees.of_mesh[m]);
    free(r->trees.of_mesh);
    vp_spheretree_destroy(r->trees.top);
    for (uint32_t k = 0; k < r->kinds; k++) {
        free(r->asked[k].question);
        vp_answer_destroy(&r->asked[k].answer);
    }
    vp_scene_destroy(&r->scene);
}

int vp_command_scene(int argc, char **argv)
{
    static scene_run run_of = {.questions = QUESTIONS, .shown = SHOWN, .trees = {.mask = UINT32_MAX}};
    scene_run *const r = &run_of;
    const char *query[VP_OPTION_MANY + 1];
    bool json;
    const vp_argument arguments[] = {
        VP_GROUP("Tree"),
        {"--tree", "RULE",
         "insert into the child with the smaller bound afterwards, or that grows least, or build from all objects: smaller, least, offline (default smaller)",
         VP_WORD(&r->rule, rule_words)},
        {"--two-level", NULL, "make each mesh one leaf, with a tree of its own; pairs are then of bounding spheres",
         VP_FLAG(&r->two_level)},
        {"--count", "N", "number of objects of a data set, 1 to 1048576 (default: that of the manifest)", VP_U32(&r->count, 1, 1 << 20)},
        VP_GROUP("Queries"),
        {"--query", "QUERY...", "a query, up to 64 times (default: a batch each of sphere, box, triangle, ray; pairs up to 20,000 leaves)",
         VP_MANY(query)},
        {"--mask", "BITS", "find only objects that have one of these bits, from 0 (default: all)", VP_U32(&r->trees.mask, 0, UINT32_MAX)},
        {"--questions", "N", "number of queries in a batch, 1 to 1000000 (default 256)", VP_U32(&r->questions, 1, QUESTIONS_MAX)},
        VP_GROUP("Output"),
        {"--hits", "N", "print the first N hits of a single query, from 0 (default 10)", VP_U32(&r->shown, 0, UINT32_MAX)},
        {"-o", "FILE.json", "write the scene, with its meshes and exact numbers", VP_TEXT(&r->out)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("scene", "FILE.json|GENERATOR [OPTION...]", 1, 1, arguments,
                        "Build a sphere tree over a scene, query it, and print its cost.\n"
                        "GENERATOR is a data set of kind scenes, optionally with a number of objects: uniform/1000. Prints nodes visited,\n"
                        "primitive tests, depth, excess volume, bytes and times. The digests of the answers are the same on every machine\n"
                        "and for every tree. A QUERY is one of\n"
                        "  sphere X Y Z RADIUS       box X Y Z X Y Z       triangle X Y Z X Y Z X Y Z\n"
                        "  ray OX OY OZ DX DY DZ [TMAX], ray-any ..., ray-all ...       pairs\n"
                        "A query without numbers is a batch of random queries near the objects of the scene.\n\n"
                        "Example: voxphys scene uniform/1000 --query ray --query pairs");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    r->name = argv[1];
    bool good = true;
    for (; good && query[r->kinds] != NULL; r->kinds++)
        good = vp_question_parse(query[r->kinds], &r->asked[r->kinds]);
    r->given = r->kinds > 0;
    bool batch = !r->given, single = false;
    for (uint32_t k = 0; good && k < r->kinds; k++) {
        batch |= r->asked[k].batch;
        single |= !r->asked[k].batch;
    }
    if (good && !batch && vp_given(&line, "--questions") != NULL)
        good = VP_REFUSE("scene", "--questions is for a batch");
    if (good && !single && vp_given(&line, "--hits") != NULL)
        good = VP_REFUSE("scene", "--hits is for a single --query");
    int code = VP_EXIT_USAGE;
    if (good)
        code = work(r, &error) != VP_OK ? vp_command_fail("scene", &error) : json ? print_json(r) : print_text(r);
    drop(r);
    return code;
}
