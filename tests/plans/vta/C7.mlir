dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C7_C7_act "1a0b3e07e567b301" { dae.tile rows 14 columns 5 channels 4 window 3 x 3 lanes 1 }
}
