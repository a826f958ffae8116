// RUN: dae-opt %s --split-input-file --verify-diagnostics

func.func @noTensor(%t: memref<64xi8>) {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  // expected-error @below {{expects source to be a dae.tensor}}
  %l = dae.load %t -> %a {run = 64 : i64} : memref<64xi8> -> memref<4x16xi8, #dae.scope<inp>>
  return
}

// -----

func.func @scalarOperand(%s: i32) {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{expects the first operand in a buffer; a constant is its immediate}}
  %v = dae.vector <mov> %s -> %a : i32 -> memref<4x16xi32, #dae.scope<acc>>
  return
}

// -----

func.func @strides() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  %t = dae.tensor {base = 1 : i64, offset = 0 : i64} : memref<64xi8>
  // expected-error @below {{expects 2 strides in each loop, found #dae.loop<2 x (16)>}}
  %l = dae.store %a -> %t {run = 16 : i64, loops = [#dae.loop<2 x (16)>]} : memref<4x16xi8, #dae.scope<out>> -> memref<64xi8>
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error @below {{expects a static, dense memref, found 'memref<4x16xi8, strided<[32, 1]>, #dae.scope<inp>>'}}
  %a = dae.alloc : memref<4x16xi8, strided<[32, 1]>, #dae.scope<inp>>
  return
}

// -----

func.func @tensorInAScratchpad() {
  // expected-error @below {{is in DRAM and cannot have the type 'memref<64xi8, #dae.scope<inp>>'}}
  %t = dae.tensor {base = 1 : i64, offset = 0 : i64} : memref<64xi8, #dae.scope<inp>>
  return
}

// -----

func.func @originAlone() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %t = dae.tensor {base = 1 : i64, offset = 0 : i64} : memref<64xi8>
  // expected-error @below {{expects origin and extent together}}
  %l = dae.load %t -> %a {run = 64 : i64, origin = array<i64: 0, 0>} : memref<64xi8> -> memref<4x16xi8, #dae.scope<inp>>
  return
}

// -----

func.func @originOfThree() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %t = dae.tensor {base = 1 : i64, offset = 0 : i64} : memref<64xi8>
  // expected-error @below {{expects origin and extent as [y, x]}}
  %l = dae.load %t -> %a {run = 64 : i64, origin = array<i64: 0, 0, 0>, extent = array<i64: 1, 1, 1>} : memref<64xi8> -> memref<4x16xi8, #dae.scope<inp>>
  return
}

// -----

func.func @twoRowsOfGemm() {
  %i = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %w = dae.alloc : memref<4x256xi8, #dae.scope<wgt>>
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{'dae.gemm' op expects three first rows}}
  %g = dae.gemm %i, %w -> %a {rows = array<i64: 0, 0>} : memref<4x16xi8, #dae.scope<inp>>, memref<4x256xi8, #dae.scope<wgt>> -> memref<4x16xi32, #dae.scope<acc>>
  return
}

// -----

func.func @twoRowsOfVector() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{'dae.vector' op expects three first rows}}
  %v = dae.vector <mov> %a -> %a {rows = array<i64: 0, 0>} : memref<4x16xi32, #dae.scope<acc>> -> memref<4x16xi32, #dae.scope<acc>>
  return
}

// -----

// expected-error @below {{has the entry @main, which is not a function with a body}}
"host.package"() <{entry = @main, layers = [], inputs = [], outputs = []}> : () -> ()
func.func private @main()

// -----

func.func private @kernel(%x: tensor<2xi8>) -> tensor<2xi8>
func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
  // expected-error @below {{has 2 offsets for 1 results}}
  %y = host.step @kernel(%x) {target = "cpu", layers = array<i64: 0>, offsets = array<i64: 0, 64>} : (tensor<2xi8>) -> tensor<2xi8>
  return %y : tensor<2xi8>
}
