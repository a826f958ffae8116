dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.group lag 1 {
    dae.kernel @k2_conv0 "f09c6f7dbca4b703" { dae.fuse @k3_conv0_act "fb374a1d9ecdae7a" dae.fold columns dae.tile rows 32 columns 7 channels 2 window 3 x 1 lanes 1 }
    dae.kernel @k4_pool0 "4ab7f967d5cc30f4" { dae.tile rows 5 columns 26 channels 1 window 1 x 2 lanes 1 }
    dae.kernel @k5_conv1 "b81fc7a6ef587a69" { dae.fuse @k6_conv1_act "f0cf7b4daf7b952c" dae.tile rows 16 columns 16 channels 1 window 3 x 3 lanes 1 }
  }
  dae.group lag 1 {
    dae.kernel @k7_pool1 "66df40a62d3d77d4" { dae.tile rows 2 columns 32 channels 2 window 2 x 2 lanes 1 }
    dae.kernel @k8_conv2 "e3224dcfcef0c3d0" { dae.fuse @k9_conv2_act "fc8aaa20be973620" dae.tile rows 4 columns 32 channels 2 window 3 x 3 lanes 2 }
  }
  dae.group lag 1 {
    dae.kernel @k10_pool2 "e3f951c9c260a817" { dae.tile rows 3 columns 11 channels 4 window 1 x 2 lanes 1 }
    dae.kernel @k11_conv3 "65d350a796d748cf" { dae.fuse @k12_conv3_act "bc36d5ee80dedc81" dae.tile rows 2 columns 16 channels 4 window 3 x 3 lanes 2 }
    dae.kernel @k13_pool3 "e7151ce201567bb1" { dae.tile rows 2 columns 16 channels 4 window 1 x 2 lanes 1 }
  }
  dae.group lag 1 {
    dae.kernel @k14_conv4 "1e975e967ce6cf0a" { dae.fuse @k15_conv4_act "774ee320d85a448c" dae.tile rows 3 columns 16 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k16_pool4 "16999f14dee90b04" { dae.tile rows 1 columns 4 channels 16 window 2 x 2 lanes 1 }
    dae.kernel @k17_conv5 "48eb483099146581" { dae.fuse @k18_conv5_act "6a80f7f776e97843" dae.tile rows 4 columns 8 channels 4 window 3 x 3 lanes 4 }
  }
  dae.kernel @k19_conv6 "78e1a71a3a7f0f56" { dae.fuse @k20_conv6_act "30b1a59dd3259713" dae.tile rows 8 columns 8 channels 4 window 3 x 3 lanes 4 }
  dae.kernel @k21_conv7 "707dec4ff26d298a" { dae.fuse @k22_conv7_act "10d463465fb09f8c" dae.tile rows 1 columns 32 channels 4 window 1 x 1 lanes 13 }
  dae.kernel @k23_conv8 "48eb483099146581" { dae.fuse @k24_conv8_act "6a80f7f776e97843" dae.tile rows 8 columns 8 channels 4 window 3 x 3 lanes 2 }
  dae.kernel @k25_coarse "ad17b11ee77fe3b4" { dae.tile rows 1 columns 32 channels 4 window 1 x 1 lanes 8 }
  dae.group lag 1 {
    dae.kernel @k26_conv9 "572f5282acf7b585" { dae.fuse @k27_conv9_act "17e9b381e91987b7" dae.tile rows 1 columns 22 channels 4 window 1 x 1 lanes 4 }
    dae.kernel @k28_resize "401521ef65ef19d8" { dae.tile rows 1 columns 8 channels 4 window 1 x 1 lanes 1 }
    dae.kernel @k30_conv10 "5fc137abab8eea32" { dae.fuse @k31_conv10_act "774ee320d85a448c" dae.tile rows 4 columns 16 channels 8 window 3 x 3 lanes 2 }
  }
  dae.kernel @k32_fine "acce9b4673682801" { dae.tile rows 1 columns 37 channels 4 window 1 x 1 lanes 8 }
}
