/* SPDX-License-Identifier: MIT */
/* Every function that returns a status rejects a needed pointer that is NULL, and names it. Nothing is read through the other pointers
 * then, so all point to one block. */
#include <voxphys/voxphys.h>

#include "tests/support/check.h"

static uint64_t block[64];
static uint32_t passed, null_at;
static const char *null_name;

/* The argument `name` of a call: NULL for one, a block for the others. */
static void *pass(const char *name)
{
    if (passed++ != null_at)
        return block;
    null_name = name;
    return NULL;
}
#define P(name) pass(#name)

static void check_message(const char *call, vp_status status, const vp_error *error)
{
    const size_t length = strlen(null_name);
    if (status != VP_E_ARGUMENT || strncmp(error->message, null_name, length) != 0 || strncmp(error->message + length, " is NULL", 8) != 0)
        fail_msg("%s with %s NULL: %s, \"%s\"", call, null_name, vp_status_name(status), error->message);
}

#define REJECTS(call)                                                                                                                      \
    do {                                                                                                                                   \
        null_at = 0;                                                                                                                       \
        do {                                                                                                                               \
            vp_error error = {VP_OK, ""};                                                                                                  \
            passed = 0;                                                                                                                    \
            const vp_status status = call;                                                                                                 \
            check_message(#call, status, &error);                                                                                          \
        } while (++null_at < passed);                                                                                                      \
    } while (0)

static void each_pointer(void **state)
{
    (void)state;
    REJECTS(vp_automaton_create(P(def), P(out), &error));
    REJECTS(vp_automaton_read(P(automaton), (vp_ivec3){0}, (vp_dims){0}, P(out), &error));
    REJECTS(vp_automaton_set_cells(P(automaton), P(at), P(cell), 1, &error));
    REJECTS(vp_automaton_plant(P(automaton), 0, (vp_ivec3){0}, false, &error));
    REJECTS(vp_automaton_find_top(P(automaton), 0, 0, P(y), &error));
    REJECTS(vp_automaton_read_world(P(automaton), P(world), (vp_ivec3){0}, P(ground), &error));
    REJECTS(vp_automaton_step(P(automaton), NULL, &error));
    REJECTS(vp_automaton_advance(P(automaton), 0, NULL, P(done), &error));
    REJECTS(vp_automaton_apply(P(automaton), &error));
    REJECTS(vp_automaton_run(P(automaton), 0, NULL, &error));
    REJECTS(vp_automaton_list_edits(P(automaton), P(map), NULL, NULL, P(count), &error));
    REJECTS(vp_automaton_write_world(P(automaton), P(map), P(world), NULL, &error));
    REJECTS(vp_automaton_encode(P(automaton), NULL, P(out), &error));
    REJECTS(vp_automaton_decode(P(bytes), 1, P(def), P(out), &error));
    REJECTS(vp_automaton_record_begin(P(automaton), NULL, P(out), &error));
    REJECTS(vp_automaton_record_step(P(automaton), P(recording), &error));
    REJECTS(vp_count_rule_step(P(job), NULL, &error));
    REJECTS(vp_block_jobs_create(P(def), P(out), &error));
    REJECTS(vp_block_jobs_mark_changed(P(jobs), P(changes), &error));
    REJECTS(vp_block_jobs_tick(P(jobs), NULL, &error));
    REJECTS(vp_block_view_check(P(view), &error));
    REJECTS(vp_block_window_fill(P(view), (vp_ivec3){0}, 0, 0, P(cell), &error));
    REJECTS(vp_block_quads_create(P(def), P(out), &error));
    REJECTS(vp_block_mesh_create(P(def), P(out), &error));
    REJECTS(vp_block_boxes_create(P(window), NULL, NULL, P(out), &error));
    REJECTS(vp_block_components_find(P(def), P(label), P(count), &error));
    REJECTS(vp_block_sweep(P(view), NULL, P(path), P(out), &error));
    REJECTS(vp_block_ray(P(view), NULL, P(line), P(out), &error));
    REJECTS(vp_block_move(P(view), P(mover), (vp_vec3){0}, (vp_vec3){0}, P(out), &error));
    REJECTS(vp_block_region_write(NULL, 0, (vp_ivec3){0}, P(chunk), 1, NULL, NULL, P(out), &error));
    REJECTS(vp_block_region_read(P(bytes), 1, (vp_ivec3){0}, NULL, NULL, P(cell), P(found), &error));
    REJECTS(vp_block_store_create(P(def), P(out), &error));
    REJECTS(vp_block_store_load(P(store), (vp_ivec3){0}, P(cell), P(found), &error));
    REJECTS(vp_block_store_save(P(store), P(chunk), 1, &error));
    REJECTS(vp_blocks_update_residency(P(blocks), P(residency), P(source), P(out), NULL, &error));
    REJECTS(vp_blocks_save(P(blocks), P(source), NULL, &error));
    REJECTS(vp_blocks_create(P(def), P(out), &error));
    REJECTS(vp_blocks_set_chunk(P(blocks), (vp_ivec3){0}, P(cells), &error));
    REJECTS(vp_blocks_fill(P(blocks), (vp_ivec3){0}, (vp_dims){0}, NULL, NULL, NULL, &error));
    REJECTS(vp_blocks_acquire_box(P(blocks), (vp_ivec3){0}, (vp_dims){0}, P(out), &error));
    REJECTS(vp_blocks_edit(P(blocks), P(edit), 1, NULL, &error));
    REJECTS(vp_blocks_set(P(blocks), (vp_ivec3){0}, 0, NULL, &error));
    REJECTS(vp_block_planet_init(P(def), P(out), &error));
    REJECTS(vp_broadphase_create(P(def), P(out), &error));
    REJECTS(vp_broadphase_update(P(broadphase), P(world), NULL, &error));
    REJECTS(vp_broadphase_overlap(P(broadphase), P(box), P(touch), &error));
    REJECTS(vp_broadphase_overlap_batch(P(broadphase), P(boxes), NULL, &error));
    REJECTS(vp_buoyancy_body_init(P(shape), P(pose), P(out), &error));
    REJECTS(vp_buoyancy_in_chunk(P(body), P(world), NULL, (vp_ivec3){0}, P(out), &error));
    REJECTS(vp_buoyancy_in_world(P(body), P(world), NULL, P(out), &error));
    REJECTS(vp_buoyancy_in_terrain(P(body), P(terrain), P(out), &error));
    REJECTS(vp_point_shape(P(shape), P(pose), (vp_vec3){0}, P(out), &error));
    REJECTS(vp_ray_shape(P(shape), P(pose), P(ray), P(out), &error));
    REJECTS(vp_cast_mesh(P(triangle), 1, P(def), P(out), &error));
    REJECTS(vp_cast_terrain(P(reader), 0, P(def), P(out), &error));
    REJECTS(vp_cast_blocks(P(view), P(def), P(out), &error));
    REJECTS(vp_cast_shape(P(def), P(other), P(out), &error));
    REJECTS(vp_overlap_mesh(P(triangle), 1, P(def), P(out), &error));
    REJECTS(vp_overlap_terrain(P(reader), 0, P(def), P(out), &error));
    REJECTS(vp_overlap_blocks(P(view), P(def), P(out), &error));
    REJECTS(vp_closest_mesh(P(triangle), 1, (vp_vec3){0}, 0.0f, P(out), &error));
    REJECTS(vp_closest_terrain(P(reader), 0, (vp_vec3){0}, 0.0f, P(out), &error));
    REJECTS(vp_closest_blocks(P(view), (vp_vec3){0}, 0.0f, P(out), &error));
    REJECTS(vp_character_move(P(world), P(character), (vp_vec3){0}, (vp_vec3){0}, P(out), &error));
    REJECTS(vp_compound_check(P(compound), &error));
    REJECTS(vp_compound_bounds(P(body), 0.0f, P(out), &error));
    REJECTS(vp_mass_of_compound(P(compound), P(out), &error));
    REJECTS(vp_manifold_compound_mesh(P(def), P(body), P(triangle), 1, P(scratch), P(out), 1, P(made), &error));
    REJECTS(vp_manifold_compound_terrain(P(def), P(body), P(reader), P(scratch), P(out), 1, P(made), &error));
    REJECTS(vp_manifold_compound_blocks(P(def), P(body), P(view), P(scratch), P(out), 1, P(made), &error));
    REJECTS(vp_manifold_compounds(P(a), P(b), 0.0f, P(scratch), P(out), 1, P(made), &error));
    REJECTS(vp_contacts_create(P(def), P(out), &error));
    REJECTS(vp_contacts_add(P(contacts), P(box), P(object), &error));
    REJECTS(vp_contacts_move(P(contacts), 0, P(box), &error));
    REJECTS(vp_contacts_remove(P(contacts), 0, &error));
    REJECTS(vp_contacts_sleep(P(contacts), 0, &error));
    REJECTS(vp_contacts_terrain_changed(P(contacts), P(stale), &error));
    REJECTS(vp_contacts_objects_over(P(contacts), P(set), P(out), 1, P(count), &error));
    REJECTS(vp_decomposition_create(P(def), P(out), &error));
    REJECTS(vp_edge_flags(P(world), NULL, (vp_ivec3){0}, 0, P(mesh), NULL, &error));
    REJECTS(vp_mesh_edge_flags(P(mesh), NULL, &error));
    REJECTS(vp_edge_flags_stale((vp_ivec3){0}, (vp_ivec3){0}, P(stale), &error));
    REJECTS(vp_hull_create(P(def), P(out), &error));
    REJECTS(vp_hull_enclose(P(def), P(hull), P(out), &error));
    REJECTS(vp_hull_builder_create(P(def), P(out), &error));
    REJECTS(vp_hull_builder_begin(P(builder), NULL, NULL, 0, &error));
    REJECTS(vp_hull_builder_add(P(builder), P(point), 1, &error));
    REJECTS(vp_hull_builder_build(P(builder), P(out), &error));
    REJECTS(vp_hull_validate(P(subject), P(out), &error));
    REJECTS(vp_kd_create(P(def), P(out), &error));
    REJECTS(vp_kd_raycast(P(tree), P(ray), P(out), &error));
    REJECTS(vp_kd_raycast_many(P(tree), P(ray), 1, P(out), &error));
    REJECTS(vp_kd_raycast_any(P(tree), P(ray), P(out), &error));
    REJECTS(vp_kd_raycast_all(P(tree), P(ray), P(out), 1, P(count), &error));
    REJECTS(vp_kd_sphere_sweep(P(tree), P(ray), 0.0f, P(out), &error));
    REJECTS(vp_kd_gather(P(tree), P(box), P(out), 1, P(count), &error));
    REJECTS(vp_kd_quantize(P(vertex), 1, 0.0f, P(out), NULL, NULL, &error));
    REJECTS(vp_kernels_named(P(name), P(table), &error));
    REJECTS(vp_kernels_default(P(table), &error));
    REJECTS(vp_manifold_mesh(P(def), P(body), P(triangle), 1, P(scratch), P(out), 1, P(made), &error));
    REJECTS(vp_manifold_terrain(P(def), P(body), P(reader), P(scratch), P(out), 1, P(made), &error));
    REJECTS(vp_manifold_blocks(P(def), P(body), P(view), P(scratch), P(out), 1, P(made), &error));
    REJECTS(vp_manifold_terrain_many(P(def), P(body), 1, P(reader), P(scratch), P(out), 1, P(result), P(made), &error));
    REJECTS(vp_manifold_blocks_many(P(def), P(body), 1, P(view), P(scratch), P(out), 1, P(result), P(made), &error));
    REJECTS(vp_mass_of_shape(P(shape), 0.0, P(out), &error));
    REJECTS(vp_mass_at_pose(P(mass), P(pose), P(out), &error));
    REJECTS(vp_mesh_chunk(P(world), NULL, (vp_ivec3){0}, 0, P(out), &error));
    REJECTS(vp_mesh_create(P(def), P(out), &error));
    REJECTS(vp_collide_hull_create(P(def), P(out), &error));
    REJECTS(vp_collide_frame_of(P(pose), P(out), &error));
    REJECTS(vp_collide_bounds(P(shape), P(pose), 0.0f, P(out), &error));
    REJECTS(vp_collide_connect(P(triangle), 1, P(scratch), &error));
    REJECTS(vp_collide_triangles(NULL, P(shape), P(pose), 0.0f, P(triangle), 1, P(answer), &error));
    REJECTS(vp_collide_correct(NULL, P(shape), P(pose), 0.0f, P(triangle), 1, P(answer), &error));
    REJECTS(vp_collide_blocks(P(view), P(box), P(out), 1, P(count), &error));
    REJECTS(vp_push_out_of_world(P(world), (vp_vec3){0}, 0, 0, P(out), &error));
    REJECTS(vp_push_out_of_terrain(P(terrain), (vp_vec3){0}, 0, 0, P(out), &error));
    REJECTS(vp_regions_find(P(def), P(world), P(at), NULL, 1, P(out), &error));
    REJECTS(vp_regions_label(P(def), P(world), P(out), &error));
    REJECTS(vp_regions_remove(P(regions), P(world), NULL, &error));
    REJECTS(vp_regions_edit(P(def), P(terrain), P(at), P(voxel), 1, NULL, P(out), &error));
    REJECTS(vp_regions_fill_sphere(P(def), P(terrain), (vp_vec3){0}, 0.0f, (vp_voxel){0}, NULL, P(out), &error));
    REJECTS(vp_regions_fill_box(P(def), P(terrain), (vp_ivec3){0}, (vp_ivec3){0}, (vp_voxel){0}, NULL, P(out), &error));
    REJECTS(vp_region_shape_create(P(def), P(region), P(out), &error));
    REJECTS(vp_shapes_collide(P(a), P(b), 0.0f, P(out), &error));
    REJECTS(vp_manifold_shapes(P(a), P(b), 0.0f, P(out), &error));
    REJECTS(vp_shapes_overlap(P(a), P(b), P(overlap), &error));
    REJECTS(vp_spheretree_create(P(def), P(out), &error));
    REJECTS(vp_spheretree_insert(P(tree), P(object), P(id), &error));
    REJECTS(vp_spheretree_insert_mesh(P(tree), P(triangles), 0, 0, P(id), &error));
    REJECTS(vp_spheretree_remove(P(tree), 0, &error));
    REJECTS(vp_spheretree_move(P(tree), 0, P(sphere), &error));
    REJECTS(vp_spheretree_build(P(tree), P(object), 1, &error));
    REJECTS(vp_spheretree_mesh_bound(P(triangles), P(out), &error));
    REJECTS(vp_spheretree_sphere(P(tree), P(sphere), NULL, P(out), 1, P(count), &error));
    REJECTS(vp_spheretree_box(P(tree), P(box), NULL, P(out), 1, P(count), &error));
    REJECTS(vp_spheretree_triangle(P(tree), P(corner), NULL, P(out), 1, P(count), &error));
    REJECTS(vp_spheretree_ray(P(tree), P(ray), NULL, P(out), &error));
    REJECTS(vp_spheretree_ray_any(P(tree), P(ray), NULL, P(out), &error));
    REJECTS(vp_spheretree_ray_all(P(tree), P(ray), NULL, P(out), 1, P(count), &error));
    REJECTS(vp_spheretree_pairs(P(tree), NULL, P(out), 1, P(count), &error));
    REJECTS(vp_surroundings_place(P(body), 0, P(out), &error));
    REJECTS(vp_surroundings_manifolds(P(s), P(def), P(body), 0, P(scratch), P(out), 1, P(made), &error));
    REJECTS(vp_surroundings_manifolds_many(P(s), P(def), NULL, P(scratch), 1, 0, NULL, NULL, &error));
    REJECTS(vp_surroundings_cast(P(s), NULL, P(body), 0, (vp_vec3){0}, P(out), &error));
    REJECTS(vp_surroundings_overlap(P(s), NULL, P(body), 0, P(out), 1, P(count), &error));
    REJECTS(vp_surroundings_closest_point(P(s), (vp_vec3){0}, 0, 0.0f, P(out), &error));
    REJECTS(vp_terrain_create(P(def), P(out), &error));
    REJECTS(vp_terrain_raycast(P(terrain), 0, NULL, NULL, &error));
    REJECTS(vp_terrain_raycast_point(P(terrain), 0, NULL, NULL, &error));
    REJECTS(vp_terrain_raycast_many(P(terrain), 0, NULL, 0, NULL, &error));
    REJECTS(vp_terrain_raycast_any(P(terrain), 0, NULL, NULL, &error));
    REJECTS(vp_terrain_raycast_all(P(terrain), 0, NULL, NULL, 0, NULL, &error));
    REJECTS(vp_terrain_sphere_sweep(P(terrain), 0, NULL, 0.0f, NULL, &error));
    REJECTS(vp_terrain_gather(P(terrain), 0, NULL, NULL, 0, NULL, &error));
    REJECTS(vp_terrain_gather_triangles(P(terrain), 0, NULL, NULL, NULL, 0, NULL, &error));
    REJECTS(vp_terrain_overlap(P(terrain), P(box), P(touch), &error));
    REJECTS(vp_terrain_overlap_many(P(terrain), P(boxes), NULL, &error));
    REJECTS(vp_terrain_inside(P(terrain), 0, (vp_vec3){0}, NULL, &error));
    REJECTS(vp_terrain_reader_raycast(P(reader), 0, P(ray), P(out), &error));
    REJECTS(vp_terrain_reader_raycast_point(P(reader), 0, P(ray), P(out), &error));
    REJECTS(vp_terrain_reader_raycast_many(P(reader), 0, P(ray), 1, P(out), &error));
    REJECTS(vp_terrain_reader_raycast_any(P(reader), 0, P(ray), P(out), &error));
    REJECTS(vp_terrain_reader_raycast_all(P(reader), 0, P(ray), P(out), 1, P(count), &error));
    REJECTS(vp_terrain_reader_sphere_sweep(P(reader), 0, P(ray), 0.0f, P(out), &error));
    REJECTS(vp_terrain_reader_gather(P(reader), 0, P(box), P(out), 1, P(count), &error));
    REJECTS(vp_terrain_reader_gather_triangles(P(reader), 0, P(box), P(out), P(triangle), 1, P(count), &error));
    REJECTS(vp_terrain_reader_inside(P(reader), 0, (vp_vec3){0}, P(out), &error));
    REJECTS(vp_terrain_reader_triangle(P(reader), 0, (vp_terrain_triangle_id){0}, P(out), &error));
    REJECTS(vp_terrain_set_voxel(P(terrain), (vp_ivec3){0}, (vp_voxel){0}, NULL, &error));
    REJECTS(vp_terrain_set_voxels(P(terrain), P(at), P(voxel), 1, NULL, &error));
    REJECTS(vp_terrain_fill_box(P(terrain), (vp_ivec3){0}, (vp_ivec3){0}, (vp_voxel){0}, NULL, &error));
    REJECTS(vp_terrain_fill_sphere(P(terrain), (vp_vec3){0}, 0.0f, (vp_voxel){0}, NULL, &error));
    REJECTS(vp_terrain_write_rows(P(terrain), (vp_ivec3){0}, (vp_dims){0}, NULL, NULL, NULL, &error));
    REJECTS(vp_terrain_prepare(P(terrain), &error));
    REJECTS(vp_terrain_set_budget(P(terrain), 0, &error));
    REJECTS(vp_terrain_save(P(terrain), NULL, P(path), &error));
    REJECTS(vp_chunk_set_create((vp_dims){0}, NULL, P(out), &error));
    REJECTS(vp_world_create(P(def), P(out), &error));
    REJECTS(vp_world_set_voxel(P(world), (vp_ivec3){0}, (vp_voxel){0}, NULL, &error));
    REJECTS(vp_world_set_voxels(P(world), P(at), P(voxel), 1, NULL, &error));
    REJECTS(vp_world_fill_box(P(world), (vp_ivec3){0}, (vp_ivec3){0}, (vp_voxel){0}, NULL, &error));
    REJECTS(vp_world_fill_sphere(P(world), (vp_vec3){0}, 0.0f, (vp_voxel){0}, NULL, &error));
    REJECTS(vp_world_read_rows(P(world), (vp_ivec3){0}, (vp_dims){0}, NULL, NULL, &error));
    REJECTS(vp_world_write_rows(P(world), (vp_ivec3){0}, (vp_dims){0}, NULL, NULL, NULL, &error));
    REJECTS(vp_world_neighbourhood(P(world), (vp_ivec3){0}, P(material), &error));
    REJECTS(vp_world_encode(P(world), NULL, NULL, P(out), &error));
    REJECTS(vp_world_decode(P(bytes), 1, NULL, P(out), NULL, &error));
    REJECTS(vp_world_save(P(world), NULL, P(path), &error));
    REJECTS(vp_world_load(P(path), NULL, P(out), NULL, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_pointer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
