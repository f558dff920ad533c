/* SPDX-License-Identifier: MIT */
/* The chunk codes of world files: how one array of bricks becomes the payload of a section, and back. The codes are
   described in docs/FORMATS.md. */
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

/* Encodes; out NULL: only counts. @return the payload's bytes */
size_t vp_code_write(const vp_code_bricks *in, uint8_t *out);

/* Decodes a payload that must code exactly so many chunks.
   material  NULL for a section of materials; else the occupancy of DERIVED chunks is taken from it
   out       NULL: only checks, in O(size); material is then not read
   base      where in the file the payload begins: for the message
   returns VP_E_FORMAT */
typedef struct vp_code_payload {
    const uint8_t *bytes;
    size_t size, base, chunks;
    int occupancy; /* whether DERIVED is allowed */
} vp_code_payload;

vp_status vp_code_read(const vp_code_payload *payload, const uint8_t *material, uint8_t *out, vp_error *error);

#endif
