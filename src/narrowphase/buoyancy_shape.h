/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of buoyancy. Places are relative to the body's position, along the world's axes. */
#ifndef VP_NARROWPHASE_BUOYANCY_SHAPE_H
#define VP_NARROWPHASE_BUOYANCY_SHAPE_H

#include <stdbool.h>

#include <voxphys/buoyancy.h>

/* ---- volumes ---- */

/* A volume, and the integral of the place over it. Sums are linear. */
typedef struct vp_moments {
    double volume, moment[3];
} vp_moments;

/* sum += by * part */
static inline void vp_moments_add(vp_moments *sum, double by, const vp_moments *part)
{
    sum->volume += by * part->volume;
    for (int i = 0; i < 3; i++)
        sum->moment[i] += by * part->moment[i];
}

/* ---- water ---- */

/* A box of columns and layers of the world, [low, high). */
typedef struct vp_submerged_range {
    int64_t low[3], high[3];
} vp_submerged_range;

/* Most levels of a column: two for each second layer under a body. */
enum { VP_SUBMERGED_LEVELS = 516 };

/* The water of a range, seen from a body. */
typedef struct vp_waters {
    const vp_voxels *voxels;
    const vp_broadphase_view *bits; /* NULL: no tags */
    uint32_t top;                   /* layers of the world */
    vp_submerged_range range;       /* in the world */
    double height;                  /* of the body's position */
} vp_waters;

/* Class of a chunk. MIXED without tags. */
static inline vp_chunk_class vp_waters_tag(const vp_waters *w, int64_t x, int64_t y, int64_t z)
{
    if (w->bits == NULL)
        return VP_CHUNK_MIXED;
    const uint32_t slot = w->bits->slot[y * w->bits->slot_stride_y + z * w->bits->slot_stride_z + x];
    return slot < VP_CHUNK_MIXED ? (vp_chunk_class)slot : VP_CHUNK_MIXED;
}

/* Finds the water of a column in the range's layers. Its levels ascend: bottom, top, bottom, top. A column outside of the range has
 * no water. @return the number of levels */
uint32_t vp_waters_column(const vp_waters *waters, int64_t x, int64_t z, double level[VP_SUBMERGED_LEVELS]);

/* Whether all columns [low, high) have the same levels. `level` receives those of the first column. */
bool vp_waters_are_one(const vp_waters *waters, const vp_submerged_range *under, double level[VP_SUBMERGED_LEVELS], uint32_t *count);

/* ---- shapes ---- */

/* An interval. It is empty unless low < high. */
typedef struct vp_span {
    double low, high;
} vp_span;

/* Operations of a kind of shape. */
typedef struct vp_submerged_shape {
    void (*measure)(vp_buoyancy_body *body); /* computes low, high and whole */
    /* The part below a level, in closed form. The level is between body->low[1] and body->high[1]. */
    void (*below)(const vp_buoyancy_body *body, double level, vp_moments *out);
    /* The part in the water of a range, if columns under the body differ. `world` is all water under the body. */
    void (*in_columns)(const vp_buoyancy_body *body, const vp_waters *world, const vp_waters *range, const vp_submerged_range *under,
                       vp_moments *out);
} vp_submerged_shape;

extern const vp_submerged_shape vp_submerged_sphere, vp_submerged_capsule, vp_submerged_cylinder, vp_submerged_box, vp_submerged_hull;

/* Computes the part of a body below any level. */
static inline void vp_submerged_below(const vp_submerged_shape *shape, const vp_buoyancy_body *body, double level, vp_moments *out)
{
    *out = (vp_moments){0.0, {0.0, 0.0, 0.0}};
    if (level >= body->high[1]) {
        out->volume = body->whole.volume;
        for (int i = 0; i < 3; i++)
            out->moment[i] = body->whole.volume * body->whole.centre[i];
    } else if (level > body->low[1]) {
        shape->below(body, level, out);
    }
}

/* ---- lines ---- */

/* Vertical lines, and the ranges of y in a shape. low == high if a line misses it. Loops over them have no branch on a line, so that
 * compilers can vectorise them. */
enum { VP_LINES = 64 };
typedef struct vp_lines {
    uint32_t count;
    double x[VP_LINES], z[VP_LINES], low[VP_LINES], high[VP_LINES];
    double weight[VP_LINES], bottom[VP_LINES], top[VP_LINES]; /* of a line in a layer of water */
} vp_lines;

/* in_columns of round shapes. `chords` computes low and high. It reads only the shape and axis[1] of the body. */
void vp_submerged_lines(const vp_submerged_shape *shape, void (*chords)(const vp_buoyancy_body *body, vp_lines *lines),
                        const vp_buoyancy_body *body, const vp_waters *world, const vp_waters *range, const vp_submerged_range *under,
                        vp_moments *out);

/* Floor and ceiling of numbers within 2^41. */
static inline int64_t vp_floor_of(double value)
{
    const int64_t whole = (int64_t)value;
    return whole - ((double)whole > value);
}

static inline int64_t vp_ceiling_of(double value)
{
    const int64_t whole = (int64_t)value;
    return whole + ((double)whole < value);
}

#endif
