# SPDX-License-Identifier: MIT
# Tests that compare hulls with CGAL's, where bench/ has it as a peer; where it is not, they are told as skipped. Not with
# sanitizers and emulators, for which its own libraries are not made, nor twice: golden.digests holds other builds to the same hulls.
if(NOT part STREQUAL "all")
  return()
endif()
if(TARGET voxphys_peer_cgal)
  enable_language(CXX) # for its linker
  voxphys_test(hull_cgal hull/test_hull_cgal.c LIBRARIES voxphys_data)
  target_sources(test_hull_cgal PRIVATE $<TARGET_OBJECTS:voxphys_peer_cgal>)
  set_target_properties(test_hull_cgal PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(test_hull_cgal PRIVATE ${VOXPHYS_GMP} ${VOXPHYS_MPFR})
  target_compile_definitions(test_hull_cgal PRIVATE TEST_EACH=$<IF:$<BOOL:${VOXPHYS_DEEP}>,1,12>) # of so many sets, one
else()
  add_test(NAME unit.hull_cgal COMMAND ${CMAKE_COMMAND} -E echo "CGAL (with Boost's headers, GMP and MPFR) is not here")
  set_tests_properties(unit.hull_cgal PROPERTIES LABELS unit SKIP_REGULAR_EXPRESSION "is not here")
endif()
