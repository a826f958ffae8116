dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C5_C5_act "32506eb5c61a7f56" { dae.tile rows 14 columns 3 channels 4 window 1 x 1 lanes 4 dae.ramp }
}
