/// What requant makes of a product, as docs/isa.md says it: with a sum of 64 bits. vector_requant stands for it.
module requant_golden (
  input  logic signed [63:0] product_i,
  input  logic        [5:0]  shift_i,       // 1 to 62
  input  logic               half_up_i,
  input  logic signed [7:0]  lo_i,
  input  logic signed [7:0]  hi_i,
  input  logic signed [7:0]  zero_point_i,
  output logic signed [7:0]  result_o
);

  logic signed [63:0] half, quotient, rounded;

  always @(*) begin
    half = 64'sd1 <<< (shift_i - 6'd1);
    quotient = product_i >>> shift_i;
    if (!half_up_i && !quotient[0]) half = half - 64'sd1;
    rounded = ((product_i + half) >>> shift_i) + 64'(zero_point_i);
    result_o = rounded[7:0];
    if (rounded < 64'(lo_i)) result_o = lo_i;
    if (rounded > 64'(hi_i) || hi_i < lo_i) result_o = hi_i;
  end

endmodule
