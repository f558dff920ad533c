/* SPDX-License-Identifier: MIT */
/* Bullet's convex shapes against a triangle, like in its btConvexConcaveCollisionAlgorithm, one triangle after the other. It uses GJK
 * followed by EPA, and a special detector for spheres. Shapes and triangles are at their world positions. Pairs of convex shapes use the
 * same detector. Boxes are also measured with Bullet's own box detector. */
#include <cmath>
#include <cstring>

#include "bench/peers/bullet_shapes.h"
#include "bench/peers/library.h"
#include "bench/peers/narrow.h"
#include "cases/bodies/pairs.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionDispatch/SphereTriangleDetector.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace
{

/* Keeps the nearest reported point. */
struct Result final : btDiscreteCollisionDetectorInterface::Result {
    bool reported = false;
    btVector3 normal, point;
    btScalar distance = 0;
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3 &normal_on_b, const btVector3 &point_in_world, btScalar depth) override
    {
        if (reported && !(depth < distance))
            return;
        reported = true;
        normal = normal_on_b;
        point = point_in_world;
        distance = depth;
    }
};

struct BulletDistances {
    vp_collide_samples asked{};
    std::vector<std::unique_ptr<btConvexShape>> shape; /* one for each scale */
    std::vector<btTransform> place;
    BulletDistances() = default;
    BulletDistances(const BulletDistances &) = delete;
    BulletDistances &operator=(const BulletDistances &) = delete;
    ~BulletDistances()
    {
        vp_collide_samples_destroy(&asked);
    }
};

/* A sphere's and a capsule's margin is their radius. */
bool has_margin(vp_body_kind body)
{
    return body != VP_BODY_SPHERE && body != VP_BODY_CAPSULE;
}

template <bool MARGIN> void *make(const vp_peer *peer, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        const vp_body_kind body = vp_narrow_body(peer);
        auto w = std::make_unique<BulletDistances>();
        vp_error error;
        if (vp_collide_samples_create(body, static_cast<const vp_pose_set *>(data->set), &w->asked, &error) != VP_OK)
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
    vp_collide_samples_spoil(&static_cast<BulletDistances *>(argument)->asked);
    return true;
}

void detect(const btConvexShape *a, const btConvexShape *b, const btDiscreteCollisionDetectorInterface::ClosestPointInput &input,
            Result &result)
{
    static btVoronoiSimplexSolver simplex; /* static, because the engine keeps one too */
    static btGjkEpaPenetrationDepthSolver penetration;
    btGjkPairDetector detector(a, b, &simplex, &penetration);
    detector.getClosestPoints(input, result, nullptr);
}

template <bool IS_SPHERE> void collide(btConvexShape *shape, const btTransform &place, const vp_collide_job &job, uint32_t i)
{
    const vp_vec3 *c = job.triangle[i].corner;
    btTriangleShape triangle(vector_of(c[0]), vector_of(c[1]), vector_of(c[2]));
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    Result result;
    triangle.setMargin(0); /* the mesh's own margin, unless one is set */
    input.m_transformA = place;
    input.m_transformB.setIdentity();
    if (IS_SPHERE) {
        SphereTriangleDetector detector(static_cast<btSphereShape *>(shape), &triangle, job.margin);
        detector.getClosestPoints(input, result, nullptr, false);
    } else {
        const btScalar far = job.margin + shape->getMargin();
        input.m_maximumDistanceSquared = far * far;
        detect(shape, &triangle, input, result);
    }
    if (!result.reported || result.distance > job.margin) {
        job.result[i] = vp_narrow_none(&job);
        return;
    }
    const vp_vec3 at = job.frame.position;
    const double n[3] = {result.normal.x(), result.normal.y(), result.normal.z()};
    const double p[3] = {static_cast<double>(result.point.x()) - at.x, static_cast<double>(result.point.y()) - at.y,
                         static_cast<double>(result.point.z()) - at.z};
    job.result[i] = vp_narrow_touch(result.distance, n, p);
}

template <bool IS_SPHERE> bool run(void *argument, uint32_t)
{
    BulletDistances &w = *static_cast<BulletDistances *>(argument);
    for (uint32_t i = 0; i < w.asked.places; i++)
        for (uint32_t t = 0; t < w.asked.job[i].count; t++)
            collide<IS_SPHERE>(w.shape[w.asked.scale_of[i]].get(), w.place[i], w.asked.job[i], t);
    return true;
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    out->collided = &static_cast<BulletDistances *>(argument)->asked;
    return true;
}

/* ---- pairs ---- */

struct Pairs {
    vp_pairs pairs{};
    std::vector<std::unique_ptr<btConvexShape>> shape[2]; /* one for each scale */
    std::vector<std::array<btTransform, 2>> place;
    std::vector<vp_shape_contact> answer;
    Pairs() = default;
    Pairs(const Pairs &) = delete;
    Pairs &operator=(const Pairs &) = delete;
    ~Pairs()
    {
        vp_pairs_destroy(&pairs);
    }
};

void *make_pairs(const vp_peer *peer, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        auto w = std::make_unique<Pairs>();
        vp_error error;
        if (vp_pairs_create(vp_pair_of(peer->name), static_cast<const vp_pose_set *>(data->set), &w->pairs, &error) != VP_OK)
            return nullptr;
        for (int k = 0; k < 2; k++)
            for (uint32_t s = 0; s < w->pairs.scales; s++) {
                const vp_collide_shape &shape = w->pairs.shape[k][s].shape;
                w->shape[k].push_back(shape_of(shape));
                if (shape.kind != VP_COLLIDE_SPHERE && shape.kind != VP_COLLIDE_CAPSULE)
                    w->shape[k].back()->setMargin(0);
            }
        for (uint32_t i = 0; i < w->pairs.count; i++) {
            vp_collide_frame frame[2];
            for (int k = 0; k < 2; k++)
                if (vp_collide_frame_of(&w->pairs.body[i][k].pose, &frame[k], &error) != VP_OK)
                    return nullptr;
            w->place.push_back({transform_of(frame[0]), transform_of(frame[1])});
        }
        w->answer.resize(w->pairs.count);
        return w.release();
    });
}

bool rewind_pairs(void *argument)
{
    auto &answer = static_cast<Pairs *>(argument)->answer;
    std::memset(static_cast<void *>(answer.data()), 0xff, answer.size() * sizeof answer[0]);
    return true;
}

template <bool ARE_BOXES> void collide_pair(const Pairs &w, uint32_t i, vp_shape_contact &answer)
{
    const btConvexShape *a = w.shape[0][w.pairs.scale_of[i]].get(), *b = w.shape[1][w.pairs.scale_of[i]].get();
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    Result result;
    input.m_transformA = w.place[i][0];
    input.m_transformB = w.place[i][1];
    const btScalar far = w.pairs.margin[i] + a->getMargin() + b->getMargin();
    input.m_maximumDistanceSquared = far * far;
    if (ARE_BOXES) {
        btBoxBoxDetector detector(static_cast<const btBoxShape *>(a), static_cast<const btBoxShape *>(b));
        detector.getClosestPoints(input, result, nullptr);
    } else {
        detect(a, b, input, result);
    }
    const btVector3 &n = result.normal;
    answer = {};
    answer.feature_a = answer.feature_b = VP_COLLIDE_NONE;
    if (!result.reported || result.distance > w.pairs.margin[i])
        return;
    answer.distance = result.distance;
    answer.normal = {n.x(), n.y(), n.z()};
    answer.feature_a = answer.feature_b = 0;
}

template <bool ARE_BOXES> bool run_pairs(void *argument, uint32_t)
{
    Pairs &w = *static_cast<Pairs *>(argument);
    for (uint32_t i = 0; i < w.pairs.count; i++)
        collide_pair<ARE_BOXES>(w, i, w.answer[i]);
    return true;
}

template <bool ARE_BOXES> bool answers_of_pairs(void *argument, uint32_t, vp_peer_answers *out)
{
    out->contact = static_cast<Pairs *>(argument)->answer.data();
    out->overlaps_alone = ARE_BOXES;
    return true;
}

#define PEER(name, note, row, margin)                                                                                                      \
    {                                                                                                                                      \
        name, VP_DIGITS(BT_BULLET_VERSION), note, row, false, false, make<margin>, rewind, run<row == VP_KERNEL_collide_sphere>, answers,  \
            drop<BulletDistances>                                                                                                          \
    }
#define GJK  "GJK and EPA, a detector a triangle; "
#define NONE GJK "margin 0"
#define PAIRS(name, note, boxes)                                                                                                           \
    {                                                                                                                                      \
        name, VP_DIGITS(BT_BULLET_VERSION), note, VP_OPERATION_collide_shapes, false, false, make_pairs, rewind_pairs, run_pairs<boxes>,   \
            answers_of_pairs<boxes>, drop<Pairs>                                                                                           \
    }
#define PAIR(a, b, pair) PAIRS("bullet/" pair, "GJK and EPA, a detector a pair; margin 0, of spheres and capsules their radius", false),
#define USUAL            GJK "the margin that it has by itself, by which a box or a cylinder is rounded and a hull is larger"

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
                                                     VP_PAIR_LIST(PAIR)
                                                         PAIRS("bullet-boxes/box-box", "btBoxBoxDetector; for it: overlaps alone", true),
                                                     VP_PEERS_END};
