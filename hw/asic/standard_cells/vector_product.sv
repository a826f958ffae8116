/// hw/rtl/vector_product.sv, with the products of halves as two numbers each: their carries are added with those of the sum
/// behind them, not before.
module vector_product (
  input  logic               clk_i,
  input  logic               enable_i,
  input  logic signed [31:0] x_i,
  input  logic signed [32:0] y_i,
  output logic signed [63:0] product_o
);

  logic [31:0] x_q;
  logic [32:0] y_q;
  logic [63:0] low, low_q, high, high_q;  // a carry and a sum
  logic [67:0] low_high, low_high_q, high_low, high_low_q;
  logic [33:0] sum, carry;
  logic signed [33:0] middle_q;
  logic [63:0] outer_q;

  half_product #(.Width(32)) u_low (.x_i(x_q[15:0]), .y_i(y_q[15:0]), .sum_o(low[31:0]), .carry_o(low[63:32]));
  half_product #(.YBits(17), .YSigned(1'b1), .Width(34)) u_low_high (
    .x_i(x_q[15:0]), .y_i(y_q[32:16]), .sum_o(low_high[33:0]), .carry_o(low_high[67:34])
  );
  half_product #(.XSigned(1'b1), .Width(34)) u_high_low (
    .x_i(x_q[31:16]), .y_i(y_q[15:0]), .sum_o(high_low[33:0]), .carry_o(high_low[67:34])
  );
  half_product #(.XSigned(1'b1), .YBits(17), .YSigned(1'b1), .Width(32)) u_high (
    .x_i(x_q[31:16]), .y_i(y_q[32:16]), .sum_o(high[31:0]), .carry_o(high[63:32])
  );
  carry_save #(.Rows(4), .Width(34)) u_middle (.rows_i({high_low_q, low_high_q}), .sum_o(sum), .carry_o(carry));

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      x_q <= x_i;
      y_q <= y_i;
      low_q <= low;
      low_high_q <= low_high;
      high_low_q <= high_low;
      high_q <= high;
      middle_q <= sum + carry;
      outer_q <= {high_q[63:32] + high_q[31:0], low_q[63:32] + low_q[31:0]};
      product_o <= {outer_q[63:16] + 48'(middle_q), outer_q[15:0]};
    end
  end

endmodule
