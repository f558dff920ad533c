/* SPDX-License-Identifier: MIT */
/* Names and colours of materials, for files and pictures. */
#ifndef VP_HOST_LOOKS_H
#define VP_HOST_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct vp_look {
    char name[48];     /* letters, digits and "_:.-" */
    uint8_t colour[3]; /* sRGB */
    bool clear;        /* transparent, as water */
} vp_look;

/* [material number] */
typedef struct vp_looks {
    vp_look of[256];
} vp_looks;

#endif
