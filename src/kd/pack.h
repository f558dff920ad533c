/* SPDX-License-Identifier: MIT */
/* Converts a tree of the wide form to one of the packed or the implied form, in steps: first its size,
   then its contents. */
#ifndef VP_KD_PACK_H
#define VP_KD_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include <voxphys/status.h>

#include "src/kd/pack_nodes.h"

static inline bool vp_kd_keeps_all(vp_kd_form form)
{
    return form == VP_KD_PACKED || form == VP_KD_IMPLIED;
}

size_t vp_pack_scratch_bytes(uint32_t items);

/* Checks whether a mesh may fit at all, before a tree is built. */
vp_status vp_pack_check(vp_kd_form form, const vp_triangles *triangles, vp_error *error);

/* Finds vertices and nodes, into the scratch. @return VP_E_ARGUMENT if they do not fit; the message
   states the reason */
vp_status vp_pack_plan(vp_pack *pack, vp_error *error);

/* Writes a planned tree. @param to pack->bytes, 64-byte aligned; the view's arrays point into it */
void vp_pack_write(const vp_pack *pack, void *to, vp_kd_view *view);

#endif
