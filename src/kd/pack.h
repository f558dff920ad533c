/* SPDX-License-Identifier: MIT */
/* From a tree of the wide form to one of the packed or the implied form, in steps: what it takes, then where it goes. */
#ifndef VP_KD_PACK_H
#define VP_KD_PACK_H

#include <stddef.h>

#include <voxphys/kernel/kd.h>
#include <voxphys/status.h>

typedef struct vp_pack {
    /* given */
    vp_kd_form form;
    const vp_triangles *triangles;
    vp_aabb box;
    uint32_t items;
    const vp_kd_wide *wide;
    const vp_kd_item *item;
    const uint32_t *item_id;
    void *scratch; /* vp_pack_scratch_bytes, 64-byte aligned */
    /* found */
    float origin[3], pitch; /* of the lattice */
    uint32_t limit[3];      /* largest number on it */
    uint32_t vertices;      /* in use */
    uint32_t nodes, words;
    size_t bytes;           /* that all of it takes, from a multiple of 64 on */
    size_t mesh_bytes;      /* of it vertices, and where they are */
    /* in the scratch */
    vp_kd_packed_node *line;
    uint16_t *number, *original, (*lattice)[3], (*corner)[4];
    uint16_t *cell, *edge; /* of the implied form: of each vertex and item, as in vp_kd_implied_item.cell */
    uint64_t *word;        /* of the implied form: see vp_kd_cells */
    uint16_t *before;      /* the first one last */
    bool in_order;         /* of the implied form: vertices are in that of their cells */
} vp_pack;

static inline bool vp_kd_keeps_all(vp_kd_form form)
{
    return form == VP_KD_PACKED || form == VP_KD_IMPLIED;
}

size_t vp_pack_scratch_bytes(uint32_t items);

/* Whether a mesh may fit at all, before a tree is built. */
vp_status vp_pack_check(vp_kd_form form, const vp_triangles *triangles, vp_error *error);

/* Finds vertices and nodes, into the scratch. VP_E_ARGUMENT: does not fit; the message names what. */
vp_status vp_pack_plan(vp_pack *pack, vp_error *error);

/* Writes a planned tree. @param to  pack->bytes, 64-byte aligned; the view's arrays are parts of it */
void vp_pack_write(const vp_pack *pack, void *to, vp_kd_view *view);

/* src/kd/pack_nodes.c: fills pack->line. @return how many */
uint32_t vp_pack_nodes(const vp_pack *pack);

#endif
