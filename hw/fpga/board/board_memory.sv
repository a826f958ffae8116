/// A memory of block RAM behind AXI4, with a second port for the host. INCR bursts of whole beats within 4 KiB, one beat a
/// cycle without gaps, answered in order. A burst whose address comes in t has its first beat in t + 2, and a last write
/// beat of t is answered in t + 1: read_latency 2 and write_latency 1 of a machine file. A burst beyond Bytes is answered
/// DECERR, one of another kind SLVERR; nothing of it is written.
///
/// What a block RAM reads that is written in the same cycle is not defined, so a write beat that meets a read of its row
/// waits a cycle. The host has the cycles that AXI leaves: `host_ready_o` ends its access, and the byte that it read is on
/// `host_data_o` in the cycle behind.
module board_memory #(
  parameter int unsigned  Bytes = 65536,  // a multiple of 4096
  parameter int unsigned  Reads = 32,     // bursts that may be open, a power of two
  parameter int unsigned  Writes = 16,
  parameter int unsigned  IdBits = 4,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes,
  localparam int unsigned AddressBits = $clog2(Bytes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   arvalid_i,
  output logic                   arready_o,
  input  logic [63:0]            araddr_i,
  input  logic [7:0]             arlen_i,
  input  logic [2:0]             arsize_i,
  input  logic [1:0]             arburst_i,
  input  logic [IdBits-1:0]      arid_i,
  output logic                   rvalid_o,
  input  logic                   rready_i,
  output logic [8*W-1:0]         rdata_o,
  output logic [1:0]             rresp_o,
  output logic                   rlast_o,
  output logic [IdBits-1:0]      rid_o,
  input  logic                   awvalid_i,
  output logic                   awready_o,
  input  logic [63:0]            awaddr_i,
  input  logic [7:0]             awlen_i,
  input  logic [2:0]             awsize_i,
  input  logic [1:0]             awburst_i,
  input  logic [IdBits-1:0]      awid_i,
  input  logic                   wvalid_i,
  output logic                   wready_o,
  input  logic [8*W-1:0]         wdata_i,
  input  logic [W-1:0]           wstrb_i,
  input  logic                   wlast_i,
  output logic                   bvalid_o,
  input  logic                   bready_i,
  output logic [1:0]             bresp_o,
  output logic [IdBits-1:0]      bid_o,
  // the host: bytes
  input  logic                   host_valid_i,
  input  logic                   host_write_i,
  input  logic [AddressBits-1:0] host_address_i,
  input  logic [7:0]             host_data_i,
  output logic                   host_ready_o,
  output logic [7:0]             host_data_o
);

  localparam int unsigned Shift = $clog2(W);
  localparam int unsigned RowBits = AddressBits - Shift;
  localparam logic [1:0]  Okay = 2'b00, SlaveError = 2'b10, DecodeError = 2'b11;
  localparam logic [1:0]  Incr = 2'b01;

  typedef struct packed {
    logic [IdBits-1:0]  id;
    logic [1:0]         response;
    logic [7:0]         length;  // beats - 1
    logic [RowBits-1:0] row;
  } burst_t;

  function automatic logic [1:0] response_of(input logic [63:0] address, input logic [2:0] size, input logic [1:0] kind);
    if (address >= 64'(Bytes)) response_of = DecodeError;
    else if (kind != Incr || size != 3'(Shift)) response_of = SlaveError;
    else response_of = Okay;
  endfunction

  burst_t             read, write;
  logic               read_valid, reads, read_last, write_valid, writes, write_last, meets;
  logic [7:0]         read_beat_q, write_beat_q;
  logic [RowBits-1:0] read_row, write_row, host_row;
  logic               ram_reads, ram_writes, host_reads, host_writes;
  logic [Shift-1:0]   host_byte_q;

  burst_queue #(.Places(Reads), .Width($bits(read))) u_reads (
    .clk_i, .rst_ni, .push_i(arvalid_i), .room_o(arready_o), .valid_o(read_valid), .pop_i(reads && read_last),
    .data_i({arid_i, response_of(araddr_i, arsize_i, arburst_i), arlen_i, araddr_i[AddressBits-1:Shift]}), .data_o(read)
  );
  burst_queue #(.Places(Writes), .Width($bits(write))) u_writes (
    .clk_i, .rst_ni, .push_i(awvalid_i), .room_o(awready_o), .valid_o(write_valid), .pop_i(writes && write_last),
    .data_i({awid_i, response_of(awaddr_i, awsize_i, awburst_i), awlen_i, awaddr_i[AddressBits-1:Shift]}), .data_o(write)
  );

  assign read_row = read.row + RowBits'(read_beat_q);
  assign read_last = read_beat_q == read.length;
  assign reads = read_valid && (!rvalid_o || rready_i);
  assign ram_reads = reads && read.response == Okay;

  assign write_row = write.row + RowBits'(write_beat_q);
  assign write_last = write_beat_q == write.length;
  assign meets = ram_reads && write_row == read_row;
  assign wready_o = write_valid && !meets && (!bvalid_o || bready_i);
  assign writes = wvalid_i && wready_o;
  assign ram_writes = writes && write.response == Okay;

  assign host_row = host_address_i[AddressBits-1:Shift];
  assign host_reads = host_valid_i && !host_write_i && !reads && (!rvalid_o || rready_i) &&
                      !(ram_writes && write_row == host_row);
  assign host_writes = host_valid_i && host_write_i && !ram_writes && !(ram_reads && read_row == host_row);
  assign host_ready_o = host_reads || host_writes;
  assign host_data_o = rdata_o[8*host_byte_q+:8];

  ram_1r1w #(.Rows(Bytes / W), .Bytes(W), .Enables(1'b1)) u_ram (
    .clk_i,
    .write_valid_i(ram_writes || host_writes),
    .write_row_i(ram_writes ? write_row : host_row),
    .write_enable_i(ram_writes ? wstrb_i : W'(1) << host_address_i[Shift-1:0]),
    .write_data_i(ram_writes ? wdata_i : {W{host_data_i}}),
    .read_valid_i(ram_reads || host_reads),
    .read_row_i(reads ? read_row : host_row),
    .read_data_o(rdata_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_o     <= 1'b0;
      bvalid_o     <= 1'b0;
      read_beat_q  <= '0;
      write_beat_q <= '0;
    end else begin
      rvalid_o <= reads || (rvalid_o && !rready_i);
      bvalid_o <= (writes && write_last) || (bvalid_o && !bready_i);
      if (reads) read_beat_q <= read_last ? '0 : read_beat_q + 8'd1;
      if (writes) write_beat_q <= write_last ? '0 : write_beat_q + 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (reads) {rlast_o, rresp_o, rid_o} <= {read_last, read.response, read.id};
    if (writes) {bresp_o, bid_o} <= {write.response, write.id};
    if (host_reads) host_byte_q <= host_address_i[Shift-1:0];
  end

  logic unused;
  assign unused = wlast_i;

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(writes && wlast_i != write_last))
    else $error("a write burst has another number of beats than its AWLEN says");
`endif

endmodule
