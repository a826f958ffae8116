/// What requant makes of a product: shifted to the right, rounded, plus the zero point, clamped to [lo, hi] (hi where
/// the range is empty). Of the bits behind the point only the first (guard) and whether any other is set (sticky) count:
///   half up     q + guard
///   half even   q + (guard and (sticky or q is odd))
/// Three registers: the shift by eights, the shift by ones, the rounded sum; a product of cycle c gives `result_o` in
/// c + 3, where the comparison with lo and hi is combinational. A quotient beyond 12 bits is beyond every lo or hi.
module vector_requant (
  input  logic               clk_i,
  input  logic               enable_i,
  input  logic signed [63:0] product_i,
  input  logic        [5:0]  shift_i,       // 1 to 62
  input  logic               half_up_i,
  input  logic signed [7:0]  lo_i,
  input  logic signed [7:0]  hi_i,
  input  logic signed [7:0]  zero_point_i,
  output logic signed [7:0]  result_o
);

  // The quotient and behind it the guard; sticky of the bits that are gone.
  logic signed [64:0] whole, by_eights_q, by_ones_q;
  logic        [55:0] gone_eights;
  logic        [6:0]  gone_ones;
  logic               sticky_eights_q, sticky_q;
  logic        [2:0]  ones_q;

  assign whole = {product_i, 1'b0};
  always_comb begin
    for (int i = 0; i < 56; i++) gone_eights[i] = whole[i] && i < 8 * 32'(shift_i[5:3]);
    for (int i = 0; i < 7; i++) gone_ones[i] = by_eights_q[i] && i < 32'(ones_q);
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      by_eights_q <= whole >>> {shift_i[5:3], 3'd0};
      sticky_eights_q <= |gone_eights;
      ones_q <= shift_i[2:0];

      by_ones_q <= by_eights_q >>> ones_q;
      sticky_q <= sticky_eights_q || |gone_ones;
    end
  end

  // The rounded quotient plus the zero point, and the comparison.
  logic               up;
  logic signed [12:0] sum_q;
  logic               over_q, under_q;  // beyond 12 bits

  assign up = by_ones_q[0] && (half_up_i || sticky_q || by_ones_q[1]);
  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      sum_q <= 13'($signed(by_ones_q[12:1])) + 13'(zero_point_i) + 13'(up);
      over_q <= !by_ones_q[64] && |by_ones_q[63:12];
      under_q <= by_ones_q[64] && !(&by_ones_q[63:12]);
    end
  end

  always_comb begin
    result_o = sum_q[7:0];
    if (under_q || sum_q < 13'(lo_i)) result_o = lo_i;
    if (over_q || (!under_q && sum_q > 13'(hi_i)) || hi_i < lo_i) result_o = hi_i;
  end

endmodule
