/* SPDX-License-Identifier: MIT */
/* The exact test of src/kd/ray_triangle.h for eight rays at once, each with its own triangle. It does the same steps in
 * doubles in the same order, so it has the same bits. Included after packet_<isa>.h, whose words it uses. */
#ifndef VP_OPTIMIZED_KD_EXACT_H
#define VP_OPTIMIZED_KD_EXACT_H

/* Where a ray's line crosses a triangle, and the weights of the second and third corner. */
typedef struct crossing_8 {
    f8 s, u, v;
    m8 met;
} crossing_8;

/* @param x components of the three corners, from the origin and sheared; y and z likewise @param along the scaled
   direction's component along z */
static inline crossing_8 crossing_of_8(const f8 x[3], const f8 y[3], const f8 z[3], f8 along)
{
    d8 dx[3], dy[3];
    for (int j = 0; j < 3; j++) {
        dx[j] = d8_of(x[j]);
        dy[j] = d8_of(y[j]);
    }
    const d8 from_a = d8_sub(d8_mul(dx[2], dy[1]), d8_mul(dy[2], dx[1]));
    const d8 from_b = d8_sub(d8_mul(dx[0], dy[2]), d8_mul(dy[0], dx[2]));
    const d8 from_c = d8_sub(d8_mul(dx[1], dy[0]), d8_mul(dy[1], dx[0]));
    const d8 area = d8_add(d8_add(from_a, from_b), from_c);
    const d8 of_a = d8_mul(from_a, d8_of(z[0])), of_b = d8_mul(from_b, d8_of(z[1])), of_c = d8_mul(from_c, d8_of(z[2]));
    const d8 depth = d8_add(d8_add(of_a, of_b), of_c);
    crossing_8 c;
    c.s = f8_add(d8_narrow(d8_div(depth, d8_mul(area, d8_of(along)))), f8_set(0.0f)); /* + 0 removes -0 */
    c.u = d8_narrow(d8_div(from_b, area));
    c.v = d8_narrow(d8_div(from_c, area));
    c.met = m8_and(d8_one_sign(from_a, from_b, from_c), d8_not_zero(area));
    return c;
}

#endif
