/* SPDX-License-Identifier: MIT */
/* Embree 3 with the settings that its manual recommends. Denormals are flushed to zero while it runs. It has a device of one thread and
 * scenes of default flags (not robust). Each mesh is a scene that shares the caller's vertices and indices. Packets of a coherent set
 * carry Embree's flag for coherent rays. Single rays ignore that flag.
 *
 * Rays are in Embree's structures before the measurement. The timed loop resets tfar and geomID, which a call overwrites. Filling whole
 * structures instead was a tenth to a third slower for single coherent rays and equal otherwise. The reason is that Embree loads four
 * floats at once that were just stored one by one. Hits stay in these structures, where a user of Embree reads them. The measurement
 * contains no copy. */
#include "bench/peers/kd_meshes.h"

#include <atomic>
#include <cmath>

#include <embree3/rtcore.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace
{

const uint32_t NONSENSE = 0xa5a5a5a5u;

/* Embree requires this state. The rest of the program computes with denormals. */
class FlushedDenormals
{
  public:
#if defined(__SSE__)
    FlushedDenormals() : before(_mm_getcsr())
    {
        _mm_setcsr(before | 0x8040u); /* FTZ and DAZ */
    }
    ~FlushedDenormals()
    {
        _mm_setcsr(before);
    }

  private:
    unsigned before;
#else
    FlushedDenormals() {}
#endif
    FlushedDenormals(const FlushedDenormals &) = delete;
    FlushedDenormals &operator=(const FlushedDenormals &) = delete;
};

/* ---- trees ---- */

struct Config {
    RTCBuildQuality quality;
    bool quads, compact, dynamic, robust;
};

struct Trees {
    const Config &config;
    Meshes meshes;
    std::vector<uint32_t> quad; /* corners of all meshes */
    RTCDevice device = nullptr;
    std::atomic<int64_t> bytes{0}; /* bytes held by the device's scenes */
    std::vector<RTCScene> scene;
    RTCScene kept = nullptr;             /* dynamic: one scene for all meshes in turn, */
    RTCGeometry kept_geometry = nullptr; /* and its geometry */

    Trees(const Config &how, const vp_mesh_set &set) : config(how), meshes(set)
    {
        scene.reserve(meshes.mesh.size());
        if (config.quads)
            turn_quads();
    }
    Trees(const Trees &) = delete;
    Trees &operator=(const Trees &) = delete;
    ~Trees()
    {
        clear();
        if (kept != nullptr)
            rtcReleaseScene(kept);
        if (device != nullptr)
            rtcReleaseDevice(device);
    }
    void clear()
    {
        for (RTCScene s : scene)
            rtcReleaseScene(s);
        scene.clear();
    }
    /* Embree cuts a quad from its corner 1 to its corner 3. Our quads are cut from 0 to 2, so they are passed beginning with corner 1. */
    void turn_quads()
    {
        for (const Mesh &mesh : meshes.mesh)
            for (size_t i = 0; i + 6 <= static_cast<size_t>(mesh.triangle_count) * 3; i += 6)
                quad.insert(quad.end(), {mesh.index[i + 1], mesh.index[i + 2], mesh.index[i + 5], mesh.index[i]});
    }
};

bool count_bytes(void *trees, ssize_t bytes, bool)
{
    static_cast<Trees *>(trees)->bytes += bytes;
    return true;
}

/* The corners of a mesh's quads. */
const uint32_t *quads_of(const Trees &trees, const Mesh &mesh)
{
    return trees.config.quads ? trees.quad.data() + static_cast<size_t>(mesh.index - trees.meshes.first_index()) / 6 * 4 : nullptr;
}

/* Sets a geometry's mesh. */
void bind(const Trees &trees, const Mesh &mesh, RTCGeometry geometry)
{
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh.vertex, 0, 12, mesh.vertex_count);
    if (trees.config.quads)
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4, quads_of(trees, mesh), 0, 16,
                                   mesh.triangle_count / 2);
    else
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.index, 0, 12, mesh.triangle_count);
    rtcCommitGeometry(geometry);
}

/* Returns a new geometry over one mesh, owned by the scene. */
RTCGeometry attach(const Trees &trees, const Mesh &mesh, RTCScene scene)
{
    RTCGeometry geometry = rtcNewGeometry(trees.device, trees.config.quads ? RTC_GEOMETRY_TYPE_QUAD : RTC_GEOMETRY_TYPE_TRIANGLE);
    if (geometry == nullptr)
        return nullptr;
    rtcSetGeometryBuildQuality(geometry, trees.config.quality);
    bind(trees, mesh, geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    return geometry;
}

/* Returns a new committed scene over one mesh. The geometry gets the same build quality, because a scene of low quality alone builds its
 * geometries at medium quality. Without memory it returns nullptr or an incomplete scene. `geometry`, if not nullptr, receives the
 * scene's geometry. */
RTCScene build_scene(const Trees &trees, const Mesh &mesh, RTCGeometry *geometry)
{
    RTCScene scene = rtcNewScene(trees.device);
    if (scene == nullptr)
        return nullptr;
    rtcSetSceneBuildQuality(scene, trees.config.quality);
    if (trees.config.compact)
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_COMPACT);
    if (trees.config.dynamic)
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
    if (trees.config.robust)
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry attached = attach(trees, mesh, scene);
    if (geometry != nullptr)
        *geometry = attached;
    if (attached != nullptr)
        rtcCommitScene(scene);
    return scene;
}

bool build(Trees &trees)
{
    trees.clear();
    for (const Mesh &mesh : trees.meshes.mesh) {
        RTCScene scene = build_scene(trees, mesh, nullptr);
        if (scene == nullptr)
            return false;
        trees.scene.push_back(scene); /* the memory was available */
    }
    return rtcGetDeviceError(trees.device) == RTC_ERROR_NONE;
}

/* Embree exposes only a scene's box. */
uint32_t wrong(const Trees &trees)
{
    auto differ = static_cast<uint32_t>(trees.meshes.mesh.size() - trees.scene.size());
    for (size_t m = 0; m < trees.scene.size(); m++) {
        const vp_aabb &box = trees.meshes.mesh[m].box;
        RTCBounds bounds;
        rtcGetSceneBounds(trees.scene[m], &bounds);
        const float most =
            std::max({std::fabs(bounds.lower_x - box.min.x), std::fabs(bounds.lower_y - box.min.y), std::fabs(bounds.lower_z - box.min.z),
                      std::fabs(bounds.upper_x - box.max.x), std::fabs(bounds.upper_y - box.max.y), std::fabs(bounds.upper_z - box.max.z)});
        differ += !(most <= 0x1p-10f);
    }
    return differ;
}

/* ---- questions ---- */

struct Question {
    const Trees &trees;
    Asked &asked;
    RTCIntersectContext context;

    Question(const Trees &of, Asked &what) : trees(of), asked(what)
    {
        rtcInitIntersectContext(&context);
        context.flags = what.coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    }
    virtual ~Question() = default;
    virtual void spoil() = 0; /* clears the answers of the last run */
    virtual void run() = 0;
    virtual void take() = 0; /* copies the answers to their destination */
};

RTCRay ray_of(const vp_ray &ray)
{
    RTCRay r = {};
    r.org_x = ray.origin.x;
    r.org_y = ray.origin.y;
    r.org_z = ray.origin.z;
    r.dir_x = ray.direction.x;
    r.dir_y = ray.direction.y;
    r.dir_z = ray.direction.z;
    r.tfar = ray.t_max;
    r.mask = ~0u;
    return r;
}

vp_peer_hit hit_of(const Trees &trees, uint32_t geometry, uint32_t primitive, float t, float u, float v)
{
    if (geometry == RTC_INVALID_GEOMETRY_ID)
        return {t, VP_NO_HIT};
    return {t, static_cast<int32_t>(trees.config.quads ? primitive * 2 + (u + v > 1.0f) : primitive)};
}

struct Single final : Question {
    std::vector<RTCRayHit> ray;
    std::vector<float> t_max;

    Single(const Trees &of, Asked &what) : Question(of, what), ray(what.rays->count), t_max(what.rays->count)
    {
        for (size_t i = 0; i < ray.size(); i++) {
            ray[i].ray = ray_of(what.rays->ray[i]);
            ray[i].hit = {};
            t_max[i] = what.rays->ray[i].t_max;
        }
    }
    void run() override
    {
        const uint32_t *mesh = asked.rays->mesh;
        for (size_t i = 0; i < ray.size(); i++) {
            ray[i].ray.tfar = t_max[i];
            ray[i].hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(trees.scene[mesh[i]], &context, &ray[i]);
        }
    }
    void spoil() override
    {
        for (RTCRayHit &r : ray)
            r.hit.geomID = r.hit.primID = NONSENSE;
    }
    void take() override
    {
        for (size_t i = 0; i < ray.size(); i++) {
            const RTCHit &hit = ray[i].hit;
            asked.hit[i] = hit_of(trees, hit.geomID, hit.primID, ray[i].ray.tfar, hit.u, hit.v);
        }
    }
};

/* A query overwrites only tfar, with minus infinity after a hit. */
struct Any final : Question {
    std::vector<RTCRay> ray;
    std::vector<float> t_max;

    Any(const Trees &of, Asked &what) : Question(of, what), ray(what.rays->count), t_max(what.rays->count)
    {
        for (size_t i = 0; i < ray.size(); i++) {
            ray[i] = ray_of(what.rays->ray[i]);
            t_max[i] = what.rays->ray[i].t_max;
        }
    }
    void run() override
    {
        const uint32_t *mesh = asked.rays->mesh;
        for (size_t i = 0; i < ray.size(); i++) {
            ray[i].tfar = t_max[i];
            rtcOccluded1(trees.scene[mesh[i]], &context, &ray[i]);
        }
    }
    void spoil() override
    {
        for (RTCRay &r : ray)
            r.tfar = NAN;
    }
    void take() override
    {
        for (size_t i = 0; i < ray.size(); i++) {
            const bool hit = ray[i].tfar < 0.0f, known = hit || ray[i].tfar == t_max[i];
            asked.hit[i] = {0.0f, hit ? 0 : known ? VP_NO_HIT : VP_RAY_INVALID};
        }
    }
};

struct Eight {
    enum { WIDTH = 8 };
    using Rays = RTCRayHit8;
    static void intersect(const int *valid, RTCScene scene, RTCIntersectContext *context, Rays *rays)
    {
        rtcIntersect8(valid, scene, context, rays);
    }
};

struct Sixteen {
    enum { WIDTH = 16 };
    using Rays = RTCRayHit16;
    static void intersect(const int *valid, RTCScene scene, RTCIntersectContext *context, Rays *rays)
    {
        rtcIntersect16(valid, scene, context, rays);
    }
};

/* Packs consecutive rays of the same mesh. Unused lanes are invalid. */
template <class Width> struct Packets final : Question {
    enum { WIDTH = Width::WIDTH };
    struct Packet {
        typename Width::Rays rays;
        alignas(64) int valid[WIDTH];
        float t_max[WIDTH];
        uint32_t mesh, first, count;
    };
    std::vector<Packet> packet;

    static void put(Packet &p, uint32_t lane, const vp_ray &ray)
    {
        const RTCRay r = ray_of(ray);
        auto &to = p.rays.ray;
        to.org_x[lane] = r.org_x;
        to.org_y[lane] = r.org_y;
        to.org_z[lane] = r.org_z;
        to.dir_x[lane] = r.dir_x;
        to.dir_y[lane] = r.dir_y;
        to.dir_z[lane] = r.dir_z;
        to.mask[lane] = r.mask;
        p.t_max[lane] = r.tfar;
        p.valid[lane] = -1;
    }

    Packets(const Trees &of, Asked &what) : Question(of, what)
    {
        const vp_ray_set &rays = *what.rays;
        packet.reserve(rays.count / WIDTH + 1);
        for (uint32_t i = 0; i < rays.count; i++) {
            if (packet.empty() || packet.back().mesh != rays.mesh[i] || packet.back().count == WIDTH) {
                packet.emplace_back();
                std::memset(static_cast<void *>(&packet.back()), 0, sizeof(Packet));
                packet.back().mesh = rays.mesh[i];
                packet.back().first = i;
            }
            put(packet.back(), packet.back().count++, rays.ray[i]);
        }
    }
    void run() override
    {
        for (Packet &p : packet) {
            std::memcpy(p.rays.ray.tfar, p.t_max, sizeof p.t_max);
            for (unsigned &geometry : p.rays.hit.geomID)
                geometry = RTC_INVALID_GEOMETRY_ID;
            Width::intersect(p.valid, trees.scene[p.mesh], &context, &p.rays);
        }
    }
    void spoil() override
    {
        for (Packet &p : packet)
            for (uint32_t k = 0; k < WIDTH; k++)
                p.rays.hit.geomID[k] = p.rays.hit.primID[k] = NONSENSE;
    }
    void take() override
    {
        for (const Packet &p : packet)
            for (uint32_t k = 0; k < p.count; k++) {
                const auto &hit = p.rays.hit;
                asked.hit[p.first + k] = hit_of(trees, hit.geomID[k], hit.primID[k], p.rays.ray.tfar[k], hit.u[k], hit.v[k]);
            }
    }
};

/* ---- the peers ---- */

struct EmbreeRays {
    Trees trees;
    Asked asked;
    std::unique_ptr<Question> question; /* rows of edits have none */

    EmbreeRays(const Config &config, const vp_data &data) : trees(config, *static_cast<const vp_mesh_set *>(data.owner->set)), asked(data)
    {
    }
};

std::unique_ptr<Question> question_of(vp_row_id row, const Trees &trees, Asked &asked)
{
    switch (row) {
    case VP_OPERATION_edit_to_ray:
        return nullptr;
    case VP_KERNEL_kd_ray_any:
        return std::make_unique<Any>(trees, asked);
    case VP_KERNEL_kd_ray8:
        return std::make_unique<Packets<Eight>>(trees, asked);
    case VP_KERNEL_kd_ray16:
        return std::make_unique<Packets<Sixteen>>(trees, asked);
    default:
        return std::make_unique<Single>(trees, asked);
    }
}

template <const Config &CONFIG> void *make(const vp_peer *peer, const vp_data *data)
{
    const FlushedDenormals flushed;
    return unless_thrown([&]() -> void * {
        auto work = std::make_unique<EmbreeRays>(CONFIG, *data);
        Trees &trees = work->trees;
        trees.device = rtcNewDevice("threads=1,set_affinity=0");
        if (trees.device == nullptr)
            return nullptr;
        rtcSetDeviceMemoryMonitorFunction(trees.device, count_bytes, &trees);
        work->question = question_of(peer->row, trees, work->asked);
        return makes_trees(peer->row) || build(trees) ? work.release() : nullptr;
    });
}

template <vp_row_id ROW> bool rewind(void *argument)
{
    EmbreeRays &work = *static_cast<EmbreeRays *>(argument);
    if (makes_trees(ROW))
        work.trees.clear();
    if (work.question != nullptr)
        work.question->spoil();
    else
        work.asked.spoil();
    return true;
}

/* Sets another mesh in the scene that is kept. */
RTCScene rebuild(Trees &trees, const Mesh &mesh)
{
    if (trees.kept == nullptr) {
        trees.kept = build_scene(trees, mesh, &trees.kept_geometry);
    } else if (trees.kept_geometry != nullptr) {
        bind(trees, mesh, trees.kept_geometry);
        rtcCommitScene(trees.kept);
    }
    return trees.kept;
}

bool edit(Trees &trees, const Mesh &mesh, const vp_ray &ray, vp_peer_hit &hit)
{
    RTCScene scene = trees.config.dynamic ? rebuild(trees, mesh) : build_scene(trees, mesh, nullptr);
    if (scene == nullptr)
        return false;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit r;
    r.ray = ray_of(ray);
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, &r);
    if (!trees.config.dynamic)
        rtcReleaseScene(scene);
    hit = hit_of(trees, r.hit.geomID, r.hit.primID, r.ray.tfar, r.hit.u, r.hit.v);
    return rtcGetDeviceError(trees.device) == RTC_ERROR_NONE;
}

template <vp_row_id ROW> bool run(void *argument, uint32_t step)
{
    const FlushedDenormals flushed;
    EmbreeRays &work = *static_cast<EmbreeRays *>(argument);
    if (ROW == VP_OPERATION_edit_to_ray)
        return edit(work.trees, work.trees.meshes.mesh[step], work.asked.rays->ray[step], work.asked.hit[step]);
    if (makes_trees(ROW) && !build(work.trees))
        return false;
    if (ROW != VP_KERNEL_kd_build)
        work.question->run();
    return true;
}

template <vp_row_id ROW> bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    EmbreeRays &work = *static_cast<EmbreeRays *>(argument);
    work.asked.tell(*out);
    if (ROW == VP_KERNEL_kd_build) {
        const FlushedDenormals flushed;
        out->wrong = wrong(work.trees);
        out->bytes = static_cast<uint64_t>(work.trees.bytes.load());
        out->given = work.trees.meshes.vertices * sizeof(vp_vec3) +
                     work.trees.meshes.triangles * (work.trees.config.quads ? 2 : 3) * sizeof(uint32_t);
        if (out->wrong == 0)
            work.question->run();
    }
    if (work.question != nullptr)
        work.question->take();
    return true;
}

constexpr Config low = {RTC_BUILD_QUALITY_LOW, false, false, false, false};
constexpr Config medium = {RTC_BUILD_QUALITY_MEDIUM, false, false, false, false};
constexpr Config high = {RTC_BUILD_QUALITY_HIGH, false, false, false, false};
constexpr Config low_quads = {RTC_BUILD_QUALITY_LOW, true, false, false, false};
constexpr Config medium_quads = {RTC_BUILD_QUALITY_MEDIUM, true, false, false, false};
constexpr Config medium_quads_compact = {RTC_BUILD_QUALITY_MEDIUM, true, true, false, false};
constexpr Config low_quads_dynamic = {RTC_BUILD_QUALITY_LOW, true, false, true, false};
constexpr Config medium_quads_dynamic = {RTC_BUILD_QUALITY_MEDIUM, true, false, true, false};
constexpr Config robust = {RTC_BUILD_QUALITY_MEDIUM, false, false, false, true};

} // namespace

#define NOTE(settings)                                                                                                                     \
    "Embree " RTC_VERSION_STRING ", quality " settings ", not robust, 1 thread, rays prepared in its form. For it: hits stay in "          \
    "that form; against it: Debian builds it with assertions"
#define PEER(name, note, config, row)                                                                                                      \
    {                                                                                                                                      \
        name, RTC_VERSION_STRING, note, row, false, row == VP_KERNEL_kd_build || row == VP_KERNEL_terrain_ray, make<config>, rewind<row>,  \
            run<row>, answers<row>, drop<EmbreeRays>                                                                                       \
    }
#define TREES(name, note, config)                                                                                                          \
    PEER(name, note, config, VP_KERNEL_kd_build), PEER(name, note, config, VP_KERNEL_kd_ray),                                              \
        PEER(name, note, config, VP_OPERATION_edit_to_ray)
#define RAYS(name, note, config)                                                                                                           \
    TREES(name, note, config), PEER(name, note, config, VP_KERNEL_kd_ray_any), PEER(name, note, config, VP_KERNEL_kd_ray8),                \
        PEER(name, note, config, VP_KERNEL_kd_ray16)
#define COLD(name, note, config) PEER(name "/cold", note, config, VP_KERNEL_terrain_ray)

#define LOW          NOTE("LOW, triangles, a scene each mesh")
#define MEDIUM       NOTE("MEDIUM, triangles, a scene each mesh")
#define HIGH         NOTE("HIGH, triangles, a scene each mesh")
#define LOW_QUADS    NOTE("LOW, quads, a scene each mesh")
#define MEDIUM_QUADS NOTE("MEDIUM, quads, a scene each mesh")
#define COMPACT      NOTE("MEDIUM, quads, compact, a scene each mesh")

extern "C" const vp_peer vp_peers_kd_embree[] = {
    RAYS("embree-low", LOW, low), RAYS("embree-medium", MEDIUM, medium), RAYS("embree-high", HIGH, high),
    RAYS("embree-low-quads", LOW_QUADS, low_quads), RAYS("embree-medium-quads", MEDIUM_QUADS, medium_quads),
    TREES("embree-medium-quads-compact", COMPACT, medium_quads_compact),
    PEER("embree-low-quads-dynamic", NOTE("LOW, quads, one dynamic scene whose mesh changes"), low_quads_dynamic, VP_OPERATION_edit_to_ray),
    PEER("embree-medium-quads-dynamic", NOTE("MEDIUM, quads, one dynamic scene whose mesh changes"), medium_quads_dynamic,
         VP_OPERATION_edit_to_ray),
    COLD("embree-low", LOW, low), COLD("embree-medium", MEDIUM, medium), COLD("embree-low-quads", LOW_QUADS, low_quads),
    COLD("embree-medium-quads", MEDIUM_QUADS, medium_quads),
    /* Only for the corpus: correct, not fast. */
    PEER("embree-robust", nullptr, robust, VP_OPERATION_edit_to_ray), VP_PEERS_END};
