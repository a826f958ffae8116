dae.plan format 1 machine "default" core "28bdcb1616377a73" {
  dae.kernel @k2_C6_C6_act "39a407af528905e1" { dae.tile rows 14 columns 6 channels 2 window 3 x 3 lanes 4 dae.ramp }
}
