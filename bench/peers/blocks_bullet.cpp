/* SPDX-License-Identifier: MIT */
/* Bullet's paths through a compound of boxes. `bullet` does what convexSweepTest and rayTest do with a btCompoundShape. `bullet-dbvt`
 * walks the compound's btDbvt with the moving box and takes the time from the leaves' volumes, which are the boxes. */
#include "bench/peers/blocks.h"
#include "bench/peers/bullet_shapes.h"
#include "bench/peers/library.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>

namespace
{

const btScalar NONE = 2; /* a time past the end of each path */

struct Paths {
    std::vector<std::unique_ptr<btBoxShape>> box;
    btCompoundShape compound;
    btCollisionObject body;
    std::unique_ptr<btBoxShape> moving; /* NULL for rays */
    btVector3 half{0, 0, 0};
    std::vector<std::array<btVector3, 2>> way; /* start and end of the centre */
    btAlignedObjectArray<const btDbvtNode *> stack;
    std::vector<float> time;
};

void *make(const vp_peer *peer, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        const vp_block_samples &asked = *static_cast<const vp_block_samples *>(data->set);
        auto w = std::make_unique<Paths>();
        for (uint32_t i = 0; i < asked.boxes; i++) {
            const btVector3 low = vector_of(asked.box[i].min), high = vector_of(asked.box[i].max);
            w->box.push_back(std::make_unique<btBoxShape>((high - low) / 2));
            w->box.back()->setMargin(0);
            w->compound.addChildShape(btTransform(btQuaternion::getIdentity(), (low + high) / 2), w->box.back().get());
        }
        w->compound.getDynamicAabbTree()->optimizeTopDown();
        w->body.setCollisionShape(&w->compound);
        for (uint32_t i = 0; i < asked.paths; i++) {
            const bool is_ray = peer->row == VP_KERNEL_block_ray;
            const vp_aabb &box = asked.path[i].box;
            const btVector3 from = is_ray ? vector_of(asked.line[i].origin) : (vector_of(box.min) + vector_of(box.max)) / 2;
            w->way.push_back({from, from + vector_of(asked.path[i].move)});
            if (!is_ray && i == 0) {
                w->half = (vector_of(box.max) - vector_of(box.min)) / 2;
                w->moving = std::make_unique<btBoxShape>(w->half);
                w->moving->setMargin(0);
            }
        }
        w->time.resize(asked.paths);
        return w.release();
    });
}

bool rewind(void *argument)
{
    auto &time = static_cast<Paths *>(argument)->time;
    time.assign(time.size(), -1.0f);
    return true;
}

btScalar test_world(Paths &w, const btVector3 &start, const btVector3 &end)
{
    const btTransform from(btQuaternion::getIdentity(), start), to(btQuaternion::getIdentity(), end);
    if (w.moving == nullptr) {
        btCollisionWorld::ClosestRayResultCallback found(start, end);
        btCollisionWorld::rayTestSingle(from, to, &w.body, &w.compound, w.body.getWorldTransform(), found);
        return found.hasHit() ? found.m_closestHitFraction : NONE;
    }
    btCollisionWorld::ClosestConvexResultCallback found(start, end);
    btCollisionWorld::objectQuerySingle(w.moving.get(), from, to, &w.body, &w.compound, w.body.getWorldTransform(), found, 0);
    return found.hasHit() ? found.m_closestHitFraction : NONE;
}

struct Way final : btDbvt::ICollide {
    btVector3 from, inverse, half;
    unsigned sign[3];
    btScalar first = NONE;
    void Process(const btDbvtNode *leaf) override
    {
        const btVector3 bounds[2] = {leaf->volume.Mins() - half, leaf->volume.Maxs() + half};
        btScalar time;
        if (btRayAabb2(from, inverse, sign, bounds, time, 0, 1))
            first = btMin(first, btMax(time, btScalar(0)));
    }
};

btScalar test_tree(Paths &w, const btVector3 &start, const btVector3 &end)
{
    Way way;
    way.from = start;
    way.half = w.half;
    for (int k = 0; k < 3; k++) {
        way.inverse[k] = end[k] == start[k] ? btScalar(BT_LARGE_FLOAT) : btScalar(1) / (end[k] - start[k]);
        way.sign[k] = way.inverse[k] < 0;
    }
    const btDbvt *tree = w.compound.getDynamicAabbTree();
    tree->rayTestInternal(tree->m_root, start, end, way.inverse, way.sign, 1, -w.half, w.half, w.stack, way);
    return way.first;
}

template <btScalar TEST(Paths &, const btVector3 &, const btVector3 &)> bool run(void *argument, uint32_t)
{
    Paths &w = *static_cast<Paths *>(argument);
    return unless_thrown([&] {
        for (size_t i = 0; i < w.way.size(); i++)
            w.time[i] = TEST(w, w.way[i][0], w.way[i][1]);
        return true;
    });
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    out->time = static_cast<Paths *>(argument)->time.data();
    return true;
}

#define PEER(name, note, row, test)                                                                                                        \
    {                                                                                                                                      \
        name, VP_DIGITS(BT_BULLET_VERSION), note " one btCompoundShape of merged blocks, margin 0, optimizeTopDown", row, false, false,    \
            make, rewind, run<test>, answers, drop<Paths>                                                                                  \
    }

} // namespace

extern "C" const vp_peer vp_peers_blocks_bullet[] = {
    PEER("bullet", "convexSweepTest of", VP_KERNEL_block_sweep, test_world), PEER("bullet", "rayTest of", VP_KERNEL_block_ray, test_world),
    PEER("bullet-dbvt", "the boxes of the btDbvt of", VP_KERNEL_block_sweep, test_tree),
    PEER("bullet-dbvt", "the boxes of the btDbvt of", VP_KERNEL_block_ray, test_tree), VP_PEERS_END};
