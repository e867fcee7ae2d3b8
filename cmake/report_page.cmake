# What reports are made of: our style and script, and Vega with Vega-Lite as npm fetched them (scripts/setup.sh). Without
# them reports have no charts, and say so.
include(cmake/embed.cmake)
set(WEFT_NPM_DIR ${PROJECT_SOURCE_DIR}/build/npm CACHE PATH "Folder where npm ci was run with src/report/web/package.json")
file(GLOB WEFT_CHART_LIBRARY CONFIGURE_DEPENDS ${WEFT_NPM_DIR}/node_modules/vega/build/vega.min.js
     ${WEFT_NPM_DIR}/node_modules/vega-lite/build/vega-lite.min.js)
list(LENGTH WEFT_CHART_LIBRARY found)
if(found EQUAL 2)
  # The bundles hold these packages; their licences ask to be passed on.
  file(GLOB WEFT_CHART_LICENCES CONFIGURE_DEPENDS ${WEFT_NPM_DIR}/node_modules/vega/LICENSE ${WEFT_NPM_DIR}/node_modules/vega-lite/LICENSE
       ${WEFT_NPM_DIR}/node_modules/vega-interpreter/LICENSE
       ${WEFT_NPM_DIR}/node_modules/d3-*/LICENSE ${WEFT_NPM_DIR}/node_modules/internmap/LICENSE
       ${WEFT_NPM_DIR}/node_modules/delaunator/LICENSE ${WEFT_NPM_DIR}/node_modules/robust-predicates/LICENSE
       ${WEFT_NPM_DIR}/node_modules/topojson-client/LICENSE)
  set(notices ${CMAKE_CURRENT_BINARY_DIR}/embedded/licences.txt)
  set(text "")
  foreach(licence IN LISTS WEFT_CHART_LICENCES)
    get_filename_component(folder ${licence} DIRECTORY)
    get_filename_component(package ${folder} NAME)
    file(READ ${folder}/package.json description)
    string(JSON version GET "${description}" version)
    file(READ ${licence} terms)
    string(STRIP "${terms}" terms)
    string(APPEND text "${package} ${version}\n\n${terms}\n\n")
  endforeach()
  file(CONFIGURE OUTPUT ${notices} CONTENT "${text}" @ONLY)
  list(APPEND WEFT_CHART_LIBRARY ${notices})
  # For the page of weft serve, whose policy does not let scripts make code of texts. It is written as a module that
  # imports from vega-util, which vega.min.js has.
  set(interpreter ${WEFT_NPM_DIR}/node_modules/vega-interpreter/build/vega-interpreter.js)
  if(EXISTS ${interpreter})
    file(READ ${interpreter} text)
    string(REGEX REPLACE "import ({[^}]*}) from 'vega-util'" "const \\1 = window.vega" text "${text}")
    string(REGEX REPLACE "export { expression as expressionInterpreter };.*" "window.vegaInterpreter = expression;" text "${text}")
    set(interpreter ${CMAKE_CURRENT_BINARY_DIR}/embedded/vega-interpreter.js)
    file(CONFIGURE OUTPUT ${interpreter} CONTENT "(() => {\n${text}\n})();\n" @ONLY)
    list(APPEND WEFT_CHART_LIBRARY ${interpreter})
  endif()
else()
  set(WEFT_CHART_LIBRARY "")
  message(STATUS "Reports will have no charts: npm has not fetched Vega into ${WEFT_NPM_DIR} (./run and ./test do)")
endif()
weft_embed(weft serve_page src/serve/web/serve.html src/serve/web/serve.css src/serve/web/serve.js)
weft_embed(weft page src/report/web/page.css src/report/web/page.js ${WEFT_CHART_LIBRARY})
