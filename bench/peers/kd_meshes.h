/* SPDX-License-Identifier: MIT */
/* Shared code of the libraries with a tree over triangles: meshes in a common form, one tree per mesh, and the questions. */
#ifndef VP_BENCH_KD_MESHES_H
#define VP_BENCH_KD_MESHES_H

#include <algorithm>
#include <cstring>

#include "bench/peers/library.h"
#include "datasets/mesh_sets.h"

namespace
{

/* Plain triangles made from quads. Triangles 2i and 2i + 1 are the corners (0, 1, 2) and (0, 2, 3) of quad i. */
struct Mesh {
    const float *vertex;   /* three per vertex; 16 bytes after the last vertex are readable, and may belong to the next mesh */
    const uint32_t *index; /* three per triangle */
    uint32_t vertex_count, triangle_count;
    vp_aabb box;
};

class Meshes
{
    std::vector<float> vertex;
    std::vector<uint32_t> index;

  public:
    std::vector<Mesh> mesh;
    uint64_t vertices = 0, triangles = 0;

    explicit Meshes(const vp_mesh_set &set)
    {
        for (uint32_t m = 0; m < set.count; m++) {
            vertices += set.mesh[m].vertex_count;
            triangles += set.mesh[m].triangle_count;
        }
        vertex.reserve((vertices + 2) * 3);
        index.reserve(triangles * 3 + 1);
        for (uint32_t m = 0; m < set.count; m++)
            add(set.mesh[m], set.box[m]);
        vertex.resize((vertices + 2) * 3);
    }
    const uint32_t *first_index() const
    {
        return index.data();
    }

  private:
    void add(const vp_triangles &from, const vp_aabb &box)
    {
        mesh.push_back({vertex.data() + vertex.size(), index.data() + index.size(), from.vertex_count, from.triangle_count, box});
        for (uint32_t i = 0; i < from.vertex_count; i++)
            vertex.insert(vertex.end(), {from.vertex[i].x, from.vertex[i].y, from.vertex[i].z});
        for (uint32_t i = 0; i < from.triangle_count; i++) {
            uint32_t corner[3];
            vp_triangle_corners(&from, i, corner);
            index.insert(index.end(), corner, corner + 3);
        }
    }
};

/* Rays or boxes of a set, and the arrays for their answers. */
struct Asked {
    enum { CAPACITY = 512 /* triangles per box, like in the kernel's own benchmark */ };
    const vp_ray_set *rays = nullptr;
    const vp_mesh_box_set *boxes = nullptr;
    bool coherent = false; /* consecutive rays are similar */
    std::vector<vp_peer_hit> hit;
    std::vector<uint32_t> list, found;
    uint32_t capacity = CAPACITY;

    explicit Asked(const vp_data &data)
    {
        if (data.kind == &vp_kind_rays) {
            rays = static_cast<const vp_ray_set *>(data.set);
            const char *const set = std::strchr(data.name, '/');
            coherent = set != nullptr && std::strcmp(set, "/coherent") == 0;
            hit.resize(rays->count);
        } else {
            boxes = static_cast<const vp_mesh_box_set *>(data.set);
            const uint64_t all = static_cast<const vp_mesh_set *>(data.owner->set)->triangle_count;
            if (boxes->count == 1)
                capacity = static_cast<uint32_t>(all);
            list.resize(size_t{capacity} * boxes->count + 1);
            found.resize(boxes->count);
        }
    }
    /* Fills the answers with values that no library returns. */
    void spoil()
    {
        const uint32_t nonsense = 0xa5a5a5a5u;
        std::fill(hit.begin(), hit.end(), vp_peer_hit{-1e-16f, static_cast<int32_t>(nonsense)});
        std::fill(list.begin(), list.end(), nonsense);
        std::fill(found.begin(), found.end(), nonsense);
    }
    void tell(vp_peer_answers &out) const
    {
        out.hit = hit.data();
        out.list = list.data();
        out.found = found.data();
        out.capacity = capacity;
    }
};

/* Returns whether runs make the trees. */
constexpr bool makes_trees(vp_row_id row)
{
    return row == VP_KERNEL_kd_build || row == VP_KERNEL_terrain_ray || row == VP_OPERATION_edit_to_ray;
}

} // namespace

#endif
