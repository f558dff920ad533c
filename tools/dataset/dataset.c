/* SPDX-License-Identifier: MIT */
#define _FILE_OFFSET_BITS 64 /* maps of more than 2 GiB, for stat on 32-bit systems */
#include "tools/dataset/dataset.h"

#include <stdio.h>
#include <sys/stat.h>

#include "host/program.h"

bool vp_same_file(const char *a, const char *b)
{
    struct stat of_a = {0}, of_b = {0}; /* the memory sanitizer does not know that stat fills them */
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

int vp_dataset_fail(const char *command, const vp_error *error)
{
    int code = vp_command_fail(command, error);
    return error->status == VP_E_FORMAT ? VP_EXIT_FAILED : code; /* wrong content */
}

bool vp_dataset_name_allowed(const char *command, const vp_manifest *manifest, const char *name, const vp_dataset *d, int *code)
{
    const size_t length = strcspn(name, "/");
    char owner[80];
    if (d == NULL || name[length] == '\0' || d->kind->owner != NULL || d->kind->count_of != NULL)
        return true;
    snprintf(owner, sizeof owner, "%.*s", (int)length, name);
    *code = VP_EXIT_USAGE;
    if (vp_manifest_find(manifest, owner) == NULL)
        fprintf(stderr, "voxphys %s: the manifest has no %s \"%s\"\n", command, d->kind->name, owner);
    else
        *code = vp_command_usage(command, "'%s': %s. 'voxphys dataset list' shows them", name, d->kind->alone);
    return false;
}

bool vp_is_set_of(const char *name, const vp_kind *kind)
{
    vp_manifest *manifest = NULL;
    vp_error ignored;
    const vp_dataset *d = vp_manifest_open(NULL, &manifest, &ignored) == VP_OK ? vp_manifest_set_of(manifest, name) : NULL;
    const bool is = d != NULL && d->kind == kind;
    vp_manifest_close(manifest);
    return is;
}

static void show_progress(void *name, uint32_t done, uint32_t total)
{
    vp_progress(name, done, total);
}

vp_status vp_dataset_store(const vp_manifest *manifest, uint64_t seed, vp_store **out, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_store_create(manifest, seed, out, error));
    vp_store_watch(*out, show_progress);
    return VP_OK;
}
