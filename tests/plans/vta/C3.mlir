dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C3_C3_act "938f26280ea15eac" { dae.tile rows 1 columns 62 channels 2 window 1 x 1 lanes 4 }
}
