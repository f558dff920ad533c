/* SPDX-License-Identifier: MIT */
/* ITK's ConnectedComponentImageFilter, which joins the runs of neighbour rows. Its input image is made before. */
#include "bench/peers/library.h"

#include <exception>

#include <itkConnectedComponentImageFilter.h>
#include <itkImage.h>
#include <itkVersion.h>

namespace
{

using Cells = itk::Image<uint8_t, 3>;
using Labels = itk::Image<uint32_t, 3>;
using Filter = itk::ConnectedComponentImageFilter<Cells, Labels>;

struct ItkLabelling {
    Cells::Pointer cells;
    Filter::Pointer filter;
};

void *make(const vp_peer *, const vp_data *data)
{
    const auto *job = static_cast<const vp_components_job *>(data->set);
    return unless_thrown<std::exception>([&]() -> void * {
        auto work = std::make_unique<ItkLabelling>();
        const Cells::SizeType size = {job->size.x, job->size.z, job->size.y};
        work->cells = Cells::New();
        work->cells->SetRegions(size);
        work->cells->Allocate();
        std::copy_n(job->cell, work->cells->GetLargestPossibleRegion().GetNumberOfPixels(), work->cells->GetBufferPointer());
        work->filter = Filter::New();
        work->filter->SetInput(work->cells);
        work->filter->FullyConnectedOff();
        work->filter->GetMultiThreader()->SetMaximumNumberOfThreads(1);
        work->filter->SetNumberOfWorkUnits(1);
        return work.release();
    });
}

bool run(void *work, uint32_t)
{
    Filter &filter = *static_cast<ItkLabelling *>(work)->filter;
    return unless_thrown<std::exception>([&] {
        filter.Modified(); // otherwise it has nothing to do
        filter.Update();
        return true;
    });
}

bool answers(void *work, uint32_t, vp_peer_answers *out)
{
    Filter &filter = *static_cast<ItkLabelling *>(work)->filter;
    out->label = filter.GetOutput()->GetBufferPointer();
    out->labels = static_cast<uint32_t>(filter.GetObjectCount());
    return true;
}

} // namespace

extern "C" const vp_peer vp_peers_components_itk[] = {
    {"itk", ITK_VERSION,
     "ITK " ITK_VERSION " ConnectedComponentImageFilter, faces, Update on a kept filter, 1 thread. For it: memory for "
     "labels is kept. Against it: it allocates its runs",
     VP_KERNEL_components, true, false, make, nullptr, run, answers, drop<ItkLabelling>},
    VP_PEERS_END};
