/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_H
#define VOXPHYS_H

/** @file voxphys.h
 *  All of the library. */

#include <voxphys/api.h>
#include <voxphys/automaton.h>
#include <voxphys/block_jobs.h>
#include <voxphys/block_shapes.h>
#include <voxphys/block_store.h>
#include <voxphys/blocks.h>
#include <voxphys/broadphase.h>
#include <voxphys/buoyancy.h>
#include <voxphys/casts.h>
#include <voxphys/character.h>
#include <voxphys/compound.h>
#include <voxphys/contacts.h>
#include <voxphys/cpu.h>
#include <voxphys/decompose.h>
#include <voxphys/edges.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/hull.h>
#include <voxphys/import.h>
#include <voxphys/kd.h>
#include <voxphys/kernel/automaton.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernel/broadphase.h>
#include <voxphys/kernel/decompose.h>
#include <voxphys/kernel/hull.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernel/narrowphase.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/kernel/spheretree.h>
#include <voxphys/kernel/surface.h>
#include <voxphys/kernel/terrain.h>
#include <voxphys/kernels.h>
#include <voxphys/mass.h>
#include <voxphys/memory.h>
#include <voxphys/mesh.h>
#include <voxphys/narrowphase.h>
#include <voxphys/record.h>
#include <voxphys/regions.h>
#include <voxphys/shapes.h>
#include <voxphys/spheretree.h>
#include <voxphys/status.h>
#include <voxphys/surroundings.h>
#include <voxphys/terrain.h>
#include <voxphys/version.h>
#include <voxphys/world.h>
#include <voxphys/world_file.h>

#endif
