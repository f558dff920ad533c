/* SPDX-License-Identifier: MIT */
#include "cases/case.h"
