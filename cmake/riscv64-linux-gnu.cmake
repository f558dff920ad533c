# SPDX-License-Identifier: MIT
# Cross build for RISC-V with Debian's gcc-riscv64-linux-gnu, run by qemu-user. The kernels are the scalar reference and plain C, because
# no set of its vector instructions exists here. Libraries that only the tools use come from the folder made by cmake/source-sysroot.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-linux-gnu-gcc)

set(VOXPHYS_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../build/riscv64-sysroot" CACHE PATH "Libraries built for RISC-V")
get_filename_component(packages "${VOXPHYS_SYSROOT}" ABSOLUTE)

set(CMAKE_FIND_ROOT_PATH "${packages}" /usr/riscv64-linux-gnu)
set(CMAKE_PREFIX_PATH "${packages}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${packages}/lib/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "")

# A static program needs no libraries of its own below the emulator.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64)
