/// hw/rtl/lookup_memory.sv in block RAMs that are read by the byte, each with four bytes of every row.
module lookup_memory #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned Bytes = daedalus_machine_pkg::LutBytes,
  localparam int unsigned Bits = $clog2(Bytes),
  localparam int unsigned LaneBits = $clog2(N)
) (
  input  logic                     clk_i,
  input  logic                     write_valid_i,
  input  logic [Bits-LaneBits-1:0] write_row_i,
  input  logic [N-1:0]             write_enable_i,
  input  logic [8*N-1:0]           write_data_i,
  input  logic                     read_valid_i,
  input  logic [2:0]               table_i,
  input  logic [8*N-1:0]           index_i,
  output logic [8*N-1:0]           data_o
);

  localparam int unsigned Rams = N / 4;
  localparam int unsigned PlaceBits = Rams == 1 ? 1 : $clog2(Rams);

  for (genvar i = 0; i < N; i++) begin : gen_lane
    logic [Bits-1:0]      address;
    logic [PlaceBits-1:0] place_q;  // of the RAM with the entry
    logic [8*Rams-1:0]    bytes;

    assign address = Bits'({table_i, index_i[8*i+:8]});
    always_ff @(posedge clk_i) begin
      if (read_valid_i) place_q <= PlaceBits'((address % Bits'(N)) >> 2);
    end
    for (genvar r = 0; r < Rams; r++) begin : gen_ram
      byte_ram u_ram (
        .clk_i, .write_valid_i, .write_row_i(9'(write_row_i)), .write_enable_i(write_enable_i[4*r+:4]),
        .write_data_i(write_data_i[32*r+:32]), .read_valid_i, .read_byte_i({9'(address >> LaneBits), address[1:0]}),
        .read_data_o(bytes[8*r+:8])
      );
    end
    assign data_o[8*i+:8] = bytes[8*place_q+:8];
  end

endmodule
