/* SPDX-License-Identifier: MIT */
/* A character during its move, and its obstacles. */
#ifndef VP_BODIES_CHARACTER_WORLD_H
#define VP_BODIES_CHARACTER_WORLD_H

#include <voxphys/casts.h>
#include <voxphys/character.h>

#include "src/core/real3.h"

/* A character during its move. */
typedef struct vp_walk {
    const vp_character_world *world;
    const vp_character *character;
    vp_cast_def cast; /* its pose is the character's position */
    vp_real3 up;
    double foot;   /* distance from the centre to the lowest point */
    double narrow; /* radius, or smallest half extent */
    double skin;   /* gap to obstacles */
    double cosine; /* smallest up component of a floor's normal */
    uint32_t casts;
    vp_error *error;
} vp_walk;

/* First obstacle on a way. */
typedef struct vp_walk_contact {
    bool hit, inside;
    double t, depth; /* as in vp_cast_hit */
    vp_real3 normal;
    vp_character_hit what;
} vp_walk_contact;

/* Casts a shape from a position against all obstacles. */
vp_status vp_walk_cast(vp_walk *w, const vp_collide_shape *shape, vp_vec3 from, vp_real3 way, vp_walk_contact *out);

/* Moves out of all overlaps. @param free  receives whether nothing overlaps any more. If not, the position is unchanged. */
vp_status vp_walk_recover(vp_walk *w, bool *free);

/* Moves a box in a world of blocks only. */
vp_status vp_walk_blocks(const vp_walk *w, vp_vec3 motion, vp_character_result *out);

static inline vp_vec3 vp_walk_at(const vp_walk *w)
{
    return w->cast.pose.position;
}

static inline vp_vec3 vp_walk_moved(vp_vec3 from, vp_real3 way, double part)
{
    return vp_real3_rounded(vp_real3_plus(vp_real3_of(from), way, part));
}

#endif
