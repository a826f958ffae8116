/// One processing element of the array: the product of one tap with one weight, registered. It is written as
/// a product of 32 bits, which synthesis narrows: the Verilated model is faster so.
module gemm_element (
  input  logic               clk_i,
  input  logic               enable_i,
  input  logic signed [7:0]  inp_i,
  input  logic signed [7:0]  wgt_i,
  output logic signed [15:0] product_o
);

  always_ff @(posedge clk_i) begin
    if (enable_i) product_o <= 16'(32'(inp_i) * 32'(wgt_i));
  end

endmodule
