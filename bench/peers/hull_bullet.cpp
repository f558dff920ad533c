// SPDX-License-Identifier: MIT
// Bullet's btConvexHullComputer, which rounds points to a grid of some 10,000 steps and makes their hull in integers.
#include "bench/peers/library.h"

#include "datasets/point_sets.h"

#include <LinearMath/btConvexHullComputer.h>

namespace
{

struct BulletHulls {
    std::vector<vp_vec3> point;
    btConvexHullComputer hull;
    Triangles made;
};

void *make(const vp_peer *, const vp_data *data)
{
    const auto &points = *static_cast<const vp_point_sets *>(data->set);
    return unless_thrown([&]() -> void * {
        auto w = std::make_unique<BulletHulls>();
        w->point.assign(points.point, points.point + points.first[1]);
        return w.release();
    });
}

bool run(void *argument, uint32_t)
{
    auto *w = static_cast<BulletHulls *>(argument);
    w->hull.compute(&w->point[0].x, sizeof(vp_vec3), static_cast<int>(w->point.size()), 0.0f, 0.0f);
    return true;
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    BulletHulls &w = *static_cast<BulletHulls *>(argument);
    const btConvexHullComputer &hull = w.hull;
    return unless_thrown([&] {
        w.made.clear();
        for (int v = 0; v < hull.vertices.size(); v++)
            w.made.place.push_back({hull.vertices[v].x(), hull.vertices[v].y(), hull.vertices[v].z()});
        for (int f = 0; f < hull.faces.size(); f++) {
            const btConvexHullComputer::Edge *first = &hull.edges[hull.faces[f]], *e = first->getNextEdgeOfFace();
            const auto from = static_cast<uint32_t>(first->getSourceVertex());
            for (; e->getNextEdgeOfFace() != first; e = e->getNextEdgeOfFace())
                w.made.triangle.push_back({from, static_cast<uint32_t>(e->getSourceVertex()), static_cast<uint32_t>(e->getTargetVertex())});
        }
        return w.made.tell(out);
    });
}

} // namespace

extern "C" const vp_peer vp_peers_hull_bullet[] = {{"bullet", VP_DIGITS(BT_BULLET_VERSION),
                                                    "btConvexHullComputer; for it: points are rounded to a grid of 1e-4 of their extent",
                                                    VP_KERNEL_hull3, false, false, make, nullptr, run, answers, drop<BulletHulls>},
                                                   VP_PEERS_END};
