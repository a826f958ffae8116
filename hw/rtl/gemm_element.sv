/// One processing element of the array: the product of one lane of INP with one weight, registered.
module gemm_element (
  input  logic               clk_i,
  input  logic               enable_i,
  input  logic signed [7:0]  inp_i,
  input  logic signed [7:0]  wgt_i,
  output logic signed [15:0] product_o
);

  always_ff @(posedge clk_i) begin
    if (enable_i) product_o <= inp_i * wgt_i;
  end

endmodule
