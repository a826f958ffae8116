// Blocks of 16 x 16 threads fetch tiles of both factors together, and read them from shared memory.
cuda.schedule format 1 {
  cuda.product f16 [1, 1024, 1024, 1024] by fma tile [16, 16, 16] stages 2
}
