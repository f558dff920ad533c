/* SPDX-License-Identifier: MIT */
/* VIGRA's labelVolumeWithBackground, a union-find over cells. Its newer labelMultiArrayWithBackground is slower. */
#include "bench/peers/library.h"

#include <exception>
#include <iostream> // labelvolume.hxx uses std::cerr

#include <vigra/config_version.hxx>
#include <vigra/labelvolume.hxx>
#include <vigra/multi_array.hxx>

namespace
{

struct VigraLabelling {
    vigra::MultiArrayView<3, uint8_t, vigra::UnstridedArrayTag> cells; // read only
    vigra::MultiArray<3, uint32_t> label;
    uint32_t labels;
};

void *make(const vp_peer *, const vp_data *data)
{
    const auto *job = static_cast<const vp_components_job *>(data->set);
    return unless_thrown<std::exception>([&]() -> void * {
        auto work = std::make_unique<VigraLabelling>();
        const vigra::Shape3 size(job->size.x, job->size.z, job->size.y);
        work->cells = {size, const_cast<uint8_t *>(job->cell)};
        work->label.reshape(size);
        return work.release();
    });
}

bool run(void *work, uint32_t)
{
    VigraLabelling &w = *static_cast<VigraLabelling *>(work);
    return unless_thrown<std::exception>([&] {
        w.labels = vigra::labelVolumeWithBackground(w.cells, w.label, vigra::NeighborCode3DSix(), uint8_t{0});
        return true;
    });
}

bool answers(void *work, uint32_t, vp_peer_answers *out)
{
    const VigraLabelling &w = *static_cast<VigraLabelling *>(work);
    out->label = w.label.data();
    out->labels = w.labels;
    return true;
}

} // namespace

extern "C" const vp_peer vp_peers_components_vigra[] = {
    {"vigra", VIGRA_VERSION,
     "VIGRA " VIGRA_VERSION " labelVolumeWithBackground, 6 neighbours, 1 thread. For it: memory for labels is kept. "
     "Against it: it allocates its union-find",
     VP_KERNEL_components, true, false, make, nullptr, run, answers, drop<VigraLabelling>},
    VP_PEERS_END};
