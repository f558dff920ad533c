/* SPDX-License-Identifier: MIT */
/* Bullet's convex shapes against a triangle, as its btConvexConcaveCollisionAlgorithm has them done one triangle after the other: GJK with
 * EPA behind it, and for a sphere a detector of its own. The shape is where it is in the world, and so are the triangles. */
#include <cmath>
#include <memory>
#include <new>
#include <vector>

#include "bench/peers/narrow.h"

#include <BulletCollision/CollisionDispatch/SphereTriangleDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace
{

btVector3 vector_of(const vp_vec3 &v)
{
    return {v.x, v.y, v.z};
}

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

std::unique_ptr<btConvexShape> shape_of(const vp_collide_shape &s)
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

/* A sphere's and a capsule's margin is their radius. */
bool has_margin(vp_body body)
{
    return body != VP_BODY_SPHERE && body != VP_BODY_CAPSULE;
}

template <vp_body BODY, bool MARGIN> void *make(const vp_data *data)
{
    try {
        auto w = std::make_unique<Work>();
        vp_error error;
        if (vp_collide_asked_create(BODY, static_cast<const vp_pose_set *>(data->set), &w->asked, &error) != VP_OK)
            return nullptr;
        for (uint32_t s = 0; s < w->asked.scales; s++) {
            w->shape.push_back(shape_of(w->asked.shape[s].shape));
            if (!MARGIN && has_margin(BODY))
                w->shape.back()->setMargin(0);
        }
        for (uint32_t i = 0; i < w->asked.places; i++) {
            const vp_collide_frame &f = w->asked.job[i].frame; /* rows are axes of the shape: columns there */
            const btMatrix3x3 turn(f.row[0].x, f.row[1].x, f.row[2].x, f.row[0].y, f.row[1].y, f.row[2].y, f.row[0].z, f.row[1].z,
                                   f.row[2].z);
            w->place.emplace_back(turn, vector_of(f.position));
        }
        return w.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

bool rewind(void *argument)
{
    vp_collide_asked_spoil(&static_cast<Work *>(argument)->asked);
    return true;
}

template <vp_body BODY> void collide(btConvexShape *shape, const btTransform &place, const vp_collide_job &job, uint32_t i)
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
    if (BODY == VP_BODY_SPHERE) {
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

template <vp_body BODY> bool run(void *argument, uint32_t)
{
    Work &w = *static_cast<Work *>(argument);
    for (uint32_t i = 0; i < w.asked.places; i++)
        for (uint32_t t = 0; t < w.asked.job[i].count; t++)
            collide<BODY>(w.shape[w.asked.scale_of[i]].get(), w.place[i], w.asked.job[i], t);
    return true;
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    out->collided = &static_cast<Work *>(argument)->asked;
    return true;
}

void drop(void *argument)
{
    delete static_cast<Work *>(argument);
}

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define PEER(name, note, row, body, margin)                                                                                                \
    {                                                                                                                                      \
        name, TEXT(BT_BULLET_VERSION), note, row, false, false, make<body, margin>, rewind, run<body>, answers, drop                       \
    }
#define GJK   "GJK and EPA, a detector a triangle; "
#define NONE  GJK "margin 0"
#define USUAL GJK "the margin that it has by itself, by which a box is rounded and a hull is larger"

} // namespace

extern "C" const vp_peer vp_peers_narrow_bullet[] = {
    PEER("bullet", "SphereTriangleDetector", VP_KERNEL_collide_sphere, VP_BODY_SPHERE, false),
    PEER("bullet", GJK "its margin is its radius", VP_KERNEL_collide_capsule, VP_BODY_CAPSULE, false),
    PEER("bullet", NONE, VP_KERNEL_collide_box, VP_BODY_BOX, false),
    PEER("bullet-margin", USUAL, VP_KERNEL_collide_box, VP_BODY_BOX, true),
    PEER("bullet-16", NONE, VP_KERNEL_collide_hull, VP_BODY_HULL16, false),
    PEER("bullet-margin-16", USUAL, VP_KERNEL_collide_hull, VP_BODY_HULL16, true),
    PEER("bullet-64", NONE, VP_KERNEL_collide_hull, VP_BODY_HULL64, false),
    PEER("bullet-margin-64", USUAL, VP_KERNEL_collide_hull, VP_BODY_HULL64, true),
    VP_PEERS_END};
