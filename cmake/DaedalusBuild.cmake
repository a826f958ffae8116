# Settings and the few functions by which every folder declares its libraries, tools and tests.

set(CMAKE_CXX_STANDARD 17) # exactly: Debian's SystemC links at no other
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Assertions stay on: they guard our own invariants, and user input never reaches them.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_RELEASE "-O2")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  # Sloppiness: so that it keeps what was compiled with precompiled headers (its manual, "Precompiled headers"). The cache
  # of inodes: so that it does not read these files of 400 MB again for each source.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_INODECACHE=1
      ${CCACHE_PROGRAM})
endif()

set(DAEDALUS_SANITIZE "" CACHE STRING "Sanitizers to build with, as for -fsanitize=")
# A value of an enumeration that a switch forgets is an error; `default:` would hide it (tests/repo/exhaustive.py).
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=switch)
if(DAEDALUS_SANITIZE)
  add_compile_options(-fsanitize=${DAEDALUS_SANITIZE} -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  # The sanitizer's dlopen stands for ours, and of a caller's paths it knows those of DT_RPATH alone.
  add_link_options(-fsanitize=${DAEDALUS_SANITIZE} -Wl,--disable-new-dtags)
endif()
# What an executable links for the sanitizers: their options (asan_options.c).
if(DAEDALUS_SANITIZE)
  add_library(DaedalusSanitizerOptions OBJECT ${CMAKE_CURRENT_LIST_DIR}/asan_options.c)
else()
  add_library(DaedalusSanitizerOptions INTERFACE)
endif()

find_program(LLD_PROGRAM NAMES ld.lld)
if(LLD_PROGRAM)
  add_link_options(-fuse-ld=lld)
endif()

# Libraries that are installed: libdaedalus_isa.so of DaedalusISA, which is Daedalus::isa to others. Those of one version
# fit each other alone, until there is a first one that promises more.
function(daedalus_shared name)
  string(REGEX REPLACE "^Daedalus" "" part ${name})
  string(TOLOWER ${part} part)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME daedalus_${part} EXPORT_NAME ${part}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(NOT DAEDALUS_SANITIZE) # whose runtime the executable has
    # A library calls its own functions directly: nobody replaces them.
    target_link_options(${name} PRIVATE -Wl,--no-undefined -Wl,-Bsymbolic-functions)
  endif()
  set_property(GLOBAL APPEND PROPERTY DAEDALUS_SHARED ${name})
endfunction()

# daedalus_add_library(NAME SOURCES... [SHARED] LINK libraries...)
# A library whose public headers lie in `include` beside the calling CMakeLists.txt or above it.
function(daedalus_add_library name)
  cmake_parse_arguments(ARG "SHARED" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  if(ARG_SHARED)
    add_library(${name} SHARED ${ARG_SOURCES})
    daedalus_shared(${name})
  else()
    add_library(${name} STATIC ${ARG_SOURCES})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
endfunction()

# daedalus_add_test(NAME SOURCES... LINK libraries...): one GoogleTest binary, one ctest entry.
function(daedalus_add_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE DaedalusSanitizerOptions ${ARG_LINK} GTest::gtest GTest::gmock
                                        GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE DAEDALUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             DAEDALUS_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(DAEDALUS_SANITIZE)
    math(EXPR ARG_TIMEOUT "3 * ${ARG_TIMEOUT}")
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()

# Packages and benchmarks call oneDNN 2 by its own headers, which Debian's libdnnl-dev has: where it is, `target` gets their
# folder and DAEDALUS_ONEDNN_HEADERS.
function(daedalus_use_onednn target)
  find_path(ONEDNN_INCLUDE_DIR oneapi/dnnl/dnnl.h)
  if(ONEDNN_INCLUDE_DIR)
    file(STRINGS ${ONEDNN_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h onednn_2 REGEX "DNNL_VERSION_MAJOR 2$")
    if(onednn_2)
      target_include_directories(${target} SYSTEM PRIVATE ${ONEDNN_INCLUDE_DIR})
      target_compile_definitions(${target} PRIVATE DAEDALUS_ONEDNN_HEADERS)
    endif()
  endif()
endfunction()
