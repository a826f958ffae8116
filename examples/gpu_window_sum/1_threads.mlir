// Each thread computes one sum, and reads its window from global memory.
cuda.schedule format 1 {
  cuda.window f32 [1048576] over [32] by threads
}
