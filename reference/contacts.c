/* SPDX-License-Identifier: MIT */
#include <voxphys/contacts.h>
