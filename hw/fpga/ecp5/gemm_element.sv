/// hw/rtl/gemm_element.sv, with its weight, its product and a copy of its tap in the registers of the multiplier. The factors
/// stand in the upper bits of its pins: below them are zeros, where copies of the signs would be wires of their own.
module gemm_element (
  input  logic               clk_i,
  input  logic               tap_valid_i,
  input  logic               wgt_valid_i,
  input  logic               valid_i,
  input  logic signed [7:0]  tap_i,
  input  logic signed [7:0]  wgt_i,
  output logic signed [7:0]  tap_o,
  output logic signed [15:0] product_o
);

  logic signed [35:0] product;

  multiplier u_multiplier (
    .clk_i, .a_valid_i(tap_valid_i), .b_valid_i(wgt_valid_i), .a_i({tap_i, 10'd0}), .b_i({wgt_i, 10'd0}), .product_o(product)
  );
  assign product_o = product[35:20];
  always_ff @(posedge clk_i) begin
    if (tap_valid_i) tap_o <= tap_i;
  end

  logic unused;
  assign unused = ^{valid_i, product};

endmodule
