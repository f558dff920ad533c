// SPDX-License-Identifier: MIT
// Bullet's extras HACD (Mamou and Ghorbel) and ACD (Ratcliff). Both receive the solid scaled to a cube of edge 1000, as in the article on
// RoHACD. The hulls are scaled back. Both keep memory and global state, so only one may run at a time.
#include "bench/peers/library.h"

#include "datasets/solid_sets.h"

#include <ConvexDecomposition/ConvexBuilder.h>
#include <HACD/hacdHACD.h>
#include <LinearMath/btScalar.h>

#include <algorithm>
#include <cmath>

// The library calls this function but does not define it.
namespace ConvexDecomposition
{
unsigned int performConvexDecomposition(const DecompDesc &desc)
{
    return ConvexBuilder(desc.mCallback).process(desc);
}
} // namespace ConvexDecomposition

namespace
{

constexpr double cube = 1000.0;

using Point3 = std::array<double, 3>;

struct hulls : Triangles {
    std::vector<std::array<uint32_t, 2>> first;
    std::vector<uint32_t> owner;
};

struct VhacdSolid {
    Point3 low;
    double scale; // to the cube
    double diagonal;
    std::vector<Point3> point;
    std::vector<std::array<uint32_t, 3>> triangle;
    hulls answer;

    void add(double x, double y, double z)
    {
        answer.place.push_back(
            {static_cast<float>(x / scale + low[0]), static_cast<float>(y / scale + low[1]), static_cast<float>(z / scale + low[2])});
    }

    void end_hull()
    {
        answer.first.push_back({static_cast<uint32_t>(answer.place.size()), static_cast<uint32_t>(answer.triangle.size())});
    }
};

using VhacdSolids = std::vector<VhacdSolid>;

void fill(VhacdSolid &s, const vp_triangles &mesh)
{
    Point3 high{};
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        const Point3 p = {mesh.vertex[i].x, mesh.vertex[i].y, mesh.vertex[i].z};
        for (size_t k = 0; k < 3; k++) {
            s.low[k] = i == 0 ? p[k] : std::min(s.low[k], p[k]);
            high[k] = i == 0 ? p[k] : std::max(high[k], p[k]);
        }
        s.point.push_back(p);
    }
    const Point3 side = {high[0] - s.low[0], high[1] - s.low[1], high[2] - s.low[2]};
    const double longest = *std::max_element(side.begin(), side.end());
    s.scale = longest > 0 ? cube / longest : 1.0;
    s.diagonal = s.scale * std::sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
    for (Point3 &p : s.point)
        for (size_t k = 0; k < 3; k++)
            p[k] = (p[k] - s.low[k]) * s.scale;
    for (uint32_t t = 0; t < mesh.triangle_count; t++)
        s.triangle.push_back({mesh.index[3 * t], mesh.index[3 * t + 1], mesh.index[3 * t + 2]});
}

void *make(const vp_peer *, const vp_data *data)
{
    const auto &set = *static_cast<const vp_solid_set *>(data->set);
    return unless_thrown([&]() -> void * {
        auto w = std::make_unique<VhacdSolids>(set.count);
        for (uint32_t i = 0; i < set.count; i++)
            fill((*w)[i], set.solid[i].mesh);
        return w.release();
    });
}

bool answers(void *argument, uint32_t step, vp_peer_answers *out)
{
    hulls &h = (*static_cast<VhacdSolids *>(argument))[step].answer;
    out->first = reinterpret_cast<const uint32_t(*)[2]>(h.first.data());
    out->hulls = static_cast<uint32_t>(h.first.size() - 1);
    out->owner = h.owner.empty() ? nullptr : h.owner.data();
    return h.tell(out);
}

// ---- HACD ----

void keep_hulls(HACD::HACD &hacd, VhacdSolid &s)
{
    for (size_t h = 0; h < hacd.GetNClusters(); h++) {
        std::vector<HACD::Vec3<HACD::Real>> point(hacd.GetNPointsCH(h));
        std::vector<HACD::Vec3<long>> triangle(hacd.GetNTrianglesCH(h));
        hacd.GetCH(h, point.data(), triangle.data());
        for (const auto &p : point)
            s.add(p.X(), p.Y(), p.Z());
        for (const auto &t : triangle)
            s.answer.triangle.push_back({static_cast<uint32_t>(t.X()), static_cast<uint32_t>(t.Y()), static_cast<uint32_t>(t.Z())});
        s.end_hull();
    }
    for (size_t t = 0; t < s.triangle.size(); t++)
        s.answer.owner.push_back(static_cast<uint32_t>(hacd.GetPartition()[t]));
}

template <bool more> bool run_hacd(void *argument, uint32_t step)
{
    VhacdSolid &s = (*static_cast<VhacdSolids *>(argument))[step];
    return unless_thrown([&] {
        std::vector<HACD::Vec3<HACD::Real>> point; // the library scales the points and scales them back
        std::vector<HACD::Vec3<long>> triangle;
        for (const Point3 &p : s.point)
            point.emplace_back(p[0], p[1], p[2]);
        for (const auto &t : s.triangle)
            triangle.emplace_back(t[0], t[1], t[2]);
        HACD::HACD hacd;
        hacd.SetPoints(point.data());
        hacd.SetNPoints(point.size());
        hacd.SetTriangles(triangle.data());
        hacd.SetNTriangles(triangle.size());
        hacd.SetScaleFactor(s.diagonal / 2); // otherwise it scales the diagonal to 2000, and lengths have another meaning
        hacd.SetCompacityWeight(0);
        hacd.SetVolumeWeight(0);
        hacd.SetConnectDist(0.1);
        hacd.SetConcavity(10);
        hacd.SetNClusters(1);
        hacd.SetAddExtraDistPoints(more);
        hacd.SetAddFacesPoints(more);
        hacd.SetAddNeighboursDistPoints(more);
        s.answer = {};
        s.end_hull();
        if (!hacd.Compute(true)) // the hulls have all their vertices
            return false;
        keep_hulls(hacd, s);
        return true;
    });
}

// ---- ACD ----

struct keeper : ConvexDecomposition::ConvexDecompInterface {
    explicit keeper(VhacdSolid &to) : s(to) {}
    void ConvexDecompResult(ConvexDecomposition::ConvexResult &hull) override
    {
        for (unsigned i = 0; i < hull.mHullVcount; i++)
            s.add(hull.mHullVertices[3 * i], hull.mHullVertices[3 * i + 1], hull.mHullVertices[3 * i + 2]);
        for (unsigned t = 0; t < hull.mHullTcount; t++)
            s.answer.triangle.push_back({hull.mHullIndices[3 * t], hull.mHullIndices[3 * t + 1], hull.mHullIndices[3 * t + 2]});
        s.end_hull();
    }
    VhacdSolid &s;
};

bool run_acd(void *argument, uint32_t step)
{
    VhacdSolid &s = (*static_cast<VhacdSolids *>(argument))[step];
    return unless_thrown([&] {
        std::vector<float> point;
        std::vector<unsigned> corner;
        for (const Point3 &p : s.point)
            for (const double x : p)
                point.push_back(static_cast<float>(x));
        for (const auto &t : s.triangle)
            corner.insert(corner.end(), t.begin(), t.end());
        s.answer = {};
        s.end_hull();
        keeper callback(s);
        ConvexDecomposition::DecompDesc desc;
        desc.mVcount = static_cast<unsigned>(s.point.size());
        desc.mVertices = point.data();
        desc.mTcount = static_cast<unsigned>(s.triangle.size());
        desc.mIndices = corner.data();
        desc.mDepth = 5;
        desc.mCpercent = 5;
        desc.mPpercent = 15;
        desc.mMaxVertices = 64;
        desc.mSkinWidth = 0;
        desc.mCallback = &callback;
        ConvexDecomposition::performConvexDecomposition(desc);
        return true;
    });
}

// Bullet reports 3.24 as 324.
template <bool (*run)(void *, uint32_t)> constexpr vp_peer peer(const char *name, const char *note)
{
    return {name, VP_DIGITS(BT_BULLET_VERSION), note, VP_OPERATION_decompose, false, false, make, nullptr, run, answers, drop<VhacdSolids>};
}

} // namespace

extern "C" const vp_peer vp_peers_decompose_bullet[] = {
    peer<run_hacd<true>>(
        "hacd", "HACD: concavity 10 and distance 0.1 in a cube of 1000, compacity and volume 0, all three kinds of further points"),
    peer<run_hacd<false>>("hacd-plain",
                          "HACD: concavity 10 and distance 0.1 in a cube of 1000, compacity and volume 0, without further points"),
    peer<run_acd>("acd", "ACD: depth 5, 5 %, merges at 15 %, 64 vertices; it bounds no error"), VP_PEERS_END};
