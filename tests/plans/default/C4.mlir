dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C4_C4_act "2c143970e623306a" { dae.tile rows 6 columns 7 channels 2 window 3 x 3 lanes 4 dae.ramp }
}
