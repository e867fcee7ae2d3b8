# Headers, library, command, and what find_package(weft) reads. Nothing installed names a path of this machine.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(WEFT_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

install(TARGETS weft EXPORT weftTargets)
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${WEFT_PACKAGE_DIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)

if(WEFT_BUILD_C)
  install(TARGETS weft_c OPTIONAL)  # ./run does not build it
  install(FILES ${PROJECT_SOURCE_DIR}/c/weft.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

if(WEFT_BUILD_CLI)
  file(RELATIVE_PATH to_library ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(weft_cli PROPERTIES INSTALL_RPATH "$<$<BOOL:${BUILD_SHARED_LIBS}>:$ORIGIN/${to_library}>")
  install(TARGETS weft_cli)
  if(TARGET weft_mpi)
    install(TARGETS weft_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
  # The command writes its completions and its manual page itself.
  if(NOT CMAKE_CROSSCOMPILING)
    set(written ${PROJECT_BINARY_DIR}/shell)
    file(MAKE_DIRECTORY ${written})
    foreach(file "weft completion bash" "_weft completion zsh" "weft.fish completion fish" "weft.1 man")
      separate_arguments(words UNIX_COMMAND ${file})
      list(POP_FRONT words name)
      list(JOIN words " " arguments)
      install(CODE "execute_process(COMMAND $<TARGET_FILE:weft_cli> ${arguments} OUTPUT_FILE \"${written}/${name}\" COMMAND_ERROR_IS_FATAL ANY)")
    endforeach()
    install(FILES ${written}/weft DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${written}/_weft DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${written}/weft.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
    install(FILES ${written}/weft.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weftConfig.cmake.in ${PROJECT_BINARY_DIR}/weftConfig.cmake
  INSTALL_DESTINATION ${WEFT_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weftConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
  DESTINATION ${WEFT_PACKAGE_DIR})
