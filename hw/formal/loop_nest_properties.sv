/// loop_nest walks as nested counters do, and its sums are start + index x stride over the loops, multiplied
/// (golden/loop_nest_golden.sv): its flags in each cycle, its sums and `first_o` one cycle behind, kept as `hold_i` says.
/// By induction over any number of iterations and instructions, for every count, start, stride and mask. Sums are
/// modulo 2^SumBits, and the width stands in no decision: it is proved for 3 loops, 2 operands and sums of 4 bits, in
/// which every product wraps. The host of the nest holds in no cycle in which it moves on, and does neither in the
/// cycle in which it begins (asserted where LOAD and STORE are proved, wired to constants in GEMM and VECTOR).
module loop_nest_properties #(
  localparam int unsigned Loops = 3,
  localparam int unsigned Operands = 2,
  localparam int unsigned StrideBits = 3,
  localparam int unsigned SumBits = 4
) (
  input logic                                 clk_i,
  input logic                                 begin_i,
  input logic [16*Loops-1:0]                  counts_i,
  input logic [StrideBits*Loops*Operands-1:0] strides_i,
  input logic [SumBits*Operands-1:0]          sums_i,
  input logic [Loops-1:0]                     reduction_i,
  input logic                                 next_i,
  input logic                                 aside_i,
  input logic                                 hold_i
);

  logic [SumBits*Operands-1:0] sums;
  logic                        first, run_last, last, wanted_first, wanted_run_last, wanted_last;
  logic [16*Loops-1:0]         index;
  logic [SumBits-1:0]          place;

  loop_nest #(.Loops(Loops), .Operands(Operands), .StrideBits(StrideBits), .SumBits(SumBits)) u_dut (
    .clk_i, .begin_i, .counts_i, .strides_i, .sums_i, .reduction_i, .next_i, .aside_i, .hold_i, .sums_o(sums),
    .first_o(first), .run_last_o(run_last), .last_o(last)
  );
  loop_nest_golden #(.Loops(Loops), .SumBits(SumBits)) u_golden (
    .clk_i, .begin_i, .counts_i, .reduction_i, .next_i, .aside_i, .index_o(index), .place_o(place),
    .first_o(wanted_first), .run_last_o(wanted_run_last), .last_o(wanted_last)
  );

  // The iteration whose sums are shown, and what the instruction says.
  logic                                 began_q = 1'b0, settled_q;  // `settled_q`: `first_o` is of this instruction
  logic [16*Loops-1:0]                  counts_q, shown_q;
  logic [SumBits-1:0]                   shown_place_q;
  logic                                 shown_first_q;
  logic [StrideBits*Loops*Operands-1:0] strides_q;
  logic [SumBits*Operands-1:0]          starts_q;
  logic [Loops-1:0]                     reduction_q;

  always @(posedge clk_i) begin
    if (begin_i) began_q <= 1'b1;
    if (begin_i) settled_q <= 1'b0;
    else if (!hold_i) settled_q <= 1'b1;
    if (begin_i) begin
      counts_q <= counts_i;
      strides_q <= strides_i;
      starts_q <= sums_i;
      reduction_q <= reduction_i;
      shown_q <= '0;
      shown_place_q <= '0;
    end else if (!hold_i) begin
      shown_q <= index;
      shown_place_q <= place;
      shown_first_q <= wanted_first;
    end
  end

  always @(*) begin
    assume (!(begin_i && (next_i || aside_i || hold_i)));
    assume (!(hold_i && (next_i || aside_i)));
    if (begin_i) for (int l = 0; l < Loops; l++) assume (counts_i[16*l+:16] != 16'd0);
  end

  logic [SumBits*Loops*Operands-1:0] wanted;
  loop_nest_sums_golden #(.Loops(Loops), .Operands(Operands), .StrideBits(StrideBits), .SumBits(SumBits)) u_sums (
    .index_i(shown_q), .place_i(shown_place_q), .strides_i(strides_q), .starts_i(starts_q), .sums_o(wanted)
  );

  always @(*) begin
    if (began_q) begin
      assert (run_last == wanted_run_last && last == wanted_last);
      for (int k = 0; k < Operands; k++) begin
        assert (sums[SumBits*k+:SumBits] == wanted[SumBits*(Loops*k+Loops-1)+:SumBits]);
      end
      if (settled_q) assert (first == shown_first_q);
    end
  end

  // What holds in between: registers of the nest (prove.sh connects them), and the move that the sums have yet to make.
  logic [15:0]           inside_most_q_0, inside_most_q_1, inside_most_q_2;
  logic [15:0]           inside_left_q_0, inside_left_q_1, inside_left_q_2;
  logic [StrideBits-1:0] inside_stride_q_0, inside_stride_q_1, inside_stride_q_2, inside_stride_q_3, inside_stride_q_4,
                         inside_stride_q_5;
  logic [SumBits-1:0]    inside_sum_q_0, inside_sum_q_1, inside_sum_q_2, inside_sum_q_3, inside_sum_q_4, inside_sum_q_5;
  logic [Loops-1:0]      inside_at_end_q, inside_near_end_q, inside_at_start_q, inside_one_q, inside_two_q,
                         inside_reduction_q, inside_moves_q, inside_deeper_q;
  logic [Operands-1:0]   inside_moves_on_q;

  logic [16*Loops-1:0]                  most, left, moved;
  logic [StrideBits*Loops*Operands-1:0] strides;
  logic [SumBits*Loops*Operands-1:0]    in_loops;
  logic [SumBits-1:0]                   moved_place;
  logic [15:0]                          count, at;

  assign most = {inside_most_q_2, inside_most_q_1, inside_most_q_0};
  assign left = {inside_left_q_2, inside_left_q_1, inside_left_q_0};
  assign strides = {inside_stride_q_5, inside_stride_q_4, inside_stride_q_3, inside_stride_q_2, inside_stride_q_1,
                    inside_stride_q_0};
  assign in_loops = {inside_sum_q_5, inside_sum_q_4, inside_sum_q_3, inside_sum_q_2, inside_sum_q_1, inside_sum_q_0};

  always @(*) begin
    for (int l = 0; l < Loops; l++) begin
      at = shown_q[16*l+:16];
      moved[16*l+:16] = inside_moves_q[l] ? at + 16'd1 : inside_deeper_q[l] ? 16'd0 : at;
    end
    moved_place = inside_moves_q[Loops-1] ? shown_place_q + SumBits'(1) : inside_deeper_q[Loops-1] ? '0 : shown_place_q;
    if (began_q) begin
      assert (strides == strides_q && inside_reduction_q == reduction_q);
      assert (in_loops == wanted);
      for (int l = 0; l < Loops; l++) begin
        count = counts_q[16*l+:16];
        at = index[16*l+:16];
        assert (count != 16'd0 && at < count && most[16*l+:16] == count - 16'd1);
        assert (left[16*l+:16] == count - 16'd1 - at);
        assert (inside_at_end_q[l] == (left[16*l+:16] == 16'd0));
        assert (inside_near_end_q[l] == (left[16*l+:16] == 16'd1));
        assert (inside_at_start_q[l] == (at == 16'd0));
        assert (inside_one_q[l] == (count == 16'd1) && inside_two_q[l] == (count == 16'd2));
      end
      if (settled_q) begin
        for (int l = 0; l < Loops; l++) begin
          assert (!inside_moves_q[l] || (inside_moves_q & ~(Loops'(1) << l)) == '0);
          assert (inside_deeper_q[l] == ((inside_moves_q & ((Loops'(1) << l) - Loops'(1))) != '0));
        end
      end
      assert (place == (inside_moves_on_q[0] ? moved_place : shown_place_q));
      assert (index[16*Loops-17:0] == (inside_moves_on_q[1] ? moved[16*Loops-17:0] : shown_q[16*Loops-17:0]));
      assert (index[16*Loops-1-:16] == (inside_moves_on_q[1] ? moved[16*Loops-1-:16] : shown_q[16*Loops-1-:16]));
      assert (inside_moves_on_q[0] || !inside_moves_on_q[1]);
      assert (!(inside_moves_on_q[0] && !inside_moves_on_q[1]) || inside_moves_q == Loops'(1) << (Loops - 1));
      if (!settled_q) assert (inside_moves_on_q == '0);
    end
  end

endmodule
