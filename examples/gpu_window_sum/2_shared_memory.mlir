// The 256 threads of a block fetch what their windows have in common together, and read it from shared memory.
cuda.schedule format 1 {
  cuda.window f32 [1048576] over [32] by shared tile [256]
}
