/* SPDX-License-Identifier: MIT */
/* Embree 3, used as its manual recommends: denormals are flushed to zero while it works, a device of one thread, scenes of
 * default flags (not robust), each mesh a scene, the caller's vertices and indices shared. Rays of a coherent set are
 * announced as such to packets; single rays do not look at that flag.
 *
 * Rays are in Embree's structures before the time is taken. What a call overwrites and the next one reads, tfar and geomID, is
 * set again inside: filling whole structures instead was a tenth to a third slower for single coherent rays (Embree loads four
 * floats at once that were just stored one by one), and the same for the rest. Hits stay in these structures, where a user
 * of Embree has them, and are not copied within the time. */
#include "bench/peers/tree_peer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <embree3/rtcore.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

const uint32_t NONSENSE = 0xa5a5a5a5u;

/* Embree asks for this state; the rest of the program computes with denormals. */
class FlushedDenormals {
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
    FlushedDenormals()
    {
    }
#endif
    FlushedDenormals(const FlushedDenormals &) = delete;
    FlushedDenormals &operator=(const FlushedDenormals &) = delete;
};

/* ---- trees ---- */

struct Trees {
    const vp_tree_meshes *meshes;
    RTCBuildQuality quality;
    bool quads, compact, dynamic, robust;
    std::vector<uint32_t> quad; /* corners, of all meshes */
    RTCDevice device = nullptr;
    std::atomic<int64_t> bytes{0}; /* that the device's scenes hold */
    std::vector<RTCScene> scene;
    RTCScene kept = nullptr; /* dynamic: of one mesh after the other, */
    RTCGeometry kept_geometry = nullptr; /* which is its */

    Trees(const vp_tree_meshes *of, RTCBuildQuality build_quality, bool as_quads, bool as_compact, bool as_dynamic, bool as_robust)
        : meshes(of), quality(build_quality), quads(as_quads), compact(as_compact), dynamic(as_dynamic), robust(as_robust)
    {
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
};

bool count_bytes(void *trees, ssize_t bytes, bool)
{
    static_cast<Trees *>(trees)->bytes += bytes;
    return true;
}

/* Embree cuts a quad from its corner 1 to its corner 3; ours are cut from 0 to 2, so ours begin with corner 1. */
void turn_quads(Trees &trees)
{
    for (uint32_t m = 0; m < trees.meshes->count; m++) {
        const vp_tree_mesh &mesh = trees.meshes->mesh[m];
        for (size_t i = 0; i + 6 <= static_cast<size_t>(mesh.triangle_count) * 3; i += 6)
            trees.quad.insert(trees.quad.end(), {mesh.index[i + 1], mesh.index[i + 2], mesh.index[i + 5], mesh.index[i]});
    }
}

void *make(const vp_tree_meshes *meshes, RTCBuildQuality quality, bool quads, bool compact, bool dynamic, bool robust)
{
    try {
        auto trees = std::make_unique<Trees>(meshes, quality, quads, compact, dynamic, robust);
        trees->scene.reserve(meshes->count);
        if (quads)
            turn_quads(*trees);
        trees->device = rtcNewDevice("threads=1,set_affinity=0");
        if (trees->device == nullptr)
            return nullptr;
        rtcSetDeviceMemoryMonitorFunction(trees->device, count_bytes, trees.get());
        return trees.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

/* The corners of a mesh's quads. */
const uint32_t *quads_of(const Trees &trees, const vp_tree_mesh &mesh)
{
    return trees.quads ? trees.quad.data() + static_cast<size_t>(mesh.index - trees.meshes->index) / 6 * 4 : nullptr;
}

/* Gives a geometry another mesh, or its first. */
void bind(const Trees &trees, const vp_tree_mesh &mesh, RTCGeometry geometry)
{
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh.vertex, 0, 12,
                               mesh.vertex_count);
    if (trees.quads)
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4, quads_of(trees, mesh), 0, 16,
                                   mesh.triangle_count / 2);
    else
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.index, 0, 12,
                                   mesh.triangle_count);
    rtcCommitGeometry(geometry);
}

/* A new geometry over one mesh, which is the scene's. */
RTCGeometry attach(const Trees &trees, const vp_tree_mesh &mesh, RTCScene scene)
{
    RTCGeometry geometry =
        rtcNewGeometry(trees.device, trees.quads ? RTC_GEOMETRY_TYPE_QUAD : RTC_GEOMETRY_TYPE_TRIANGLE);
    if (geometry == nullptr)
        return nullptr;
    rtcSetGeometryBuildQuality(geometry, trees.quality);
    bind(trees, mesh, geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    return geometry;
}

/* A new scene over one mesh, committed. The quality is the geometry's as well: a scene of low quality alone builds its geometries
   like one of medium quality. Without memory nullptr, or a scene that lacks something.
   geometry  if not nullptr, receives the scene's */
RTCScene build_scene(const Trees &trees, const vp_tree_mesh &mesh, RTCGeometry *geometry)
{
    RTCScene scene = rtcNewScene(trees.device);
    if (scene == nullptr)
        return nullptr;
    rtcSetSceneBuildQuality(scene, trees.quality);
    if (trees.compact)
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_COMPACT);
    if (trees.dynamic)
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
    if (trees.robust)
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry attached = attach(trees, mesh, scene);
    if (geometry != nullptr)
        *geometry = attached;
    if (attached != nullptr)
        rtcCommitScene(scene);
    return scene;
}

bool build(void *argument)
{
    Trees &trees = *static_cast<Trees *>(argument);
    const FlushedDenormals flushed;
    trees.clear();
    for (uint32_t m = 0; m < trees.meshes->count; m++) {
        RTCScene scene = build_scene(trees, trees.meshes->mesh[m], nullptr);
        if (scene == nullptr)
            return false;
        trees.scene.push_back(scene); /* there is room */
    }
    return rtcGetDeviceError(trees.device) == RTC_ERROR_NONE;
}

void clear(void *trees)
{
    static_cast<Trees *>(trees)->clear();
}

uint64_t bytes_of(const void *trees)
{
    return static_cast<uint64_t>(static_cast<const Trees *>(trees)->bytes.load());
}

/* Embree tells no more of a scene than its box. */
uint32_t wrong(const void *argument)
{
    const Trees &trees = *static_cast<const Trees *>(argument);
    uint32_t differ = static_cast<uint32_t>(trees.meshes->count - trees.scene.size());
    for (size_t m = 0; m < trees.scene.size(); m++) {
        const vp_aabb &box = trees.meshes->mesh[m].box;
        RTCBounds bounds;
        rtcGetSceneBounds(trees.scene[m], &bounds);
        const float most = std::max({std::fabs(bounds.lower_x - box.min.x), std::fabs(bounds.lower_y - box.min.y),
                                     std::fabs(bounds.lower_z - box.min.z), std::fabs(bounds.upper_x - box.max.x),
                                     std::fabs(bounds.upper_y - box.max.y), std::fabs(bounds.upper_z - box.max.z)});
        differ += !(most <= 0x1p-10f);
    }
    return differ;
}

void drop(void *trees)
{
    delete static_cast<Trees *>(trees);
}

/* ---- questions ---- */

struct Question {
    const Trees &trees;
    const vp_tree_asked &asked;
    RTCIntersectContext context;

    Question(const Trees &of, const vp_tree_asked &what) : trees(of), asked(what)
    {
        rtcInitIntersectContext(&context);
        context.flags = what.coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    }
    virtual ~Question() = default;
    virtual void run() = 0;
    virtual void take() = 0;
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

vp_tree_hit hit_of(const Trees &trees, uint32_t geometry, uint32_t primitive, float t, float u, float v)
{
    if (geometry == RTC_INVALID_GEOMETRY_ID)
        return {t, VP_NO_HIT};
    return {t, static_cast<int32_t>(trees.quads ? primitive * 2 + (u + v > 1.0f) : primitive)};
}

struct Single final : Question {
    std::vector<RTCRayHit> ray;
    std::vector<float> t_max;

    Single(const Trees &of, const vp_tree_asked &what) : Question(of, what), ray(what.rays->count), t_max(what.rays->count)
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
    void take() override
    {
        for (size_t i = 0; i < ray.size(); i++) {
            RTCHit &hit = ray[i].hit;
            asked.hit[i] = hit_of(trees, hit.geomID, hit.primID, ray[i].ray.tfar, hit.u, hit.v);
            hit.geomID = hit.primID = NONSENSE;
        }
    }
};

/* Only tfar is overwritten: minus infinity after a hit. */
struct Any final : Question {
    std::vector<RTCRay> ray;
    std::vector<float> t_max;

    Any(const Trees &of, const vp_tree_asked &what) : Question(of, what), ray(what.rays->count), t_max(what.rays->count)
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
    void take() override
    {
        for (size_t i = 0; i < ray.size(); i++) {
            const bool hit = ray[i].tfar < 0.0f, known = hit || ray[i].tfar == t_max[i];
            asked.hit[i] = {0.0f, hit ? 0 : known ? VP_NO_HIT : VP_RAY_INVALID};
            ray[i].tfar = NAN;
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

/* Rays in the set's order, as long as they are for the same mesh; lanes that are left over are not valid. */
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

    Packets(const Trees &of, const vp_tree_asked &what) : Question(of, what)
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
    void take() override
    {
        for (Packet &p : packet)
            for (uint32_t k = 0; k < p.count; k++) {
                auto &hit = p.rays.hit;
                asked.hit[p.first + k] =
                    hit_of(trees, hit.geomID[k], hit.primID[k], p.rays.ray.tfar[k], hit.u[k], hit.v[k]);
                hit.geomID[k] = hit.primID[k] = NONSENSE;
            }
    }
};

void *ask(void *argument, const vp_tree_asked *asked)
{
    const Trees &trees = *static_cast<const Trees *>(argument);
    try {
        Question *question = nullptr;
        switch (asked->question) {
        case VP_TREE_RAY: question = new Single(trees, *asked); break;
        case VP_TREE_RAY_ANY: question = new Any(trees, *asked); break;
        case VP_TREE_RAY8: question = new Packets<Eight>(trees, *asked); break;
        case VP_TREE_RAY16: question = new Packets<Sixteen>(trees, *asked); break;
        default: break; /* not among its questions */
        }
        return question;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void run(void *question)
{
    const FlushedDenormals flushed;
    static_cast<Question *>(question)->run();
}

void take(void *question)
{
    static_cast<Question *>(question)->take();
}

void forget(void *question)
{
    delete static_cast<Question *>(question);
}

/* ---- edits ---- */

/* The scene that is kept, over another mesh. */
RTCScene rebuild(Trees &trees, const vp_tree_mesh &mesh)
{
    if (trees.kept == nullptr) {
        trees.kept = build_scene(trees, mesh, &trees.kept_geometry);
    } else if (trees.kept_geometry != nullptr) {
        bind(trees, mesh, trees.kept_geometry);
        rtcCommitScene(trees.kept);
    }
    return trees.kept;
}

bool once(void *argument, uint32_t mesh, const vp_ray *ray, vp_tree_hit *hit)
{
    Trees &trees = *static_cast<Trees *>(argument);
    const FlushedDenormals flushed;
    RTCScene scene = trees.dynamic ? rebuild(trees, trees.meshes->mesh[mesh]) : build_scene(trees, trees.meshes->mesh[mesh], nullptr);
    if (scene == nullptr)
        return false;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit r;
    r.ray = ray_of(*ray);
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, &r);
    if (!trees.dynamic)
        rtcReleaseScene(scene);
    *hit = hit_of(trees, r.hit.geomID, r.hit.primID, r.ray.tfar, r.hit.u, r.hit.v);
    return rtcGetDeviceError(trees.device) == RTC_ERROR_NONE;
}

template <RTCBuildQuality QUALITY, bool AS_QUADS, bool AS_COMPACT, bool AS_DYNAMIC, bool AS_ROBUST = false>
void *make_for(const vp_tree_meshes *meshes)
{
    return make(meshes, QUALITY, AS_QUADS, AS_COMPACT, AS_DYNAMIC, AS_ROBUST);
}

const uint32_t QUESTIONS = 1u << VP_TREE_RAY | 1u << VP_TREE_RAY_ANY | 1u << VP_TREE_RAY8 | 1u << VP_TREE_RAY16;

} // namespace

#define NOTE(quality, triangles)                                                                                      \
    "Embree " RTC_VERSION_STRING ", quality " quality ", " triangles ", not robust, 1 thread, rays prepared in its form. For "  \
    "it: hits stay in that form; against it: Debian builds it with assertions"
#define EMBREE(name, quality_name, quality, quads, compact, dynamic, triangles, questions)                                           \
    {                                                                                                                 \
        name, NOTE(quality_name, triangles), questions, make_for<quality, quads, compact, dynamic>, build, clear, bytes_of, wrong, \
            drop, ask, run, take, forget, once                                                                        \
    }

#define LOW    "LOW", RTC_BUILD_QUALITY_LOW
#define MEDIUM "MEDIUM", RTC_BUILD_QUALITY_MEDIUM
#define HIGH   "HIGH", RTC_BUILD_QUALITY_HIGH
#define PLAIN(name, quality, quads, triangles) EMBREE(name, quality, quads, false, false, triangles ", a scene each mesh", QUESTIONS)
#define COMPACT(name, quality) EMBREE(name, quality, true, true, false, "quads, compact, a scene each mesh", 1u << VP_TREE_RAY)
#define KEPT(name, quality) EMBREE(name, quality, true, false, true, "quads, one dynamic scene whose mesh changes", 0)

const vp_tree_peer vp_peer_embree_low = PLAIN("embree-low", LOW, false, "triangles");
const vp_tree_peer vp_peer_embree_medium = PLAIN("embree-medium", MEDIUM, false, "triangles");
const vp_tree_peer vp_peer_embree_high = PLAIN("embree-high", HIGH, false, "triangles");
const vp_tree_peer vp_peer_embree_low_quads = PLAIN("embree-low-quads", LOW, true, "quads");
const vp_tree_peer vp_peer_embree_medium_quads = PLAIN("embree-medium-quads", MEDIUM, true, "quads");
const vp_tree_peer vp_peer_embree_medium_quads_compact = COMPACT("embree-medium-quads-compact", MEDIUM);
const vp_tree_peer vp_peer_embree_low_quads_dynamic = KEPT("embree-low-quads-dynamic", LOW);
const vp_tree_peer vp_peer_embree_medium_quads_dynamic = KEPT("embree-medium-quads-dynamic", MEDIUM);
/* For questions that are to be answered right, and not fast. */
const vp_tree_peer vp_peer_embree_robust = {
    "embree-robust", "Embree " RTC_VERSION_STRING ", quality MEDIUM, triangles, robust, 1 thread", 1u << VP_TREE_RAY,
    make_for<RTC_BUILD_QUALITY_MEDIUM, false, false, false, true>, build, clear, bytes_of, wrong, drop, ask, run, take, forget, once};
