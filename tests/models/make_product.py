"""A product of small whole numbers of float32, which any order of its sums gives exactly, and an input of it."""
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
numbers = numpy.arange(40 * 24, dtype=numpy.float32)
weights = numpy_helper.from_array((numbers * 7 % 31 - 15).reshape(40, 24), 'weights')
graph = helper.make_graph(
    [helper.make_node('MatMul', ['x', 'weights'], ['sums'], name='product'),
     helper.make_node('Neg', ['sums'], ['y'], name='negated')],
    'product', [helper.make_tensor_value_info('x', TensorProto.FLOAT, [6, 40])],
    [helper.make_tensor_value_info('y', TensorProto.FLOAT, [6, 24])], [weights])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)])
model.ir_version = 8
onnx.save(model, f'{folder}/product.onnx')
numpy.save(f'{folder}/x.npy', (numbers[:240] * 5 % 17 - 8).reshape(6, 40))
