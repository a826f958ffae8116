/// In the place of loop_nest where its host is proved for every nest: any flags, any sums, which stay while `hold_i` is set.
module loop_nest #(
  parameter int unsigned Loops = 6,
  parameter int unsigned Operands = 3,
  parameter int unsigned StrideBits = 16,
  parameter int unsigned SumBits = 36
) (
  input  logic                                 clk_i,
  input  logic                                 begin_i,
  input  logic [16*Loops-1:0]                  counts_i,
  input  logic [StrideBits*Loops*Operands-1:0] strides_i,
  input  logic [SumBits*Operands-1:0]          sums_i,
  input  logic [Loops-1:0]                     reduction_i,
  input  logic                                 next_i,
  input  logic                                 aside_i,
  input  logic                                 hold_i,
  output logic [SumBits*Operands-1:0]          sums_o,
  output logic                                 first_o,
  output logic                                 run_last_o,
  output logic                                 last_o
);

  (* anyseq *) logic [SumBits*Operands-1:0] any_sums;
  (* anyseq *) logic [2:0]                  any_flags;
  logic [SumBits*Operands-1:0]              kept_q;
  logic                                     hold_q;

  assign sums_o = hold_q ? kept_q : any_sums;
  assign {first_o, run_last_o, last_o} = any_flags;
  always @(posedge clk_i) begin
    kept_q <= sums_o;
    hold_q <= hold_i;
  end

endmodule
