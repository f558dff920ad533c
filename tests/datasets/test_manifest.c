/* SPDX-License-Identifier: MIT */
/* The manifest of data sets: what it must refuse and what it must say, on manifests written here; and that every set
   of the project's own manifest has a hash to be checked against. */
#include "tests/support/check.h"
#include "tests/support/sets.h"

#include "datasets/mesh_sets.h"

#include <voxphys/world_file.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder with a manifest in it ---- */

typedef struct folder {
    char path[64], manifest[96], world[96];
} folder;

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static folder make_folder(const char *manifest)
{
    folder f;
    snprintf(f.path, sizeof f.path, "/tmp/voxphys-test-XXXXXX");
    assert_non_null(mkdtemp(f.path));
    snprintf(f.manifest, sizeof f.manifest, "%s/manifest.json", f.path);
    snprintf(f.world, sizeof f.world, "%s/world.vpw", f.path);
    put_file(f.manifest, manifest);
    return f;
}

static void remove_folder(const folder *f)
{
    unlink(f->manifest);
    unlink(f->world);
    assert_int_equal(rmdir(f->path), 0);
}

#define HEAD "{\"version\": 1, \"sets\": ["
#define TAIL "]}"
/* Sound sets, to be changed in one place each. */
#define NOISE(more)                                                                                                                        \
    "{\"name\": \"noise\", \"kind\": \"world\", \"description\": \"d\", \"generator\": \"random\", \"params\": "                           \
    "{\"filled\": 0.5, \"water\": 0.5}, \"seed\": 1, \"size\": [16, 8, 24], \"licence\": \"l\"" more "}"
#define BOXES(params, more)                                                                                                                \
    "{\"name\": \"b\", \"kind\": \"boxes\", \"description\": \"d\", \"generator\": \"boxes\", \"params\": " params                         \
    ", \"seed\": 1, \"count\": 10, \"licence\": \"l\"" more "}"
#define EDITS(count)                                                                                                                       \
    "{\"name\": \"e\", \"kind\": \"edits\", \"description\": \"d\", \"generator\": \"edits\", \"params\": "                                \
    "{\"box\": 4, \"radius\": 2}, \"seed\": 1, \"count\": " count ", \"licence\": \"l\"}"
#define MESHES(name, generator, params, world, count, more)                                                                                \
    "{\"name\": \"" name "\", \"kind\": \"meshes\", \"description\": \"d\", \"generator\": \"" generator "\", \"params\": " params         \
    ", \"world\": \"" world "\", \"seed\": 1, \"count\": " count ", \"licence\": \"l\"" more "}"
#define WHOLE "{\"surface\": 0, \"first_x\": 0, \"first_y\": 0, \"first_z\": 0, \"chunks_x\": 0, \"chunks_y\": 0, \"chunks_z\": 0}"
#define OF_MESHES(name, kind, generator, params, more)                                                                                     \
    "{\"name\": \"" name "\", \"kind\": \"" kind "\", \"description\": \"d\", \"generator\": \"" generator "\", \"params\": " params       \
    ", \"seed\": 1, \"count\": 64, \"licence\": \"l\"" more "}"
#define FAR                    "{\"surface\": 0, \"first_x\": 9, \"first_y\": 0, \"first_z\": 0, \"chunks_x\": 1, \"chunks_y\": 1, \"chunks_z\": 1}"
#define PIECES                 "{\"surface\": 0}"
#define SCATTERED(least, most) "{\"near\": 1, \"margin\": 1, \"least\": " least ", \"most\": " most "}"
#define WORLD(generator, params, size, more)                                                                                               \
    "{\"name\": \"w\", \"kind\": \"world\", \"description\": \"d\", \"generator\": \"" generator "\", \"params\": " params                 \
    ", \"seed\": 1, \"size\": " size ", \"licence\": \"l\"" more "}"
#define FILE_SET(source, size, more)                                                                                                       \
    "{\"name\": \"f\", \"kind\": \"world\", \"description\": \"d\", \"generator\": \"file\", \"source\": \"" source "\", \"size\": " size  \
    ", \"licence\": \"l\"" more "}"
#define TEXTS(description, licence)                                                                                                        \
    "{\"name\": \"t\", \"kind\": \"world\", \"description\": \"" description "\", \"generator\": \"random\", \"params\": " HALF            \
    ", \"seed\": 1, \"size\": [8, 8, 8], \"licence\": \"" licence "\"}"
#define POINTS(more)                                                                                                                       \
    "{\"name\": \"p\", \"kind\": \"points\", \"description\": \"d\", \"generator\": \"ball\", \"seed\": 1, \"count\": 100, "               \
    "\"licence\": \"l\"" more "}"
#define HALF "{\"filled\": 0.5, \"water\": 0.5}"

static vp_manifest *open_text(const char *text)
{
    folder f = make_folder(text);
    vp_manifest *manifest = NULL;
    assert_ok(vp_manifest_open(f.path, &manifest, &error));
    remove_folder(&f);
    return manifest;
}

/* ---- sound ones ---- */

static void reads_every_member(void **state)
{
    (void)state;
    vp_manifest *m = open_text(HEAD NOISE(", \"on_demand\": true, \"hash\": \"0123456789abcdef\"") "," BOXES(
        "{\"least\": 1, \"most\": 2.5}", ", \"hashes\": {\"noise\": \"00000000000000ff\"}") "," EDITS("7") TAIL);
    assert_int_equal(vp_manifest_count(m), 3);
    const vp_dataset *d = vp_manifest_find(m, "noise");
    assert_non_null(d);
    assert_ptr_equal(d, vp_manifest_entry(m, 0));
    assert_ptr_equal(d->kind, &vp_kind_world);
    assert_string_equal(d->description, "d");
    assert_string_equal(d->generator, "random");
    assert_string_equal(d->source, "");
    assert_string_equal(d->licence, "l");
    assert_int_equal(d->seed, 1);
    assert_int_equal(d->size.x, 16);
    assert_int_equal(d->size.y, 8);
    assert_int_equal(d->size.z, 24);
    assert_true(d->on_demand);
    assert_non_null(strstr(d->params, "\"filled\""));
    assert_int_equal(vp_manifest_find(m, "b")->count, 10);
    assert_ptr_equal(vp_manifest_find(m, "b")->kind, &vp_kind_boxes);
    assert_false(vp_manifest_find(m, "b")->on_demand);
    assert_int_equal(vp_manifest_find(m, "e")->count, 7);
    assert_ptr_equal(vp_manifest_find(m, "e")->kind, &vp_kind_edits);
    assert_null(vp_manifest_find(m, "noisy"));
    assert_null(vp_manifest_find(m, ""));

    uint64_t hash = 0;
    assert_true(vp_manifest_hash(m, "noise", &hash));
    assert_true(hash == UINT64_C(0x0123456789abcdef));
    assert_true(vp_manifest_hash(m, "noise/b", &hash));
    assert_true(hash == 255);
    hash = 5;
    assert_false(vp_manifest_hash(m, "noise/e", &hash));
    assert_false(vp_manifest_hash(m, "b", &hash));
    assert_false(vp_manifest_hash(m, "other/b", &hash));
    assert_false(vp_manifest_hash(m, "/", &hash));
    assert_true(hash == 5);
    vp_manifest_close(m);
}

/* Sets of points have a hash for each number of points that is asked for by name, and one for the number that they say. */
static void reads_hashes_by_number(void **state)
{
    (void)state;
    vp_manifest *m = open_text(HEAD POINTS(", \"hash\": \"0000000000000001\", \"hashes\": {\"50\": \"0000000000000002\", "
                                           "\"70\": \"0000000000000003\"}") TAIL);
    uint64_t hash = 0;
    assert_ptr_equal(vp_manifest_find(m, "p")->kind, &vp_kind_points);
    assert_true(vp_manifest_hash(m, "p", &hash) && hash == 1);
    assert_true(vp_manifest_hash(m, "p/50", &hash) && hash == 2);
    assert_true(vp_manifest_hash(m, "p/70", &hash) && hash == 3);
    assert_false(vp_manifest_hash(m, "p/60", &hash));
    assert_false(vp_manifest_hash(m, "q/50", &hash));
    vp_manifest_close(m);
}

static void every_set_of_the_project_has_a_hash(void **state)
{
    (void)state;
    vp_manifest *m = NULL;
    assert_ok(vp_manifest_open(NULL, &m, &error));
    size_t worlds = 0, meshes = 0, others = 0;
    for (size_t w = 0; w < vp_manifest_count(m); w++) {
        const vp_dataset *owner = vp_manifest_entry(m, w);
        uint64_t hash;
        if (owner->kind != &vp_kind_world && owner->kind != &vp_kind_meshes) {
            others++;
            continue;
        }
        worlds += owner->kind == &vp_kind_world;
        meshes += owner->kind == &vp_kind_meshes;
        if (!vp_manifest_hash(m, owner->name, &hash))
            fail_msg("%s has no hash", owner->name);
        for (size_t s = 0; s < vp_manifest_count(m); s++) {
            const vp_dataset *set = vp_manifest_entry(m, s);
            const bool of_world = set->kind == &vp_kind_boxes || set->kind == &vp_kind_edits;
            const bool of_meshes = set->kind == &vp_kind_rays || set->kind == &vp_kind_mesh_boxes;
            /* one mesh has no other chunk for each ray */
            const bool refused = strcmp(set->name, "cold") == 0 && strncmp(owner->name, "world-", 6) == 0;
            const bool wanted = owner->kind == &vp_kind_world ? of_world : of_meshes && !refused;
            char name[160];
            snprintf(name, sizeof name, "%s/%s", owner->name, set->name);
            if (wanted != vp_manifest_hash(m, name, &hash))
                fail_msg("%s has %s hash", name, wanted ? "no" : "a");
        }
    }
    assert_true(worlds >= 12);
    assert_true(meshes >= 5);
    assert_true(others >= 11);
    static const char *const names[] = {"terrain-l2",  "terrain-l3",   "terrain-dram", "sparse",     "dense",
                                        "checker",     "random-10",    "random-50",    "random-90",  "all-mixed",
                                        "boxes-small", "boxes-medium", "boxes-large",  "edits-mixed"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (vp_manifest_find(m, names[i]) == NULL)
            fail_msg("%s is missing", names[i]);
    vp_manifest_close(m);
}

static void the_environment_names_the_folder(void **state)
{
    (void)state;
    folder f = make_folder(HEAD NOISE("") TAIL);
    vp_manifest *m = NULL;
    assert_int_equal(setenv("VOXPHYS_DATA", f.path, 1), 0);
    assert_ok(vp_manifest_open(NULL, &m, &error));
    assert_int_equal(vp_manifest_count(m), 1);
    vp_manifest_close(m);
    assert_int_equal(setenv("VOXPHYS_DATA", "/nowhere/at/all", 1), 0);
    assert_refused(vp_manifest_open(NULL, &m, &error), VP_E_IO, "/nowhere/at/all");
    assert_int_equal(unsetenv("VOXPHYS_DATA"), 0);
    remove_folder(&f);
    vp_manifest_close(NULL);
}

/* ---- unsound ones ---- */

static const struct {
    const char *text;
    const char *named; /* what the message must hold */
} unsound[] = {
    {"", "line"},
    {"{", "line 1"},
    {"[]", "object"},
    {"{\"version\": 1, \"version\": 1, \"sets\": []}", "duplicate"},
    {"{\"sets\": []}", "\"version\""},
    {"{\"version\": 2, \"sets\": []}", "\"version\""},
    {"{\"version\": \"1\", \"sets\": []}", "\"version\""},
    {"{\"version\": 1}", "\"sets\""},
    {"{\"version\": 1, \"sets\": {}}", "\"sets\""},
    {"{\"version\": 1, \"sets\": [], \"set\": 1}", "\"set\""},
    {HEAD "1" TAIL, "set number 0"},
    {HEAD "{}" TAIL, "\"name\""},
    {HEAD NOISE("") ", {}" TAIL, "set number 1"},
    {HEAD "{\"name\": 5}" TAIL, "\"name\""},
    {HEAD "{\"name\": \"\"}" TAIL, "name \"\""},
    {HEAD "{\"name\": \"a/b\"}" TAIL, "a/b"},
    {HEAD "{\"name\": \"Big\"}" TAIL, "Big"},
    {HEAD "{\"name\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}" TAIL, "aaaaaaaa"},
    {HEAD "{\"name\": \"x\"}" TAIL, "\"kind\""},
    {HEAD "{\"name\": \"x\", \"kind\": \"world\"}" TAIL, "\"generator\""},
    {HEAD "{\"name\": \"x\", \"kind\": \"world\", \"generator\": \"magic\"}" TAIL, "\"magic\""},
    {HEAD "{\"name\": \"x\", \"kind\": \"boxes\", \"generator\": \"terrain\"}" TAIL, "\"boxes\""},
    {HEAD "{\"name\": \"x\", \"kind\": \"world\", \"generator\": \"terrain\"}" TAIL, "\"description\""},
    {HEAD NOISE(", \"colour\": 1") TAIL, "\"colour\""},
    {HEAD NOISE(", \"on_demand\": 1") TAIL, "\"on_demand\""},
    {HEAD NOISE(", \"count\": 1") TAIL, "\"count\""},
    {HEAD NOISE(", \"hash\": 1") TAIL, "\"hash\""},
    {HEAD NOISE(", \"hash\": \"123\"") TAIL, "\"hash\""},
    {HEAD NOISE(", \"hash\": \"0123456789ABCDEF\"") TAIL, "\"hash\""},
    {HEAD NOISE(", \"hash\": \"0123456789abcdef0\"") TAIL, "\"hash\""},
    {HEAD NOISE(", \"hash\": \"0x23456789abcdef\"") TAIL, "\"hash\""},
    {HEAD NOISE(", \"source\": \"a.vpw\"") TAIL, "\"source\""},
    {HEAD NOISE("") "," NOISE("") TAIL, "\"noise\""},
    {HEAD WORLD("random", "1", "[8, 8, 8]", "") TAIL, "\"params\""},
    {HEAD WORLD("random", "{}", "[8, 8, 8]", "") TAIL, "\"filled\""},
    {HEAD WORLD("random", "{\"filled\": 1.5, \"water\": 0}", "[8, 8, 8]", "") TAIL, "\"filled\""},
    {HEAD WORLD("random", "{\"filled\": \"1\", \"water\": 0}", "[8, 8, 8]", "") TAIL, "\"filled\""},
    {HEAD WORLD("random", "{\"filled\": 1, \"water\": -0.1}", "[8, 8, 8]", "") TAIL, "\"water\""},
    {HEAD WORLD("random", "{\"filled\": 1, \"water\": 0, \"milk\": 0}", "[8, 8, 8]", "") TAIL, "\"milk\""},
    {HEAD WORLD("checker", "{\"edge\": 0}", "[8, 8, 8]", "") TAIL, "\"edge\""},
    {HEAD WORLD("checker", "{\"edge\": 1.5}", "[8, 8, 8]", "") TAIL, "\"edge\""},
    {HEAD WORLD("terrain", HALF, "[8, 8, 8]", "") TAIL, "\"base\""},
    {HEAD WORLD("random", HALF, "8", "") TAIL, "\"size\""},
    {HEAD WORLD("random", HALF, "[8, 8]", "") TAIL, "\"size\""},
    {HEAD WORLD("random", HALF, "[8, 8, 8, 8]", "") TAIL, "\"size\""},
    {HEAD WORLD("random", HALF, "[8, 8, \"8\"]", "") TAIL, "\"size\""},
    {HEAD WORLD("random", HALF, "[8, 0, 8]", "") TAIL, "\"size\""},
    {HEAD WORLD("random", HALF, "[8, 9, 8]", "") TAIL, "\"size\""},
    {HEAD WORLD("random", HALF, "[8, 264, 8]", "") TAIL, "\"size\""},
    {HEAD WORLD("random", HALF, "[-8, 8, 8]", "") TAIL, "\"size\""},
    {HEAD FILE_SET("a", "[8, 8, 8]", ", \"seed\": -1") TAIL, "\"seed\""},
    {HEAD WORLD("random", HALF, "[4294967304, 8, 8]", "") TAIL, "\"size\""},
    {HEAD WORLD("random", HALF, "[8, 8, 2056]", "") TAIL, "\"size\""},
    {HEAD NOISE("") "," BOXES("{\"least\": 3, \"most\": 2}", "") TAIL, "\"least\""},
    {HEAD NOISE("") "," BOXES("{\"least\": 3, \"most\": 1e30}", "") TAIL, "\"most\""},
    {HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", ", \"hashes\": 1") TAIL, "\"hashes\""},
    {HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", ", \"hashes\": {\"moon\": \"0\"}") TAIL, "\"moon\""},
    {HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", ", \"hashes\": {\"b\": \"0\"}") TAIL, "\"b\""},
    {HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", ", \"hashes\": {\"noise\": \"0\"}") TAIL, "\"noise\""},
    {HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", ", \"size\": [8, 8, 8]") TAIL, "\"size\""},
    {HEAD POINTS(", \"hashes\": {\"none\": \"00000000000000ff\"}") TAIL, "\"none\", which is no number of points"},
    {HEAD POINTS(", \"hashes\": {\"0\": \"00000000000000ff\"}") TAIL, "\"0\", which is no number of points"},
    {HEAD POINTS(", \"hashes\": {\"-5\": \"00000000000000ff\"}") TAIL, "\"-5\", which is no number of points"},
    {HEAD POINTS(", \"hashes\": {\"1e9\": \"00000000000000ff\"}") TAIL, "\"1e9\", which is no number of points"},
    {HEAD POINTS(", \"hashes\": {\"50\": \"ff\"}") TAIL, "\"50\""},
    {HEAD POINTS(", \"hashes\": {\"50\": 255}") TAIL, "\"50\""},
    {HEAD POINTS(", \"hashes\": [\"00000000000000ff\"]") TAIL, "or number of points"},
    {HEAD NOISE("") "," MESHES("p", "chunk-meshes", "{\"surface\": 0.5}", "noise", "6", "") TAIL, "\"surface\""},
    {HEAD NOISE("") "," MESHES("p", "chunk-meshes", "{\"surface\": 2}", "noise", "6", "") TAIL, "\"surface\""},
    {HEAD NOISE("") "," MESHES("p", "degenerate", "{\"surface\": 0, \"share\": 2}", "noise", "6", "") TAIL, "\"share\""},
    {HEAD NOISE("") "," MESHES("p", "chunk-meshes", PIECES, "moon", "6", "") TAIL, "\"moon\""},
    {HEAD NOISE("") "," MESHES("p", "chunk-meshes", PIECES, "p", "6", "") TAIL, "\"p\""},
    {HEAD NOISE("") "," MESHES("p", "chunk-meshes", PIECES, "noise", "0", "") TAIL, "\"count\""},
    {HEAD NOISE("") "," MESHES("p", "chunk-meshes", PIECES, "noise", "6", ", \"hash\": \"0\"") TAIL, "\"hash\""},
    {HEAD NOISE("") "," MESHES("p", "chunk-meshes", PIECES, "noise", "6", ", \"hashes\": {}") TAIL, "\"hashes\""},
    {HEAD NOISE(", \"world\": \"noise\"") TAIL, "\"world\""},
    {HEAD OF_MESHES("r", "rays", "scattered", SCATTERED("2", "3"), "") TAIL, "\"most\""},
    {HEAD OF_MESHES("r", "rays", "scattered", SCATTERED("4", "2"), "") TAIL, "\"most\""},
    {HEAD OF_MESHES("r", "rays", "mesh-boxes", "{}", "") TAIL, "\"mesh-boxes\""},
    {HEAD OF_MESHES("a..b", "rays", "scattered", SCATTERED("2", "4"), "") TAIL, "a..b"},
    {HEAD OF_MESHES(".a", "rays", "scattered", SCATTERED("2", "4"), "") TAIL, "\".a\""},
    {HEAD NOISE("") "," OF_MESHES("r", "rays", "scattered", SCATTERED("2", "4"), ", \"hashes\": {\"noise\": \"0\"}") TAIL,
     "\"noise\", which is no set of meshes"},
    {HEAD EDITS("0") TAIL, "\"count\""},
    {HEAD EDITS("-1") TAIL, "\"count\""},
    {HEAD EDITS("1.5") TAIL, "\"count\""},
    {HEAD EDITS("4294967297") TAIL, "\"count\""},
    {HEAD FILE_SET("", "[8, 8, 8]", "") TAIL, "\"source\""},
    {HEAD FILE_SET("/etc/passwd", "[8, 8, 8]", "") TAIL, "\"source\""},
    {HEAD FILE_SET("a/../../b", "[8, 8, 8]", "") TAIL, "\"source\""},
    /* control characters: an escape sequence, a line's end, delete, and the one-character form of "escape [" */
    {HEAD FILE_SET("a\\u001b[2J.vpw", "[8, 8, 8]", "") TAIL, "\"source\" must be without control characters"},
    {HEAD TEXTS("d\\u001b[31m", "l") TAIL, "\"description\" must be without control characters"},
    {HEAD TEXTS("two\\nlines", "l") TAIL, "\"description\" must be without control characters"},
    {HEAD TEXTS("d", "\\u007f") TAIL, "\"licence\" must be without control characters"},
    {HEAD TEXTS("d", "\xc2\x9b"
                     "2J") TAIL,
     "\"licence\" must be without control characters"},
    {HEAD FILE_SET("a.vpw", "[8, 8, 8]", ", \"params\": {\"a\": {\"b\": [1, \"\\u009b\"]}}") TAIL, "\"params\" must be without"},
    {HEAD FILE_SET("a.vpw", "[8, 8, 8]", ", \"params\": {\"\\u0085\": 1}") TAIL, "\"params\" must be without"},
    {HEAD FILE_SET("a", "[8, 8, 8]", ", \"params\": 3") TAIL, "\"params\""},
};

static void unsound_manifests_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof unsound / sizeof unsound[0]; i++) {
        folder f = make_folder(unsound[i].text);
        vp_manifest *m = NULL;
        vp_error error = {VP_OK, ""};
        vp_status status = vp_manifest_open(f.path, &m, &error);
        remove_folder(&f);
        if (status != VP_E_FORMAT || error.status != VP_E_FORMAT || m != NULL)
            fail_msg("manifest %zu, %s: status %d, not VP_E_FORMAT", i, unsound[i].text, (int)status);
        if (strstr(error.message, unsound[i].named) == NULL)
            fail_msg("manifest %zu, %s: the message \"%s\" does not name %s", i, unsound[i].text, error.message, unsound[i].named);
    }
}

/* What only looks like a control character: the byte 0x9b in other characters, and the first one behind U+009F. */
static void other_characters_are_not_refused(void **state)
{
    (void)state;
    vp_manifest *m = open_text(HEAD TEXTS("\xc3\x9b \xe2\x82\x9b \xc2\xa0", "\\u00a9 ~") TAIL);
    assert_string_equal(vp_manifest_find(m, "t")->description, "\xc3\x9b \xe2\x82\x9b \xc2\xa0");
    assert_string_equal(vp_manifest_find(m, "t")->licence, "\xc2\xa9 ~");
    vp_manifest_close(m);
}

/* Nesting must not overflow the stack. */
static void deep_nesting_is_refused(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    char *text = malloc(DEPTH + 1);
    assert_non_null(text);
    memset(text, '[', DEPTH);
    text[DEPTH] = '\0';
    folder f = make_folder(text);
    vp_manifest *m = NULL;
    assert_refused(vp_manifest_open(f.path, &m, &error), VP_E_FORMAT, "manifest.json");
    remove_folder(&f);
    free(text);
}

/* ---- sets by name ---- */

static void unknown_names_are_named(void **state)
{
    (void)state;
    vp_manifest *m = open_text(HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", "") "," EDITS("3") TAIL);
    vp_world *world = NULL, *none = NULL;
    vp_box_set boxes;
    vp_edit_set edits;
    assert_ok(take_world(m, "noise", &world, &error));
    assert_refused(take_world(m, "nose", &none, &error), VP_E_ARGUMENT, "\"nose\"");
    assert_refused(take_world(m, "", &none, &error), VP_E_ARGUMENT, "\"\"");
    assert_refused(take_world(m, "b", &none, &error), VP_E_ARGUMENT, "\"b\"");
    assert_refused(take_world(m, "noise/b", &none, &error), VP_E_ARGUMENT, "\"noise/b\"");
    assert_refused(TAKE(boxes, m, "b", world, &boxes, &error), VP_E_ARGUMENT, "WORLD/b");
    assert_refused(TAKE(boxes, m, "nose/b", world, &boxes, &error), VP_E_ARGUMENT, "\"nose\"");
    assert_refused(TAKE(boxes, m, "e/b", world, &boxes, &error), VP_E_ARGUMENT, "\"e\"");
    assert_refused(TAKE(boxes, m, "noise/c", world, &boxes, &error), VP_E_ARGUMENT, "\"c\"");
    assert_refused(TAKE(boxes, m, "noise/e", world, &boxes, &error), VP_E_ARGUMENT, "\"e\"");
    assert_refused(TAKE(edits, m, "noise/b", world, &edits, &error), VP_E_ARGUMENT, "\"b\"");
    assert_refused(TAKE(edits, m, "e", world, &edits, &error), VP_E_ARGUMENT, "WORLD/e");
    assert_null(none);
    vp_world_destroy(world);
    vp_manifest_close(m);
}

/* Boxes and edits go where there is something to touch; in a world of air there is nothing. */
/* More or fewer meshes than the manifest says, worlds without a surface, boxes outside, rays that are no views. */
static void meshes_that_cannot_be(void **state)
{
    (void)state;
    folder f = make_folder(HEAD NOISE(
        "") ",{\"name\": \"air\", \"kind\": \"world\", \"description\": \"d\", "
            "\"generator\": \"random\", \"params\": {\"filled\": 0, \"water\": 0}, \"seed\": 1, \"size\": "
            "[8, 8, 8], \"licence\": \"l\"}"
            "," MESHES("five", "chunk-meshes", PIECES, "noise", "5", "") "," MESHES("none", "chunk-meshes", PIECES, "air", "1", "") "," MESHES(
                "nothing", "mesh",
                WHOLE, "air", "1",
                "") "," MESHES("far", "mesh", FAR, "noise", "1",
                               "") "," MESHES("six", "chunk-meshes", PIECES, "noise", "6",
                                              "") "," MESHES("whole", "mesh", WHOLE, "noise", "1",
                                                             "") "," MESHES("wrong", "mesh", WHOLE, "noise", "1",
                                                                            ", \"hash\": \"00000000feedbeef\"") "," OF_MESHES("view",
                                                                                                                              "rays",
                                                                                                                              "camera",
                                                                                                                              "{\"eye\": "
                                                                                                                              "1, \"aim\": "
                                                                                                                              "0, "
                                                                                                                              "\"spread\": "
                                                                                                                              "1, "
                                                                                                                              "\"distance\""
                                                                                                                              ": 20, "
                                                                                                                              "\"width\": "
                                                                                                                              "4, "
                                                                                                                              "\"length\": "
                                                                                                                              "99}",
                                                                                                                              "") "," OF_MESHES("cold",
                                                                                                                                                "rays",
                                                                                                                                                "cold",
                                                                                                                                                "{\"margin\": 1, \"least\": 1, \"most\": 1}",
                                                                                                                                                "")
                               TAIL);
    vp_manifest *m = NULL;
    vp_mesh_set set;
    vp_ray_set rays;
    assert_ok(vp_manifest_open(f.path, &m, &error));
    assert_refused(TAKE(meshes, m, "five", NULL, &set, &error), VP_E_FORMAT, "6 meshes, but the manifest says 5");
    assert_refused(TAKE(meshes, m, "none", NULL, &set, &error), VP_E_ARGUMENT, "\"air\"");
    assert_refused(TAKE(meshes, m, "nothing", NULL, &set, &error), VP_E_ARGUMENT, "\"air\"");
    assert_refused(TAKE(meshes, m, "far", NULL, &set, &error), VP_E_ARGUMENT, "");
    assert_refused(TAKE(meshes, m, "wrong", NULL, &set, &error), VP_E_FORMAT, "00000000feedbeef");
    assert_ok(TAKE(meshes, m, "six", NULL, &set, &error));
    assert_refused(TAKE(rays, m, "six/view", &set, &rays, &error), VP_E_ARGUMENT, "64 rays");
    assert_ok(TAKE(rays, m, "six/cold", &set, &rays, &error));
    vp_ray_set_destroy(&rays);
    vp_mesh_set_destroy(&set);
    assert_ok(TAKE(meshes, m, "whole", NULL, &set, &error));
    assert_ok(TAKE(rays, m, "whole/view", &set, &rays, &error)); /* 8 x 8 */
    vp_ray_set_destroy(&rays);
    assert_refused(TAKE(rays, m, "whole/cold", &set, &rays, &error), VP_E_ARGUMENT, "\"whole/cold\"");
    vp_mesh_set_destroy(&set);
    vp_manifest_close(m);
    remove_folder(&f);
}

static void a_world_of_air_has_no_boxes(void **state)
{
    (void)state;
    vp_manifest *m = open_text(HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", "") "," EDITS("3") TAIL);
    vp_world *air = NULL;
    vp_box_set boxes;
    vp_edit_set edits;
    assert_ok(vp_world_create(&(vp_world_def){.size = {16, 8, 24}}, &air, &error));
    assert_refused(TAKE(boxes, m, "noise/b", air, &boxes, &error), VP_E_ARGUMENT, "\"noise/b\"");
    assert_refused(TAKE(edits, m, "noise/e", air, &edits, &error), VP_E_ARGUMENT, "\"noise/e\"");
    vp_world_destroy(air);
    vp_manifest_close(m);
}

static void a_wrong_hash_is_refused(void **state)
{
    (void)state;
    /* What the hash really is: from the same set without one. */
    vp_manifest *m = open_text(HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", "") TAIL);
    vp_world *world = NULL;
    vp_box_set boxes;
    char hash[17], box_hash[17];
    assert_ok(take_world(m, "noise", &world, &error));
    assert_ok(TAKE(boxes, m, "noise/b", world, &boxes, &error));
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)vp_kind_world.hash(world));
    snprintf(box_hash, sizeof box_hash, "%016llx", (unsigned long long)vp_kind_boxes.hash(&boxes));
    vp_box_set_destroy(&boxes);
    vp_manifest_close(m);

    m = open_text(HEAD NOISE(", \"hash\": \"00000000deadbeef\"") "," BOXES("{\"least\": 1, \"most\": 2}",
                                                                           ", \"hashes\": {\"noise\": \"00000000feedbeef\"}") TAIL);
    vp_world *none = NULL;
    assert_refused(take_world(m, "noise", &none, &error), VP_E_FORMAT, "00000000deadbeef");
    assert_refused(take_world(m, "noise", &none, &error), VP_E_FORMAT, hash);
    assert_refused(TAKE(boxes, m, "noise/b", world, &boxes, &error), VP_E_FORMAT, "00000000feedbeef");
    assert_refused(TAKE(boxes, m, "noise/b", world, &boxes, &error), VP_E_FORMAT, box_hash);
    assert_null(none);
    vp_world_destroy(world);
    vp_manifest_close(m);
}

/* ---- sets that are files ---- */

static void worlds_from_files(void **state)
{
    (void)state;
    folder f = make_folder(HEAD FILE_SET("world.vpw", "[16, 8, 8]", "") TAIL);
    vp_world *world = NULL, *read = NULL;
    vp_manifest *m = NULL;
    assert_ok(vp_manifest_open(f.path, &m, &error));
    assert_refused(take_world(m, "f", &read, &error), VP_E_IO, "world.vpw");
    assert_ok(vp_world_create(&(vp_world_def){.size = {16, 8, 8}}, &world, &error));
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){9, 3, 4}, (vp_voxel){7, 200}, NULL, &error));
    assert_ok(vp_world_save(world, NULL, f.world, &error));
    assert_ok(take_world(m, "f", &read, &error));
    vp_voxel v = vp_world_voxel(read, (vp_ivec3){9, 3, 4});
    assert_int_equal(v.material, 7);
    assert_int_equal(v.occupancy, 200);
    vp_world_destroy(read);
    vp_manifest_close(m);

    FILE *damaged = fopen(f.world, "r+b"); /* the set and its file are named, and the byte */
    assert_non_null(damaged);
    assert_int_equal(fseek(damaged, 36, SEEK_SET), 0);
    assert_int_equal(fputc('!', damaged), '!');
    assert_int_equal(fclose(damaged), 0);
    char why[200];
    read = NULL;
    snprintf(why, sizeof why, "data set \"f\": %s: byte 36: 0x21 in a section's tag is not a letter", f.world);
    assert_ok(vp_manifest_open(f.path, &m, &error));
    assert_refused(take_world(m, "f", &read, &error), VP_E_FORMAT, why);
    vp_manifest_close(m);
    assert_ok(vp_world_save(world, NULL, f.world, &error));

    put_file(f.manifest, HEAD FILE_SET("world.vpw", "[16, 8, 16]", "") TAIL);
    assert_ok(vp_manifest_open(f.path, &m, &error));
    assert_refused(take_world(m, "f", &read, &error), VP_E_FORMAT, "16 x 8 x 8");
    assert_refused(take_world(m, "f", &read, &error), VP_E_FORMAT, "16 x 8 x 16");
    assert_null(read);
    vp_manifest_close(m);
    vp_world_destroy(world);
    remove_folder(&f);
}

/* ---- manifests that cannot be read ---- */

static void unreadable(void **state)
{
    (void)state;
    folder f = make_folder("");
    vp_manifest *m = NULL;
    char why[200];
    assert_refused(vp_manifest_open(f.path, &m, &error), VP_E_FORMAT, "manifest.json: line 1");
    assert_int_equal(unlink(f.manifest), 0);
    snprintf(why, sizeof why, "cannot open %s: No such file or directory", f.manifest);
    assert_refused(vp_manifest_open(f.path, &m, &error), VP_E_IO, why);
    assert_int_equal(mkfifo(f.manifest, 0600), 0); /* nobody writes to it: opening it could wait for ever */
    snprintf(why, sizeof why, "%s is not a regular file", f.manifest);
    alarm(60);
    assert_refused(vp_manifest_open(f.path, &m, &error), VP_E_IO, why);
    alarm(0);
    assert_int_equal(unlink(f.manifest), 0);
    put_file(f.manifest, "");
    assert_int_equal(truncate(f.manifest, (16 << 20) + 1), 0);
    assert_refused(vp_manifest_open(f.path, &m, &error), VP_E_FORMAT, "has 16777217 bytes; at most 16777216 are read");
    assert_null(m);
    remove_folder(&f);
}

/* ---- without memory ---- */

/* The linker sends the allocations of everything but shared libraries here; the JSON library is asked to come too. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static struct {
    bool counting;
    long left; /* allocations that succeed before one fails */
    bool failed, failed_in_json;
} memory;

static bool must_fail(bool in_json)
{
    if (!memory.counting || memory.left-- != 0)
        return false;
    memory.failed = true;
    memory.failed_in_json = in_json;
    return true;
}

void *__wrap_malloc(size_t bytes)
{
    return must_fail(false) ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return must_fail(false) ? NULL : __real_calloc(count, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return must_fail(false) ? NULL : __real_aligned_alloc(alignment, bytes);
}

static void *json_malloc(size_t bytes)
{
    return must_fail(true) ? NULL : __real_malloc(bytes);
}

/* Everything there is: a manifest, worlds of each generator, boxes, edits, meshes, rays and their boxes. */
static vp_status make_everything(const char *path, vp_error *error)
{
    static const char *const worlds[] = {"noise", "w", "hills"};
    vp_manifest *m = NULL;
    vp_status status = vp_manifest_open(path, &m, error);
    for (size_t i = 0; status == VP_OK && i < sizeof worlds / sizeof worlds[0]; i++) {
        vp_world *world = NULL;
        vp_box_set boxes = {0};
        vp_edit_set edits = {0};
        status = take_world(m, worlds[i], &world, error);
        if (status == VP_OK && i == 0)
            status = TAKE(boxes, m, "noise/b", world, &boxes, error);
        if (status == VP_OK && i == 0)
            status = TAKE(edits, m, "noise/e", world, &edits, error);
        vp_box_set_destroy(&boxes);
        vp_edit_set_destroy(&edits);
        vp_world_destroy(world);
    }
    static const char *const meshes[] = {"whole", "pieces", "spoilt"};
    for (size_t i = 0; status == VP_OK && i < sizeof meshes / sizeof meshes[0]; i++) {
        vp_mesh_set set = {0};
        vp_ray_set rays = {0};
        vp_mesh_box_set boxes = {0};
        char name[40];
        status = TAKE(meshes, m, meshes[i], NULL, &set, error);
        snprintf(name, sizeof name, "%s/r", meshes[i]);
        if (status == VP_OK)
            status = TAKE(rays, m, name, &set, &rays, error);
        snprintf(name, sizeof name, "%s/m", meshes[i]);
        if (status == VP_OK)
            status = TAKE(mesh_boxes, m, name, &set, &boxes, error);
        vp_mesh_box_set_destroy(&boxes);
        vp_ray_set_destroy(&rays);
        vp_mesh_set_destroy(&set);
    }
    vp_manifest_close(m);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    folder f = make_folder(HEAD NOISE("") "," BOXES("{\"least\": 1, \"most\": 2}", "") "," EDITS("3") "," WORLD(
        "checker", "{\"edge\": 2}", "[8, 8, 8]",
        "") ",{\"name\": \"hills\", \"kind\": \"world\", \"description\": \"d\", \"generator\": "
            "\"terrain\", \"seed\": 1, \"size\": [16, 16, 16], \"licence\": \"l\", \"params\": {"
            "\"base\": 8, \"relief\": 4, \"wavelength\": 20, \"overhang\": 2, "
            "\"overhang_wavelength\": 10, \"cave_wavelength\": 10, \"cave_radius\": 1, "
            "\"cavern_wavelength\": 10, \"cavern_level\": 0.5, \"water_level\": 7, "
            "\"cave_water_level\": 2, \"snow_level\": 15}}"
            "," MESHES("whole", "mesh", WHOLE, "noise", "1", "") "," MESHES(
                "pieces", "chunk-meshes", "{\"surface\": 0}", "noise", "6",
                "") "," MESHES("spoilt", "degenerate", "{\"surface\": 0, \"share\": 0.5}", "noise", "6",
                               "") "," OF_MESHES("r", "rays", "scattered", SCATTERED("2", "16"),
                                                 "") "," OF_MESHES("m", "mesh-boxes", "mesh-boxes", "{\"edge\": 1, \"near\": 1}", "") TAIL);
    json_set_alloc_funcs(json_malloc, free);
    long n = 0;
    for (bool done = false; !done; n++) {
        vp_error error = {VP_OK, ""};
        memory.left = n;
        memory.failed = false;
        memory.counting = true;
        vp_status status = make_everything(f.path, &error);
        memory.counting = false;
        done = !memory.failed;
        if (done != (status == VP_OK))
            fail_msg("allocation %ld failed: %s, but the status is %s", n, done ? "no" : "yes", vp_status_name(status));
        if (!done && !memory.failed_in_json && status != VP_E_MEMORY)
            fail_msg("allocation %ld failed: %s: %s", n, vp_status_name(status), error.message);
    }
    json_set_alloc_funcs(malloc, free);
    remove_folder(&f);
    assert_true(n > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_member),
        cmocka_unit_test(reads_hashes_by_number),
        cmocka_unit_test(every_set_of_the_project_has_a_hash),
        cmocka_unit_test(the_environment_names_the_folder),
        cmocka_unit_test(unsound_manifests_are_refused),
        cmocka_unit_test(other_characters_are_not_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(unknown_names_are_named),
        cmocka_unit_test(meshes_that_cannot_be),
        cmocka_unit_test(a_world_of_air_has_no_boxes),
        cmocka_unit_test(a_wrong_hash_is_refused),
        cmocka_unit_test(worlds_from_files),
        cmocka_unit_test(unreadable),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
