dae.plan format 1 machine "vta" core "c8fd2cdc65704358" {
  dae.kernel @k2_conv1_conv1_act "9e4bf248c51bc694" { dae.fold window dae.tile rows 16 columns 3 channels 4 window 1 x 1 lanes 10 }
  dae.group lag 1 {
    dae.kernel @k3_maxpool "ce29599ba67c5c64" { dae.tile rows 5 columns 14 channels 1 window 3 x 3 lanes 1 }
    dae.kernel @k4_block1_0_norm_block1_0_norm_act "9bab5a37ec1747eb" { dae.tile rows 1 columns 166 channels 1 window 1 x 1 lanes 1 dae.split vector 12 }
    dae.kernel @k5_block1_0_conv1_block1_0_conv1_act "2976b3c070ff1c7c" { dae.tile rows 1 columns 28 channels 8 window 1 x 1 lanes 4 }
  }
  dae.group lag 1 {
    dae.kernel @k6_block1_0_conv2 "a3527311aff64ede" { dae.tile rows 14 columns 8 channels 1 window 3 x 3 lanes 2 }
    dae.kernel @k8_block1_1_norm_block1_1_norm_act "bbf4bf230e940481" { dae.tile rows 1 columns 314 channels 1 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k9_block1_1_conv1_block1_1_conv1_act "62b4e80765f1b0f2" { dae.tile rows 1 columns 105 channels 4 window 1 x 1 lanes 3 }
  }
  dae.group lag 2 {
    dae.kernel @k10_block1_1_conv2 "a3527311aff64ede" { dae.tile rows 14 columns 5 channels 2 window 3 x 3 lanes 3 }
    dae.kernel @k12_block1_2_norm_block1_2_norm_act "59369cdf21d852ee" { dae.tile rows 1 columns 166 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k13_block1_2_conv1_block1_2_conv1_act "1056524e43b76832" { dae.tile rows 1 columns 53 channels 8 window 1 x 1 lanes 4 }
  }
  dae.group lag 1 {
    dae.kernel @k14_block1_2_conv2 "a3527311aff64ede" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k16_block1_3_norm_block1_3_norm_act "895652dfead9c9b3" { dae.tile rows 1 columns 166 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k17_block1_3_conv1_block1_3_conv1_act "90f6903f016452a5" { dae.tile rows 1 columns 39 channels 8 window 1 x 1 lanes 5 }
  }
  dae.group lag 2 {
    dae.kernel @k18_block1_3_conv2 "a3527311aff64ede" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k20_block1_4_norm_block1_4_norm_act "9219900b2ce1552d" { dae.tile rows 1 columns 314 channels 1 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k21_block1_4_conv1_block1_4_conv1_act "b78f66d735385400" { dae.tile rows 1 columns 28 channels 8 window 1 x 1 lanes 12 }
  }
  dae.group lag 1 {
    dae.kernel @k22_block1_4_conv2 "a3527311aff64ede" { dae.tile rows 1 columns 19 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k24_block1_5_norm_block1_5_norm_act "3892777f1c7ee474" { dae.tile rows 1 columns 12 channels 14 window 1 x 1 lanes 1 dae.split vector 16 }
  }
  dae.group lag 0 {
    dae.kernel @k25_block1_5_conv1_block1_5_conv1_act "6298ef6341484bba" { dae.tile rows 1 columns 105 channels 4 window 1 x 1 lanes 3 }
    dae.kernel @k26_block1_5_conv2 "a3527311aff64ede" { dae.tile rows 6 columns 7 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k28_transition1_norm_transition1_norm_act "29645acbdfa9f354" { dae.tile rows 1 columns 166 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
  }
  dae.group lag 0 {
    dae.kernel @k29_transition1_conv "200d4c4d17e567c8" { dae.tile rows 1 columns 88 channels 4 window 1 x 1 lanes 4 }
    dae.kernel @k30_transition1_pool "c391ff3b10f7601f" { dae.tile rows 1 columns 28 channels 2 window 2 x 2 lanes 1 }
  }
  dae.group lag 1 {
    dae.kernel @k31_block2_0_norm_block2_0_norm_act "32e3f4b98fb48727" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k32_block2_0_conv1_block2_0_conv1_act "bbe4779b529f82cf" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 2 }
  }
  dae.group lag 1 {
    dae.kernel @k33_block2_0_conv2 "3103fc0ce1f11c31" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k35_block2_1_norm_block2_1_norm_act "007adec8f4721296" { dae.tile rows 1 columns 157 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k36_block2_1_conv1_block2_1_conv1_act "e18dd384d815e652" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 5 }
  }
  dae.group lag 1 {
    dae.kernel @k37_block2_1_conv2 "3103fc0ce1f11c31" { dae.tile rows 4 columns 10 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k39_block2_2_norm_block2_2_norm_act "bde8ea964b8ee91d" { dae.tile rows 1 columns 112 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k40_block2_2_conv1_block2_2_conv1_act "c87ea990aba898ac" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 1 {
    dae.kernel @k41_block2_2_conv2 "3103fc0ce1f11c31" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k43_block2_3_norm_block2_3_norm_act "af3a8261a38f4975" { dae.tile rows 1 columns 112 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k44_block2_3_conv1_block2_3_conv1_act "107f744b97207145" { dae.tile rows 1 columns 36 channels 4 window 1 x 1 lanes 7 }
  }
  dae.group lag 1 {
    dae.kernel @k45_block2_3_conv2 "3103fc0ce1f11c31" { dae.tile rows 4 columns 10 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k47_block2_4_norm_block2_4_norm_act "d2fa634cb4461492" { dae.tile rows 1 columns 157 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k48_block2_4_conv1_block2_4_conv1_act "21b7bc17ad959234" { dae.tile rows 1 columns 42 channels 4 window 1 x 1 lanes 8 }
  }
  dae.group lag 1 {
    dae.kernel @k49_block2_4_conv2 "3103fc0ce1f11c31" { dae.tile rows 3 columns 10 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k51_block2_5_norm_block2_5_norm_act "8fca95c4c9d35d00" { dae.tile rows 1 columns 98 channels 3 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k52_block2_5_conv1_block2_5_conv1_act "42ec5985653fd60e" { dae.tile rows 1 columns 36 channels 4 window 1 x 1 lanes 9 }
  }
  dae.group lag 1 {
    dae.kernel @k53_block2_5_conv2 "3103fc0ce1f11c31" { dae.tile rows 4 columns 5 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k55_block2_6_norm_block2_6_norm_act "244acbcd7b43d831" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k56_block2_6_conv1_block2_6_conv1_act "8289cba5dbfe5bf8" { dae.tile rows 1 columns 49 channels 3 window 1 x 1 lanes 5 }
  }
  dae.group lag 0 {
    dae.kernel @k57_block2_6_conv2 "3103fc0ce1f11c31" { dae.tile rows 10 columns 6 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k59_block2_7_norm_block2_7_norm_act "64bda8418979060c" { dae.tile rows 1 columns 157 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k60_block2_7_conv1_block2_7_conv1_act "d6d439cbc8925fbf" { dae.tile rows 1 columns 36 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 1 {
    dae.kernel @k61_block2_7_conv2 "3103fc0ce1f11c31" { dae.tile rows 5 columns 4 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k63_block2_8_norm_block2_8_norm_act "84a3b997c38adc8f" { dae.tile rows 1 columns 112 channels 3 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k64_block2_8_conv1_block2_8_conv1_act "8f1e017e4e39a29d" { dae.tile rows 1 columns 31 channels 4 window 1 x 1 lanes 8 }
  }
  dae.group lag 1 {
    dae.kernel @k65_block2_8_conv2 "3103fc0ce1f11c31" { dae.tile rows 6 columns 7 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k67_block2_9_norm_block2_9_norm_act "c6df6a1218068b2f" { dae.tile rows 1 columns 157 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k68_block2_9_conv1_block2_9_conv1_act "d1e3d99fa55b1ab3" { dae.tile rows 1 columns 27 channels 4 window 1 x 1 lanes 9 }
  }
  dae.group lag 0 {
    dae.kernel @k69_block2_9_conv2 "3103fc0ce1f11c31" { dae.tile rows 10 columns 10 channels 1 window 3 x 3 lanes 1 }
    dae.kernel @k71_block2_10_norm_block2_10_norm_act "1a6b628a3734989c" { dae.tile rows 1 columns 112 channels 3 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k72_block2_10_conv1_block2_10_conv1_act "9863aea3d94d99fc" { dae.tile rows 1 columns 36 channels 3 window 1 x 1 lanes 7 }
  }
  dae.group lag 2 {
    dae.kernel @k73_block2_10_conv2 "3103fc0ce1f11c31" { dae.tile rows 5 columns 5 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k75_block2_11_norm_block2_11_norm_act "285b821135ee2a46" { dae.tile rows 1 columns 66 channels 5 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k76_block2_11_conv1_block2_11_conv1_act "e9603fbb399d0e22" { dae.tile rows 1 columns 22 channels 4 window 1 x 1 lanes 15 }
  }
  dae.group lag 0 {
    dae.kernel @k77_block2_11_conv2 "3103fc0ce1f11c31" { dae.tile rows 7 columns 3 channels 1 window 3 x 3 lanes 8 }
    dae.kernel @k79_transition2_norm_transition2_norm_act "2e867a94464a4a79" { dae.tile rows 1 columns 196 channels 2 window 1 x 1 lanes 1 dae.split vector 16 }
  }
  dae.group lag 0 {
    dae.kernel @k80_transition2_conv "7012468344e31253" { dae.tile rows 1 columns 56 channels 8 window 1 x 1 lanes 4 }
    dae.kernel @k81_transition2_pool "9829a06d042693f5" { dae.tile rows 1 columns 14 channels 8 window 1 x 2 lanes 1 }
    dae.kernel @k82_block3_0_norm_block3_0_norm_act "3348afa6bf498264" { dae.tile rows 1 columns 33 channels 4 window 1 x 1 lanes 1 dae.split vector 16 }
  }
  dae.kernel @k83_block3_0_conv1_block3_0_conv1_act "f44573dcd3c90f7a" { dae.tile rows 1 columns 40 channels 3 window 1 x 1 lanes 4 }
  dae.group lag 1 {
    dae.kernel @k84_block3_0_conv2 "639ecca3fd455bd3" { dae.tile rows 3 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k86_block3_1_norm_block3_1_norm_act "1789025309aa1215" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k87_block3_1_conv1_block3_1_conv1_act "b50a687638b91626" { dae.tile rows 1 columns 33 channels 4 window 1 x 1 lanes 9 }
  }
  dae.group lag 1 {
    dae.kernel @k88_block3_1_conv2 "639ecca3fd455bd3" { dae.tile rows 1 columns 14 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k90_block3_2_norm_block3_2_norm_act "bc499f36d52c5d4b" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 dae.split vector 10 }
    dae.kernel @k91_block3_2_conv1_block3_2_conv1_act "ced8832b54959b33" { dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 10 }
  }
  dae.group lag 0 {
    dae.kernel @k92_block3_2_conv2 "639ecca3fd455bd3" { dae.tile rows 5 columns 14 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k94_block3_3_norm_block3_3_norm_act "0f8f9d4270b93ecc" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 dae.split vector 15 }
    dae.kernel @k95_block3_3_conv1_block3_3_conv1_act "610e80bca3a546f4" { dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 5 }
  }
  dae.group lag 0 {
    dae.kernel @k96_block3_3_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 5 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k98_block3_4_norm_block3_4_norm_act "64962eb651db86f0" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k99_block3_4_conv1_block3_4_conv1_act "29f16e5210954766" { dae.tile rows 1 columns 33 channels 4 window 1 x 1 lanes 6 }
  }
  dae.group lag 0 {
    dae.kernel @k100_block3_4_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 7 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k102_block3_5_norm_block3_5_norm_act "c2adcf276403d70f" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k103_block3_5_conv1_block3_5_conv1_act "0fae041784cd5d35" { dae.tile rows 1 columns 33 channels 3 window 1 x 1 lanes 9 }
  }
  dae.group lag 0 {
    dae.kernel @k104_block3_5_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 4 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k106_block3_6_norm_block3_6_norm_act "e3ad07adf6f2b6d4" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k107_block3_6_conv1_block3_6_conv1_act "6ca20454c472c443" { dae.tile rows 1 columns 33 channels 3 window 1 x 1 lanes 10 }
  }
  dae.group lag 0 {
    dae.kernel @k108_block3_6_conv2 "639ecca3fd455bd3" { dae.tile rows 5 columns 4 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k110_block3_7_norm_block3_7_norm_act "497f4ae9b97bcfca" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k111_block3_7_conv1_block3_7_conv1_act "c43476309fe33e54" { dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 8 }
  }
  dae.group lag 0 {
    dae.kernel @k112_block3_7_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k114_block3_8_norm_block3_8_norm_act "884caab269a30a04" { dae.tile rows 1 columns 40 channels 7 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k115_block3_8_conv1_block3_8_conv1_act "5867d91588e1a637" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k116_block3_8_conv2 "639ecca3fd455bd3" { dae.tile rows 5 columns 5 channels 2 window 3 x 3 lanes 4 }
    dae.kernel @k118_block3_9_norm_block3_9_norm_act "cf8ad080eee23bac" { dae.tile rows 1 columns 66 channels 5 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k119_block3_9_conv1_block3_9_conv1_act "4ba19928e01a01e2" { dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 7 }
  }
  dae.group lag 0 {
    dae.kernel @k120_block3_9_conv2 "639ecca3fd455bd3" { dae.tile rows 3 columns 5 channels 2 window 3 x 3 lanes 8 }
    dae.kernel @k122_block3_10_norm_block3_10_norm_act "83afac4529cbff82" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k123_block3_10_conv1_block3_10_conv1_act "f56a737909376f52" { dae.tile rows 1 columns 28 channels 3 window 1 x 1 lanes 6 }
  }
  dae.group lag 0 {
    dae.kernel @k124_block3_10_conv2 "639ecca3fd455bd3" { dae.tile rows 5 columns 7 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k126_block3_11_norm_block3_11_norm_act "cce2ece455e622d8" { dae.tile rows 1 columns 66 channels 5 window 1 x 1 lanes 1 dae.split vector 16 }
  }
  dae.kernel @k127_block3_11_conv1_block3_11_conv1_act "527e14490d7c77df" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 3 }
  dae.group lag 0 {
    dae.kernel @k128_block3_11_conv2 "639ecca3fd455bd3" { dae.tile rows 5 columns 5 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k130_block3_12_norm_block3_12_norm_act "fa7326996f77230c" { dae.tile rows 1 columns 66 channels 5 window 1 x 1 lanes 1 dae.split vector 16 }
  }
  dae.kernel @k131_block3_12_conv1_block3_12_conv1_act "d3bab42bfd3d7862" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  dae.group lag 0 {
    dae.kernel @k132_block3_12_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 14 channels 1 window 3 x 3 lanes 2 }
    dae.kernel @k134_block3_13_norm_block3_13_norm_act "f2495612e9e2eb25" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 dae.split vector 6 }
    dae.kernel @k135_block3_13_conv1_block3_13_conv1_act "be0ffa27293647e2" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k136_block3_13_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 5 channels 1 window 3 x 3 lanes 8 }
    dae.kernel @k138_block3_14_norm_block3_14_norm_act "8552524aa7a46108" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 dae.split vector 4 }
    dae.kernel @k139_block3_14_conv1_block3_14_conv1_act "2ef5f6fd355bf23d" { dae.tile rows 1 columns 40 channels 8 window 1 x 1 lanes 5 }
  }
  dae.group lag 0 {
    dae.kernel @k140_block3_14_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k142_block3_15_norm_block3_15_norm_act "2bf7f247891e3033" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 dae.split vector 16 }
  }
  dae.kernel @k143_block3_15_conv1_block3_15_conv1_act "602c99098e9405ba" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  dae.group lag 0 {
    dae.kernel @k144_block3_15_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k146_block3_16_norm_block3_16_norm_act "0458cc45c866799b" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 dae.split vector 8 }
    dae.kernel @k147_block3_16_conv1_block3_16_conv1_act "3a1861c917debc4e" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 3 }
  }
  dae.group lag 0 {
    dae.kernel @k148_block3_16_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k150_block3_17_norm_block3_17_norm_act "477aebe6b4558d68" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k151_block3_17_conv1_block3_17_conv1_act "8abc5d46ce828a05" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k152_block3_17_conv2 "639ecca3fd455bd3" { dae.tile rows 4 columns 14 channels 1 window 3 x 3 lanes 2 }
    dae.kernel @k154_block3_18_norm_block3_18_norm_act "9bdc3190ad989d12" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 }
    dae.kernel @k155_block3_18_conv1_block3_18_conv1_act "2bb5189604b28394" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k156_block3_18_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k158_block3_19_norm_block3_19_norm_act "f0adf17bced0455f" { dae.tile rows 1 columns 49 channels 6 window 1 x 1 lanes 1 dae.split vector 4 }
    dae.kernel @k159_block3_19_conv1_block3_19_conv1_act "71961cc718f3e277" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 3 }
  }
  dae.group lag 0 {
    dae.kernel @k160_block3_19_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 3 }
    dae.kernel @k162_block3_20_norm_block3_20_norm_act "2e7f88a1e0b72907" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 }
    dae.kernel @k163_block3_20_conv1_block3_20_conv1_act "1b7e2f897a7341d4" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k164_block3_20_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k166_block3_21_norm_block3_21_norm_act "0e233dc028a1bcf1" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 dae.split vector 4 }
    dae.kernel @k167_block3_21_conv1_block3_21_conv1_act "8adb41714866ddf9" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 3 }
  }
  dae.group lag 0 {
    dae.kernel @k168_block3_21_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 1 window 3 x 3 lanes 4 }
    dae.kernel @k170_block3_22_norm_block3_22_norm_act "ed523e628c3141cb" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 dae.split vector 8 }
    dae.kernel @k171_block3_22_conv1_block3_22_conv1_act "4ccaaf52d27cbb6a" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 3 }
  }
  dae.group lag 0 {
    dae.kernel @k172_block3_22_conv2 "639ecca3fd455bd3" { dae.tile rows 7 columns 4 channels 2 window 3 x 3 lanes 3 }
    dae.kernel @k174_block3_23_norm_block3_23_norm_act "61abfb702f0fba28" { dae.tile rows 1 columns 98 channels 3 window 1 x 1 lanes 1 dae.split vector 3 }
    dae.kernel @k175_block3_23_conv1_block3_23_conv1_act "6cddd7e2735b4b9d" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 5 }
  }
  dae.group lag 0 {
    dae.kernel @k176_block3_23_conv2 "639ecca3fd455bd3" { dae.tile rows 2 columns 14 channels 2 window 3 x 3 lanes 3 }
    dae.kernel @k178_transition3_norm_transition3_norm_act "71a0dfab2857e9cb" { dae.tile rows 1 columns 66 channels 4 window 1 x 1 lanes 1 dae.split vector 4 }
    dae.kernel @k179_transition3_conv "570f8ea72662af71" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 4 }
  }
  dae.kernel @k180_transition3_pool "738fd39078ad4ef5" { dae.tile rows 3 columns 7 channels 4 window 2 x 2 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k181_block4_0_norm_block4_0_norm_act "10af54159dd2d262" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k182_block4_0_conv1_block4_0_conv1_act "c6c9ad6402a69dc4" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k183_block4_0_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k185_block4_1_norm_block4_1_norm_act "9748ef4e7d872585" { dae.tile rows 1 columns 49 channels 9 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k186_block4_1_conv1_block4_1_conv1_act "0b461c5c76170b47" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k187_block4_1_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k189_block4_2_norm_block4_2_norm_act "38548060b6250749" { dae.tile rows 1 columns 49 channels 9 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k190_block4_2_conv1_block4_2_conv1_act "a266985ae032be0b" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k191_block4_2_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k193_block4_3_norm_block4_3_norm_act "a8ef484da6b2069b" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k194_block4_3_conv1_block4_3_conv1_act "48e51086aef20c92" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k195_block4_3_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k197_block4_4_norm_block4_4_norm_act "09a5bf5c1fff363b" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k198_block4_4_conv1_block4_4_conv1_act "355128bdf41a58e6" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k199_block4_4_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k201_block4_5_norm_block4_5_norm_act "09927e6994b1c1ef" { dae.tile rows 1 columns 49 channels 9 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k202_block4_5_conv1_block4_5_conv1_act "876c4379ead7506a" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k203_block4_5_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k205_block4_6_norm_block4_6_norm_act "00788044bf3b7016" { dae.tile rows 1 columns 49 channels 9 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k206_block4_6_conv1_block4_6_conv1_act "340edc297d358c7d" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k207_block4_6_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k209_block4_7_norm_block4_7_norm_act "efc0d1454c177fd8" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k210_block4_7_conv1_block4_7_conv1_act "769c13be7c206f34" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k211_block4_7_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k213_block4_8_norm_block4_8_norm_act "a570d0e26d62aa9b" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k214_block4_8_conv1_block4_8_conv1_act "b77febe279cf86fb" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k215_block4_8_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k217_block4_9_norm_block4_9_norm_act "8ae112c86af9e76a" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k218_block4_9_conv1_block4_9_conv1_act "9ea98caee8e7b418" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k219_block4_9_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k221_block4_10_norm_block4_10_norm_act "59fef731e6377e58" { dae.tile rows 1 columns 49 channels 9 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k222_block4_10_conv1_block4_10_conv1_act "f13138306ca9eab2" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k223_block4_10_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k225_block4_11_norm_block4_11_norm_act "c3dc6b374da4f146" { dae.tile rows 1 columns 49 channels 9 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k226_block4_11_conv1_block4_11_conv1_act "bc6b8c2e7fc50b43" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k227_block4_11_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k229_block4_12_norm_block4_12_norm_act "04c1598491834442" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k230_block4_12_conv1_block4_12_conv1_act "3d4858abd829a368" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k231_block4_12_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k233_block4_13_norm_block4_13_norm_act "48f46931a803d935" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k234_block4_13_conv1_block4_13_conv1_act "3f57ec51b6ac122f" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k235_block4_13_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k237_block4_14_norm_block4_14_norm_act "0c759d6609ec9b8f" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k238_block4_14_conv1_block4_14_conv1_act "fef436b62b5e7889" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k239_block4_14_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 1 {
    dae.kernel @k241_block4_15_norm_block4_15_norm_act "7fe4572de04d881f" { dae.tile rows 1 columns 49 channels 9 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k242_block4_15_conv1_block4_15_conv1_act "3d5d307702eed4e2" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  }
  dae.kernel @k243_block4_15_conv2 "8793f5f623469551" { dae.tile rows 7 columns 7 channels 1 window 3 x 3 lanes 1 }
  dae.group lag 2 {
    dae.kernel @k245_transition4_norm_transition4_norm_act "806bb642ad7c768d" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 1 dae.split vector 16 }
    dae.kernel @k246_mean "10810ccb29b9934a" { dae.tile rows 1 columns 1 channels 64 window 1 x 4 lanes 1 }
    dae.kernel @k247_classifier "c67e68c0b7f4f9bb" { dae.tile rows 1 columns 1 channels 11 window 1 x 1 lanes 22 }
  }
}
