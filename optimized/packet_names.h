/* SPDX-License-Identifier: MIT */
/* The names of kd_packet.h and its parts, by VP_PACKET and VP_UNIT: made the first time it is included, and taken away the
 * second time. */
#ifndef VP_PACKET_NAMES
#define VP_PACKET_NAMES
#define VP_GLUE(a, b, c)    VP_GLUE_OF(a, b, c)
#define VP_GLUE_OF(a, b, c) a##b##c

#define PACKET(name) VP_GLUE(name, _, VP_PACKET)    /* something of this number of rays */
#define F(name)      VP_GLUE(f, VP_UNIT, _##name)   /* a word on lanes */
#define M(name)      VP_GLUE(m, VP_UNIT, _##name)   /* a word on masks */
#define LANES        VP_GLUE(f, VP_UNIT, )
#define MASK         VP_GLUE(m, VP_UNIT, )
#define UNITS        (VP_PACKET / VP_UNIT)
#define ALL          ((1u << VP_PACKET) - 1u)
#define EVERY        M(of)((1u << VP_UNIT) - 1u)
#else
#undef VP_PACKET_NAMES
#undef VP_GLUE
#undef VP_GLUE_OF
#undef PACKET
#undef F
#undef M
#undef LANES
#undef MASK
#undef UNITS
#undef ALL
#undef EVERY
#undef VP_PACKET
#undef VP_UNIT
#endif
