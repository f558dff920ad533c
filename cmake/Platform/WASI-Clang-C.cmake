# SPDX-License-Identifier: MIT
# A module is one piece, and has all its addresses when it is linked: code that looks them up first would be slower for nothing.
set(CMAKE_C_COMPILE_OPTIONS_PIC "")
set(CMAKE_C_COMPILE_OPTIONS_PIE "")
