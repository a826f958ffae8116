/// A block RAM of an ECP5 that is written by four bytes, each where it is enabled, and read by one: byte i of row r has the
/// number 4 r + i (FPGA-TN-02204, ECP5 memory usage guide). The data of a read come in the cycle behind it, until the next one.
module byte_ram (
  input  logic        clk_i,
  input  logic        write_valid_i,
  input  logic [8:0]  write_row_i,
  input  logic [3:0]  write_enable_i,
  input  logic [31:0] write_data_i,
  input  logic        read_valid_i,
  input  logic [10:0] read_byte_i,
  output logic [7:0]  read_data_o
);

  DP16KD #(
    .DATA_WIDTH_A(36), .DATA_WIDTH_B(9), .REGMODE_A("NOREG"), .REGMODE_B("NOREG"), .RESETMODE("SYNC"), .CSDECODE_A("0b000"),
    .CSDECODE_B("0b000"), .GSR("AUTO")
  ) u_ram (
    .CLKA(clk_i), .CEA(write_valid_i), .WEA(1'b1), .OCEA(1'b0), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
    .ADA0(write_enable_i[0]), .ADA1(write_enable_i[1]), .ADA2(write_enable_i[2]), .ADA3(write_enable_i[3]), .ADA4(1'b0),
    .ADA5(write_row_i[0]), .ADA6(write_row_i[1]), .ADA7(write_row_i[2]), .ADA8(write_row_i[3]), .ADA9(write_row_i[4]),
    .ADA10(write_row_i[5]), .ADA11(write_row_i[6]), .ADA12(write_row_i[7]), .ADA13(write_row_i[8]), .DIA0(write_data_i[0]),
    .DIA1(write_data_i[1]), .DIA2(write_data_i[2]), .DIA3(write_data_i[3]), .DIA4(write_data_i[4]), .DIA5(write_data_i[5]),
    .DIA6(write_data_i[6]), .DIA7(write_data_i[7]), .DIA8(1'b0), .DIA9(write_data_i[8]), .DIA10(write_data_i[9]),
    .DIA11(write_data_i[10]), .DIA12(write_data_i[11]), .DIA13(write_data_i[12]), .DIA14(write_data_i[13]),
    .DIA15(write_data_i[14]), .DIA16(write_data_i[15]), .DIA17(1'b0), .DIB0(write_data_i[16]), .DIB1(write_data_i[17]),
    .DIB2(write_data_i[18]), .DIB3(write_data_i[19]), .DIB4(write_data_i[20]), .DIB5(write_data_i[21]),
    .DIB6(write_data_i[22]), .DIB7(write_data_i[23]), .DIB8(1'b0), .DIB9(write_data_i[24]), .DIB10(write_data_i[25]),
    .DIB11(write_data_i[26]), .DIB12(write_data_i[27]), .DIB13(write_data_i[28]), .DIB14(write_data_i[29]),
    .DIB15(write_data_i[30]), .DIB16(write_data_i[31]), .DIB17(1'b0), .CLKB(clk_i), .CEB(read_valid_i), .WEB(1'b0),
    .OCEB(1'b1), .RSTB(1'b0), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0), .ADB0(1'b0), .ADB1(1'b0), .ADB2(1'b0),
    .ADB3(read_byte_i[0]), .ADB4(read_byte_i[1]), .ADB5(read_byte_i[2]), .ADB6(read_byte_i[3]), .ADB7(read_byte_i[4]),
    .ADB8(read_byte_i[5]), .ADB9(read_byte_i[6]), .ADB10(read_byte_i[7]), .ADB11(read_byte_i[8]), .ADB12(read_byte_i[9]),
    .ADB13(read_byte_i[10]), .DOB0(read_data_o[0]), .DOB1(read_data_o[1]), .DOB2(read_data_o[2]), .DOB3(read_data_o[3]),
    .DOB4(read_data_o[4]), .DOB5(read_data_o[5]), .DOB6(read_data_o[6]), .DOB7(read_data_o[7])
  );

endmodule
