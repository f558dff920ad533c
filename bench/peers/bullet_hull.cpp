// SPDX-License-Identifier: MIT
// Bullet: btConvexHullComputer, which rounds points to a grid of some 10,000 steps and makes their hull with whole numbers.
#include "bench/peers/hull_peer.h"

#include <LinearMath/btConvexHullComputer.h>

#include <cstdlib>
#include <new>
#include <vector>

namespace {

struct work {
    std::vector<vp_vec3> point;
    btConvexHullComputer hull;
};

void *make(const vp_vec3 *point, uint32_t count)
{
    try {
        auto *w = new work;
        w->point.assign(point, point + count);
        return w;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

bool run(void *argument)
{
    auto *w = static_cast<work *>(argument);
    w->hull.compute(&w->point[0].x, sizeof(vp_vec3), static_cast<int>(w->point.size()), 0.0f, 0.0f);
    return true;
}

bool mesh(const void *argument, vp_hull_peer_mesh *out)
{
    const btConvexHullComputer &hull = static_cast<const work *>(argument)->hull;
    *out = vp_hull_peer_mesh{};
    out->place = static_cast<vp_vec3 *>(std::malloc((static_cast<size_t>(hull.vertices.size()) + 1) * sizeof *out->place));
    out->triangle = static_cast<uint32_t(*)[3]>(std::malloc((static_cast<size_t>(hull.edges.size()) + 1) * sizeof *out->triangle));
    if (out->place == nullptr || out->triangle == nullptr)
        return false;
    for (int v = 0; v < hull.vertices.size(); v++)
        out->place[out->places++] = vp_vec3{static_cast<float>(hull.vertices[v].x()), static_cast<float>(hull.vertices[v].y()),
                                            static_cast<float>(hull.vertices[v].z())};
    for (int f = 0; f < hull.faces.size(); f++) {
        const btConvexHullComputer::Edge *first = &hull.edges[hull.faces[f]], *e = first->getNextEdgeOfFace();
        const auto from = static_cast<uint32_t>(first->getSourceVertex());
        for (; e->getNextEdgeOfFace() != first; e = e->getNextEdgeOfFace()) {
            uint32_t *triangle = out->triangle[out->triangles++];
            triangle[0] = from;
            triangle[1] = static_cast<uint32_t>(e->getSourceVertex());
            triangle[2] = static_cast<uint32_t>(e->getTargetVertex());
        }
    }
    return true;
}

void drop(void *argument)
{
    delete static_cast<work *>(argument);
}

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

} // namespace

extern "C" const vp_hull_peer vp_hull_peer_bullet = {
    "bullet", TEXT(BT_BULLET_VERSION), "btConvexHullComputer; for it: points are rounded to a grid of 1e-4 of their extent", make, run, mesh, drop};
