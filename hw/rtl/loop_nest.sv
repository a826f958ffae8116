/// A nest of counted loops with operands that each move by a signed stride a loop: the address generator of LOAD,
/// GEMM, VECTOR and STORE. Loop 0 is the outermost. `begin_i` takes counts, strides and first sums at its edge.
/// Two stages, so that no cycle holds more than one sum:
///   flags   from the cycle behind `begin_i` on `run_last_o` and `last_o` describe the first iteration, and in the cycle
///           behind each `next_i` the one behind it. Each loop knows one iteration ahead that it ends, so the loop
///           that moves on is found in one step.
///   sums    `sums_o` and `first_o` describe in each cycle the iteration that the flags described in the cycle before.
///           `hold_i` keeps them for another cycle; flags do not move on in it.
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
  input  logic                                 hold_i,
  output logic [SumBits*Operands-1:0]          sums_o,
  output logic                                 first_o,
  output logic                                 run_last_o,
  output logic                                 last_o
);

  localparam logic [Loops-1:0] Innermost = {1'b1, {(Loops-1){1'b0}}};

  // Flags.
  logic [15:0]      most_q [Loops];  // iterations of the loop but one
  logic [15:0]      left_q [Loops];  // of these, those that follow
  logic [Loops-1:0] at_end_q, near_end_q, at_start_q;  // no iteration follows; one does; none was before
  logic [Loops-1:0] one_q, two_q;                      // the loop has so many iterations
  logic [Loops-1:0] reduction_q;
  logic [Loops-1:0] moves, deeper;   // the loop that moves on; those that begin again

  always_comb begin
    deeper = '0;
    for (int l = 0; l < Loops; l++) begin
      moves[l] = !at_end_q[l];
      for (int k = l + 1; k < Loops; k++) begin
        if (!at_end_q[k]) moves[l] = 1'b0;
      end
    end
    for (int l = 1; l < Loops; l++) deeper[l] = deeper[l-1] || moves[l-1];
  end

  assign run_last_o = at_end_q[Loops-1];
  assign last_o = &at_end_q;

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < Loops; l++) begin
      if (begin_i) begin
        most_q[l] <= counts_i[16*l+:16] - 16'd1;
        left_q[l] <= counts_i[16*l+:16] - 16'd1;
        one_q[l] <= counts_i[16*l+:16] == 16'd1;
        two_q[l] <= counts_i[16*l+:16] == 16'd2;
        at_end_q[l] <= counts_i[16*l+:16] == 16'd1;
        near_end_q[l] <= counts_i[16*l+:16] == 16'd2;
        at_start_q[l] <= 1'b1;
      end else if (next_i && moves[l]) begin
        left_q[l] <= left_q[l] - 16'd1;
        at_end_q[l] <= near_end_q[l];
        near_end_q[l] <= left_q[l] == 16'd2;
        at_start_q[l] <= 1'b0;
      end else if (next_i && deeper[l]) begin
        left_q[l] <= most_q[l];
        at_end_q[l] <= one_q[l];
        near_end_q[l] <= two_q[l];
        at_start_q[l] <= 1'b1;
      end
    end
    if (begin_i) reduction_q <= reduction_i;
    if (!hold_i) first_o <= (reduction_q & ~at_start_q) == '0;
  end

  // Sums.
  logic [StrideBits-1:0] stride_q [Loops*Operands];
  logic [SumBits-1:0]    sum_q [Loops*Operands];  // with all deeper loops at their start
  logic [SumBits-1:0]    moved [Operands];
  logic [SumBits-1:0]    from;
  logic [StrideBits-1:0] by;
  logic [Operands-1:0]   moves_on_q;
  logic [Loops-1:0]      moves_q, deeper_q;

  always_comb begin
    for (int k = 0; k < Operands; k++) begin
      from = '0;
      by = '0;
      for (int l = 0; l < Loops; l++) begin
        if (moves_q[l]) from = from | sum_q[Loops*k+l];
        if (moves_q[l]) by = by | stride_q[Loops*k+l];
      end
      moved[k] = from + SumBits'($signed(by));
      sums_o[SumBits*k+:SumBits] = sum_q[Loops*k+Loops-1];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!hold_i) begin
      moves_on_q <= {Operands{next_i}} | Operands'(aside_i);
      moves_q <= next_i ? moves : Innermost;
      deeper_q <= next_i ? deeper : '0;
    end
    for (int k = 0; k < Operands; k++) begin
      for (int l = 0; l < Loops; l++) begin
        if (begin_i) begin
          stride_q[Loops*k+l] <= strides_i[StrideBits*(Loops*k+l)+:StrideBits];
          sum_q[Loops*k+l] <= sums_i[SumBits*k+:SumBits];
        end else if (!hold_i && moves_on_q[k] && (moves_q[l] || deeper_q[l])) begin
          sum_q[Loops*k+l] <= moved[k];
        end
      end
    end
  end

endmodule
