/// vector_requant gives what the sum of 64 bits gives (golden/requant_golden.sv), three cycles behind: for every product
/// of 32 with 31 bits, every rounding, range and zero point, and, one after the other, every shift (prove.sh). It has no
/// state but its pipeline, so five cycles from any state are all.
module vector_requant_properties (
  input logic               clk_i,
  input logic signed [63:0] product_i,
  input logic        [5:0]  shift_i,
  input logic               half_up_i,
  input logic signed [7:0]  lo_i,
  input logic signed [7:0]  hi_i,
  input logic signed [7:0]  zero_point_i
);

  logic signed [63:0] first_q, second_q, third_q;
  logic        [24:0] fields, fields_q;  // of the instruction
  logic        [1:0]  cycles_q = 2'd0;
  logic signed [7:0]  result, expected;

  vector_requant u_dut (
    .clk_i, .enable_i(1'b1), .product_i, .shift_i, .half_up_i, .lo_i, .hi_i, .is_empty_i(hi_i < lo_i),
    .zero_point_i, .result_o(result)
  );
  requant_golden u_golden (
    .product_i(third_q), .shift_i, .half_up_i, .lo_i, .hi_i, .zero_point_i, .result_o(expected)
  );

  assign fields = {half_up_i, lo_i, hi_i, zero_point_i};
  always @(posedge clk_i) begin
    first_q <= product_i;
    second_q <= first_q;
    third_q <= second_q;
    fields_q <= fields;
    if (cycles_q != 2'd3) cycles_q <= cycles_q + 2'd1;
  end

  always @(*) begin
    assume (product_i[63] == product_i[62]);
    if (cycles_q != 2'd0) assume (fields == fields_q);
    if (cycles_q == 2'd3) assert (result == expected);
  end

endmodule
