dae.plan format 1 machine "vta" core "25059d0ea3780411" {
  dae.kernel @k2_C8_C8_act "4c3be44c6b9aa41b" { dae.tile rows 7 columns 7 channels 3 window 1 x 1 lanes 4 dae.ramp }
}
