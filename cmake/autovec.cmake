# SPDX-License-Identifier: MIT
# The second scalar baseline: the reference kernels, compiled again from the same source and auto-vectorised for an instruction set. A
# generated header, included first, renames their functions from vp_<kernel>_scalar to vp_<kernel>_autovec_<isa>. The baseline exists for
# measurements. It is left out without benchmarks, and with sanitizers, which check the same source in the reference.

set(VOXPHYS_AUTOVEC_ISAS "" CACHE STRING "Instruction sets of the second scalar baseline; empty: those of the architecture")
if(VOXPHYS_SANITIZE OR NOT VOXPHYS_BENCH)
  set(VOXPHYS_AUTOVEC "")
elseif(VOXPHYS_AUTOVEC_ISAS)
  set(VOXPHYS_AUTOVEC ${VOXPHYS_AUTOVEC_ISAS})
elseif(VOXPHYS_ARCH STREQUAL "x86-64")
  set(VOXPHYS_AUTOVEC avx2 avx512)
elseif(VOXPHYS_ARCH STREQUAL "aarch64")
  set(VOXPHYS_AUTOVEC neon)
else()
  set(VOXPHYS_AUTOVEC "")
endif()

foreach(isa IN LISTS VOXPHYS_AUTOVEC)
  set(renames "/* Made by cmake/autovec.cmake. */\n")
  foreach(kernel IN LISTS VOXPHYS_KERNELS)
    string(APPEND renames "#define vp_${kernel}_scalar vp_${kernel}_autovec_${isa}\n")
  endforeach()
  foreach(shared IN ITEMS vp_kd_nearest vp_kd_each_hit vp_automaton_rule_beetle vp_automaton_rule_leaf vp_automaton_plant_leaf vp_automaton_rule_redwood vp_automaton_rule_oak vp_automaton_plant_tree
          vp_automaton_tree_interval) # called by a function of the same file
    string(APPEND renames "#define ${shared} ${shared}_autovec_${isa}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/autovec_${isa}.h CONTENT "${renames}" @ONLY)

  add_library(voxphys_autovec_${isa} OBJECT ${VOXPHYS_REFERENCE_KERNELS})
  voxphys_target(voxphys_autovec_${isa})
  target_compile_options(voxphys_autovec_${isa} PRIVATE -include ${PROJECT_BINARY_DIR}/autovec_${isa}.h
                         -ftree-vectorize ${VOXPHYS_FLAGS_${isa}})
  target_include_directories(voxphys_autovec_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
                             ${PROJECT_SOURCE_DIR})
endforeach()
