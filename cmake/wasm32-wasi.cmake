# SPDX-License-Identifier: MIT
# Cross build for WebAssembly with Debian's clang and WASI's C library, run by node. Libraries that only the tools use come from
# a folder of their own (cmake/wasm-sysroot makes it); without it only the library builds.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}") # Platform/WASI.cmake
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-14 CACHE FILEPATH "The archiver: others make no index of such objects")
set(CMAKE_RANLIB llvm-ranlib-14 CACHE FILEPATH "The archive's index")

set(VOXPHYS_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../build/wasm-sysroot" CACHE PATH "Libraries built for WebAssembly")
get_filename_component(packages "${VOXPHYS_SYSROOT}" ABSOLUTE)

# The host's own headers and libraries are none of this: clang would look for headers there too.
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -idirafter /usr/include/wasm32-wasi -Wno-unused-command-line-argument")
set(CMAKE_FIND_ROOT_PATH "${packages}")
set(CMAKE_PREFIX_PATH "${packages}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${packages}/lib/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "")

# 64 KiB of stack is what the linker gives, behind the data; here it is 8 MiB, before it, so that what overflows it ends the program.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=8388608 -Wl,--stack-first")
set(CMAKE_CROSSCOMPILING_EMULATOR "node;--no-warnings;${CMAKE_CURRENT_LIST_DIR}/run-wasi.mjs")
