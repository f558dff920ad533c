/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_API_H
#define VOXPHYS_API_H

/** @file api.h
 *  What the library exports: the functions and tables that are declared VP_API, and nothing else. */

/** Marks a public declaration. Programs that link the shared library define VP_SHARED, which Windows needs; the CMake target
 *  and pkg-config do it for them. The library's own build defines VP_BUILD_SHARED. */
#if defined(_WIN32) && defined(VP_BUILD_SHARED)
#define VP_API __declspec(dllexport)
#elif defined(_WIN32) && defined(VP_SHARED)
#define VP_API __declspec(dllimport)
#elif defined(VP_BUILD_SHARED)
#define VP_API __attribute__((visibility("default")))
#else
#define VP_API
#endif

#endif
