/// A nest of counted loops with three operands, each of which moves a signed number of rows a loop: the address
/// generator of GEMM and VECTOR. Loop 0 is the outermost. `begin_i` takes counts, strides and first rows at its
/// edge; from the next cycle on the outputs describe the first iteration, and after each `next_i` the one behind
/// it. Rows are exact: 36 signed bits hold the largest counts and strides.
/// `first_o`: all loops of the reduction mask are at their start. `last_o`: no iteration follows.
module loop_nest #(
  parameter int unsigned Loops = 6
) (
  input  logic                   clk_i,
  input  logic                   begin_i,
  input  logic [16*Loops-1:0]    counts_i,
  input  logic [3*16*Loops-1:0]  strides_i,    // bits 16 (Loops k + l) +: 16: operand k in loop l, signed
  input  logic [47:0]            rows_i,       // bits 16 k +: 16: first row of operand k
  input  logic [Loops-1:0]       reduction_i,
  input  logic                   next_i,
  output logic signed [35:0]     row0_o,
  output logic signed [35:0]     row1_o,
  output logic signed [35:0]     row2_o,
  output logic                   first_o,
  output logic                   last_o
);

  logic [16*Loops-1:0]   counts_q;
  logic [3*16*Loops-1:0] strides_q;
  logic [Loops-1:0]      reduction_q;
  logic [15:0]           index_q [Loops];
  logic signed [35:0]    sum_q [3*Loops];  // row with all deeper loops at their start
  logic [Loops-1:0]      at_end, at_start;
  logic [Loops-1:0]      steps;            // the loop that moves on; all deeper ones begin again

  always_comb begin
    for (int l = 0; l < Loops; l++) begin
      at_end[l] = index_q[l] == counts_q[16*l+:16] - 16'd1;
      at_start[l] = index_q[l] == '0;
    end
    steps = '0;
    for (int l = 0; l < Loops; l++) begin
      if (!at_end[l]) begin
        steps = '0;
        steps[l] = 1'b1;
      end
    end
  end

  assign first_o = (reduction_q & ~at_start) == '0;
  assign last_o = &at_end;
  assign row0_o = sum_q[Loops-1];
  assign row1_o = sum_q[2*Loops-1];
  assign row2_o = sum_q[3*Loops-1];

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      counts_q    <= counts_i;
      strides_q   <= strides_i;
      reduction_q <= reduction_i;
      for (int l = 0; l < Loops; l++) begin
        index_q[l] <= '0;
        for (int k = 0; k < 3; k++) sum_q[Loops*k+l] <= {20'd0, rows_i[16*k+:16]};
      end
    end else if (next_i) begin
      for (int l = 0; l < Loops; l++) begin
        if (steps[l]) begin
          index_q[l] <= index_q[l] + 16'd1;
          for (int m = l + 1; m < Loops; m++) index_q[m] <= '0;
          for (int k = 0; k < 3; k++) begin
            for (int m = l; m < Loops; m++) begin
              sum_q[Loops*k+m] <= sum_q[Loops*k+l] + 36'($signed(strides_q[16*(Loops*k+l)+:16]));
            end
          end
        end
      end
    end
  end

endmodule
