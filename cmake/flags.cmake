# SPDX-License-Identifier: MIT
# How everything is compiled. Nothing here is global: voxphys_target(T) gives a target the project's rules, voxphys_exports(T) makes
# a shared library export what is declared VP_API and nothing else, and voxphys_add_kernels(T VIA) adds the files of optimized/ for the
# instruction sets that are built that way, NATIVE or SIMDE, with their flags, file by file.

include(CheckIncludeFile)

if(NOT CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  message(FATAL_ERROR "voxphys builds with gcc and clang; this is ${CMAKE_C_COMPILER_ID}")
endif()
if(WIN32 AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "voxphys builds with clang for Windows: gcc puts AVX registers there on a stack that is not aligned for them (gcc bug 54412)")
endif()

# Equal bits on every machine: no contraction of a*b+c into one rounding.
set(VOXPHYS_EXACT -ffp-contract=off)
set(VOXPHYS_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Wcast-qual
    -Wwrite-strings -Wvla -Wformat=2)
set(VOXPHYS_C_WARNINGS -Wstrict-prototypes -Wmissing-prototypes -Wmissing-declarations
    -Werror=implicit-function-declaration)
# The scalar reference is compiled without the auto-vectoriser: it is the baseline named "scalar".
set(VOXPHYS_NO_AUTOVEC -fno-tree-vectorize -fno-tree-slp-vectorize)
set(VOXPHYS_ERRORS -Werror)
set(VOXPHYS_FAST -O3)
set(VOXPHYS_DEFINITIONS "")
set(VOXPHYS_LINKER "") # sanitizers make programs large, which LLVM's linker takes less time for, where it is
if(VOXPHYS_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "Clang" AND UNIX)
  find_program(VOXPHYS_LLD NAMES ld.lld)
  if(VOXPHYS_LLD)
    set(VOXPHYS_LINKER -fuse-ld=lld)
  endif()
endif()
set(VOXPHYS_SIMDE_FAST -O1) # these are compared, never timed: at -O3 they take half of the time that all kernels take to compile
set(VOXPHYS_SIMDE_WARNINGS -Wno-conversion -Wno-sign-conversion $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)

set(VOXPHYS_FLAGS_avx2 -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt)
set(VOXPHYS_FLAGS_avx512 ${VOXPHYS_FLAGS_avx2} -mavx512f -mavx512cd -mavx512bw -mavx512dq -mavx512vl)
set(VOXPHYS_FLAGS_neon "")
set(VOXPHYS_FLAGS_simd128 -msimd128)

# clang-cl reads options as cl does: some of these mean something else there (-Wall is everything), others nothing, and are passed over
# with a warning. Behind /clang: they are clang's. What it passes over nevertheless is an error.
if(CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
  if(VOXPHYS_SANITIZE OR BUILD_SHARED_LIBS)
    message(FATAL_ERROR "with clang-cl voxphys is a static library, and VOXPHYS_SANITIZE is for others")
  endif()
  foreach(options IN ITEMS EXACT WARNINGS C_WARNINGS NO_AUTOVEC ERRORS FAST SIMDE_FAST FLAGS_avx2 FLAGS_avx512)
    list(TRANSFORM VOXPHYS_${options} PREPEND "/clang:")
  endforeach()
  set(VOXPHYS_SIMDE_WARNINGS /clang:-Wno-conversion /clang:-Wno-sign-conversion /clang:-Wno-pass-failed)
  list(APPEND VOXPHYS_EXACT -Werror=unknown-argument)
  set(VOXPHYS_DEFINITIONS _CRT_SECURE_NO_WARNINGS) # Microsoft's headers warn of C's own functions
endif()

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
  string(TOUPPER "${VOXPHYS_SIMDE}" wanted)
  foreach(name IN LISTS VOXPHYS_SIMDE)
    if(NOT wanted MATCHES "^(ON|YES|TRUE|Y|1|OFF|NO|FALSE|N|0)$" AND NOT name IN_LIST VOXPHYS_ALL_ISAS)
      message(FATAL_ERROR "VOXPHYS_SIMDE is ${VOXPHYS_SIMDE}: not ON, not OFF, and no list of instruction sets of ${VOXPHYS_ALL_ISAS}")
    endif()
  endforeach()
  if(VOXPHYS_PROGRAMS AND NOT wanted MATCHES "^(OFF|NO|FALSE|N|0|)$" AND NOT VOXPHYS_ARCH STREQUAL "wasm32")
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
    if("${${isa}}" STREQUAL "SIMDE" AND NOT wanted MATCHES "^(ON|YES|TRUE|Y|1)$" AND NOT isa IN_LIST VOXPHYS_SIMDE)
      set(${isa} "")
    endif()
    set(VOXPHYS_VIA_${isa} "${${isa}}" PARENT_SCOPE)
  endforeach()
endfunction()

function(voxphys_target target)
  target_compile_features(${target} PRIVATE c_std_17) # not of those who link it: C++ alone will do
  set_target_properties(${target} PROPERTIES C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE
    ${VOXPHYS_EXACT} ${VOXPHYS_WARNINGS} $<$<COMPILE_LANGUAGE:C>:${VOXPHYS_C_WARNINGS}>
    $<$<BOOL:${VOXPHYS_WERROR}>:${VOXPHYS_ERRORS}> $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:C>>:${VOXPHYS_FAST}>)
  target_compile_definitions(${target} PRIVATE VP_KERNEL_PROTOTYPES ${VOXPHYS_DEFINITIONS})
  if(VOXPHYS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${VOXPHYS_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${VOXPHYS_SANITIZE} ${VOXPHYS_LINKER})
  endif()
endfunction()

function(voxphys_exports target)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden DEFINE_SYMBOL VP_BUILD_SHARED)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    target_compile_definitions(${target} INTERFACE VP_SHARED)
  endif()
endfunction()

# The target's registry is told of the native sets, and where VIA is SIMDE of both.
function(voxphys_add_kernels target via)
  voxphys_find_isas()
  foreach(isa IN LISTS VOXPHYS_ALL_ISAS)
    if(VOXPHYS_VIA_${isa} STREQUAL "NATIVE" OR VOXPHYS_VIA_${isa} STREQUAL via)
      target_compile_definitions(${target} PRIVATE VP_HAVE_${isa}=VP_VIA_${VOXPHYS_VIA_${isa}})
    endif()
    if(NOT VOXPHYS_VIA_${isa} STREQUAL via)
      continue()
    endif()
    foreach(file IN LISTS VOXPHYS_SOURCES_${isa})
      target_sources(${target} PRIVATE ${file})
      if(VOXPHYS_SANITIZE MATCHES "address.*undefined")
        # The address sanitizer sees accesses that these say of pointers, and the compiler takes minutes for them here.
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=null,object-size,pointer-overflow)
      endif()
      if(via STREQUAL "NATIVE")
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${VOXPHYS_FLAGS_${isa}})
      else()
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${VOXPHYS_SIMDE_WARNINGS} $<$<CONFIG:Release>:${VOXPHYS_SIMDE_FAST}>)
      endif()
    endforeach()
  endforeach()
endfunction()
