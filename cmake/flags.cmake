# SPDX-License-Identifier: MIT
# How everything is compiled. Nothing here is global: voxphys_target(T) gives a target the project's rules, and
# voxphys_add_kernels(T FAMILY...) adds optimized/FAMILY_<isa>.c with that instruction set's flags, file by file.

include(CheckIncludeFile)

if(NOT CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  message(FATAL_ERROR "voxphys builds with gcc and clang; this is ${CMAKE_C_COMPILER_ID}")
endif()

# Equal bits on every machine: no contraction of a*b+c into one rounding.
set(VOXPHYS_EXACT -ffp-contract=off)
set(VOXPHYS_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Wcast-qual
    -Wwrite-strings -Wvla -Wformat=2)
set(VOXPHYS_C_WARNINGS -Wstrict-prototypes -Wmissing-prototypes -Wmissing-declarations
    -Werror=implicit-function-declaration)
# The scalar reference is compiled without the auto-vectoriser: it is the baseline named "scalar".
set(VOXPHYS_NO_AUTOVEC -fno-tree-vectorize -fno-tree-slp-vectorize)

set(VOXPHYS_FLAGS_avx2 -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt)
set(VOXPHYS_FLAGS_avx512 ${VOXPHYS_FLAGS_avx2} -mavx512f -mavx512cd -mavx512bw -mavx512dq -mavx512vl)
set(VOXPHYS_FLAGS_neon "")
set(VOXPHYS_FLAGS_simd128 -msimd128)

# Which instruction sets this build has, and how: VOXPHYS_VIA_<isa> is NATIVE, SIMDE or empty.
set(VOXPHYS_ALL_ISAS avx2 avx512 neon simd128)
set(VOXPHYS_ARCH "other")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(VOXPHYS_ARCH "x86-64")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(VOXPHYS_ARCH "aarch64")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^wasm32$")
  set(VOXPHYS_ARCH "wasm32")
endif()

function(voxphys_find_isas)
  set(avx2 "")
  set(avx512 "")
  set(neon "")
  set(simd128 "")
  set(simde FALSE)
  if(VOXPHYS_SIMDE AND NOT VOXPHYS_ARCH STREQUAL "wasm32")
    check_include_file(simde/simde-features.h VOXPHYS_HAVE_SIMDE)
    set(simde ${VOXPHYS_HAVE_SIMDE})
    if(NOT simde)
      message(STATUS "voxphys: SIMDe's headers are not here; kernels of other architectures are left out")
    endif()
  endif()
  if(NOT VOXPHYS_SIMD)
    # scalar only
  elseif(VOXPHYS_ARCH STREQUAL "x86-64")
    set(avx2 NATIVE)
    set(avx512 NATIVE)
    if(simde)
      set(neon SIMDE)
      set(simd128 SIMDE)
    endif()
  elseif(VOXPHYS_ARCH STREQUAL "aarch64")
    set(neon NATIVE)
    if(simde)
      set(avx2 SIMDE)
      set(simd128 SIMDE)
    endif()
  elseif(VOXPHYS_ARCH STREQUAL "wasm32")
    set(simd128 NATIVE)
  endif()
  foreach(isa IN LISTS VOXPHYS_ALL_ISAS)
    set(VOXPHYS_VIA_${isa} "${${isa}}" PARENT_SCOPE)
  endforeach()
endfunction()

function(voxphys_target target)
  target_compile_features(${target} PUBLIC c_std_17)
  set_target_properties(${target} PROPERTIES C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE
    ${VOXPHYS_EXACT} ${VOXPHYS_WARNINGS} $<$<COMPILE_LANGUAGE:C>:${VOXPHYS_C_WARNINGS}>
    $<$<BOOL:${VOXPHYS_WERROR}>:-Werror> $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:C>>:-O3>)
  if(VOXPHYS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${VOXPHYS_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${VOXPHYS_SANITIZE})
  endif()
endfunction()

function(voxphys_add_kernels target)
  voxphys_find_isas()
  set(definitions "")
  foreach(isa IN LISTS VOXPHYS_ALL_ISAS)
    if(NOT VOXPHYS_VIA_${isa})
      continue()
    endif()
    list(APPEND definitions VP_HAVE_${isa}=VP_VIA_${VOXPHYS_VIA_${isa}})
    foreach(family IN LISTS ARGN)
      set(file optimized/${family}_${isa}.c)
      target_sources(${target} PRIVATE ${file})
      if(VOXPHYS_SANITIZE MATCHES "address.*undefined")
        # The address sanitizer sees accesses that these say of pointers, and the compiler takes minutes for them here.
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=null,object-size,pointer-overflow)
      endif()
      if(VOXPHYS_VIA_${isa} STREQUAL "NATIVE")
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${VOXPHYS_FLAGS_${isa}})
      else()
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS -Wno-conversion -Wno-sign-conversion
                     $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
      endif()
    endforeach()
  endforeach()
  set_property(SOURCE core/registry.c APPEND PROPERTY COMPILE_DEFINITIONS "${definitions}")
endfunction()
