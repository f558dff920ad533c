/* SPDX-License-Identifier: MIT */
/* How far a cylinder along y and a triangle are apart, in binary64. */
#ifndef VP_COLLIDE_ORACLE_CYLINDER_H
#define VP_COLLIDE_ORACLE_CYLINDER_H

/* In its frame. @param u  out: the direction, of length 1 @return the signed distance */
double vp_oracle_cylinder(double radius, double half_height, double corner[3][3], double u[3]);
/* How far it is from the triangle along u, of length 1. */
double vp_oracle_cylinder_apart(double radius, double half_height, double corner[3][3], const double u[3]);

#endif
