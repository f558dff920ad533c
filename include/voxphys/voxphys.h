/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_H
#define VOXPHYS_H

/** @file voxphys.h
 *  All of the library. */

#include <voxphys/api.h>
#include <voxphys/broadphase.h>
#include <voxphys/broadphase_data.h>
#include <voxphys/contacts.h>
#include <voxphys/cpu.h>
#include <voxphys/edges.h>
#include <voxphys/edges_data.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/hull.h>
#include <voxphys/hull_data.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/kd.h>
#include <voxphys/kd_data.h>
#include <voxphys/mesh.h>
#include <voxphys/mesh_data.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>
#include <voxphys/terrain_data.h>
#include <voxphys/version.h>
#include <voxphys/world.h>
#include <voxphys/world_file.h>

#endif
