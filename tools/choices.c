/* SPDX-License-Identifier: MIT */
#include "tools/choices.h"

#include <jansson.h>

#include "host/thread_executor.h"

const char *const vp_form_names[VP_KD_FORM_COUNT] = {"wide", "packed", "implied", "published", "slab"};
const char *const vp_surface_names[VP_SURFACE_COUNT] = {"solid", "water"};
const char *const vp_cast_names[] = {
    [VP_CAST_CLOSEST] = "closest", [VP_CAST_ANY] = "any", [VP_CAST_ALL] = "all", [VP_CAST_SWEEP] = "sweep"};

int vp_read_threads(const char *command, const vp_argument *a, const char *text)
{
    uint64_t threads = 1;
    if (text != NULL && !vp_parse_u64(command, a->name, text, 1, 256, &threads))
        return VP_EXIT_USAGE;
    if (threads > 1 && !vp_has_threads())
        return vp_command_usage(command, "--threads %s: this build has no threads", text);
    *(uint32_t *)a->to = (uint32_t)threads;
    return VP_EXIT_DONE;
}

int vp_read_kernels(const char *command, const vp_argument *a, const char *text)
{
    vp_error error;
    if (text != NULL && vp_kernels_named(text, a->to, &error) != VP_OK)
        return vp_command_usage(command, "--isa: %s", error.message);
    return text == NULL && vp_kernels_default(a->to, &error) != VP_OK ? vp_command_fail(command, &error) : VP_EXIT_DONE;
}

json_t *vp_json_checked(vp_content content)
{
    return content == VP_CONTENT_OF_FILE ? json_null() : json_boolean(content == VP_CONTENT_CHECKED);
}
