/* SPDX-License-Identifier: MIT */
/* The distance between a cylinder along y and a triangle, in binary64. */
#ifndef VP_COLLIDE_ORACLE_CYLINDER_H
#define VP_COLLIDE_ORACLE_CYLINDER_H

/* In the cylinder's frame. @param u  out, unit direction @return the signed distance */
double vp_oracle_cylinder(double radius, double half_height, double corner[3][3], double u[3]);

#endif
