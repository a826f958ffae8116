/// The product of two signed numbers of 32 and 33 bits, modulo 2^64, in four registers: the factors, four products of
/// their halves, the sum of the middle two, the whole. The second one is at most 2^31. Factors of cycle c give
/// `product_o` in c + 4.
module vector_product (
  input  logic               clk_i,
  input  logic               enable_i,
  input  logic signed [31:0] x_i,
  input  logic signed [32:0] y_i,
  output logic signed [63:0] product_o
);

  logic signed [31:0] x_q;
  logic signed [32:0] y_q;
  logic        [31:0] low_q;
  logic signed [32:0] low_high_q, high_low_q;
  logic signed [31:0] high_q;
  logic signed [33:0] middle_q;
  logic        [63:0] outer_q;

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      x_q <= x_i;
      y_q <= y_i;

      low_q <= 32'(x_q[15:0]) * 32'(y_q[15:0]);
      low_high_q <= 33'($signed({1'b0, x_q[15:0]})) * 33'($signed(y_q[32:16]));
      high_low_q <= 33'($signed(x_q[31:16])) * 33'($signed({1'b0, y_q[15:0]}));
      high_q <= 32'($signed(x_q[31:16])) * 32'($signed(y_q[32:16]));

      middle_q <= 34'(low_high_q) + 34'(high_low_q);
      outer_q <= {high_q, low_q};

      product_o <= {outer_q[63:16] + 48'(middle_q), outer_q[15:0]};
    end
  end

endmodule
