/* SPDX-License-Identifier: MIT */
/* Bullet's tree over a triangle mesh (btOptimizedBvh under btBvhTriangleMeshShape), with and without quantised boxes, used
 * as its collision detection uses it. A ray is a segment, so it must be of finite length; its walk visits nodes in the
 * order of memory and does not end at the nearest hit. Boxes are asked of the tree itself, for ids: fetching the vertices of
 * each triangle on the way, as processAllTriangles does, takes about twice as long.
 *
 * The tree of quantised boxes finds some triangles too many. So that the answer is exact, each triangle's own box is tested
 * in the callback; these boxes are made beforehand, which is faster than to make them from the vertices. */
#include "bench/peers/tree_peer.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

namespace {

/* Bullet does not look whether there was memory; this ends what it does. */
void *allocate(size_t bytes, int alignment)
{
    const size_t unit = std::max(static_cast<size_t>(alignment), alignof(std::max_align_t));
    void *block = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (block == nullptr)
        throw std::bad_alloc();
    return block;
}

btVector3 vector_of(const vp_vec3 &v)
{
    return {v.x, v.y, v.z};
}

/* ---- trees ---- */

struct Tree final : btOptimizedBvh {
    size_t bytes() const
    {
        return sizeof *this +
               static_cast<size_t>(m_leafNodes.capacity() + m_contiguousNodes.capacity()) * sizeof(btOptimizedBvhNode) +
               static_cast<size_t>(m_quantizedLeafNodes.capacity() + m_quantizedContiguousNodes.capacity()) *
                   sizeof(btQuantizedBvhNode) +
               static_cast<size_t>(m_SubtreeHeaders.capacity()) * sizeof(btBvhSubtreeInfo);
    }
    uint32_t leaves() const
    {
        uint32_t count = 0;
        for (int i = 0; i < m_curNodeIndex; i++) /* of an inner node, a number of nodes is there */
            count += m_useQuantization ? m_quantizedContiguousNodes[i].isLeafNode() : m_contiguousNodes[i].m_escapeIndex == -1;
        return count;
    }
};

/* In the order in which they need each other. */
struct Mesh {
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<Tree> tree;
    std::unique_ptr<btBvhTriangleMeshShape> shape;
};

struct Trees {
    const vp_tree_meshes *meshes;
    bool quantized;
    std::vector<Mesh> mesh;
};

template <bool QUANTIZED> void *make(const vp_tree_meshes *meshes)
{
    try {
        btAlignedAllocSetCustomAligned(allocate, std::free);
        auto trees = std::make_unique<Trees>(Trees{meshes, QUANTIZED, {}});
        trees->mesh.reserve(meshes->count);
        return trees.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

/* What btBvhTriangleMeshShape::buildOptimizedBvh does; but the mesh's box is given, or the shape would ask for the mesh's
   extreme vertices six times. Bullet does not write to the arrays. */
Mesh build_mesh(const vp_tree_mesh &of, bool quantized)
{
    const btVector3 low = vector_of(of.box.min), high = vector_of(of.box.max);
    Mesh mesh;
    mesh.triangles = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(of.triangle_count), reinterpret_cast<int *>(const_cast<uint32_t *>(of.index)), 12,
        static_cast<int>(of.vertex_count), const_cast<float *>(of.vertex), 12);
    mesh.triangles->setPremadeAabb(low, high);
    mesh.tree = std::make_unique<Tree>();
    mesh.tree->build(mesh.triangles.get(), quantized, low, high);
    mesh.shape = std::make_unique<btBvhTriangleMeshShape>(mesh.triangles.get(), quantized, false);
    mesh.shape->setOptimizedBvh(mesh.tree.get());
    return mesh;
}

bool build(void *argument)
{
    Trees &trees = *static_cast<Trees *>(argument);
    try {
        trees.mesh.clear();
        for (uint32_t m = 0; m < trees.meshes->count; m++)
            trees.mesh.push_back(build_mesh(trees.meshes->mesh[m], trees.quantized));
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}

void clear(void *trees)
{
    static_cast<Trees *>(trees)->mesh.clear();
}

uint64_t bytes_of(const void *trees)
{
    uint64_t bytes = 0;
    for (const Mesh &mesh : static_cast<const Trees *>(trees)->mesh)
        bytes += mesh.tree->bytes();
    return bytes;
}

uint32_t wrong(const void *argument)
{
    const Trees &trees = *static_cast<const Trees *>(argument);
    uint32_t differ = static_cast<uint32_t>(trees.meshes->count - trees.mesh.size());
    for (size_t m = 0; m < trees.mesh.size(); m++)
        differ += trees.mesh[m].tree->leaves() != trees.meshes->mesh[m].triangle_count;
    return differ;
}

void drop(void *trees)
{
    delete static_cast<Trees *>(trees);
}

/* ---- questions ---- */

/* The nearest hit, or any: at distance 0, nothing else is nearer. */
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
    List(uint32_t *list, uint32_t most) : triangle(list), capacity(most)
    {
    }
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
    const vp_aabb *own; /* of each triangle */
    Exact(uint32_t *list, uint32_t most, const vp_aabb &asked, const vp_aabb *of) : List(list, most), box(asked), own(of)
    {
    }
    void processNode(int, int index) override
    {
        const vp_aabb &t = own[index];
        if ((t.min.x <= box.max.x) & (t.max.x >= box.min.x) & (t.min.y <= box.max.y) & (t.max.y >= box.min.y) &
            (t.min.z <= box.max.z) & (t.max.z >= box.min.z))
            add(index);
    }
};

struct Segment {
    btVector3 from, to;
    float t_max;
};

struct Question {
    const Trees &trees;
    const vp_tree_asked &asked;
    std::vector<Segment> segment;
    std::vector<vp_aabb> own;    /* of all triangles */
    std::vector<size_t> own_of;  /* of each mesh, its first */
};

void make_segments(Question &q)
{
    q.segment.reserve(q.asked.rays->count);
    for (uint32_t i = 0; i < q.asked.rays->count; i++) {
        const vp_ray &ray = q.asked.rays->ray[i];
        const btVector3 from = vector_of(ray.origin);
        q.segment.push_back({from, from + vector_of(ray.direction) * ray.t_max, ray.t_max});
    }
}

vp_aabb box_of(const vp_tree_mesh &mesh, const uint32_t *corner)
{
    const float *a = mesh.vertex + size_t{3} * corner[0], *b = mesh.vertex + size_t{3} * corner[1],
                *c = mesh.vertex + size_t{3} * corner[2];
    return {{std::min({a[0], b[0], c[0]}), std::min({a[1], b[1], c[1]}), std::min({a[2], b[2], c[2]})},
            {std::max({a[0], b[0], c[0]}), std::max({a[1], b[1], c[1]}), std::max({a[2], b[2], c[2]})}};
}

void make_own_boxes(Question &q)
{
    for (uint32_t m = 0; m < q.trees.meshes->count; m++) {
        const vp_tree_mesh &mesh = q.trees.meshes->mesh[m];
        q.own_of.push_back(q.own.size());
        for (size_t t = 0; t < mesh.triangle_count; t++)
            q.own.push_back(box_of(mesh, mesh.index + 3 * t));
    }
}

void *ask(void *argument, const vp_tree_asked *asked)
{
    try {
        auto q = std::make_unique<Question>(Question{*static_cast<const Trees *>(argument), *asked, {}, {}, {}});
        if (asked->rays != nullptr)
            make_segments(*q);
        if (asked->question == VP_TREE_BOX)
            make_own_boxes(*q);
        return q.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

template <bool ANY> void run_rays(Question &q)
{
    for (size_t i = 0; i < q.segment.size(); i++) {
        const Segment &s = q.segment[i];
        Nearest<ANY> nearest(s.from, s.to);
        q.trees.mesh[q.asked.rays->mesh[i]].shape->performRaycast(&nearest, s.from, s.to);
        q.asked.hit[i] = {nearest.m_hitFraction * s.t_max, nearest.triangle};
    }
}

void gather(Question &q, uint32_t i, List &list)
{
    const vp_aabb &box = q.asked.boxes->box[i];
    q.trees.mesh[q.asked.boxes->mesh[i]].tree->reportAabbOverlappingNodex(&list, vector_of(box.min), vector_of(box.max));
    q.asked.found[i] = list.found;
}

void run(void *question)
{
    Question &q = *static_cast<Question *>(question);
    const vp_tree_asked &asked = q.asked;
    const uint32_t boxes = asked.boxes != nullptr ? asked.boxes->count : 0;
    switch (asked.question) {
    case VP_TREE_RAY: run_rays<false>(q); break;
    case VP_TREE_RAY_ANY: run_rays<true>(q); break;
    case VP_TREE_BOX:
        for (uint32_t i = 0; i < boxes; i++) {
            Exact list(asked.list + size_t{asked.capacity} * i, asked.capacity, asked.boxes->box[i],
                       q.own.data() + q.own_of[asked.boxes->mesh[i]]);
            gather(q, i, list);
        }
        break;
    case VP_TREE_BOX_LEAVES:
        for (uint32_t i = 0; i < boxes; i++) {
            Leaves list(asked.list + size_t{asked.capacity} * i, asked.capacity);
            gather(q, i, list);
        }
        break;
    default: break; /* not among its questions */
    }
}

/* A run writes to where the answers go. */
void take(void *question)
{
    (void)question;
}

void forget(void *question)
{
    delete static_cast<Question *>(question);
}

/* ---- edits ---- */

bool once(void *argument, uint32_t mesh, const vp_ray *ray, vp_tree_hit *hit)
{
    const Trees &trees = *static_cast<const Trees *>(argument);
    try {
        const Mesh made = build_mesh(trees.meshes->mesh[mesh], trees.quantized);
        const btVector3 from = vector_of(ray->origin), to = from + vector_of(ray->direction) * ray->t_max;
        Nearest<false> nearest(from, to);
        made.shape->performRaycast(&nearest, from, to);
        *hit = {nearest.m_hitFraction * ray->t_max, nearest.triangle};
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}

const uint32_t QUESTIONS = 1u << VP_TREE_RAY | 1u << VP_TREE_RAY_ANY | 1u << VP_TREE_BOX | 1u << VP_TREE_BOX_LEAVES;

} // namespace

#define TEXT(number)   #number
#define NUMBER(number) TEXT(number)
#define NOTE(tree)                                                                                                    \
    "Bullet " NUMBER(BT_BULLET_VERSION) ", " tree ", 1 thread, rays prepared as segments. For it: the mesh's box is given to "  \
    "builds, and each triangle's, 24 bytes that are not counted, to boxes; no barycentrics; against it: a scalar walk"
#define BULLET(name, tree, quantized)                                                                                 \
    {                                                                                                                 \
        name, NOTE(tree), QUESTIONS, make<quantized>, build, clear, bytes_of, wrong, drop, ask, run, take, forget, once \
    }

const vp_tree_peer vp_peer_bullet = BULLET("bullet", "btOptimizedBvh", false);
const vp_tree_peer vp_peer_bullet_quantized = BULLET("bullet-quantized", "btOptimizedBvh of quantized boxes", true);
