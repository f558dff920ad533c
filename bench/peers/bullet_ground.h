/* SPDX-License-Identifier: MIT */
/* One mesh of all triangles, as a static body. */
#ifndef VP_BENCH_BULLET_GROUND_H
#define VP_BENCH_BULLET_GROUND_H

#include "bench/peers/bullet_shapes.h"
#include "bench/peers/library.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>

/* Members are ordered so that each only needs those before it. */
struct Ground {
    std::vector<btScalar> corner;
    std::vector<int> index;
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btBvhTriangleMeshShape> mesh;
    btCollisionObject body;

    void create(const vp_collide_triangle *triangle, uint32_t triangle_count)
    {
        for (uint32_t i = 0; i < 3 * triangle_count; i++) {
            const vp_vec3 &c = triangle[i / 3].corner[i % 3];
            corner.insert(corner.end(), {c.x, c.y, c.z});
            index.push_back(static_cast<int>(i));
        }
        const int count = static_cast<int>(triangle_count);
        triangles = std::make_unique<btTriangleIndexVertexArray>(count, index.data(), 3 * sizeof(int), 3 * count, corner.data(),
                                                                 3 * sizeof(btScalar));
        mesh = std::make_unique<btBvhTriangleMeshShape>(triangles.get(), true);
        body.setCollisionShape(mesh.get());
    }
};

#endif
