/* SPDX-License-Identifier: MIT */
/* States: bytes typed by hand, damaged states, and states that are read and continued (docs/CONTRACT.md: AUT-6). */
#include "tests/support/check.h"
#include "tests/support/writer.h"

#include <voxphys/automaton.h>

#include "src/core/bytes.h"

static void nothing_rule(const vp_automaton_window *in, vp_automaton_action *out)
{
    (void)in, (void)out;
}

static const vp_automaton_species two[] = {{.name = "stone", .type = 7, .strength = 2, .revision = 3},
                                           {.name = "moss", .type = 5, .strength = 9, .revision = 258, .rule = nothing_rule}};
static const vp_automaton_def def_of_two = {.species = two, .species_count = 2};

/* 2 x 1 x 3 cells: stone, empty, empty, living moss, dead moss, dead moss. Another program computed the checksums. */
static const uint8_t literal[] = {
    0x89, 0x56, 0x50, 0x41, 0x0d, 0x0a, 0x1a, 0x0a,                         /* magic */
    0x01, 0x00, 0x00, 0x00,                                                 /* version */
    0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, /* 2 x 1 x 3 */
    0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,                         /* seed */
    0x2a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* step 42 */
    0xa4, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* 164 bytes */
    0x02, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, /* species, runs, living */
    0x4c, 0x2e, 0x25, 0x5d,                                                 /* CRC-32 of the header */
    0x05, 0x09, 0x02, 0x01, 'm',  'o',  's',  's',  0,    0,    0,    0,    /* moss */
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0, /* */
    0x07, 0x02, 0x03, 0x00, 's',  't',  'o',  'n',  'e',  0,    0,    0,                                                    /* stone */
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0, /* */
    0x07, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x85, 0x01, 0x00, 0x00, 0x05, 0x02, 0x00, 0x00,                         /* runs */
    0x34, 0x12, 0x78, 0x56, 0xef, 0xbe, 0xad, 0xde,                                                                         /* memory */
    0x2f, 0xba, 0xbb, 0x38, /* CRC-32 of all bytes after the header */
};

/* docs/CONTRACT.md: AUT-6 */
TEST(a_state_typed_by_hand)
{
    vp_automaton *a = NULL;
    vp_blob blob;
    assert_int_equal(sizeof literal, 0xa4);
    assert_ok(vp_automaton_decode(literal, sizeof literal, &def_of_two, &a, &error));
    const vp_dims size = vp_automaton_size(a);
    assert_true(size.x == 2 && size.y == 1 && size.z == 3);
    assert_int_equal(vp_automaton_stats_of(a).step, 42);
    assert_int_equal(vp_automaton_cell_at(a, (vp_ivec3){0, 0, 0}).type, 7);
    assert_int_equal(vp_automaton_cell_at(a, (vp_ivec3){1, 0, 0}).type, 0);
    const vp_automaton_cell moss = vp_automaton_cell_at(a, (vp_ivec3){1, 0, 1});
    assert_true(moss.type == 5 && moss.living && moss.memory.tick == 0x1234 && moss.memory.generation == 0x5678);
    assert_true(moss.memory.resource == 0xdeadbeefu);
    assert_false(vp_automaton_cell_at(a, (vp_ivec3){1, 0, 2}).living);
    assert_ok(vp_automaton_encode(a, NULL, &blob, &error));
    assert_int_equal(blob.size, sizeof literal);
    assert_memory_equal(blob.bytes, literal, sizeof literal);
    vp_blob_destroy(&blob);
    vp_automaton_destroy(a);
}

/* Corrects both checksums. */
static void seal(uint8_t *bytes, size_t size)
{
    vp_put_le32(bytes + 60, bitwise_crc(bytes, 60));
    vp_put_le32(bytes + size - 4, bitwise_crc(bytes + 64, size - 68));
}

/* Errors under valid checksums are reported with the byte and its value. */
TEST(what_is_wrong_is_told)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *why;
    } odd[] = {{8, 2, "byte 8: version 2"},
               {12, 0, "byte 12: no automaton has 0 x 1 x 3"},
               {13, 16, "byte 12: no automaton has 4098 x 1 x 3"},
               {12, 1, "byte 144: a run of 1 cells where 0 are left"},
               {20, 4, "byte 152: runs of 6 cells"},
               {40, 0xa5, "byte 40: the state says 165 bytes"},
               {48, 3, "byte 40: the state says 164 bytes, but 3 species"},
               {51, 0xff, "4278190082 species"},
               {56, 2, "2 living cells are 172"},
               {64, 6, "byte 64: species \"moss\" has type 6, strength 9, revision 258; here it has 5, 9, 258"},
               {65, 1, "byte 64: species \"moss\" has type 5, strength 1"},
               {66, 1, "revision 257; here it has 5, 9, 258"},
               {68, 'b', "byte 68: species \"boss\" is unknown"},
               {80, 'b', "byte 80: 0x62 after the name"},
               {136, 6, "byte 136: dead cells of type 6 are impossible"},
               {136, 0x87, "byte 136: living cells of type 7 are impossible"},
               {136, 0x80, "byte 136: living cells of type 0 are impossible"},
               {136, 127, "byte 136: dead cells of type 127 are impossible"},
               {137, 0, "byte 136: a run of 0 cells where 6 are left"},
               {144, 5, "byte 148: the run before it goes on"},
               {148, 0x87, "byte 148: living cells of type 7 are impossible"},
               {148, 7, ""}}; /* still a valid state */
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        uint8_t bytes[sizeof literal];
        vp_automaton *a = NULL;
        memcpy(bytes, literal, sizeof literal);
        bytes[odd[i].at] = odd[i].value;
        seal(bytes, sizeof bytes);
        if (odd[i].why[0] != '\0')
            assert_refused(vp_automaton_decode(bytes, sizeof bytes, &def_of_two, &a, &error), VP_E_FORMAT, odd[i].why);
        else
            assert_ok(vp_automaton_decode(bytes, sizeof bytes, &def_of_two, &a, &error));
        vp_automaton_destroy(a);
    }
    uint8_t swapped[sizeof literal]; /* species in another order */
    vp_automaton *a = NULL;
    memcpy(swapped, literal, sizeof literal);
    memcpy(swapped + 64, literal + 100, 36);
    memcpy(swapped + 100, literal + 64, 36);
    seal(swapped, sizeof swapped);
    assert_refused(vp_automaton_decode(swapped, sizeof swapped, &def_of_two, &a, &error), VP_E_FORMAT, "type 5 comes after one of type 7");
    uint8_t dead[sizeof literal]; /* claims a living cell, contains none */
    memcpy(dead, literal, sizeof literal);
    dead[144] = 0x07;
    seal(dead, sizeof dead);
    assert_refused(vp_automaton_decode(dead, sizeof dead, &def_of_two, &a, &error), VP_E_FORMAT,
                   "the header has 1 living cells, the state 0");
    assert_refused(vp_automaton_decode(literal, sizeof literal, &(vp_automaton_def){0}, &a, &error), VP_E_FORMAT, "\"moss\" is unknown");
    assert_null(a);
}

/* Species that the automaton does not have are reported before the state is compared with them. */
TEST(unsound_species_are_refused)
{
    static const vp_automaton_species odd[][2] = {
        {{.name = NULL, .type = 5}, {.name = "stone", .type = 7}},
        {{.name = "moss", .type = 200, .strength = 9, .revision = 258}, {.name = "stone", .type = 7}},
        {{.name = "moss", .type = 5}, {.name = "moss", .type = 7}}};
    static const char *const named[] = {"species 0", "type 200", "names and types must differ"};
    uint8_t bytes[sizeof literal];
    memcpy(bytes, literal, sizeof literal);
    bytes[64] = 200; /* the type of the second definition */
    seal(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        const vp_automaton_def def = {.species = odd[i], .species_count = 2};
        vp_automaton *a = NULL;
        assert_refused(vp_automaton_decode(bytes, sizeof bytes, &def, &a, &error), VP_E_ARGUMENT, named[i]);
        assert_null(a);
    }
}
