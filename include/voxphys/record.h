/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_RECORD_H
#define VOXPHYS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/status.h>

/** @file record.h
 *  Step records: what unfolds in steps (a decomposition, an automaton, block jobs, a simulation) tells a table of callbacks what each step
 *  shows. Who listens is the program's affair: `voxphys ... --record FILE` writes a file that `voxphys view` makes a page of
 *  (docs/FORMATS.md, "Step records"). The library writes no file.
 *
 *  **Order.** First all layers (vp_recorder.layer), then frames: any number of calls about layers, and vp_recorder.frame at the end of
 * each. A layer that is not told of stays as it was, but for arrays and texts, which are gone unless their layer says `hold`.
 *
 *  **Failures are kept.** Only `frame` answers. A call that fails is remembered; later calls do nothing, and `frame` returns the first
 *  failure. So a producer asks once a frame: VP_E_ARGUMENT for what is wrong in a call (an unknown layer or item, a number that is not
 *  finite or too large for its layer's scale; the message names it), VP_E_MEMORY, VP_E_IO.
 *
 *  **Numbers.** Units are the producer's. Positions, sizes and columns are kept as whole steps: floor(v*scale + 0.5), which must fit into
 *  32 bits, signed; what must be exact is a scalar, or a column with scale 0. All that is given is copied; nothing is kept that a pointer
 *  points to.
 *
 *  Calls come from one thread at a time. A producer takes `const vp_recorder *` and records nothing if that is NULL. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_RECORD_LAYERS = 64,       /**< Of a recording, at most. */
    VP_RECORD_COLUMNS = 32,      /**< Of a layer, at most. */
    VP_RECORD_NAMES = 256,       /**< Of a list of names, at most. */
    VP_RECORD_NAME_BYTES = 64,   /**< Of a name, the terminating zero included. */
    VP_RECORD_TEXT_BYTES = 1024, /**< Of a sentence and of a text, the terminating zero included. */
    VP_RECORD_IDS = 1 << 24,     /**< Items of a layer have ids below this. */
    VP_RECORD_CELLS = 1 << 30    /**< Of a layer of voxels, at most. */
};

/** No colour is asked for: the page chooses one. Black is 0x010101. */
#define VP_RECORD_ANY_COLOUR UINT32_C(0)

/** What a layer holds. */
typedef enum vp_record_kind {
    VP_RECORD_ITEMS,   /**< Things with an id: instances of shapes that appear, move, change and vanish. */
    VP_RECORD_ARRAY,   /**< Rows that are drawn, or a table; they have no identity. */
    VP_RECORD_TEXTS,   /**< Sentences, at places or in the page's panel. */
    VP_RECORD_SCALARS, /**< Numbers over frames, exact: they are plotted. */
    VP_RECORD_VOXELS   /**< A grid of cells, by what changed. */
} vp_record_kind;

/** What the rows of an array are. Each begins with the numbers listed here; the layer's columns follow. */
typedef enum vp_record_draw {
    VP_RECORD_TABLE,     /**< Nothing: columns alone. Shown as a table. */
    VP_RECORD_POINTS,    /**< x y z. */
    VP_RECORD_LINES,     /**< x y z of both ends. */
    VP_RECORD_ARROWS,    /**< x y z of the tail, then the vector to the tip. */
    VP_RECORD_BOXES,     /**< Lower, then upper corner. */
    VP_RECORD_SPHERES,   /**< Centre, radius. */
    VP_RECORD_TRIANGLES, /**< Three corners. */
    VP_RECORD_DRAWS
} vp_record_draw;

/** How many numbers a row begins with: 0, 3, 6, 6, 6, 4, 9. */
VP_API uint32_t vp_record_draw_numbers(vp_record_draw draw);

/** How items are coloured. */
typedef enum vp_record_colouring {
    VP_RECORD_BY_STATE,    /**< By `states`. */
    VP_RECORD_BY_MATERIAL, /**< By `materials`: the triangles of meshes. */
    VP_RECORD_BY_ID        /**< A colour an item. */
} vp_record_colouring;

/** A word for a number, and its colour. */
typedef struct vp_record_name {
    const char *name; /**< Below VP_RECORD_NAME_BYTES, UTF-8. */
    uint32_t colour;  /**< 0xRRGGBB, or VP_RECORD_ANY_COLOUR. */
} vp_record_name;

/** What a column's numbers are. */
typedef enum vp_record_meaning {
    VP_RECORD_NUMBER, /**< Themselves. */
    VP_RECORD_WORD,   /**< Which of the column's `words`. */
    VP_RECORD_FRAME,  /**< The number of a frame: clicked, the page goes there. Negative: none. */
    VP_RECORD_ITEM,   /**< The id of an item of the layer `of`: clicked, the page picks it. Negative: none. */
    VP_RECORD_ORIGIN  /**< Column of items: the id of one of the same layer that this one was made from. Negative: none. The page shows an
                           item's ancestors, and finds rows about them when the item is picked. */
} vp_record_meaning;

/** A column: of scalars, of an array behind what is drawn, or of items (values that each item has). */
typedef struct vp_record_column {
    const char *name;            /**< As vp_record_name's. */
    double scale;                /**< Steps a unit: 1 for whole numbers. 0: exact, 8 bytes a number. Scalars: always exact. */
    vp_record_meaning meaning;   /**< Scalars: VP_RECORD_NUMBER. */
    uint32_t of;                 /**< VP_RECORD_ITEM: number of a layer of items. */
    const vp_record_name *words; /**< VP_RECORD_WORD. */
    uint32_t word_count;         /**< Of them. */
} vp_record_column;

/** A layer. What a kind doesn't use is left 0. */
typedef struct vp_record_layer {
    const char *name;    /**< As vp_record_name's; no two layers have the same. */
    const char *about;   /**< A sentence for people, or NULL. Of a table with two columns VP_RECORD_ITEM of one layer: the question that
                              its rows answer when two items are picked, as "Why were these two not merged?". */
    vp_record_kind kind; /**< What it holds. */
    bool hidden;         /**< The page begins without it. */
    double opacity;      /**< From above 0 to 1; 0: opaque. A ghost has 0.2. */

    double scale;                    /**< Items (positions), arrays (what is drawn) and texts (places): steps a unit, above 0; e.g. 4096. */
    const vp_record_column *columns; /**< Items, arrays, scalars. */
    uint32_t column_count;           /**< Scalars: at least 1. */

    vp_record_colouring colouring;   /**< Items. */
    const vp_record_name *states;    /**< Items: of vp_record_item.state. */
    uint32_t state_count;            /**< May be 0. */
    const vp_record_name *materials; /**< Items: of the triangles of meshes; voxels: of cells. */
    uint32_t material_count;         /**< May be 0. */

    vp_record_draw draw; /**< Arrays. */
    uint32_t colour;     /**< Arrays: 0xRRGGBB, or VP_RECORD_ANY_COLOUR. */
    bool placed;         /**< Texts: they stand at places, else in the page's panel. */
    bool hold;           /**< Arrays and texts: they last until they are replaced, else for one frame. */

    vp_ivec3 low; /**< Voxels: where cell 0 is; a cell's edge is 1. */
    vp_dims size; /**< Voxels: of the grid, at most VP_RECORD_CELLS. Cell number (y*size.z + z)*size.x + x. */
} vp_record_layer;

/** What a shape is, around the origin. */
typedef enum vp_record_form {
    VP_RECORD_BOX,      /**< `size`: half extents. */
    VP_RECORD_SPHERE,   /**< size[0]: radius. */
    VP_RECORD_CAPSULE,  /**< size[0]: radius; size[1]: half of the axis, along y. */
    VP_RECORD_CYLINDER, /**< The same. */
    VP_RECORD_MESH,     /**< Triangles. */
    VP_RECORD_FORMS
} vp_record_form;

/** A shape: stored once, shown by any number of items. */
typedef struct vp_record_shape {
    vp_record_form form;      /**< What it is. */
    double scale;             /**< Steps a unit of its sizes and corners, above 0. */
    double size[3];           /**< All but meshes; not negative. */
    const float *corner;      /**< Mesh: x, y, z of each. */
    uint32_t corner_count;    /**< Corners that no triangle uses are left out. */
    const uint32_t *triangle; /**< Mesh: three corners each, counter-clockwise from outside. */
    uint32_t triangle_count;  /**< Of them. */
    const uint8_t *material;  /**< Mesh: of each triangle; NULL: all 0. */
} vp_record_shape;

/** An item as it is from this frame on. */
typedef struct vp_record_item {
    uint32_t id;          /**< Below VP_RECORD_IDS. An id may be used again after its item is removed. */
    uint32_t shape;       /**< Number of a shape. */
    uint32_t state;       /**< See vp_record_layer.states. */
    double position[3];   /**< Of the shape's origin. */
    double rotation[4];   /**< Quaternion x, y, z, w of length 1, kept to 1/32767; all 0: not turned. */
    const double *values; /**< One for each column of the layer; NULL if it has none. */
} vp_record_item;

/** A sentence. */
typedef struct vp_record_text {
    double at[3];     /**< Where, in layers that are `placed`. */
    const char *text; /**< Below VP_RECORD_TEXT_BYTES, UTF-8. */
} vp_record_text;

/** A cell that changed. */
typedef struct vp_record_voxel {
    uint32_t cell;    /**< Its number. */
    uint8_t material; /**< What it is now; 0: nothing. */
} vp_record_voxel;

/** Who listens. No member is NULL. */
typedef struct vp_recorder {
    void *user; /**< Passed back. */

    /** Names a layer, before the first frame. @return its number, counted from 0; 0 after a failure */
    uint32_t (*layer)(void *user, const vp_record_layer *layer);

    /** Stores a shape, any time before an item that shows it. @return its number, counted from 0 over the recording; 0 after a failure */
    uint32_t (*shape)(void *user, const vp_record_shape *shape);

    /** Items: sets one; it appears if it wasn't there. One that rests need not be told of again. */
    void (*item)(void *user, uint32_t layer, const vp_record_item *item);
    /** Items: one vanishes. A failure if it isn't there. */
    void (*remove)(void *user, uint32_t layer, uint32_t id);

    /** Arrays: replaces all rows. @param rows  count rows of vp_record_draw_numbers(draw) + column_count numbers */
    void (*rows)(void *user, uint32_t layer, const double *rows, uint32_t count);
    /** Texts: replaces all. */
    void (*texts)(void *user, uint32_t layer, const vp_record_text *texts, uint32_t count);
    /** Scalars: sets them. @param values  one for each column */
    void (*scalars)(void *user, uint32_t layer, const double *values);
    /** Voxels: changes cells; of several changes of one cell the last counts. */
    void (*voxels)(void *user, uint32_t layer, const vp_record_voxel *changes, uint32_t count);

    /** Ends the frame; the first is number 0. @return the first failure since the recording began */
    vp_status (*frame)(void *user, vp_error *error);
} vp_recorder;

#ifdef __cplusplus
}
#endif

#endif
