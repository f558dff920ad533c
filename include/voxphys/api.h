/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_API_H
#define VOXPHYS_API_H

/** @file api.h
 *  What the other headers are written with. */

/** Marks a public declaration: the shared library exports these and nothing else. Programs that link the shared library define VP_SHARED,
 * which Windows needs; the CMake target and pkg-config do it for them. The library's own build defines VP_BUILD_SHARED. */
#if defined(_WIN32) && defined(VP_BUILD_SHARED)
#define VP_API __declspec(dllexport)
#elif defined(_WIN32) && defined(VP_SHARED)
#define VP_API __declspec(dllimport)
#elif defined(VP_BUILD_SHARED)
#define VP_API __attribute__((visibility("default")))
#else
#define VP_API
#endif

/** A conversion in C or in C++, for compilers that warn of the other's. */
#ifdef __cplusplus
#define VP_CAST(type, value) static_cast<type>(value)
#else
#define VP_CAST(type, value) ((type)(value))
#endif

#endif
