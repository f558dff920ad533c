/* SPDX-License-Identifier: MIT */
/* Bullet's btDiscreteDynamicsWorld with default settings, except that no body sleeps, on the scenes of bench/simulate. Products of
 * friction, masses and moments of inertia are the scene's. */
#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/peers/bullet_ground.h"
#include "bench/simulate/scene.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace
{

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* A solver that measures its parts. Pairs and ground are one part in Bullet. */
struct World final : btDiscreteDynamicsWorld {
    double seconds[VP_SCENE_PARTS] = {};
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

    template <class F> void take(int part, F f)
    {
        const double begin = now();
        f();
        seconds[part] += now() - begin;
    }
    void updateAabbs() override
    {
        take(VP_SCENE_BROADPHASE, [&] { btDiscreteDynamicsWorld::updateAabbs(); });
    }
    void computeOverlappingPairs() override
    {
        take(VP_SCENE_BROADPHASE, [&] { btDiscreteDynamicsWorld::computeOverlappingPairs(); });
    }
    void performDiscreteCollisionDetection() override
    {
        const double before = seconds[VP_SCENE_BROADPHASE];
        take(VP_SCENE_PAIRS, [&] { btDiscreteDynamicsWorld::performDiscreteCollisionDetection(); });
        seconds[VP_SCENE_PAIRS] -= seconds[VP_SCENE_BROADPHASE] - before;
    }
    void calculateSimulationIslands() override
    {
        take(VP_SCENE_SOLVE, [&] { btDiscreteDynamicsWorld::calculateSimulationIslands(); });
    }
    void solveConstraints(btContactSolverInfo &info) override
    {
        take(VP_SCENE_SOLVE, [&] { btDiscreteDynamicsWorld::solveConstraints(info); });
    }
    void steps(uint32_t count, btScalar step)
    {
        double all = 0;
        std::fill(seconds, seconds + VP_SCENE_PARTS, 0.0);
        const double begin = now();
        for (uint32_t i = 0; i < count; i++)
            stepSimulation(step, 0);
        for (const double part : seconds)
            all += part;
        seconds[VP_SCENE_REST] = now() - begin - all;
    }
};

struct BulletScene {
    const vp_body_scene *scene = nullptr;
    Ground ground;
    std::vector<std::unique_ptr<btConvexShape>> shape;
    std::vector<std::unique_ptr<btRigidBody>> body;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btSequentialImpulseConstraintSolver solver;
    btDbvtBroadphase broadphase;
    std::unique_ptr<World> world;
    std::vector<vp_sim_body> landed, end;
    vp_simulated result{};

    BulletScene() = default;
    BulletScene(const BulletScene &) = delete;
    BulletScene &operator=(const BulletScene &) = delete;
    ~BulletScene()
    {
        clear();
    }
    void clear()
    {
        for (auto &b : body)
            world->removeRigidBody(b.get());
        body.clear();
        shape.clear();
        if (world)
            world->removeCollisionObject(&ground.body);
        world.reset();
    }
    void add(const vp_sim_body_def &def, const vp_mass &mass)
    {
        const double *p = def.position;
        shape.push_back(shape_of(def.shape));
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass.mass), nullptr, shape.back().get(),
                                                      vector_of(mass.inertia));
        info.m_friction = std::sqrt(static_cast<btScalar>(def.friction)); /* products count */
        info.m_restitution = 0;
        info.m_startWorldTransform.setOrigin(vector_of(p));
        body.push_back(std::make_unique<btRigidBody>(info));
        body.back()->setActivationState(DISABLE_DEACTIVATION);
        world->addRigidBody(body.back().get());
    }
    static btVector3 vector_of(const double v[3])
    {
        return {static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]), static_cast<btScalar>(v[2])};
    }
    void create_world()
    {
        world = std::make_unique<World>(&dispatcher, &broadphase, &solver, &configuration);
        world->setGravity({0, static_cast<btScalar>(-scene->def.gravity), 0});
        ground.body.setFriction(std::sqrt(static_cast<btScalar>(scene->def.friction)));
        ground.body.setRestitution(0);
        world->addCollisionObject(&ground.body, btBroadphaseProxy::StaticFilter,
                                  btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
        for (uint32_t i = 0; i < scene->bodies; i++)
            add(scene->body[i], scene->mass[i]);
    }
    std::vector<vp_sim_body> bodies() const
    {
        std::vector<vp_sim_body> out(body.size());
        for (size_t i = 0; i < body.size(); i++) {
            const btVector3 p = body[i]->getWorldTransform().getOrigin(), v = body[i]->getLinearVelocity(),
                            o = body[i]->getAngularVelocity();
            const btQuaternion q = body[i]->getWorldTransform().getRotation();
            out[i] = {};
            for (int k = 0; k < 3; k++) {
                out[i].position[k] = p[k];
                out[i].velocity[k] = v[k];
                out[i].spin[k] = o[k];
            }
            for (int k = 0; k < 4; k++)
                out[i].rotation[k] = q[k];
        }
        return out;
    }
    void restore()
    {
        for (size_t i = 0; i < body.size(); i++) {
            const vp_sim_body &from = landed[i];
            const double *q = from.rotation;
            btTransform at;
            at.setOrigin(vector_of(from.position));
            at.setRotation(
                {static_cast<btScalar>(q[0]), static_cast<btScalar>(q[1]), static_cast<btScalar>(q[2]), static_cast<btScalar>(q[3])});
            body[i]->setWorldTransform(at);
            body[i]->setInterpolationWorldTransform(at);
            body[i]->setLinearVelocity(vector_of(from.velocity));
            body[i]->setAngularVelocity(vector_of(from.spin));
        }
    }
    void steps(uint32_t count)
    {
        gContactBreakingThreshold = btScalar(0.02); /* Bullet's default, which other peers change */
        world->steps(count, static_cast<btScalar>(scene->def.step));
    }
};

void *make(const vp_peer *, const vp_data *data)
{
    return unless_thrown([&]() -> void * {
        auto w = std::make_unique<BulletScene>();
        w->scene = static_cast<const vp_body_scene *>(data->set);
        w->ground.create(w->scene->triangle, w->scene->triangles);
        w->create_world();
        w->steps(w->scene->land);
        w->landed = w->bodies();
        return w.release();
    });
}

/* Puts bodies back to their landing positions and clears the contacts of the last run. */
bool rewind(void *argument)
{
    BulletScene &w = *static_cast<BulletScene *>(argument);
    return unless_thrown([&] {
        w.clear();
        w.create_world();
        w.restore();
        w.steps(VP_SCENE_WARM);
        return true;
    });
}

bool run(void *argument, uint32_t)
{
    BulletScene &w = *static_cast<BulletScene *>(argument);
    return unless_thrown([&] {
        w.steps(VP_SCENE_TIMED);
        return true;
    });
}

bool answers(void *argument, uint32_t, vp_peer_answers *out)
{
    BulletScene &w = *static_cast<BulletScene *>(argument);
    return unless_thrown([&] {
        w.end = w.bodies();
        w.result = {};
        w.result.landed = w.landed.data();
        w.result.end = w.end.data();
        std::copy(w.world->seconds, w.world->seconds + VP_SCENE_PARTS, w.result.seconds);
        for (int i = 0; i < w.dispatcher.getNumManifolds(); i++)
            w.result.contacts += static_cast<uint32_t>(w.dispatcher.getManifoldByIndexInternal(i)->getNumContacts());
        out->simulated = &w.result;
        return true;
    });
}

} // namespace

extern "C" const vp_peer vp_peers_simulate_bullet[] = {
    {"bullet", VP_DIGITS(BT_BULLET_VERSION),
     "btDiscreteDynamicsWorld, its own margins; 10 iterations, ours 4 small steps of 2; no btInternalEdgeUtility", VP_SIMULATE_ROW, false,
     true, make, rewind, run, answers, drop<BulletScene>},
    VP_PEERS_END};
