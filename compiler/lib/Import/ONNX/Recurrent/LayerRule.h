// The inputs and shapes of recurrent layers.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_RECURRENT_LAYERRULE_H
#define DAEDALUS_LIB_IMPORT_ONNX_RECURRENT_LAYERRULE_H

#include "OperatorTable.h"

namespace daedalus::onnximport {

bool rnn(NodeCheck &c);
bool gru(NodeCheck &c);
bool lstm(NodeCheck &c);

} // namespace daedalus::onnximport

#endif
