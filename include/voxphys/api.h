/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_API_H
#define VOXPHYS_API_H

/** @file
 *  Macros of the other headers. */

/** Exports a public declaration. Programs that link the shared library on Windows define VP_SHARED, as CMake and pkg-config do.
 *  VP_BUILD_SHARED is for the library's own build. */
#if defined(_WIN32) && defined(VP_BUILD_SHARED)
#define VP_API __declspec(dllexport)
#elif defined(_WIN32) && defined(VP_SHARED)
#define VP_API __declspec(dllimport)
#elif defined(VP_BUILD_SHARED)
#define VP_API __attribute__((visibility("default")))
#else
#define VP_API
#endif

/** Converts a value, without a warning in C and in C++. */
#ifdef __cplusplus
#define VP_CAST(type, value) static_cast<type>(value)
#else
#define VP_CAST(type, value) ((type)(value))
#endif

#endif
