/* SPDX-License-Identifier: MIT */
/* FCL's DynamicAABBTreeCollisionManager over the spheres of a scene. Its boxes are in binary64. The callback tests each sphere exactly. */
#include "bench/peers/scene.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/sphere.h>

namespace
{

using Object = fcl::CollisionObjectd;

struct Managed {
    Scene scene;
    bool one_by_one;
    std::unique_ptr<fcl::DynamicAABBTreeCollisionManagerd> manager;
    std::vector<std::unique_ptr<Object>> object;
    std::vector<Object *> all, moved;
    size_t question = 0;

    Managed(const vp_data &data, vp_row_id row, bool single) : scene(data, row), one_by_one(single)
    {
        place();
    }
    void clear()
    {
        manager.reset();
    }
    static std::unique_ptr<Object> make(std::shared_ptr<fcl::CollisionGeometryd> shape, fcl::Vector3d at)
    {
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        pose.translation() = at;
        return std::make_unique<Object>(std::move(shape), pose);
    }
    static std::unique_ptr<Object> make(const vp_sphere &s)
    {
        return make(std::make_shared<fcl::Sphered>(double{s.radius}), fcl::Vector3d(s.centre.x, s.centre.y, s.centre.z));
    }
    static std::unique_ptr<Object> make(const vp_aabb &b)
    {
        const fcl::Vector3d low(b.min.x, b.min.y, b.min.z), high(b.max.x, b.max.y, b.max.z);
        return make(std::make_shared<fcl::Boxd>(fcl::Vector3d(high - low)), (low + high) / 2);
    }
    void place()
    {
        object.clear();
        all.clear();
        for (size_t i = 0; i < scene.now.size(); i++) {
            object.push_back(make(scene.now[i]));
            object[i]->setUserData(reinterpret_cast<void *>(uintptr_t{i}));
            all.push_back(object[i].get());
        }
    }
    static uint32_t number_of(const Object *o)
    {
        return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(o->getUserData()));
    }
    void fill()
    {
        if (scene.motions != nullptr)
            place(); /* where they are now */
        manager = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
        if (!one_by_one)
            manager->registerObjects(all);
        for (size_t i = 0; one_by_one && i < all.size(); i++)
            manager->registerObject(all[i]);
        manager->setup();
    }
    template <bool BOX> static bool test(Object *a, Object *b, void *argument)
    {
        Managed &m = *static_cast<Managed *>(argument);
        m.scene.test<BOX>(m.question, number_of(a->getUserData() == argument ? b : a));
        return false;
    }
    static bool pair(Object *a, Object *b, void *argument)
    {
        static_cast<Managed *>(argument)->scene.add_pair(number_of(a), number_of(b));
        return false;
    }
    template <bool BOX> void touch()
    {
        for (question = 0; question < scene.asked.count; question++) {
            std::unique_ptr<Object> by;
            if constexpr (BOX)
                by = make(scene.asked.box[question]);
            else
                by = make(scene.asked.sphere[question]);
            by->setUserData(this);
            manager->collide(by.get(), this, test<BOX>);
        }
    }
    void other(uint32_t step)
    {
        if (scene.row == VP_KERNEL_scene_pairs) {
            manager->collide(this, pair);
            return;
        }
        const vp_motion_set &m = *scene.motions;
        moved.clear();
        for (const vp_motion *at = m.motion + m.first[step]; at < m.motion + m.first[step + 1]; at++) {
            scene.now[at->object] = at->sphere; /* radii stay */
            object[at->object]->setTranslation(fcl::Vector3d(at->sphere.centre.x, at->sphere.centre.y, at->sphere.centre.z));
            object[at->object]->computeAABB();
            moved.push_back(all[at->object]);
        }
        if (moved.size() == all.size())
            manager->update();
        else
            manager->update(moved);
    }
};

} // namespace

#define NOTE                        "FCL " FCL_VERSION ", DynamicAABBTreeCollisionManager in binary64, 1 thread; spheres are tested in binary64 at leaves"
#define PEER(name, one_by_one, row) VP_SCENE_PEER(name, FCL_VERSION, NOTE, row, Managed, one_by_one)

extern "C" const vp_peer vp_peers_scene_fcl[] = {PEER("fcl", false, VP_KERNEL_scene_sphere),
                                                 PEER("fcl", false, VP_KERNEL_scene_box),
                                                 PEER("fcl", false, VP_KERNEL_scene_pairs),
                                                 PEER("fcl", false, VP_OPERATION_scene_fill),
                                                 PEER("fcl", false, VP_OPERATION_scene_move),
                                                 PEER("fcl-one-by-one", true, VP_OPERATION_scene_fill),
                                                 VP_PEERS_END};
