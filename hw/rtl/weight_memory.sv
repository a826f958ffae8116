/// WGT: tiles of N x N bytes, the N bytes of each output lane in a memory of their own. LOAD writes the bytes of one
/// lane of a tile, GEMM reads a tile: its data come in the cycle after the read, until the next one. Of a tile outside,
/// which is a fault, they are anything.
module weight_memory #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned Tiles = daedalus_machine_pkg::WgtBytes / (N * N),
  localparam int unsigned Bits = Tiles == 1 ? 1 : $clog2(Tiles),
  localparam int unsigned LaneBits = $clog2(N)
) (
  input  logic                clk_i,
  input  logic                write_valid_i,
  input  logic [Bits-1:0]     write_tile_i,
  input  logic [LaneBits-1:0] write_lane_i,
  input  logic [N-1:0]        write_enable_i,
  input  logic [8*N-1:0]      write_data_i,
  input  logic                read_valid_i,
  input  logic [15:0]         read_tile_i,
  output logic [8*N*N-1:0]    read_data_o
);

  for (genvar o = 0; o < N; o++) begin : gen_lane
    ram_1r1w #(.Rows(Tiles), .Bytes(N), .Enables(1'b1), .Forwards(1'b1)) u_ram (
      .clk_i, .write_valid_i(write_valid_i && write_lane_i == LaneBits'(o)), .write_row_i(write_tile_i),
      .write_enable_i, .write_data_i, .read_valid_i, .read_row_i(Bits'(read_tile_i)), .read_data_o(read_data_o[8*N*o+:8*N])
    );
  end

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(write_valid_i && read_valid_i && read_tile_i == 16'(write_tile_i)))
    else $error("race: a scratchpad's row is read in the cycle in which it is written");
`endif

endmodule
