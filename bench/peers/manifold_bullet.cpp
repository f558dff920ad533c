/* SPDX-License-Identifier: MIT */
/* Bullet's manifolds of a body and a mesh, as btCollisionWorld has them made: btConvexConcaveCollisionAlgorithm finds triangles by the
 * mesh's tree and collides one after the other; a manifold keeps four points of all. With its utility for internal edges, which knows the
 * angle of each edge and turns normals, and without. Triangles have two sides. */
#include "bench/peers/bullet_shapes.h"
#include "bench/peers/library.h"
#include "bench/peers/manifold.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>

namespace
{

/* In the order in which they need each other. */
struct Work {
    std::vector<btScalar> corner;
    std::vector<int> index;
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btBvhTriangleMeshShape> mesh;
    btTriangleInfoMap edges;
    btCollisionObject ground;
    std::vector<std::unique_ptr<btConvexShape>> shape;
    std::vector<std::unique_ptr<btCollisionObject>> body;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btScalar margin = 0;
    std::vector<vp_touch> touch;
};

bool turn_normal(btManifoldPoint &point, const btCollisionObjectWrapper *body, int, int, const btCollisionObjectWrapper *triangle, int part,
                 int index)
{
    btAdjustInternalEdgeContacts(point, triangle, body, part, index);
    return true;
}

template <bool EDGES> void *make(const vp_peer *, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        const vp_touch_asked &asked = *static_cast<const vp_touch_asked *>(data->set);
        auto w = std::make_unique<Work>();
        for (uint32_t i = 0; i < 3 * asked.triangles; i++) {
            const vp_vec3 &c = asked.triangle[i / 3].corner[i % 3];
            w->corner.insert(w->corner.end(), {c.x, c.y, c.z});
            w->index.push_back(static_cast<int>(i));
        }
        const int count = static_cast<int>(asked.triangles);
        w->triangles = std::make_unique<btTriangleIndexVertexArray>(count, w->index.data(), 3 * sizeof(int), 3 * count, w->corner.data(),
                                                                    3 * sizeof(btScalar));
        w->mesh = std::make_unique<btBvhTriangleMeshShape>(w->triangles.get(), true);
        w->ground.setCollisionShape(w->mesh.get());
        if (EDGES) {
            btGenerateInternalEdgeInfo(w->mesh.get(), &w->edges);
            w->ground.setCollisionFlags(w->ground.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
        }
        for (uint32_t i = 0; i < asked.bodies; i++) {
            vp_collide_frame frame;
            if (vp_collide_frame_of(&asked.body[i].pose, &frame, nullptr) != VP_OK)
                return nullptr;
            w->shape.push_back(shape_of(*asked.body[i].shape));
            w->body.push_back(std::make_unique<btCollisionObject>());
            w->body.back()->setCollisionShape(w->shape.back().get());
            w->body.back()->setWorldTransform(transform_of(frame));
        }
        w->margin = asked.margin;
        w->dispatcher.setDispatcherFlags(w->dispatcher.getDispatcherFlags() &
                                         ~btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD);
        w->touch.reserve(64 * asked.bodies);
        return w.release();
    });
}

bool rewind(void *argument)
{
    static_cast<Work *>(argument)->touch.clear();
    return true;
}

void collide(Work &w, uint32_t number)
{
    btCollisionObject &body = *w.body[number];
    const btCollisionObjectWrapper a(nullptr, body.getCollisionShape(), &body, body.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper b(nullptr, w.mesh.get(), &w.ground, w.ground.getWorldTransform(), -1, -1);
    btManifoldResult result(&a, &b);
    btManifoldArray manifolds;
    btCollisionAlgorithm *algorithm = w.dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    algorithm->processCollision(&a, &b, btDispatcherInfo(), &result);
    algorithm->getAllContactManifolds(manifolds);
    for (int m = 0; m < manifolds.size(); m++)
        for (int i = 0; i < manifolds[m]->getNumContacts(); i++) {
            const btManifoldPoint &p = manifolds[m]->getContactPoint(i);
            const btVector3 &n = p.m_normalWorldOnB;
            w.touch.push_back({number, static_cast<uint32_t>(p.m_index1), p.getDistance(), {n.x(), n.y(), n.z()}});
        }
    algorithm->~btCollisionAlgorithm();
    w.dispatcher.freeCollisionAlgorithm(algorithm);
}

bool run(void *argument, uint32_t)
{
    Work &w = *static_cast<Work *>(argument);
    return unless_thrown([&] {
        gContactBreakingThreshold = w.margin;
        gContactAddedCallback = turn_normal; /* for objects that say so */
        w.touch.clear();
        for (uint32_t i = 0; i < w.body.size(); i++)
            collide(w, i);
        return true;
    });
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    const Work &w = *static_cast<Work *>(argument);
    out->touch = w.touch.data();
    out->touches = static_cast<uint32_t>(w.touch.size());
    return true;
}

#define NOTE "one mesh of all triangles, its own margins"
#define PEER(name, more, edges, row)                                                                                                       \
    {                                                                                                                                      \
        name, VP_DIGITS(BT_BULLET_VERSION), NOTE more, row, false, false, make<edges>, rewind, run, answers, drop<Work>                    \
    }
#define PEERS(row) PEER("bullet", "", false, row), PEER("bullet-edges", "; btInternalEdgeUtility", true, row)

} // namespace

extern "C" const vp_peer vp_peers_manifold_bullet[] = {PEERS(VP_OPERATION_manifold_sphere),
                                                       PEERS(VP_OPERATION_manifold_capsule),
                                                       PEERS(VP_OPERATION_manifold_box),
                                                       PEERS(VP_OPERATION_manifold_cylinder),
                                                       PEERS(VP_OPERATION_manifold_hull16),
                                                       PEERS(VP_OPERATION_manifold_hull64),
                                                       VP_PEERS_END};
