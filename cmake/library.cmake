# weir_libraries()
#   libweir.so and libweir.a, of weir_api and what it needs, and what is installed with them.
#
# Both show the functions of include/weir/ and nothing else. The shared library has libsodium's archive in it where there is one; the
# static one is a single object, so that its inner names cannot meet those of the program that links it.

set(WEIR_SOVERSION 0)

# The archives of a target and of all it links, each once.
function(weir_archives out target)
  set(found ${${out}})
  if(TARGET ${target})
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY" AND NOT target IN_LIST found)
      list(APPEND found ${target})
      get_target_property(deps ${target} LINK_LIBRARIES)
      foreach(dep ${deps})
        weir_archives(found ${dep})
      endforeach()
    endif()
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

function(weir_shared_library)
  add_library(weir_shared SHARED $<TARGET_OBJECTS:weir_api>)
  get_target_property(deps weir_api LINK_LIBRARIES)
  target_link_libraries(weir_shared PRIVATE ${deps})
  # Names of archives (libsodium, CUDA) are not the library's.
  target_link_options(weir_shared PRIVATE LINKER:--exclude-libs,ALL LINKER:-z,relro,-z,now)
  if(NOT WEIR_SANITIZE AND NOT WEIR_FUZZ)
    target_link_options(weir_shared PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(weir_shared PROPERTIES OUTPUT_NAME weir VERSION ${PROJECT_VERSION}
                        SOVERSION ${WEIR_SOVERSION} LINKER_LANGUAGE C)
  weir_cuda_link(weir_shared)
endfunction()

function(weir_static_library)
  set(archives)
  weir_archives(archives weir_api)
  set(files)
  foreach(a ${archives})
    list(APPEND files $<TARGET_FILE:${a}>)
  endforeach()
  set(object ${PROJECT_BINARY_DIR}/libweir.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_LINKER} -r -o ${object} $<TARGET_OBJECTS:weir_api> --start-group ${files} --end-group
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${object}
    DEPENDS ${archives} $<TARGET_OBJECTS:weir_api>
    COMMENT "Joining the modules into libweir.o" COMMAND_EXPAND_LISTS VERBATIM)
  add_library(weir_static STATIC ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(weir_static PROPERTIES OUTPUT_NAME weir LINKER_LANGUAGE C)
endfunction()

# What a program that links the archive links too.
function(weir_pkg_config)
  set(WEIR_LIBS_PRIVATE "-lsodium -lhwloc -pthread")
  if(WEIR_HAVE_CUDA)
    foreach(dir ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES})
      if(EXISTS ${dir}/libcudart_static.a)
        string(APPEND WEIR_LIBS_PRIVATE " -L${dir} -lcudart_static")
        break()
      endif()
    endforeach()
    string(APPEND WEIR_LIBS_PRIVATE " -lstdc++ -ldl -lrt")
  endif()
  # The prefix is where the file lies, so an installed tree can be moved.
  file(RELATIVE_PATH WEIR_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" WEIR_PREFIX "${WEIR_PREFIX}")
  foreach(name weir weir-static)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endforeach()
endfunction()

function(weir_libraries)
  weir_shared_library()
  weir_static_library()
  install(TARGETS weir_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS weir_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
  weir_pkg_config()
endfunction()
