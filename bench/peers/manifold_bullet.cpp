/* SPDX-License-Identifier: MIT */
/* Bullet's manifolds of a body and a mesh, made like in btCollisionWorld. btConvexConcaveCollisionAlgorithm finds triangles with the
 * mesh's tree and collides them one by one. A manifold keeps four points in total. It is measured with and without Bullet's utility for
 * internal edges, which knows each edge's angle and turns normals. Triangles have two sides. Casts of a shape against the mesh use
 * Bullet's convexSweepTest. */
#include "bench/peers/bullet_ground.h"
#include "bench/peers/manifold.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>

namespace
{

struct BulletManifolds {
    btTriangleInfoMap edges;
    Ground ground;
    std::vector<std::unique_ptr<btConvexShape>> part;
    btCompoundShape compound; /* if there are several parts */
    std::vector<std::unique_ptr<btCollisionObject>> body;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btScalar margin = 0;
    std::vector<vp_peer_touch> touch;
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
        const vp_touch_samples &asked = *static_cast<const vp_touch_samples *>(data->set);
        auto w = std::make_unique<BulletManifolds>();
        w->ground.create(asked.triangle, asked.triangles);
        if (EDGES) {
            btGenerateInternalEdgeInfo(w->ground.mesh.get(), &w->edges);
            w->ground.body.setCollisionFlags(w->ground.body.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
        }
        vp_collide_frame frame;
        for (uint32_t i = 0; i < asked.compound->count; i++) {
            const vp_compound_part &part = asked.compound->part[i];
            if (vp_collide_frame_of(&part.pose, &frame, nullptr) != VP_OK)
                return nullptr;
            w->part.push_back(shape_of(*part.shape));
            w->compound.addChildShape(transform_of(frame), w->part.back().get());
        }
        btCollisionShape *const shape = w->part.size() > 1 ? static_cast<btCollisionShape *>(&w->compound) : w->part[0].get();
        for (uint32_t i = 0; i < asked.bodies; i++) {
            if (vp_collide_frame_of(&asked.body[i].pose, &frame, nullptr) != VP_OK)
                return nullptr;
            w->body.push_back(std::make_unique<btCollisionObject>());
            w->body.back()->setCollisionShape(shape);
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
    static_cast<BulletManifolds *>(argument)->touch.clear();
    return true;
}

void collide(BulletManifolds &w, uint32_t number)
{
    btCollisionObject &body = *w.body[number];
    const btCollisionObjectWrapper a(nullptr, body.getCollisionShape(), &body, body.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper b(nullptr, w.ground.mesh.get(), &w.ground.body, w.ground.body.getWorldTransform(), -1, -1);
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
    BulletManifolds &w = *static_cast<BulletManifolds *>(argument);
    return unless_thrown([&] {
        gContactBreakingThreshold = w.margin;
        gContactAddedCallback = turn_normal; /* for objects that request it */
        w.touch.clear();
        for (uint32_t i = 0; i < w.body.size(); i++)
            collide(w, i);
        return true;
    });
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    const BulletManifolds &w = *static_cast<BulletManifolds *>(argument);
    out->touch = w.touch.data();
    out->touches = static_cast<uint32_t>(w.touch.size());
    return true;
}

/* ---- casts ---- */

struct Casts {
    Ground ground;
    std::unique_ptr<btConvexShape> shape;
    std::vector<std::array<btTransform, 2>> way; /* start and end */
    std::vector<vp_cast_hit> hit;
};

template <bool MARGIN> void *make_casts(const vp_peer *peer, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        const vp_cast_samples &asked = *static_cast<const vp_cast_samples *>(data->set);
        auto w = std::make_unique<Casts>();
        w->ground.create(asked.triangle, asked.triangles);
        w->shape = shape_of(*asked.def[0].shape);
        if (!MARGIN && peer->row != VP_OPERATION_cast_sphere && peer->row != VP_OPERATION_cast_capsule)
            w->shape->setMargin(0); /* for these two shapes the margin is the radius */
        for (uint32_t i = 0; i < asked.casts; i++) {
            vp_collide_frame frame;
            if (vp_collide_frame_of(&asked.def[i].pose, &frame, nullptr) != VP_OK)
                return nullptr;
            w->way.push_back({transform_of(frame), transform_of(frame)});
            w->way.back()[1].getOrigin() += vector_of(asked.def[i].translation);
        }
        w->hit.resize(asked.casts);
        return w.release();
    });
}

bool rewind_casts(void *argument)
{
    auto &hit = static_cast<Casts *>(argument)->hit;
    for (vp_cast_hit &h : hit)
        h = {true, true, 0, -1.0f, 0.0f, {}, {}, {}};
    return true;
}

bool run_casts(void *argument, uint32_t)
{
    Casts &w = *static_cast<Casts *>(argument);
    return unless_thrown([&] {
        for (uint32_t i = 0; i < w.way.size(); i++) {
            const btTransform &from = w.way[i][0], &to = w.way[i][1];
            btCollisionWorld::ClosestConvexResultCallback found(from.getOrigin(), to.getOrigin());
            btCollisionWorld::objectQuerySingle(w.shape.get(), from, to, &w.ground.body, w.ground.mesh.get(),
                                                w.ground.body.getWorldTransform(), found, 0);
            const btVector3 &n = found.m_hitNormalWorld;
            w.hit[i] = {};
            if (found.m_hitCollisionObject != nullptr) {
                w.hit[i].found = true;
                w.hit[i].t = found.m_closestHitFraction;
                w.hit[i].normal = {n.x(), n.y(), n.z()};
            }
        }
        return true;
    });
}

bool answers_of_casts(void *argument, uint32_t, vp_peer_answers *out)
{
    out->cast = static_cast<Casts *>(argument)->hit.data();
    return true;
}

#define CAST(name, more, margin, row)                                                                                                      \
    {                                                                                                                                      \
        name, VP_DIGITS(BT_BULLET_VERSION), "convexSweepTest of one mesh of all triangles; " more, row, false, false, make_casts<margin>,  \
            rewind_casts, run_casts, answers_of_casts, drop<Casts>                                                                         \
    }
#define CASTS(row) CAST("bullet", "margin 0", false, row), CAST("bullet-margin", "its own margins", true, row)
#define NOTE       "one mesh of all triangles, its own margins"
#define PEER(name, more, edges, row)                                                                                                       \
    {                                                                                                                                      \
        name, VP_DIGITS(BT_BULLET_VERSION), NOTE more, row, false, false, make<edges>, rewind, run, answers, drop<BulletManifolds>         \
    }
#define PEERS(row) PEER("bullet", "", false, row), PEER("bullet-edges", "; btInternalEdgeUtility", true, row)

} // namespace

extern "C" const vp_peer vp_peers_manifold_bullet[] = {PEERS(VP_OPERATION_manifold_sphere),
                                                       PEERS(VP_OPERATION_manifold_capsule),
                                                       PEERS(VP_OPERATION_manifold_box),
                                                       PEERS(VP_OPERATION_manifold_cylinder),
                                                       PEERS(VP_OPERATION_manifold_hull16),
                                                       PEERS(VP_OPERATION_manifold_hull64),
                                                       PEERS(VP_OPERATION_manifold_table),
                                                       PEERS(VP_OPERATION_manifold_anchor),
                                                       CAST("bullet", "its margin is its radius", false, VP_OPERATION_cast_sphere),
                                                       CAST("bullet", "its margin is its radius", false, VP_OPERATION_cast_capsule),
                                                       CASTS(VP_OPERATION_cast_box),
                                                       CASTS(VP_OPERATION_cast_cylinder),
                                                       CASTS(VP_OPERATION_cast_hull),
                                                       VP_PEERS_END};
