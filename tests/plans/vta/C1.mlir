dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C1_C1_act "9e4bf248c51bc694" { dae.fold window dae.tile rows 16 columns 3 channels 4 window 1 x 1 lanes 10 }
}
