# SPDX-License-Identifier: MIT
# Cross build for AArch64 with Debian's compiler, run in its emulator. Libraries that only the tools and the tests use
# come from the unpacked arm64 packages of cmake/aarch64-sysroot. Without them only the library builds.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libc.so.6
                OUTPUT_VARIABLE libc OUTPUT_STRIP_TRAILING_WHITESPACE)
get_filename_component(libc_root "${libc}/../.." REALPATH)

set(VOXPHYS_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-sysroot" CACHE PATH "Unpacked arm64 packages")
get_filename_component(packages "${VOXPHYS_SYSROOT}" ABSOLUTE)

set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;${libc_root};-E;LD_LIBRARY_PATH=${packages}/usr/lib/aarch64-linux-gnu;-cpu;max")
set(CMAKE_FIND_ROOT_PATH "${packages}" "${libc_root}")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${packages}/usr/lib/aarch64-linux-gnu/pkgconfig:${packages}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${packages}")
# Unpacked libraries need other unpacked libraries, so the linker needs their folder.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${packages}/usr/lib/aarch64-linux-gnu")
