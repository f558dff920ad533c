/* SPDX-License-Identifier: MIT */
/* Names of optimized/kd/packet.h and its parts, which are compiled for packets of 8 and of 16 rays. Both use the same
 * source, with VP_PACKET rays, VP_UNIT of them in a register. The first inclusion, before the parts, gives every type
 * and function the packet's number (packet_16), and words of the vocabulary the register's (F(sub) is f16_sub). The
 * second, after them, undoes that. */
#ifndef VP_PACKET_NAMES
#define VP_PACKET_NAMES

#define VP_GLUE_OF(a, b, c) a##b##c
#define VP_GLUE(a, b, c)    VP_GLUE_OF(a, b, c)
#define VP_NUMBERED(name)   VP_GLUE(name, _, VP_PACKET)

#define F(name) VP_GLUE(f, VP_UNIT, _##name)
#define M(name) VP_GLUE(m, VP_UNIT, _##name)
#define LANES   VP_GLUE(f, VP_UNIT, )
#define MASK    VP_GLUE(m, VP_UNIT, )
#define UNITS   (VP_PACKET / VP_UNIT)
#define ALL     ((1u << VP_PACKET) - 1u)    /* rays, as bits */
#define EVERY   M(of)((1u << VP_UNIT) - 1u) /* lanes of a register */

#define among_planes        VP_NUMBERED(among_planes)
#define ask_all             VP_NUMBERED(ask_all)
#define ask_some            VP_NUMBERED(ask_some)
#define branch              VP_NUMBERED(branch)
#define closest_of_many     VP_NUMBERED(closest_of_many)
#define cut                 VP_NUMBERED(cut)
#define find_ends           VP_NUMBERED(find_ends)
#define find_kinds          VP_NUMBERED(find_kinds)
#define find_most           VP_NUMBERED(find_most)
#define find_planes         VP_NUMBERED(find_planes)
#define give                VP_NUMBERED(give)
#define left_of             VP_NUMBERED(left_of)
#define look_on             VP_NUMBERED(look_on)
#define meet_box            VP_NUMBERED(meet_box)
#define packet              VP_NUMBERED(packet)
#define parts               VP_NUMBERED(parts)
#define parts_waiting       VP_NUMBERED(parts_waiting)
#define prepare             VP_NUMBERED(prepare)
#define float_faces         VP_NUMBERED(float_faces)
#define settle_all          VP_NUMBERED(settle_all)
#define settle              VP_NUMBERED(settle)
#define shorten             VP_NUMBERED(shorten)
#define slabs               VP_NUMBERED(slabs)
#define slabs_of            VP_NUMBERED(slabs_of)
#define test_item           VP_NUMBERED(test_item)
#define test_leaves         VP_NUMBERED(test_leaves)
#define test_leaves_implied VP_NUMBERED(test_leaves_implied)
#define test_leaves_of      VP_NUMBERED(test_leaves_of)
#define test_leaves_packed  VP_NUMBERED(test_leaves_packed)
#define test_leaves_wide    VP_NUMBERED(test_leaves_wide)
#define test_node_leaf      VP_NUMBERED(test_node_leaf)
#define tester              VP_NUMBERED(tester)
#define tester_of           VP_NUMBERED(tester_of)
#define trial               VP_NUMBERED(trial)
#define try_all             VP_NUMBERED(try_all)
#define visit_as_one        VP_NUMBERED(visit_as_one)
#define visit_nodes_as_one  VP_NUMBERED(visit_nodes_as_one)
#define visit_wide_as_one   VP_NUMBERED(visit_wide_as_one)
#define write_hits          VP_NUMBERED(write_hits)
/* terrain/packet.h */
#define ask_chunk_of_many        VP_NUMBERED(ask_chunk_of_many)
#define ask_column_of_many       VP_NUMBERED(ask_column_of_many)
#define ask_world_of_all         VP_NUMBERED(ask_world_of_all)
#define ask_world_of_some        VP_NUMBERED(ask_world_of_some)
#define closest_of_many_in_world VP_NUMBERED(closest_of_many_in_world)
#define keep_best                VP_NUMBERED(keep_best)
#define look_on_in_world         VP_NUMBERED(look_on_in_world)
#define missing_tree_of_many     VP_NUMBERED(missing_tree_of_many)
#define visit_world_as_one       VP_NUMBERED(visit_world_as_one)
#define world_best               VP_NUMBERED(world_best)

#else
#undef VP_PACKET_NAMES
#undef VP_GLUE_OF
#undef VP_GLUE
#undef VP_NUMBERED
#undef F
#undef M
#undef LANES
#undef MASK
#undef UNITS
#undef ALL
#undef EVERY
#undef among_planes
#undef ask_all
#undef ask_some
#undef branch
#undef closest_of_many
#undef cut
#undef find_ends
#undef find_kinds
#undef find_most
#undef find_planes
#undef give
#undef left_of
#undef look_on
#undef meet_box
#undef packet
#undef parts
#undef parts_waiting
#undef prepare
#undef float_faces
#undef settle_all
#undef settle
#undef shorten
#undef slabs
#undef slabs_of
#undef test_item
#undef test_leaves
#undef test_leaves_implied
#undef test_leaves_of
#undef test_leaves_packed
#undef test_leaves_wide
#undef test_node_leaf
#undef tester
#undef tester_of
#undef trial
#undef try_all
#undef visit_as_one
#undef visit_nodes_as_one
#undef visit_wide_as_one
#undef write_hits
#undef ask_chunk_of_many
#undef ask_column_of_many
#undef ask_world_of_all
#undef ask_world_of_some
#undef closest_of_many_in_world
#undef keep_best
#undef look_on_in_world
#undef missing_tree_of_many
#undef visit_world_as_one
#undef world_best
#undef VP_PACKET
#undef VP_UNIT
#endif
