dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.group lag 2 {
    dae.kernel @k2_conv1_conv1_act "cfae47ac66c039f3" { dae.fold window dae.tile rows 2 columns 56 channels 4 window 1 x 1 lanes 2 }
    dae.kernel @k3_pool2 "9451297881102161" { dae.tile rows 5 columns 14 channels 1 window 3 x 3 lanes 1 }
    dae.kernel @k4_fire2_squeeze_fire2_squeeze_act "cc9163b538e25caf" { dae.tile rows 1 columns 169 channels 1 window 1 x 1 lanes 2 }
  }
  dae.kernel @k5_fire2_expand1_fire2_expand1_act "c40eb038305b6bff" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 }
  dae.kernel @k6_fire2_expand3_fire2_expand3_act "c72fc2c05526ca08" { dae.tile rows 11 columns 19 channels 1 window 3 x 3 lanes 1 }
  dae.kernel @k8_fire3_squeeze_fire3_squeeze_act "33241efff982e48a" { dae.tile rows 1 columns 121 channels 1 window 1 x 1 lanes 4 }
  dae.kernel @k9_fire3_expand1_fire3_expand1_act "c40eb038305b6bff" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 1 }
  dae.group lag 0 {
    dae.kernel @k10_fire3_expand3_fire3_expand3_act "c72fc2c05526ca08" { dae.tile rows 2 columns 55 channels 1 window 3 x 3 lanes 1 }
    dae.kernel @k12_pool4 "da258821636bfae7" { dae.tile rows 1 columns 27 channels 1 window 3 x 3 lanes 1 }
  }
  dae.kernel @k13_fire4_squeeze_fire4_squeeze_act "13931e823d044aee" { dae.tile rows 1 columns 67 channels 2 window 1 x 1 lanes 4 }
  dae.kernel @k14_fire4_expand1_fire4_expand1_act "683cd7411f13c3e3" { dae.tile rows 1 columns 81 channels 2 window 1 x 1 lanes 2 }
  dae.kernel @k15_fire4_expand3_fire4_expand3_act "94a7a201ace21f93" { dae.tile rows 4 columns 27 channels 2 window 3 x 3 lanes 1 }
  dae.kernel @k17_fire5_squeeze_fire5_squeeze_act "695ebb2665dbfeac" { dae.tile rows 1 columns 35 channels 2 window 1 x 1 lanes 8 }
  dae.kernel @k18_fire5_expand1_fire5_expand1_act "683cd7411f13c3e3" { dae.tile rows 1 columns 81 channels 2 window 1 x 1 lanes 2 }
  dae.group lag 0 {
    dae.kernel @k19_fire5_expand3_fire5_expand3_act "94a7a201ace21f93" { dae.tile rows 2 columns 27 channels 3 window 3 x 3 lanes 2 }
    dae.kernel @k21_pool6 "886dbb887eb035ed" { dae.tile rows 1 columns 13 channels 4 window 3 x 3 lanes 1 }
  }
  dae.kernel @k22_fire6_squeeze_fire6_squeeze_act "fc953e1f20a86b09" { dae.tile rows 1 columns 43 channels 3 window 1 x 1 lanes 2 }
  dae.kernel @k23_fire6_expand1_fire6_expand1_act "e8ee34ad62e1f3c3" { dae.tile rows 1 columns 34 channels 3 window 1 x 1 lanes 3 }
  dae.kernel @k24_fire6_expand3_fire6_expand3_act "ce6c307442d563e2" { dae.tile rows 13 columns 7 channels 2 window 3 x 3 lanes 1 }
  dae.kernel @k26_fire7_squeeze_fire7_squeeze_act "da002592a814c94f" { dae.tile rows 1 columns 34 channels 3 window 1 x 1 lanes 4 }
  dae.kernel @k27_fire7_expand1_fire7_expand1_act "e8ee34ad62e1f3c3" { dae.tile rows 1 columns 34 channels 3 window 1 x 1 lanes 3 }
  dae.kernel @k28_fire7_expand3_fire7_expand3_act "ce6c307442d563e2" { dae.tile rows 13 columns 7 channels 2 window 3 x 3 lanes 1 }
  dae.kernel @k30_fire8_squeeze_fire8_squeeze_act "062fa128abb6bbb1" { dae.tile rows 1 columns 34 channels 2 window 1 x 1 lanes 6 }
  dae.kernel @k31_fire8_expand1_fire8_expand1_act "e3c59e1e061dca3c" { dae.tile rows 1 columns 34 channels 3 window 1 x 1 lanes 4 }
  dae.kernel @k32_fire8_expand3_fire8_expand3_act "975ba3124fd43af0" { dae.tile rows 13 columns 13 channels 1 window 3 x 3 lanes 2 }
  dae.kernel @k34_fire9_squeeze_fire9_squeeze_act "dec9677e3c4e71e8" { dae.tile rows 1 columns 29 channels 2 window 1 x 1 lanes 8 }
  dae.kernel @k35_fire9_expand1_fire9_expand1_act "e3c59e1e061dca3c" { dae.tile rows 1 columns 34 channels 3 window 1 x 1 lanes 4 }
  dae.kernel @k36_fire9_expand3_fire9_expand3_act "975ba3124fd43af0" { dae.tile rows 13 columns 13 channels 1 window 3 x 3 lanes 2 }
  dae.group lag 1 {
    dae.kernel @k38_conv10_conv10_act "e53652a8631097d9" { dae.tile rows 1 columns 85 channels 4 window 1 x 1 lanes 5 dae.reorder channels }
    dae.kernel @k39_mean "b252a75cf9fe2fe9" { dae.tile rows 1 columns 1 channels 4 window 1 x 85 lanes 1 }
  }
}
