// A thread computes eight sums, so that what a block fetches beyond its own results is a smaller part.
cuda.schedule format 1 {
  cuda.window f32 [1048576] over [32] by shared tile [2048]
}
