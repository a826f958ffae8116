dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C11_C11_act "2347d537cfe9de3f" { dae.tile rows 7 columns 4 channels 4 window 1 x 1 lanes 8 dae.ramp }
}
