// SPDX-License-Identifier: MIT
#include "tests/support/cgal_vertices.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <exception>
#include <vector>

namespace
{

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using surface = CGAL::Surface_mesh<kernel::Point_3>;

struct triangle {
    kernel::Point_3 corner[3];
};

bool same_plane(const triangle &a, const triangle &b)
{
    for (const auto &p : b.corner)
        if (!CGAL::coplanar(a.corner[0], a.corner[1], a.corner[2], p))
            return false;
    return true;
}

// Whether the faces around a vertex are in three planes at least: in one they are where it is in the middle of a face, in two on an edge.
bool is_vertex(const surface &hull, surface::Vertex_index v)
{
    std::vector<triangle> plane;
    for (const auto h : CGAL::halfedges_around_target(v, hull)) {
        const triangle t = {{hull.point(hull.source(h)), hull.point(v), hull.point(hull.target(hull.next(h)))}};
        if (CGAL::collinear(t.corner[0], t.corner[1], t.corner[2]))
            continue;
        bool is_new = true;
        for (const auto &other : plane)
            is_new = is_new && !same_plane(other, t);
        if (is_new)
            plane.push_back(t);
        if (plane.size() == 3)
            return true;
    }
    return false;
}

} // namespace

extern "C" uint32_t cgal_vertices(const vp_vec3 *point, uint32_t count, vp_vec3 *out)
{
    try {
        std::vector<kernel::Point_3> given;
        surface hull;
        uint32_t found = 0;
        given.reserve(count);
        for (uint32_t i = 0; i < count; i++)
            given.emplace_back(point[i].x, point[i].y, point[i].z);
        CGAL::convex_hull_3(given.begin(), given.end(), hull);
        for (const auto v : hull.vertices())
            if (is_vertex(hull, v)) {
                const auto &p = hull.point(v);
                out[found++] = vp_vec3{static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
            }
        return found;
    } catch (const std::exception &) {
        return 0;
    }
}
