# SPDX-License-Identifier: MIT
# Files for find_package(voxphys), pkg-config voxphys and pkg-config voxphys-import after cmake --install.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/voxphys)

set(libraries voxphys)
if(TARGET voxphys_openmp)
  list(APPEND libraries voxphys_openmp)
endif()
install(TARGETS ${libraries} EXPORT voxphys
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(VOXPHYS_IMPORT) # a separate file, so that the core is found without the importers' packages
  install(TARGETS voxphys_import EXPORT voxphys-import
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT voxphys-import NAMESPACE voxphys:: DESTINATION ${package_dir} FILE voxphys-import-targets.cmake)
endif()
install(DIRECTORY include/voxphys ${PROJECT_BINARY_DIR}/include/voxphys DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(EXPORT voxphys NAMESPACE voxphys:: DESTINATION ${package_dir} FILE voxphys-targets.cmake)
configure_package_config_file(cmake/voxphys-config.cmake.in ${PROJECT_BINARY_DIR}/voxphys-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/voxphys-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/voxphys-config.cmake ${PROJECT_BINARY_DIR}/voxphys-config-version.cmake
        DESTINATION ${package_dir})

# The file finds its library relative to its own location, so that an installed tree can be moved. A static library needs the system's
# libraries.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(VOXPHYS_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(VOXPHYS_PC_LIBDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(VOXPHYS_PC_INCLUDEDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(VOXPHYS_PC_PREFIX "\${pcfiledir}/${up}")
  set(VOXPHYS_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(VOXPHYS_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(VOXPHYS_PC_SYSTEM "-lm")
if(WIN32)
  set(VOXPHYS_PC_SYSTEM "-ladvapi32")
endif()
if(BUILD_SHARED_LIBS)
  set(VOXPHYS_PC_CFLAGS " -DVP_SHARED")
  set(VOXPHYS_PC_LIBS "\nLibs.private: ${VOXPHYS_PC_SYSTEM}")
else()
  set(VOXPHYS_PC_CFLAGS "")
  set(VOXPHYS_PC_LIBS " ${VOXPHYS_PC_SYSTEM}")
endif()
configure_file(cmake/voxphys.pc.in ${PROJECT_BINARY_DIR}/voxphys.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/voxphys.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(VOXPHYS_IMPORT)
  list(JOIN VOXPHYS_IMPORT_MODULES " " VOXPHYS_PC_REQUIRES)
  configure_file(cmake/voxphys-import.pc.in ${PROJECT_BINARY_DIR}/voxphys-import.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/voxphys-import.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(BUILD_SHARED_LIBS) # the Python module, which finds the library relative to its own location
  set(VOXPHYS_PYTHON_DIR ${CMAKE_INSTALL_DATADIR}/voxphys/python CACHE STRING "Folder of the Python module, such as lib/python3/dist-packages")
  install(FILES python/voxphys.py DESTINATION ${VOXPHYS_PYTHON_DIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The pages that headers cite as docs/...
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "kernels/*.svg" PATTERN "images" EXCLUDE)
