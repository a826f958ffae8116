/// Whether the head of a module's queue starts in this cycle (R9), and what the module waits for if not.
/// Combinational, from registers only.
module issue (
  input  logic       head_valid_i,
  input  logic [3:0] wait_i,    // the head's wait mask, zero where there is none
  input  logic [3:0] tokens_i,  // bit p: there is a token from module p
  input  logic       free_i,    // the module can take an instruction
  input  logic       fault_i,   // a fault is set: nothing starts (R23)
  output logic       start_o,
  output logic       waiting_o,        // the head lacks a token
  output logic [3:0] resting_class_o   // class of a module that does nothing (R25)
);

  logic [3:0] missing;

  assign missing = wait_i & ~tokens_i;
  assign waiting_o = |missing;
  assign start_o = head_valid_i && free_i && !fault_i && !waiting_o;

  always_comb begin
    resting_class_o = daedalus_isa_pkg::CounterClassIdle;
    if (missing[3]) resting_class_o = daedalus_isa_pkg::CounterClassWaitStore;
    if (missing[2]) resting_class_o = daedalus_isa_pkg::CounterClassWaitVector;
    if (missing[1]) resting_class_o = daedalus_isa_pkg::CounterClassWaitGemm;
    if (missing[0]) resting_class_o = daedalus_isa_pkg::CounterClassWaitLoad;
  end

endmodule
