/* SPDX-License-Identifier: MIT */
/* Failures, and the encoding of numbers. */
#include "host/record/writer.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "src/core/bytes.h"

void vp_writer_fail(vp_record_writer *w, vp_status status, const char *format, ...)
{
    char text[VP_ERROR_MESSAGE_BYTES];
    va_list values;
    if (!vp_writer_sound(w))
        return;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    vp_fail(&w->failure, status, "%s", text);
}

bool vp_writer_sound(const vp_record_writer *w)
{
    return w->failure.status == VP_OK;
}

void vp_put_u(vp_bytes *to, uint64_t value)
{
    uint8_t byte[10];
    size_t n = 0;
    for (; value > 127; value >>= 7)
        byte[n++] = (uint8_t)(value | 128);
    byte[n++] = (uint8_t)value;
    vp_bytes_add(to, byte, n);
}

void vp_put_s(vp_bytes *to, int64_t value)
{
    vp_put_u(to, value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1);
}

void vp_put_f64(vp_bytes *to, double value)
{
    uint64_t bits;
    uint8_t byte[8];
    memcpy(&bits, &value, sizeof bits);
    vp_put_le64(byte, bits);
    vp_bytes_add(to, byte, sizeof byte);
}

int32_t vp_writer_steps(vp_record_writer *w, const vp_written_layer *l, const char *what, double value, double scale)
{
    const double steps = floor(value * scale + 0.5);
    if (steps >= INT32_MIN && steps <= INT32_MAX)
        return (int32_t)steps;
    vp_writer_fail(w, VP_E_ARGUMENT, "layer \"%s\", frame %u: %s is %.9g, and %.9g steps a unit of it don't fit into 32 bits", l->name,
                   w->first + w->frame_count, what, value, scale);
    return 0;
}

bool vp_writer_finite(vp_record_writer *w, const vp_written_layer *l, const char *what, double value)
{
    if (!isfinite(value))
        vp_writer_fail(w, VP_E_ARGUMENT, "layer \"%s\", frame %u: %s is %g", l->name, w->first + w->frame_count, what, value);
    return isfinite(value);
}

void vp_writer_next(vp_record_writer *w, const vp_written_layer *l, const char *what, double value, double scale, int64_t *last,
                    vp_bytes *to)
{
    if (scale > 0) {
        const int64_t now = vp_writer_steps(w, l, what, value, scale);
        vp_put_s(to, now - *last);
        *last = now;
    } else if (vp_writer_finite(w, l, what, value)) {
        vp_put_f64(to, value);
    }
}

vp_written_layer *vp_writer_layer(vp_record_writer *w, uint32_t layer, vp_record_kind kind)
{
    static const char *const kinds[] = {"items", "rows", "texts", "scalars", "voxels"};
    if (layer >= w->layer_count)
        vp_writer_fail(w, VP_E_ARGUMENT, "layer %u of %u", layer, w->layer_count);
    else if (w->layer[layer].kind != kind)
        vp_writer_fail(w, VP_E_ARGUMENT, "layer \"%s\" has no %s", w->layer[layer].name, kinds[kind]);
    return vp_writer_sound(w) ? &w->layer[layer] : NULL;
}
