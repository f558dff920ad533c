/* SPDX-License-Identifier: MIT */
/* Contacts of a sphere with a triangle in long double, by another method than the library's. A point is projected onto the plane along
 * its normal. Cross products with the edges give its side of each edge. */
#ifndef VP_TESTS_SUPPORT_CONTACT_ORACLE_H
#define VP_TESTS_SUPPORT_CONTACT_ORACLE_H

#include <voxphys/kd.h>

/* The distance of a triangle from a point. */
long double contact_distance(vp_vec3 from, const vp_vec3 corner[3]);

/* Fails the test if a contact at t with a triangle violates SWP-5 or SWP-6 of docs/CONTRACT.md. @return the largest used share of a
   bound, where 1 is all of it */
double contact_expect(const vp_vec3 corner[3], const vp_ray *ray, float radius, float t, const vp_sphere_contact *contact);

#endif
