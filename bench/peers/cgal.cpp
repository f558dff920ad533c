// SPDX-License-Identifier: MIT
// CGAL: convex_hull_3 over the kernel whose predicates are exact, into a surface mesh; and convex_hull_2, into a vector.
#include "bench/peers/hull2_peer.h"
#include "bench/peers/hull_peer.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_2.h>
#include <CGAL/convex_hull_3.h>
#include <CGAL/version.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <vector>

namespace {

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using surface = CGAL::Surface_mesh<kernel::Point_3>;

struct work {
    std::vector<kernel::Point_3> point;
    surface hull;
};

void *make(const vp_vec3 *point, uint32_t count)
{
    try {
        auto *w = new work;
        w->point.reserve(count);
        for (uint32_t i = 0; i < count; i++)
            w->point.emplace_back(point[i].x, point[i].y, point[i].z);
        return w;
    } catch (const std::exception &) {
        return nullptr;
    }
}

bool run(void *argument)
{
    auto *w = static_cast<work *>(argument);
    try {
        w->hull.clear();
        CGAL::convex_hull_3(w->point.begin(), w->point.end(), w->hull);
        return true;
    } catch (const std::exception &) {
        return false;
    }
}

bool mesh(const void *argument, vp_hull_peer_mesh *out)
{
    const surface &hull = static_cast<const work *>(argument)->hull;
    *out = vp_hull_peer_mesh{};
    out->place = static_cast<vp_vec3 *>(std::malloc((hull.number_of_vertices() + 1) * sizeof *out->place));
    out->triangle = static_cast<uint32_t(*)[3]>(std::malloc((hull.number_of_halfedges() + 1) * sizeof *out->triangle));
    if (out->place == nullptr || out->triangle == nullptr)
        return false;
    std::vector<uint32_t> number(hull.num_vertices());
    for (const auto v : hull.vertices()) {
        const auto &p = hull.point(v);
        number[v.idx()] = out->places;
        out->place[out->places++] = vp_vec3{static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
    }
    for (const auto f : hull.faces()) { /* points in a plane are one polygon */
        uint32_t corner[3] = {0, 0, 0}, k = 0;
        for (const auto v : CGAL::vertices_around_face(hull.halfedge(f), hull)) {
            corner[k < 2 ? k : 2] = number[v.idx()];
            if (++k >= 3) {
                std::memcpy(out->triangle[out->triangles++], corner, sizeof corner);
                corner[1] = corner[2];
            }
        }
    }
    return true;
}

void drop(void *argument)
{
    delete static_cast<work *>(argument);
}

// ---- in the plane ----

struct shadow {
    std::vector<kernel::Point_2> point, hull;
};

void *make_shadow(const vp_vec3 *point, uint32_t count, const uint32_t axis[2])
{
    try {
        auto *w = new shadow;
        w->point.reserve(count);
        for (uint32_t i = 0; i < count; i++) {
            const float of[3] = {point[i].x, point[i].y, point[i].z};
            w->point.emplace_back(of[axis[0]], of[axis[1]]);
        }
        return w;
    } catch (const std::exception &) {
        return nullptr;
    }
}

bool run_shadow(void *argument)
{
    auto *w = static_cast<shadow *>(argument);
    try {
        w->hull.clear();
        CGAL::convex_hull_2(w->point.begin(), w->point.end(), std::back_inserter(w->hull));
        return true;
    } catch (const std::exception &) {
        return false;
    }
}

bool corners(const void *argument, vp_hull2_polygon *out)
{
    const auto &hull = static_cast<const shadow *>(argument)->hull;
    *out = vp_hull2_polygon{};
    out->corner = static_cast<double(*)[2]>(std::malloc((hull.size() + 1) * sizeof *out->corner));
    if (out->corner == nullptr)
        return false;
    for (const auto &p : hull) {
        out->corner[out->corners][0] = p.x();
        out->corner[out->corners++][1] = p.y();
    }
    return true;
}

void drop_shadow(void *argument)
{
    delete static_cast<shadow *>(argument);
}

} // namespace

extern "C" const vp_hull_peer vp_hull_peer_cgal = {
    "cgal", CGAL_VERSION_STR, "convex_hull_3, exact predicates on doubles, triangles", make, run, mesh, drop};

extern "C" const vp_hull2_peer vp_hull2_peer_cgal = {
    "cgal", CGAL_VERSION_STR, "convex_hull_2, exact predicates on doubles", true, make_shadow, run_shadow, corners, drop_shadow};
