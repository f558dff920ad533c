/* SPDX-License-Identifier: MIT */
/* read_mesh FILE prints the content of a mesh file as assimp reads it, for mesh.sh. A line for each piece has its
 * material and the number of its quads and of its triangles. Then follow six times its signed volume in 1/512 voxels,
 * and the sum of its corner coordinates in that unit. All are exact integers. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <assimp/cimport.h>
#include <assimp/scene.h>

typedef struct lattice_point {
    int64_t x, y, z;
} lattice_point;

static lattice_point corner(const struct aiMesh *mesh, unsigned face, unsigned i)
{
    const struct aiVector3D *v = &mesh->mVertices[mesh->mFaces[face].mIndices[i]];
    return (lattice_point){llround((double)v->x * 512), llround((double)v->y * 512), llround((double)v->z * 512)};
}

static int64_t volume(lattice_point a, lattice_point b, lattice_point c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

static void print_mesh(const struct aiScene *scene, const struct aiMesh *mesh)
{
    struct aiString material;
    uint64_t faces[5] = {0}, sum = 0;
    int64_t six_volumes = 0;
    if (aiGetMaterialString(scene->mMaterials[mesh->mMaterialIndex], AI_MATKEY_NAME, &material) != aiReturn_SUCCESS)
        material.data[0] = '\0';
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        unsigned corners = mesh->mFaces[f].mNumIndices;
        faces[corners < 5 ? corners : 0]++;
        for (unsigned i = 2; i < corners; i++) { /* triangle by triangle, split like the quads */
            lattice_point a = corner(mesh, f, 0), b = corner(mesh, f, i - 1), c = corner(mesh, f, i);
            six_volumes += volume(a, b, c);
            sum += (uint64_t)(a.x + 3 * a.y + 7 * a.z + 11 * b.x + 13 * b.y + 17 * b.z + 19 * c.x + 23 * c.y + 29 * c.z);
        }
    }
    printf("%s %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRIu64 "\n", material.data[0] != '\0' ? material.data : "-", faces[4], faces[3],
           six_volumes, sum);
}

int main(int argc, char **argv)
{
    const struct aiScene *scene = argc == 2 ? aiImportFile(argv[1], 0) : NULL;
    if (scene == NULL) {
        fprintf(stderr, "read_mesh: %s\n", argc == 2 ? aiGetErrorString() : "usage: read_mesh FILE");
        return 1;
    }
    for (unsigned m = 0; m < scene->mNumMeshes; m++)
        print_mesh(scene, scene->mMeshes[m]);
    aiReleaseImport(scene);
    return 0;
}
