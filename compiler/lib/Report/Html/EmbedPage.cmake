# daedalus_embed_page(PAGE OUTPUT [-DNAME=VALUE...]): the page of a report as a C++ string, with Vega, which draws its
# charts (Page.cmake, which gets the definitions). Parts that its folder lacks are those of profiles' pages.
find_path(VEGA_FOLDER vega-view.min.js PATHS /usr/share/javascript/vega NO_DEFAULT_PATH)
if(NOT VEGA_FOLDER)
  message(FATAL_ERROR "Vega is missing, which draws the charts of reports; install Debian's package libjs-vega")
endif()

function(daedalus_embed_page page output)
  set(html ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  get_filename_component(folder ${page} DIRECTORY)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/* ${html}/page/*)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DPAGE=${page} -DSHARED=${html}/page -DVEGA=${VEGA_FOLDER}
            -DLICENCE=/usr/share/doc/libjs-vega/copyright ${ARGN} -DOUTPUT=${output} -P ${html}/Page.cmake
    DEPENDS ${html}/Page.cmake ${files} VERBATIM)
endfunction()
