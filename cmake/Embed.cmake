# A text file as a C++ string: cmake -DINPUT=file -DOUTPUT=file.inc -P Embed.cmake. To be included where an
# expression stands.
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "R\"embedded(${text})embedded\"\n")
