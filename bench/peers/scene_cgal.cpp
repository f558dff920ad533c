// SPDX-License-Identifier: MIT
// CGAL's AABB_tree over the spheres of a scene, in binary64. A leaf tests its sphere exactly. It cannot be moved, and finds no pairs.
#include "bench/peers/scene.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/version.h>

namespace
{

using scene_kernel = CGAL::Simple_cartesian<double>;

struct Primitive {
    using Id = uint32_t;
    using Point = scene_kernel::Point_3;
    using Datum = scene_kernel::Sphere_3;
    Id number;
    vp_sphere sphere;
    Id id() const
    {
        return number;
    }
    Datum datum() const
    {
        const vp_sphere &s = sphere;
        return Datum(reference_point(), double{s.radius} * s.radius);
    }
    Point reference_point() const
    {
        return Point(sphere.centre.x, sphere.centre.y, sphere.centre.z);
    }
};

CGAL::Bbox_3 box_of(const vp_aabb &b)
{
    return CGAL::Bbox_3(b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
}

/* A property map from the number of a primitive to its box. */
struct Boxes {
    const vp_sphere *sphere;
    friend CGAL::Bbox_3 get(const Boxes &boxes, uint32_t number)
    {
        return box_of(box_around(boxes.sphere[number]));
    }
};

using Traits = CGAL::AABB_traits<scene_kernel, Primitive, Boxes>;
using CgalTree = CGAL::AABB_tree<Traits>;

template <bool BOX> struct Touched {
    Scene &scene;
    size_t question;
    static bool go_further()
    {
        return true;
    }
    void intersection(const CGAL::Bbox_3 &, const Primitive &p)
    {
        scene.test<BOX>(question, p.number);
    }
    static bool do_intersect(const CGAL::Bbox_3 &by, const CGAL::AABB_node<Traits> &node)
    {
        return CGAL::do_overlap(by, node.bbox());
    }
};

struct Cgal {
    Scene scene;
    std::unique_ptr<CgalTree> tree;

    Cgal(const vp_data &data, vp_row_id row, bool) : scene(data, row) {}
    void clear()
    {
        tree.reset();
    }
    void fill()
    {
        tree = std::make_unique<CgalTree>(Traits(Boxes{scene.now.data()}));
        for (uint32_t i = 0; i < scene.now.size(); i++)
            tree->insert(Primitive{i, scene.now[i]});
        tree->build();
    }
    template <bool BOX> void touch()
    {
        for (size_t i = 0; i < scene.asked.count; i++) {
            Touched<BOX> by{scene, i};
            tree->traversal(box_of(BOX ? scene.asked.box[i] : box_around(scene.asked.sphere[i])), by);
        }
    }
    void other(uint32_t) {}
};

} // namespace

#define NOTE      "CGAL " CGAL_VERSION_STR ", AABB_tree in binary64, 1 thread; spheres are tested in binary64 at leaves"
#define PEER(row) VP_SCENE_PEER("cgal", CGAL_VERSION_STR, NOTE, row, Cgal, false)

extern "C" const vp_peer vp_peers_scene_cgal[] = {PEER(VP_KERNEL_scene_sphere), PEER(VP_KERNEL_scene_box), PEER(VP_OPERATION_scene_fill),
                                                  VP_PEERS_END};
