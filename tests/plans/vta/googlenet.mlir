dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.group lag 1 {
    dae.kernel @k2_conv1_conv1_act "9e4bf248c51bc694" { dae.fold window dae.tile rows 5 columns 6 channels 4 window 1 x 1 lanes 10 }
    dae.kernel @k3_maxpool "ce29599ba67c5c64" { dae.tile rows 5 columns 14 channels 1 window 3 x 3 lanes 1 }
    dae.kernel @k4_conv2_reduce_conv2_reduce_act "938f26280ea15eac" { dae.tile rows 1 columns 45 channels 4 window 1 x 1 lanes 4 }
  }
  dae.group lag 0 {
    dae.kernel @k5_conv2_conv2_act "cfd3a01c5452c5db" { dae.tile rows 6 columns 28 channels 2 window 3 x 3 lanes 2 }
    dae.kernel @k6_pool2 "07873ae375ead6cb" { dae.tile rows 3 columns 14 channels 2 window 3 x 3 lanes 1 }
  }
  dae.kernel @k7_inception3a_1x1_inception3a_1x1_act "c4715180725338e3" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 3 }
  dae.kernel @k8_inception3a_3x3reduce_inception3a_3x3reduce_act "2929c21aded03de2" { dae.tile rows 1 columns 49 channels 3 window 1 x 1 lanes 6 }
  dae.kernel @k9_inception3a_3x3_inception3a_3x3_act "1b5a2973784732ee" { dae.tile rows 14 columns 7 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k10_inception3a_5x5reduce_inception3a_5x5reduce_act "c52e7c4669e3cd74" { dae.tile rows 1 columns 112 channels 1 window 1 x 1 lanes 3 }
  dae.group lag 1 {
    dae.kernel @k11_inception3a_5x5_inception3a_5x5_act "044d4de652aedc47" { dae.tile rows 6 columns 7 channels 1 window 5 x 5 lanes 1 }
    dae.kernel @k12_inception3a_pool "7cc7621e79026699" { dae.tile rows 3 columns 14 channels 4 window 3 x 3 lanes 1 }
    dae.kernel @k13_inception3a_project_inception3a_project_act "dc891b10f712990b" { dae.tile rows 1 columns 42 channels 2 window 1 x 1 lanes 6 }
  }
  dae.kernel @k15_inception3b_1x1_inception3b_1x1_act "21b7bc17ad959234" { dae.tile rows 1 columns 56 channels 4 window 1 x 1 lanes 4 }
  dae.kernel @k16_inception3b_3x3reduce_inception3b_3x3reduce_act "21b7bc17ad959234" { dae.tile rows 1 columns 42 channels 4 window 1 x 1 lanes 8 }
  dae.kernel @k17_inception3b_3x3_inception3b_3x3_act "d9c17a084d25d996" { dae.tile rows 14 columns 14 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k18_inception3b_5x5reduce_inception3b_5x5reduce_act "349259531893c086" { dae.tile rows 1 columns 56 channels 2 window 1 x 1 lanes 8 }
  dae.group lag 1 {
    dae.kernel @k19_inception3b_5x5_inception3b_5x5_act "bf91aadf4e94e1e1" { dae.tile rows 14 columns 10 channels 1 window 5 x 5 lanes 1 }
    dae.kernel @k20_inception3b_pool "7a96706eefc68961" { dae.tile rows 14 columns 14 channels 1 window 3 x 3 lanes 1 }
    dae.kernel @k21_inception3b_project_inception3b_project_act "4a371836aa446032" { dae.tile rows 1 columns 36 channels 4 window 1 x 1 lanes 8 }
  }
  dae.group lag 0 {
    dae.kernel @k23_pool3 "4f850ffe71a16b84" { dae.tile rows 5 columns 7 channels 3 window 3 x 3 lanes 1 }
    dae.kernel @k24_inception4a_1x1_inception4a_1x1_act "25879ce99a7133de" { dae.tile rows 1 columns 22 channels 2 window 1 x 1 lanes 8 }
  }
  dae.kernel @k25_inception4a_3x3reduce_inception4a_3x3reduce_act "3e496bf3dd9ce3af" { dae.tile rows 1 columns 33 channels 3 window 1 x 1 lanes 6 }
  dae.kernel @k26_inception4a_3x3_inception4a_3x3_act "f0fb03d40f50b4d8" { dae.tile rows 14 columns 7 channels 1 window 3 x 3 lanes 3 }
  dae.kernel @k27_inception4a_5x5reduce_inception4a_5x5reduce_act "76c9db3804a8773f" { dae.tile rows 1 columns 40 channels 1 window 1 x 1 lanes 5 }
  dae.group lag 1 {
    dae.kernel @k28_inception4a_5x5_inception4a_5x5_act "9b800a73fba0550d" { dae.tile rows 4 columns 14 channels 1 window 5 x 5 lanes 1 }
    dae.kernel @k29_inception4a_pool "f8de85ead786985f" { dae.tile rows 4 columns 14 channels 3 window 3 x 3 lanes 1 }
    dae.kernel @k30_inception4a_project_inception4a_project_act "b25f3828b651fa65" { dae.tile rows 1 columns 28 channels 2 window 1 x 1 lanes 10 }
  }
  dae.kernel @k32_inception4b_1x1_inception4b_1x1_act "aff3a4c73b2816c4" { dae.tile rows 1 columns 49 channels 5 window 1 x 1 lanes 4 }
  dae.kernel @k33_inception4b_3x3reduce_inception4b_3x3reduce_act "69a0bfe9d2779a82" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 4 }
  dae.kernel @k34_inception4b_3x3_inception4b_3x3_act "18142e80bb075469" { dae.tile rows 5 columns 14 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k35_inception4b_5x5reduce_inception4b_5x5reduce_act "e933cfc02c72f4d1" { dae.tile rows 1 columns 28 channels 2 window 1 x 1 lanes 8 }
  dae.group lag 1 {
    dae.kernel @k36_inception4b_5x5_inception4b_5x5_act "c6c50fc7fa5e5365" { dae.tile rows 7 columns 5 channels 2 window 5 x 5 lanes 1 }
    dae.kernel @k37_inception4b_pool "d5fa95ac592bdaa6" { dae.tile rows 3 columns 14 channels 4 window 3 x 3 lanes 1 }
    dae.kernel @k38_inception4b_project_inception4b_project_act "c051ab76c5d56ddd" { dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 5 }
  }
  dae.kernel @k40_inception4c_1x1_inception4c_1x1_act "5867d91588e1a637" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 4 }
  dae.kernel @k41_inception4c_3x3reduce_inception4c_3x3reduce_act "5867d91588e1a637" { dae.tile rows 1 columns 22 channels 4 window 1 x 1 lanes 8 }
  dae.kernel @k42_inception4c_3x3_inception4c_3x3_act "5bfcdb3941765811" { dae.tile rows 5 columns 14 channels 2 window 3 x 3 lanes 2 }
  dae.kernel @k43_inception4c_5x5reduce_inception4c_5x5reduce_act "e933cfc02c72f4d1" { dae.tile rows 1 columns 33 channels 2 window 1 x 1 lanes 8 }
  dae.group lag 1 {
    dae.kernel @k44_inception4c_5x5_inception4c_5x5_act "c6c50fc7fa5e5365" { dae.tile rows 3 columns 14 channels 1 window 5 x 5 lanes 1 }
    dae.kernel @k45_inception4c_pool "d5fa95ac592bdaa6" { dae.tile rows 3 columns 14 channels 4 window 3 x 3 lanes 1 }
    dae.kernel @k46_inception4c_project_inception4c_project_act "c051ab76c5d56ddd" { dae.tile rows 1 columns 14 channels 2 window 1 x 1 lanes 16 }
  }
  dae.kernel @k48_inception4d_1x1_inception4d_1x1_act "69a0bfe9d2779a82" { dae.tile rows 1 columns 49 channels 4 window 1 x 1 lanes 4 }
  dae.kernel @k49_inception4d_3x3reduce_inception4d_3x3reduce_act "9ca0f8ab1f79a45e" { dae.tile rows 1 columns 28 channels 3 window 1 x 1 lanes 8 }
  dae.kernel @k50_inception4d_3x3_inception4d_3x3_act "790059a4af428906" { dae.tile rows 14 columns 14 channels 2 window 3 x 3 lanes 1 }
  dae.kernel @k51_inception4d_5x5reduce_inception4d_5x5reduce_act "6d54f85b43f72639" { dae.tile rows 1 columns 28 channels 2 window 1 x 1 lanes 8 }
  dae.group lag 1 {
    dae.kernel @k52_inception4d_5x5_inception4d_5x5_act "b49e045aa01bbf4a" { dae.tile rows 5 columns 14 channels 1 window 5 x 5 lanes 2 }
    dae.kernel @k53_inception4d_pool "d5fa95ac592bdaa6" { dae.tile rows 3 columns 14 channels 4 window 3 x 3 lanes 1 }
    dae.kernel @k54_inception4d_project_inception4d_project_act "c051ab76c5d56ddd" { dae.tile rows 1 columns 28 channels 4 window 1 x 1 lanes 5 }
  }
  dae.kernel @k56_inception4e_1x1_inception4e_1x1_act "42e4e28e42f4be32" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 3 dae.reorder channels }
  dae.kernel @k57_inception4e_3x3reduce_inception4e_3x3reduce_act "aa068972546dbc85" { dae.tile rows 1 columns 22 channels 5 window 1 x 1 lanes 7 }
  dae.kernel @k58_inception4e_3x3_inception4e_3x3_act "1ba9633c5c130c54" { dae.tile rows 14 columns 14 channels 2 window 3 x 3 lanes 1 }
  dae.kernel @k59_inception4e_5x5reduce_inception4e_5x5reduce_act "7174f487e138ff04" { dae.tile rows 1 columns 28 channels 2 window 1 x 1 lanes 11 }
  dae.group lag 1 {
    dae.kernel @k60_inception4e_5x5_inception4e_5x5_act "be0b448fb8d76983" { dae.tile rows 5 columns 14 channels 1 window 5 x 5 lanes 1 }
    dae.kernel @k61_inception4e_pool "c0aa5cf86c518d89" { dae.tile rows 14 columns 14 channels 2 window 3 x 3 lanes 1 }
  }
  dae.group lag 0 {
    dae.kernel @k62_inception4e_project_inception4e_project_act "8901a376fddede7b" { dae.tile rows 1 columns 28 channels 3 window 1 x 1 lanes 6 }
    dae.kernel @k64_pool4 "df4dcc085564a020" { dae.tile rows 2 columns 7 channels 4 window 3 x 3 lanes 1 }
    dae.kernel @k65_inception5a_1x1_inception5a_1x1_act "001dc13f3bc9d446" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 2 }
  }
  dae.kernel @k66_inception5a_3x3reduce_inception5a_3x3reduce_act "a0ecea44f1e118a2" { dae.tile rows 1 columns 49 channels 10 window 1 x 1 lanes 6 }
  dae.kernel @k67_inception5a_3x3_inception5a_3x3_act "536ea3dbeb6ded80" { dae.tile rows 7 columns 7 channels 3 window 3 x 3 lanes 2 }
  dae.kernel @k68_inception5a_5x5reduce_inception5a_5x5reduce_act "354e7edb29dc779e" { dae.tile rows 1 columns 10 channels 2 window 1 x 1 lanes 13 }
  dae.group lag 1 {
    dae.kernel @k69_inception5a_5x5_inception5a_5x5_act "674fa43cf9c1b2af" { dae.tile rows 7 columns 7 channels 1 window 5 x 5 lanes 1 }
    dae.kernel @k70_inception5a_pool "9b0dafb751fefcfd" { dae.tile rows 7 columns 7 channels 6 window 3 x 3 lanes 1 }
  }
  dae.kernel @k71_inception5a_project_inception5a_project_act "f13138306ca9eab2" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 1 }
  dae.kernel @k73_inception5b_1x1_inception5b_1x1_act "34844df54a2a31e8" { dae.tile rows 1 columns 49 channels 12 window 1 x 1 lanes 2 }
  dae.kernel @k74_inception5b_3x3reduce_inception5b_3x3reduce_act "2f8d7d84c2dc3d35" { dae.tile rows 1 columns 49 channels 12 window 1 x 1 lanes 4 }
  dae.kernel @k75_inception5b_3x3_inception5b_3x3_act "3cc82ccf3f7fe727" { dae.tile rows 7 columns 7 channels 3 window 3 x 3 lanes 2 }
  dae.group lag 1 {
    dae.kernel @k76_inception5b_5x5reduce_inception5b_5x5reduce_act "3db71c780a491d1e" { dae.tile rows 1 columns 17 channels 2 window 1 x 1 lanes 18 }
    dae.kernel @k77_inception5b_5x5_inception5b_5x5_act "9845075b391bce8b" { dae.tile rows 7 columns 7 channels 1 window 5 x 5 lanes 2 }
    dae.kernel @k78_inception5b_pool "9b0dafb751fefcfd" { dae.tile rows 7 columns 7 channels 4 window 3 x 3 lanes 1 }
  }
  dae.group lag 1 {
    dae.kernel @k79_inception5b_project_inception5b_project_act "f13138306ca9eab2" { dae.tile rows 1 columns 49 channels 8 window 1 x 1 lanes 5 }
    dae.kernel @k81_mean "10810ccb29b9934a" { dae.tile rows 1 columns 1 channels 22 window 1 x 13 lanes 1 }
  }
  dae.kernel @k82_classifier "c67e68c0b7f4f9bb" { dae.tile rows 1 columns 1 channels 9 window 1 x 1 lanes 8 }
}
