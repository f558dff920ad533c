/* SPDX-License-Identifier: MIT */
/* Opens sets and derives data from them. This file names no kind. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/hash.h"
#include "datasets/manifest_data.h"
#include "src/core/error.h"

typedef struct vp_derived {
    const vp_derivation *what;
    uint32_t variant;
    void *content;
    struct vp_derived *next; /* derived before */
} vp_derived;

typedef struct opened_set {
    vp_data data;
    const vp_data *whole; /* the set that it is a part of; NULL: it is no part */
    uint32_t most;
    void *set; /* NULL: lent */
    vp_derived *derived;
    struct opened_set *next; /* opened before */
} opened_set;

struct vp_store {
    const vp_manifest *manifest;
    uint64_t seed;
    void (*report)(void *name, uint32_t done, uint32_t total);
    opened_set *first;
};

/* ---- stores ---- */

vp_status vp_store_create(const vp_manifest *manifest, uint64_t seed, vp_store **out, vp_error *error)
{
    vp_store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a store of data sets");
    store->manifest = manifest;
    store->seed = seed;
    *out = store;
    return vp_succeed(error);
}

void vp_store_watch(vp_store *store, void (*report)(void *name, uint32_t done, uint32_t total))
{
    store->report = report;
}

const vp_manifest *vp_store_manifest(const vp_store *store)
{
    return store->manifest;
}

bool vp_is_fuzz(const char *name, uint64_t *number)
{
    char *end;
    if (strncmp(name, "fuzz-", 5) != 0 || name[5] < '0' || name[5] > '9')
        return false;
    errno = 0;
    *number = strtoull(name + 5, &end, 10);
    return *end == '\0';
}

uint64_t vp_store_fuzz_seed(const vp_store *store, const char *name)
{
    uint64_t number = 0;
    (void)vp_is_fuzz(name, &number);
    return store->seed * UINT64_C(0x9e3779b97f4a7c15) + number;
}

static void drop_derived(opened_set *o)
{
    while (o->derived != NULL) {
        vp_derived *d = o->derived;
        o->derived = d->next;
        d->what->drop(d->content);
        free(d);
    }
}

void vp_store_empty(vp_store *store)
{
    for (opened_set *o = store->first; o != NULL; o = o->next)
        drop_derived(o);
    while (store->first != NULL) { /* sets that belong to a set were opened after it */
        opened_set *o = store->first;
        store->first = o->next;
        o->data.kind->drop(o->set);
        free(o);
    }
}

void vp_store_destroy(vp_store *store)
{
    if (store != NULL)
        vp_store_empty(store);
    free(store);
}

/* ---- opening ---- */

static opened_set *find(const vp_store *store, const vp_kind *kind, const char *name, const vp_data *whole, uint32_t most)
{
    opened_set *o = store->first;
    while (o != NULL && (o->data.kind != kind || o->whole != whole || o->most != most || strcmp(o->data.name, name) != 0))
        o = o->next;
    return o;
}

/* Makes room for a set. Its name must fit. */
static opened_set *add(vp_store *store, const vp_kind *kind, const char *name, vp_error *error)
{
    opened_set *o = calloc(1, sizeof *o);
    if (o == NULL) {
        vp_fail(error, VP_E_MEMORY, "\"%.80s\": no memory for a data set", name);
        return NULL;
    }
    o->data.kind = kind;
    o->data.store = store;
    o->data.derived = &o->derived;
    snprintf(o->data.name, sizeof o->data.name, "%s", name);
    return o;
}

static void keep(vp_store *store, opened_set *o, void *set)
{
    o->set = set;
    o->data.set = set;
    o->next = store->first;
    store->first = o;
}

/* Finds the manifest's entry of a set, and its owner. */
static vp_status look_up(vp_store *store, const vp_kind *kind, const char *name, const vp_entry **entry, const vp_data **owner,
                         vp_error *error)
{
    char first[VP_DATA_NAME_BYTES];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(name, "/"), name);
    if (store->manifest == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "without a manifest, there is no data set \"%.80s\"", name);
    if (kind->owner == NULL)
        return vp_manifest_entry_of(store->manifest, kind->count_of != NULL ? first : name, kind, entry, error);
    VP_RETURN_IF_FAILED(vp_manifest_entry_on(store->manifest, name, kind, entry, error));
    return vp_store_open(store, kind->owner, first, owner, error);
}

uint64_t vp_set_hash(const vp_kind *kind, const void *set)
{
    vp_hasher h;
    vp_hash_begin(&h);
    kind->hash(set, &h);
    return vp_hash_end(&h);
}

uint64_t vp_set_count(const void *set)
{
    uint32_t count;
    memcpy(&count, set, sizeof count);
    return count;
}

uint32_t vp_count_in(const char *text, uint32_t low, uint32_t high)
{
    if (text[0] < '1' || text[0] > '9' || strlen(text) > 8 || strspn(text, "0123456789") != strlen(text))
        return 0;
    const unsigned long count = strtoul(text, NULL, 10);
    return count < low || count > high ? 0 : (uint32_t)count;
}

static vp_status begin_set(const vp_kind *kind, const char *name, void **set, vp_error *error)
{
    *set = kind->bytes != 0 ? calloc(1, kind->bytes) : NULL;
    return *set != NULL || kind->bytes == 0 ? VP_OK : vp_fail(error, VP_E_MEMORY, "\"%.80s\": no memory for %s", name, kind->words);
}

static vp_status make(const vp_making *from, const vp_generator *generator, vp_data *data, void **set, vp_error *error)
{
    const vp_manifest *manifest = from->store->manifest;
    const vp_kind *kind = from->kind;
    uint64_t hash;
    vp_status status = begin_set(kind, from->name, set, error);
    if (status == VP_OK)
        status = generator != NULL ? generator->make(from, set, error) : kind->fuzz(from, set, error);
    if (status == VP_OK && generator != NULL)
        status = vp_manifest_check(manifest, from->name, vp_set_hash(kind, *set), error);
    if (status != VP_OK) {
        kind->drop(*set);
        return status;
    }
    data->owner = from->owner;
    data->checked = generator != NULL && vp_manifest_hash(manifest, from->name, &hash) && (from->owner == NULL || from->owner->checked);
    return VP_OK;
}

static vp_status open_new(vp_store *store, const vp_kind *kind, const char *name, const vp_data **out, vp_error *error)
{
    const vp_generate_progress progress = {(void *)(uintptr_t)name, store->report};
    vp_making from = {.kind = kind, .name = name, .store = store, .progress = store->report != NULL ? &progress : NULL};
    const vp_entry *entry = NULL;
    void *set = NULL;
    uint64_t number;
    if (!vp_is_fuzz(name, &number)) {
        VP_RETURN_IF_FAILED(look_up(store, kind, name, &entry, &from.owner, error));
    } else if (errno == ERANGE) {
        return vp_fail(error, VP_E_ARGUMENT, "%s: the number is beyond 64 bits", name);
    } else if (kind->fuzz == NULL) {
        return vp_fail(error, VP_E_ARGUMENT, "%s: random %s are not supported", name, kind->words);
    } else {
        from.seed = vp_store_fuzz_seed(store, name);
        if (kind->owner != NULL)
            VP_RETURN_IF_FAILED(vp_store_open(store, kind->owner, name, &from.owner, error));
    }
    if (entry != NULL) {
        from.dataset = &entry->dataset;
        from.params = entry->params;
        from.seed = entry->dataset.seed;
    }
    opened_set *o = add(store, kind, name, error);
    if (o == NULL)
        return VP_E_MEMORY;
    vp_status status = make(&from, entry != NULL ? entry->generator : NULL, &o->data, &set, error);
    if (status != VP_OK) {
        free(o);
        return status;
    }
    keep(store, o, set);
    *out = &o->data;
    return vp_succeed(error);
}

vp_status vp_store_open(vp_store *store, const vp_kind *kind, const char *name, const vp_data **out, vp_error *error)
{
    if (strlen(name) >= VP_DATA_NAME_BYTES)
        return vp_fail(error, VP_E_ARGUMENT, "data set name \"%.40s...\" is too long", name);
    const opened_set *o = find(store, kind, name, NULL, 0);
    if (o == NULL)
        return open_new(store, kind, name, out, error);
    *out = &o->data;
    return vp_succeed(error);
}

vp_status vp_store_open_any(vp_store *store, const char *name, const vp_data **out, vp_error *error)
{
    const vp_dataset *set = store->manifest != NULL ? vp_manifest_set_of(store->manifest, name) : NULL;
    return vp_store_open(store, set != NULL ? set->kind : vp_kind_named("world"), name, out, error);
}

vp_status vp_store_lend(vp_store *store, const vp_kind *kind, const char *name, const void *set, vp_error *error)
{
    if (strlen(name) >= VP_DATA_NAME_BYTES || find(store, kind, name, NULL, 0) != NULL)
        return vp_fail(error, VP_E_ARGUMENT, "data set name \"%.80s\" is too long, or taken", name);
    opened_set *o = add(store, kind, name, error);
    if (o == NULL)
        return VP_E_MEMORY;
    keep(store, o, NULL);
    o->data.set = set;
    return vp_succeed(error);
}

void *vp_store_take(vp_store *store, const vp_data *data)
{
    opened_set **at = &store->first;
    while (&(*at)->data != data)
        at = &(*at)->next;
    opened_set *o = *at;
    void *set = o->set;
    *at = o->next;
    drop_derived(o);
    free(o);
    return set;
}

/* ---- derived data ---- */

vp_status vp_data_derive(const vp_data *from, const vp_derivation *what, uint32_t variant, const void **out, vp_error *error)
{
    for (const vp_derived *d = *from->derived; d != NULL; d = d->next)
        if (d->what == what && d->variant == variant) {
            *out = d->content;
            return vp_succeed(error);
        }
    vp_derived *d = malloc(sizeof *d);
    if (d == NULL)
        return vp_fail(error, VP_E_MEMORY, "%s: no memory for its %s", from->name, what->name);
    *d = (vp_derived){.what = what, .variant = variant};
    const vp_status status = what->make(from, variant, &d->content, error);
    if (status != VP_OK) {
        what->drop(d->content);
        free(d);
        return status;
    }
    d->next = *from->derived; /* it may have derived other data */
    *from->derived = d;
    *out = d->content;
    return vp_succeed(error);
}

vp_status vp_data_part(const vp_data *from, uint32_t most, const vp_data **out, vp_error *error)
{
    if (from->kind->part == NULL || from->kind->count(from->set) <= most) {
        *out = from;
        return vp_succeed(error);
    }
    if (most == 0)
        return vp_fail(error, VP_E_ARGUMENT, "%s: a part of 0 %s is asked for", from->name, from->kind->words);
    opened_set *o = find(from->store, from->kind, from->name, from, most);
    if (o == NULL) {
        void *set = NULL;
        o = add(from->store, from->kind, from->name, error);
        vp_status status = o != NULL ? begin_set(from->kind, from->name, &set, error) : VP_E_MEMORY;
        if (status == VP_OK)
            status = from->kind->part(from->set, most, &set, error);
        if (status != VP_OK) {
            from->kind->drop(set);
            free(o);
            return status;
        }
        o->whole = from;
        o->most = most;
        o->data.owner = from->owner;
        o->data.checked = from->checked;
        keep(from->store, o, set);
    }
    *out = &o->data;
    return vp_succeed(error);
}
