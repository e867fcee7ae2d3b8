# A bill of materials (SPDX 2.3, JSON): what weft is made of and needs, with the versions that this build found, and licences.
# The same text for the same sources and versions: it has no time but that of the sources.
#
# weft_sbom(OUT): writes it. A dependency that is not in this table does not belong in the build; tests/tree/sbom_test.py compares
# the table with what the files link and load.
set(WEFT_SBOM_PACKAGES "")
set(WEFT_SBOM_RELATIONS "")

# How weft relates to it: the relation of SPDX, from the dependency to weft or (STATIC_LINK, DYNAMIC_LINK, CONTAINS) back.
function(weft_material name version licence relation where)
  if(version STREQUAL "")
    set(version NOASSERTION)
  endif()
  string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "SPDXRef-${name}")
  string(REGEX REPLACE "^@" "%40" in_url "${name}")
  string(TOLOWER "${in_url}" in_url)
  set(purl "pkg:${where}/${in_url}")
  if(NOT version STREQUAL "NOASSERTION")
    string(APPEND purl "@${version}")
  endif()
  set(package "    {
      \"SPDXID\": \"${id}\",
      \"name\": \"${name}\",
      \"versionInfo\": \"${version}\",
      \"downloadLocation\": \"NOASSERTION\",
      \"filesAnalyzed\": false,
      \"licenseConcluded\": \"${licence}\",
      \"licenseDeclared\": \"${licence}\",
      \"copyrightText\": \"NOASSERTION\",
      \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": \"${purl}\"}]")
  list(APPEND WEFT_SBOM_PACKAGES "${package}\n    }")
  if(relation MATCHES "_OF$")
    set(line "{\"spdxElementId\": \"${id}\", \"relationshipType\": \"${relation}\", \"relatedSpdxElement\": \"SPDXRef-weft\"}")
  else()
    set(line "{\"spdxElementId\": \"SPDXRef-weft\", \"relationshipType\": \"${relation}\", \"relatedSpdxElement\": \"${id}\"}")
  endif()
  list(APPEND WEFT_SBOM_RELATIONS "    ${line}")
  set(WEFT_SBOM_PACKAGES "${WEFT_SBOM_PACKAGES}" PARENT_SCOPE)
  set(WEFT_SBOM_RELATIONS "${WEFT_SBOM_RELATIONS}" PARENT_SCOPE)
endfunction()

# The packages of npm whose licences go into reports (report_page.cmake), in the versions that the lock file pins by checksum.
macro(weft_web_materials)
  file(READ ${PROJECT_SOURCE_DIR}/src/report/web/package-lock.json weft_lock)
  foreach(licence_file IN LISTS WEFT_CHART_LICENCES)
    get_filename_component(folder ${licence_file} DIRECTORY)
    file(READ ${folder}/package.json description)
    string(JSON name GET "${description}" name)
    string(JSON version GET "${description}" version)
    string(JSON licence GET "${description}" license)
    string(JSON pinned GET "${weft_lock}" packages "node_modules/${name}" version)
    if(NOT pinned STREQUAL version)
      message(FATAL_ERROR "${name} ${version} is not what package-lock.json pins (${pinned}): run npm ci in ${WEFT_NPM_DIR}")
    endif()
    weft_material(${name} ${version} "${licence}" CONTAINS npm)
  endforeach()
endmacro()

function(weft_sbom out)
  # Linked, or compiled in (headers).
  weft_material(fmt "${fmt_VERSION}" MIT DYNAMIC_LINK generic)
  weft_material(zlib "${ZLIB_VERSION_STRING}" Zlib DYNAMIC_LINK generic)
  weft_material(gcc-runtime "${CMAKE_CXX_COMPILER_VERSION}" "GPL-3.0-or-later WITH GCC-exception-3.1" DYNAMIC_LINK generic)
  weft_material(glibc "" LGPL-2.1-or-later DYNAMIC_LINK generic)
  weft_material(nlohmann-json "${nlohmann_json_VERSION}" MIT STATIC_LINK generic)
  weft_material(fast_float "${FastFloat_VERSION}" "Apache-2.0 OR MIT" STATIC_LINK generic)
  weft_material(boost-math "${Boost_VERSION_STRING}" BSL-1.0 STATIC_LINK generic)
  weft_material(random123 "" BSD-3-Clause STATIC_LINK generic)
  if(WEFT_BUILD_CLI)
    weft_material(cli11 "${CLI11_VERSION}" BSD-3-Clause STATIC_LINK generic)
  endif()
  # Loaded by name at run time, where it is there.
  weft_material(openblas "" BSD-3-Clause RUNTIME_DEPENDENCY_OF generic)
  weft_material(sqlite "" blessing OPTIONAL_DEPENDENCY_OF generic)
  weft_material(libpq "" PostgreSQL OPTIONAL_DEPENDENCY_OF generic)
  if(TARGET weft_mpi)
    weft_material(openmpi "${MPI_CXX_VERSION}" BSD-3-Clause-Open-MPI OPTIONAL_DEPENDENCY_OF generic)
    weft_material(scalapack "" BSD-3-Clause OPTIONAL_DEPENDENCY_OF generic)
  endif()
  if(TARGET pybind11::module)
    weft_material(pybind11 "${pybind11_VERSION}" BSD-3-Clause STATIC_LINK generic)
    weft_material(numpy "" BSD-3-Clause RUNTIME_DEPENDENCY_OF pypi)
    weft_material(scipy "" BSD-3-Clause RUNTIME_DEPENDENCY_OF pypi)
    weft_material(scikit-learn "" BSD-3-Clause RUNTIME_DEPENDENCY_OF pypi)
  endif()
  weft_web_materials()
  list(JOIN WEFT_SBOM_PACKAGES ",\n" packages)
  list(JOIN WEFT_SBOM_RELATIONS ",\n" relations)
  # What identifies the document is its contents.
  string(SHA256 contents "${PROJECT_VERSION}${packages}${relations}")
  set(given "$ENV{SOURCE_DATE_EPOCH}")
  set(ENV{SOURCE_DATE_EPOCH} ${WEFT_SOURCE_DATE})  # which the next line reads
  string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
  set(ENV{SOURCE_DATE_EPOCH} ${given})
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "weft-@PROJECT_VERSION@",
  "documentNamespace": "urn:weft:sbom:@PROJECT_VERSION@:@contents@",
  "creationInfo": {"created": "@created@", "creators": ["Tool: weft-cmake"]},
  "documentDescribes": ["SPDXRef-weft"],
  "packages": [
    {
      "SPDXID": "SPDXRef-weft",
      "name": "weft",
      "versionInfo": "@PROJECT_VERSION@",
      "downloadLocation": "NOASSERTION",
      "filesAnalyzed": false,
      "licenseConcluded": "BSD-3-Clause",
      "licenseDeclared": "BSD-3-Clause",
      "copyrightText": "Copyright (c) 2026, the weft authors",
      "primaryPackagePurpose": "LIBRARY"
    },
@packages@
  ],
  "relationships": [
    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-weft"},
@relations@
  ]
}
]])
endfunction()
