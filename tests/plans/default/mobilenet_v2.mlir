dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_conv1_conv1_act "3694a3ab82abb9bc" { dae.fold columns dae.tile rows 28 columns 3 channels 4 window 3 x 1 lanes 1 }
  dae.group lag 0 {
    dae.kernel @k3_block0_depthwise_block0_depthwise_act "337239194fbf2150" { dae.tile rows 4 columns 40 channels 2 window 3 x 3 lanes 1 dae.slide rows 3 dae.hand_over }
    dae.kernel @k4_block0_project "3e3639a9956a4dfb" { dae.tile rows 4 columns 40 channels 1 window 1 x 1 lanes 2 }
  }
  dae.group lag 3 {
    dae.kernel @k5_block1_expand_block1_expand_act "cccae3f740f0cbf2" { dae.tile rows 1 columns 55 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k6_block1_depthwise_block1_depthwise_act "6e5439f34d0a71ad" { dae.tile rows 2 columns 7 channels 6 window 3 x 3 lanes 1 dae.split vector 2 dae.slide rows 3 }
    dae.kernel @k7_block1_project "74582599ead89fc8" { dae.tile rows 1 columns 53 channels 2 window 1 x 1 lanes 6 }
  }
  dae.kernel @k8_block2_expand_block2_expand_act "2210b7f02a9b8d4d" { dae.tile rows 1 columns 53 channels 9 window 1 x 1 lanes 2 }
  dae.group lag 0 {
    dae.kernel @k9_block2_depthwise_block2_depthwise_act "082492f3ca6e568b" { dae.tile rows 4 columns 14 channels 5 window 3 x 3 lanes 1 dae.slide rows 3 dae.hand_over }
    dae.kernel @k10_block2_project "03ed9260994cf438" { dae.fuse @k11_block2_add "1f430f49f50fea34" dae.tile rows 4 columns 14 channels 2 window 1 x 1 lanes 5 }
  }
  dae.group lag 2 {
    dae.kernel @k12_block3_expand_block3_expand_act "2210b7f02a9b8d4d" { dae.tile rows 1 columns 45 channels 9 window 1 x 1 lanes 2 }
    dae.kernel @k13_block3_depthwise_block3_depthwise_act "b9a05e955d3fe1b6" { dae.tile rows 1 columns 6 channels 9 window 3 x 3 lanes 1 dae.split vector 8 dae.slide rows 3 }
    dae.kernel @k14_block3_project "a630ed76f1c0923b" { dae.tile rows 1 columns 27 channels 2 window 1 x 1 lanes 9 }
  }
  dae.group lag 1 {
    dae.kernel @k15_block4_expand_block4_expand_act "e72409e11220e91e" { dae.tile rows 1 columns 42 channels 6 window 1 x 1 lanes 2 }
    dae.kernel @k16_block4_depthwise_block4_depthwise_act "67dd112899106e75" { dae.tile rows 5 columns 14 channels 4 window 3 x 3 lanes 1 dae.slide rows 3 }
    dae.kernel @k17_block4_project "dc891b10f712990b" { dae.fuse @k18_block4_add "90a311d1503a6b0f" dae.tile rows 1 columns 42 channels 2 window 1 x 1 lanes 6 }
  }
  dae.group lag 1 {
    dae.kernel @k19_block5_expand_block5_expand_act "e72409e11220e91e" { dae.tile rows 1 columns 42 channels 6 window 1 x 1 lanes 2 }
    dae.kernel @k20_block5_depthwise_block5_depthwise_act "67dd112899106e75" { dae.tile rows 5 columns 14 channels 4 window 3 x 3 lanes 1 dae.slide rows 3 }
    dae.kernel @k21_block5_project "dc891b10f712990b" { dae.fuse @k22_block5_add "90a311d1503a6b0f" dae.tile rows 1 columns 42 channels 2 window 1 x 1 lanes 6 }
  }
  dae.group lag 1 {
    dae.kernel @k23_block6_expand_block6_expand_act "e72409e11220e91e" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 2 }
    dae.kernel @k24_block6_depthwise_block6_depthwise_act "114e40f90ee7838e" { dae.tile rows 3 columns 7 channels 4 window 3 x 3 lanes 1 dae.split vector 4 dae.slide rows 3 }
    dae.kernel @k25_block6_project "79722757d527b587" { dae.tile rows 1 columns 14 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 1 {
    dae.kernel @k26_block7_expand_block7_expand_act "160033dfe85c830e" { dae.tile rows 1 columns 33 channels 5 window 1 x 1 lanes 4 }
    dae.kernel @k27_block7_depthwise_block7_depthwise_act "7d6952d5c14805c3" { dae.tile rows 4 columns 14 channels 5 window 3 x 3 lanes 1 dae.split vector 1 dae.slide rows 3 }
    dae.kernel @k28_block7_project "770fe0bf8a3f29c9" { dae.fuse @k29_block7_add "f41e97bd7cc36b69" dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 8 }
  }
  dae.group lag 0 {
    dae.kernel @k30_block8_expand_block8_expand_act "160033dfe85c830e" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 4 }
    dae.kernel @k31_block8_depthwise_block8_depthwise_act "7d6952d5c14805c3" { dae.tile rows 5 columns 14 channels 4 window 3 x 3 lanes 1 dae.slide rows 3 }
    dae.kernel @k32_block8_project "770fe0bf8a3f29c9" { dae.fuse @k33_block8_add "f41e97bd7cc36b69" dae.tile rows 1 columns 18 channels 4 window 1 x 1 lanes 8 }
  }
  dae.group lag 1 {
    dae.kernel @k34_block9_expand_block9_expand_act "160033dfe85c830e" { dae.tile rows 1 columns 33 channels 5 window 1 x 1 lanes 4 }
    dae.kernel @k35_block9_depthwise_block9_depthwise_act "7d6952d5c14805c3" { dae.tile rows 4 columns 14 channels 5 window 3 x 3 lanes 1 dae.split vector 1 dae.slide rows 3 }
    dae.kernel @k36_block9_project "770fe0bf8a3f29c9" { dae.fuse @k37_block9_add "f41e97bd7cc36b69" dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 8 }
  }
  dae.group lag 1 {
    dae.kernel @k38_block10_expand_block10_expand_act "160033dfe85c830e" { dae.tile rows 1 columns 33 channels 5 window 1 x 1 lanes 4 }
    dae.kernel @k39_block10_depthwise_block10_depthwise_act "7d6952d5c14805c3" { dae.tile rows 4 columns 14 channels 5 window 3 x 3 lanes 1 dae.split vector 1 dae.slide rows 3 }
    dae.kernel @k40_block10_project "3f732db5927f1688" { dae.tile rows 1 columns 18 channels 6 window 1 x 1 lanes 12 }
  }
  dae.group lag 0 {
    dae.kernel @k41_block11_expand_block11_expand_act "c015fad53c348b44" { dae.tile rows 1 columns 33 channels 9 window 1 x 1 lanes 6 }
    dae.kernel @k42_block11_depthwise_block11_depthwise_act "fcc10ec41a76fe18" { dae.tile rows 4 columns 14 channels 5 window 3 x 3 lanes 1 dae.split vector 2 dae.slide rows 3 }
    dae.kernel @k43_block11_project "00416d795a12a640" { dae.fuse @k44_block11_add "fe85a9ba440b64ac" dae.tile rows 1 columns 22 channels 3 window 1 x 1 lanes 12 }
  }
  dae.group lag 0 {
    dae.kernel @k45_block12_expand_block12_expand_act "c015fad53c348b44" { dae.tile rows 1 columns 40 channels 6 window 1 x 1 lanes 6 }
    dae.kernel @k46_block12_depthwise_block12_depthwise_act "fcc10ec41a76fe18" { dae.tile rows 5 columns 14 channels 4 window 3 x 3 lanes 1 dae.slide rows 3 }
    dae.kernel @k47_block12_project "00416d795a12a640" { dae.fuse @k48_block12_add "fe85a9ba440b64ac" dae.tile rows 1 columns 22 channels 6 window 1 x 1 lanes 12 }
  }
  dae.group lag 0 {
    dae.kernel @k49_block13_expand_block13_expand_act "c015fad53c348b44" { dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 6 }
    dae.kernel @k50_block13_depthwise_block13_depthwise_act "5faa1b4126ca5eea" { dae.tile rows 2 columns 7 channels 4 window 3 x 3 lanes 1 dae.split vector 15 dae.slide rows 3 }
    dae.kernel @k51_block13_project "e5c812b131e047ae" { dae.tile rows 1 columns 17 channels 2 window 1 x 1 lanes 8 }
  }
  dae.group lag 1 {
    dae.kernel @k52_block14_expand_block14_expand_act "f3a660ac47a8d038" { dae.tile rows 1 columns 49 channels 3 window 1 x 1 lanes 4 }
    dae.kernel @k53_block14_depthwise_block14_depthwise_act "a4bcaefc8a880b53" { dae.tile rows 7 columns 7 channels 3 window 3 x 3 lanes 1 dae.split vector 13 dae.slide rows 3 }
  }
  dae.group lag 1 {
    dae.kernel @k54_block14_project "09aa6aab695b7c2f" { dae.fuse @k55_block14_add "e973ad0d3cca013b" dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 4 }
    dae.kernel @k56_block15_expand_block15_expand_act "f3a660ac47a8d038" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 5 }
    dae.kernel @k57_block15_depthwise_block15_depthwise_act "a4bcaefc8a880b53" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 1 dae.split vector 13 dae.slide rows 3 }
  }
  dae.kernel @k58_block15_project "09aa6aab695b7c2f" { dae.fuse @k59_block15_add "e973ad0d3cca013b" dae.tile rows 1 columns 49 channels 2 window 1 x 1 lanes 6 }
  dae.group lag 2 {
    dae.kernel @k60_block16_expand_block16_expand_act "f3a660ac47a8d038" { dae.tile rows 1 columns 49 channels 3 window 1 x 1 lanes 4 }
    dae.kernel @k61_block16_depthwise_block16_depthwise_act "a4bcaefc8a880b53" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 1 dae.split vector 10 dae.slide rows 3 }
    dae.kernel @k62_block16_project "64faa3ba1d65517a" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 4 }
  }
  dae.group lag 1 {
    dae.kernel @k63_conv2_conv2_act "54483c867ceb2242" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 10 }
    dae.kernel @k64_mean "2664191f85fb5ea8" { dae.tile rows 1 columns 1 channels 6 window 1 x 49 lanes 1 }
  }
  dae.kernel @k65_classifier "86b114c09b8ec0d1" { dae.tile rows 1 columns 1 channels 7 window 1 x 1 lanes 16 }
}
