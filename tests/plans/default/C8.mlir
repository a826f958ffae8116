dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C8_C8_act "4c3be44c6b9aa41b" { dae.tile rows 14 columns 2 channels 4 window 1 x 1 lanes 8 dae.ramp }
}
