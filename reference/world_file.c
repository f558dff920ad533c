/* SPDX-License-Identifier: MIT */
#include <voxphys/world_file.h>
