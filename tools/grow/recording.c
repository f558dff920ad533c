/* SPDX-License-Identifier: MIT */
/* voxphys grow --record FILE: recordings of growth. */
#include "tools/grow/grow.h"

#include <stdio.h>

#include "src/core/error.h"

vp_status vp_grow_record_begin(vp_grow_recording *r, const char *path, const char *source, const vp_automaton *automaton, vp_error *error)
{
    char title[VP_RECORD_TEXT_BYTES / 2], shown[VP_RECORD_TEXT_BYTES / 4];
    vp_escape(source, shown, sizeof shown);
    snprintf(title, sizeof title, "voxphys grow %s", shown);
    const vp_record_about about = {.type = "grow", .title = title, .first = (uint32_t)vp_automaton_stats_of(automaton).step};
    vp_status status = vp_record_writer_create(path, &about, &r->writer, error);
    if (status == VP_OK)
        status = vp_automaton_record_begin(automaton, vp_record_writer_recorder(r->writer), &r->recording, error);
    return status;
}

vp_status vp_grow_record_step(vp_grow_recording *r, const vp_automaton *automaton, vp_error *error)
{
    return r->writer != NULL ? vp_automaton_record_step(automaton, &r->recording, error) : VP_OK;
}

vp_status vp_grow_record_end(vp_grow_recording *r, vp_error *error)
{
    vp_record_writer *writer = r->writer;
    r->writer = NULL;
    return writer != NULL ? vp_record_writer_close(writer, &r->written, NULL, error) : VP_OK;
}
