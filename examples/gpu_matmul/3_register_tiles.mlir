// A thread computes 4 x 4 sums, which stay in its registers: what it reads serves four of them.
cuda.schedule format 1 {
  cuda.product f16 [1, 1024, 1024, 1024] by fma tile [64, 64, 16] stages 2
}
