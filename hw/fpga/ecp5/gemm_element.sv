/// hw/rtl/gemm_element.sv, with its register in the multiplier.
module gemm_element (
  input  logic               clk_i,
  input  logic               enable_i,
  input  logic signed [7:0]  inp_i,
  input  logic signed [7:0]  wgt_i,
  output logic signed [15:0] product_o
);

  logic signed [35:0] product;

  multiplier #(.Inputs(1'b0)) u_multiplier (.clk_i, .a_i(18'(inp_i)), .b_i(18'(wgt_i)), .product_o(product));
  assign product_o = product[15:0];

  logic unused;
  assign unused = ^{enable_i, product};

endmodule
