/* SPDX-License-Identifier: MIT */
/* Shared code of the C++ peers. Their work is an object, and their functions catch std::bad_alloc. */
#ifndef VP_BENCH_LIBRARY_H
#define VP_BENCH_LIBRARY_H

#include <array>
#include <memory>
#include <new>
#include <vector>

#include "bench/peers/peer.h"

/* Returns the result of `f`, or false or nullptr if it throws Exception. */
template <class Exception = std::bad_alloc, class F> auto unless_thrown(F f) -> decltype(f())
{
    try {
        return f();
    } catch (const Exception &) {
        return {};
    }
}

template <class Work> void drop(void *work)
{
    delete static_cast<Work *>(work);
}

/* An answer that consists of places and triangles. */
struct Triangles {
    std::vector<vp_vec3> place;
    std::vector<std::array<uint32_t, 3>> triangle;

    void clear()
    {
        place.clear();
        triangle.clear();
    }
    bool tell(vp_peer_answers *out) const
    {
        out->place = place.data();
        out->triangle = reinterpret_cast<const uint32_t(*)[3]>(triangle.data());
        out->places = static_cast<uint32_t>(place.size());
        out->triangles = static_cast<uint32_t>(triangle.size());
        return true;
    }
};

#endif
