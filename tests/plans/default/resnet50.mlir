dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.group lag 1 {
    dae.kernel @k2_conv1_conv1_act "9e4bf248c51bc694" { dae.fold window dae.tile rows 2 columns 14 channels 4 window 1 x 1 lanes 10 }
    dae.kernel @k3_maxpool "ce29599ba67c5c64" { dae.tile rows 2 columns 7 channels 4 window 3 x 3 lanes 1 }
    dae.kernel @k4_layer1_0_conv1_layer1_0_conv1_act "938f26280ea15eac" { dae.tile rows 1 columns 33 channels 4 window 1 x 1 lanes 4 }
  }
  dae.kernel @k5_layer1_0_conv2_layer1_0_conv2_act "daf6d4f4bee924a8" { dae.tile rows 8 columns 14 channels 2 window 3 x 3 lanes 4 }
  dae.kernel @k7_layer1_0_downsample "ebcad525be8da676" { dae.tile rows 1 columns 62 channels 8 window 1 x 1 lanes 4 dae.reorder channels }
  dae.kernel @k6_layer1_0_conv3 "ebcad525be8da676" { dae.fuse @k8_layer1_0_add_layer1_0_add_act "23ca4c0c2bbd447c" dae.tile rows 1 columns 88 channels 8 window 1 x 1 lanes 1 }
  dae.kernel @k9_layer1_1_conv1_layer1_1_conv1_act "dfafd1e9af337722" { dae.tile rows 1 columns 75 channels 4 window 1 x 1 lanes 8 }
  dae.kernel @k10_layer1_1_conv2_layer1_1_conv2_act "daf6d4f4bee924a8" { dae.tile rows 8 columns 14 channels 2 window 3 x 3 lanes 4 }
  dae.kernel @k11_layer1_1_conv3 "ebcad525be8da676" { dae.fuse @k12_layer1_1_add_layer1_1_add_act "23ca4c0c2bbd447c" dae.tile rows 1 columns 88 channels 8 window 1 x 1 lanes 1 }
  dae.kernel @k13_layer1_2_conv1_layer1_2_conv1_act "dfafd1e9af337722" { dae.tile rows 1 columns 75 channels 4 window 1 x 1 lanes 8 }
  dae.kernel @k14_layer1_2_conv2_layer1_2_conv2_act "daf6d4f4bee924a8" { dae.tile rows 8 columns 14 channels 2 window 3 x 3 lanes 4 }
  dae.kernel @k15_layer1_2_conv3 "ebcad525be8da676" { dae.fuse @k16_layer1_2_add_layer1_2_add_act "23ca4c0c2bbd447c" dae.tile rows 1 columns 88 channels 8 window 1 x 1 lanes 1 }
  dae.kernel @k17_layer2_0_conv1_layer2_0_conv1_act "200d4c4d17e567c8" { dae.tile rows 1 columns 39 channels 8 window 1 x 1 lanes 8 }
  dae.kernel @k18_layer2_0_conv2_layer2_0_conv2_act "2d22b513ba82cd4b" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 2 }
  dae.kernel @k19_layer2_0_conv3 "2f04c6165363cd7d" { dae.tile rows 1 columns 98 channels 4 window 1 x 1 lanes 8 }
  dae.kernel @k20_layer2_0_downsample "cd424575e20997e6" { dae.fuse @k21_layer2_0_add_layer2_0_add_act "b97700ea3c1f1829" operand 1 dae.tile rows 28 columns 2 channels 8 window 1 x 1 lanes 8 }
  dae.kernel @k22_layer2_1_conv1_layer2_1_conv1_act "4a282a1e31e135fd" { dae.tile rows 1 columns 36 channels 8 window 1 x 1 lanes 8 }
  dae.kernel @k23_layer2_1_conv2_layer2_1_conv2_act "39a407af528905e1" { dae.tile rows 14 columns 6 channels 2 window 3 x 3 lanes 4 }
  dae.kernel @k24_layer2_1_conv3 "2f04c6165363cd7d" { dae.fuse @k25_layer2_1_add_layer2_1_add_act "b97700ea3c1f1829" dae.tile rows 1 columns 42 channels 8 window 1 x 1 lanes 8 dae.reorder channels }
  dae.kernel @k26_layer2_2_conv1_layer2_2_conv1_act "4a282a1e31e135fd" { dae.tile rows 1 columns 36 channels 8 window 1 x 1 lanes 8 }
  dae.kernel @k27_layer2_2_conv2_layer2_2_conv2_act "39a407af528905e1" { dae.tile rows 14 columns 6 channels 2 window 3 x 3 lanes 4 }
  dae.kernel @k28_layer2_2_conv3 "2f04c6165363cd7d" { dae.fuse @k29_layer2_2_add_layer2_2_add_act "b97700ea3c1f1829" dae.tile rows 1 columns 42 channels 8 window 1 x 1 lanes 8 dae.reorder channels }
  dae.kernel @k30_layer2_3_conv1_layer2_3_conv1_act "4a282a1e31e135fd" { dae.tile rows 1 columns 36 channels 8 window 1 x 1 lanes 8 }
  dae.kernel @k31_layer2_3_conv2_layer2_3_conv2_act "39a407af528905e1" { dae.tile rows 14 columns 6 channels 2 window 3 x 3 lanes 4 }
  dae.kernel @k32_layer2_3_conv3 "2f04c6165363cd7d" { dae.fuse @k33_layer2_3_add_layer2_3_add_act "b97700ea3c1f1829" dae.tile rows 1 columns 42 channels 8 window 1 x 1 lanes 8 dae.reorder channels }
  dae.kernel @k34_layer3_0_conv1_layer3_0_conv1_act "7012468344e31253" { dae.tile rows 1 columns 31 channels 8 window 1 x 1 lanes 11 }
  dae.kernel @k35_layer3_0_conv2_layer3_0_conv2_act "c04de44198f05e03" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 2 }
  dae.kernel @k36_layer3_0_conv3 "0870ea9395be0670" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 8 }
  dae.kernel @k37_layer3_0_downsample "9ea5c6dece2d0002" { dae.fuse @k38_layer3_0_add_layer3_0_add_act "d8c78f3f350ab32b" operand 1 dae.tile rows 2 columns 14 channels 8 window 1 x 1 lanes 11 }
  dae.kernel @k39_layer3_1_conv1_layer3_1_conv1_act "921a7e016a7b395b" { dae.tile rows 1 columns 22 channels 8 window 1 x 1 lanes 11 }
  dae.kernel @k40_layer3_1_conv2_layer3_1_conv2_act "5517d03bd5443c53" { dae.tile rows 2 columns 14 channels 4 window 3 x 3 lanes 4 }
  dae.kernel @k41_layer3_1_conv3 "0870ea9395be0670" { dae.fuse @k42_layer3_1_add_layer3_1_add_act "d8c78f3f350ab32b" dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 8 }
  dae.kernel @k43_layer3_2_conv1_layer3_2_conv1_act "921a7e016a7b395b" { dae.tile rows 1 columns 22 channels 8 window 1 x 1 lanes 11 }
  dae.kernel @k44_layer3_2_conv2_layer3_2_conv2_act "5517d03bd5443c53" { dae.tile rows 2 columns 14 channels 4 window 3 x 3 lanes 4 }
  dae.kernel @k45_layer3_2_conv3 "0870ea9395be0670" { dae.fuse @k46_layer3_2_add_layer3_2_add_act "d8c78f3f350ab32b" dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 8 }
  dae.kernel @k47_layer3_3_conv1_layer3_3_conv1_act "921a7e016a7b395b" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 13 }
  dae.kernel @k48_layer3_3_conv2_layer3_3_conv2_act "5517d03bd5443c53" { dae.tile rows 2 columns 14 channels 4 window 3 x 3 lanes 4 }
  dae.kernel @k49_layer3_3_conv3 "0870ea9395be0670" { dae.fuse @k50_layer3_3_add_layer3_3_add_act "d8c78f3f350ab32b" dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 8 }
  dae.kernel @k51_layer3_4_conv1_layer3_4_conv1_act "921a7e016a7b395b" { dae.tile rows 1 columns 22 channels 8 window 1 x 1 lanes 11 }
  dae.kernel @k52_layer3_4_conv2_layer3_4_conv2_act "5517d03bd5443c53" { dae.tile rows 2 columns 14 channels 4 window 3 x 3 lanes 4 }
  dae.kernel @k53_layer3_4_conv3 "0870ea9395be0670" { dae.fuse @k54_layer3_4_add_layer3_4_add_act "d8c78f3f350ab32b" dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 8 }
  dae.kernel @k55_layer3_5_conv1_layer3_5_conv1_act "921a7e016a7b395b" { dae.tile rows 1 columns 22 channels 8 window 1 x 1 lanes 11 }
  dae.kernel @k56_layer3_5_conv2_layer3_5_conv2_act "5517d03bd5443c53" { dae.tile rows 2 columns 14 channels 4 window 3 x 3 lanes 4 }
  dae.kernel @k57_layer3_5_conv3 "0870ea9395be0670" { dae.fuse @k58_layer3_5_add_layer3_5_add_act "d8c78f3f350ab32b" dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 8 }
  dae.kernel @k59_layer4_0_conv1_layer4_0_conv1_act "570f8ea72662af71" { dae.tile rows 1 columns 22 channels 8 window 1 x 1 lanes 16 }
  dae.kernel @k60_layer4_0_conv2_layer4_0_conv2_act "67e72ecadbbcc644" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 4 }
  dae.kernel @k61_layer4_0_conv3 "c5a0b7b6dd283d07" { dae.tile rows 1 columns 25 channels 8 window 1 x 1 lanes 8 }
  dae.kernel @k62_layer4_0_downsample "8c051af0a775e03f" { dae.fuse @k63_layer4_0_add_layer4_0_add_act "956dfca9894e6e4d" operand 1 dae.tile rows 4 columns 7 channels 8 window 1 x 1 lanes 13 }
  dae.kernel @k64_layer4_1_conv1_layer4_1_conv1_act "e69ebb3e396b94ff" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 13 }
  dae.kernel @k65_layer4_1_conv2_layer4_1_conv2_act "887b6926daa465af" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 3 }
  dae.kernel @k66_layer4_1_conv3 "c5a0b7b6dd283d07" { dae.fuse @k67_layer4_1_add_layer4_1_add_act "956dfca9894e6e4d" dae.tile rows 1 columns 25 channels 8 window 1 x 1 lanes 8 }
  dae.kernel @k68_layer4_2_conv1_layer4_2_conv1_act "e69ebb3e396b94ff" { dae.tile rows 1 columns 25 channels 4 window 1 x 1 lanes 16 }
  dae.kernel @k69_layer4_2_conv2_layer4_2_conv2_act "887b6926daa465af" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 3 }
  dae.group lag 1 {
    dae.kernel @k70_layer4_2_conv3 "c5a0b7b6dd283d07" { dae.fuse @k71_layer4_2_add_layer4_2_add_act "956dfca9894e6e4d" dae.tile rows 1 columns 49 channels 9 window 1 x 1 lanes 8 }
    dae.kernel @k72_mean "f9f49b295cfd6fa7" { dae.tile rows 1 columns 1 channels 6 window 1 x 49 lanes 1 }
  }
  dae.kernel @k73_classifier "1d8544061e6b5950" { dae.tile rows 1 columns 1 channels 9 window 1 x 1 lanes 16 }
}
