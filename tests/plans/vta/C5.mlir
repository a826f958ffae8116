dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C5_C5_act "32506eb5c61a7f56" { dae.tile rows 7 columns 7 channels 2 window 1 x 1 lanes 4 }
}
