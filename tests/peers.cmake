# SPDX-License-Identifier: MIT
# Tests that compare hulls with CGAL's, where that is installed, with a C++ compiler; where it is not, they are told as skipped. Not with
# sanitizers and emulators, for which its own libraries are not made, nor twice: golden.digests holds other builds to the same hulls.
if(NOT part STREQUAL "all")
  return()
endif()
include(CheckLanguage)
check_language(CXX)
find_path(VOXPHYS_CGAL_INCLUDE CGAL/convex_hull_3.h)
find_path(VOXPHYS_BOOST_INCLUDE boost/numeric/conversion/conversion_traits.hpp)
find_library(VOXPHYS_MPFR mpfr)
set(test_cgal OFF)
if(CMAKE_CXX_COMPILER AND VOXPHYS_CGAL_INCLUDE AND VOXPHYS_BOOST_INCLUDE AND VOXPHYS_MPFR)
  set(test_cgal ON)
  enable_language(CXX)
  # It may not reorder what it computes. Without optimisation it takes minutes.
  set_property(SOURCE support/cgal_vertices.cpp APPEND PROPERTY COMPILE_OPTIONS -O2 -frounding-math -w)
  add_library(test_cgal_vertices OBJECT support/cgal_vertices.cpp)
  voxphys_target(test_cgal_vertices)
  target_compile_features(test_cgal_vertices PRIVATE cxx_std_17)
  target_include_directories(test_cgal_vertices PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_include_directories(test_cgal_vertices SYSTEM PRIVATE ${VOXPHYS_CGAL_INCLUDE} ${GMP_INCLUDE})
endif()

if(test_cgal)
  voxphys_test(hull_cgal hull/test_hull_cgal.c LIBRARIES voxphys_data)
  target_sources(test_hull_cgal PRIVATE $<TARGET_OBJECTS:test_cgal_vertices>)
  set_target_properties(test_hull_cgal PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(test_hull_cgal PRIVATE ${GMP_LIBRARY} ${VOXPHYS_MPFR})
  target_compile_definitions(test_hull_cgal PRIVATE TEST_EACH=$<IF:$<BOOL:${VOXPHYS_DEEP}>,1,12>) # of so many sets, one
else()
  add_test(NAME unit.hull_cgal COMMAND ${CMAKE_COMMAND} -E echo "CGAL (with Boost's headers, GMP and MPFR) is not here")
  set_tests_properties(unit.hull_cgal PROPERTIES LABELS unit SKIP_REGULAR_EXPRESSION "is not here")
endif()
