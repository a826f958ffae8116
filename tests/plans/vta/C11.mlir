dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C11_C11_act "2347d537cfe9de3f" { dae.tile rows 7 columns 7 channels 3 window 1 x 1 lanes 3 }
}
