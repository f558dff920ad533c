/* SPDX-License-Identifier: MIT */
/* Reads manifest.json. All of it is checked when it is opened, so that an open manifest is valid. A file with an
 * unknown member, a wrong type, a number out of range or a duplicate name is rejected as a whole. The message names the
 * set and the member. */
#define _POSIX_C_SOURCE 200809L /* readlink */
#include "datasets/manifest_read.h"

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <unistd.h>
#endif

enum { SETS_MAX = 1000, BYTES_MAX = 16 << 20, PATH_BYTES = 4096 };

struct vp_manifest {
    char *folder;
    json_t *root; /* owns the strings */
    vp_entry *entry;
    char **params; /* one text per entry */
    size_t count;
};

/* ---- the whole ---- */

static json_t *entry_json(const vp_manifest *m, size_t index)
{
    return json_array_get(json_object_get(m->root, "sets"), index);
}

static const vp_entry *find_entry(const vp_manifest *m, const char *name, size_t length)
{
    for (size_t i = 0; i < m->count; i++)
        if (strlen(m->entry[i].dataset.name) == length && strncmp(m->entry[i].dataset.name, name, length) == 0)
            return &m->entry[i];
    return NULL;
}

/* Hashes of the parts of a counted set. */
static vp_status check_counts(const vp_kind *kind, json_t *hashes, vp_manifest_place *c)
{
    uint64_t value;
    for (void *at = json_object_iter(hashes); at != NULL; at = json_object_iter_next(hashes, at)) {
        const char *count = json_object_iter_key(at);
        if (kind->count_of(count) == 0)
            return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: \"hashes\" names \"%.60s\", which is not a number of %s", c->where,
                           count, kind->words);
        VP_RETURN_IF_FAILED(vp_read_hash(c, count, json_object_iter_value(at), &value));
    }
    return VP_OK;
}

/* Checks the names of other sets. Hashes are only checked here and are parsed again on request. */
static vp_status check_references(const vp_manifest *m, size_t index, vp_manifest_place *c)
{
    const vp_dataset *d = &m->entry[index].dataset;
    const json_t *hash = json_object_get(entry_json(m, index), "hash");
    json_t *hashes = json_object_get(entry_json(m, index), "hashes");
    uint64_t value;
    snprintf(c->where, sizeof c->where, "set \"%s\"", d->name);
    if (d->world[0] != '\0') {
        const vp_entry *world = find_entry(m, d->world, strlen(d->world));
        if (world == NULL || world->dataset.kind != vp_kind_named("world"))
            return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: \"world\" is \"%.60s\", which is not a world", c->where, d->world);
    }
    if (hash != NULL)
        VP_RETURN_IF_FAILED(vp_read_hash(c, "hash", hash, &value));
    if (hashes == NULL)
        return VP_OK;
    if (!json_is_object(hashes))
        return vp_read_wrong(c, "hashes", "an object: a hash for each world, set of meshes, or number of points");
    if (d->kind->count_of != NULL)
        return check_counts(d->kind, hashes, c);
    for (void *at = json_object_iter(hashes); at != NULL; at = json_object_iter_next(hashes, at)) {
        const char *owner = json_object_iter_key(at);
        const vp_entry *of = find_entry(m, owner, strlen(owner));
        if (of == NULL || of->dataset.kind != d->kind->owner)
            return vp_fail(c->error, VP_E_FORMAT, "manifest.json: %s: \"hashes\" names \"%.60s\", which is not a %s", c->where, owner,
                           d->kind->owner->one);
        VP_RETURN_IF_FAILED(vp_read_hash(c, owner, json_object_iter_value(at), &value));
    }
    return VP_OK;
}

static vp_status read_all(vp_manifest *m, vp_error *error)
{
    static const char *const members[] = {"version", "sets", NULL};
    vp_manifest_place c = {"the file", error};
    const json_t *sets = json_object_get(m->root, "sets");
    json_int_t version;
    if (!json_is_object(m->root))
        return vp_fail(error, VP_E_FORMAT, "manifest.json: the file is not an object");
    VP_RETURN_IF_FAILED(vp_read_whole(&c, m->root, "version", 1, 1, &version));
    VP_RETURN_IF_FAILED(vp_read_only(&c, m->root, members));
    if (!json_is_array(sets) || json_array_size(sets) > SETS_MAX)
        return vp_read_wrong(&c, "sets", "a list of at most 1000 sets");

    size_t total = json_array_size(sets), room = total == 0 ? 1 : total;
    m->entry = calloc(room, sizeof *m->entry);
    m->params = calloc(room, sizeof *m->params);
    if (m->entry == NULL || m->params == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a manifest of %zu sets", total);
    vp_status status = VP_OK;
    for (size_t i = 0; i < total; i++) {
        snprintf(c.where, sizeof c.where, "set number %zu", i);
        status = vp_read_entry(&c, json_array_get(sets, i), &m->entry[i], &m->params[i]);
        if (status != VP_OK) {
            m->count = i + 1; /* its params may be allocated */
            return status;
        }
        const char *name = m->entry[i].dataset.name;
        if (find_entry(m, name, strlen(name)) != NULL) {
            m->count = i + 1;
            return vp_fail(error, VP_E_FORMAT, "manifest.json: the name \"%s\" is given to two sets", name);
        }
        m->count = i + 1;
    }
    for (size_t i = 0; i < m->count && status == VP_OK; i++)
        status = check_references(m, i, &c);
    return status;
}

/* Returns folder + "/" + name, or NULL without memory. */
static char *join(const char *folder, const char *name)
{
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    if (path != NULL)
        snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}

/* @return false without memory */
static bool has_manifest(const char *folder, bool *found)
{
    uint64_t size;
    char *path = join(folder, "manifest.json");
    *found = path != NULL && vp_file_size(path, &size, NULL) == VP_OK;
    free(path);
    return path != NULL;
}

/* Finds the data that was installed with the running program, independent of the location. *folder stays NULL if the
 * system does not report the program's location. @return false without memory */
static bool folder_of_program(char **folder)
{
#ifdef __linux__
    char program[PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return true;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return true;
    *slash = '\0';
    *folder = join(program, VP_DATA_FROM_PROGRAM);
    return *folder != NULL;
#else
    (void)folder;
    return true;
#endif
}

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy != NULL)
        memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static const char *chosen_folder(void)
{
    const char *chosen = getenv("VOXPHYS_DATA");
    return chosen != NULL && chosen[0] != '\0' ? chosen : NULL;
}

/* Returns the data folder if the caller names none, or NULL without memory. The program's own data comes before the
 * source, because a user who has both runs an installed program. */
static char *default_folder(void)
{
    if (chosen_folder() != NULL)
        return copy_of(chosen_folder());
    char *beside = NULL;
    bool found = false;
    bool known = folder_of_program(&beside) && (beside == NULL || has_manifest(beside, &found));
    if (known && found)
        return beside;
    free(beside);
    if (!known || !has_manifest(VP_DATA_FOLDER, &found))
        return NULL;
    return copy_of(found ? VP_DATA_FOLDER : VP_INSTALLED_DATA_FOLDER);
}

/* After a failure to read the default folder, adds how to name another one. */
static void advise(vp_error *error)
{
    if (error == NULL)
        return;
    vp_error reason = *error;
    if (chosen_folder() != NULL)
        vp_fail(error, reason.status, "VOXPHYS_DATA: %.240s", reason.message);
    else
        vp_fail(error, reason.status, "no data sets next to the program or in %s; set VOXPHYS_DATA to their folder",
                vp_show_path(VP_INSTALLED_DATA_FOLDER).text);
}

static vp_status load(vp_manifest *m, vp_error *error)
{
    char *path = join(m->folder, "manifest.json");
    if (path == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the manifest");
    vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    json_error_t reason;
    vp_status status = vp_file_read(path, BYTES_MAX, &allocator, &bytes, &size, error);
    if (status == VP_OK) {
        m->root = json_loadb(bytes != NULL ? (const char *)bytes : "", size, JSON_REJECT_DUPLICATES, &reason);
        if (m->root == NULL)
            status =
                reason.text[0] == '\0' || json_error_code(&reason) == json_error_out_of_memory
                    ? vp_fail(error, VP_E_MEMORY, "no memory for the manifest")
                    : vp_fail(error, VP_E_FORMAT, "manifest.json: line %d, column %d: %.120s", reason.line, reason.column, reason.text);
    }
    vp_release(&allocator, bytes, size, 1);
    free(path);
    return status;
}

vp_status vp_manifest_open(const char *folder, vp_manifest **out, vp_error *error)
{
    vp_manifest *m = calloc(1, sizeof *m);
    if (m != NULL)
        m->folder = folder != NULL ? copy_of(folder) : default_folder();
    if (m == NULL || m->folder == NULL) {
        vp_manifest_close(m);
        return vp_fail(error, VP_E_MEMORY, "no memory for the manifest");
    }
    vp_status status = load(m, error);
    if (status == VP_E_IO && folder == NULL)
        advise(error);
    if (status == VP_OK)
        status = read_all(m, error);
    if (status != VP_OK) {
        vp_manifest_close(m);
        return status;
    }
    *out = m;
    return vp_succeed(error);
}

void vp_manifest_close(vp_manifest *manifest)
{
    if (manifest == NULL)
        return;
    for (size_t i = 0; manifest->params != NULL && i < manifest->count; i++)
        free(manifest->params[i]);
    free(manifest->params);
    free(manifest->entry);
    free(manifest->folder);
    json_decref(manifest->root);
    free(manifest);
}

size_t vp_manifest_count(const vp_manifest *manifest)
{
    return manifest->count;
}

const vp_dataset *vp_manifest_entry(const vp_manifest *manifest, size_t index)
{
    return &manifest->entry[index].dataset;
}

const vp_dataset *vp_manifest_find(const vp_manifest *manifest, const char *name)
{
    const vp_entry *entry = find_entry(manifest, name, strlen(name));
    return entry != NULL ? &entry->dataset : NULL;
}

const vp_dataset *vp_manifest_set_of(const vp_manifest *manifest, const char *name)
{
    const size_t length = strcspn(name, "/");
    const vp_entry *entry = find_entry(manifest, name, length);
    if (name[length] != '\0' && (entry == NULL || entry->dataset.kind->count_of == NULL))
        entry = find_entry(manifest, name + length + 1, strlen(name + length + 1));
    return entry != NULL ? &entry->dataset : NULL;
}

const char *vp_manifest_folder(const vp_manifest *manifest)
{
    return manifest->folder;
}

bool vp_manifest_hash(const vp_manifest *manifest, const char *name, uint64_t *hash)
{
    const size_t length = strcspn(name, "/");
    const char *rest = name + length + (name[length] == '/');
    const vp_entry *first = find_entry(manifest, name, length), *entry = first;
    const json_t *value = NULL;
    if (name[length] != '\0' && first != NULL && first->dataset.kind->count_of == NULL)
        entry = find_entry(manifest, rest, strlen(rest));
    if (first == NULL || entry == NULL)
        return false;
    json_t *object = entry_json(manifest, (size_t)(entry - manifest->entry));
    if (name[length] == '\0')
        value = json_object_get(object, "hash");
    else
        value = json_object_get(json_object_get(object, "hashes"), entry == first ? rest : first->dataset.name);
    if (value == NULL)
        return false;
    *hash = strtoull(json_string_value(value), NULL, 16);
    return true;
}

/* ---- for the makers ---- */

char *vp_manifest_path(const vp_manifest *manifest, const char *name)
{
    return join(manifest->folder, name);
}

vp_status vp_manifest_entry_of(const vp_manifest *manifest, const char *name, const vp_kind *kind, const vp_entry **out, vp_error *error)
{
    const vp_entry *entry = find_entry(manifest, name, strlen(name));
    if (entry == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "the manifest has no data set \"%.80s\"; 'voxphys dataset list' lists them", name);
    if (entry->dataset.kind != kind)
        return vp_fail(error, VP_E_ARGUMENT, "data set \"%.80s\" is of kind %s, not %s", name, entry->dataset.kind->name, kind->name);
    *out = entry;
    return VP_OK;
}

vp_status vp_manifest_entry_on(const vp_manifest *manifest, const char *name, const vp_kind *kind, const vp_entry **out, vp_error *error)
{
    const char *slash = strchr(name, '/');
    char owner_name[16];
    size_t i = 0;
    for (const char *c = kind->owner->name; *c != '\0' && i + 1 < sizeof owner_name; c++)
        owner_name[i++] = (char)toupper((unsigned char)*c);
    owner_name[i] = '\0';
    if (slash == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.80s\" does not say on which %s: %s/%.80s", name, kind->owner->name, owner_name, name);
    const vp_entry *owner = find_entry(manifest, name, (size_t)(slash - name));
    if (owner == NULL || owner->dataset.kind != kind->owner)
        return vp_fail(error, VP_E_ARGUMENT, "the manifest has no %s \"%.*s\"", kind->owner->name,
                       (int)(slash - name < 80 ? slash - name : 80), name);
    return vp_manifest_entry_of(manifest, slash + 1, kind, out, error);
}

vp_status vp_manifest_check(const vp_manifest *manifest, const char *name, uint64_t hash, vp_error *error)
{
    uint64_t expected;
    if (vp_manifest_hash(manifest, name, &expected) && expected != hash)
        return vp_fail(error, VP_E_FORMAT, "data set \"%.80s\" has the hash %016llx, but the manifest says %016llx", name,
                       (unsigned long long)hash, (unsigned long long)expected);
    return vp_succeed(error);
}
