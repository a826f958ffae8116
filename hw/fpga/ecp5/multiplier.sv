/// A product of two signed numbers of 18 bits in an ECP5's multiplier, with its own registers: each factor where it is valid,
/// and the product (FPGA-TN-02205, ECP5 sysDSP usage guide).
module multiplier (
  input  logic               clk_i,
  input  logic               a_valid_i,
  input  logic               b_valid_i,
  input  logic signed [17:0] a_i,
  input  logic signed [17:0] b_i,
  output logic signed [35:0] product_o
);

  MULT18X18D #(
    .REG_INPUTA_CLK("CLK0"), .REG_INPUTA_CE("CE0"), .REG_INPUTB_CLK("CLK0"), .REG_INPUTB_CE("CE1"), .REG_OUTPUT_CLK("CLK0"),
    .REG_OUTPUT_CE("CE2")
  ) u_multiplier (
    .A0(a_i[0]), .A1(a_i[1]), .A2(a_i[2]), .A3(a_i[3]), .A4(a_i[4]), .A5(a_i[5]),
    .A6(a_i[6]), .A7(a_i[7]), .A8(a_i[8]), .A9(a_i[9]), .A10(a_i[10]), .A11(a_i[11]),
    .A12(a_i[12]), .A13(a_i[13]), .A14(a_i[14]), .A15(a_i[15]), .A16(a_i[16]), .A17(a_i[17]),
    .B0(b_i[0]), .B1(b_i[1]), .B2(b_i[2]), .B3(b_i[3]), .B4(b_i[4]), .B5(b_i[5]),
    .B6(b_i[6]), .B7(b_i[7]), .B8(b_i[8]), .B9(b_i[9]), .B10(b_i[10]), .B11(b_i[11]),
    .B12(b_i[12]), .B13(b_i[13]), .B14(b_i[14]), .B15(b_i[15]), .B16(b_i[16]), .B17(b_i[17]),
    .P0(product_o[0]), .P1(product_o[1]), .P2(product_o[2]), .P3(product_o[3]), .P4(product_o[4]), .P5(product_o[5]),
    .P6(product_o[6]), .P7(product_o[7]), .P8(product_o[8]), .P9(product_o[9]), .P10(product_o[10]), .P11(product_o[11]),
    .P12(product_o[12]), .P13(product_o[13]), .P14(product_o[14]), .P15(product_o[15]), .P16(product_o[16]), .P17(product_o[17]),
    .P18(product_o[18]), .P19(product_o[19]), .P20(product_o[20]), .P21(product_o[21]), .P22(product_o[22]), .P23(product_o[23]),
    .P24(product_o[24]), .P25(product_o[25]), .P26(product_o[26]), .P27(product_o[27]), .P28(product_o[28]), .P29(product_o[29]),
    .P30(product_o[30]), .P31(product_o[31]), .P32(product_o[32]), .P33(product_o[33]), .P34(product_o[34]), .P35(product_o[35]),
    .SIGNEDA(1'b1), .SIGNEDB(1'b1), .SOURCEA(1'b0), .SOURCEB(1'b0), .CLK0(clk_i), .CE0(a_valid_i), .CE1(b_valid_i), .CE2(1'b1), .RST0(1'b0)
  );

endmodule
