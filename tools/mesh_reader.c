/* SPDX-License-Identifier: MIT */
/* `voxphys-mesh-reader FILE [WRITTEN]` reads a mesh with assimp and writes its triangles to standard output
 * (mesh_wire.h). `voxphys` runs it. It has no use on its own.
 * The mesh stays as in the file: corners are neither moved nor reordered, and those that no triangle uses are left out.
 * assimp duplicates the vertices of an OBJ for each face, so they are joined again if their positions have equal bits.
 * Materials are numbered in the order in which triangles use them, because assimp's numbers depend on the format. A
 * face of four corners becomes the triangles (0, 1, 2) and (0, 2, 3), as in `voxphys mesh`. Only if a file has faces of
 * five or more corners, assimp cuts all of its faces, with regard to concave ones. Nodes are walked depth first. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <voxphys/kernel/kd.h>

#include "src/core/error.h"
#include "tools/sources/materials.h"
#include "host/meshes/check.h"
#include "host/meshes/obj_parts.h"
#include "host/mesh_wire.h"

#if defined(__has_feature)
#define HAS_FEATURE(f) __has_feature(f)
#else
#define HAS_FEATURE(f) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer)
#define LIMIT_MEMORY false /* sanitizers reserve the whole address space */
#else
#define LIMIT_MEMORY true
#endif

/* ---- files and limits ---- */

enum {
    BASE_SECONDS = 5,
    BYTES_PER_SECOND = 200000, /* assimp reads some ten million */
    BASE_MIB = 1024,
    MEMORY_PER_BYTE = 400, /* the shortest triangle of an OBJ, "f 1 2 3", has eight bytes and takes some hundreds */
    MAX_DEPTH = 256        /* nesting of nodes */
};

/* Limits the process's time and memory for files of this size. */
static void set_limits(uint64_t bytes)
{
    rlim_t seconds = (rlim_t)(BASE_SECONDS + bytes / BYTES_PER_SECOND);
    rlim_t memory = (rlim_t)(((uint64_t)BASE_MIB << 20) + bytes * MEMORY_PER_BYTE);
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) == 0 && (limit.rlim_max == RLIM_INFINITY || seconds < limit.rlim_max)) {
        limit.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &limit);
    }
    if (LIMIT_MEMORY && getrlimit(RLIMIT_AS, &limit) == 0 && (limit.rlim_max == RLIM_INFINITY || memory < limit.rlim_max)) {
        limit.rlim_cur = memory;
        setrlimit(RLIMIT_AS, &limit);
    }
}

/* Whether the limit caused the failed allocation. Tries one without the limit. */
static bool limit_refused(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return false;
    const size_t most = (size_t)limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    void *volatile block = setrlimit(RLIMIT_AS, &limit) == 0 ? malloc(most) : NULL;
    const bool there = block != NULL;
    free(block);
    return there;
}

/* A file that a mesh names. Only regular files are opened, because a pipe could block the reader forever. */
typedef struct opened_file {
    struct aiFile face; /* first member, which assimp uses */
    FILE *file;
    size_t size;
} opened_file;

static size_t read_file(struct aiFile *file, char *to, size_t size, size_t count)
{
    return fread(to, size, count, ((opened_file *)(void *)file)->file);
}

static size_t write_file(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t tell_file(struct aiFile *file)
{
    long at = ftell(((opened_file *)(void *)file)->file);
    return at > 0 ? (size_t)at : 0;
}

static size_t size_of_file(struct aiFile *file)
{
    return ((opened_file *)(void *)file)->size;
}

static enum aiReturn seek_file(struct aiFile *file, size_t to, enum aiOrigin from)
{
    int whence = from == aiOrigin_SET ? SEEK_SET : from == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseek(((opened_file *)(void *)file)->file, (long)to, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static void flush_file(struct aiFile *file)
{
    (void)file;
}

/* State of the functions that open files. */
typedef struct files {
    struct aiFileIO face; /* first member, which assimp uses */
    const char *written;  /* file that is to be written once the mesh is read, or NULL */
    const char *path;     /* path of the mesh */
    bool is_obj;
    vp_bytes numbered;  /* OBJ: the mesh with numbered parts */
    bool named;         /* the mesh names `written` */
    bool others;        /* a file other than the mesh was opened */
    vp_wire_head *head; /* receives a warning about missing files that an OBJ names */
    uint64_t all;       /* size of all opened files, in bytes */
} files;

static bool same_file(const struct stat *a, const char *path)
{
    struct stat b;
    return path != NULL && stat(path, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode)
{
    files *known = (files *)(void *)io;
    struct stat about;
    int file = mode[0] == 'r' && strchr(mode, '+') == NULL ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file == -1 && known->is_obj && mode[0] == 'r' && known->head->message[0] == '\0')
        snprintf(known->head->message, sizeof known->head->message, "cannot open %s, which it names for its materials: %s",
                 vp_show_path(path).text, strerror(errno));
    if (file == -1)
        return NULL;
    opened_file *o = calloc(1, sizeof *o);
    if (o == NULL || fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || (o->file = fdopen(file, "rb")) == NULL) {
        close(file);
        free(o);
        return NULL;
    }
    o->size = (size_t)about.st_size;
    known->named = known->named || same_file(&about, known->written);
    known->others = known->others || !same_file(&about, known->path);
    if (known->is_obj && same_file(&about, known->path) && known->numbered.size != 0) {
        fclose(o->file);
        o->file = fmemopen(known->numbered.at, known->numbered.size, "rb");
        o->size = known->numbered.size;
    }
    if (o->file == NULL) {
        free(o);
        return NULL;
    }
    known->all += o->size;
    set_limits(known->all);
    o->face = (struct aiFile){read_file, write_file, tell_file, size_of_file, seek_file, flush_file, NULL};
    return &o->face;
}

static void close_file(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    fclose(((opened_file *)(void *)file)->file);
    free(file);
}

/* ---- scenes ---- */

typedef struct scene_reader {
    const struct aiScene *scene;
    bool five; /* some face has at least five corners */
    vp_wire_head *head;
    vp_error *error;
    uint32_t *number;   /* new number of each vertex of the current mesh, see number_vertices */
    uint32_t room;      /* capacity of `number` */
    uint32_t *material; /* new number of each material of the scene. UINT32_MAX = unused */
    uint32_t *used;     /* old number of each new one */
    uint32_t materials;
    vp_vec3 *place;   /* each written vertex */
    uint32_t *joined; /* OBJ: the written vertex for each vertex of assimp */
    vp_bytes names;   /* OBJ: of the numbered parts */
    /* first vertex and triangle of the next mesh */
    uint64_t vertices, triangles;
    uint32_t node;  /* current node, numbered in the order of the walk */
    uint32_t named; /* last node whose name was counted or written */
} scene_reader;

/* A mesh of the scene with its transform. */
typedef struct placed_mesh {
    const struct aiMesh *mesh;
    const char *name; /* of its node */
    struct aiMatrix4x4 to_world;
    bool moved;    /* to_world is not the identity */
    bool mirrored; /* the transform mirrors, so corners are reversed */
} placed_mesh;

typedef vp_status visit_fn(scene_reader *r, const placed_mesh *p);

static struct aiMatrix4x4 times(const struct aiMatrix4x4 *a, const struct aiMatrix4x4 *b)
{
    struct aiMatrix4x4 r = *a;
    aiMultiplyMatrix4(&r, b);
    return r;
}

static bool is_identity(const struct aiMatrix4x4 *m)
{
    return m->a1 == 1 && m->a2 == 0 && m->a3 == 0 && m->a4 == 0 && m->b1 == 0 && m->b2 == 1 && m->b3 == 0 && m->b4 == 0 && m->c1 == 0 &&
           m->c2 == 0 && m->c3 == 1 && m->c4 == 0;
}

static bool mirrors(const struct aiMatrix4x4 *m)
{
    double a = m->a1, b = m->b1, c = m->c1;
    return a * ((double)m->b2 * m->c3 - (double)m->b3 * m->c2) - b * ((double)m->a2 * m->c3 - (double)m->a3 * m->c2) +
               c * ((double)m->a2 * m->b3 - (double)m->a3 * m->b2) <
           0;
}

static vp_vec3 vertex_of(const placed_mesh *p, uint32_t i)
{
    const struct aiVector3D *v = &p->mesh->mVertices[i];
    const struct aiMatrix4x4 *m = &p->to_world;
    if (!p->moved)
        return (vp_vec3){v->x, v->y, v->z};
    const double x = v->x, y = v->y, z = v->z;
    return (vp_vec3){(float)(m->a1 * x + m->a2 * y + m->a3 * z + m->a4), (float)(m->b1 * x + m->b2 * y + m->b3 * z + m->b4),
                     (float)(m->c1 * x + m->c2 * y + m->c3 * z + m->c4)};
}

/* Number of triangles of a face. */
static uint32_t triangles_of(const struct aiFace *face)
{
    return face->mNumIndices == 3 ? 1 : face->mNumIndices == 4 ? 2 : 0;
}

static void corners_of(const placed_mesh *p, const struct aiFace *face, uint32_t triangle, uint32_t corner[3])
{
    corner[0] = face->mIndices[0];
    corner[1] = face->mIndices[1 + triangle];
    corner[2] = face->mIndices[2 + triangle];
    if (p->mirrored) {
        uint32_t second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
}

/* Numbers the vertices that triangles of a mesh use, ascending from 0, because meshes may share the vertices of a file.
   The others get UINT32_MAX. @return the number of used vertices */
static uint32_t number_vertices(scene_reader *r, const struct aiMesh *mesh)
{
    uint32_t used = 0;
    memset(r->number, 0xff, mesh->mNumVertices * sizeof *r->number);
    for (unsigned f = 0; f < mesh->mNumFaces; f++)
        for (unsigned i = 0; triangles_of(&mesh->mFaces[f]) != 0 && i < mesh->mFaces[f].mNumIndices; i++)
            r->number[mesh->mFaces[f].mIndices[i]] = 0;
    for (uint32_t v = 0; v < mesh->mNumVertices; v++)
        if (r->number[v] == 0)
            r->number[v] = used++;
    return used;
}

/* Makes room for the numbers of a mesh's vertices. */
static vp_status make_room(scene_reader *r, const struct aiMesh *mesh)
{
    if (mesh->mNumVertices <= r->room)
        return VP_OK;
    uint32_t *number = realloc(r->number, mesh->mNumVertices * sizeof *number);
    if (number == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %u vertices", mesh->mNumVertices);
    r->number = number;
    r->room = mesh->mNumVertices;
    return VP_OK;
}

static vp_status visit_node(scene_reader *r, const struct aiNode *node, const struct aiMatrix4x4 *above, unsigned depth, visit_fn *visit)
{
    if (depth == MAX_DEPTH)
        return vp_fail(r->error, VP_E_FORMAT, "its nodes lie in each other more than %d deep", MAX_DEPTH);
    const struct aiMatrix4x4 here = times(above, &node->mTransformation);
    const bool moved = !is_identity(&here);
    r->node++;
    for (unsigned m = 0; m < node->mNumMeshes; m++) {
        if (node->mMeshes[m] >= r->scene->mNumMeshes)
            return vp_fail(r->error, VP_E_FORMAT, "a node names mesh %u of %u", node->mMeshes[m], r->scene->mNumMeshes);
        const placed_mesh p = {r->scene->mMeshes[node->mMeshes[m]], node->mName.data, here, moved, moved && mirrors(&here)};
        VP_RETURN_IF_FAILED(visit(r, &p));
    }
    for (unsigned c = 0; c < node->mNumChildren; c++)
        VP_RETURN_IF_FAILED(visit_node(r, node->mChildren[c], &here, depth + 1, visit));
    return VP_OK;
}

static vp_status visit_all(scene_reader *r, visit_fn *visit)
{
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    r->vertices = r->triangles = 0;
    r->node = r->named = 0;
    return visit_node(r, r->scene->mRootNode, &identity, 0, visit);
}

/* ---- checking and counting ---- */

static vp_status check_face(scene_reader *r, const placed_mesh *p, unsigned f)
{
    const struct aiFace *face = &p->mesh->mFaces[f];
    for (unsigned i = 0; i < face->mNumIndices; i++) {
        uint32_t vertex = face->mIndices[i];
        if (vertex >= p->mesh->mNumVertices)
            return vp_fail(r->error, VP_E_FORMAT, "face %u of mesh \"%.40s\" has vertex %u of %u", f, p->mesh->mName.data, vertex,
                           p->mesh->mNumVertices);
        const vp_vec3 v = vertex_of(p, vertex);
        const float at[3] = {v.x, v.y, v.z};
        for (int k = 0; k < 3; k++)
            if (!(fabsf(at[k]) <= VP_KD_MAX))
                return vp_fail(r->error, VP_E_FORMAT,
                               "vertex %u of face %u of mesh \"%.40s\" has %c = %g; the absolute value must be at most 2^40", i, f,
                               p->mesh->mName.data, "xyz"[k], (double)at[k]);
    }
    return VP_OK;
}

static vp_status count(scene_reader *r, const placed_mesh *p)
{
    const struct aiMesh *mesh = p->mesh;
    VP_RETURN_IF_FAILED(make_room(r, mesh));
    if (mesh->mNumFaces != 0 && mesh->mVertices == NULL)
        return vp_fail(r->error, VP_E_FORMAT, "mesh \"%.40s\" has faces and no vertices", mesh->mName.data);
    const uint64_t triangles = r->triangles;
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        r->head->points += face->mNumIndices == 1 ? 1 : 0;
        r->head->lines += face->mNumIndices == 2 ? 1 : 0;
        r->five = r->five || face->mNumIndices > 4;
        r->triangles += triangles_of(face);
        if (r->triangles > VP_KD_MAX_TRIANGLES)
            return vp_fail(r->error, VP_E_FORMAT, "more than %d triangles", VP_KD_MAX_TRIANGLES);
        VP_RETURN_IF_FAILED(face->mNumIndices > 2 ? check_face(r, p, f) : VP_OK);
    }
    if (mesh->mMaterialIndex >= r->scene->mNumMaterials)
        return vp_fail(r->error, VP_E_FORMAT, "mesh \"%.40s\" has material %u of %u", mesh->mName.data, mesh->mMaterialIndex,
                       r->scene->mNumMaterials);
    if (r->triangles != triangles && r->material[mesh->mMaterialIndex] == UINT32_MAX) {
        r->used[r->materials] = mesh->mMaterialIndex;
        r->material[mesh->mMaterialIndex] = r->materials++;
    }
    if (r->triangles != triangles && r->named != r->node) {
        r->head->parts++;
        r->named = r->node;
    }
    r->vertices += number_vertices(r, mesh);
    if (r->vertices > UINT32_MAX)
        return vp_fail(r->error, VP_E_FORMAT, "more than %u vertices", UINT32_MAX);
    return VP_OK;
}

static vp_status count_all(scene_reader *r)
{
    const size_t materials = (size_t)r->scene->mNumMaterials + 1;
    free(r->material);
    free(r->used);
    r->material = malloc(materials * sizeof *r->material);
    r->used = malloc(materials * sizeof *r->used);
    if (r->material == NULL || r->used == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %u materials", r->scene->mNumMaterials);
    memset(r->material, 0xff, materials * sizeof *r->material);
    r->materials = 0;
    r->head->points = r->head->lines = r->head->parts = 0;
    r->five = false;
    VP_RETURN_IF_FAILED(visit_all(r, count));
    r->head->vertices = (uint32_t)r->vertices;
    r->head->triangles = (uint32_t)r->triangles;
    return VP_OK;
}

/* ---- places ---- */

static vp_status take_places(scene_reader *r, const placed_mesh *p)
{
    number_vertices(r, p->mesh);
    for (unsigned i = 0; i < p->mesh->mNumVertices; i++)
        if (r->number[i] != UINT32_MAX)
            r->place[r->vertices++] = vertex_of(p, i);
    return VP_OK;
}

static uint32_t scattered(const vp_vec3 *v)
{
    uint32_t bits[3];
    memcpy(bits, v, sizeof bits);
    uint64_t mixed = (bits[0] * UINT64_C(0x9e3779b97f4a7c15)) ^ (bits[1] * UINT64_C(0xc2b2ae3d27d4eb4f));
    mixed = ((mixed ^ mixed >> 29) + bits[2]) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(mixed >> 32);
}

/* Joins vertices with equal bits. The first ones stay, in order. */
static vp_status join(scene_reader *r)
{
    const uint32_t all = r->head->vertices;
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)all)
        slots *= 2;
    uint32_t *slot = malloc(slots * sizeof *slot), kept = 0;
    r->joined = malloc(((size_t)all + 1) * sizeof *r->joined);
    if (slot == NULL || r->joined == NULL) {
        free(slot);
        return vp_fail(r->error, VP_E_MEMORY, "no memory to join %u vertices", all);
    }
    memset(slot, 0xff, slots * sizeof *slot);
    for (uint32_t v = 0; v < all; v++) {
        uint64_t at = scattered(&r->place[v]) & (slots - 1);
        while (slot[at] != UINT32_MAX && memcmp(&r->place[slot[at]], &r->place[v], sizeof *r->place) != 0)
            at = (at + 1) & (slots - 1);
        if (slot[at] == UINT32_MAX) {
            r->place[kept] = r->place[v];
            slot[at] = kept++;
        }
        r->joined[v] = slot[at];
    }
    r->head->vertices = kept;
    free(slot);
    return VP_OK;
}

static vp_status make_places(scene_reader *r, bool joined)
{
    r->place = malloc(((size_t)r->head->vertices + 1) * sizeof *r->place);
    if (r->place == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %u vertices", r->head->vertices);
    visit_all(r, take_places);
    return joined ? join(r) : VP_OK;
}

/* ---- writing ---- */

static vp_status put_triangles(scene_reader *r, const placed_mesh *p)
{
    const uint32_t used = number_vertices(r, p->mesh);
    for (unsigned f = 0; f < p->mesh->mNumFaces; f++)
        for (uint32_t t = 0; t < triangles_of(&p->mesh->mFaces[f]); t++) {
            uint32_t corner[3];
            corners_of(p, &p->mesh->mFaces[f], t, corner);
            for (int k = 0; k < 3; k++) {
                corner[k] = (uint32_t)r->vertices + r->number[corner[k]];
                corner[k] = r->joined != NULL ? r->joined[corner[k]] : corner[k];
            }
            fwrite(corner, sizeof corner, 1, stdout);
        }
    r->vertices += used;
    return VP_OK;
}

static vp_status put_materials(scene_reader *r, const placed_mesh *p)
{
    const uint32_t number = r->material[p->mesh->mMaterialIndex];
    const int material = number < 255 ? (int)number : 255;
    for (unsigned f = 0; f < p->mesh->mNumFaces; f++)
        for (uint32_t t = 0; t < triangles_of(&p->mesh->mFaces[f]); t++)
            putchar(material);
    return VP_OK;
}

static vp_status put_nodes(scene_reader *r, const placed_mesh *p)
{
    for (unsigned f = 0; f < p->mesh->mNumFaces; f++)
        for (uint32_t t = 0; t < triangles_of(&p->mesh->mFaces[f]); t++)
            fwrite(&r->node, sizeof r->node, 1, stdout);
    return VP_OK;
}

/* Replaces all but printable ASCII, quotes and backslashes, so that a name fits into every format. */
static void clean_name(char *at)
{
    for (; *at != '\0'; at++)
        if (*at <= ' ' || *at >= 0x7f || *at == '"' || *at == '\\')
            *at = '_';
}

static vp_status put_name(scene_reader *r, const placed_mesh *p)
{
    char name[VP_PART_NAME] = "", *end;
    bool has_triangles = false;
    for (unsigned f = 0; f < p->mesh->mNumFaces && !has_triangles; f++)
        has_triangles = triangles_of(&p->mesh->mFaces[f]) != 0;
    if (!has_triangles || r->named == r->node)
        return VP_OK;
    const unsigned long number = strtoul(p->name, &end, 10);
    if (r->names.size == 0)
        snprintf(name, sizeof name, "%.47s", p->name);
    else if (*end == '\0' && number < r->names.size / VP_PART_NAME)
        memcpy(name, r->names.at + number * VP_PART_NAME, sizeof name);
    clean_name(name);
    fwrite(name, sizeof name, 1, stdout);
    r->named = r->node;
    return VP_OK;
}

/* Converts a colour component from 0 to 1. Those of glTF are linear. */
static uint8_t component(float v, bool linear)
{
    double c = v > 0 ? (v < 1 ? (double)v : 1) : 0; /* NaN becomes 0 */
    if (linear)
        c = c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
    return (uint8_t)(c * 255 + 0.5);
}

static void put_look(const struct aiMaterial *material, unsigned number, bool linear)
{
    vp_look look;
    struct aiString name = {0};
    struct aiColor4D c = {1, 1, 1, 1};
    memset(&look, 0, sizeof look);
    bool named = aiGetMaterialString(material, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS && name.data[0] != '\0';
    if (named)
        snprintf(look.name, sizeof look.name, "%.47s", name.data);
    else
        snprintf(look.name, sizeof look.name, "material-%u", number);
    clean_name(look.name);
    /* assimp gives elements without a material a white or grey one, depending on the format */
    bool coloured = aiGetMaterialColor(material, AI_MATKEY_COLOR_DIFFUSE, &c) == aiReturn_SUCCESS;
    if (!coloured || ((!named || strcmp(look.name, AI_DEFAULT_MATERIAL_NAME) == 0) && c.r == c.g && c.g == c.b))
        memcpy(look.colour, (const uint8_t[3]){186, 178, 166}, 3);
    else
        memcpy(look.colour, (const uint8_t[3]){component(c.r, linear), component(c.g, linear), component(c.b, linear)}, 3);
    fwrite(&look, sizeof look, 1, stdout);
}

/* ---- the program ---- */

/* Reports that a file is no mesh. For an OBJ, assimp's message may quote text of any file that it names. */
static vp_status no_mesh(const files *read, vp_error *error)
{
    const char *reason = aiGetErrorString();
    if (strstr(reason, "bad_alloc") != NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to read it");
    if (read->is_obj && read->others)
        return vp_fail(error, VP_E_FORMAT, "no mesh: it, or a file that it names for its materials, is not understood");
    return vp_fail(error, VP_E_FORMAT, "no mesh: %.160s", reason[0] != '\0' ? reason : "assimp does not say why");
}

/* Imports an OFF, which is converted here before assimp reads it. */
static vp_status import_off(scene_reader *r, files *io)
{
    vp_bytes ply;
    struct stat about;
    const bool there = stat(io->path, &about) == 0;
    io->named = there && same_file(&about, io->written);
    set_limits(there ? (uint64_t)about.st_size : 0);
    vp_status status = vp_off_as_ply(io->path, &ply, r->error);
    if (status == VP_OK && ply.size > UINT32_MAX)
        status = vp_fail(r->error, VP_E_FORMAT, "more than %u bytes", UINT32_MAX);
    if (status == VP_OK)
        r->scene = aiImportFileFromMemory((const char *)ply.at, (unsigned)ply.size, 0, "ply");
    free(ply.at);
    return status;
}

static vp_status read_mesh(scene_reader *r, const char *path, const char *written)
{
    files io = {
        .face = {open_file, close_file, NULL}, .written = written, .path = path, .is_obj = vp_name_ends(path, ".obj"), .head = r->head};
    VP_RETURN_IF_FAILED(vp_mesh_check(path, true, r->error));
    vp_status status = VP_OK;
    if (io.is_obj)
        status = vp_obj_number_parts(path, &io.numbered, &r->names, r->error);
    if (vp_name_ends(path, ".off"))
        status = import_off(r, &io);
    else if (status == VP_OK)
        r->scene = aiImportFileEx(path, 0, &io.face);
    if (status != VP_OK)
        return status;
    if (io.named)
        return vp_fail(r->error, VP_E_ARGUMENT, "it is the file to write, or refers to it");
    if (r->scene == NULL || r->scene->mRootNode == NULL)
        return no_mesh(&io, r->error);
    status = count_all(r);
    if (status == VP_OK && r->five) {
        r->scene = aiApplyPostProcessing(r->scene, aiProcess_Triangulate);
        status = r->scene == NULL ? no_mesh(&io, r->error) : count_all(r);
    }
    if (status == VP_OK && r->head->triangles == 0 && (r->head->points != 0 || r->head->lines != 0))
        status = vp_fail(r->error, VP_E_FORMAT, "it has no triangles: of points it has %llu, of lines %llu",
                         (unsigned long long)r->head->points, (unsigned long long)r->head->lines);
    else if (status == VP_OK && r->head->triangles == 0)
        status = vp_fail(r->error, VP_E_FORMAT, "it has no triangles");
    return status == VP_OK ? make_places(r, io.is_obj) : status;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3 || argv[1][0] == '-' || isatty(STDOUT_FILENO)) {
        fputs("voxphys-mesh-reader FILE [WRITTEN]: reads a mesh for voxphys, which runs it; by hand it is of "
              "no use\n",
              stderr);
        return 2;
    }
    vp_error error = {VP_OK, ""};
    vp_wire_head head = {.magic = VP_WIRE_MAGIC};
    scene_reader r = {.head = &head, .error = &error};
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    head.status = (uint32_t)read_mesh(&r, argv[1], argc == 3 ? argv[2] : NULL);
    if (head.status == VP_E_MEMORY && limit_refused())
        head.status = (uint32_t)vp_fail(&error, VP_E_FORMAT, "reading it takes more memory than a mesh of its size needs");
    if (head.status == VP_OK)
        head.materials = r.materials < 256 ? r.materials : 256;
    else
        memcpy(head.message, error.message, sizeof head.message);
    fwrite(&head, sizeof head, 1, stdout);
    if (head.status == VP_OK) {
        bool linear = vp_name_ends(argv[1], ".gltf") || vp_name_ends(argv[1], ".glb");
        fwrite(r.place, sizeof *r.place, head.vertices, stdout);
        visit_all(&r, put_triangles);
        visit_all(&r, put_materials);
        visit_all(&r, put_nodes);
        for (unsigned m = 0; m < head.materials; m++)
            put_look(r.scene->mMaterials[r.used[m]], m, linear);
        visit_all(&r, put_name);
    }
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    _Exit(written ? 0 : 1); /* the process's end frees the library's memory */
}
