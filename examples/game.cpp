// SPDX-License-Identifier: MIT
// A small game loop. A world is dug while another thread casts rays at it. Crates wake when the ground below them is dug away, and a
// character walks over the ground. Usage: game [WORLD.vpw]
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <voxphys/voxphys.h>

namespace
{

// Throws the message of a status other than VP_OK.
struct Check {
    vp_error error{};
    void operator()(vp_status status) const
    {
        if (status != VP_OK)
            throw std::runtime_error(std::string(vp_status_name(status)) + ": " + error.message);
    }
};

struct Destroy {
    void operator()(vp_world *world) const
    {
        vp_world_destroy(world);
    }
    void operator()(vp_terrain *terrain) const
    {
        vp_terrain_destroy(terrain);
    }
    void operator()(vp_contacts *contacts) const
    {
        vp_contacts_destroy(contacts);
    }
    void operator()(vp_chunk_set *set) const
    {
        vp_chunk_set_destroy(set);
        delete set;
    }
};
template <class T> using Owned = std::unique_ptr<T, Destroy>;

vp_vec3 add(vp_vec3 a, vp_vec3 b, float scale = 1.0f)
{
    return {a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}
float dot(vp_vec3 a, vp_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

Owned<vp_world> load(const char *path)
{
    Check check;
    vp_world *world = nullptr;
    if (path != nullptr) {
        check(vp_world_load(path, nullptr, &world, nullptr, &check.error));
        return Owned<vp_world>(world);
    }
    const vp_voxel rock{2, 255};
    vp_world_def def{};
    def.size = {128, 64, 128};
    check(vp_world_create(&def, &world, &check.error));
    Owned<vp_world> owned(world);
    check(vp_world_fill_box(world, {0, 0, 0}, {128, 16, 128}, rock, nullptr, &check.error));
    check(vp_world_fill_sphere(world, {96.0f, 4.0f, 64.0f}, 24.0f, rock, nullptr, &check.error)); // a hill to climb
    return owned;
}

// Returns the ground below a place.
vp_vec3 ground(vp_terrain *terrain, vp_vec3 from)
{
    Check check;
    const vp_ray down{from, {0.0f, -1.0f, 0.0f}, 1000.0f};
    vp_terrain_point at;
    check(vp_terrain_raycast_point(terrain, VP_SURFACE_SOLID, &down, &at, &check.error));
    if (at.hit.in_chunk.triangle < 0)
        throw std::runtime_error("there is no ground in the middle of the world");
    return at.point;
}

// A walking capsule. Gravity pulls it down, and the library slides it along obstacles.
struct Walker {
    vp_collide_shape capsule = vp_collide_capsule(0.4f, 0.5f);
    vp_vec3 position;
    float fall = 0.0f;
    bool stands = false;

    void move(const vp_terrain_reader &reader, vp_vec3 motion)
    {
        Check check;
        vp_character_world world{};
        world.reader = &reader;
        vp_character character{};
        character.shape = &capsule;
        character.up = VP_SIDE_Y_HIGH;
        character.step = 0.5f;
        character.stick = 0.5f;
        character.slope = 50.0f;
        fall -= 0.02f;
        motion.y += fall;
        vp_character_result moved;
        check(vp_character_move(&world, &character, position, motion, &moved, &check.error));
        position = moved.position;
        fall = moved.velocity.y;
        stands = moved.ground == VP_CHARACTER_ON_GROUND;
    }
};

// Casts rays from above until it is stopped. Each answer is from one version of the terrain, even during edits: its point lies in the
// plane of the corners returned with it.
struct Observer {
    vp_terrain *terrain;
    vp_vec3 from;
    std::atomic<bool> stop{false};
    unsigned rays = 0, wrong = 0;
    std::string failure{};

    void run()
    {
        for (Check check; !stop || rays < 1000; rays++) {
            const float angle = 0.1f * static_cast<float>(rays % 6283), tilt = 0.2f * static_cast<float>(rays % 7);
            const vp_ray ray{from, {tilt * std::cos(angle), -1.0f, tilt * std::sin(angle)}, 1000.0f};
            vp_terrain_point at;
            if (vp_terrain_raycast_point(terrain, VP_SURFACE_SOLID, &ray, &at, &check.error) != VP_OK) {
                failure = check.error.message;
                return;
            }
            if (at.hit.in_chunk.triangle >= 0)
                wrong += std::fabs(dot(at.triangle.normal, add(at.point, at.triangle.corner[0], -1.0f))) > 0.01f;
        }
    }
};

int play(const char *path)
{
    Check check;
    const Owned<vp_world> world = load(path);
    const vp_dims size = vp_world_size(world.get());
    vp_terrain_def terrain_def{};
    terrain_def.world = world.get();
    vp_terrain *created = nullptr;
    check(vp_terrain_create(&terrain_def, &created, &check.error));
    const Owned<vp_terrain> terrain(created);

    const vp_vec3 above{static_cast<float>(size.x) / 2.0f, static_cast<float>(size.y) - 0.5f, static_cast<float>(size.z) / 2.0f};
    const vp_vec3 start = ground(terrain.get(), above);
    Walker walker;
    walker.position = {start.x, start.y + 2.0f, start.z};

    // Chunks that edits have changed, until they are passed to the contacts.
    Owned<vp_chunk_set> stale(new vp_chunk_set{});
    check(vp_chunk_set_create(vp_world_chunks(world.get()), nullptr, stale.get(), &check.error));

    // Crates that lie on the ground, asleep.
    vp_contacts_def contacts_def{};
    contacts_def.broadphase = vp_terrain_broadphase(terrain.get());
    vp_contacts *made = nullptr;
    check(vp_contacts_create(&contacts_def, &made, &check.error));
    const Owned<vp_contacts> contacts(made);
    constexpr unsigned crates = 8;
    for (unsigned i = 0; i < crates; i++) {
        const vp_vec3 at = ground(terrain.get(), {start.x + 3.0f * static_cast<float>(i) - 12.0f, above.y, start.z + 4.0f});
        const vp_aabb crate{{at.x - 0.5f, at.y, at.z - 0.5f}, {at.x + 0.5f, at.y + 1.0f, at.z + 0.5f}};
        uint32_t object;
        check(vp_contacts_add(contacts.get(), &crate, &object, &check.error));
        check(vp_contacts_sleep(contacts.get(), object, &check.error));
    }
    vp_contacts_clear_events(contacts.get());

    Observer observer{terrain.get(), above};
    std::thread thread([&observer] { observer.run(); });
    unsigned craters = 0, woken = 0, began = 0, ended = 0;
    try {
        const vp_voxel air{VP_AIR, 0};
        for (int tick = 0; tick < 240; tick++) {
            if (tick % 30 == 0) { // one crate's ground is dug away
                const vp_vec3 at = {start.x + 0.1f * static_cast<float>(tick) - 12.0f, start.y, start.z + 4.0f};
                check(vp_terrain_fill_sphere(terrain.get(), at, 2.0f, air, stale.get(), &check.error));
                craters++;
            }
            vp_terrain_reader reader;
            vp_terrain_acquire_reader(terrain.get(), &reader);
            const vp_status status = vp_contacts_terrain_changed(contacts.get(), stale.get(), &check.error);
            if (status == VP_OK)
                vp_chunk_set_clear(stale.get());
            vp_terrain_release_reader(&reader);
            check(status);
            uint32_t count;
            const vp_contact_event *event = vp_contacts_events(contacts.get(), &count);
            for (uint32_t i = 0; i < count; i++)
                (event[i].change == VP_CONTACT_WOKE ? woken : event[i].change == VP_CONTACT_BEGIN ? began : ended)++;
            vp_contacts_clear_events(contacts.get());

            vp_terrain_acquire_reader(terrain.get(), &reader);
            try {
                walker.move(reader, {0.1f, 0.0f, 0.0f});
            } catch (...) {
                vp_terrain_release_reader(&reader);
                throw;
            }
            vp_terrain_release_reader(&reader);
        }
    } catch (...) {
        observer.stop = true;
        thread.join();
        throw;
    }
    observer.stop = true;
    thread.join();
    if (!observer.failure.empty())
        throw std::runtime_error(observer.failure);

    unsigned awake = 0;
    for (uint32_t object = 0; object < crates; object++)
        awake += vp_contacts_awake(contacts.get(), object);
    std::printf("%u craters woke %u crates; contacts: %u began, %u ended; %u of %u crates awake\n", craters, woken, began, ended, awake,
                crates);
    std::printf("the character walked %.1f voxels and stands %s\n", static_cast<double>(walker.position.x - start.x),
                walker.stands ? "on the ground" : "in the air");
    std::printf("rays while it was dug: %s, %u inconsistent\n", observer.rays >= 1000 ? "1000 or more" : "too few", observer.wrong);
    return observer.wrong == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        return play(argc > 1 ? argv[1] : nullptr);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "game: %s\n", error.what());
        return 1;
    }
}
