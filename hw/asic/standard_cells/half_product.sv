/// The product of two numbers modulo 2^Width as the sum of two, without the carries of an adder. The bit of a signed
/// factor that counts negatively makes inverted bits of the partial products, and a constant (Baugh and Wooley, A Two's
/// Complement Parallel Array Multiplication Algorithm, IEEE Transactions on Computers C-22(12), 1973).
module half_product #(
  parameter int unsigned XBits = 16,
  parameter int unsigned YBits = 16,
  parameter bit          XSigned = 1'b0,
  parameter bit          YSigned = 1'b0,
  parameter int unsigned Width = 32,
  localparam int unsigned Rows = XBits + 1
) (
  input  logic [XBits-1:0] x_i,
  input  logic [YBits-1:0] y_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);

  // -b = (1 - b) - 1: what the inverted bits count too much.
  localparam logic [Width-1:0] SignX = Width'(XSigned) << (XBits - 1), SignY = Width'(YSigned) << (YBits - 1);
  localparam logic [Width-1:0] MostX = (Width'(1) << (XBits - 32'(XSigned))) - Width'(1);
  localparam logic [Width-1:0] MostY = (Width'(1) << (YBits - 32'(YSigned))) - Width'(1);
  localparam logic [Width-1:0] Excess = SignX * MostY + SignY * MostX;

  logic [Rows*Width-1:0] rows;

  for (genvar i = 0; i < XBits; i++) begin : gen_row
    localparam bit IsNegative = XSigned && i == XBits - 1;
    logic [YBits-1:0] bits;
    assign bits = ({YBits{x_i[i]}} & y_i) ^ {YSigned ^ IsNegative, {(YBits - 1) {IsNegative}}};
    assign rows[i*Width+:Width] = Width'(bits) << i;
  end
  assign rows[XBits*Width+:Width] = -Excess;
  carry_save #(.Rows(Rows), .Width(Width)) u_sum (.rows_i(rows), .sum_o(sum_o), .carry_o(carry_o));

endmodule
