dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.group lag 1 {
    dae.kernel @k2_conv1_conv1_act "9e4bf248c51bc694" { dae.fold window dae.tile rows 6 columns 5 channels 4 window 1 x 1 lanes 10 }
    dae.kernel @k3_maxpool "ce29599ba67c5c64" { dae.tile rows 2 columns 14 channels 2 window 3 x 3 lanes 1 }
    dae.kernel @k4_layer1_0_conv1_layer1_0_conv1_act "daf6d4f4bee924a8" { dae.tile rows 7 columns 8 channels 1 window 3 x 3 lanes 2 }
  }
  dae.kernel @k5_layer1_0_conv2 "daf6d4f4bee924a8" { dae.fuse @k6_layer1_0_add_layer1_0_add_act "c345ecb3814f7ca8" dae.tile rows 8 columns 14 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k7_layer1_1_conv1_layer1_1_conv1_act "daf6d4f4bee924a8" { dae.tile rows 8 columns 14 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k8_layer1_1_conv2 "daf6d4f4bee924a8" { dae.fuse @k9_layer1_1_add_layer1_1_add_act "c345ecb3814f7ca8" dae.tile rows 14 columns 14 channels 1 window 3 x 3 lanes 2 }
  dae.kernel @k10_layer2_0_conv1_layer2_0_conv1_act "2c143970e623306a" { dae.tile rows 10 columns 7 channels 4 window 3 x 3 lanes 1 }
  dae.kernel @k12_layer2_0_downsample "32506eb5c61a7f56" { dae.tile rows 10 columns 4 channels 4 window 1 x 1 lanes 4 }
  dae.kernel @k11_layer2_0_conv2 "39a407af528905e1" { dae.fuse @k13_layer2_0_add_layer2_0_add_act "b4ece0fd97e0701d" dae.tile rows 5 columns 28 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k14_layer2_1_conv1_layer2_1_conv1_act "39a407af528905e1" { dae.tile rows 10 columns 14 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k15_layer2_1_conv2 "39a407af528905e1" { dae.fuse @k16_layer2_1_add_layer2_1_add_act "b4ece0fd97e0701d" dae.tile rows 5 columns 28 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k17_layer3_0_conv1_layer3_0_conv1_act "1a0b3e07e567b301" { dae.tile rows 14 columns 5 channels 4 window 3 x 3 lanes 1 dae.reorder channels }
  dae.kernel @k19_layer3_0_downsample "4c3be44c6b9aa41b" { dae.tile rows 7 columns 7 channels 3 window 1 x 1 lanes 4 }
  dae.kernel @k18_layer3_0_conv2 "5517d03bd5443c53" { dae.fuse @k20_layer3_0_add_layer3_0_add_act "c830325cde7eae5e" dae.tile rows 14 columns 7 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k21_layer3_1_conv1_layer3_1_conv1_act "5517d03bd5443c53" { dae.tile rows 14 columns 14 channels 2 window 3 x 3 lanes 1 }
  dae.kernel @k22_layer3_1_conv2 "5517d03bd5443c53" { dae.fuse @k23_layer3_1_add_layer3_1_add_act "c830325cde7eae5e" dae.tile rows 14 columns 7 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k24_layer4_0_conv1_layer4_0_conv1_act "252ab6392bcf07f5" { dae.tile rows 7 columns 7 channels 11 window 3 x 3 lanes 1 }
  dae.kernel @k26_layer4_0_downsample "2347d537cfe9de3f" { dae.tile rows 7 columns 7 channels 4 window 1 x 1 lanes 4 }
  dae.kernel @k25_layer4_0_conv2 "887b6926daa465af" { dae.fuse @k27_layer4_0_add_layer4_0_add_act "0e4f58ccda0a30bd" dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 2 }
  dae.kernel @k28_layer4_1_conv1_layer4_1_conv1_act "887b6926daa465af" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 2 }
  dae.group lag 1 {
    dae.kernel @k29_layer4_1_conv2 "887b6926daa465af" { dae.fuse @k30_layer4_1_add_layer4_1_add_act "0e4f58ccda0a30bd" dae.tile rows 7 columns 7 channels 5 window 3 x 3 lanes 5 }
    dae.kernel @k31_mean "e29a96481da60044" { dae.tile rows 1 columns 1 channels 3 window 1 x 49 lanes 1 }
  }
  dae.kernel @k32_classifier "fe31381f2be1ba2a" { dae.tile rows 1 columns 1 channels 9 window 1 x 1 lanes 8 }
}
