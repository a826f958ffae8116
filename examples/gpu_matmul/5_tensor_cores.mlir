// Eight warps share the tile, and tensor cores add up 16 x 8 sums with 16 products each at once.
cuda.schedule format 1 {
  cuda.product f16 [1, 1024, 1024, 1024] by tensor_cores tile [128, 128, 32] warps [2, 4] stages 3
}
