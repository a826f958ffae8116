dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k1_hidden0_hidden0_act "9ae238144464714e" { dae.tile rows 1 columns 1 channels 16 window 1 x 1 lanes 7 }
  dae.kernel @k2_hidden1_hidden1_act "1b319705660b5d06" { dae.tile rows 1 columns 1 channels 16 window 1 x 1 lanes 8 }
  dae.kernel @k3_hidden2_hidden2_act "c6da6da799dde4b7" { dae.tile rows 1 columns 1 channels 8 window 1 x 1 lanes 8 }
  dae.kernel @k4_classifier "5d3fb95762248a9d" { dae.tile rows 1 columns 1 channels 1 window 1 x 1 lanes 16 }
}
