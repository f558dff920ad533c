/* SPDX-License-Identifier: MIT */
/* The chunk codes of world files: conversions between an array of bricks and the payload of a section. docs/FORMATS.md
   describes the codes. */
#ifndef VP_WORLD_CODE_H
#define VP_WORLD_CODE_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/status.h>

/* Bricks as they are encoded.
   material  NULL for a section of materials; for one of occupancy the materials of the same chunks */
typedef struct vp_code_bricks {
    const uint8_t *bricks;
    const uint8_t *material;
    size_t chunks;
} vp_code_bricks;

/* Encodes. out NULL = only counts. @return the payload's bytes */
size_t vp_code_write(const vp_code_bricks *in, uint8_t *out);

/* Decodes a payload that must contain exactly `chunks` chunks.
   material  NULL for a section of materials; otherwise the materials that DERIVED chunks take their occupancy from
   out       NULL = only checks, in O(size), without reading material
   base      offset of the payload in the file, for the message
   returns VP_E_FORMAT */
typedef struct vp_code_payload {
    const uint8_t *bytes;
    size_t size, base, chunks;
    int occupancy; /* whether DERIVED is allowed */
} vp_code_payload;

vp_status vp_code_read(const vp_code_payload *payload, const uint8_t *material, uint8_t *out, vp_error *error);

#endif
