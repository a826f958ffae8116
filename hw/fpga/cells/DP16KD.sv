/// Lattice's DP16KD, a block RAM of 18 Kibit with two ports of 1, 2, 4, 9, 18 or 36 bits, as yosys' synth_ecp5 instantiates
/// it (Lattice FPGA-TN-02204, ECP5 memory usage guide): outputs without a second register, written data behind a read of
/// NORMAL, WRITETHROUGH and READBEFOREWRITE. Address bits below a port's width enable bytes; a port of 36 bits has the
/// low half of its data on the pins A and the high half on the pins B, and a narrower port B of a memory that is written by 36 bits
/// is read on the pins B.
module DP16KD #(
  parameter DATA_WIDTH_A = 18,
  parameter DATA_WIDTH_B = 18,
  parameter string REGMODE_A = "NOREG",
  parameter string REGMODE_B = "NOREG",
  parameter string RESETMODE = "SYNC",
  parameter string ASYNC_RESET_RELEASE = "SYNC",
  parameter string CSDECODE_A = "0b000",
  parameter string CSDECODE_B = "0b000",
  parameter string WRITEMODE_A = "NORMAL",
  parameter string WRITEMODE_B = "NORMAL",
  parameter string CLKAMUX = "CLKA",
  parameter string CLKBMUX = "CLKB",
  parameter bit [319:0] INITVAL_00 = '0, INITVAL_01 = '0, INITVAL_02 = '0, INITVAL_03 = '0,
  parameter bit [319:0] INITVAL_04 = '0, INITVAL_05 = '0, INITVAL_06 = '0, INITVAL_07 = '0,
  parameter bit [319:0] INITVAL_08 = '0, INITVAL_09 = '0, INITVAL_0A = '0, INITVAL_0B = '0,
  parameter bit [319:0] INITVAL_0C = '0, INITVAL_0D = '0, INITVAL_0E = '0, INITVAL_0F = '0,
  parameter bit [319:0] INITVAL_10 = '0, INITVAL_11 = '0, INITVAL_12 = '0, INITVAL_13 = '0,
  parameter bit [319:0] INITVAL_14 = '0, INITVAL_15 = '0, INITVAL_16 = '0, INITVAL_17 = '0,
  parameter bit [319:0] INITVAL_18 = '0, INITVAL_19 = '0, INITVAL_1A = '0, INITVAL_1B = '0,
  parameter bit [319:0] INITVAL_1C = '0, INITVAL_1D = '0, INITVAL_1E = '0, INITVAL_1F = '0,
  parameter bit [319:0] INITVAL_20 = '0, INITVAL_21 = '0, INITVAL_22 = '0, INITVAL_23 = '0,
  parameter bit [319:0] INITVAL_24 = '0, INITVAL_25 = '0, INITVAL_26 = '0, INITVAL_27 = '0,
  parameter bit [319:0] INITVAL_28 = '0, INITVAL_29 = '0, INITVAL_2A = '0, INITVAL_2B = '0,
  parameter bit [319:0] INITVAL_2C = '0, INITVAL_2D = '0, INITVAL_2E = '0, INITVAL_2F = '0,
  parameter bit [319:0] INITVAL_30 = '0, INITVAL_31 = '0, INITVAL_32 = '0, INITVAL_33 = '0,
  parameter bit [319:0] INITVAL_34 = '0, INITVAL_35 = '0, INITVAL_36 = '0, INITVAL_37 = '0,
  parameter bit [319:0] INITVAL_38 = '0, INITVAL_39 = '0, INITVAL_3A = '0, INITVAL_3B = '0,
  parameter bit [319:0] INITVAL_3C = '0, INITVAL_3D = '0, INITVAL_3E = '0, INITVAL_3F = '0,
  parameter string GSR = "DISABLED"
) (
  input  DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2,
      DIA1, DIA0,
  input  ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
  input  CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2,
      DOA1, DOA0,
  input  DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2,
      DIB1, DIB0,
  input  ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
  input  CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2,
      DOB1, DOB0
);

  localparam bit [20479:0] Initial = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38, INITVAL_37,
    INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E,
    INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25,
    INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C,
    INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13,
    INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A,
    INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
    INITVAL_00};
  logic [17:0] mem [1024];
  logic [35:0] data_a, data_b, out_a_q, out_b_q;
  logic [13:0] address_a, address_b;
  logic        takes_a, takes_b, writes_a, writes_b;

  assign address_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  assign takes_a = CEA && {CSA2, CSA1, CSA0} == 3'd0;
  assign writes_a = takes_a && WEA;
  assign address_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  assign takes_b = CEB && {CSB2, CSB1, CSB0} == 3'd0;
  assign writes_b = takes_b && WEB;
  assign data_a = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3,
      DIB2, DIB1, DIB0,
                   DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3,
                       DIA2, DIA1, DIA0};
  assign data_b = {18'd0, DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
      DIB3, DIB2, DIB1, DIB0};
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2,
      DOA1, DOA0} = DATA_WIDTH_B == 36 ? out_b_q[17:0] : out_a_q[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2,
      DOB1, DOB0} = DATA_WIDTH_B == 36 ? out_b_q[35:18] : out_b_q[17:0];

  initial begin
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000")
      $fatal(1, "DP16KD: this model has neither output registers nor decoded selects");
    for (int row = 0; row < 1024; row++) mem[row] = Initial[20*row+:18];
  end

  /// What a port of a width reads.
  function automatic logic [35:0] at(int width, logic [13:0] address);
    case (width)
      36: return {mem[{address[13:5], 1'b1}], mem[{address[13:5], 1'b0}]};
      18: return {18'd0, mem[address[13:4]]};
      9: return {27'd0, mem[address[13:4]][9*address[3]+:9]};
      4: return {32'd0, mem[address[13:4]][9*address[3]+4*address[2]+:4]};
      2: return {34'd0, mem[address[13:4]][9*address[3]+2*address[2:1]+:2]};
      default: return {35'd0, mem[address[13:4]][9*address[3]+address[2:0]]};
    endcase
  endfunction

  task automatic write(int width, logic [13:0] address, logic [35:0] data);
    case (width)
      36: for (int i = 0; i < 4; i++) if (address[i]) mem[{address[13:5], i[1]}][9*i[0]+:9] = data[9*i+:9];
      18: for (int i = 0; i < 2; i++) if (address[i]) mem[address[13:4]][9*i+:9] = data[9*i+:9];
      9: mem[address[13:4]][9*address[3]+:9] = data[8:0];
      4: mem[address[13:4]][9*address[3]+4*address[2]+:4] = data[3:0];
      2: mem[address[13:4]][9*address[3]+2*address[2:1]+:2] = data[1:0];
      default: mem[address[13:4]][9*address[3]+address[2:0]] = data[0];
    endcase
  endtask

  // One clock: yosys maps memories of one.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge CLKA) begin
    if (takes_a && (!WEA || WRITEMODE_A == "READBEFOREWRITE")) out_a_q <= at(DATA_WIDTH_A, address_a);
    if (takes_b && (!WEB || WRITEMODE_B == "READBEFOREWRITE")) out_b_q <= at(DATA_WIDTH_B, address_b);
    if (writes_a) write(DATA_WIDTH_A, address_a, data_a);
    if (writes_b) write(DATA_WIDTH_B, address_b, data_b);
    if (writes_a && WRITEMODE_A == "WRITETHROUGH") out_a_q <= at(DATA_WIDTH_A, address_a);
    if (writes_b && WRITEMODE_B == "WRITETHROUGH") out_b_q <= at(DATA_WIDTH_B, address_b);
    if (RSTA) out_a_q <= '0;
    if (RSTB) out_b_q <= '0;
  end
  /* verilator lint_on BLKSEQ */

endmodule
