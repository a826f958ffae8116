/// What a nest of counted loops is, without stages: an index a loop, which count as digits do. `next_i` goes to the next
/// iteration; `aside_i` moves operand 0 alone by its stride of the innermost loop. loop_nest stands for it.
module loop_nest_golden #(
  parameter int unsigned Loops = 6,
  parameter int unsigned SumBits = 36
) (
  input  logic                clk_i,
  input  logic                begin_i,
  input  logic [16*Loops-1:0] counts_i,
  input  logic [Loops-1:0]    reduction_i,
  input  logic                next_i,
  input  logic                aside_i,
  output logic [16*Loops-1:0] index_o,
  output logic [SumBits-1:0]  place_o,     // the innermost index of operand 0, with its moves aside
  output logic                first_o,
  output logic                run_last_o,
  output logic                last_o
);

  logic [16*Loops-1:0] counts_q, following;
  logic [Loops-1:0]    reduction_q, ends, starts;
  logic                carry;

  always @(*) begin
    carry = 1'b1;
    following = index_o;
    for (int l = Loops - 1; l >= 0; l--) begin
      ends[l] = index_o[16*l+:16] == counts_q[16*l+:16] - 16'd1;
      starts[l] = index_o[16*l+:16] == 16'd0;
      if (carry) following[16*l+:16] = ends[l] ? 16'd0 : index_o[16*l+:16] + 16'd1;
      carry = carry && ends[l];
    end
    run_last_o = ends[Loops-1];
    last_o = &ends;
    first_o = (reduction_q & ~starts) == '0;
  end

  always @(posedge clk_i) begin
    if (begin_i) begin
      counts_q <= counts_i;
      reduction_q <= reduction_i;
      index_o <= '0;
      place_o <= '0;
    end else if (next_i && !last_o) begin
      index_o <= following;
      place_o <= run_last_o ? '0 : place_o + SumBits'(1);
    end else if (aside_i && !next_i) begin
      place_o <= place_o + SumBits'(1);
    end
  end

endmodule

/// The operands of an iteration: of each its start and, for each loop from the outermost on, its index times its stride.
/// `sums_o` has them with the loops down to each one, field Loops k + l.
module loop_nest_sums_golden #(
  parameter int unsigned Loops = 6,
  parameter int unsigned Operands = 3,
  parameter int unsigned StrideBits = 16,
  parameter int unsigned SumBits = 36
) (
  input  logic [16*Loops-1:0]                  index_i,
  input  logic [SumBits-1:0]                   place_i,
  input  logic [StrideBits*Loops*Operands-1:0] strides_i,
  input  logic [SumBits*Operands-1:0]          starts_i,
  output logic [SumBits*Loops*Operands-1:0]    sums_o
);

  logic [SumBits-1:0] sum, index;

  always @(*) begin
    for (int k = 0; k < Operands; k++) begin
      sum = starts_i[SumBits*k+:SumBits];
      for (int l = 0; l < Loops; l++) begin
        index = k == 0 && l == Loops - 1 ? place_i : SumBits'(index_i[16*l+:16]);
        sum = sum + index * SumBits'($signed(strides_i[StrideBits*(Loops*k+l)+:StrideBits]));
        sums_o[SumBits*(Loops*k+l)+:SumBits] = sum;
      end
    end
  end

endmodule
