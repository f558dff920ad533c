/* SPDX-License-Identifier: MIT */
/* Bullet's btDbvt and bt32BitAxisSweep3 over the spheres of a scene. The callback tests each sphere exactly, in binary64. A btDbvt has
 * boxes without a margin. A bt32BitAxisSweep3 keeps its pairs up to date while objects move. */
#include "bench/peers/scene.h"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace
{

btVector3 vector_of(vp_vec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

btDbvtVolume volume_of(const vp_aabb &box)
{
    return btDbvtVolume::FromMM(vector_of(box.min), vector_of(box.max));
}

uint32_t number_of(const btDbvtNode *leaf)
{
    return static_cast<uint32_t>(leaf->dataAsInt);
}

struct DbvtPairs final : btDbvt::ICollide {
    Scene &scene;
    explicit DbvtPairs(Scene &of) : scene(of) {}
    void Process(const btDbvtNode *a, const btDbvtNode *b) override
    {
        scene.add_pair(number_of(a), number_of(b));
    }
};

template <bool BOX> struct Touched final : btDbvt::ICollide {
    Scene &scene;
    size_t i;
    Touched(Scene &of, size_t question) : scene(of), i(question) {}
    void Process(const btDbvtNode *leaf) override
    {
        scene.test<BOX>(i, number_of(leaf));
    }
};

struct Met final : btDbvt::ICollide {
    Scene &scene;
    size_t i;
    Met(Scene &of, size_t question) : scene(of), i(question) {}
    void Process(const btDbvtNode *leaf) override
    {
        scene.meet(i, number_of(leaf));
    }
};

/* ---- btDbvt ---- */

struct Dbvt {
    Scene scene;
    bool topdown;
    std::unique_ptr<btDbvt> tree;
    std::vector<btDbvtNode *> leaf;
    btAlignedObjectArray<const btDbvtNode *> stack;

    Dbvt(const vp_data &data, vp_row_id row, bool rebuilt) : scene(data, row), topdown(rebuilt) {}
    void clear()
    {
        tree.reset();
    }
    void fill()
    {
        tree = std::make_unique<btDbvt>();
        leaf.resize(scene.now.size());
        for (size_t i = 0; i < leaf.size(); i++) {
            leaf[i] = tree->insert(volume_of(box_around(scene.now[i])), nullptr);
            leaf[i]->dataAsInt = static_cast<int>(i);
        }
        if (topdown)
            tree->optimizeTopDown();
    }
    template <bool BOX> void touch()
    {
        for (size_t i = 0; i < scene.asked.count; i++) {
            Touched<BOX> by(scene, i);
            tree->collideTV(tree->m_root, volume_of(BOX ? scene.asked.box[i] : box_around(scene.asked.sphere[i])), by);
        }
    }
    void cast()
    {
        for (size_t i = 0; i < scene.asked.count; i++) {
            const btVector3 from = vector_of(scene.asked.ray[i].origin), along = vector_of(scene.asked.ray[i].direction);
            const btVector3 unit = along.normalized();
            btVector3 inverse;
            unsigned int sign[3];
            for (int k = 0; k < 3; k++) {
                inverse[k] = unit[k] == 0 ? btScalar(BT_LARGE_FLOAT) : btScalar(1) / unit[k];
                sign[k] = inverse[k] < 0;
            }
            const btScalar length = static_cast<btScalar>(scene.t_end[i]) * along.length();
            Met by(scene, i);
            tree->rayTestInternal(tree->m_root, from, from + unit * length, inverse, sign, length, btVector3(0, 0, 0), btVector3(0, 0, 0),
                                  stack, by);
        }
    }
    void move(uint32_t step)
    {
        const vp_motion_set &m = *scene.motions;
        for (const vp_motion *at = m.motion + m.first[step]; at < m.motion + m.first[step + 1]; at++) {
            btDbvtVolume volume = volume_of(box_around(at->sphere));
            scene.now[at->object] = at->sphere;
            tree->update(leaf[at->object], volume);
        }
    }
    void other(uint32_t step)
    {
        DbvtPairs pairs(scene);
        if (scene.row == VP_KERNEL_scene_ray)
            cast();
        else if (scene.row == VP_KERNEL_scene_pairs)
            tree->collideTT(tree->m_root, tree->m_root, pairs);
        else
            move(step);
    }
};

/* ---- bt32BitAxisSweep3 ---- */

struct Inside final : btBroadphaseAabbCallback {
    Scene &scene;
    size_t i;
    Inside(Scene &of, size_t question) : scene(of), i(question) {}
    bool process(const btBroadphaseProxy *proxy) override
    {
        scene.test<false>(i, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(proxy->m_clientObject)));
        return true;
    }
};

struct Sweep {
    Scene scene;
    std::unique_ptr<bt32BitAxisSweep3> sweep;
    std::vector<btBroadphaseProxy *> proxy;

    Sweep(const vp_data &data, vp_row_id row, bool) : scene(data, row) {}
    ~Sweep()
    {
        clear();
    }
    void clear()
    {
        for (btBroadphaseProxy *p : proxy)
            sweep->destroyProxy(p, nullptr);
        proxy.clear();
        sweep.reset();
    }
    void fill()
    {
        btScalar most = 1;
        for (const vp_sphere &s : scene.now)
            most = std::max({most, std::fabs(s.centre.x), std::fabs(s.centre.y), std::fabs(s.centre.z)});
        const btVector3 end = btVector3(1, 1, 1) * (most * 2);
        sweep = std::make_unique<bt32BitAxisSweep3>(-end, end, static_cast<unsigned>(scene.now.size() + 1));
        for (size_t i = 0; i < scene.now.size(); i++) {
            const vp_aabb box = box_around(scene.now[i]);
            proxy.push_back(
                sweep->createProxy(vector_of(box.min), vector_of(box.max), 0, reinterpret_cast<void *>(uintptr_t{i}), 1, 1, nullptr));
        }
    }
    void other(uint32_t step)
    {
        const vp_motion_set &m = *scene.motions;
        for (const vp_motion *at = m.motion + m.first[step]; at < m.motion + m.first[step + 1]; at++) {
            const vp_aabb box = box_around(at->sphere);
            scene.now[at->object] = at->sphere;
            sweep->setAabb(proxy[at->object], vector_of(box.min), vector_of(box.max), nullptr);
        }
    }
    template <bool> void touch()
    {
        for (size_t i = 0; i < scene.asked.count; i++) {
            const vp_aabb box = box_around(scene.asked.sphere[i]);
            Inside by(scene, i);
            sweep->aabbTest(vector_of(box.min), vector_of(box.max), by);
        }
    }
};

} // namespace

#define NOTE(tree)                           "Bullet " VP_DIGITS(BT_BULLET_VERSION) ", " tree ", 1 thread; spheres are tested in binary64 at leaves"
#define PEER(name, tree, work, topdown, row) VP_SCENE_PEER(name, VP_DIGITS(BT_BULLET_VERSION), NOTE(tree), row, work, topdown)
#define DBVT(name, tree, topdown)                                                                                                          \
    PEER(name, tree, Dbvt, topdown, VP_KERNEL_scene_sphere), PEER(name, tree, Dbvt, topdown, VP_KERNEL_scene_box),                         \
        PEER(name, tree ", which does not shorten rays at hits", Dbvt, topdown, VP_KERNEL_scene_ray),                                      \
        PEER(name, tree, Dbvt, topdown, VP_KERNEL_scene_pairs), PEER(name, tree, Dbvt, topdown, VP_OPERATION_scene_fill),                  \
        PEER(name, tree, Dbvt, topdown, VP_OPERATION_scene_move)

extern "C" const vp_peer vp_peers_scene_bullet[] = {
    DBVT("bullet", "btDbvt, objects inserted one by one", false), DBVT("bullet-topdown", "btDbvt after optimizeTopDown", true),
    PEER("bullet-sweep", "bt32BitAxisSweep3, which keeps pairs", Sweep, false, VP_OPERATION_scene_fill),
    PEER("bullet-sweep", "bt32BitAxisSweep3, which keeps pairs", Sweep, false, VP_OPERATION_scene_move), VP_PEERS_END};
