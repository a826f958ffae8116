dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C4_C4_act "2c143970e623306a" { dae.tile rows 5 columns 14 channels 4 window 3 x 3 lanes 1 }
}
