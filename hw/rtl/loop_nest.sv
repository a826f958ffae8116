/// A nest of counted loops with operands that each move by a signed stride a loop: the address generator of LOAD,
/// GEMM, VECTOR and STORE. Loop 0 is the outermost. `begin_i` takes counts, strides and first sums at its edge;
/// from the next cycle on the outputs describe the first iteration, and after each `next_i` the one behind it.
/// `aside_i` instead moves operand 0 alone, by its stride of the innermost loop, within the iteration.
/// Sums are exact when SumBits hold the largest counts and strides.
/// `first_o`: all loops of the reduction mask are at their start. `run_last_o`: the iteration is the last of the
/// innermost loop. `last_o`: no iteration follows.
module loop_nest #(
  parameter int unsigned Loops = 6,
  parameter int unsigned Operands = 3,
  parameter int unsigned StrideBits = 16,
  parameter int unsigned SumBits = 36
) (
  input  logic                                 clk_i,
  input  logic                                 begin_i,
  input  logic [16*Loops-1:0]                  counts_i,
  input  logic [StrideBits*Loops*Operands-1:0] strides_i,    // field Loops k + l: operand k in loop l, signed
  input  logic [SumBits*Operands-1:0]          sums_i,       // field k: operand k in the first iteration, signed
  input  logic [Loops-1:0]                     reduction_i,
  input  logic                                 next_i,
  input  logic                                 aside_i,
  output logic [SumBits*Operands-1:0]          sums_o,
  output logic                                 first_o,
  output logic                                 run_last_o,
  output logic                                 last_o
);

  localparam int unsigned LoopBits = $clog2(Loops);

  logic [15:0]           count_q [Loops];
  logic [StrideBits-1:0] stride_q [Loops*Operands];
  logic [Loops-1:0]      reduction_q;
  logic [15:0]           index_q [Loops];
  logic [SumBits-1:0]    sum_q [Loops*Operands];  // with all deeper loops at their start
  logic [SumBits-1:0]    moved [Operands];
  logic [Loops-1:0]      at_end, at_start;
  logic [LoopBits-1:0]   step;                    // the loop that moves on; all deeper ones begin again

  always_comb begin
    step = '0;
    for (int l = 0; l < Loops; l++) begin
      at_end[l] = index_q[l] == count_q[l] - 16'd1;
      at_start[l] = index_q[l] == '0;
      if (!at_end[l]) step = LoopBits'(l);
    end
    for (int k = 0; k < Operands; k++) begin
      moved[k] = sum_q[Loops*k+32'(step)] + SumBits'($signed(stride_q[Loops*k+32'(step)]));
      sums_o[SumBits*k+:SumBits] = sum_q[Loops*k+Loops-1];
    end
  end

  assign first_o = (reduction_q & ~at_start) == '0;
  assign run_last_o = at_end[Loops-1];
  assign last_o = &at_end;

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      reduction_q <= reduction_i;
      for (int l = 0; l < Loops; l++) begin
        count_q[l] <= counts_i[16*l+:16];
        index_q[l] <= '0;
        for (int k = 0; k < Operands; k++) begin
          stride_q[Loops*k+l] <= strides_i[StrideBits*(Loops*k+l)+:StrideBits];
          sum_q[Loops*k+l] <= sums_i[SumBits*k+:SumBits];
        end
      end
    end else if (next_i) begin
      for (int l = 0; l < Loops; l++) begin
        if (l == 32'(step)) index_q[l] <= index_q[l] + 16'd1;
        if (l > 32'(step)) index_q[l] <= '0;
        for (int k = 0; k < Operands; k++) begin
          if (l >= 32'(step)) sum_q[Loops*k+l] <= moved[k];
        end
      end
    end else if (aside_i) begin
      sum_q[Loops-1] <= sum_q[Loops-1] + SumBits'($signed(stride_q[Loops-1]));
    end
  end

endmodule
