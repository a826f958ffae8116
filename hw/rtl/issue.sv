/// Whether the head of a module's queue starts in this cycle (R9). Combinational, from registers only.
module issue (
  input  logic       head_valid_i,
  input  logic [3:0] wait_i,    // the head's wait mask, zero where there is none
  input  logic [3:0] tokens_i,  // bit p: there is a token from module p
  input  logic       free_i,    // the module can take an instruction
  input  logic       fault_i,   // a fault is set: nothing starts (R23)
  output logic       start_o
);

  logic [3:0] missing;

  assign missing = wait_i & ~tokens_i;
  assign start_o = head_valid_i && free_i && !fault_i && missing == '0;

endmodule
