# The page of a report as a C++ string:
#   cmake -DPAGE=page/report.html -DSHARED=page -DVEGA=/usr/share/javascript/vega -DLICENCE=copyright
#     [-DDAGRE=data -DDAGRE_LICENCE=copyright] -DOUTPUT=report_page.inc -P Page.cmake
# The template with its marks "@@file NAME@@" replaced by files of its folder or else of the shared one, "@@vega@@" by
# Vega's packages, and dagre where it is given. The marks of a run stay.
cmake_minimum_required(VERSION 3.25) # so that text with @ stays as it is
set(vega_packages
  vega-util vega-time vega-format vega-loader vega-dataflow vega-canvas vega-scale vega-scenegraph vega-statistics
  vega-expression vega-selections vega-functions vega-event-selector vega-parser vega-runtime vega-view
  vega-transforms vega-view-transforms vega-encode)

get_filename_component(folder ${PAGE} DIRECTORY)
file(READ ${PAGE} page)
string(REGEX MATCHALL "@@file [a-z._]+@@" marks "${page}")
foreach(mark IN LISTS marks)
  string(REGEX REPLACE "@@file ([a-z._]+)@@" "\\1" name "${mark}")
  if(EXISTS ${folder}/${name})
    file(READ ${folder}/${name} text)
  else()
    file(READ ${SHARED}/${name} text)
  endif()
  string(REPLACE "${mark}" "${text}" page "${page}")
endforeach()

set(vega "")
foreach(package IN LISTS vega_packages)
  string(REPLACE "vega-selections" "vega-selection" file ${package}) # Debian's name of it
  file(READ ${VEGA}/${file}.min.js text)
  string(REGEX REPLACE "\n//# sourceMappingURL=[^\n]*" "" text "${text}")
  string(APPEND vega "definePackage(\"${package}\", function (module, exports, require) {\n${text}\n});\n")
endforeach()
if(DAGRE)
  file(READ ${DAGRE}/dagre.min.js text)
  string(APPEND vega "definePackage(\"dagre\", function (module, exports, require) {\n${text}\n});\n")
endif()
string(REPLACE "@@vega@@" "${vega}" page "${page}")
foreach(licence LICENCE DAGRE_LICENCE)
  if(NOT ${licence})
    continue()
  endif()
  file(READ ${${licence}} text)
  string(REPLACE "&" "&amp;" text "${text}")
  string(REPLACE "<" "&lt;" text "${text}")
  string(REPLACE "@@${licence}@@" "${text}" page "${page}")
endforeach()
file(WRITE ${OUTPUT} "R\"embedded(${page})embedded\"\n")
