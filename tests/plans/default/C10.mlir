dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C10_C10_act "252ab6392bcf07f5" { dae.tile rows 7 columns 7 channels 2 window 3 x 3 lanes 4 dae.ramp }
}
