// SPDX-License-Identifier: MIT
// CGAL's convex_hull_3 with exact predicates, into a surface mesh, and convex_hull_2, into a vector.
#include "bench/peers/library.h"
#include "datasets/point_sets.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_2.h>
#include <CGAL/convex_hull_3.h>
#include <CGAL/version.h>

#include <exception>
#include <iterator>

namespace
{

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using surface = CGAL::Surface_mesh<kernel::Point_3>;

struct CgalHull {
    std::vector<kernel::Point_3> point;
    surface hull;
    Triangles made;
};

// Calls `f`. Returns false or nullptr if CGAL throws.
template <class F> auto guarded(F f)
{
    return unless_thrown<std::exception>(f);
}

void *make(const vp_peer *, const vp_data *data)
{
    const auto &points = *static_cast<const vp_point_sets *>(data->set);
    return guarded([&]() -> void * {
        auto w = std::make_unique<CgalHull>();
        w->point.reserve(points.first[1]);
        for (uint32_t i = 0; i < points.first[1]; i++)
            w->point.emplace_back(points.point[i].x, points.point[i].y, points.point[i].z);
        return w.release();
    });
}

bool run(void *argument, uint32_t)
{
    CgalHull &w = *static_cast<CgalHull *>(argument);
    return guarded([&] {
        w.hull.clear();
        CGAL::convex_hull_3(w.point.begin(), w.point.end(), w.hull);
        return true;
    });
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    CgalHull &w = *static_cast<CgalHull *>(argument);
    const surface &hull = w.hull;
    return guarded([&] {
        w.made.clear();
        std::vector<uint32_t> number(hull.num_vertices());
        for (const auto v : hull.vertices()) {
            const auto &p = hull.point(v);
            number[v.idx()] = static_cast<uint32_t>(w.made.place.size());
            w.made.place.push_back({static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
        }
        for (const auto f : hull.faces()) { /* points in a plane are one polygon */
            std::array<uint32_t, 3> corner = {0, 0, 0};
            uint32_t k = 0;
            for (const auto v : CGAL::vertices_around_face(hull.halfedge(f), hull)) {
                corner[k < 2 ? k : 2] = number[v.idx()];
                if (++k >= 3) {
                    w.made.triangle.push_back(corner);
                    corner[1] = corner[2];
                }
            }
        }
        return w.made.tell(out);
    });
}

// ---- in the plane ----

struct shadows {
    std::vector<kernel::Point_2> point[3], hull[3];
    std::vector<std::array<double, 2>> corner;
};

void *make_shadows(const vp_peer *, const vp_data *data)
{
    const auto &points = *static_cast<const vp_point_sets *>(data->set);
    return guarded([&]() -> void * {
        auto w = std::make_unique<shadows>();
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t axis[2];
            vp_shadow_plane(k, axis);
            w->point[k].reserve(points.first[1]);
            for (uint32_t i = 0; i < points.first[1]; i++) {
                const float of[3] = {points.point[i].x, points.point[i].y, points.point[i].z};
                w->point[k].emplace_back(of[axis[0]], of[axis[1]]);
            }
        }
        return w.release();
    });
}

bool run_shadow(void *argument, uint32_t k)
{
    shadows &w = *static_cast<shadows *>(argument);
    return guarded([&] {
        w.hull[k].clear();
        CGAL::convex_hull_2(w.point[k].begin(), w.point[k].end(), std::back_inserter(w.hull[k]));
        return true;
    });
}

bool corners(void *argument, uint32_t k, vp_peer_answers *out)
{
    shadows &w = *static_cast<shadows *>(argument);
    return guarded([&] {
        w.corner.clear();
        for (const auto &p : w.hull[k])
            w.corner.push_back({p.x(), p.y()});
        out->corner = reinterpret_cast<const double(*)[2]>(w.corner.data());
        out->corners = static_cast<uint32_t>(w.corner.size());
        return true;
    });
}

} // namespace

extern "C" const vp_peer vp_peers_hull_cgal[] = {{"cgal", CGAL_VERSION_STR, "convex_hull_3, exact predicates on doubles, triangles",
                                                  VP_KERNEL_hull3, false, false, make, nullptr, run, answers, drop<CgalHull>},
                                                 {"cgal", CGAL_VERSION_STR, "convex_hull_2, exact predicates on doubles", VP_KERNEL_hull2,
                                                  true, false, make_shadows, nullptr, run_shadow, corners, drop<shadows>},
                                                 VP_PEERS_END};
