/// What the head of a module's queue waits for, if the module does nothing else (R25). The tokens are compared once more than
/// in `issue`, whose result leads into the module, this one to the counters and to control. Combinational, from registers only.
module resting (
  input  logic [3:0] wait_i,    // the head's wait mask, zero where there is none
  input  logic [3:0] tokens_i,  // bit p: there is a token from module p
  output logic       waiting_o, // the head lacks a token
  output logic [3:0] class_o    // counter_class_e of a module that does nothing
);

  logic [3:0] missing;

  assign missing = wait_i & ~tokens_i;
  assign waiting_o = |missing;

  always_comb begin
    class_o = daedalus_isa_pkg::CounterClassIdle;
    if (missing[3]) class_o = daedalus_isa_pkg::CounterClassWaitStore;
    if (missing[2]) class_o = daedalus_isa_pkg::CounterClassWaitVector;
    if (missing[1]) class_o = daedalus_isa_pkg::CounterClassWaitGemm;
    if (missing[0]) class_o = daedalus_isa_pkg::CounterClassWaitLoad;
  end

endmodule
