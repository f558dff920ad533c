# SPDX-License-Identifier: MIT
# Tests that compare hulls with CGAL's, where bench/ has it as a peer; where it is not, they are told as skipped. Not with
# sanitizers and emulators, for which its own libraries are not made, nor twice: golden.digests holds other builds to the same hulls.
if(NOT part STREQUAL "all")
  return()
endif()
set(test_cgal OFF)
if(TARGET voxphys_peer_cgal)
  set(test_cgal ON)
  enable_language(CXX) # for its linker
endif()

function(voxphys_compare_with_cgal test)
  target_sources(test_${test} PRIVATE $<TARGET_OBJECTS:voxphys_peer_cgal>)
  set_target_properties(test_${test} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(test_${test} PRIVATE ${VOXPHYS_GMP} ${VOXPHYS_MPFR})
  target_compile_definitions(test_${test} PRIVATE TEST_CGAL)
endfunction()

if(test_cgal)
  voxphys_test(hull_cgal hull/test_hull_cgal.c LIBRARIES voxphys_data)
  voxphys_compare_with_cgal(hull_cgal)
  target_compile_definitions(test_hull_cgal PRIVATE TEST_EACH=$<IF:$<BOOL:${VOXPHYS_DEEP}>,1,4>) # of so many sets, one
else()
  add_test(NAME unit.hull_cgal COMMAND ${CMAKE_COMMAND} -E echo "CGAL (with Boost's headers, GMP and MPFR) is not here")
  set_tests_properties(unit.hull_cgal PROPERTIES LABELS unit SKIP_REGULAR_EXPRESSION "is not here")
endif()

add_executable(test_hull_meshes hull/test_hull_meshes.c)
voxphys_target(test_hull_meshes)
set_target_properties(test_hull_meshes PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_include_directories(test_hull_meshes PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(test_hull_meshes SYSTEM PRIVATE ${GMP_INCLUDE})
target_link_libraries(test_hull_meshes PRIVATE test_support ${GMP_LIBRARY})
target_compile_definitions(test_hull_meshes PRIVATE ${thin})
if(test_cgal)
  voxphys_compare_with_cgal(hull_meshes)
endif()
voxphys_script(unit.hull_meshes hull/meshes.sh ${PROJECT_BINARY_DIR}/tests/test_hull_meshes LABEL unit PROPERTIES SKIP_RETURN_CODE 77)
