// The cuda dialect: schedules, all that is decided about the code of kernels for GPUs (docs/schedules.md), and
// what of kernels libraries compute.

#ifndef DAEDALUS_TARGET_CUDA_SCHEDULE_TD
#define DAEDALUS_TARGET_CUDA_SCHEDULE_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Cuda_Dialect : Dialect {
  let name = "cuda";
  let cppNamespace = "::daedalus::cuda";
  let summary = "Schedules of kernels for GPUs, and what libraries compute of them";
}

class Cuda_Op<string mnemonic, list<Trait> traits = []> : Op<Cuda_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
}

def Cuda_ScheduleOp : Cuda_Op<"schedule", [IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock]> {
  let summary = "how the products and windows of a model are computed on a GPU, or some of them";
  let description = [{
    One `cuda.product` for all products of the same type and sizes; one more `by warpgroups`, which code for sm_90a
    obeys instead and other code leaves alone. One `cuda.window` for all windows of the same type and sizes. Those that
    are not here are scheduled by the compiler; those that the model does not have are left alone, so that one file may
    serve several models.

    ```mlir
    cuda.schedule format 1 {
      cuda.product f16 [1, 1024, 1024, 1024] by tensor_cores tile [128, 128, 32] warps [2, 4] stages 3
      cuda.product f16 [1, 1024, 1024, 1024] by warpgroups tile [128, 128, 64] warps [8, 1] stages 4
      cuda.product i8 [1, 49, 512, 4608] by threads
      cuda.window f32 [1, 56, 56, 64] over [3, 3] by shared tile [1, 8, 8, 32]
    }
    ```
  }];
  let arguments = (ins I64Attr:$format);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`format` $format attr-dict-with-keyword $body";
  let extraClassDeclaration = "static constexpr int64_t Format = 1;";
}

def Cuda_Threads : I32EnumAttrCase<"Threads", 0, "threads">;
def Cuda_Fma : I32EnumAttrCase<"Fma", 1, "fma">;
def Cuda_TensorCores : I32EnumAttrCase<"TensorCores", 2, "tensor_cores">;
def Cuda_Warpgroups : I32EnumAttrCase<"Warpgroups", 3, "warpgroups">;
def Cuda_Way : I32EnumAttr<"Way", "what computes a product",
                           [Cuda_Threads, Cuda_Fma, Cuda_TensorCores, Cuda_Warpgroups]> {
  let cppNamespace = "::daedalus::cuda";
}

def Cuda_ProductOp : Cuda_Op<"product", [HasParent<"ScheduleOp">]> {
  let summary = "products of a type and sizes, and the decisions about them";
  let description = [{
    `element` is the type of both factors, `sizes` are those of the batch, of M, N and K: M rows and K columns times K
    rows and N columns. Of a convolution M are the pixels of the output and K the window's elements.

    `by threads`: each thread computes one sum, from global memory. `by fma` and `by tensor_cores`: a block of threads
    computes `tile` rows and columns of the result, from tiles of both factors of that many elements along K, of which
    `stages` are in shared memory at once. `warps`: how many share the rows, and the columns, of the block's tile. `by
    fma` a block has 16 times 16 threads, whatever the tile is. `by warpgroups`: as by tensor cores, but four warps at a
    time, which share rows, read the factors from shared memory as they multiply (`wgmma`); GPUs of sm_90a have it.
  }];
  let arguments = (ins TypeAttr:$element, DenseI64ArrayAttr:$sizes, Cuda_Way:$way,
                       OptionalAttr<DenseI64ArrayAttr>:$tile, OptionalAttr<DenseI64ArrayAttr>:$warps,
                       OptionalAttr<I64Attr>:$stages);
  let assemblyFormat = [{
    $element $sizes `by` $way (`tile` $tile^)? (`warps` $warps^)? (`stages` $stages^)? attr-dict-with-keyword
  }];
}

def Cuda_OfThreads : I32EnumAttrCase<"Threads", 0, "threads">;
def Cuda_Shared : I32EnumAttrCase<"Shared", 1, "shared">;
def Cuda_WindowWay : I32EnumAttr<"WindowWay", "where windows are read", [Cuda_OfThreads, Cuda_Shared]> {
  let cppNamespace = "::daedalus::cuda";
}

def Cuda_WindowOp : Cuda_Op<"window", [HasParent<"ScheduleOp">]> {
  let summary = "reductions over windows of a type and sizes, and the decisions about them";
  let description = [{
    Pools, depthwise convolutions and other reductions whose windows overlap. `element` is the type of the image, `sizes`
    are those of the result, and `window` those of the window.

    `by threads`: each thread reads its window from global memory. `by shared`: a block of threads computes `tile`
    results along each dimension, whose part of the image it fetches to shared memory first.
  }];
  let arguments = (ins TypeAttr:$element, DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$window, Cuda_WindowWay:$way,
                       OptionalAttr<DenseI64ArrayAttr>:$tile);
  let assemblyFormat = "$element $sizes `over` $window `by` $way (`tile` $tile^)? attr-dict-with-keyword";
}

def Cuda_Factor : MemRefOf<[F32, F16, BF16, I8]>;

def Cuda_GemmOp : Cuda_Op<"gemm"> {
  let summary = "a product of matrices that a library computes, in destination-passing style";
  let description = [{
    `out[b, m, n]` becomes the sum over k of `x[b, m, k] * y[b, k, n]`, with `accumulates` that and what was there. Sizes
    are those of the batch, of M, N and K; strides are elements between neighbours of the batch, of rows and of columns,
    from the first element of each buffer on. Sums of floats are float32, of int8 int32.

    ```mlir
    cuda.gemm "cublas.matmul" %x, %y into %out sizes [1, 64, 48, 32] strides x [0, 32, 1] y [0, 48, 1] out [0, 48, 1]
      : memref<64x32xf16>, memref<32x48xf16>, memref<64x48xf32>
    ```
  }];
  let arguments = (ins StrAttr:$function, Arg<Cuda_Factor, "M rows, K columns", [MemRead]>:$x,
                       Arg<Cuda_Factor, "K rows, N columns", [MemRead]>:$y,
                       Arg<MemRefOf<[F32, I32]>, "M rows, N columns", [MemRead, MemWrite]>:$out,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$stridesX, DenseI64ArrayAttr:$stridesY,
                       DenseI64ArrayAttr:$stridesOut, UnitAttr:$accumulates);
  let assemblyFormat = [{
    $function $x `,` $y `into` $out `sizes` $sizes `strides` `x` $stridesX `y` $stridesY `out` $stridesOut
    (`accumulates` $accumulates^)? attr-dict `:` type($x) `,` type($y) `,` type($out)
  }];
}

def Cuda_ConvFactor : MemRefOf<[F32, F16]>;

def Cuda_ConvOp : Cuda_Op<"conv"> {
  let summary = "a convolution that a library computes, in destination-passing style";
  let description = [{
    `out[n, f, i, j]` becomes the sum over c, r and s of the image's element in channel c, row i * stride + r * dilation -
    pad and the column likewise, which is 0 outside, times `w[f, c, r, s]`; with `accumulates` that and what was there.
    `images` are N, C, H, W, and `filters` F, R, S; pads (on both sides), strides and dilations are of rows and columns.
    All lie dense in this order, with `channels_last` as N, H, W, C and F, R, S, C. Sums are float32; a result of
    float16 is rounded once.

    ```mlir
    cuda.conv "cudnn.conv" %x, %w into %out images [1, 8, 7, 7] filters [16, 3, 3] pads [1, 1] strides [2, 2]
      dilations [1, 1] channels_last : memref<1x7x7x8xf32>, memref<16x3x3x8xf32>, memref<1x4x4x16xf32>
    ```
  }];
  let arguments = (ins StrAttr:$function, Arg<Cuda_ConvFactor, "images", [MemRead]>:$x,
                       Arg<Cuda_ConvFactor, "filters", [MemRead]>:$w,
                       Arg<Cuda_ConvFactor, "the result", [MemRead, MemWrite]>:$out, DenseI64ArrayAttr:$images,
                       DenseI64ArrayAttr:$filters, DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, UnitAttr:$channelsLast, UnitAttr:$accumulates);
  let assemblyFormat = [{
    $function $x `,` $w `into` $out `images` $images `filters` $filters `pads` $pads `strides` $strides `dilations`
    $dilations (`channels_last` $channelsLast^)? (`accumulates` $accumulates^)? attr-dict `:` type($x) `,` type($w) `,`
    type($out)
  }];
}

#endif
