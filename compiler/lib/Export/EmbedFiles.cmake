# Text files as an initializer list of {name, text}: cmake -DINPUTS=a;b -DOUTPUT=file.inc -P EmbedFiles.cmake.
set(all)
foreach(input ${INPUTS})
  get_filename_component(name ${input} NAME)
  file(READ ${input} text)
  string(APPEND all "{\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${all}")
