/* SPDX-License-Identifier: MIT */
/* The manifest of data sets: invalid manifests and their messages, written here. In the texts of manifests ' stands for ". */
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include "datasets/datasets.h"
#include "datasets/kinds/kind.h"

#include <voxphys/world_file.h>

#include <jansson.h>

/* ---- a folder with a manifest in it ---- */

/* The caller frees it. */
static char *quoted(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    strcpy(copy, text);
    for (char *c = copy; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    return copy;
}

static void put(const char *text)
{
    char *manifest = quoted(text);
    write_file(in_folder("manifest.json"), manifest, strlen(manifest));
    free(manifest);
}

/* Valid sets. Each test changes one member. */
#define SET(name, kind, generator, more)                                                                                                   \
    "{'name': '" name "', 'kind': '" kind "', 'description': 'd', 'licence': 'l', 'generator': '" generator "', 'seed': 1, " more "}"
#define BOX(first, chunks)                                                                                                                 \
    "'first_x': " first ", 'first_y': 0, 'first_z': 0, 'chunks_x': " chunks ", 'chunks_y': " chunks ", 'chunks_z': " chunks "}"
static const char *const sound[] = {
    SET("noise", "world", "random", "'params': {'filled': 0.5, 'water': 0.5}, 'size': [16, 8, 24]"),
    SET("b", "boxes", "boxes", "'params': {'least': 1, 'most': 2.5}, 'count': 10"),
    SET("e", "edits", "edits", "'params': {'box': 4, 'radius': 2}, 'count': 7"),
    SET("air", "world", "random", "'params': {'filled': 0, 'water': 0}, 'size': [8, 8, 8]"),
    SET("checks", "world", "checker", "'params': {'edge': 2}, 'size': [8, 8, 8]"),
    SET("hills", "world", "terrain",
        "'size': [16, 16, 16], 'params': {'base': 8, 'relief': 4, 'wavelength': 20, 'overhang': 2, 'overhang_wavelength': 10,"
        "'cave_wavelength': 10, 'cave_radius': 1, 'cavern_wavelength': 10, 'cavern_level': 0.5, 'water_level': 7,"
        "'cave_water_level': 2, 'snow_level': 15}"),
    SET("pieces", "meshes", "chunk-meshes", "'params': {'surface': 0}, 'world': 'noise', 'count': 6"),
    SET("spoilt", "meshes", "degenerate", "'params': {'surface': 0, 'share': 0.5}, 'world': 'noise', 'count': 6"),
    SET("whole", "meshes", "mesh", "'params': {'surface': 0, " BOX("0", "0") ", 'world': 'noise', 'count': 1"),
    SET("r", "rays", "scattered", "'params': {'near': 1, 'margin': 1, 'least': 2, 'most': 16}, 'count': 64"),
    SET("m", "mesh-boxes", "mesh-boxes", "'params': {'edge': 1, 'near': 1}, 'count': 64"),
    SET("p", "points", "ball", "'count': 100"),
    SET("s", "solids", "solid-l", "'params': {'grain': 250}, 'count': 1"),
    SET("f", "world", "file", "'source': 'world.vpw', 'size': [16, 8, 8]")};
enum { SETS = sizeof sound / sizeof sound[0] };

static json_t *load(const char *text)
{
    char *json = quoted(text);
    json_t *value = json_loads(json, 0, NULL);
    if (value == NULL)
        fail_msg("no JSON: %s", json);
    free(json);
    return value;
}

/* The valid sets with some members of one replaced, or without those that become null. */
static void put_changed(const char *set, const char *members)
{
    char text[600];
    snprintf(text, sizeof text, "{%s}", members);
    json_t *all = load("{'version': 1, 'sets': []}"), *change = load(text), *value;
    const char *key;
    for (int i = 0; i < SETS; i++) {
        json_t *object = load(sound[i]);
        if (strcmp(json_string_value(json_object_get(object, "name")), set) == 0)
            json_object_foreach (change, key, value)
                assert_int_equal(json_is_null(value) ? json_object_del(object, key) : json_object_set(object, key, value), 0);
        assert_int_equal(json_array_append_new(json_object_get(all, "sets"), object), 0);
    }
    assert_int_equal(json_dump_file(all, in_folder("manifest.json"), 0), 0);
    json_decref(change);
    json_decref(all);
}

static vp_manifest *open_manifest(void)
{
    vp_manifest *manifest = NULL;
    assert_ok(vp_manifest_open(folder, &manifest, &error));
    return manifest;
}

/* ---- valid manifests ---- */

TEST(reads_every_member)
{
    /* the description has the byte 0x9b in other characters, and the first character after U+009F: no control characters */
    put_changed("noise", "'on_demand': true, 'hash': '0123456789abcdef', 'description': '\xc3\x9b \xe2\x82\x9b \xc2\xa0'");
    vp_manifest *m = open_manifest();
    const vp_dataset *d = vp_manifest_find(m, "noise"), *b = vp_manifest_find(m, "b");
    uint64_t hash = 0;
    assert_int_equal(vp_manifest_count(m), SETS);
    assert_ptr_equal(d, vp_manifest_entry(m, 0));
    assert_ptr_equal(d->kind, &vp_kind_world);
    assert_string_equal(d->description, "\xc3\x9b \xe2\x82\x9b \xc2\xa0");
    assert_string_equal(d->generator, "random");
    assert_string_equal(d->source, "");
    assert_string_equal(d->licence, "l");
    assert_int_equal(d->seed, 1);
    assert_true(d->size.x == 16 && d->size.y == 8 && d->size.z == 24);
    assert_true(d->on_demand && !b->on_demand);
    assert_string_equal(d->params, "{\"filled\":0.5,\"water\":0.5}");
    assert_ptr_equal(b->kind, &vp_kind_boxes);
    assert_int_equal(b->count, 10);
    assert_null(vp_manifest_find(m, "noisy"));
    assert_null(vp_manifest_find(m, ""));
    assert_true(vp_manifest_hash(m, "noise", &hash) && hash == UINT64_C(0x0123456789abcdef));
    vp_manifest_close(m);
    put_changed("noise", "'licence': null, 'seed': null");
    m = open_manifest();
    assert_string_equal(vp_manifest_find(m, "noise")->licence, "CC0-1.0 (generated)");
    assert_int_equal(vp_manifest_find(m, "noise")->seed, 0);
    vp_manifest_close(m);
    vp_manifest_close(NULL);
}

/* ---- invalid manifests ---- */

/* Values of a member of a set, or whole files if no member is named. The message must contain `named`, by default the member. */
static const struct {
    const char *set, *member, *named, *value[9];
} unsound[] = {
    {"", "", "object", {"[]"}},
    {"", "", "'version'", {"{'sets': []}", "{'version': 2, 'sets': []}", "{'version': '1', 'sets': []}"}},
    {"", "", "'sets'", {"{'version': 1}", "{'version': 1, 'sets': {}}"}},
    {"", "", "'set'", {"{'version': 1, 'sets': [], 'set': 1}"}},
    {"", "", "set number 0", {"{'version': 1, 'sets': [1]}", "{'version': 1, 'sets': [{}]}"}},
    {"b", "name", "'noise'", {"'noise'"}},
    {"noise", "name", "name '", {"''", "'a/b'", "'Big'", "'a..b'", "'.a'", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"}},
    {"noise", "kind", NULL, {"null"}},
    {"noise", "kind", "'boxes'", {"'boxes'"}},
    {"noise", "generator", NULL, {"5"}},
    {"noise", "generator", "'noise'", {"null"}}, /* the one of its name */
    {"noise", "generator", "'magic'", {"'magic'"}},
    {"noise", "description", NULL, {"null"}},
    {"noise", "colour", NULL, {"1"}},
    {"noise", "count", NULL, {"1"}},
    {"noise", "world", NULL, {"'noise'"}},
    {"noise", "hash", NULL, {"1", "'123'", "'0123456789ABCDEF'", "'0123456789abcdef0'", "'0x23456789abcdef'"}},
    {"noise", "source", NULL, {"'a.vpw'"}},
    {"f", "source", NULL, {"''", "'/etc/passwd'", "'a/../../b'"}},
    {"noise", "seed", NULL, {"-1"}},
    {"noise", "params", NULL, {"1"}},
    {"noise", "params", "'filled'", {"{}", "{'filled': 1.5, 'water': 0}", "{'filled': '1', 'water': 0}"}},
    {"checks", "params", "'edge'", {"{'edge': 0}", "{'edge': 1.5}"}},
    {"b", "params", "'least'", {"{'least': 3, 'most': 2}"}},
    {"b", "params", "'most'", {"{'least': 3, 'most': 1e30}"}},
    {"spoilt", "params", "'share'", {"{'surface': 0, 'share': 2}"}},
    {"r", "params", "'most'", {"{'near': 1, 'margin': 1, 'least': 2, 'most': 3}", "{'near': 1, 'margin': 1, 'least': 4, 'most': 2}"}},
    {"noise", "size", NULL, {"8", "[8, 8]", "[8, 8, 8, 8]", "[8, 8, '8']", "[8, 0, 8]", "[8, 9, 8]"}},
    {"noise", "size", NULL, {"[8, 264, 8]", "[-8, 8, 8]", "[4294967304, 8, 8]", "[8, 8, 2056]"}},
    {"e", "count", NULL, {"0", "-1", "1.5", "4294967297"}},
    {"pieces", "world", "which is not a world", {"'moon'", "'pieces'"}},
    {"b", "hashes", "which is not a world", {"{'moon': '0'}", "{'b': '0'}"}},
    {"p", "hashes", "which is not a number of points", {"{'none': '00000000000000ff'}", "{'0': '00000000000000ff'}"}},
    {"p", "hashes", "'50'", {"{'50': 'ff'}", "{'50': 255}"}},
    /* control characters: an escape sequence, a newline, delete, and the one-character form of "escape [" */
    {"noise", "description", "'description' must be without control characters", {"'d\\u001b[31m'", "'two\\nlines'"}},
    {"f", "params", "'params' must be without", {"{'a': {'b': [1, '\\u009b']}}", "{'\\u0085': 1}"}},
};

static void expect_unsound(const char *set, const char *member, const char *named, const char *value)
{
    vp_manifest *m = NULL;
    vp_error error = {VP_OK, ""};
    char text[100], *wanted = quoted(named);
    snprintf(text, sizeof text, "'%s': %s", member, value);
    if (set[0] == '\0')
        put(value);
    else
        put_changed(set, text);
    const vp_status status = vp_manifest_open(folder, &m, &error);
    if (status != VP_E_FORMAT || error.status != VP_E_FORMAT || m != NULL || strstr(error.message, wanted) == NULL)
        fail_msg("%s of %s: status %d: %s", text, set, (int)status, error.message);
    free(wanted);
}

TEST(unsound_manifests_are_refused)
{
    for (size_t i = 0; i < sizeof unsound / sizeof unsound[0]; i++)
        for (const char *const *value = unsound[i].value; *value != NULL; value++) {
            char member[32];
            snprintf(member, sizeof member, "'%s'", unsound[i].member);
            expect_unsound(unsound[i].set, unsound[i].member, unsound[i].named != NULL ? unsound[i].named : member, *value);
        }
}

/* ---- sets by name ---- */

/* Meshes fewer or more than in the manifest, a file of another size or none, worlds with nothing to touch, boxes outside, invalid numbers
 * of rays, wrong hashes. */
TEST(sets_that_cannot_be_are_refused)
{
#define CAMERA "'generator': 'camera', 'params': {'eye': 1, 'aim': 0, 'spread': 1, 'distance': 20, 'width': 4, 'length': 99}"
#define COLD   "'generator': 'cold', 'params': {'margin': 1, 'least': 1, 'most': 1}"
    static const struct {
        const char *set, *change;
        const vp_kind *kind;
        const char *name;
        vp_status status;
        const char *named;
    } of[] = {{"pieces", "'count': 5", &vp_kind_meshes, "pieces", VP_E_FORMAT, "6 meshes, but the manifest says 5"},
              {"pieces", "'world': 'air'", &vp_kind_meshes, "pieces", VP_E_ARGUMENT, "\"air\""},
              {"whole", "'world': 'air'", &vp_kind_meshes, "whole", VP_E_ARGUMENT, "\"air\""},
              {"whole", "'params': {'surface': 0, " BOX("9", "1"), &vp_kind_meshes, "whole", VP_E_ARGUMENT, ""},
              {"whole", "'hash': '00000000feedbeef'", &vp_kind_meshes, "whole", VP_E_FORMAT, "00000000feedbeef"},
              {"r", CAMERA, &vp_kind_rays, "pieces/r", VP_E_ARGUMENT, "64 rays"},
              {"r", CAMERA, &vp_kind_rays, "whole/r", VP_OK, NULL}, /* 8 x 8 */
              {"r", COLD, &vp_kind_rays, "whole/r", VP_E_ARGUMENT, "\"whole/r\""},
              {"r", COLD, &vp_kind_rays, "pieces/r", VP_OK, NULL},
              {"air", "'name': 'air'", &vp_kind_boxes, "air/b", VP_E_ARGUMENT, "\"air/b\""},
              {"air", "'name': 'air'", &vp_kind_edits, "air/e", VP_E_ARGUMENT, "\"air/e\""},
              {"noise", "'hash': '00000000deadbeef'", &vp_kind_world, "noise", VP_E_FORMAT, "but the manifest says 00000000deadbeef"},
              {"b", "'hashes': {'noise': '00000000feedbeef'}", &vp_kind_boxes, "noise/b", VP_E_FORMAT, "00000000feedbeef"},
              {"f", "'size': [16, 8, 8]", &vp_kind_world, "f", VP_OK, NULL},
              {"f", "'size': [16, 8, 16]", &vp_kind_world, "f", VP_E_FORMAT, "is 16 x 8 x 8 voxels, but the manifest says 16 x 8 x 16"},
              {"f", "'source': 'absent.vpw'", &vp_kind_world, "f", VP_E_IO, "absent.vpw"}};
    vp_world *world = NULL;
    assert_ok(vp_world_create(&(vp_world_def){.size = {16, 8, 8}}, &world, &error));
    assert_ok(vp_world_save(world, NULL, in_folder("world.vpw"), &error));
    vp_world_destroy(world);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        vp_store *store = NULL;
        const vp_data *data;
        put_changed(of[i].set, of[i].change);
        vp_manifest *m = open_manifest();
        assert_ok(vp_store_create(m, 1, &store, &error));
        if (of[i].status == VP_OK)
            assert_ok(vp_store_open(store, of[i].kind, of[i].name, &data, &error));
        else
            assert_refused(vp_store_open(store, of[i].kind, of[i].name, &data, &error), of[i].status, of[i].named);
        vp_store_destroy(store);
        vp_manifest_close(m);
    }
}

int main(void)
{
    return test_run_all(begin_in_folder, end_in_folder);
}
