/// What requant makes of a product: shifted to the right, rounded, plus the zero point, clamped to [lo, hi] (hi where
/// the range is empty). Of the bits behind the point only the first (guard) and whether any other is set (sticky) count:
///   half up     q + guard
///   half even   q + (guard and (sticky or q is odd))
/// A quotient beyond 12 bits is beyond every lo or hi: of the bits above only whether one differs from the sign counts.
/// Three registers: the shift by eights, the shift by ones, the rounded sum; a product of cycle c gives `result_o` in
/// c + 3, where the comparison with lo and hi is combinational.
module vector_requant (
  input  logic               clk_i,
  input  logic               enable_i,
  input  logic signed [63:0] product_i,
  input  logic        [5:0]  shift_i,       // 1 to 62
  input  logic               half_up_i,
  input  logic signed [7:0]  lo_i,
  input  logic signed [7:0]  hi_i,
  input  logic               is_empty_i,    // hi is less than lo
  input  logic signed [7:0]  zero_point_i,
  output logic signed [7:0]  result_o
);

  // The guard, the 12 bits of the quotient, and what the shift by ones may bring there.
  localparam int unsigned Quotient = 13;
  localparam int unsigned Near = Quotient + 7;

  logic signed [64:0]     whole;  // the product and behind it a guard
  logic        [7:0]      from_eights, from_ones;  // bit k: the shift is at most k
  logic        [6:0]      gone_bytes, far_bytes;
  logic        [6:0]      gone_ones;
  logic        [Near-1:Quotient-1] beyond;
  logic        [Near-1:0] by_eights_q;
  logic        [Quotient-1:0] by_ones_q;
  logic        [2:0]      ones_q;
  logic                   sign_eights_q, far_eights_q, sticky_eights_q, sign_q, far_q, sticky_q;

  assign whole = {product_i, 1'b0};
  assign from_eights = 8'hff << shift_i[5:3];
  assign from_ones = 8'hff << ones_q;
  always_comb begin
    for (int k = 0; k < 7; k++) begin
      gone_bytes[k] = whole[8*k+:8] != '0 && !from_eights[k];
      far_bytes[k] = 1'b0;
      for (int i = Near + 8 * k; i < Near + 8 * (k + 1) && i < 64; i++)
        if (whole[i] != whole[64] && from_eights[k]) far_bytes[k] = 1'b1;
    end
    for (int i = 0; i < 7; i++) gone_ones[i] = by_eights_q[i] && !from_ones[i];
    for (int i = Quotient - 1; i < Near; i++)
      beyond[i] = by_eights_q[i] != sign_eights_q && from_ones[i-Quotient+1];
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      by_eights_q <= Near'(whole >>> {shift_i[5:3], 3'd0});
      sign_eights_q <= whole[64];
      far_eights_q <= |far_bytes;
      sticky_eights_q <= |gone_bytes;
      ones_q <= shift_i[2:0];

      by_ones_q <= Quotient'(by_eights_q >> ones_q);
      sign_q <= sign_eights_q;
      far_q <= far_eights_q || |beyond;
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
      over_q <= far_q && !sign_q;
      under_q <= far_q && sign_q;
    end
  end

  always_comb begin
    result_o = sum_q[7:0];
    if (under_q || sum_q < 13'(lo_i)) result_o = lo_i;
    if (over_q || (!under_q && sum_q > 13'(hi_i)) || is_empty_i) result_o = hi_i;
  end

endmodule
