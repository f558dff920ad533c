/* SPDX-License-Identifier: MIT */
/* The header of a recording, read: layers as they were named. */
#ifndef VP_HOST_RECORD_HEADER_H
#define VP_HOST_RECORD_HEADER_H

#include "host/record/format.h"

struct json_t;

/* Reads the header's JSON. `layers` has room for VP_RECORD_LAYERS; what they point to lives as long as *root, and their columns and names
   as long as *names, both to be dropped with vp_record_header_drop.
   @return VP_E_FORMAT with what is wrong, VP_E_MEMORY */
vp_status vp_record_header_read(const uint8_t *text, size_t size, struct json_t **root, vp_record_about *about, vp_record_layer *layers,
                                uint32_t *count, vp_error *error);
void vp_record_header_drop(struct json_t *root, vp_record_layer *layers, uint32_t count);

/* What is wrong with a layer, `number` being its place: VP_E_ARGUMENT. Both sides ask. */
vp_status vp_record_layer_check(const vp_record_layer *layers, uint32_t number, vp_error *error);

#endif
