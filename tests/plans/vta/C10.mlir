dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C10_C10_act "252ab6392bcf07f5" { dae.tile rows 7 columns 7 channels 5 window 3 x 3 lanes 1 }
}
