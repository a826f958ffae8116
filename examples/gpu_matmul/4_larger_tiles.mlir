// 8 x 8 sums a thread, and four stages: three are on their way while one is added up.
cuda.schedule format 1 {
  cuda.product f16 [1, 1024, 1024, 1024] by fma tile [128, 128, 16] stages 4
}
