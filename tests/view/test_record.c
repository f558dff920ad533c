/* SPDX-License-Identifier: MIT */
/* Step records: frames are read back as recorded, in any order. Also truncated, damaged and made-up files (docs/CONTRACT.md: REC-1, REC-2,
 * REC-3). */
#define _XOPEN_SOURCE 700
#include "tests/support/check.h"

#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "host/record/read.h"
#include "host/record/write.h"
#include "tests/support/folder.h"
#include "tests/view/sample.h"

enum { FRAMES = IS_THIN ? 60 : 400, EVERY_FLIP = IS_THIN ? 101 : 17 };

static const vp_record_about about = {.type = "sample", .title = "</script><script>alert(1)</script>", .seconds = 0.25, .first = 3};

/* A sample of some frames. `told`: the contents of each frame, or NULL. */
static vp_bytes make(uint32_t frames, frame_sample *reported)
{
    vp_record_writer *writer;
    vp_bytes bytes = {0};
    frame_sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->random = 5;
    assert_ok(vp_record_writer_create(NULL, &about, &writer, &error));
    const vp_recorder *to = vp_record_writer_recorder(writer);
    sample_begin(s, to);
    for (uint32_t f = 0; f < frames; f++) {
        sample_frame(s, to);
        assert_ok(to->frame(to->user, &error));
        if (reported != NULL)
            reported[f] = *s;
    }
    vp_record_written written;
    assert_ok(vp_record_writer_close(writer, &written, &bytes, &error));
    assert_int_equal(written.frames, frames);
    assert_int_equal(written.bytes, bytes.size);
    free(s);
    return bytes;
}

static double steps(double v, double scale)
{
    return floor(v * scale + 0.5);
}

/* The same rotation as recorded. q and -q are equal. */
static void assert_turned(const double reported[4], const double read[4])
{
    double dot = 0, length = 0;
    for (int k = 0; k < 4; k++) {
        dot += reported[k] * read[k];
        length += reported[k] * reported[k];
    }
    assert_true(fabs(fabs(length > 0 ? dot : read[3]) - 1) < 1e-4);
}

/* A layer of items equals the sample. */
static void compare_items(const frame_sample *s, int layer, bool whole, const vp_record_now *now)
{
    const double scale = layer == 0 ? 4096 : 256;
    uint32_t n = 0;
    for (uint32_t id = 0; id < SAMPLE_IDS; id++) {
        if (!s->item[layer][id].there)
            continue;
        assert_true(n < now->count);
        const vp_record_item *reported = &s->item[layer][id].item, *read = &now->items[n++];
        assert_int_equal(read->id, id * 7);
        assert_true(!whole || read->shape == reported->shape); /* a part of a recording numbers its own shapes */
        assert_int_equal(read->state, reported->state);
        for (int k = 0; k < 3; k++)
            assert_true(read->position[k] * scale == steps(reported->position[k], scale));
        assert_turned(reported->rotation, read->rotation);
        for (int k = 0; k < 3 && layer == 0; k++)
            assert_true(read->values[k] == s->item[0][id].values[k]);
    }
    assert_int_equal(n, now->count);
}

static void compare(vp_record *r, bool whole, const frame_sample *s)
{
    vp_record_now now;
    for (uint32_t layer = 0; layer < 2; layer++) {
        assert_ok(vp_record_layer_now(r, layer, &now, &error));
        compare_items(s, (int)layer, whole, &now);
    }
    assert_ok(vp_record_layer_now(r, 2, &now, &error));
    assert_int_equal(now.count, s->row_count);
    for (uint32_t i = 0; i < now.count; i++)
        for (int k = 0; k < 7; k++)
            assert_true(k < 6 ? now.rows[7 * i + (uint32_t)k] * 1024 == steps(s->rows[i][k], 1024) : now.rows[7 * i + 6] == s->rows[i][6]);
    assert_ok(vp_record_layer_now(r, 3, &now, &error));
    assert_int_equal(now.count, s->held_count);
    for (uint32_t i = 0; i < 7 * now.count; i++)
        assert_true(now.rows[i] == s->held[i / 7][i % 7]);
    assert_ok(vp_record_layer_now(r, 4, &now, &error));
    assert_int_equal(now.count, s->table_count);
    for (uint32_t i = 0; i < now.count; i++)
        assert_true(now.rows[4 * i] == s->table[i][0] && now.rows[4 * i + 3] == s->table[i][3]);
    assert_ok(vp_record_layer_now(r, 5, &now, &error));
    assert_int_equal(now.count, s->text_count);
    for (uint32_t i = 0; i < now.count; i++) {
        assert_string_equal(now.texts[i].text, s->letters[i]);
        assert_true(now.texts[i].at[0] == s->text[i].at[0] && now.texts[i].at[2] == -7);
    }
    assert_ok(vp_record_layer_now(r, 6, &now, &error));
    assert_true(now.scalars[0] == s->scalars[0] && now.scalars[1] == s->scalars[1]);
    assert_ok(vp_record_layer_now(r, 7, &now, &error));
    uint32_t n = 0;
    for (uint32_t c = 0; c < SAMPLE_CELLS; c++)
        if (s->cell[c] != 0) {
            assert_int_equal(now.voxels[n].cell, c);
            assert_int_equal(now.voxels[n++].material, s->cell[c]);
        }
    assert_int_equal(n, now.count);
}

/* The texts of the sample point into the sample itself, so it must not move. */
static frame_sample *told_frames(void)
{
    frame_sample *reported = calloc(FRAMES, sizeof *reported);
    assert_non_null(reported);
    return reported;
}

/* docs/CONTRACT.md: REC-1 */
TEST(is_read_as_it_was_told)
{
    frame_sample *reported = told_frames();
    vp_bytes bytes = make(FRAMES, reported);
    vp_record *r;
    assert_ok(vp_record_open(bytes.at, bytes.size, &r, &error));
    const vp_record_info info = vp_record_info_of(r);
    assert_int_equal(info.frames, FRAMES);
    assert_int_equal(info.about.first, 3);
    assert_int_equal(info.layer_count, 8);
    assert_int_equal(info.shapes, SAMPLE_SHAPES);
    assert_false(info.cut);
    assert_true(info.about.seconds == 0.25);
    assert_string_equal(info.about.title, about.title);
    assert_string_equal(info.layers[4].about, "Why were these two not merged?");
    assert_string_equal(info.layers[4].columns[3].words[1].name, "dropped");
    assert_int_equal(info.layers[1].states[0].colour, 0xe07b39);
    assert_int_equal(info.layers[7].low.x, -10);
    assert_ok(vp_record_check(r, &error));
    for (uint32_t f = 0; f < FRAMES; f++) {
        assert_ok(vp_record_seek(r, 3 + f, &error));
        compare(r, true, &reported[f]);
    }
    for (uint32_t i = 0; i < FRAMES; i++) {
        const uint32_t f = i * 7919 % FRAMES;
        assert_ok(vp_record_seek(r, 3 + f, &error));
        compare(r, true, &reported[f]);
    }
    assert_refused(vp_record_seek(r, 2, &error), VP_E_ARGUMENT, "frame 2");
    assert_refused(vp_record_seek(r, 3 + FRAMES, &error), VP_E_ARGUMENT, "from 3 on");
    vp_record_close(r);
    free(bytes.at);
    free(reported);
}

TEST(shapes_are_read_as_they_were_told)
{
    vp_bytes bytes = make(1, NULL);
    vp_record *r;
    vp_record_shape s;
    assert_ok(vp_record_open(bytes.at, bytes.size, &r, &error));
    assert_ok(vp_record_shape_read(r, 3, &s, &error));
    assert_int_equal(s.form, VP_RECORD_CYLINDER);
    assert_true(s.size[0] == 0.875 && s.size[1] == 0.25);
    assert_ok(vp_record_shape_read(r, 6, &s, &error));
    assert_int_equal(s.corner_count, 4); /* one shape is unused */
    assert_int_equal(s.triangle_count, 4);
    const float first[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    for (int i = 0; i < 9; i++)
        assert_true(s.corner[3 * s.triangle[i / 3] + (uint32_t)i % 3] == first[i]);
    assert_memory_equal(s.material, "\1\1\2\0", 4);
    vp_record_shape_drop(&s);
    vp_record_close(r);
    free(bytes.at);
}

/* A part of a recording has the same frames as the whole. */
TEST(a_part_is_as_the_whole)
{
    frame_sample *reported = told_frames();
    vp_bytes bytes = make(FRAMES, reported), part = {0}, few = {0};
    vp_record *r, *p;
    const bool keep[8] = {[4] = true, [7] = true}, decisions_of_bodies[8] = {[1] = true, [4] = true};
    assert_ok(vp_record_open(bytes.at, bytes.size, &r, &error));
    assert_ok(vp_record_cut(r, 20, 3 + FRAMES - 11, NULL, &part, &error));
    assert_ok(vp_record_open(part.at, part.size, &p, &error));
    assert_int_equal(vp_record_info_of(p).about.first, 20);
    for (uint32_t f = 20; f < 3 + FRAMES - 10; f++) {
        assert_ok(vp_record_seek(p, f, &error));
        compare(p, false, &reported[f - 3]);
    }
    vp_record_close(p);
    assert_ok(vp_record_cut(r, 3, 12, keep, &few, &error));
    assert_ok(vp_record_open(few.at, few.size, &p, &error));
    const vp_record_info info = vp_record_info_of(p);
    assert_int_equal(info.layer_count, 2);
    assert_int_equal(info.shapes, 0);
    assert_int_equal(info.layers[0].columns[0].meaning, VP_RECORD_NUMBER); /* this part has no hulls */
    assert_ok(vp_record_check(p, &error));
    vp_record_close(p);
    free(few.at);
    few = (vp_bytes){0};
    assert_ok(vp_record_cut(r, 3, 12, decisions_of_bodies, &few, &error));
    assert_ok(vp_record_open(few.at, few.size, &p, &error));
    const vp_record_column *column = vp_record_info_of(p).layers[1].columns;
    assert_int_equal(column[0].meaning, VP_RECORD_NUMBER);
    assert_int_equal(column[1].meaning, VP_RECORD_ITEM);
    assert_int_equal(column[1].of, 0); /* the bodies were layer 1 */
    vp_record_close(p);
    vp_record_close(r);
    free(bytes.at);
    free(part.at);
    free(few.at);
    free(reported);
}

/* ---- damage ---- */

/* Reads a whole file. */
static vp_status read_all(const uint8_t *bytes, size_t size, uint32_t *frames, bool *cut, vp_error *error)
{
    vp_record *r;
    uint8_t *exact = malloc(size + 1); /* of exact size, for the address sanitizer */
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    vp_status status = vp_record_open(exact, size, &r, error);
    if (status == VP_OK) {
        status = vp_record_check(r, error);
        *frames = vp_record_info_of(r).frames;
        *cut = vp_record_info_of(r).cut;
        vp_record_close(r);
    }
    free(exact);
    return status;
}

/* A file that is truncated there opens with at least this many frames, or reports that it has no header. @return number of frames */
static uint32_t frames_of(const vp_bytes *bytes, size_t size, uint32_t least)
{
    vp_error error = {VP_OK, ""};
    uint32_t frames = 0;
    bool cut = false;
    const vp_status status = read_all(bytes->at, size, &frames, &cut, &error);
    if (status != VP_OK) {
        assert_int_equal(status, VP_E_FORMAT);
        assert_true(size < 8 || strstr(error.message, "header") != NULL);
    }
    assert_true(status != VP_OK || cut);
    assert_true(frames >= least);
    return frames;
}

/* docs/CONTRACT.md: REC-2 */
TEST(a_cut_file_is_read_to_its_last_whole_block)
{
    vp_bytes bytes = make(FRAMES, NULL);
    uint32_t least = 0, blocks = 0;
    for (size_t at = 0; at < 8; at++)
        frames_of(&bytes, at, 0);
    for (size_t at = 8; at + 24 < bytes.size;) {
        const size_t next = at + 24 + vp_get_le32(bytes.at + at + 16);
        const bool frames = vp_get_le32(bytes.at + at) == 'F';
        const size_t inside[] = {at, at + 1, at + 23, at + 24, (at + next) / 2, next - 1};
        for (size_t i = 0; i < 6; i++)
            assert_int_equal(frames_of(&bytes, inside[i], least), least);
        least += frames ? vp_get_le32(bytes.at + at + 8) : 0;
        assert_int_equal(frames_of(&bytes, next, least), least);
        at = next;
        blocks++;
    }
    assert_int_equal(least, FRAMES);
    assert_true(blocks >= 4);
    for (size_t at = bytes.size - 12; at < bytes.size; at++)
        assert_int_equal(frames_of(&bytes, at, FRAMES), FRAMES);
    free(bytes.at);
}

TEST(a_flipped_bit_is_found)
{
    vp_bytes bytes = make(FRAMES / 4, NULL);
    uint32_t frames = 0;
    bool cut = false;
    for (size_t at = 0; at < bytes.size; at += at < 64 || at + 64 > bytes.size ? 1 : EVERY_FLIP) {
        vp_error error = {VP_OK, ""};
        bytes.at[at] ^= (uint8_t)(1 << at % 8);
        assert_int_equal(read_all(bytes.at, bytes.size, &frames, &cut, &error), VP_E_FORMAT);
        assert_true(strlen(error.message) > 10);
        bytes.at[at] ^= (uint8_t)(1 << at % 8);
    }
    assert_ok(read_all(bytes.at, bytes.size, &frames, &cut, &error));
    free(bytes.at);
}

/* ---- made-up files ---- */

/* Adds an uncompressed block with a valid checksum. */
static void add_block(vp_bytes *to, uint32_t kind, uint32_t first, uint32_t count, const void *raw, size_t size)
{
    uint8_t head[24];
    const uint32_t number[5] = {kind, first, count, (uint32_t)size, (uint32_t)size};
    for (int i = 0; i < 5; i++)
        vp_put_le32(head + 4 * i, number[i]);
    vp_put_le32(head + 20, vp_crc32(vp_crc32(0, head, 20), raw, size));
    vp_bytes_add(to, head, 24);
    vp_bytes_add(to, raw, size);
}

#define HEADER(layers) "{\"format\":\"voxphys-record\",\"version\":1,\"type\":\"\",\"title\":\"\",\"layers\":[" layers "]}"
#define ITEMS          "{\"name\":\"a\",\"kind\":\"items\",\"scale\":1,\"columns\":[{\"name\":\"x\"}]}"
#define ROWS           "{\"name\":\"a\",\"kind\":\"array\",\"draw\":\"points\",\"scale\":1}"
#define TEXTS          "{\"name\":\"a\",\"kind\":\"texts\"}"
#define SCALARS        "{\"name\":\"a\",\"kind\":\"scalars\",\"columns\":[{\"name\":\"x\"}]}"
#define VOXELS         "{\"name\":\"a\",\"kind\":\"voxels\",\"low\":[0,0,0],\"size\":[4,1,1]}"
#define SHAPE          "\x0a\1\0\0\0\0\0\0\xf0\x3f\2" /* a sphere of radius 2, scale 1 */
#define LOTS           "\xff\xff\xff\xff\xff\xff\x07"

static void refused(const char *header, const char *shapes, size_t shape_size, uint32_t shape_count, const char *frames, size_t size,
                    const char *part)
{
    vp_bytes file = {0};
    uint32_t count = 0;
    bool cut = false;
    vp_bytes_add(&file, "\x89VPR\r\n\x1a\n", 8);
    add_block(&file, 'H', 0, 1, header, strlen(header));
    if (shape_size > 0)
        add_block(&file, 'S', 0, shape_count, shapes, shape_size);
    if (size > 0)
        add_block(&file, 'F', 0, 1, frames, size);
    if (part != NULL)
        assert_refused(read_all(file.at, file.size, &count, &cut, &error), VP_E_FORMAT, part);
    else
        assert_ok(read_all(file.at, file.size, &count, &cut, &error));
    free(file.at);
}
#define FRAME(header, bytes, part) refused(HEADER(header), SHAPE, sizeof SHAPE - 1, 1, bytes, sizeof bytes - 1, part)
#define SHAPES(bytes, count, part) refused(HEADER(ITEMS), bytes, sizeof bytes - 1, count, "\0", 1, part)

TEST(hostile_counts)
{
    SHAPES(SHAPE, 1, NULL);
    SHAPES(SHAPE, 2, "shapes from 0 on");
    SHAPES(SHAPE, 4000000000u, "4000000000 shapes from 0 on");
    SHAPES(LOTS "\1", 1, "shapes from 0 on");
    SHAPES("\x09\5\0\0\0\0\0\0\xf0\x3f", 1, "shape 0 is damaged");        /* no shape kind */
    SHAPES("\x0a\1\0\0\0\0\0\0\0\0\2", 1, "shape 0 is damaged");          /* scale 0 */
    SHAPES("\x10\4\0\0\0\0\0\0\xf0\x3f" LOTS, 1, "shape 0 is damaged");   /* corners */
    SHAPES("\x11\4\0\0\0\0\0\0\xf0\x3f\0" LOTS, 1, "shape 0 is damaged"); /* triangles */
    SHAPES("\x13\4\0\0\0\0\0\0\xf0\x3f\1\1\0\0\0\0\1\1\1\0", 1, NULL);
    SHAPES("\x13\4\0\0\0\0\0\0\xf0\x3f\1\1\0\0\0\0\2\1\1\0", 1, "shape 0 is damaged"); /* a corner before the first */
    SHAPES("\x13\4\0\0\0\0\0\0\xf0\x3f\1\1\0\0\0\0\0\1\1\0", 1, "shape 0 is damaged"); /* a second corner */
    SHAPES("\x13\4\0\0\0\0\0\0\xf0\x3f\1\1\0\0\0\0\1\1\0\0", 1, "shape 0 is damaged"); /* an empty run */
    FRAME(ITEMS, "\x00", NULL);
    FRAME(ITEMS, "\x01\x01", "damaged");
    FRAME(ITEMS, "\x02\x02\x00", "frame 0 is damaged");                     /* a missing layer */
    FRAME(ITEMS, "\x09\x01\x07" LOTS, "layer \"a\" is damaged");            /* ids */
    FRAME(ITEMS, "\x06\x01\x04\x01\x00\x00\x00", "layer \"a\" is damaged"); /* removed: does not exist */
    FRAME(ITEMS, "\x06\x01\x04\x00\x00\x01\x00", "layer \"a\" is damaged"); /* moved: does not exist */
#define PUT(shape, state, value) "\x18\x01\x16\0\1\7" shape "\0\0\0\0\0\0\1" state value "\0\0"
    FRAME(ITEMS, PUT("\0", "\0", "\0\0\0\0\0\0\xf0\x3f"), NULL);
    FRAME(ITEMS, PUT("\2", "\0", "\0\0\0\0\0\0\xf0\x3f"), "layer \"a\" is damaged"); /* shape 1 */
    FRAME(ITEMS, PUT("\0", "\1", "\0\0\0\0\0\0\xf0\x3f"), "layer \"a\" is damaged"); /* state 1 */
    FRAME(ITEMS, PUT("\0", "\0", "\0\0\0\0\0\0\xf0\x7f"), "layer \"a\" is damaged"); /* infinite */
#define PUT_TWO(step) "\x2a\1\x28\0\2\7" step "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    FRAME(ITEMS, PUT_TWO("\1"), NULL);                     /* ids 7 and 8 */
    FRAME(ITEMS, PUT_TWO("\0"), "layer \"a\" is damaged"); /* id 7 twice */
    FRAME(ROWS, "\x06\1\4\1\2\4\6", NULL);
    FRAME(ROWS, "\x06\1\4\2\2\4\6", "layer \"a\" is damaged");
    FRAME(ROWS, "\x09\1\7" LOTS, "layer \"a\" is damaged");
    FRAME(ROWS, "\x0b\1\x09\1\xfe\xff\xff\xff\xff\x01\2\4", "layer \"a\" is damaged"); /* larger than 32 bits */
    FRAME(ROWS, "\x10\1\x0e\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\2", "layer \"a\" is damaged");
    FRAME(TEXTS, "\x05\1\3\1\1x", NULL);
    FRAME(TEXTS, "\x05\1\3\1\2x", "layer \"a\" is damaged");
    FRAME(TEXTS, "\x05\1\3\1\1\xff", "layer \"a\" is damaged"); /* not UTF-8 */
    FRAME(TEXTS, "\x05\1\3\1\1\0", "layer \"a\" is damaged");   /* contains a zero byte */
    FRAME(TEXTS, "\x09\1\7" LOTS, "layer \"a\" is damaged");
    FRAME(SCALARS, "\x0a\1\x08\0\0\0\0\0\0\xf0\x3f", NULL);
    FRAME(SCALARS, "\x09\1\7\0\0\0\0\0\xf0\x3f", "layer \"a\" is damaged");
    FRAME(VOXELS, "\x05\1\3\1\3\1", NULL);
    FRAME(VOXELS, "\x05\1\3\1\4\1", "layer \"a\" is damaged"); /* cell 4 of 4 */
    FRAME(VOXELS, "\x09\1\7" LOTS, "layer \"a\" is damaged");
    FRAME(VOXELS, "\x0a\1\3\1\3\1\1\3\1\3\2", "frame 0 is damaged"); /* the layer twice */
    FRAME(VOXELS, "\x05\1\3\1\3\1\0", "frame 0 is damaged");         /* more bytes than frames */
}

TEST(what_is_packed_is_unpacked_whole)
{
    enum { MANY = 1000 };
    static uint8_t raw[MANY];
    uint8_t got[MANY + 1];
    vp_bytes packed = {0};
    assert_true(vp_record_pack(raw, MANY, &packed));
    assert_ok(vp_record_unpack(packed.at, packed.size, got, MANY, &error));
    assert_memory_equal(got, raw, MANY);
    if (vp_record_zlib_here()) {
        assert_true(packed.size < MANY / 10);
        assert_refused(vp_record_unpack(packed.at, packed.size, got, MANY + 1, &error), VP_E_FORMAT, "does not inflate to 1001");
        assert_refused(vp_record_unpack(packed.at, packed.size, got, MANY - 1, &error), VP_E_FORMAT, "does not inflate to 999");
        vp_bytes_add(&packed, raw, 1);
        assert_refused(vp_record_unpack(packed.at, packed.size, got, MANY, &error), VP_E_FORMAT, "does not inflate to 1000");
    }
    free(packed.at);
}

/* ---- writing ---- */

static vp_record_writer *writer_of(const vp_record_layer *layers, uint32_t count, const vp_recorder **to)
{
    vp_record_writer *writer;
    assert_ok(vp_record_writer_create(NULL, &about, &writer, &error));
    *to = vp_record_writer_recorder(writer);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal((*to)->layer((*to)->user, &layers[i]), i);
    return writer;
}

/* For tiny changes, and for a large first frame of each block. */
TEST(blocks_have_at_most_1024_frames)
{
    enum { LONG = 1500, LETTERS = 1000 };
    static const vp_record_layer layer = {.name = "notes", .kind = VP_RECORD_TEXTS, .hold = true};
    char letters[LETTERS + 1] = "";
    memset(letters, 'x', LETTERS);
    const vp_record_text texts[2] = {{.text = letters}, {.text = letters}};
    const vp_recorder *to;
    vp_record_writer *w = writer_of(&layer, 1, &to);
    vp_bytes file;
    vp_record *r;
    to->texts(to->user, 0, texts, 2);
    for (int f = 0; f < LONG; f++)
        assert_ok(to->frame(to->user, &error));
    assert_ok(vp_record_writer_close(w, NULL, &file, &error));
    assert_ok(vp_record_open(file.at, file.size, &r, &error));
    assert_int_equal(vp_record_info_of(r).frames, LONG);
    assert_int_equal(vp_record_info_of(r).blocks, 4); /* header, 1024 frames, 476, index */
    vp_record_close(r);
    free(file.at);
}

/* The frame fails with a message that contains `part`. So does every later frame, and the end. */
static void fails(vp_record_writer *writer, const vp_recorder *to, const char *part)
{
    assert_refused(to->frame(to->user, &error), VP_E_ARGUMENT, part);
    assert_refused(to->frame(to->user, &error), VP_E_ARGUMENT, part);
    assert_refused(vp_record_writer_close(writer, NULL, NULL, &error), VP_E_ARGUMENT, part);
}

/* docs/CONTRACT.md: REC-3 */
TEST(wrong_calls_are_named)
{
    static const vp_record_column column = {.name = "c", .scale = 1}, exact = {.name = "e"};
    const vp_record_layer layers[] = {
        {.name = "things", .kind = VP_RECORD_ITEMS, .scale = 1000, .columns = &column, .column_count = 1},
        {.name = "points", .kind = VP_RECORD_ARRAY, .draw = VP_RECORD_POINTS, .scale = 1000},
        {.name = "figures", .kind = VP_RECORD_SCALARS, .columns = &exact, .column_count = 1},
        {.name = "grid", .kind = VP_RECORD_VOXELS, .size = {2, 2, 2}},
        {.name = "notes", .kind = VP_RECORD_TEXTS},
    };
    const vp_record_shape ball = {.form = VP_RECORD_SPHERE, .scale = 1, .size = {1}};
    const double one = 1, bad[3] = {0, NAN, 0}, far[3] = {0, 3e6, 0}, much = INFINITY;
    const vp_recorder *to;
    vp_record_writer *w;
#define WRONG(part, call)                                                                                                                  \
    w = writer_of(layers, 5, &to);                                                                                                         \
    to->shape(to->user, &ball);                                                                                                            \
    call;                                                                                                                                  \
    fails(w, to, part)
    vp_record_item item = {.id = 4, .values = &one};
    WRONG("layer \"points\" has no items", to->item(to->user, 1, &item));
    WRONG("layer 9 of 5", to->item(to->user, 9, &item));
    WRONG("layer 9 of 5", to->item(to->user, 9, &item); to->rows(to->user, 0, &one, 1)); /* the first failure is kept */
    item.position[1] = NAN;
    WRONG("layer \"things\", frame 3: an item's y is nan", to->item(to->user, 0, &item));
    item.position[1] = -3e6;
    WRONG("an item's y is -3000000, and 1000 steps", to->item(to->user, 0, &item));
    item.position[1] = 0;
    item.shape = 1;
    WRONG("item 4 has shape 1 of 1", to->item(to->user, 0, &item));
    item.shape = 0;
    item.state = 2;
    WRONG("state 2 of 0", to->item(to->user, 0, &item));
    item.state = 0;
    item.rotation[0] = 0.5;
    WRONG("turned by 0.5 0 0 0", to->item(to->user, 0, &item));
    item.rotation[0] = 0;
    item.id = VP_RECORD_IDS;
    WRONG("item 16777216", to->item(to->user, 0, &item));
    item.id = 4;
    item.values = &much;
    WRONG("column 0 of an item is inf", to->item(to->user, 0, &item));
    WRONG("item 4 to remove does not exist", to->remove(to->user, 0, 4));
    WRONG("layer \"points\", frame 3: number 1 of a row is nan", to->rows(to->user, 1, bad, 1));
    WRONG("number 1 of a row is 3000000", to->rows(to->user, 1, far, 1));
    WRONG("layer \"figures\", frame 3: column 0 is inf", to->scalars(to->user, 2, &much));
    WRONG("cell 8 of 8", to->voxels(to->user, 3, &(vp_record_voxel){8, 1}, 1));
    WRONG("text 0 of 1 bytes is not UTF-8", to->texts(to->user, 4, &(vp_record_text){.text = "\xff"}, 1));
    WRONG("shape 1: a size is -1", to->shape(to->user, &(vp_record_shape){.form = VP_RECORD_SPHERE, .scale = 1, .size = {-1}}));
    WRONG("shape 1: form 1, scale 0", to->shape(to->user, &(vp_record_shape){.form = VP_RECORD_SPHERE, .size = {1}}));
    WRONG("two layers have the name \"grid\"", to->layer(to->user, &layers[3]));
    WRONG("after the first frame", (void)(to->frame(to->user, NULL), to->layer(to->user, &(vp_record_layer){.name = "late"})));
    const uint32_t triangle[3] = {0, 1, 2};
    const float corner[6] = {0};
    WRONG(
        "shape 1: triangle 0 has corner 2 of 2",
        to->shape(to->user,
                  &(vp_record_shape){
                      .form = VP_RECORD_MESH, .scale = 1, .corner = corner, .corner_count = 2, .triangle = triangle, .triangle_count = 1}));
}

TEST(layers_are_checked)
{
    static const vp_record_column column = {.name = "c", .meaning = VP_RECORD_ITEM, .of = 1};
    const struct {
        vp_record_layer layer;
        const char *part;
    } wrong[] = {
        {{.name = NULL}, "the name of layer 0"},
        {{.name = ""}, "the name of layer 0"},
        {{.name = "a", .kind = (vp_record_kind)9}, "kind is 9"},
        {{.name = "a", .kind = VP_RECORD_ITEMS}, "scale is 0"},
        {{.name = "a", .kind = VP_RECORD_ITEMS, .scale = INFINITY}, "scale is inf"},
        {{.name = "a", .kind = VP_RECORD_ITEMS, .scale = 1, .opacity = 2}, "opacity 2"},
        {{.name = "a", .kind = VP_RECORD_SCALARS}, "has 0 columns"},
        {{.name = "a", .kind = VP_RECORD_ARRAY, .columns = &column, .column_count = 1}, "column \"c\" is of layer 1"},
        {{.name = "a", .kind = VP_RECORD_TEXTS, .columns = &column, .column_count = 1}, "has 1 columns"},
        {{.name = "a", .kind = VP_RECORD_VOXELS, .size = {1024, 1024, 1025}}, "1024 x 1024 x 1025"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const vp_recorder *to;
        vp_record_writer *writer = writer_of(NULL, 0, &to);
        assert_int_equal(to->layer(to->user, &wrong[i].layer), 0);
        fails(writer, to, wrong[i].part);
    }
}

TEST(files_are_written_as_they_grow)
{
    vp_record_writer *writer;
    uint32_t frames = 0;
    bool cut = false;
    frame_sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_ok(vp_record_writer_create(in_folder("a.vpr"), &about, &writer, &error));
    const vp_recorder *to = vp_record_writer_recorder(writer);
    sample_begin(s, to);
    for (int f = 0; f < 300; f++) {
        sample_frame(s, to);
        assert_ok(to->frame(to->user, &error));
    }
    vp_record_writer_drop(writer); /* as after a crash */
    FILE *file = fopen(in_folder("a.vpr"), "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    const size_t size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    assert_ok(read_all(bytes, size, &frames, &cut, &error));
    assert_int_equal(frames, 256);
    assert_true(cut);
    free(bytes);
    free(s);
    assert_refused(vp_record_writer_create(in_folder("none/a.vpr"), &about, &writer, &error), VP_E_IO, "none/a.vpr");
    assert_refused(vp_record_writer_create(NULL, &(vp_record_about){.title = "\xff"}, &writer, &error), VP_E_ARGUMENT, "UTF-8");
}

TEST(a_full_disk_is_told)
{
    vp_record_writer *writer;
    frame_sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    if (vp_record_writer_create("/dev/full", &about, &writer, NULL) != VP_OK) {
        free(s);
        return;
    }
    const vp_recorder *to = vp_record_writer_recorder(writer);
    sample_begin(s, to);
    sample_frame(s, to);
    assert_refused(to->frame(to->user, &error), VP_E_IO, "cannot write /dev/full");
    assert_refused(vp_record_writer_close(writer, NULL, NULL, &error), VP_E_IO, "cannot write /dev/full");
    free(s);
}

int main(void)
{
    return test_run_all(begin_in_folder, end_in_folder);
}
