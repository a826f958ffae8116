/// The base registers and their limits: three words of 32 bits each, one of them written in a cycle. Three readers
/// read a row each, in the same cycle, so an FPGA holds a copy in distributed RAM for each of them. A word that was
/// not written since the reset is zero, whatever its memory holds.
module base_table (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [2:0]      write_valid_i,  // low and high half of the address, limit
  input  logic [3:0]      write_row_i,
  input  logic [31:0]     write_data_i,
  input  logic [3*4-1:0]  read_row_i,
  output logic [3*96-1:0] read_data_o     // limit, address
);

  localparam int unsigned Rows = daedalus_isa_pkg::BaseRegisters;

  logic [31:0]       lows [Rows];
  logic [31:0]       highs [Rows];
  logic [31:0]       limits [Rows];
  logic [3*Rows-1:0] written_q;
  logic [3:0]        row;

  always_ff @(posedge clk_i) begin
    if (write_valid_i[0]) lows[write_row_i] <= write_data_i;
    if (write_valid_i[1]) highs[write_row_i] <= write_data_i;
    if (write_valid_i[2]) limits[write_row_i] <= write_data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= '0;
    end else begin
      for (int word = 0; word < 3; word++) begin
        if (write_valid_i[word]) written_q[{2'(word), write_row_i}] <= 1'b1;
      end
    end
  end

  always_comb begin
    for (int r = 0; r < 3; r++) begin
      row = read_row_i[4*r+:4];
      read_data_o[96*r+:96] = {limits[row], highs[row], lows[row]};
      for (int word = 0; word < 3; word++) begin
        if (!written_q[{2'(word), row}]) read_data_o[96*r+32*word+:32] = '0;
      end
    end
  end

endmodule
