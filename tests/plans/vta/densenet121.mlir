dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_conv1_conv1_act "9e4bf248c51bc694" { dae.fold window dae.tile rows 16 columns 3 channels 4 window 1 x 1 lanes 10 }
  dae.group lag 1 {
    dae.kernel @k3_maxpool "ce29599ba67c5c64" { dae.tile rows 5 columns 14 channels 1 window 3 x 3 lanes 1 }
    dae.kernel @k4_block1_0_norm_block1_0_norm_act "d43599cc055f20dd" { dae.tile rows 1 columns 143 channels 1 window 1 x 1 lanes 1 }
    dae.kernel @k5_block1_0_conv1_block1_0_conv1_act "2976b3c070ff1c7c" { dae.tile rows 1 columns 39 channels 8 window 1 x 1 lanes 4 }
  }
  dae.group lag 1 {
    dae.kernel @k6_block1_0_conv2 "a3527311aff64ede" { dae.tile rows 7 columns 14 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k8_block1_1_norm_block1_1_norm_act "2053d4d9b4827d12" { dae.tile rows 1 columns 314 channels 1 window 1 x 1 lanes 1 }
    dae.kernel @k9_block1_1_conv1_block1_1_conv1_act "62b4e80765f1b0f2" { dae.tile rows 1 columns 105 channels 4 window 1 x 1 lanes 3 }
  }
  dae.group lag 1 {
    dae.kernel @k10_block1_1_conv2 "a3527311aff64ede" { dae.tile rows 14 columns 8 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k12_block1_2_norm_block1_2_norm_act "88bc1173900dac72" { dae.tile rows 1 columns 166 channels 2 window 1 x 1 lanes 1 }
    dae.kernel @k13_block1_2_conv1_block1_2_conv1_act "1056524e43b76832" { dae.tile rows 1 columns 53 channels 8 window 1 x 1 lanes 4 }
  }
  dae.group lag 1 {
    dae.kernel @k14_block1_2_conv2 "a3527311aff64ede" { dae.tile rows 7 columns 10 channels 2 window 3 x 3 lanes 3 }
    dae.kernel @k16_block1_3_norm_block1_3_norm_act "7ab4c48393020e3e" { dae.tile rows 1 columns 166 channels 2 window 1 x 1 lanes 1 }
    dae.kernel @k17_block1_3_conv1_block1_3_conv1_act "90f6903f016452a5" { dae.tile rows 1 columns 39 channels 8 window 1 x 1 lanes 5 }
  }
  dae.group lag 1 {
    dae.kernel @k18_block1_3_conv2 "a3527311aff64ede" { dae.tile rows 5 columns 10 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k20_block1_4_norm_block1_4_norm_act "0592c729917d8efd" { dae.tile rows 1 columns 105 channels 3 window 1 x 1 lanes 1 }
    dae.kernel @k21_block1_4_conv1_block1_4_conv1_act "b78f66d735385400" { dae.tile rows 1 columns 28 channels 8 window 1 x 1 lanes 12 }
  }
  dae.group lag 1 {
    dae.kernel @k22_block1_4_conv2 "a3527311aff64ede" { dae.tile rows 3 columns 14 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k24_block1_5_norm_block1_5_norm_act "6907bba393abfc04" { dae.tile rows 1 columns 166 channels 2 window 1 x 1 lanes 1 }
    dae.kernel @k25_block1_5_conv1_block1_5_conv1_act "6298ef6341484bba" { dae.tile rows 1 columns 28 channels 8 window 1 x 1 lanes 7 }
  }
  dae.group lag 1 {
    dae.kernel @k26_block1_5_conv2 "a3527311aff64ede" { dae.tile rows 1 columns 19 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k28_transition1_norm_transition1_norm_act "63a79f4a6b7ac050" { dae.tile rows 1 columns 28 channels 16 window 1 x 1 lanes 1 }
  }
  dae.group lag 1 {
    dae.kernel @k29_transition1_conv "200d4c4d17e567c8" { dae.tile rows 1 columns 105 channels 4 window 1 x 1 lanes 4 }
    dae.kernel @k30_transition1_pool "c391ff3b10f7601f" { dae.tile rows 1 columns 28 channels 4 window 2 x 2 lanes 1 }
  }
  dae.group lag 1 {
    dae.kernel @k31_block2_0_norm_block2_0_norm_act "8e33a14d5f1451b4" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
    dae.kernel @k32_block2_0_conv1_block2_0_conv1_act "bbe4779b529f82cf" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 2 }
  }
  dae.group lag 2 {
    dae.kernel @k33_block2_0_conv2 "3103fc0ce1f11c31" { dae.tile rows 5 columns 10 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k35_block2_1_norm_block2_1_norm_act "3741f528da90c006" { dae.tile rows 1 columns 79 channels 4 window 1 x 1 lanes 1 }
    dae.kernel @k36_block2_1_conv1_block2_1_conv1_act "e18dd384d815e652" { dae.tile rows 1 columns 31 channels 8 window 1 x 1 lanes 10 }
  }
  dae.group lag 3 {
    dae.kernel @k37_block2_1_conv2 "3103fc0ce1f11c31" { dae.tile rows 5 columns 10 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k39_block2_2_norm_block2_2_norm_act "2add1a6f2b514ed4" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k40_block2_2_conv1_block2_2_conv1_act "c87ea990aba898ac" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 1 {
    dae.kernel @k41_block2_2_conv2 "3103fc0ce1f11c31" { dae.tile rows 10 columns 4 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k43_block2_3_norm_block2_3_norm_act "07b2ef75a9cc116b" { dae.tile rows 1 columns 131 channels 2 window 1 x 1 lanes 1 }
    dae.kernel @k44_block2_3_conv1_block2_3_conv1_act "107f744b97207145" { dae.tile rows 1 columns 42 channels 4 window 1 x 1 lanes 7 }
  }
  dae.group lag 1 {
    dae.kernel @k45_block2_3_conv2 "3103fc0ce1f11c31" { dae.tile rows 3 columns 14 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k47_block2_4_norm_block2_4_norm_act "95d49e758efaade1" { dae.tile rows 1 columns 157 channels 2 window 1 x 1 lanes 1 }
    dae.kernel @k48_block2_4_conv1_block2_4_conv1_act "21b7bc17ad959234" { dae.tile rows 1 columns 42 channels 4 window 1 x 1 lanes 8 }
  }
  dae.group lag 1 {
    dae.kernel @k49_block2_4_conv2 "3103fc0ce1f11c31" { dae.tile rows 7 columns 14 channels 1 window 3 x 3 lanes 2 }
    dae.kernel @k51_block2_5_norm_block2_5_norm_act "7522f7ea54f65d7f" { dae.tile rows 1 columns 56 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k52_block2_5_conv1_block2_5_conv1_act "42ec5985653fd60e" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 1 {
    dae.kernel @k53_block2_5_conv2 "3103fc0ce1f11c31" { dae.tile rows 6 columns 6 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k55_block2_6_norm_block2_6_norm_act "6b5d9d9f4980ba66" { dae.tile rows 1 columns 79 channels 4 window 1 x 1 lanes 1 }
    dae.kernel @k56_block2_6_conv1_block2_6_conv1_act "8289cba5dbfe5bf8" { dae.tile rows 1 columns 42 channels 4 window 1 x 1 lanes 7 }
  }
  dae.group lag 0 {
    dae.kernel @k57_block2_6_conv2 "3103fc0ce1f11c31" { dae.tile rows 4 columns 7 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k59_block2_7_norm_block2_7_norm_act "424e9c5ef022a3f0" { dae.tile rows 1 columns 112 channels 3 window 1 x 1 lanes 1 }
    dae.kernel @k60_block2_7_conv1_block2_7_conv1_act "d6d439cbc8925fbf" { dae.tile rows 1 columns 36 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 1 {
    dae.kernel @k61_block2_7_conv2 "3103fc0ce1f11c31" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 2 }
    dae.kernel @k63_block2_8_norm_block2_8_norm_act "1dc3292b51f7bd2a" { dae.tile rows 1 columns 42 channels 8 window 1 x 1 lanes 1 }
    dae.kernel @k64_block2_8_conv1_block2_8_conv1_act "8f1e017e4e39a29d" { dae.tile rows 1 columns 36 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 0 {
    dae.kernel @k65_block2_8_conv2 "3103fc0ce1f11c31" { dae.tile rows 6 columns 7 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k67_block2_9_norm_block2_9_norm_act "484d4ee79853606e" { dae.tile rows 1 columns 131 channels 2 window 1 x 1 lanes 1 }
    dae.kernel @k68_block2_9_conv1_block2_9_conv1_act "d1e3d99fa55b1ab3" { dae.tile rows 1 columns 36 channels 3 window 1 x 1 lanes 7 }
  }
  dae.group lag 1 {
    dae.kernel @k69_block2_9_conv2 "3103fc0ce1f11c31" { dae.tile rows 4 columns 7 channels 2 window 3 x 3 lanes 3 }
    dae.kernel @k71_block2_10_norm_block2_10_norm_act "74978f4126bf97fc" { dae.tile rows 1 columns 79 channels 4 window 1 x 1 lanes 1 }
    dae.kernel @k72_block2_10_conv1_block2_10_conv1_act "9863aea3d94d99fc" { dae.tile rows 1 columns 36 channels 3 window 1 x 1 lanes 7 }
  }
  dae.group lag 1 {
    dae.kernel @k73_block2_10_conv2 "3103fc0ce1f11c31" { dae.tile rows 4 columns 7 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k75_block2_11_norm_block2_11_norm_act "fefa4db53aa8977c" { dae.tile rows 1 columns 56 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k76_block2_11_conv1_block2_11_conv1_act "e9603fbb399d0e22" { dae.tile rows 1 columns 27 channels 4 window 1 x 1 lanes 10 }
  }
  dae.kernel @k77_block2_11_conv2 "3103fc0ce1f11c31" { dae.tile rows 14 columns 14 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 0 {
    dae.kernel @k79_transition2_norm_transition2_norm_act "87005432b3356314" { dae.tile rows 1 columns 79 channels 4 window 1 x 1 lanes 1 }
    dae.kernel @k80_transition2_conv "7012468344e31253" { dae.tile rows 1 columns 31 channels 6 window 1 x 1 lanes 8 }
    dae.kernel @k81_transition2_pool "9829a06d042693f5" { dae.tile rows 2 columns 5 channels 8 window 2 x 2 lanes 1 }
  }
  dae.group lag 0 {
    dae.kernel @k82_block3_0_norm_block3_0_norm_act "f7e1427c0f7afbab" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k83_block3_0_conv1_block3_0_conv1_act "f44573dcd3c90f7a" { dae.tile rows 1 columns 49 channels 3 window 1 x 1 lanes 4 }
  }
  dae.group lag 1 {
    dae.kernel @k84_block3_0_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 7 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k86_block3_1_norm_block3_1_norm_act "3ea3ea2c14ee14aa" { dae.tile rows 1 columns 28 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k87_block3_1_conv1_block3_1_conv1_act "b50a687638b91626" { dae.tile rows 1 columns 33 channels 3 window 1 x 1 lanes 9 }
  }
  dae.group lag 1 {
    dae.kernel @k88_block3_1_conv2 "639ecca3fd455bd3" { dae.tile rows 1 columns 14 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k90_block3_2_norm_block3_2_norm_act "1128c6dc519cdc27" { dae.tile rows 1 columns 40 channels 5 window 1 x 1 lanes 1 }
    dae.kernel @k91_block3_2_conv1_block3_2_conv1_act "ced8832b54959b33" { dae.tile rows 1 columns 49 channels 3 window 1 x 1 lanes 5 }
  }
  dae.group lag 0 {
    dae.kernel @k92_block3_2_conv2 "639ecca3fd455bd3" { dae.tile rows 3 columns 7 channels 1 window 3 x 3 lanes 8 }
    dae.kernel @k94_block3_3_norm_block3_3_norm_act "8661350055eb870b" { dae.tile rows 1 columns 40 channels 6 window 1 x 1 lanes 1 }
  }
  dae.kernel @k95_block3_3_conv1_block3_3_conv1_act "610e80bca3a546f4" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 2 }
  dae.group lag 0 {
    dae.kernel @k96_block3_3_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 14 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k98_block3_4_norm_block3_4_norm_act "69cb83351feea597" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k99_block3_4_conv1_block3_4_conv1_act "29f16e5210954766" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 3 }
  }
  dae.group lag 0 {
    dae.kernel @k100_block3_4_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 7 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k102_block3_5_norm_block3_5_norm_act "969c82c3770188d2" { dae.tile rows 1 columns 33 channels 7 window 1 x 1 lanes 1 }
  }
  dae.group lag 0 {
    dae.kernel @k103_block3_5_conv1_block3_5_conv1_act "0fae041784cd5d35" { dae.tile rows 1 columns 33 channels 4 window 1 x 1 lanes 4 }
    dae.kernel @k104_block3_5_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 7 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k106_block3_6_norm_block3_6_norm_act "832b8ffecf38d334" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 }
  }
  dae.kernel @k107_block3_6_conv1_block3_6_conv1_act "6ca20454c472c443" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 4 dae.reorder channels }
  dae.group lag 0 {
    dae.kernel @k108_block3_6_conv2 "639ecca3fd455bd3" { dae.tile rows 1 columns 14 channels 1 window 3 x 3 lanes 8 }
    dae.kernel @k110_block3_7_norm_block3_7_norm_act "3b633a6459c42ad7" { dae.tile rows 1 columns 40 channels 6 window 1 x 1 lanes 1 }
  }
  dae.kernel @k111_block3_7_conv1_block3_7_conv1_act "c43476309fe33e54" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 3 }
  dae.group lag 0 {
    dae.kernel @k112_block3_7_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 7 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k114_block3_8_norm_block3_8_norm_act "26fdb3548480a340" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k115_block3_8_conv1_block3_8_conv1_act "5867d91588e1a637" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 5 }
  }
  dae.group lag 1 {
    dae.kernel @k116_block3_8_conv2 "639ecca3fd455bd3" { dae.tile rows 1 columns 14 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k118_block3_9_norm_block3_9_norm_act "0fb4af2bec3bef12" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k119_block3_9_conv1_block3_9_conv1_act "4ba19928e01a01e2" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 5 dae.reorder channels }
  dae.group lag 0 {
    dae.kernel @k120_block3_9_conv2 "639ecca3fd455bd3" { dae.tile rows 5 columns 4 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k122_block3_10_norm_block3_10_norm_act "d7cc428612e16824" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k123_block3_10_conv1_block3_10_conv1_act "f56a737909376f52" { dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 0 {
    dae.kernel @k124_block3_10_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k126_block3_11_norm_block3_11_norm_act "f24c42265270cd1b" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k127_block3_11_conv1_block3_11_conv1_act "527e14490d7c77df" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 3 }
  dae.group lag 0 {
    dae.kernel @k128_block3_11_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k130_block3_12_norm_block3_12_norm_act "ec1f6c9aeff8705a" { dae.tile rows 1 columns 49 channels 7 window 1 x 1 lanes 1 }
  }
  dae.kernel @k131_block3_12_conv1_block3_12_conv1_act "d3bab42bfd3d7862" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  dae.kernel @k132_block3_12_conv2 "639ecca3fd455bd3" { dae.tile rows 14 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 0 {
    dae.kernel @k134_block3_13_norm_block3_13_norm_act "740cc4e7f087af47" { dae.tile rows 1 columns 49 channels 7 window 1 x 1 lanes 1 }
    dae.kernel @k135_block3_13_conv1_block3_13_conv1_act "be0ffa27293647e2" { dae.tile rows 1 columns 22 channels 4 window 1 x 1 lanes 7 }
  }
  dae.group lag 0 {
    dae.kernel @k136_block3_13_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k138_block3_14_norm_block3_14_norm_act "fc6873ecce754f9d" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k139_block3_14_conv1_block3_14_conv1_act "2ef5f6fd355bf23d" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k140_block3_14_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k142_block3_15_norm_block3_15_norm_act "c4ec3c68a493ada7" { dae.tile rows 1 columns 49 channels 7 window 1 x 1 lanes 1 }
  }
  dae.kernel @k143_block3_15_conv1_block3_15_conv1_act "602c99098e9405ba" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  dae.group lag 0 {
    dae.kernel @k144_block3_15_conv2 "639ecca3fd455bd3" { dae.tile rows 5 columns 5 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k146_block3_16_norm_block3_16_norm_act "49428bc6d5beae4c" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 1 }
  }
  dae.kernel @k147_block3_16_conv1_block3_16_conv1_act "3a1861c917debc4e" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  dae.group lag 0 {
    dae.kernel @k148_block3_16_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k150_block3_17_norm_block3_17_norm_act "9fcc58554cd5e7e5" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k151_block3_17_conv1_block3_17_conv1_act "8abc5d46ce828a05" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k152_block3_17_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k154_block3_18_norm_block3_18_norm_act "5673cf60d3a0a98a" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k155_block3_18_conv1_block3_18_conv1_act "2bb5189604b28394" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k156_block3_18_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k158_block3_19_norm_block3_19_norm_act "6747e453d1ade861" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k159_block3_19_conv1_block3_19_conv1_act "71961cc718f3e277" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k160_block3_19_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 5 channels 1 window 3 x 3 lanes 8 }
    dae.kernel @k162_block3_20_norm_block3_20_norm_act "f96f01d7c112c12f" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k163_block3_20_conv1_block3_20_conv1_act "1b7e2f897a7341d4" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k164_block3_20_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 2 }
    dae.kernel @k166_block3_21_norm_block3_21_norm_act "cd95387dde939119" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k167_block3_21_conv1_block3_21_conv1_act "8adb41714866ddf9" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k168_block3_21_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k170_block3_22_norm_block3_22_norm_act "5a64da9d7db41199" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k171_block3_22_conv1_block3_22_conv1_act "4ccaaf52d27cbb6a" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k172_block3_22_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 5 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k174_block3_23_norm_block3_23_norm_act "6628178f1826e8c8" { dae.tile rows 1 columns 66 channels 5 window 1 x 1 lanes 1 }
    dae.kernel @k175_block3_23_conv1_block3_23_conv1_act "6cddd7e2735b4b9d" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k176_block3_23_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 4 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k178_transition3_norm_transition3_norm_act "f33c33b394e0de77" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
    dae.kernel @k179_transition3_conv "570f8ea72662af71" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 2 }
  }
  dae.kernel @k180_transition3_pool "738fd39078ad4ef5" { dae.tile rows 7 columns 7 channels 2 window 2 x 2 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k181_block4_0_norm_block4_0_norm_act "41fe69d5305039bc" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
    dae.kernel @k182_block4_0_conv1_block4_0_conv1_act "c6c9ad6402a69dc4" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.group lag 1 {
    dae.kernel @k183_block4_0_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k185_block4_1_norm_block4_1_norm_act "9609e0762b42c223" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k186_block4_1_conv1_block4_1_conv1_act "0b461c5c76170b47" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k187_block4_1_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k189_block4_2_norm_block4_2_norm_act "6102e43241f51528" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 }
  }
  dae.kernel @k190_block4_2_conv1_block4_2_conv1_act "a266985ae032be0b" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k191_block4_2_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k193_block4_3_norm_block4_3_norm_act "bcb4199a2adc49a2" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k194_block4_3_conv1_block4_3_conv1_act "48e51086aef20c92" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k195_block4_3_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k197_block4_4_norm_block4_4_norm_act "ada1f3d9abd9028b" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k198_block4_4_conv1_block4_4_conv1_act "355128bdf41a58e6" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k199_block4_4_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k201_block4_5_norm_block4_5_norm_act "444d652e3464b930" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
  }
  dae.kernel @k202_block4_5_conv1_block4_5_conv1_act "876c4379ead7506a" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k203_block4_5_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k205_block4_6_norm_block4_6_norm_act "90a447776bd447ec" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k206_block4_6_conv1_block4_6_conv1_act "340edc297d358c7d" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k207_block4_6_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k209_block4_7_norm_block4_7_norm_act "f4ca858303d22c2f" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
  }
  dae.kernel @k210_block4_7_conv1_block4_7_conv1_act "769c13be7c206f34" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k211_block4_7_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k213_block4_8_norm_block4_8_norm_act "daef283af2680c05" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 }
  }
  dae.kernel @k214_block4_8_conv1_block4_8_conv1_act "b77febe279cf86fb" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k215_block4_8_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k217_block4_9_norm_block4_9_norm_act "223903c62c67cc56" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k218_block4_9_conv1_block4_9_conv1_act "9ea98caee8e7b418" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k219_block4_9_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k221_block4_10_norm_block4_10_norm_act "c0b4b795eba32f9e" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 }
  }
  dae.kernel @k222_block4_10_conv1_block4_10_conv1_act "f13138306ca9eab2" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k223_block4_10_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k225_block4_11_norm_block4_11_norm_act "b3e648d0553deebf" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k226_block4_11_conv1_block4_11_conv1_act "bc6b8c2e7fc50b43" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k227_block4_11_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k229_block4_12_norm_block4_12_norm_act "e393dd2d3ac37015" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k230_block4_12_conv1_block4_12_conv1_act "3d4858abd829a368" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 2 }
  dae.group lag 1 {
    dae.kernel @k231_block4_12_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k233_block4_13_norm_block4_13_norm_act "19cb6b7e57e7e577" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k234_block4_13_conv1_block4_13_conv1_act "3f57ec51b6ac122f" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 2 }
  dae.group lag 1 {
    dae.kernel @k235_block4_13_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k237_block4_14_norm_block4_14_norm_act "aec11ea3249944fb" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k238_block4_14_conv1_block4_14_conv1_act "fef436b62b5e7889" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 2 }
  dae.group lag 1 {
    dae.kernel @k239_block4_14_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k241_block4_15_norm_block4_15_norm_act "9fcd00b99769f836" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k242_block4_15_conv1_block4_15_conv1_act "3d5d307702eed4e2" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 2 }
  dae.group lag 1 {
    dae.kernel @k243_block4_15_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k245_transition4_norm_transition4_norm_act "64529034d5af3aa3" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 }
  }
  dae.kernel @k246_mean "10810ccb29b9934a" { dae.tile rows 1 columns 1 channels 22 window 1 x 25 lanes 1 }
  dae.kernel @k247_classifier "c67e68c0b7f4f9bb" { dae.tile rows 1 columns 1 channels 7 window 1 x 1 lanes 16 }
}
