/* SPDX-License-Identifier: MIT */
/* A tree while it is packed, and its nodes. See src/kd/pack.h. */
#ifndef VP_KD_PACK_NODES_H
#define VP_KD_PACK_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernel/kd.h>

typedef struct vp_pack {
    /* input */
    vp_kd_form form;
    const vp_triangles *triangles;
    vp_aabb box;
    uint32_t items;
    const vp_kd_wide *wide;
    const vp_kd_item *item;
    const uint32_t *item_id;
    void *scratch; /* vp_pack_scratch_bytes, 64-byte aligned */
    /* results */
    float origin[3], pitch; /* of the lattice */
    uint32_t limit[3];      /* largest number on it */
    uint32_t vertices;      /* in use */
    uint32_t nodes, words;
    size_t bytes;      /* size of all parts, from a multiple of 64 on */
    size_t mesh_bytes; /* the part of it for vertices, and for their positions */
    /* in the scratch */
    vp_kd_packed_node *line;
    uint16_t *number, *original, (*lattice)[3], (*corner)[4];
    uint16_t *cell, *edge; /* implied form: for each vertex and item, as in vp_kd_implied_item.cell */
    uint64_t *word;        /* implied form: see vp_kd_cells */
    uint16_t *before;      /* the first one last */
    bool in_order;         /* implied form: vertices are in the order of their cells */
} vp_pack;

/* Fills pack->line. @return the number of nodes */
uint32_t vp_pack_nodes(const vp_pack *pack);

#endif
