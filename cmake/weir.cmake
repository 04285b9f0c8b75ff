# weir_module(NAME [IFMA] SOURCES ... [ISA_SOURCES ...] [DEPENDS ...])
#   A static library weir_NAME. ISA_SOURCES are compiled once for each instruction path with
#   WEIR_ISA set to its name (see base/isa.h); the others once. IFMA: the module has bodies for that path too.
# weir_test(NAME SOURCES ... DEPENDS ... [ARGS ...] [LABELS ...])
#   A cmocka program registered with CTest.

set(WEIR_ISAS portable)
if(NOT WEIR_PORTABLE_ONLY AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND WEIR_ISAS adx)
endif()
set(WEIR_ISA_FLAGS_portable "")
set(WEIR_ISA_FLAGS_adx -mbmi2 -madx)
# ifma stands on adx: scalar products there are those of adx
set(WEIR_ISA_FLAGS_ifma -mbmi2 -madx -mavx512f -mavx512ifma -DWEIR_ISA_IS_adx=1)

add_library(weir_flags INTERFACE)
if("adx" IN_LIST WEIR_ISAS)
  target_compile_definitions(weir_flags INTERFACE WEIR_HAVE_ADX=1)
endif()
target_include_directories(weir_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_features(weir_flags INTERFACE c_std_11)
target_compile_definitions(weir_flags INTERFACE _GNU_SOURCE)
target_compile_options(weir_flags INTERFACE
  -Wall -Wextra
  -Wshadow              # a second meaning of a name in a formula is a bug that waits
  -Wstrict-prototypes   # C11 still reads () as "anything"
  -Wmissing-prototypes  # what has no header is static
  -Wundef               # a misspelt macro in #if is not zero
  -Wvla                 # sizes are checked before memory is taken
  -Wcast-align
  -Wpointer-arith
  -Wwrite-strings
  -Wno-psabi            # vectors of 64 bytes are passed by address only, or inlined
  -fno-strict-aliasing  # mapped files and packed words are read through several types
  -ffp-contract=off
  -fvisibility=hidden)
if(WEIR_WERROR)
  target_compile_options(weir_flags INTERFACE -Werror)
endif()
if(WEIR_VERIFY)
  target_compile_definitions(weir_flags INTERFACE WEIR_VERIFY=1)
endif()
if(WEIR_ASSERTS)
  target_compile_options(weir_flags INTERFACE -UNDEBUG)
endif()
if(WEIR_SANITIZE)
  target_compile_options(weir_flags INTERFACE -fsanitize=${WEIR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(weir_flags INTERFACE -fsanitize=${WEIR_SANITIZE})
endif()

function(weir_module name)
  cmake_parse_arguments(M "IFMA" "" "SOURCES;ISA_SOURCES;DEPENDS" ${ARGN})
  add_library(weir_${name} STATIC ${M_SOURCES})
  target_link_libraries(weir_${name} PUBLIC weir_flags)
  foreach(dep ${M_DEPENDS})
    target_link_libraries(weir_${name} PUBLIC weir_${dep})
  endforeach()
  if(M_ISA_SOURCES)
    set(isas ${WEIR_ISAS})
    if(M_IFMA AND "adx" IN_LIST isas)
      list(APPEND isas ifma)
    endif()
    foreach(isa ${isas})
      add_library(weir_${name}_${isa} OBJECT ${M_ISA_SOURCES})
      target_compile_definitions(weir_${name}_${isa} PRIVATE WEIR_ISA=${isa} WEIR_ISA_IS_${isa}=1)
      target_compile_options(weir_${name}_${isa} PRIVATE ${WEIR_ISA_FLAGS_${isa}})
      target_link_libraries(weir_${name}_${isa} PRIVATE weir_flags)
      target_sources(weir_${name} PRIVATE $<TARGET_OBJECTS:weir_${name}_${isa}>)
    endforeach()
  endif()
endfunction()

function(weir_test name)
  if(NOT WEIR_TESTS)
    return()
  endif()
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;DEPENDS;ARGS;LABELS" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE weir_testkit)
  foreach(dep ${T_DEPENDS})
    target_link_libraries(${name} PRIVATE weir_${dep})
  endforeach()
  add_test(NAME ${name} COMMAND ${name} ${T_ARGS})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 600)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS "${T_LABELS}")
endfunction()
