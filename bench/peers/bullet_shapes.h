/* SPDX-License-Identifier: MIT */
/* Converts our shapes and frames to Bullet's. */
#ifndef VP_BENCH_BULLET_SHAPES_H
#define VP_BENCH_BULLET_SHAPES_H

#include <memory>

#include <voxphys/narrowphase.h>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>

inline btVector3 vector_of(const vp_vec3 &v)
{
    return {v.x, v.y, v.z};
}

/* With Bullet's default margin. */
inline std::unique_ptr<btConvexShape> shape_of(const vp_collide_shape &s)
{
    switch (s.kind) {
    case VP_COLLIDE_SPHERE:
        return std::make_unique<btSphereShape>(s.radius);
    case VP_COLLIDE_CAPSULE:
        return std::make_unique<btCapsuleShape>(s.radius, 2 * s.half_height);
    case VP_COLLIDE_BOX:
        return std::make_unique<btBoxShape>(vector_of(s.half));
    case VP_COLLIDE_CYLINDER:
        return std::make_unique<btCylinderShape>(btVector3(s.radius, s.half_height, s.radius));
    default: {
        auto hull = std::make_unique<btConvexHullShape>();
        for (uint32_t i = 0; i < s.hull->vertex_count; i++)
            hull->addPoint(vector_of(s.hull->vertex[i]), false);
        hull->recalcLocalAabb();
        return hull;
    }
    }
}

/* Our rows are the shape's axes. Bullet stores axes as columns. */
inline btTransform transform_of(const vp_collide_frame &f)
{
    const vp_vec3 *r = f.row;
    return btTransform(btMatrix3x3(r[0].x, r[1].x, r[2].x, r[0].y, r[1].y, r[2].y, r[0].z, r[1].z, r[2].z), vector_of(f.position));
}

#endif
