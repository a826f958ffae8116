# cmake --install: programs, libraries, headers, the hardware's sources, a CMake package (find_package(Daedalus)) and
# daedalus.pc for the C API.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY DAEDALUS_SHARED)
foreach(library ${libraries})
  set_target_properties(${library} PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
  target_include_directories(${library} SYSTEM INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
set_target_properties(daedalus dae-opt PROPERTIES
  INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS daedalus dae-opt EXPORT DaedalusTargets)
install(TARGETS ${libraries} DaedalusISAHeaders EXPORT DaedalusTargets)
if(TARGET DaedalusMpi)
  install(TARGETS DaedalusMpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# Completion for bash, of the commands and options that daedalus declares.
set(completion ${PROJECT_BINARY_DIR}/completions/daedalus)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completions)
add_custom_command(OUTPUT ${completion} COMMAND daedalus completion bash > ${completion} DEPENDS daedalus VERBATIM)
add_custom_target(daedalus_completion ALL DEPENDS ${completion})
install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

set(headers FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
foreach(folder isa/include simulator/include runtime/include compiler/include)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${headers})
endforeach()
foreach(folder isa/generated/include compiler/include)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${headers})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/hw DESTINATION ${CMAKE_INSTALL_DATADIR}/daedalus)
install(DIRECTORY ${PROJECT_BINARY_DIR}/lib/rtl DESTINATION ${CMAKE_INSTALL_LIBDIR}/daedalus
  FILES_MATCHING PATTERN "*.so")
install(DIRECTORY ${PROJECT_BINARY_DIR}/lib/soc DESTINATION ${CMAKE_INSTALL_LIBDIR}/daedalus
  FILES_MATCHING PATTERN "*.so" PATTERN "*.elf")

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Daedalus)
install(EXPORT DaedalusTargets NAMESPACE Daedalus:: DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/DaedalusConfig.cmake.in ${PROJECT_BINARY_DIR}/DaedalusConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/DaedalusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/DaedalusConfig.cmake ${PROJECT_BINARY_DIR}/DaedalusConfigVersion.cmake
  DESTINATION ${package_folder})
file(RELATIVE_PATH DAEDALUS_PC_TO_INCLUDE ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/daedalus.pc.in ${PROJECT_BINARY_DIR}/daedalus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/daedalus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
