# SPDX-License-Identifier: MIT
# voxphys_script(NAME SCRIPT [ARGUMENT...] [LABEL L] [COMPONENT C] [LONG] [TWICE] [PROPERTIES P V...]) adds one bash script as one CTest
# test. The environment of scripts contains VOXPHYS_SOURCE and VOXPHYS_BUILD (folders), the compilers and binutils of this build, and on
# PATH this build's command `voxphys`, which runs under the emulator in a cross build. VOXPHYS_SLOW is "slow" in builds that take many times
# as long, otherwise empty. VOXPHYS_DEEP is "deep" in tests before a release. The locale is always C.UTF-8.
# LONG: --quick leaves it out. TWICE: the address sanitizer's build runs it with the same arguments, so tests/run leaves it out of release.

set(VOXPHYS_TEST_PATH ${PROJECT_BINARY_DIR}/tests/bin)
# Use the system's Python, for which cmake/packages installs modules. A version manager's Python takes ten times as long to start.
file(MAKE_DIRECTORY ${VOXPHYS_TEST_PATH})
if(EXISTS /usr/bin/python3)
  file(CREATE_LINK /usr/bin/python3 ${VOXPHYS_TEST_PATH}/python3 SYMBOLIC)
endif()
if(TARGET voxphys_command)
  set(emulator "${CMAKE_CROSSCOMPILING_EMULATOR}")
  string(REPLACE ";" "' '" emulator "${emulator}")
  if(emulator)
    set(emulator "'${emulator}' ")
  endif()
  file(GENERATE OUTPUT ${VOXPHYS_TEST_PATH}/voxphys
    CONTENT "#!/bin/sh\nexec ${emulator}'$<TARGET_FILE:voxphys_command>' \"$@\"\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()

if(CMAKE_CXX_COMPILER)
  set(VOXPHYS_TEST_CXX ${CMAKE_CXX_COMPILER})
else()
  find_program(VOXPHYS_TEST_CXX NAMES c++ g++ clang++ clang++-14 REQUIRED)
endif()
find_program(VOXPHYS_BASH bash REQUIRED)

# Use GNU binutils, because the scripts read their output. A clang build would use its own.
set(VOXPHYS_TEST_OBJDUMP ${CMAKE_OBJDUMP})
if(NOT CMAKE_CROSSCOMPILING)
  find_program(VOXPHYS_GNU_OBJDUMP NAMES objdump REQUIRED)
  set(VOXPHYS_TEST_OBJDUMP ${VOXPHYS_GNU_OBJDUMP})
endif()

set(VOXPHYS_TEST_SLOW "")
if(NOT part MATCHES "all|answers" OR CMAKE_CROSSCOMPILING)
  set(VOXPHYS_TEST_SLOW slow)
endif()
set(VOXPHYS_TEST_DEEP "")
if(VOXPHYS_DEEP)
  set(VOXPHYS_TEST_DEEP deep)
endif()

# voxphys_component(FILE): the folder of a file is the component of its tests.
function(voxphys_component file)
  get_filename_component(component ${file} ABSOLUTE)
  get_filename_component(component ${component} DIRECTORY)
  get_filename_component(component ${component} NAME)
  set(component ${component} PARENT_SCOPE)
endfunction()

# voxphys_label(TEST COMPONENT) adds the component to a test's labels.
function(voxphys_label name component)
  get_property(labels TEST ${name} PROPERTY LABELS)
  if(NOT component IN_LIST labels)
    set_property(TEST ${name} APPEND PROPERTY LABELS ${component})
  endif()
endfunction()

# voxphys_timed(NAME COMPONENT COMMAND...) adds one CTest test with its component as a label, and writes its time to
# BUILD/cpu/COMPONENT/NAME.
function(voxphys_timed name component)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL voxphys_label ${name} ${component})") # deferred, because callers set LABELS
  add_test(NAME ${name} COMMAND ${VOXPHYS_BASH} ${PROJECT_SOURCE_DIR}/tests/timed.sh ${PROJECT_BINARY_DIR}/cpu/${component}/${name} ${ARGN})
endfunction()

function(voxphys_script name script)
  cmake_parse_arguments(arg "LONG;TWICE" "LABEL;COMPONENT" "PROPERTIES" ${ARGN})
  set(long "")
  if(arg_LONG)
    set(long ";long")
  endif()
  if(arg_TWICE)
    string(APPEND long ";twice")
  endif()
  voxphys_component(${script})
  if(arg_COMPONENT) # a command's script counts for the command's component
    set(component ${arg_COMPONENT})
  endif()
  voxphys_timed(${name} ${component} ${VOXPHYS_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${arg_UNPARSED_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABEL}${long}" TIMEOUT 600 ENVIRONMENT
    "VOXPHYS_SOURCE=${PROJECT_SOURCE_DIR};VOXPHYS_BUILD=${PROJECT_BINARY_DIR};VOXPHYS_SLOW=${VOXPHYS_TEST_SLOW};VOXPHYS_DEEP=${VOXPHYS_TEST_DEEP};CC=${CMAKE_C_COMPILER};CXX=${VOXPHYS_TEST_CXX};NM=${CMAKE_NM};OBJDUMP=${VOXPHYS_TEST_OBJDUMP};READELF=${CMAKE_READELF};LC_ALL=C.UTF-8;PATH=${VOXPHYS_TEST_PATH}:$ENV{PATH}"
    ${arg_PROPERTIES})
endfunction()
