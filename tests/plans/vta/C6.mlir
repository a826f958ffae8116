dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C6_C6_act "39a407af528905e1" { dae.tile rows 14 columns 7 channels 2 window 3 x 3 lanes 2 dae.ramp }
}
