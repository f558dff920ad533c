# SPDX-License-Identifier: MIT
# A module is linked as one piece with fixed addresses, so position-independent code would only be slower.
set(CMAKE_C_COMPILE_OPTIONS_PIC "")
set(CMAKE_C_COMPILE_OPTIONS_PIE "")
