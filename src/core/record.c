/* SPDX-License-Identifier: MIT */
#include <voxphys/record.h>

uint32_t vp_record_draw_numbers(vp_record_draw draw)
{
    static const uint8_t numbers[VP_RECORD_DRAWS] = {0, 3, 6, 6, 6, 4, 9};
    return (uint32_t)draw < VP_RECORD_DRAWS ? numbers[draw] : 0;
}
