/* SPDX-License-Identifier: MIT */
/* Google Benchmark's JSON, read for the report: the samples of every benchmark, in an order that the file's
 * own does not matter for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kernels.h>

#include "src/core/error.h"
#include "tools/report_data.h"

enum { MOST_BENCHMARKS = 5000, UNKNOWN = 10000 };

vp_who vp_who_of(const char *who)
{
    size_t length = strlen(who);
    if (strcmp(who, "scalar") == 0)
        return VP_WHO_SCALAR;
    if (strcmp(who, "scalar-autovec") == 0)
        return VP_WHO_AUTOVEC;
    if (strcmp(who, "scalar-words") == 0)
        return VP_WHO_ISA; /* the optimized algorithm on no instruction set but C's */
    if (strcmp(who, "limit") == 0)
        return VP_WHO_LIMIT;
    if (strncmp(who, "peer-", 5) == 0)
        return VP_WHO_PEER;
    if (length > 6 && strcmp(who + length - 6, "-simde") == 0)
        return VP_WHO_SIMDE;
    for (unsigned i = 0; i < VP_ISA_COUNT; i++)
        if (strcmp(who, vp_isa_name((vp_isa)i)) == 0)
            return VP_WHO_ISA;
    return VP_WHO_OTHER;
}

/* ---- order: as in the registry and in the manifest, then by name ---- */

static int manifest_rank(const vp_manifest *manifest, const char *name, size_t length)
{
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const char *known = vp_manifest_entry(manifest, i)->name;
        if (strncmp(known, name, length) == 0 && known[length] == '\0')
            return (int)i;
    }
    return UNKNOWN;
}

static void set_ranks(vp_measured *m, const vp_manifest *manifest)
{
    m->rank[0] = UNKNOWN;
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
        if (strcmp(m->kernel, vp_kernel_name((vp_kernel_id)k)) == 0)
            m->rank[0] = (int)k;
    size_t world = strcspn(m->data, "/");
    const char *rest = m->data[world] == '/' ? m->data + world + 1 : "";
    m->rank[1] =
        manifest_rank(manifest, m->data, world) * 1000 + manifest_rank(manifest, rest, strlen(rest)) % 1000;
    m->rank[2] = (int)m->kind * 100;
    for (unsigned i = 0; i < VP_ISA_COUNT; i++)
        if (strncmp(m->who, vp_isa_name((vp_isa)i), strlen(vp_isa_name((vp_isa)i))) == 0)
            m->rank[2] = (int)m->kind * 100 + (int)i;
}

static int compare_rows(const void *left, const void *right)
{
    const vp_measured *a = left, *b = right;
    const char *const names[][2] = {{a->kernel, b->kernel}, {a->data, b->data}, {a->who, b->who}};
    for (int i = 0; i < 3; i++) {
        int order =
            a->rank[i] != b->rank[i] ? (a->rank[i] < b->rank[i] ? -1 : 1) : strcmp(names[i][0], names[i][1]);
        if (order != 0)
            return order;
    }
    return 0;
}

static int compare_figures(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* ---- reading ---- */

void vp_bench_destroy(vp_bench *bench)
{
    for (size_t i = 0; i < bench->count; i++) {
        free(bench->row[i].name);
        free(bench->row[i].ns);
    }
    free(bench->row);
    json_decref(bench->json);
    *bench = (vp_bench){0};
}

/* "kernel/who/data", cut at its first two slashes. */
static bool set_names(vp_measured *m, const char *name)
{
    size_t length = strlen(name);
    m->name = malloc(length + 1);
    if (m->name == NULL)
        return false;
    memcpy(m->name, name, length + 1);
    m->kernel = m->name;
    m->who = m->data = m->name + length;
    char *slash = strchr(m->name, '/');
    if (slash != NULL) {
        *slash = '\0';
        m->who = slash + 1;
        slash = strchr(slash + 1, '/');
    }
    if (slash != NULL) {
        *slash = '\0';
        m->data = slash + 1;
    }
    return true;
}

static vp_status add_sample(vp_measured *m, double ns, const char *path, vp_error *error)
{
    double *grown = realloc(m->ns, (m->count + 1) * sizeof *grown);
    if (grown == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    m->ns = grown;
    m->ns[m->count++] = ns;
    return VP_OK;
}

static const char *const counter_names[VP_COUNTERS] = {
    [VP_BITS_PER_VOXEL] = "bits_per_voxel",
    [VP_BITS_PER_VOXEL_TOTAL] = "bits_per_voxel_total",
    [VP_BYTES_PER_TRIANGLE] = "bytes_per_triangle",
    [VP_MESH_BYTES_PER_TRIANGLE] = "mesh_bytes_per_triangle",
    [VP_TRIANGLES_PER_MESH] = "triangles_per_mesh",
    [VP_NODES_PER_RAY] = "nodes_per_ray",
    [VP_TRIANGLES_PER_RAY] = "triangles_per_ray",
    [VP_DIFFER] = "differ",
    [VP_LOST] = "lost",
    [VP_HITS] = "hits",
    [VP_HITS_LOST] = "hits_lost",
    [VP_HITS_GAINED] = "hits_gained",
    [VP_HITS_MOVED] = "hits_moved",
    [VP_HITS_NEIGHBOUR] = "hits_neighbour",
    [VP_HITS_AT_ORIGIN] = "hits_at_origin",
    [VP_CHUNKS_BUILT] = "chunks_built",
    [VP_MOST_BYTES] = "most_bytes",
    [VP_PEAK_BYTES] = "peak_bytes",
    [VP_HITS_PER_RUN] = "hits_per_run",
    [VP_MISSES_PER_RUN] = "misses_per_run",
    [VP_EVICTIONS_PER_RUN] = "evictions_per_run",
    [VP_BUILT_PER_EDIT] = "built_per_edit",
    [VP_EDIT_NS] = "edit_ns",
    [VP_VOXELS_NS] = "voxels_ns",
    [VP_TOP_NS] = "top_ns",
    [VP_MESH_NS] = "mesh_ns",
    [VP_TREE_NS] = "tree_ns",
    [VP_RAY_NS] = "ray_ns",
    [VP_HULL_FAULTS] = "faults",
    [VP_HULL_VERTICES] = "vertices",
    [VP_HULL_FACES] = "faces",
    [VP_HULL_CORNERS] = "corners",
    [VP_COMPARISONS_PER_POINT] = "comparisons_per_point",
    [VP_LOOKS_PER_POINT] = "looks_per_point",
    [VP_MOVES_PER_POINT] = "moves_per_point",
    [VP_TRIANGLES_MADE] = "triangles_made",
    [VP_POLYGONS_REFUSED] = "refused",
    [VP_POLYGONS_MISSING] = "missing",
    [VP_POLYGONS_EXTRA] = "extra",
    [VP_POLYGONS_TURNED] = "turned",
};

/* One entry that is a single repetition, as a row of one sample. */
static vp_status read_entry(const json_t *entry, const char *name, const char *path,
                            const vp_manifest *manifest, vp_measured *m, vp_error *error)
{
    if (!set_names(m, name))
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    m->kind = vp_who_of(m->who);
    set_ranks(m, manifest);
    const char *label = vp_json_text(entry, "label");
    m->label = label != NULL ? label : "";
    for (size_t c = 0; c < VP_COUNTERS; c++)
        m->counter[c] = vp_json_figure(entry, counter_names[c]);
    if (json_is_true(json_object_get(entry, "error_occurred"))) {
        const char *message = vp_json_text(entry, "error_message");
        m->error = message != NULL ? message : "refused";
        return VP_OK;
    }
    double rate = vp_json_figure(entry, "items_per_second");
    if (!(rate > 0) || !isfinite(1e9 / rate))
        return vp_fail(error, VP_E_FORMAT, "%s: benchmark \"%.80s\" has no items_per_second above 0",
                       vp_show_path(path).text, name);
    if (!(rate > 1e-9 && rate < 1e18)) /* no scale has room for more, or for less */
        return vp_fail(error, VP_E_FORMAT, "%s: benchmark \"%.80s\" has %g items_per_second", vp_show_path(path).text, name, rate);
    return add_sample(m, 1e9 / rate, path, error);
}

/* Rows of the same benchmark become one. They stand side by side. */
static vp_status merge(vp_bench *bench, const char *path, vp_error *error)
{
    size_t kept = 0;
    vp_status status = VP_OK;
    for (size_t i = 0; i < bench->count; i++) {
        vp_measured *m = &bench->row[i], *last = kept != 0 ? &bench->row[kept - 1] : NULL;
        if (last == NULL || compare_rows(last, m) != 0) {
            bench->row[kept++] = *m;
            continue;
        }
        for (size_t s = 0; status == VP_OK && s < m->count; s++)
            status = add_sample(last, m->ns[s], path, error);
        if (m->error != NULL)
            last->error = m->error;
        free(m->name);
        free(m->ns);
    }
    bench->count = kept;
    for (size_t i = 0; i < kept; i++) {
        vp_measured *m = &bench->row[i];
        if (m->error != NULL)
            m->count = 0;
        if (m->count != 0)
            qsort(m->ns, m->count, sizeof *m->ns, compare_figures);
    }
    return status;
}

vp_status vp_bench_read(json_t *json, const char *path, const vp_manifest *manifest, vp_bench *out,
                        vp_error *error)
{
    *out = (vp_bench){.json = json_incref(json)};
    const json_t *list = json_object_get(json, "benchmarks");
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count == 0)
        return vp_fail(error, VP_E_FORMAT, "%s: \"benchmarks\" is not a list with something in it",
                       vp_show_path(path).text);
    out->row = calloc(count, sizeof *out->row);
    if (out->row == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(list, i);
        const char *name = vp_json_text(entry, "run_name"), *type = vp_json_text(entry, "run_type");
        if (name == NULL)
            name = vp_json_text(entry, "name");
        if (name == NULL)
            return vp_fail(error, VP_E_FORMAT, "%s: benchmark %zu has no name", vp_show_path(path).text, i);
        if (type != NULL && strcmp(type, "aggregate") == 0)
            continue;
        vp_status status = read_entry(entry, name, path, manifest, &out->row[out->count++], error);
        if (status != VP_OK)
            return status;
    }
    if (out->count == 0)
        return vp_fail(error, VP_E_FORMAT,
                       "%s: only aggregates are here, and no repetition; measure without --benchmark_report_aggregates_only",
                       vp_show_path(path).text);
    qsort(out->row, out->count, sizeof *out->row, compare_rows);
    vp_status status = merge(out, path, error);
    if (status == VP_OK && out->count > MOST_BENCHMARKS)
        return vp_fail(error, VP_E_FORMAT, "%s: %zu benchmarks, more than %d", vp_show_path(path).text,
                       out->count, MOST_BENCHMARKS);
    return status;
}

/* ---- questions ---- */

const vp_measured *vp_bench_find(const vp_bench *bench, const char *kernel, const char *who, const char *data)
{
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (m->count != 0 && strcmp(m->kernel, kernel) == 0 && strcmp(m->who, who) == 0 &&
            strcmp(m->data, data) == 0)
            return m;
    }
    return NULL;
}

static double middle(const double *ascending, size_t count)
{
    return (ascending[(count - 1) / 2] + ascending[count / 2]) / 2;
}

double vp_measured_ns(const vp_measured *m)
{
    return m == NULL || m->count == 0 ? NAN : middle(m->ns, m->count);
}

/* The median distance from the median. Distances below and above it ascend away from it: they are gone through as two
   lists that are merged, which takes no memory and so cannot lack it. */
double vp_measured_spread(const vp_measured *m)
{
    double centre = vp_measured_ns(m), before = 0, here = 0;
    if (isnan(centre))
        return NAN;
    size_t up = 0;
    while (up < m->count && m->ns[up] < centre)
        up++;
    size_t down = up;
    for (size_t i = 0; i <= m->count / 2; i++) {
        double below = down > 0 ? centre - m->ns[down - 1] : INFINITY;
        double above = up < m->count ? m->ns[up] - centre : INFINITY;
        before = here;
        here = below < above ? below : above;
        down -= below < above;
        up += !(below < above);
    }
    return m->count % 2 == 1 ? here : (before + here) / 2;
}

double vp_data_chunks(const vp_manifest *manifest, const char *data)
{
    int rank = manifest_rank(manifest, data, strcspn(data, "/"));
    if (rank == UNKNOWN || vp_manifest_entry(manifest, (size_t)rank)->kind != VP_DATASET_WORLD)
        return NAN;
    vp_dims n = vp_manifest_entry(manifest, (size_t)rank)->size;
    return ceil((double)n.x / 8) * ceil((double)n.y / 8) * ceil((double)n.z / 8);
}
