/// One processing element of the array: a tap and a weight, each in a register, and the register of their product. It is
/// written as a product of 32 bits, which synthesis narrows: the Verilated model is faster so.
module gemm_element (
  input  logic               clk_i,
  input  logic               tap_valid_i,   // a tap is to be taken
  input  logic               wgt_valid_i,   // a weight is
  input  logic               valid_i,       // what the registers hold is to be multiplied
  input  logic signed [7:0]  tap_i,
  input  logic signed [7:0]  wgt_i,
  output logic signed [7:0]  tap_o,
  output logic signed [15:0] product_o
);

  logic signed [7:0] wgt_q;

  always_ff @(posedge clk_i) begin
    if (tap_valid_i) tap_o <= tap_i;
    if (wgt_valid_i) wgt_q <= wgt_i;
    if (valid_i) product_o <= 16'(32'(tap_o) * 32'(wgt_q));
  end

endmodule
