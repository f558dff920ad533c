/* SPDX-License-Identifier: MIT */
/* Bullet's convex shapes against a triangle, as its btConvexConcaveCollisionAlgorithm has them done one triangle after the other: GJK with
 * EPA behind it, and for a sphere a detector of its own. The shape is where it is in the world, and so are the triangles. */
#include <cmath>

#include "bench/peers/bullet_shapes.h"
#include "bench/peers/library.h"
#include "bench/peers/narrow.h"

#include <BulletCollision/CollisionDispatch/SphereTriangleDetector.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace
{

/* The nearest of what is told. */
struct Result final : btDiscreteCollisionDetectorInterface::Result {
    bool told = false;
    btVector3 normal, point;
    btScalar distance = 0;
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3 &normal_on_b, const btVector3 &point_in_world, btScalar depth) override
    {
        if (told && !(depth < distance))
            return;
        told = true;
        normal = normal_on_b;
        point = point_in_world;
        distance = depth;
    }
};

struct Work {
    vp_collide_asked asked{};
    std::vector<std::unique_ptr<btConvexShape>> shape; /* of each scale */
    std::vector<btTransform> place;
    Work() = default;
    Work(const Work &) = delete;
    Work &operator=(const Work &) = delete;
    ~Work()
    {
        vp_collide_asked_destroy(&asked);
    }
};

/* A sphere's and a capsule's margin is their radius. */
bool has_margin(vp_body body)
{
    return body != VP_BODY_SPHERE && body != VP_BODY_CAPSULE;
}

template <bool MARGIN> void *make(const vp_peer *peer, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        const vp_body body = vp_narrow_body(peer);
        auto w = std::make_unique<Work>();
        vp_error error;
        if (vp_collide_asked_create(body, static_cast<const vp_pose_set *>(data->set), &w->asked, &error) != VP_OK)
            return nullptr;
        for (uint32_t s = 0; s < w->asked.scales; s++) {
            w->shape.push_back(shape_of(w->asked.shape[s].shape));
            if (!MARGIN && has_margin(body))
                w->shape.back()->setMargin(0);
        }
        for (uint32_t i = 0; i < w->asked.places; i++)
            w->place.push_back(transform_of(w->asked.job[i].frame));
        return w.release();
    });
}

bool rewind(void *argument)
{
    vp_collide_asked_spoil(&static_cast<Work *>(argument)->asked);
    return true;
}

template <bool IS_SPHERE> void collide(btConvexShape *shape, const btTransform &place, const vp_collide_job &job, uint32_t i)
{
    static btVoronoiSimplexSolver simplex; /* as the engine keeps one */
    static btGjkEpaPenetrationDepthSolver penetration;
    const vp_vec3 *c = job.triangle[i].corner;
    btTriangleShape triangle(vector_of(c[0]), vector_of(c[1]), vector_of(c[2]));
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    Result result;
    triangle.setMargin(0); /* a mesh's own, unless it is given one */
    input.m_transformA = place;
    input.m_transformB.setIdentity();
    if (IS_SPHERE) {
        SphereTriangleDetector detector(static_cast<btSphereShape *>(shape), &triangle, job.margin);
        detector.getClosestPoints(input, result, nullptr, false);
    } else {
        const btScalar far = job.margin + shape->getMargin();
        input.m_maximumDistanceSquared = far * far;
        btGjkPairDetector detector(shape, &triangle, &simplex, &penetration);
        detector.getClosestPoints(input, result, nullptr);
    }
    if (!result.told || result.distance > job.margin) {
        job.answer[i] = vp_narrow_none(&job);
        return;
    }
    const vp_vec3 at = job.frame.position;
    const double n[3] = {result.normal.x(), result.normal.y(), result.normal.z()};
    const double p[3] = {static_cast<double>(result.point.x()) - at.x, static_cast<double>(result.point.y()) - at.y,
                         static_cast<double>(result.point.z()) - at.z};
    job.answer[i] = vp_narrow_touch(result.distance, n, p);
}

template <bool IS_SPHERE> bool run(void *argument, uint32_t)
{
    Work &w = *static_cast<Work *>(argument);
    for (uint32_t i = 0; i < w.asked.places; i++)
        for (uint32_t t = 0; t < w.asked.job[i].count; t++)
            collide<IS_SPHERE>(w.shape[w.asked.scale_of[i]].get(), w.place[i], w.asked.job[i], t);
    return true;
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    out->collided = &static_cast<Work *>(argument)->asked;
    return true;
}

#define PEER(name, note, row, margin)                                                                                                      \
    {                                                                                                                                      \
        name, VP_DIGITS(BT_BULLET_VERSION), note, row, false, false, make<margin>, rewind, run<row == VP_KERNEL_collide_sphere>, answers,  \
            drop<Work>                                                                                                                     \
    }
#define GJK   "GJK and EPA, a detector a triangle; "
#define NONE  GJK "margin 0"
#define USUAL GJK "the margin that it has by itself, by which a box or a cylinder is rounded and a hull is larger"

} // namespace

extern "C" const vp_peer vp_peers_narrow_bullet[] = {PEER("bullet", "SphereTriangleDetector", VP_KERNEL_collide_sphere, false),
                                                     PEER("bullet", GJK "its margin is its radius", VP_KERNEL_collide_capsule, false),
                                                     PEER("bullet", NONE, VP_KERNEL_collide_box, false),
                                                     PEER("bullet-margin", USUAL, VP_KERNEL_collide_box, true),
                                                     PEER("bullet", NONE, VP_KERNEL_collide_cylinder, false),
                                                     PEER("bullet-margin", USUAL, VP_KERNEL_collide_cylinder, true),
                                                     PEER("bullet/16", NONE, VP_KERNEL_collide_hull, false),
                                                     PEER("bullet-margin/16", USUAL, VP_KERNEL_collide_hull, true),
                                                     PEER("bullet/64", NONE, VP_KERNEL_collide_hull, false),
                                                     PEER("bullet-margin/64", USUAL, VP_KERNEL_collide_hull, true),
                                                     VP_PEERS_END};
