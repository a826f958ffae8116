/// LUT: tables of 256 bytes. LOAD writes rows of N bytes; VECTOR looks up one entry a lane in one table. Each lane has
/// a copy of its own, of which it reads the row with its entry. Data come in the cycle after the read, until the next
/// one. Of a table outside, which is a fault, they are anything.
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

  for (genvar i = 0; i < N; i++) begin : gen_lane
    logic [Bits-1:0]     address;
    logic [LaneBits-1:0] place_q;  // of the entry in its row
    logic [8*N-1:0]      row;

    assign address = Bits'({table_i, index_i[8*i+:8]});
    always_ff @(posedge clk_i) begin
      if (read_valid_i) place_q <= address[LaneBits-1:0];
    end
    ram_1r1w #(.Rows(Bytes / N), .Bytes(N), .Enables(1'b1), .Forwards(1'b1)) u_ram (
      .clk_i, .write_valid_i, .write_row_i, .write_enable_i, .write_data_i, .read_valid_i,
      .read_row_i(address[Bits-1:LaneBits]), .read_data_o(row)
    );
    assign data_o[8*i+:8] = row[8*place_q+:8];
`ifndef SYNTHESIS
    assert property (@(posedge clk_i)
        !(write_valid_i && read_valid_i && {table_i, index_i[8*i+LaneBits+:8-LaneBits]} == (11 - LaneBits)'(write_row_i)))
      else $error("race: a scratchpad's row is read in the cycle in which it is written");
`endif
  end

endmodule
