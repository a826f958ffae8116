dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C12_C12_act "887b6926daa465af" { dae.tile rows 7 columns 7 channels 3 window 3 x 3 lanes 4 dae.ramp }
}
