/* SPDX-License-Identifier: MIT */
/* How a sphere touches a triangle, in long double and by another way than the library's: a point is projected onto the plane along its
 * normal, and on which side of the edges it lies is asked of their products with it. */
#ifndef VP_TESTS_SUPPORT_CONTACT_ORACLE_H
#define VP_TESTS_SUPPORT_CONTACT_ORACLE_H

#include <voxphys/kd.h>

typedef struct contact_vec {
    long double x, y, z;
} contact_vec;

/* The point of a triangle that is nearest to p. */
contact_vec contact_nearest(const contact_vec p, const vp_vec3 corner[3]);
/* Of a triangle from a point. */
long double contact_distance(vp_vec3 from, const vp_vec3 corner[3]);

/* Fails the test if a contact at t with a triangle is not as docs/CONTRACT.md says: SWP-5 and SWP-6. @return in the test's bounds, how
   much the worst of them was used: 1 is all */
double contact_expect(const vp_vec3 corner[3], const vp_ray *ray, float radius, float t, const vp_sphere_contact *contact);

#endif
