/* SPDX-License-Identifier: MIT */
/* `voxphys decompose` cuts a mesh into convex hulls, writes them, and checks hulls from any source. */
#include "tools/decompose/decompose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/isa_names.h"
#include "datasets/hash.h"
#include "host/program.h"
#include "host/thread_executor.h"
#include "host/system.h"
#include "tools/choices.h"
#include "tools/commands.h"
#include "tools/dataset/dataset.h"

#ifndef __wasi__
#include "host/subprocess.h"
#endif

#define MAKER "voxphys decompose"

enum { MOST_MEASURED = 10000 }; /* triangles of a mesh whose hulls are judged without --check, because that takes longer than making them */

/* ---- decomposing ---- */

typedef struct watcher {
    vp_input_object *object; /* object that is decomposed */
    double density;
#ifdef __wasi__
    const int *stop; /* WASI has no signals */
#else
    volatile const sig_atomic_t *stop;
#endif
} watcher;

static bool on_progress(void *user, uint64_t done, uint64_t total)
{
    const watcher *w = user;
    vp_progress("decomposing", done, total);
    return w->stop == NULL || *w->stop == 0;
}

static void weigh_turned(void *user, const vp_decomposition_start *start)
{
    const watcher *w = user;
    w->object->turned = vp_turned_mesh_mass(start, w->density);
}

/* Copies the hulls of an object, each with points of its own. */
static void take_hulls(vp_decompose_run *r, uint32_t object)
{
    const vp_input_object *o = &r->mesh.object[object];
    for (uint32_t h = 0; h < o->parts.hull_count; h++) {
        const vp_decomposition_hull *from = &o->parts.hull[h];
        const vp_hull *hull = &from->hull;
        vp_hulls_begin(&r->hulls);
        if (!r->hulls.failed) {
            r->hulls.one[r->hulls.count - 1].object = object;
            r->hulls.one[r->hulls.count - 1].number = h;
        }
        for (uint32_t v = 0; v < hull->vertex_count; v++)
            vp_hulls_point(&r->hulls, from->point[hull->vertex[v]]);
        for (uint32_t t = 0; t < hull->triangle_count; t++)
            vp_hulls_triangle(&r->hulls, hull->triangle[t][0], hull->triangle[t][1], hull->triangle[t][2]);
        if (hull->dimension < 2)
            vp_hulls_triangle(&r->hulls, 0, hull->dimension, hull->dimension);
        for (uint32_t t = 0; t < from->triangle_count; t++)
            vp_hulls_source(&r->hulls, o->first + from->triangle[t]);
    }
}

/* XXH3-64 of each hull's counts, points and triangles. */
static uint64_t digest_of(const vp_hulls *hulls)
{
    vp_hasher h;
    vp_hash_begin(&h);
    for (uint32_t i = 0; i < hulls->count; i++) {
        const vp_hulls_one *one = &hulls->one[i];
        const uint32_t counts[2] = {one->points, one->triangles};
        vp_hash_words(&h, counts, 2);
        vp_hash_words(&h, hulls->point + one->point, (size_t)one->points * 3);
        vp_hash_words(&h, hulls->triangle[one->triangle], (size_t)one->triangles * 3);
    }
    return vp_hash_end(&h);
}

/* Decomposes, and records the steps if requested, also those before a failure. */
static vp_status create(vp_decompose_run *r, vp_decomposition_def *def, vp_decomposition *out, vp_error *error)
{
    vp_record_writer *writer;
    if (r->record == NULL)
        return vp_decomposition_create(def, out, error);
    VP_RETURN_IF_FAILED(vp_record_of_command(r->record, "decompose", r->name, (vp_record_about){0}, &writer, error));
    def->recorder = vp_record_writer_recorder(writer);
    vp_status status = vp_decomposition_create(def, out, error);
    const vp_status ended = vp_record_writer_close(writer, &r->recorded, NULL, status == VP_OK ? error : NULL);
    return status == VP_OK ? ended : status;
}

/* Sets the lengths of --quality that are not given. */
static void set_quality(vp_quality quality, double extent, vp_decomposition_def *def)
{
    static const double part[] = {[VP_QUALITY_FAST] = 0.02, [VP_QUALITY_DEFAULT] = 0.01, [VP_QUALITY_FINE] = 0.005};
    const double side = def->unit == VP_DECOMPOSITION_WORLD ? extent : def->scale > 0.0f ? (double)def->scale : 1000.0;
    if (quality == VP_QUALITY_DEFAULT)
        return;
    if (def->concavity == 0.0f && def->reach == 0.0f)
        def->concavity = (float)(part[quality] * side);
    if (def->spacing == 0.0f && def->rows == 0)
        def->spacing = (float)(part[quality] * side);
}

static vp_status decompose_object(vp_decompose_run *r, uint32_t object, vp_error *error)
{
    vp_input_object *o = &r->mesh.object[object];
    vp_decomposition_def def = r->def;
    def.point = o->vertex != NULL ? o->vertex : r->mesh.triangles.vertex;
    def.point_count = o->vertex != NULL ? o->vertices : r->mesh.triangles.vertex_count;
    def.triangle = (const uint32_t(*)[3])(o->triangle != NULL ? o->triangle : r->mesh.triangle);
    def.triangle_count = o->count;
    set_quality(r->quality, o->extent, &def);
    VP_RETURN_IF_FAILED(create(r, &def, &o->parts, error));
    take_hulls(r, object);
    return VP_OK;
}

static vp_status decompose(vp_decompose_run *r, int *signal_number, vp_error *error)
{
    const bool robot = r->format == VP_HULLS_URDF || r->format == VP_HULLS_MJCF;
    watcher w = {.density = (double)r->density};
    const vp_decomposition_watch watch = {.user = &w, .progress = on_progress, .on_start = robot && r->def.flip ? weigh_turned : NULL};
    const vp_executor executor = vp_thread_executor(r->threads);
    r->threads = executor.thread_count; /* the executor's count may be smaller */
    r->def.kernels = &r->kernels;
    r->def.executor = &executor;
    r->def.watch = &watch;
#ifdef __wasi__
    (void)signal_number;
#else
    w.stop = vp_watch_signals();
#endif
    const double begin = vp_seconds();
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < r->mesh.objects && status == VP_OK; i++) {
        w.object = &r->mesh.object[i];
        status = decompose_object(r, i, error);
    }
    r->seconds = vp_seconds() - begin;
    vp_progress("", 1, 1);
#ifndef __wasi__
    vp_leave_signals();
    *signal_number = (int)*w.stop;
#endif
    if (status != VP_OK)
        return status;
    if (r->hulls.failed)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u hulls", r->hulls.count);
    r->digest = digest_of(&r->hulls);
    return VP_OK;
}

/* ---- judging ---- */

static vp_status judge(vp_decompose_run *r, vp_judged_hull *hull, uint32_t *owner, vp_error *error)
{
    const vp_hulls *from = &r->hulls;
    const uint32_t triangles = r->mesh.triangles.triangle_count;
    bool owned = false;
    memset(owner, 0xff, triangles * sizeof *owner);
    for (uint32_t h = 0; h < from->count; h++) {
        const vp_hulls_one *one = &from->one[h];
        hull[h] = (vp_judged_hull){from->point + one->point, one->points, NULL, 0};
        if (one->triangles != 0) {
            hull[h].triangle = (const uint32_t(*)[3])(from->triangle + one->triangle);
            hull[h].triangles = one->triangles;
        }
        for (uint32_t s = one->source; s < one->source + one->sources; s++) {
            if (from->source[s] >= triangles)
                return vp_fail(error, VP_E_ARGUMENT, "hull %u is of triangle %u, and the mesh has %u: these hulls are of another mesh", h,
                               from->source[s], triangles);
            owner[from->source[s]] = h;
            owned = true;
        }
    }
    const double unit = r->def.unit == VP_DECOMPOSITION_WORLD ? 1.0
                        : r->def.scale > 0.0f                 ? r->mesh.extent / (double)r->def.scale
                                                              : r->mesh.extent / 1000.0;
    r->unit = unit;
    double quantum = 0.0;
    for (uint32_t i = 0; i < r->mesh.objects; i++)
        quantum = fmax(quantum, r->mesh.object[i].parts.lengths.quantization);
    quantum = quantum > 0.0 ? quantum : r->mesh.extent * 1e-4;
    r->s = r->within > 0.0f ? (double)r->within * unit : quantum;
    const vp_decomposition_question asked = {
        .mesh = r->mesh.triangles, .owner = owned ? owner : NULL, .hull = hull, .hulls = from->count, .s = r->s};
    vp_progress("judging", 0, 1);
    const double begin = vp_seconds();
    const vp_status status = vp_decomposition_judge(&asked, &r->verdict, error);
    r->judge_seconds = vp_seconds() - begin;
    vp_progress("", 1, 1);
    return status;
}

/* Checks the run's hulls against its mesh. @return VP_E_ARGUMENT for hulls that refer to missing triangles, VP_E_MEMORY */
static vp_status decompose_run_judge(vp_decompose_run *r, vp_error *error)
{
    vp_judged_hull *hull = calloc((size_t)r->hulls.count + 1, sizeof *hull);
    uint32_t *owner = malloc(((size_t)r->mesh.triangles.triangle_count + 1) * sizeof *owner);
    vp_status status = hull != NULL && owner != NULL ? judge(r, hull, owner, error)
                                                     : vp_fail(error, VP_E_MEMORY, "no memory to judge %u hulls", r->hulls.count);
    free(hull);
    free(owner);
    if (status != VP_OK)
        return status;
    r->judged = r->check;
    r->measured = true;
    /* the lengths of an open mesh's solid are NAN, which is worse than any limit */
    r->within_limits = (r->max_reach == 0.0f || r->verdict.reach.high <= (double)r->max_reach * r->unit) &&
                       (r->min_covered == 0.0f || r->verdict.covered_solid.low * 100.0 >= (double)r->min_covered);
    /* areas have a relative error of about 2^-40 */
    r->right = r->verdict.invalid == 0 && r->verdict.uncovered_area <= r->verdict.area * 0x1p-30 && r->verdict.lost == 0;
    return VP_OK;
}

/* ---- writing ---- */

/* Moves each hull away from the centre of all. */
static void explode(vp_hulls *hulls, float by)
{
    vp_vec3 low = hulls->point[0], high = low;
    for (uint32_t i = 1; i < hulls->points; i++) {
        low = vp_vec3_min(low, hulls->point[i]);
        high = vp_vec3_max(high, hulls->point[i]);
    }
    const vp_vec3 middle = vp_vec3_scale(vp_vec3_add(low, high), 0.5f);
    for (uint32_t h = 0; h < hulls->count; h++) {
        vp_vec3 *point = hulls->point + hulls->one[h].point;
        low = high = point[0];
        for (uint32_t i = 1; i < hulls->one[h].points; i++) {
            low = vp_vec3_min(low, point[i]);
            high = vp_vec3_max(high, point[i]);
        }
        const vp_vec3 away = vp_vec3_scale(vp_vec3_sub(vp_vec3_scale(vp_vec3_add(low, high), 0.5f), middle), by);
        for (uint32_t i = 0; i < hulls->one[h].points; i++)
            point[i] = vp_vec3_add(point[i], away);
    }
}

/* An URDF names its files, and no XML can have these characters, not even as numbers. */
static vp_status check_urdf_name(const char *path, vp_error *error)
{
    for (const char *c = vp_name_in_folder(path); *c != '\0'; c++)
        if (*c > '\0' && *c < ' ' && strchr("\t\n\r", *c) == NULL)
            return vp_fail(error, VP_E_ARGUMENT, "-o '%s': an URDF can't name files with the character 0x%02x", vp_show_path(path).text,
                           *c);
    return VP_OK;
}

/* Names the hulls, and weighs the objects of a robot, whose engines refuse flat hulls. */
static vp_status name_hulls(vp_decompose_run *r, vp_error *error)
{
    const bool robot = r->format == VP_HULLS_URDF || r->format == VP_HULLS_MJCF;
    vp_hulls_object *object = calloc(r->mesh.objects, sizeof *object);
    r->object = object;
    if (object == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u objects", r->mesh.objects);
    for (uint32_t i = 0, hull = 0; i < r->mesh.objects; i++) {
        vp_input_object *o = &r->mesh.object[i];
        object[i].name = o->name;
        if (robot)
            object[i].mass = vp_input_object_mass(&r->mesh, o, (double)r->density);
        for (uint32_t h = 0; h < o->parts.hull_count && robot; h++, hull++)
            if (o->parts.hull[h].hull.dimension < 3)
                return vp_fail(error, VP_E_UNSUPPORTED,
                               "-o '%s': hull %u is flat, which physics engines refuse; --min-volume merges it with a neighbour",
                               vp_show_path(r->out).text, hull);
    }
    r->hulls.object = object;
    r->hulls.objects = r->mesh.objects;
    VP_RETURN_IF_FAILED(r->format == VP_HULLS_URDF ? check_urdf_name(r->out, error) : VP_OK);
    for (uint32_t h = 0; h < r->hulls.count && r->format == VP_HULLS_URDF; h++)
        if (vp_same_file(r->name, vp_hulls_beside(r->out, h).text))
            return vp_fail(error, VP_E_ARGUMENT, "'%s', for hull %u, is the file that is read",
                           vp_show_path(vp_hulls_beside(r->out, h).text).text, h);
        else
            VP_RETURN_IF_FAILED(vp_can_write(vp_hulls_beside(r->out, h).text, error));
    return VP_OK;
}

/* ---- the command ---- */

/* Opens the mesh. It must not read files that are to be written: an OBJ's colours, or the recording. `out` is checked elsewhere. */
static vp_status open_mesh(vp_decompose_run *r, vp_error *error)
{
    vp_file_name colours = {""};
    const bool coloured = r->out != NULL && r->format == VP_HULLS_OBJ;
    if (coloured)
        colours = vp_mesh_materials_file(r->out);
    const char *read[2] = {r->name, r->hulls_name}, *written = coloured ? colours.text : r->out;
    for (int i = 0; r->out != NULL && i < 2; i++)
        if (read[i] != NULL && (vp_same_file(read[i], r->out) || vp_same_file(read[i], written)))
            return vp_fail(error, VP_E_ARGUMENT, "FILE '%s' is the file that is read", vp_show_path(r->out).text);
    if (coloured && vp_same_file(r->out, colours.text))
        return vp_fail(error, VP_E_ARGUMENT, "'%s', for the colours, and FILE are one file", vp_show_path(colours.text).text);
    if (r->out != NULL)
        VP_RETURN_IF_FAILED(vp_can_write(r->out, error));
    if (r->record != NULL && vp_same_file(r->name, r->record))
        return vp_fail(error, VP_E_ARGUMENT, "--record '%s' is the file that is read", vp_show_path(r->record).text);
    if (r->record != NULL && r->out != NULL && (vp_same_file(r->out, r->record) || vp_same_file(written, r->record)))
        return vp_fail(error, VP_E_ARGUMENT, "--record '%s' and what -o writes are one file", vp_show_path(r->record).text);
    if (r->record != NULL)
        VP_RETURN_IF_FAILED(vp_can_write(r->record, error));
    return vp_input_mesh_open(r->name, r->has_box ? r->box : NULL, r->per_object, written, &r->kernels, r->threads, &r->mesh, error);
}

static vp_status run(vp_decompose_run *r, int *signal_number, vp_error *error)
{
    VP_RETURN_IF_FAILED(r->hulls_name != NULL ? vp_hulls_read(r->hulls_name, &r->hulls, error) : VP_OK);
    VP_RETURN_IF_FAILED(open_mesh(r, error));
    if (r->hulls_name == NULL)
        VP_RETURN_IF_FAILED(decompose(r, signal_number, error));
    if (r->hulls_name == NULL)
        vp_decompose_run_warn(r);
    const bool measures = r->hulls_name == NULL && !r->json && r->mesh.triangles.triangle_count <= MOST_MEASURED;
    if (r->check || measures)
        VP_RETURN_IF_FAILED(decompose_run_judge(r, error));
    if (r->out != NULL) {
        if (r->explode > 0.0f)
            explode(&r->hulls, r->explode);
        VP_RETURN_IF_FAILED(name_hulls(r, error));
        VP_RETURN_IF_FAILED(vp_hulls_write(r->out, r->format, &r->hulls, MAKER, error));
    }
    return VP_OK;
}

/* Reads a number above 0. */
static int read_length(const char *command, const vp_argument *a, const char *text)
{
    const int code = vp_read_float(command, a, text);
    const float length = *(float *)a->to;
    if (code != VP_EXIT_DONE || text == NULL || length > 0.0f)
        return code;
    return vp_command_usage(
        command, length == 0.0f && strtod(text, NULL) > 0.0 ? "%s '%s' is too small: in 32 bits it is 0" : "%s '%s' is not above 0",
        a->name, text);
}
#define LENGTH(to) VP_BY(read_length, VP_TYPED(float, to))

/* Checks options before anything is read. @return the exit code */
static int refuse(const vp_command_line *line, vp_decompose_run *r)
{
    static const char *const making[] = {
        "-o",           "--record",  "--quantization", "--concavity",   "--spacing", "--min-hulls",    "--max-hulls", "--max-vertices",
        "--min-volume", "--quality", "--rows",         "--flat",        "--flip",    "--surface-only", "--explode",   "--per-object",
        "--names",      "--density", "--merge-shells", "--max-seconds", "--reach",
        "--exact"};
    static const char *const exceeding[] = {"--concavity", "--max-hulls", "--min-volume"};
    static const char *const sampling[] = {"--spacing", "--rows"};
    static const char *const judging[] = {"--within", "--max-reach", "--min-covered"};
    const bool judged = line->others == 2;
    if (judged && !r->check)
        return vp_command_usage("decompose", "two arguments are hulls and the mesh to judge them by: --check");
    for (size_t i = 0; judged && i < sizeof making / sizeof making[0]; i++)
        if (vp_given(line, making[i]) != NULL)
            return vp_command_usage("decompose", "option '%s' is for decomposing, not for judging HULLS", making[i]);
    if (judged && !vp_is_hulls_file(r->hulls_name))
        return vp_command_usage("decompose", "HULLS '%s': must end with one of .obj, .json, .gltf, .glb, .ply, .stl, .off", r->hulls_name);
    for (size_t i = 0; !r->check && i < sizeof judging / sizeof judging[0]; i++)
        if (vp_given(line, judging[i]) != NULL)
            return vp_command_usage("decompose", "option '%s' is for --check", judging[i]);
    if (r->def.max_hulls != 0 && r->def.max_hulls < r->def.min_hulls)
        return vp_command_usage("decompose", "--max-hulls %u: must be >= --min-hulls", r->def.max_hulls);
    for (size_t i = 0; r->def.reach > 0.0f && i < sizeof exceeding / sizeof exceeding[0]; i++)
        if (vp_given(line, exceeding[i]) != NULL)
            return vp_command_usage("decompose", "--reach and %s exclude each other", exceeding[i]);
    for (size_t i = 0; r->def.exact && i < sizeof sampling / sizeof sampling[0]; i++)
        if (vp_given(line, sampling[i]) != NULL)
            return vp_command_usage("decompose", "--exact and %s exclude each other", sampling[i]);
    if (vp_given(line, "--rows") != NULL && vp_given(line, "--spacing") != NULL)
        return vp_command_usage("decompose", "--rows and --spacing exclude each other");
    if (vp_given(line, "--scale") != NULL && r->def.unit == VP_DECOMPOSITION_WORLD)
        return vp_command_usage("decompose", "option '--scale' is for --unit cube");
    if (vp_given(line, "--explode") != NULL && r->out == NULL)
        return vp_command_usage("decompose", "option '--explode' is for -o");
    if (vp_given(line, "--names") != NULL && r->out == NULL)
        return vp_command_usage("decompose", "option '--names' is for -o");
    if (r->out != NULL && !vp_hulls_format_of(r->out, &r->format))
        return vp_command_usage("decompose", "-o '%s': must end with one of " VP_HULLS_ENDS, r->out);
    if (vp_given(line, "--explode") != NULL && (r->format == VP_HULLS_URDF || r->format == VP_HULLS_MJCF))
        return vp_command_usage("decompose", "--explode is for pictures; -o '%s' has masses and centres", r->out);
    if (vp_given(line, "--density") != NULL && (r->out == NULL || (r->format != VP_HULLS_URDF && r->format != VP_HULLS_MJCF)))
        return vp_command_usage("decompose", "option '--density' is for -o with .urdf or .xml");
    if (r->record != NULL && r->per_object)
        return vp_command_usage("decompose", "--record is of one decomposition; it excludes --per-object");
    if (r->record != NULL && !vp_ends(r->record, ".vpr"))
        return vp_command_usage("decompose", "--record '%s' does not end with .vpr", vp_show_path(r->record).text);
    return VP_EXIT_DONE;
}

int vp_command_decompose(int argc, char **argv)
{
    static const char *const units[] = {"cube", "world"}, *const flats[] = {"area", "rays"},
                             *const qualities[] = {"fast", "default", "fine"}, *const namings[] = {"plain", "ucx", "godot"};
    static vp_decompose_run run_of;
    vp_decompose_run *const r = &run_of;
    r->quality = VP_QUALITY_DEFAULT;
    r->density = 1000.0f;
    bool world, rays;
    const vp_argument arguments[] = {
        VP_GROUP("Decomposition"),
        {"--quantization", "S", "tolerance, above 0 (default 0.1): points closer than S are one, sets thinner than S are flat",
         LENGTH(&r->def.quantization)},
        {"--quality", "HOW", "default of --concavity and --spacing, in thousandths of the box: fast (20), default (10), fine (5)",
         VP_WORD(&r->quality, qualities)},
        {"--concavity", "C", "maximum error, above 0 (default 10)", LENGTH(&r->def.concavity)},
        {"--reach", "R", "limit how far hulls reach beyond the solid, above 0, instead of the error; prints a proven bound",
         LENGTH(&r->def.reach)},
        {"--exact", NULL, "measure errors at all points of the surface instead of samples", VP_FLAG(&r->def.exact)},
        {"--spacing", "D", "distance between samples of the surface, above 0 (default 10)", LENGTH(&r->def.spacing)},
        {"--scale", "E", "unit of length: 1/E of the longest side of the mesh's box, above 0 (default 1000)", LENGTH(&r->def.scale)},
        {"--unit", "UNIT",
         "unit of lengths: cube, as --scale sets it, or world, the mesh's own, where defaults are 1/10000 and 1/100 (default cube)",
         VP_EITHER(&world, units)},
        {"--min-hulls", "N", "stop merging when N hulls are left, 1 to 16777216 (default 1)",
         VP_U32(&r->def.min_hulls, 1, VP_DECOMPOSE_MAX_TRIANGLES)},
        {"--max-hulls", "N", "allow larger errors until at most N hulls are left; parts without a common edge never merge",
         VP_U32(&r->def.max_hulls, 1, VP_DECOMPOSE_MAX_TRIANGLES)},
        {"--max-vertices", "N", "vertices of a hull, 4 to 134217728; surface is lost where a hull would need more",
         VP_U32(&r->def.max_vertices, 4, VP_HULL_MAX_POINTS)},
        {"--min-volume", "V", "merge hulls of less volume with a neighbour at any error, above 0, in cubic units",
         LENGTH(&r->def.min_volume)},
        {"--merge-shells", NULL, "also merge hulls of parts that touch or overlap", VP_FLAG(&r->def.merge_shells)},
        {"--max-seconds", "S", "stop merging after S seconds, above 0; the result then depends on the machine",
         LENGTH(&r->def.max_seconds)},
        {"--rows", "N", "sample each triangle in N rows, like HACD, instead of evenly, 1 to 1024", VP_U32(&r->def.rows, 1, 1024)},
        {"--flat", "HOW", "error of flat hulls: area or rays (default area)", VP_EITHER(&rays, flats)},
        {"--surface-only", NULL, "add no points inside closed parts: hulls of the mesh's vertices alone, which can leave gaps and be flat",
         VP_FLAG(&r->def.surface_only)},
        {"--flip", NULL, "turn triangles that face the other way than their part, and closed parts that are inside out",
         VP_FLAG(&r->def.flip)},
        {"--per-object", NULL,
         "decompose each object of a mesh file on its own, with lengths of its own box: objects or else groups of an OBJ, nodes of a glTF",
         VP_FLAG(&r->per_object)},
        {"--box", "X0,Y0,Z0,X1,Y1,Z1", "for a world: take only triangles that lie entirely in this box of voxels", VP_I32S(r->box, 6)},
        VP_GROUP("Judging"),
        {"--check", NULL, "judge the hulls: reach, covered surface and volume, overlap, validity; exit code 1 if they fail",
         VP_FLAG(&r->check)},
        {"--within", "S", "with --check: surface up to S from a hull is covered, above 0 (default: the quantization)", LENGTH(&r->within)},
        {"--max-reach", "R", "with --check: fail if a hull may reach farther than R beyond the solid, above 0", LENGTH(&r->max_reach)},
        {"--min-covered", "P", "with --check: fail if less than P percent of the solid's volume are in hulls, 0 to 100",
         VP_WITHIN(&r->min_covered, 0, 100)},
        VP_GROUP("Execution and output"),
        {"-o", "FILE",
         "write the hulls: FILE ends with .obj (with colours in a .mtl file), .glb, .json, .stl, .off, .urdf (with an .stl for each hull) "
         "or "
         ".xml (MJCF)",
         VP_TEXT(&r->out)},
        {"--names", "HOW",
         "names in FILE: plain (hull-0), ucx (UCX_OBJECT_00, for Unreal) or godot (OBJECT-00-convcolonly) (default plain)",
         VP_WORD(&r->hulls.naming, namings)},
        {"--density", "D", "for .urdf and .xml: mass of a cubic unit of MESH, above 0 (default 1000)", LENGTH(&r->density)},
        {"--explode", "F", "in FILE: move each hull away from the middle by F times its distance, 0 to 100 (default 0)",
         VP_WITHIN(&r->explode, 0, 100)},
        {"--record", "FILE", "record each step to FILE.vpr, for 'voxphys view'", VP_TEXT(&r->record)},
        {"--isa", "NAME", "kernels: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&r->kernels)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1); the hulls are the same for any number", VP_ASK_THREADS(&r->threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&r->json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        "decompose", "[HULLS] MESH [OPTION...]", 1, 2, arguments,
        "Decompose a mesh into convex hulls, or judge given hulls.\n"
        "Triangles merge, smallest error first, up to the maximum error (RoHACD).\n"
        "MESH is a mesh file (.obj, .ply, .stl, .off, .gltf, .glb), a data set of one solid ('solid-gear') or one\n"
        "mesh, or a world, whose solid surface is taken. The mesh may be open, non-manifold or damaged. Problems are\n"
        "reported. With HULLS and --check, hulls of any program are judged instead: an .obj with an object for each\n"
        "hull, a .gltf or .glb with a node for each, an .stl with a solid for each, or a .json. Exit code 1: a hull is invalid, a part of "
        "MESH's\n"
        "surface is in no hull, or a limit is exceeded. Without --check, reach and covered volume are printed for meshes of\n"
        "up to 10,000 triangles, except with --json.\n\n"
        "Example: voxphys decompose solid-gear -o gear.obj --check\n"
        "Example: voxphys decompose solid-gear -o gear.glb --names godot --max-hulls 12 --max-vertices 32\n"
        "Example: voxphys decompose gear.obj --per-object --quality fast -o gear.stl\n"
        "Example: voxphys decompose solid-gear --min-volume 1000 --density 1e-6 -o gear.urdf");
    int code, signal_number = 0;
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    r->hulls_name = line.others == 2 ? argv[1] : NULL;
    r->name = argv[line.others];
    r->has_box = vp_given(&line, "--box") != NULL;
    r->def.unit = world ? VP_DECOMPOSITION_WORLD : VP_DECOMPOSITION_CUBE;
    r->def.flat = rays ? VP_DECOMPOSITION_FLAT_RAYS : VP_DECOMPOSITION_FLAT_AREA;
    if ((code = refuse(&line, r)) != VP_EXIT_DONE)
        return code;
    const vp_status status = run(r, &signal_number, &error);
    if (status != VP_OK && signal_number != 0) {
        fprintf(stderr, "voxphys decompose: ended by signal %d: nothing is written%s\n", signal_number,
                r->record != NULL ? " but the steps until then" : "");
        code = VP_EXIT_FAILED;
    } else {
        code = status != VP_OK ? vp_command_fail("decompose", &error) : vp_decompose_print_run(r);
    }
    vp_decomposition_drop(&r->verdict);
    vp_hulls_destroy(&r->hulls);
    free(r->object);
    vp_input_mesh_close(&r->mesh);
    return code;
}
