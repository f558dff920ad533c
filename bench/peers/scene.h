/* SPDX-License-Identifier: MIT */
/* Shared code of the libraries that search a scene of spheres: the exact tests, questions and results. */
#ifndef VP_BENCH_SCENE_H
#define VP_BENCH_SCENE_H

#include "bench/peers/peer.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "cases/scene/search.h"

/* The scene of a row's data. */
static inline const vp_scene_set *vp_peer_scene(const vp_data *data, vp_row_id row)
{
    return row == VP_OPERATION_scene_move ? &((const vp_motion_set *)data->set)->scene : (const vp_scene_set *)data->set;
}

#ifdef __cplusplus
}

#include <algorithm>
#include <cmath>

#include "bench/peers/library.h"

/* Data and results of all these libraries. Scenes of peers have equal masks and no triangles. */
struct Scene {
    vp_row_id row;
    const vp_scene_set *scene;
    const vp_motion_set *motions; /* nullptr: none */
    std::vector<vp_sphere> now;   /* spheres of the objects */
    vp_scene_questions asked;
    std::array<double, VP_SCENE_QUERIES> t_end; /* where a ray has left the scene, or ends */
    std::array<std::vector<uint32_t>, VP_SCENE_QUERIES> found;
    std::array<vp_peer_hit, VP_SCENE_QUERIES> hit;
    std::vector<uint32_t> list, count;

    Scene(const vp_data &data, vp_row_id of) : row(of), scene(vp_peer_scene(&data, of)), now(scene->sphere, scene->sphere + scene->count)
    {
        motions = of == VP_OPERATION_scene_move ? static_cast<const vp_motion_set *>(data.set) : nullptr;
        vp_scene_ask(scene, &asked);
        double most = 0;
        for (const vp_sphere &s : now)
            most = std::max({most, std::fabs(double{s.centre.x}) + double{s.radius}, std::fabs(double{s.centre.y}) + double{s.radius},
                             std::fabs(double{s.centre.z}) + double{s.radius}});
        for (size_t i = 0; i < asked.count; i++) {
            const vp_ray &r = asked.ray[i];
            const double x = r.origin.x, y = r.origin.y, z = r.origin.z, dx = r.direction.x, dy = r.direction.y, dz = r.direction.z;
            t_end[i] = std::min(double{r.t_max}, (std::sqrt(x * x + y * y + z * z) + 2 * most) / std::sqrt(dx * dx + dy * dy + dz * dz));
        }
    }
    void reset()
    {
        for (auto &f : found)
            f.clear();
        hit.fill({0, VP_NO_HIT});
    }
    bool tell(vp_peer_answers &out)
    {
        list.clear();
        count.clear();
        for (const auto &f : found) {
            list.insert(list.end(), f.begin(), f.end());
            count.push_back(static_cast<uint32_t>(f.size()));
        }
        if (row == VP_KERNEL_scene_pairs)
            count[0] /= 2;
        out.list = list.data();
        out.found = count.data();
        out.hit = hit.data();
        return true;
    }
    void add_pair(uint32_t a, uint32_t b)
    {
        if (touches(now[a], now[b])) {
            found[0].push_back(std::min(a, b));
            found[0].push_back(std::max(a, b));
        }
    }
    /* Tests an object that question i may touch. */
    template <bool BOX> void test(size_t i, uint32_t object)
    {
        if (BOX ? touches(asked.box[i], now[object]) : touches(asked.sphere[i], now[object]))
            found[i].push_back(object);
    }
    /* Tests an object that ray i may meet. */
    void meet(size_t i, uint32_t object)
    {
        const vp_ray &r = asked.ray[i];
        const vp_sphere &s = now[object];
        const double m[3] = {double{r.origin.x} - s.centre.x, double{r.origin.y} - s.centre.y, double{r.origin.z} - s.centre.z},
                     d[3] = {r.direction.x, r.direction.y, r.direction.z}, radius = s.radius;
        const double a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], b = m[0] * d[0] + m[1] * d[1] + m[2] * d[2],
                     c = m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - radius * radius, square = b * b - a * c;
        if (c > 0 && (b >= 0 || square < 0))
            return;
        const double t = c > 0 ? c / (std::sqrt(square) - b) : 0;
        if (t <= double{r.t_max} && (hit[i].triangle == VP_NO_HIT || t < double{hit[i].t}))
            hit[i] = {static_cast<float>(t), static_cast<int32_t>(object)};
    }

  private:
    static bool touches(const vp_sphere &a, const vp_sphere &b)
    {
        const double x = double{b.centre.x} - a.centre.x, y = double{b.centre.y} - a.centre.y, z = double{b.centre.z} - a.centre.z,
                     reach = double{a.radius} + b.radius;
        return x * x + y * y + z * z <= reach * reach;
    }
    static double away(float at, float min, float max)
    {
        return at < min ? double{min} - at : at > max ? double{at} - max : 0;
    }
    static bool touches(const vp_aabb &a, const vp_sphere &b)
    {
        const double x = away(b.centre.x, a.min.x, a.max.x), y = away(b.centre.y, a.min.y, a.max.y), z = away(b.centre.z, a.min.z, a.max.z);
        return x * x + y * y + z * z <= double{b.radius} * b.radius;
    }
};

/* A box around a sphere, rounded outwards. */
inline vp_aabb box_around(const vp_sphere &s)
{
    const auto low = [&](float c) { return std::nextafter(c - s.radius, -INFINITY); };
    const auto high = [&](float c) { return std::nextafter(c + s.radius, INFINITY); };
    return {{low(s.centre.x), low(s.centre.y), low(s.centre.z)}, {high(s.centre.x), high(s.centre.y), high(s.centre.z)}};
}

/* The functions of a peer whose Work has a scene and a library's tree: clear() drops the tree, fill() makes it, touch<BOX>() asks all
 * questions, and other(step) is the rest of the rows. Its constructor takes the data, the row and an option of the library. */
template <class Work, bool OPTION = false> void *make_scene(const vp_peer *peer, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        auto work = std::make_unique<Work>(*data, peer->row, OPTION);
        if (peer->row != VP_OPERATION_scene_fill)
            work->fill();
        return work.release();
    });
}

template <class Work> bool rewind_scene(void *argument)
{
    return unless_thrown([&] {
        Work &work = *static_cast<Work *>(argument);
        work.scene.reset();
        if (work.scene.row == VP_OPERATION_scene_fill || work.scene.motions != nullptr)
            work.clear();
        if (work.scene.motions != nullptr) {
            work.scene.now.assign(work.scene.scene->sphere, work.scene.scene->sphere + work.scene.scene->count);
            work.fill();
        }
        return true;
    });
}

template <class Work> bool run_scene(void *argument, uint32_t step)
{
    return unless_thrown([&] {
        Work &work = *static_cast<Work *>(argument);
        if (work.scene.motions == nullptr)
            work.scene.reset();
        if (work.scene.row == VP_KERNEL_scene_sphere)
            work.template touch<false>();
        else if (work.scene.row == VP_KERNEL_scene_box)
            work.template touch<true>();
        else if (work.scene.row == VP_OPERATION_scene_fill)
            work.fill();
        else
            work.other(step);
        return true;
    });
}

template <class Work> bool answers_of_scene(void *argument, uint32_t, vp_peer_answers *out)
{
    return unless_thrown([&] {
        Work &work = *static_cast<Work *>(argument);
        if (work.scene.row == VP_OPERATION_scene_fill || work.scene.motions != nullptr) {
            work.scene.reset();
            work.template touch<false>();
        }
        return work.scene.tell(*out);
    });
}

#define VP_SCENE_PEER(name, version, note, row, work, option)                                                                              \
    {                                                                                                                                      \
        name, version, note, row, false, row == VP_OPERATION_scene_fill || row == VP_OPERATION_scene_move, make_scene<work, option>,       \
            rewind_scene<work>, run_scene<work>, answers_of_scene<work>, drop<work>                                                        \
    }
#endif

#endif
