# Runs TOOL with PYTHON into FRESH and fails unless it equals HEADER.
execute_process(COMMAND ${PYTHON} ${TOOL} OUTPUT_FILE ${FRESH} RESULT_VARIABLE rc)
if(NOT rc EQUAL 0)
  message(FATAL_ERROR "${TOOL} failed")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FRESH} ${HEADER} RESULT_VARIABLE rc)
if(NOT rc EQUAL 0)
  message(FATAL_ERROR "${HEADER} is not what ${TOOL} writes")
endif()
