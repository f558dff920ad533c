/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_RECORD_H
#define VOXPHYS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/status.h>

/** @file
 *  Step records: callbacks that receive the state of an algorithm step by step. `voxphys ... --record FILE` writes a file that `voxphys
 *  view` turns into a page (docs/FORMATS.md).
 *
 *      const vp_record_layer layer = {.name = "bodies", .kind = VP_RECORD_ITEMS, .scale = 4096};
 *      const uint32_t bodies = r->layer(r->user, &layer);
 *      const uint32_t ball = r->shape(r->user, &(vp_record_shape){VP_RECORD_SPHERE, .scale = 4096, .size = {0.5}});
 *      r->item(r->user, bodies, &(vp_record_item){.id = 7, .shape = ball, .position = {0, 9, 0}});
 *      status = r->frame(r->user, &error);
 *
 *  First all layers, then frames of any number of calls, each ended by `frame`. A layer without a call is unchanged, except that arrays and
 *  texts vanish unless their layer has `hold`. After a failure calls do nothing, and `frame` returns it. It is VP_E_ARGUMENT for an unknown
 *  layer or item or a number beyond the scale, VP_E_MEMORY or VP_E_IO.
 *
 *  Positions, sizes and columns are stored in signed 32-bit steps of 1/scale (REC-1). All data is copied. One thread at a time
 *  calls a recorder. A recorder of NULL records nothing. */

#ifdef __cplusplus
extern "C" {
#endif

/** Limits, of a layer or of a list. Bytes include the final zero. */
enum {
    VP_RECORD_LAYERS = 64,
    VP_RECORD_COLUMNS = 32,
    VP_RECORD_NAMES = 256,
    VP_RECORD_NAME_BYTES = 64,
    VP_RECORD_TEXT_BYTES = 1024,
    VP_RECORD_IDS = 1 << 24,
    VP_RECORD_CELLS = 1 << 30
};

/** Colour chosen by the page. Black is 0x010101. */
#define VP_RECORD_ANY_COLOUR UINT32_C(0)

/** Content of a layer. */
typedef enum vp_record_kind {
    VP_RECORD_ITEMS,   /**< Instances of shapes, which move and change. */
    VP_RECORD_ARRAY,   /**< Rows without identity, drawn or in a table. */
    VP_RECORD_TEXTS,   /**< At places or in the page's panel. */
    VP_RECORD_SCALARS, /**< Exact, plotted over frames. */
    VP_RECORD_VOXELS   /**< Grid, by changes. */
} vp_record_kind;

/** Drawing of an array. Each row has these numbers, then the columns. */
typedef enum vp_record_draw {
    VP_RECORD_TABLE,     /**< Not drawn. */
    VP_RECORD_POINTS,    /**< x y z. */
    VP_RECORD_LINES,     /**< Both ends. */
    VP_RECORD_ARROWS,    /**< Tail, vector to the tip. */
    VP_RECORD_BOXES,     /**< Lower corner, upper corner. */
    VP_RECORD_SPHERES,   /**< Centre, radius. */
    VP_RECORD_TRIANGLES, /**< Three corners. */
    VP_RECORD_DRAWS
} vp_record_draw;

/** Returns the count of these numbers. */
VP_API uint32_t vp_record_draw_numbers(vp_record_draw draw);

/** Colour of items. */
typedef enum vp_record_colouring {
    VP_RECORD_BY_STATE,    /**< By `states`. */
    VP_RECORD_BY_MATERIAL, /**< Materials of mesh triangles. */
    VP_RECORD_BY_ID
} vp_record_colouring;

/** Name of a number. */
typedef struct vp_record_name {
    const char *name; /**< UTF-8, shorter than VP_RECORD_NAME_BYTES. */
    uint32_t colour;  /**< 0xRRGGBB, or VP_RECORD_ANY_COLOUR. */
} vp_record_name;

/** Meaning of a column's numbers. Negative = empty. */
typedef enum vp_record_meaning {
    VP_RECORD_NUMBER,
    VP_RECORD_WORD,  /**< Index in `words`. */
    VP_RECORD_FRAME, /**< Frame that a click shows. */
    VP_RECORD_ITEM,  /**< Item of the layer `of`. */
    VP_RECORD_ORIGIN /**< Item that became this one, likewise. */
} vp_record_meaning;

/** Column of scalars, an array or items. */
typedef struct vp_record_column {
    const char *name;            /**< As vp_record_name. */
    double scale;                /**< Steps a unit, 1 for integers. 0 = exact, 8 bytes a number. */
    vp_record_meaning meaning;   /**< VP_RECORD_NUMBER for scalars. */
    uint32_t of;                 /**< Layer of a VP_RECORD_ITEM. */
    const vp_record_name *words; /**< For VP_RECORD_WORD. [word_count] */
    uint32_t word_count;
} vp_record_column;

/** Layer. Unused members are 0. */
typedef struct vp_record_layer {
    const char *name;  /**< Unique, as vp_record_name. */
    const char *about; /**< Caption. If a table has two VP_RECORD_ITEM columns of one layer, the page asks this of a pair. */
    vp_record_kind kind;
    bool hidden;    /**< Hidden at first. */
    double opacity; /**< Up to 1. 0 = opaque. */

    double scale;                    /**< Items, arrays, texts: steps a unit of positions, > 0. */
    const vp_record_column *columns; /**< Items, arrays, scalars. [column_count] */
    uint32_t column_count;           /**< At least 1 for scalars. */

    vp_record_colouring colouring; /**< Items. */
    const vp_record_name *states;  /**< Items. [state_count] */
    uint32_t state_count;
    const vp_record_name *materials; /**< Items (mesh triangles), voxels. [material_count] */
    uint32_t material_count;

    vp_record_draw draw; /**< Arrays. */
    uint32_t colour;     /**< Arrays. */
    bool placed;         /**< Texts: at places, not in the page's panel. */
    bool hold;           /**< Arrays, texts: last until replaced. */

    vp_ivec3 low; /**< Voxels: place of cell 0, in cells. */
    vp_dims size; /**< Voxels. Cell (x, y, z) is (y*size.z + z)*size.x + x. */
} vp_record_layer;

/** Form, centred at the origin. */
typedef enum vp_record_form {
    VP_RECORD_BOX,      /**< Half extents `size`. */
    VP_RECORD_SPHERE,   /**< Radius size[0]. */
    VP_RECORD_CAPSULE,  /**< Along y, radius size[0], half length size[1] of the segment. */
    VP_RECORD_CYLINDER, /**< Along y, radius size[0], half height size[1]. */
    VP_RECORD_MESH,
    VP_RECORD_FORMS
} vp_record_form;

/** Shape of items. */
typedef struct vp_record_shape {
    vp_record_form form;
    double scale;             /**< Steps a unit, > 0. */
    double size[3];           /**< Not for meshes, >= 0. */
    const float *corner;      /**< Mesh: x, y, z of each corner. [3 * corner_count] */
    uint32_t corner_count;    /**< Unused ones are not stored. */
    const uint32_t *triangle; /**< Mesh: counterclockwise from outside. [3 * triangle_count] */
    uint32_t triangle_count;
    const uint8_t *material; /**< Mesh, or NULL = 0. [triangle_count] */
} vp_record_shape;

/** State of an item from this frame on. */
typedef struct vp_record_item {
    uint32_t id; /**< Below VP_RECORD_IDS. Reusable after removal. */
    uint32_t shape;
    uint32_t state;       /**< As vp_record_layer.states. */
    double position[3];   /**< Shape's origin. */
    double rotation[4];   /**< Unit quaternion x, y, z, w, to 1/32767. All 0 = none. */
    const double *values; /**< Layer's columns, or NULL. [column_count] */
} vp_record_item;

/** Text of a frame. */
typedef struct vp_record_text {
    double at[3];     /**< In a layer that is `placed`. */
    const char *text; /**< UTF-8, shorter than VP_RECORD_TEXT_BYTES. */
} vp_record_text;

/** Changed cell. */
typedef struct vp_record_voxel {
    uint32_t cell;
    uint8_t material; /**< 0 = empty. */
} vp_record_voxel;

/** Callbacks. Only `user` can be NULL. */
typedef struct vp_recorder {
    void *user;

    /** Adds a layer, before the first frame. @return its number, from 0. 0 after a failure */
    uint32_t (*layer)(void *user, const vp_record_layer *layer);

    /** Adds a shape, before its first item. @return as `layer` */
    uint32_t (*shape)(void *user, const vp_record_shape *shape);

    /** Adds or changes an item. Items at rest need no calls. */
    void (*item)(void *user, uint32_t layer, const vp_record_item *item);
    /** Removes an item. */
    void (*remove)(void *user, uint32_t layer, uint32_t id);

    /** Replaces all rows. [count * (vp_record_draw_numbers(draw) + column_count)] */
    void (*rows)(void *user, uint32_t layer, const double *rows, uint32_t count);
    /** Replaces all texts. */
    void (*texts)(void *user, uint32_t layer, const vp_record_text *texts, uint32_t count);
    /** Sets all scalars. [column_count] */
    void (*scalars)(void *user, uint32_t layer, const double *values);
    /** Changes cells, in order. */
    void (*voxels)(void *user, uint32_t layer, const vp_record_voxel *changes, uint32_t count);

    /** Ends a frame, from number 0. @return the first failure of the recording */
    vp_status (*frame)(void *user, vp_error *error);
} vp_recorder;

#ifdef __cplusplus
}
#endif

#endif
