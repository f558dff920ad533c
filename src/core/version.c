/* SPDX-License-Identifier: MIT */
#include <voxphys/version.h>

const char *vp_version_string(void)
{
    return VP_VERSION_STRING;
}
