/* SPDX-License-Identifier: MIT */
/* The connected components of a grid. From each cell without a label, in order, all cells that can be reached by faces
 * get the next label. Pending cells are kept in a list. A cell enters it once, when it gets its label. */
#include <voxphys/kernel/blocks.h>

static bool is_set(const vp_components_job *job, size_t i)
{
    return job->cell != NULL ? job->cell[i] != 0 : (job->bits[i / 64] >> i % 64 & 1u) != 0;
}

/* Labels a cell, if it is set and has no label, and appends it to the list. */
static void label_cell(const vp_components_job *job, size_t i, uint32_t label, size_t *listed)
{
    if (job->label[i] != VP_NO_COMPONENT || !is_set(job, i))
        return;
    job->label[i] = label;
    job->scratch[(*listed)++] = (uint32_t)i;
}

uint32_t vp_components_scalar(const vp_components_job *job)
{
    const size_t along_z = job->size.x, along_y = along_z * job->size.z, cells = along_y * job->size.y;
    uint32_t count = 0;
    for (size_t i = 0; i < cells; i++)
        job->label[i] = VP_NO_COMPONENT;
    for (size_t first = 0; first < cells; first++) {
        size_t listed = 0;
        label_cell(job, first, count, &listed);
        count += listed != 0;
        while (listed != 0) {
            const size_t i = job->scratch[--listed];
            const size_t x = i % along_z, z = i / along_z % job->size.z, y = i / along_y;
            const uint32_t label = job->label[i];
            if (x > 0)
                label_cell(job, i - 1, label, &listed);
            if (x + 1 < job->size.x)
                label_cell(job, i + 1, label, &listed);
            if (z > 0)
                label_cell(job, i - along_z, label, &listed);
            if (z + 1 < job->size.z)
                label_cell(job, i + along_z, label, &listed);
            if (y > 0)
                label_cell(job, i - along_y, label, &listed);
            if (y + 1 < job->size.y)
                label_cell(job, i + along_y, label, &listed);
        }
    }
    return count;
}
