/* SPDX-License-Identifier: MIT */
#include "tools/world/world.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads 4096, 16KiB, 256MiB, 1GiB. */
static bool read_bytes(const char *text, size_t *out)
{
    static const struct {
        const char *name;
        int shift;
    } units[] = {{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 18)
        return false;
    const unsigned long long number = strtoull(text, NULL, 10);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(text + digits, units[i].name) == 0 && number <= (SIZE_MAX - 1) >> units[i].shift) {
            *out = (size_t)number << units[i].shift;
            return true;
        }
    return false;
}

int vp_read_budget(const char *command, const vp_argument *a, const char *text)
{
    size_t *const to = a->to;
    if (text == NULL)
        return VP_EXIT_DONE;
    if (strcmp(text, "no-cache") == 0)
        *to = VP_TERRAIN_NO_CACHE;
    else if (strcmp(text, "no-limit") == 0)
        *to = VP_TERRAIN_NO_LIMIT;
    else if (!read_bytes(text, to) || *to == 0)
        return vp_command_usage(
            command, "--budget '%s': must be a number of bytes above 0, e.g. 4096, 16KiB or 256MiB, or no-cache or no-limit", text);
    return VP_EXIT_DONE;
}

vp_status vp_terrain_of(const vp_named_world *world, const vp_terrain_choice *choice, const vp_executor *executor, vp_terrain **out,
                        vp_error *error)
{
    const vp_terrain_def def = {.world = world->world,
                                .surfaces = 1u << choice->surface,
                                .form = choice->form,
                                .budget = choice->budget,
                                .kernels = &choice->kernels,
                                .executor = executor};
    return vp_terrain_create(&def, out, error);
}

struct json_t *vp_terrain_stats_json(const vp_terrain_stats *s)
{
    const bool limited = s->budget != VP_TERRAIN_NO_LIMIT; /* hits are counted only with a limit */
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:f}", "budget",
                     limited ? json_integer((json_int_t)s->budget) : json_null(), "bytes", (json_int_t)s->bytes, "most_bytes",
                     (json_int_t)s->peak_bytes, "scratch_bytes", (json_int_t)s->scratch_bytes, "fixed_bytes", (json_int_t)s->fixed_bytes,
                     "kept", (json_int_t)s->kept, "empty", (json_int_t)s->empty, "triangles", (json_int_t)s->triangles, "hits",
                     limited ? json_integer((json_int_t)s->hits) : json_null(), "misses", (json_int_t)s->misses, "built",
                     (json_int_t)s->built, "evictions", (json_int_t)s->evictions, "invalidations", (json_int_t)s->invalidations,
                     "transient", (json_int_t)s->transient, "build_seconds", (double)s->build_ns * 1e-9);
}

vp_bytes_text vp_show_bytes(double bytes)
{
    vp_bytes_text t;
    if (bytes < 1024)
        snprintf(t.text, sizeof t.text, "%.0f bytes", bytes);
    else if (bytes < 1024 * 1024)
        snprintf(t.text, sizeof t.text, "%.1f KiB", bytes / 1024);
    else
        snprintf(t.text, sizeof t.text, "%.1f MiB", bytes / (1024 * 1024));
    return t;
}
