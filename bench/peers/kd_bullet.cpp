/* SPDX-License-Identifier: MIT */
/* Bullet's tree over a triangle mesh (btOptimizedBvh under btBvhTriangleMeshShape), with and without quantised boxes, used like Bullet's
 * collision detection uses it. A ray is a segment, so it must be finite. The traversal visits nodes in memory order and does not stop at
 * the nearest hit. Box queries call the tree directly and return triangle ids. Also fetching each triangle's vertices, like
 * processAllTriangles, takes about twice as long.
 *
 * The quantised tree returns some extra triangles. The callback tests each triangle's own box to make the answer exact. These boxes are
 * computed in advance, which is faster than computing them from the vertices. */
#include "bench/peers/bullet_shapes.h"
#include "bench/peers/kd_meshes.h"

#include <cstddef>
#include <cstdlib>

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

namespace
{

/* Bullet does not check for failed allocations. This allocator throws instead. */
void *allocate(size_t bytes, int alignment)
{
    const size_t unit = std::max(static_cast<size_t>(alignment), alignof(std::max_align_t));
    void *block = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (block == nullptr)
        throw std::bad_alloc();
    return block;
}

/* ---- trees ---- */

struct Tree final : btOptimizedBvh {
    size_t bytes() const
    {
        return sizeof *this + static_cast<size_t>(m_leafNodes.capacity() + m_contiguousNodes.capacity()) * sizeof(btOptimizedBvhNode) +
               static_cast<size_t>(m_quantizedLeafNodes.capacity() + m_quantizedContiguousNodes.capacity()) * sizeof(btQuantizedBvhNode) +
               static_cast<size_t>(m_SubtreeHeaders.capacity()) * sizeof(btBvhSubtreeInfo);
    }
    uint32_t leaves() const
    {
        uint32_t count = 0;
        for (int i = 0; i < m_curNodeIndex; i++) /* inner nodes store the number of nodes to skip here */
            count += m_useQuantization ? m_quantizedContiguousNodes[i].isLeafNode() : m_contiguousNodes[i].m_escapeIndex == -1;
        return count;
    }
};

/* Members are ordered so that each only needs those before it. */
struct Made {
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<Tree> tree;
    std::unique_ptr<btBvhTriangleMeshShape> shape;
};

/* Does the work of btBvhTriangleMeshShape::buildOptimizedBvh. The mesh's box is given, because otherwise the shape would search for the
 * mesh's extreme vertices six times. Bullet does not write to the arrays. */
Made build_mesh(const Mesh &of, bool quantized)
{
    const btVector3 low = vector_of(of.box.min), high = vector_of(of.box.max);
    Made mesh;
    mesh.triangles = std::make_unique<btTriangleIndexVertexArray>(static_cast<int>(of.triangle_count),
                                                                  reinterpret_cast<int *>(const_cast<uint32_t *>(of.index)), 12,
                                                                  static_cast<int>(of.vertex_count), const_cast<float *>(of.vertex), 12);
    mesh.triangles->setPremadeAabb(low, high);
    mesh.tree = std::make_unique<Tree>();
    mesh.tree->build(mesh.triangles.get(), quantized, low, high);
    mesh.shape = std::make_unique<btBvhTriangleMeshShape>(mesh.triangles.get(), quantized, false);
    mesh.shape->setOptimizedBvh(mesh.tree.get());
    return mesh;
}

/* Finds the nearest hit, or any hit. A hit at distance 0 ends the search for others. */
template <bool ANY> struct Nearest final : btTriangleRaycastCallback {
    int triangle = VP_NO_HIT;
    using btTriangleRaycastCallback::btTriangleRaycastCallback;
    btScalar reportHit(const btVector3 &, btScalar fraction, int, int index) override
    {
        triangle = index;
        return ANY ? btScalar(0) : fraction;
    }
};

struct List : btNodeOverlapCallback {
    uint32_t *triangle;
    uint32_t capacity, found = 0;
    List(uint32_t *list, uint32_t most) : triangle(list), capacity(most) {}
    void add(int index)
    {
        if (found < capacity)
            triangle[found] = static_cast<uint32_t>(index);
        found++;
    }
};

struct Leaves final : List {
    using List::List;
    void processNode(int, int index) override
    {
        add(index);
    }
};

struct Exact final : List {
    const vp_aabb &box;
    const vp_aabb *own; /* boxes of the triangles */
    Exact(uint32_t *list, uint32_t most, const vp_aabb &asked, const vp_aabb *of) : List(list, most), box(asked), own(of) {}
    void processNode(int, int index) override
    {
        const vp_aabb &t = own[index];
        if ((t.min.x <= box.max.x) & (t.max.x >= box.min.x) & (t.min.y <= box.max.y) & (t.max.y >= box.min.y) & (t.min.z <= box.max.z) &
            (t.max.z >= box.min.z))
            add(index);
    }
};

struct Segment {
    btVector3 from, to;
    float t_max;
};

/* ---- the peers ---- */

struct BulletRays {
    Meshes meshes;
    Asked asked;
    std::vector<Made> made;
    std::vector<Segment> segment;
    std::vector<vp_aabb> own;   /* boxes of all triangles */
    std::vector<size_t> own_of; /* index of each mesh's first box */

    explicit BulletRays(const vp_data &data) : meshes(*static_cast<const vp_mesh_set *>(data.owner->set)), asked(data)
    {
        made.reserve(meshes.mesh.size());
    }
};

void build(BulletRays &work, bool quantized)
{
    work.made.clear();
    for (const Mesh &mesh : work.meshes.mesh)
        work.made.push_back(build_mesh(mesh, quantized));
}

void make_segments(BulletRays &work)
{
    work.segment.reserve(work.asked.rays->count);
    for (uint32_t i = 0; i < work.asked.rays->count; i++) {
        const vp_ray &ray = work.asked.rays->ray[i];
        const btVector3 from = vector_of(ray.origin);
        work.segment.push_back({from, from + vector_of(ray.direction) * ray.t_max, ray.t_max});
    }
}

vp_aabb box_of(const Mesh &mesh, const uint32_t *corner)
{
    const float *a = mesh.vertex + size_t{3} * corner[0], *b = mesh.vertex + size_t{3} * corner[1],
                *c = mesh.vertex + size_t{3} * corner[2];
    return {{std::min({a[0], b[0], c[0]}), std::min({a[1], b[1], c[1]}), std::min({a[2], b[2], c[2]})},
            {std::max({a[0], b[0], c[0]}), std::max({a[1], b[1], c[1]}), std::max({a[2], b[2], c[2]})}};
}

void make_own_boxes(BulletRays &work)
{
    for (const Mesh &mesh : work.meshes.mesh) {
        work.own_of.push_back(work.own.size());
        for (size_t t = 0; t < mesh.triangle_count; t++)
            work.own.push_back(box_of(mesh, mesh.index + 3 * t));
    }
}

template <bool QUANTIZED> void *make(const vp_peer *peer, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        btAlignedAllocSetCustomAligned(allocate, std::free);
        auto work = std::make_unique<BulletRays>(*data);
        if (work->asked.rays != nullptr)
            make_segments(*work);
        if (peer->row == VP_KERNEL_kd_gather)
            make_own_boxes(*work);
        if (!makes_trees(peer->row))
            build(*work, QUANTIZED);
        return work.release();
    });
}

template <vp_row_id ROW> bool rewind(void *argument)
{
    BulletRays &work = *static_cast<BulletRays *>(argument);
    if (makes_trees(ROW))
        work.made.clear();
    work.asked.spoil();
    return true;
}

template <bool ANY> void ask(const Made &mesh, const Segment &s, vp_peer_hit &hit)
{
    Nearest<ANY> nearest(s.from, s.to);
    mesh.shape->performRaycast(&nearest, s.from, s.to);
    hit = {nearest.m_hitFraction * s.t_max, nearest.triangle};
}

template <bool ANY> void ask_all(BulletRays &work)
{
    const uint32_t *mesh = work.asked.rays->mesh;
    for (size_t i = 0; i < work.segment.size(); i++)
        ask<ANY>(work.made[mesh[i]], work.segment[i], work.asked.hit[i]);
}

void gather(BulletRays &work, uint32_t i, List &list)
{
    const vp_mesh_box_set &boxes = *work.asked.boxes;
    work.made[boxes.mesh[i]].tree->reportAabbOverlappingNodex(&list, vector_of(boxes.box[i].min), vector_of(boxes.box[i].max));
    work.asked.found[i] = list.found;
}

template <bool EXACT> void gather_all(BulletRays &work)
{
    Asked &asked = work.asked;
    for (uint32_t i = 0; i < asked.boxes->count; i++) {
        uint32_t *to = asked.list.data() + size_t{asked.capacity} * i;
        if (EXACT) {
            Exact list(to, asked.capacity, asked.boxes->box[i], work.own.data() + work.own_of[asked.boxes->mesh[i]]);
            gather(work, i, list);
        } else {
            Leaves list(to, asked.capacity);
            gather(work, i, list);
        }
    }
}

template <bool QUANTIZED, vp_row_id ROW> bool run(void *argument, uint32_t step)
{
    BulletRays &work = *static_cast<BulletRays *>(argument);
    try {
        if (ROW == VP_OPERATION_edit_to_ray)
            ask<false>(build_mesh(work.meshes.mesh[step], QUANTIZED), work.segment[step], work.asked.hit[step]);
        else if (makes_trees(ROW))
            build(work, QUANTIZED);
    } catch (const std::bad_alloc &) {
        return false;
    }
    switch (ROW) {
    case VP_KERNEL_kd_ray:
    case VP_KERNEL_terrain_ray:
        ask_all<false>(work);
        break;
    case VP_KERNEL_kd_ray_any:
        ask_all<true>(work);
        break;
    case VP_KERNEL_kd_gather:
        gather_all<true>(work);
        break;
    case VP_KERNEL_kd_gather_leaves:
        gather_all<false>(work);
        break;
    default:
        break;
    }
    return true;
}

template <vp_row_id ROW> bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    BulletRays &work = *static_cast<BulletRays *>(argument);
    work.asked.tell(*out);
    if (ROW != VP_KERNEL_kd_build)
        return true;
    out->wrong = static_cast<uint32_t>(work.meshes.mesh.size() - work.made.size());
    for (size_t m = 0; m < work.made.size(); m++) {
        out->wrong += work.made[m].tree->leaves() != work.meshes.mesh[m].triangle_count;
        out->bytes += work.made[m].tree->bytes();
    }
    out->given = work.meshes.vertices * sizeof(vp_vec3) + work.meshes.triangles * 3 * sizeof(uint32_t);
    if (out->wrong == 0)
        ask_all<false>(work);
    return true;
}

} // namespace

#define NOTE(tree)                                                                                                                         \
    "Bullet " VP_DIGITS(BT_BULLET_VERSION) ", " tree ", 1 thread, rays prepared as segments. For it: the mesh's box is given to "          \
                                           "builds, and each triangle's, 24 bytes that are not counted, to boxes; no "                     \
                                           "barycentrics; against it: a scalar walk"
#define PEER(name, tree, quantized, row)                                                                                                   \
    {                                                                                                                                      \
        name, VP_DIGITS(BT_BULLET_VERSION), NOTE(tree), row, false, row == VP_KERNEL_kd_build || row == VP_KERNEL_terrain_ray,             \
            make<quantized>, rewind<row>, run<quantized, row>, answers<row>, drop<BulletRays>                                              \
    }
#define PEERS(name, tree, quantized)                                                                                                       \
    PEER(name, tree, quantized, VP_KERNEL_kd_build), PEER(name, tree, quantized, VP_KERNEL_kd_ray),                                        \
        PEER(name, tree, quantized, VP_KERNEL_kd_ray_any), PEER(name, tree, quantized, VP_KERNEL_kd_gather),                               \
        PEER(name, tree, quantized, VP_KERNEL_kd_gather_leaves), PEER(name "/cold", tree, quantized, VP_KERNEL_terrain_ray),               \
        PEER(name, tree, quantized, VP_OPERATION_edit_to_ray)

extern "C" const vp_peer vp_peers_kd_bullet[] = {PEERS("bullet", "btOptimizedBvh", false),
                                                 PEERS("bullet-quantized", "btOptimizedBvh of quantized boxes", true), VP_PEERS_END};
