# The CUDA compiler, if it is wanted and there: sets WEIR_HAVE_CUDA.
# weir_cuda_library(NAME SOURCES ... DEPENDS ...), weir_cuda_program(NAME SOURCES ... DEPENDS ...)
#   Targets of .cu files. CMake writes a depfile for each, so an edited .cuh or .h rebuilds what includes it. Beside
#   each object lies OBJECT.ptxas, what ptxas said of registers and spills (tools/check_ptxas reads it).

set(WEIR_CUDA AUTO CACHE STRING "the CUDA backend: AUTO (if nvcc is there), ON (nvcc must be there), OFF")
set_property(CACHE WEIR_CUDA PROPERTY STRINGS AUTO ON OFF)

# Machine code for these GPUs. Daily work needs one; the preset cuda-release builds all of
#   80-real   A100: 64 integer lanes a multiprocessor and clock
#   86-real   RTX 30, A40: the same code runs, but 100 KB of shared memory in place of 164
#   89-real   RTX 40, L40
#   90-real   H100, H200: 228 KB of shared memory, bulk copies
#   100-real  B200
#   120-real  RTX 50, RTX PRO 6000 Blackwell
#   120-virtual  PTX: what comes later compiles it when it loads the program
set(WEIR_CUDA_ARCHITECTURES 90 CACHE STRING "as CMAKE_CUDA_ARCHITECTURES")

set(WEIR_HAVE_CUDA OFF)
if(WEIR_CUDA STREQUAL "AUTO" OR WEIR_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  # An older compiler knows not all of the architectures: without being asked for, it is no reason to fail.
  if(CMAKE_CUDA_COMPILER AND WEIR_CUDA STREQUAL "AUTO")
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE nvcc_says ERROR_QUIET)
    if(NOT nvcc_says MATCHES "release ([0-9]+)\\." OR CMAKE_MATCH_1 LESS 13)
      message(STATUS "CUDA backend: left out, ${CMAKE_CUDA_COMPILER} is not of CUDA 13.0 or later")
      unset(CMAKE_CUDA_COMPILER CACHE)
      unset(CMAKE_CUDA_COMPILER)
    endif()
  endif()
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES ${WEIR_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    set(WEIR_HAVE_CUDA ON)
  elseif(NOT WEIR_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "WEIR_CUDA is ON, but there is no nvcc: install the CUDA toolkit (13.0 or later), put nvcc on "
                        "the PATH or set CMAKE_CUDA_COMPILER, or set WEIR_CUDA to OFF")
  endif()
endif()
message(STATUS "CUDA backend: ${WEIR_HAVE_CUDA}")

function(weir_cuda_settings name)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(${name} PRIVATE
    -Xptxas=-v                          # registers and spills, to OBJECT.ptxas
    -Xcompiler=-Wall,-Wextra,-fvisibility=hidden,-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
  if(WEIR_WERROR)
    target_compile_options(${name} PRIVATE --Werror=all-warnings -Xcompiler=-Werror)
  endif()
  set_target_properties(${name} PROPERTIES
    CUDA_STANDARD 17
    CUDA_RUNTIME_LIBRARY Static         # runs where there is a driver and nothing else
    CUDA_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/tools/nvcc_log
    POSITION_INDEPENDENT_CODE ON)
endfunction()

# Of C libraries only the archives: their flags are not nvcc's.
function(weir_cuda_depends name)
  foreach(dep ${ARGN})
    target_link_libraries(${name} PRIVATE $<TARGET_FILE:weir_${dep}>)
    add_dependencies(${name} weir_${dep})
  endforeach()
endfunction()

function(weir_cuda_library name)
  cmake_parse_arguments(M "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${M_SOURCES})
  weir_cuda_settings(${name})
  weir_cuda_depends(${name} ${M_DEPENDS})
endfunction()

# A program of C that uses a CUDA library.
function(weir_cuda_link name)
  if(WEIR_HAVE_CUDA)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CUDA CUDA_RUNTIME_LIBRARY Static)
    target_link_options(${name} PRIVATE LINKER:--as-needed -static-libstdc++ -static-libgcc)
  endif()
endfunction()

function(weir_cuda_program name)
  cmake_parse_arguments(M "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${M_SOURCES})
  weir_cuda_settings(${name})
  weir_cuda_depends(${name} ${M_DEPENDS})
  target_link_options(${name} PRIVATE LINKER:--as-needed -static-libstdc++ -static-libgcc)
endfunction()
