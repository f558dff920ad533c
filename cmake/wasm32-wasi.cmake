# SPDX-License-Identifier: MIT
# Cross build for WebAssembly with Debian's clang and WASI's C library, run by node. Libraries that only the tools use come from the
# folder made by cmake/source-sysroot. Without it only the library builds.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}") # Platform/WASI.cmake
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-14 CACHE FILEPATH "The archiver: others make no index of such objects")
set(CMAKE_RANLIB llvm-ranlib-14 CACHE FILEPATH "The archive's index")

set(VOXPHYS_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../build/wasm-sysroot" CACHE PATH "Libraries built for WebAssembly")
get_filename_component(packages "${VOXPHYS_SYSROOT}" ABSOLUTE)

# Excludes the host's headers, which clang would search too.
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -idirafter /usr/include/wasm32-wasi -Wno-unused-command-line-argument")
set(CMAKE_FIND_ROOT_PATH "${packages}")
set(CMAKE_PREFIX_PATH "${packages}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${packages}/lib/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "")

# The stack has 8 MiB instead of the linker's 64 KiB. It lies before the data, so that a stack overflow ends the program.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=8388608 -Wl,--stack-first")
set(CMAKE_CROSSCOMPILING_EMULATOR "node;--no-warnings;${CMAKE_CURRENT_LIST_DIR}/run-wasi.mjs")
