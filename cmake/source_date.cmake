# When the sources are from, in seconds since 1970: what stands for the time in everything that is built, so that it comes out the
# same whenever it is built. SOURCE_DATE_EPOCH where it is set (reproducible-builds.org), else the last commit, else that of
# releases without git.
set(WEFT_SOURCE_DATE "$ENV{SOURCE_DATE_EPOCH}")
find_program(GIT_PROGRAM git)
mark_as_advanced(GIT_PROGRAM)
if(NOT WEFT_SOURCE_DATE AND GIT_PROGRAM AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_PROGRAM} -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE WEFT_SOURCE_DATE
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT WEFT_SOURCE_DATE)
  set(WEFT_SOURCE_DATE 1767225600)  # 2026-01-01
endif()
