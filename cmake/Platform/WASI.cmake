# SPDX-License-Identifier: MIT
# WASI, which CMake 3.25 does not know: programs of WebAssembly, and archives of its objects; nothing is shared.
set(WASI 1)
set(CMAKE_EXECUTABLE_SUFFIX ".wasm")
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
