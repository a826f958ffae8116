dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C7_C7_act "1a0b3e07e567b301" { dae.tile rows 7 columns 5 channels 4 window 3 x 3 lanes 2 }
}
