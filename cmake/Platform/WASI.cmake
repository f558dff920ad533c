# SPDX-License-Identifier: MIT
# WASI, which CMake 3.25 does not know. It builds WebAssembly programs and static libraries, and has no shared
# libraries.
set(WASI 1)
set(CMAKE_EXECUTABLE_SUFFIX ".wasm")
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
