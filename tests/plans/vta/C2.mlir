dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C2_C2_act "daf6d4f4bee924a8" { dae.tile rows 6 columns 19 channels 2 window 3 x 3 lanes 2 }
}
