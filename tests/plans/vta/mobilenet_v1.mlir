dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_conv1_conv1_act "3694a3ab82abb9bc" { dae.fold columns dae.tile rows 19 columns 8 channels 2 window 3 x 1 lanes 1 }
  dae.group lag 0 {
    dae.kernel @k3_block0_depthwise_block0_depthwise_act "337239194fbf2150" { dae.tile rows 2 columns 56 channels 2 window 3 x 3 lanes 1 dae.slide rows 3 dae.hand_over }
    dae.kernel @k4_block0_pointwise_block0_pointwise_act "19edd45150b991ae" { dae.tile rows 2 columns 56 channels 4 window 1 x 1 lanes 2 }
  }
  dae.group lag 0 {
    dae.kernel @k5_block1_depthwise_block1_depthwise_act "e5fbf9ea8da55c95" { dae.tile rows 4 columns 12 channels 2 window 3 x 3 lanes 1 dae.slide rows 3 dae.hand_over }
    dae.kernel @k6_block1_pointwise_block1_pointwise_act "2976b3c070ff1c7c" { dae.tile rows 4 columns 12 channels 8 window 1 x 1 lanes 2 }
  }
  dae.group lag 1 {
    dae.kernel @k7_block2_depthwise_block2_depthwise_act "cbe062398544dde5" { dae.tile rows 2 columns 56 channels 2 window 3 x 3 lanes 1 dae.split vector 4 dae.slide rows 3 }
    dae.kernel @k8_block2_pointwise_block2_pointwise_act "1056524e43b76832" { dae.tile rows 1 columns 53 channels 8 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k9_block3_depthwise_block3_depthwise_act "dd0291e4dd428126" { dae.tile rows 1 columns 10 channels 8 window 3 x 3 lanes 1 dae.slide rows 3 dae.hand_over }
    dae.kernel @k10_block3_pointwise_block3_pointwise_act "d3cbbdb4c855df03" { dae.tile rows 1 columns 10 channels 16 window 1 x 1 lanes 8 }
  }
  dae.group lag 0 {
    dae.kernel @k11_block4_depthwise_block4_depthwise_act "6a899ddf00b24b73" { dae.tile rows 7 columns 28 channels 1 window 3 x 3 lanes 1 dae.slide rows 3 }
    dae.kernel @k12_block4_pointwise_block4_pointwise_act "9bf9eb855ab8d620" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 4 }
    dae.kernel @k13_block5_depthwise_block5_depthwise_act "8eb020f620de34be" { dae.tile rows 1 columns 14 channels 2 window 3 x 3 lanes 1 dae.split vector 16 dae.slide rows 3 }
  }
  dae.group lag 1 {
    dae.kernel @k14_block5_pointwise_block5_pointwise_act "ed39ad541f0c1ea2" { dae.tile rows 1 columns 66 channels 7 window 1 x 1 lanes 2 dae.reorder channels }
    dae.kernel @k15_block6_depthwise_block6_depthwise_act "94be9da489833235" { dae.tile rows 14 columns 14 channels 1 window 3 x 3 lanes 1 dae.split vector 1 dae.slide rows 3 }
  }
  dae.group lag 1 {
    dae.kernel @k16_block6_pointwise_block6_pointwise_act "317e9cf2dfa035bb" { dae.tile rows 1 columns 98 channels 4 window 1 x 1 lanes 4 dae.reorder channels }
    dae.kernel @k17_block7_depthwise_block7_depthwise_act "94be9da489833235" { dae.tile rows 14 columns 14 channels 1 window 3 x 3 lanes 1 dae.split vector 4 dae.slide rows 3 }
  }
  dae.group lag 1 {
    dae.kernel @k18_block7_pointwise_block7_pointwise_act "317e9cf2dfa035bb" { dae.tile rows 1 columns 98 channels 4 window 1 x 1 lanes 4 dae.reorder channels }
    dae.kernel @k19_block8_depthwise_block8_depthwise_act "94be9da489833235" { dae.tile rows 14 columns 14 channels 1 window 3 x 3 lanes 1 dae.split vector 4 dae.slide rows 3 }
  }
  dae.group lag 1 {
    dae.kernel @k20_block8_pointwise_block8_pointwise_act "317e9cf2dfa035bb" { dae.tile rows 1 columns 98 channels 4 window 1 x 1 lanes 4 dae.reorder channels }
    dae.kernel @k21_block9_depthwise_block9_depthwise_act "94be9da489833235" { dae.tile rows 14 columns 14 channels 1 window 3 x 3 lanes 1 dae.split vector 4 dae.slide rows 3 }
  }
  dae.group lag 1 {
    dae.kernel @k22_block9_pointwise_block9_pointwise_act "317e9cf2dfa035bb" { dae.tile rows 1 columns 98 channels 4 window 1 x 1 lanes 3 dae.reorder channels }
    dae.kernel @k23_block10_depthwise_block10_depthwise_act "94be9da489833235" { dae.tile rows 14 columns 14 channels 1 window 3 x 3 lanes 1 dae.split vector 4 dae.slide rows 3 }
  }
  dae.group lag 1 {
    dae.kernel @k24_block10_pointwise_block10_pointwise_act "317e9cf2dfa035bb" { dae.tile rows 1 columns 66 channels 7 window 1 x 1 lanes 3 dae.reorder channels }
    dae.kernel @k25_block11_depthwise_block11_depthwise_act "f176b976b3bba44d" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 1 dae.split vector 13 dae.slide rows 3 }
  }
  dae.group lag 3 {
    dae.kernel @k26_block11_pointwise_block11_pointwise_act "b7f04232a0c3f089" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 5 }
    dae.kernel @k27_block12_depthwise_block12_depthwise_act "fb6b481836d8eba0" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 1 dae.split vector 2 dae.slide rows 3 }
  }
  dae.group lag 1 {
    dae.kernel @k28_block12_pointwise_block12_pointwise_act "ada956563b9347b4" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 4 }
    dae.kernel @k29_mean "10810ccb29b9934a" { dae.tile rows 1 columns 1 channels 4 window 1 x 49 lanes 1 }
  }
  dae.kernel @k30_classifier "c67e68c0b7f4f9bb" { dae.tile rows 1 columns 1 channels 7 window 1 x 1 lanes 16 }
}
