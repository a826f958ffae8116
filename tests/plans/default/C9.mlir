dae.plan format 1 machine "default" core "0522596141f5576c" {
  dae.kernel @k2_C9_C9_act "5517d03bd5443c53" { dae.tile rows 14 columns 5 channels 2 window 3 x 3 lanes 4 dae.ramp }
}
