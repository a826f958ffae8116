dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C6_C6_act "39a407af528905e1" { dae.tile rows 14 columns 6 channels 2 window 3 x 3 lanes 4 dae.ramp }
}
