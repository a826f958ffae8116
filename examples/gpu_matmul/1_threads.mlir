// A thread computes one sum, and reads both factors from global memory.
cuda.schedule format 1 {
  cuda.product f16 [1, 1024, 1024, 1024] by threads
}
