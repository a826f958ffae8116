dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C3_C3_act "938f26280ea15eac" { dae.tile rows 1 columns 62 channels 4 window 1 x 1 lanes 4 dae.ramp }
}
