dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k0_stem_conv_stem_relu "67da56459af23ace" { dae.fold columns dae.tile rows 8 columns 3 channels 1 window 3 x 1 lanes 1 }
  dae.kernel @k1_down_conv_down_relu "bfce6ad1836a8f23" { dae.tile rows 4 columns 4 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 0 {
    dae.kernel @k2_block_conv1_block_relu1 "91bd7744d32e72cb" { dae.tile rows 4 columns 4 channels 1 window 3 x 3 lanes 2 dae.hand_over }
    dae.kernel @k3_block_conv2 "91bd7744d32e72cb" { dae.fuse @k4_block_add_block_relu "c9174dfac05d4647" operand 1 dae.tile rows 4 columns 4 channels 2 window 3 x 3 lanes 1 }
  }
  dae.kernel @k5_pool_max "2b7cfbc89e2d07cc" { dae.tile rows 2 columns 2 channels 2 window 2 x 2 lanes 1 }
  dae.kernel @k6_head_conv_head_relu "8e9d0bc188faa57f" { dae.tile rows 2 columns 2 channels 2 window 3 x 3 lanes 1 }
  dae.kernel @k7_head_average "94fdda5567e5ba80" { dae.tile rows 1 columns 1 channels 2 window 1 x 4 lanes 1 }
  dae.kernel @k8_classifier_gemm "25f6de19037bc5f3" { dae.tile rows 1 columns 1 channels 1 window 1 x 1 lanes 4 }
}
