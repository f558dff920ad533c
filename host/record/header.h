/* SPDX-License-Identifier: MIT */
/* The header of a recording as layers. */
#ifndef VP_HOST_RECORD_HEADER_H
#define VP_HOST_RECORD_HEADER_H

#include "host/record/format.h"

struct json_t;

/* Reads the header's JSON.
   @param layers  out: room for VP_RECORD_LAYERS. Their texts live as long as *root, their columns and names as long as
                  *names. Free both with vp_record_header_drop
   @return VP_E_FORMAT with a message, VP_E_MEMORY */
vp_status vp_record_header_read(const uint8_t *text, size_t size, struct json_t **root, vp_record_about *about, vp_record_layer *layers,
                                uint32_t *count, vp_error *error);
void vp_record_header_drop(struct json_t *root, vp_record_layer *layers, uint32_t count);

#endif
