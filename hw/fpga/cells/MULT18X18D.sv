/// Lattice's MULT18X18D as yosys' synth_ecp5 and hw/fpga/ecp5/multiplier.sv instantiate it (FPGA-TN-02205, ECP5 sysDSP usage
/// guide): the product of A and B, each signed where SIGNEDA or SIGNEDB says so, without registers or with those of the
/// factors, each where its enable is set, of the product, or of both, at the edge of CLK0. Its other registers, clocks and
/// resets are not here.
module MULT18X18D #(
  parameter string REG_INPUTA_CLK = "NONE",
  parameter string REG_INPUTB_CLK = "NONE",
  parameter string REG_INPUTC_CLK = "NONE",
  parameter string REG_PIPELINE_CLK = "NONE",
  parameter string REG_OUTPUT_CLK = "NONE",
  parameter string REG_INPUTA_CE = "CE0",
  parameter string REG_INPUTB_CE = "CE0",
  parameter string REG_OUTPUT_CE = "CE0"
) (
  input  A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
  input  B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
  input  C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
  input  SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CE0, CE1, CE2, RST0,
  output P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15,
      P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);

  initial begin
    if (REG_INPUTA_CLK != REG_INPUTB_CLK || (REG_INPUTA_CLK != "NONE" && REG_INPUTA_CLK != "CLK0") || REG_INPUTC_CLK != "NONE"
        || REG_PIPELINE_CLK != "NONE" || REG_INPUTA_CE != "CE0" || (REG_INPUTB_CE != "CE0" && REG_INPUTB_CE != "CE1")
        || (REG_OUTPUT_CE != "CE0" && REG_OUTPUT_CE != "CE2") || (REG_OUTPUT_CLK != "NONE" && REG_OUTPUT_CLK != "CLK0"))
      $fatal(1, "MULT18X18D: this model has no such registers");
  end

  logic signed [18:0] a, b, a_q, b_q;
  logic signed [37:0] product;
  logic [35:0]        product_q;

  assign a = {SIGNEDA && A17, A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  assign b = {SIGNEDB && B17, B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  assign product = REG_INPUTA_CLK == "NONE" ? a * b : a_q * b_q;
  always_ff @(posedge CLK0) begin
    if (CE0) a_q <= a;
    if (REG_INPUTB_CE == "CE0" ? CE0 : CE1) b_q <= b;
    if (REG_OUTPUT_CE == "CE0" ? CE0 : CE2) product_q <= product[35:0];
  end
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15,
      P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = REG_OUTPUT_CLK == "NONE" ? product[35:0] : product_q;

endmodule
