/* SPDX-License-Identifier: MIT */
/* Parsing of row names. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <voxphys/kernels.h>

#include "datasets/kinds/kind.h"
#include "tools/results/results.h"

/* Copies a part. @return false if it is too long */
static bool take(const char *from, size_t length, char *to, size_t bytes)
{
    if (length >= bytes)
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

#define TAKE(from, length, to) take(from, length, to, sizeof(to))

/* Prefixes of WHO and their meanings, longer ones first. */
static const struct {
    const char *begin, *via;
    bool is_set; /* prefix of an instruction set, whose name ends at the first hyphen */
} known[] = {
#define SIMDE_ROW(i)  {#i "-simde", "simde", true},
#define NATIVE_ROW(i) {#i, "native", true},
    {"scalar-autovec", "autovec", false},
    {"scalar-words", "words", true},
    VP_ISAS(SIMDE_ROW) VP_ISAS(NATIVE_ROW){"peer", "peer", false},
    {"limit", "limit", false},
};

static bool read_who(const char *who, size_t length, vp_row_name *out)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t begin = strlen(known[i].begin);
        if (length < begin || strncmp(who, known[i].begin, begin) != 0 || (length > begin && who[begin] != '-'))
            continue;
        out->via = known[i].via;
        if (known[i].is_set && !TAKE(who, strcspn(known[i].begin, "-"), out->isa))
            return false;
        return length == begin || TAKE(who + begin + 1, length - begin - 1, out->variant);
    }
    out->via = "other";
    return TAKE(who, length, out->variant);
}

bool vp_row_name_read(const char *name, vp_row_name *out)
{
    *out = (vp_row_name){.via = "other"};
    const char *who = strchr(name, '/');
    if (who == NULL || who == name || !TAKE(name, (size_t)(who - name), out->kernel))
        return false;
    who++;
    const size_t length = strcspn(who, "/");
    if (length == 0 || !read_who(who, length, out))
        return false;
    if (who[length] == '\0')
        return true;
    const char *data = who + length + 1;
    if (strcmp(out->kernel, "edit_to_ray") == 0) /* "voxel" means edits of a single world */
        return TAKE("terrain-230k", 12, out->dataset) && TAKE(data, strlen(data), out->rest);
    const char *of = strstr(data, "-of-");
    const size_t end = strcspn(data, "/"), set = of != NULL && of < data + end ? (size_t)(of - data) : end;
    if (!TAKE(data, set, out->dataset))
        return false;
    return data[set] == '\0' || TAKE(data + set + 1, strlen(data + set + 1), out->rest);
}

void vp_row_key(const vp_row_name *name, char out[VP_ROW_KEY_BYTES])
{
    const bool peer = strcmp(name->via, "peer") == 0 || strcmp(name->via, "limit") == 0 || strcmp(name->via, "other") == 0;
    char rest[sizeof name->rest + 4];
    snprintf(rest, sizeof rest, "%s", name->rest);
    char *threads = strstr(rest, "threads-");
    if (threads != NULL) {
        const char *behind = threads + strlen("threads-");
        behind += strspn(behind, "0123456789");
        const char *left = name->rest + (behind - rest);
        snprintf(threads, sizeof rest - (size_t)(threads - rest), "threads-any%s", left);
    }
    snprintf(out, VP_ROW_KEY_BYTES, "%s/%s%s%s%s%s%s%s", name->kernel, peer ? name->via : "any", name->variant[0] != '\0' ? "-" : "",
             name->variant, name->dataset[0] != '\0' ? "/" : "", name->dataset, rest[0] != '\0' ? "/" : "", rest);
}

void vp_row_data_hash(const vp_row_name *name, const vp_manifest *manifest, char out[17])
{
    char whole[128], *last;
    uint64_t hash;
    const char *rest = name->rest;
    if (strncmp(rest, "of-", 3) == 0) /* a subset of the rays */
        rest += strcspn(rest, "/") + (strchr(rest, '/') != NULL ? 1 : 0);
    snprintf(whole, sizeof whole, "%s/%s", name->dataset, rest);
    out[0] = '\0';
    const vp_dataset *set = vp_manifest_find(manifest, name->dataset);
    const bool whole_set = set != NULL && set->kind->count_of == NULL; /* not a set with another number of points */
    bool found = vp_manifest_hash(manifest, whole, &hash);
    if (!found && strstr(rest, "threads-") == NULL &&
        (last = strrchr(whole, '/')) != NULL) { /* the last part is a parameter: "world/coherent/cold" */
        *last = '\0';
        found = strchr(whole, '/') != NULL && vp_manifest_hash(manifest, whole, &hash);
    }
    if (found || (whole_set && vp_manifest_hash(manifest, name->dataset, &hash)))
        snprintf(out, 17, "%016" PRIx64, hash);
}
