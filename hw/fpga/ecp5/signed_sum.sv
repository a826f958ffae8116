/// A sum of two signed numbers in a carry chain. It is a module for yosys to map alone: it merges sums of sums otherwise.
module signed_sum #(
  parameter int unsigned Bits = 17  // of the sum, one more than each of the numbers has
) (
  input  logic signed [Bits-2:0] a_i,
  input  logic signed [Bits-2:0] b_i,
  output logic signed [Bits-1:0] sum_o
);

  assign sum_o = Bits'(a_i) + Bits'(b_i);

endmodule
