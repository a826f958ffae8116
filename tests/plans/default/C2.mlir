dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C2_C2_act "daf6d4f4bee924a8" { dae.tile rows 12 columns 8 channels 2 window 3 x 3 lanes 4 dae.ramp }
}
