# What Debian's policy asks of the files before cpack packs them: copyright and changelogs in their place, compressed manual pages, no
# debugging symbols in the static library. cpack runs it once per package.
file(GLOB roots ${CPACK_TEMPORARY_DIRECTORY}/weft ${CPACK_TEMPORARY_DIRECTORY}/mpi)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH

function(compress file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# weft's licence, those of the chart library that the library holds, and where the others are listed.
function(write_copyright out)
  file(READ ${CPACK_WEFT_SOURCE}/LICENSE weft)
  set(charts "")
  if(EXISTS ${CPACK_WEFT_NOTICES})
    file(READ ${CPACK_WEFT_NOTICES} charts)
    string(PREPEND charts "Reports contain the following packages. The text of the Apache License 2.0,
where it is named, is in /usr/share/common-licenses/Apache-2.0.\n\n")
  endif()
  file(WRITE ${out} "weft\n\n${weft}
Everything that weft is made of and needs is listed, with versions and licences,
in /usr/share/weft/weft.spdx.json.

${charts}")
endfunction()

foreach(root IN LISTS roots)
  cmake_path(GET root FILENAME component)
  string(REPLACE "weft-weft" "weft" package weft-${component})
  set(documents ${root}/usr/share/doc/${package})
  file(MAKE_DIRECTORY ${documents})
  write_copyright(${documents}/copyright)
  file(COPY_FILE ${CPACK_WEFT_SOURCE}/CHANGELOG.md ${documents}/changelog)
  file(WRITE ${documents}/changelog.Debian "weft (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * What is new in weft ${CPACK_PACKAGE_VERSION} is in changelog.gz.

 -- ${CPACK_WEFT_MAINTAINER}  ${date}
")
  compress(${documents}/changelog)
  compress(${documents}/changelog.Debian)
  if(EXISTS ${root}/usr/share/zsh/site-functions)  # Debian's zsh looks for those of packages elsewhere
    file(RENAME ${root}/usr/share/zsh/site-functions ${root}/usr/share/zsh/vendor-completions)
  endif()
  file(GLOB_RECURSE manuals ${root}/usr/share/man/*.1)
  foreach(manual IN LISTS manuals)
    compress(${manual})
  endforeach()
  file(GLOB_RECURSE archives ${root}/usr/lib/*.a)
  foreach(archive IN LISTS archives)
    execute_process(COMMAND strip --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives ${archive}
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(GLOB_RECURSE files ${root}/usr/share/* ${root}/usr/include/* ${root}/usr/lib/*.a ${root}/usr/lib/*.cmake ${root}/usr/lib/*.pc)
  file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
