/* SPDX-License-Identifier: MIT */
#include "bench/hulls/hull_sets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"

enum { PEERS = VP_HULL_BY_PEERS, ALL = VP_HULL_BY_OURS | VP_HULL_BY_PEERS };
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* The sets of the performance targets, and other sets on which libraries are compared. */
static const vp_hull_set chosen[] = {{"ball", "16", ALL},
                                     {"ball", "64", ALL},
                                     {"ball", "1000", ALL},
                                     {"ball", "10000", ALL},
                                     {"ball", "100000", ALL},
                                     {"ball", "1000000", ALL},
                                     {"sphere", "10000", ALL},
                                     {"cylinder", "10000", ALL},
                                     {"cube-grid-turned", "10000", ALL},
                                     {"armadillo", "26002", ALL},
                                     {"cube", "10000", PEERS},
                                     {"gauss", "10000", PEERS},
                                     {"lattice", "10000", PEERS},
                                     {"uv-sphere", "10000", PEERS},
                                     {"needle", "10000", PEERS},
                                     {"duplicates", "10000", PEERS},
                                     {"sphere", "100000", PEERS},
                                     {"cube-grid", "8", PEERS}, /* hulls of games: a box, prisms, few points */
                                     {"cube-grid-turned", "8", PEERS},
                                     {"prism", "16", PEERS},
                                     {"prism", "32", PEERS},
                                     {"prism-turned", "16", PEERS},
                                     {"prism-turned", "32", PEERS},
                                     {"sphere", "8", PEERS},
                                     {"sphere", "16", PEERS},
                                     {"sphere", "32", PEERS},
                                     {"sphere", "64", PEERS}};

/* Families that are measured at every number of points, to show how time grows. */
static const char *const families[] = {
    "ball",      "sphere",    "cube",      "gauss",    "cube-grid",       "cube-grid-turned", "lattice",         "lattice-turned",
    "cylinder",  "cone",      "uv-sphere", "flat-box", "needle",          "duplicates",       "near-duplicates", "far-ball",
    "tiny-ball", "huge-ball", "collinear", "coplanar", "coplanar-tilted", "one-point"};
static const char *const counts[] = {"100", "1000", "10000", "100000", "1000000"};

static bool is_chosen(const char *family, const char *count)
{
    size_t i = 0;
    while (i < COUNT(chosen) && (strcmp(chosen[i].family, family) != 0 || strcmp(chosen[i].count, count) != 0))
        i++;
    return i < COUNT(chosen);
}

const vp_hull_set *vp_hull_set_at(size_t i)
{
    static vp_hull_set all[COUNT(chosen) + COUNT(families) * COUNT(counts)];
    static size_t count;
    if (count == 0) {
        memcpy(all, chosen, sizeof chosen);
        count = COUNT(chosen);
        for (size_t k = 0; k < COUNT(families) * COUNT(counts); k++)
            if (!is_chosen(families[k / COUNT(counts)], counts[k % COUNT(counts)]))
                all[count++] = (vp_hull_set){families[k / COUNT(counts)], counts[k % COUNT(counts)], 0};
    }
    return i < count ? &all[i] : NULL;
}

bool vp_hull_set_is_of_kernel(const vp_hull_set *set, vp_kernel_id kernel)
{
    return strcmp(set->family, "ball") == 0 || (kernel == VP_KERNEL_hull2 && strcmp(set->family, "coplanar") == 0);
}

/* ---- real meshes ---- */

/* The vertices of a mesh that we may not distribute. It is an OFF file in the folder VOXPHYS_BENCH_MESHES. */
static const char mesh_family[] = "armadillo";

static bool mesh_path(char path[512])
{
    const char *folder = getenv("VOXPHYS_BENCH_MESHES");
    const int length = folder == NULL ? -1 : snprintf(path, 512, "%s/%s.off", folder, mesh_family);
    return length > 0 && length < 512;
}

bool vp_hull_set_is_there(const vp_hull_set *set)
{
    char path[512];
    FILE *file = strcmp(set->family, mesh_family) != 0 || !mesh_path(path) ? NULL : fopen(path, "rb");
    if (file != NULL)
        fclose(file);
    return file != NULL || strcmp(set->family, mesh_family) != 0;
}

typedef struct mesh_points {
    uint32_t first[2];
    vp_point_sets sets;
} mesh_points;

static mesh_points *read_points; /* owned by the suite. NULL = not read yet */

static void drop(void *entry)
{
    free(((mesh_points *)entry)->sets.point);
    read_points = NULL;
}

/* Reads "OFF", the numbers of vertices, faces and edges, then the vertices. */
static vp_status parse(char *text, const char *path, uint32_t count, vp_vec3 *point, vp_error *error)
{
    char *at = strncmp(text, "OFF", 3) == 0 ? text + 3 : text, *end = at;
    bool good = at != text && strtoul(at, &end, 10) == count && end != at;
    for (int k = 0; k < 2 && good; k++) {
        at = end;
        (void)strtoul(at, &end, 10);
        good = end != at;
    }
    for (uint32_t i = 0; i < count && good; i++) {
        float *const of[3] = {&point[i].x, &point[i].y, &point[i].z};
        for (int k = 0; k < 3 && good; k++) {
            at = end;
            *of[k] = strtof(at, &end);
            good = end != at;
        }
    }
    return good ? VP_OK : vp_fail(error, VP_E_FORMAT, "%.200s: not a mesh of %u vertices in the format OFF", path, count);
}

static vp_status read_mesh(vp_suite *suite, const vp_hull_set *set, vp_error *error)
{
    enum { LARGEST = 64 << 20 };
    char path[512];
    uint8_t *bytes = NULL;
    size_t size = 0;
    vp_allocator a = vp_allocator_default();
    const uint32_t count = (uint32_t)strtoul(set->count, NULL, 10);
    if (!mesh_path(path))
        return vp_fail(error, VP_E_IO, "VOXPHYS_BENCH_MESHES names no folder with %s.off", mesh_family);
    vp_status status = vp_file_read(path, LARGEST, &a, &bytes, &size, error);
    if (status != VP_OK)
        return status;
    char *text = calloc(size + 1, 1);
    vp_vec3 *point = malloc((size_t)count * sizeof *point);
    if (text == NULL || point == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %.200s", path);
    } else {
        memcpy(text, bytes, size);
        status = parse(text, path, count, point, error);
    }
    free(text);
    vp_release(&a, bytes, size, 1);
    if (status != VP_OK) {
        free(point);
        return status;
    }
    read_points = vp_suite_entry(suite, sizeof *read_points, drop);
    read_points->first[1] = count;
    read_points->sets = (vp_point_sets){1, read_points->first, point};
    return VP_OK;
}

vp_status vp_hull_set_open(vp_suite *suite, const vp_hull_set *set, vp_suite_set *out, vp_error *error)
{
    if (strcmp(set->family, mesh_family) != 0)
        return vp_suite_open(suite, set->family, set->count, out, error);
    const vp_status status = read_points == NULL ? read_mesh(suite, set, error) : VP_OK;
    if (status != VP_OK)
        return status;
    *out = (vp_suite_set){.points = read_points->sets};
    snprintf(out->name, sizeof out->name, "%s/%s", set->family, set->count);
    return VP_OK;
}

vp_hull_set_text vp_hull_set_hash(const vp_hull_set *set, const vp_suite_set *workload)
{
    vp_hull_set_text out = {""};
    if (strcmp(set->family, mesh_family) == 0)
        snprintf(out.text, sizeof out.text, " data=%016" PRIx64, vp_set_hash(&vp_kind_points, &workload->points));
    return out;
}
