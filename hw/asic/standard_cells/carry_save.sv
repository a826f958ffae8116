/// Rows of Width bits, the first one lowest, as two numbers of the same sum modulo 2^Width: three numbers become two in
/// the time of a full adder, and those that have been known longest are taken first.
module carry_save #(
  parameter int unsigned Rows = 4,  // at least 3
  parameter int unsigned Width = 32,
  localparam int unsigned Adders = Rows - 2
) (
  input  logic [Rows*Width-1:0] rows_i,
  output logic [Width-1:0]      sum_o,
  output logic [Width-1:0]      carry_o
);

  // The rows, then what each adder makes of the next three.
  logic [(Rows+2*Adders)*Width-1:0] numbers;
  logic [Width-1:0]                 a, b, c;

  always_comb begin
    numbers = {{2 * Adders * Width{1'b0}}, rows_i};
    for (int k = 0; k < Adders; k++) begin
      {c, b, a} = numbers[3*k*Width+:3*Width];
      numbers[(Rows+2*k)*Width+:2*Width] = {Width'({a & b | a & c | b & c, 1'b0}), a ^ b ^ c};
    end
    {carry_o, sum_o} = numbers[(Rows+2*Adders-2)*Width+:2*Width];
  end

endmodule
