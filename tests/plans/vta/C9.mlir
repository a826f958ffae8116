dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C9_C9_act "5517d03bd5443c53" { dae.tile rows 14 columns 7 channels 2 window 3 x 3 lanes 2 dae.ramp }
}
