/* SPDX-License-Identifier: MIT */
/* dump sample FRAMES FILE: a synthetic recording of everything. dump moving FILE: bodies
 * that fall. dump print FILE: the contents of every frame, with numbers as bits. tests/view/dump.mjs prints the same. */
#include <inttypes.h>

#include "src/core/file.h"
#include "host/record/read.h"
#include "host/record/write.h"
#include "tests/view/moving.h"
#include "tests/view/sample.h"

static int failed(const vp_error *error)
{
    fprintf(stderr, "dump: %s\n", error->message);
    return 1;
}

static int make_sample(uint32_t frames, const char *path)
{
    const vp_record_about about = {.type = "sample",
                                   .title = "</script><script>document.title = 1</script> & <b>made up</b>",
                                   .command = "<i>made up</i>",
                                   .first = 7};
    frame_sample *s = calloc(1, sizeof *s);
    vp_record_writer *writer;
    vp_error error;
    if (s == NULL || vp_record_writer_create(path, &about, &writer, &error) != VP_OK)
        return s == NULL ? 1 : failed(&error);
    const vp_recorder *to = vp_record_writer_recorder(writer);
    sample_begin(s, to);
    vp_status status = VP_OK;
    for (uint32_t f = 0; f < frames && status == VP_OK; f++) {
        sample_frame(s, to);
        status = to->frame(to->user, &error);
    }
    if (status == VP_OK)
        status = vp_record_writer_close(writer, NULL, NULL, &error);
    free(s);
    return status == VP_OK ? 0 : failed(&error);
}

static int make_moving(const char *path)
{
    const vp_record_about about = {.type = "simulate", .title = "moving bodies", .seconds = 1 / 30.0};
    vp_record_writer *writer;
    vp_bodies_recording r;
    vp_error error;
    moving m;
    vp_status status = moving_create(&m, &error);
    if (status == VP_OK)
        status = vp_record_writer_create(path, &about, &writer, &error);
    if (status != VP_OK)
        return failed(&error);
    vp_bodies_record_begin(&(vp_bodies_record_def){.to = vp_record_writer_recorder(writer), .normal_length = 0.4}, &r);
    moving_begin(&m, &r);
    for (uint32_t step = 0; step < MOVING_STEPS && status == VP_OK; step++) {
        moving_step(&m, step);
        status = vp_bodies_record_step(&r, &(vp_bodies_record_now){m.now, m.count, m.contact, m.contacts, NULL}, &error);
    }
    vp_bodies_record_end(&r);
    moving_destroy(&m);
    if (status == VP_OK)
        status = vp_record_writer_close(writer, NULL, NULL, &error);
    return status == VP_OK ? 0 : failed(&error);
}

/* ---- printed ---- */

static void print_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    printf(" %016" PRIx64, bits);
}

static void print_layer(const vp_record_layer *l, const vp_record_now *now)
{
    const uint32_t numbers = l->kind == VP_RECORD_ARRAY ? vp_record_draw_numbers(l->draw) + l->column_count : 0;
    for (uint32_t i = 0; i < now->count; i++) {
        printf("%s", l->name);
        if (l->kind == VP_RECORD_ITEMS) {
            const vp_record_item *item = &now->items[i];
            printf(" %u %u %u", item->id, item->shape, item->state);
            for (int k = 0; k < 3; k++)
                print_bits(item->position[k]);
            for (int k = 0; k < 4; k++)
                print_bits(item->rotation[k]);
            for (uint32_t k = 0; k < l->column_count; k++)
                print_bits(item->values[k]);
        }
        for (uint32_t k = 0; k < numbers; k++)
            print_bits(now->rows[i * numbers + k]);
        for (uint32_t k = 0; l->kind == VP_RECORD_SCALARS && k < l->column_count; k++)
            print_bits(now->scalars[k]);
        if (l->kind == VP_RECORD_TEXTS) {
            for (int k = 0; k < 3; k++)
                print_bits(now->texts[i].at[k]);
            printf(" %s", now->texts[i].text);
        }
        if (l->kind == VP_RECORD_VOXELS)
            printf(" %u %u", now->voxels[i].cell, now->voxels[i].material);
        printf("\n");
    }
}

static vp_status print_all(vp_record *r, vp_error *error)
{
    const vp_record_info info = vp_record_info_of(r);
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < info.shapes && status == VP_OK; i++) {
        vp_record_shape s;
        status = vp_record_shape_read(r, i, &s, error);
        if (status != VP_OK)
            break;
        printf("shape %u", (uint32_t)s.form);
        for (uint32_t k = 0; k < 3 * s.corner_count; k++)
            print_bits((double)s.corner[k]);
        for (uint32_t k = 0; k < 3 * s.triangle_count; k++)
            printf(" %u", s.triangle[k]);
        for (uint32_t k = 0; k < s.triangle_count; k++)
            printf(" m%u", s.material[k]);
        printf("\n");
        vp_record_shape_drop(&s);
    }
    for (uint32_t f = info.about.first; f < info.about.first + info.frames && status == VP_OK; f++) {
        printf("frame %u\n", f);
        status = vp_record_seek(r, f, error);
        for (uint32_t i = 0; i < info.layer_count && status == VP_OK; i++) {
            vp_record_now now;
            status = vp_record_layer_now(r, i, &now, error);
            if (status == VP_OK)
                print_layer(&info.layers[i], &now);
        }
    }
    return status;
}

static int print_file(const char *path)
{
    const vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    vp_record *r = NULL;
    vp_error error;
    vp_status status = vp_file_read(path, UINT32_MAX, &allocator, &bytes, &size, &error);
    if (status == VP_OK)
        status = vp_record_open(bytes, size, &r, &error);
    if (status == VP_OK)
        status = print_all(r, &error);
    vp_record_close(r);
    if (bytes != NULL)
        allocator.release(allocator.user, bytes, size);
    return status == VP_OK ? 0 : failed(&error);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "sample") == 0)
        return make_sample((uint32_t)atoi(argv[2]), argv[3]);
    if (argc == 3 && strcmp(argv[1], "moving") == 0)
        return make_moving(argv[2]);
    if (argc == 3 && strcmp(argv[1], "print") == 0)
        return print_file(argv[2]);
    return 2;
}
