/// hw/rtl/vector_product.sv, with the registers of factors and their halves' products in multipliers.
module vector_product (
  input  logic               clk_i,
  input  logic               enable_i,
  input  logic signed [31:0] x_i,
  input  logic signed [32:0] y_i,
  output logic signed [63:0] product_o
);

  logic signed [17:0] x_low, x_high, y_low, y_high;
  logic signed [35:0] low, low_high, high_low, high;
  logic signed [33:0] middle_q;
  logic        [63:0] outer_q;

  assign x_low = {2'b00, x_i[15:0]};
  assign x_high = 18'($signed(x_i[31:16]));
  assign y_low = {2'b00, y_i[15:0]};
  assign y_high = 18'($signed(y_i[32:16]));
  multiplier u_low (.clk_i, .a_valid_i(1'b1), .b_valid_i(1'b1), .a_i(x_low), .b_i(y_low), .product_o(low));
  multiplier u_low_high (.clk_i, .a_valid_i(1'b1), .b_valid_i(1'b1), .a_i(x_low), .b_i(y_high), .product_o(low_high));
  multiplier u_high_low (.clk_i, .a_valid_i(1'b1), .b_valid_i(1'b1), .a_i(x_high), .b_i(y_low), .product_o(high_low));
  multiplier u_high (.clk_i, .a_valid_i(1'b1), .b_valid_i(1'b1), .a_i(x_high), .b_i(y_high), .product_o(high));

  always_ff @(posedge clk_i) begin
    middle_q <= 34'($signed(low_high[32:0])) + 34'($signed(high_low[32:0]));
    outer_q <= {high[31:0], low[31:0]};
    product_o <= {outer_q[63:16] + 48'(middle_q), outer_q[15:0]};
  end

  logic unused;
  assign unused = ^{enable_i, low, low_high, high_low, high};

endmodule
