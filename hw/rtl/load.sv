/// LOAD (R13 to R17): moves runs of bytes from DRAM to a scratchpad. The address generator shows the first
/// segment LoadIssueLatency cycles after the start and each next one in the cycle after the previous left. A
/// segment leaves when fewer than OutstandingReads are open and, for a burst, the receive buffer has room for all
/// its beats and the read arbiter grants it. The writer behind takes open segments in order; LOAD ends an
/// instruction in the cycle of its last write. The generator takes the next instruction while older ones are
/// still being written. A segment over its limit or its scope is reported in the first cycle in which it is
/// shown and dropped with the rest of its instruction (R22, R23).
module load #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        head_valid_i,
  input  daedalus_pkg::issued_t       head_i,
  input  logic [3:0]                  tokens_i,
  input  logic                        fault_i,
  output logic [3:0]                  base_o,      // which base register the head names
  input  logic [95:0]                 base_i,      // its limit and address
  output logic                        start_o,
  output daedalus_pkg::retire_t       retire_o,
  output logic                        active_o,
  output logic                        waiting_o,
  output logic [3:0]                  class_o,
  output daedalus_pkg::fault_report_t range_error_o,
  output logic                        read_valid_o,
  output daedalus_pkg::read_request_t read_o,
  input  logic                        read_granted_i,
  input  logic                        beat_valid_i,
  input  logic [8*W-1:0]              beat_data_i,
  output logic                        write_valid_o,
  output logic [3:0]                  write_scope_o,
  output logic [19:0]                 write_row_o,
  output logic [N-1:0]                write_enable_o,
  output logic [8*N-1:0]              write_data_o,
  output logic [31:0]                 write_index_o
);

  localparam int unsigned Open = daedalus_machine_pkg::OutstandingReads;
  localparam int unsigned OpenBits = Open == 1 ? 1 : $clog2(Open);
  localparam int unsigned RoomBits = $clog2(daedalus_machine_pkg::ReceiveBeats + 1);

  // Issue.
  logic       generating_q, starts;
  logic [3:0] resting_class;

  issue u_issue (
    .head_valid_i, .wait_i(head_i.word[11:8]), .tokens_i, .free_i(!generating_q), .fault_i,
    .start_o(starts)
  );
  resting u_resting (.wait_i(head_i.word[11:8]), .tokens_i, .waiting_o, .class_o(resting_class));
  assign start_o = starts;
  assign base_o = head_i.word[35:32];

  // The address generator.
  daedalus_pkg::load_segment_t shown, written;
  logic [3:0]  cause;
  logic [63:0] address;
  logic [31:0] generating_index;
  logic        segment_shown, is_shown, faulty, has_room, leaves, asks;

  load_segments u_segments (
    .clk_i, .rst_ni, .clear_i, .begin_i(starts), .issued_i(head_i),
    .base_address_i(base_i[63:0]), .base_limit_i(base_i[95:64]),
    .active_i(generating_q), .next_i(leaves), .shown_o(segment_shown), .segment_o(shown), .address_o(address),
    .next_beats_o(next_beats), .cause_o(cause), .index_o(generating_index)
  );

  logic [6:0]          open_q;      // up to their last write
  logic                below_q;     // they are fewer than may be
  logic [RoomBits-1:0] room_q;      // beats of the receive buffer that no open burst was promised
  logic [RoomBits-1:0] given_back;  // the room behind this cycle if no burst leaves
  logic                fits_q;      // the room is enough for the segment that is shown
  logic [8:0]          next_beats;
  logic                fits_next, fits_behind, fits_still;  // it is for the next one, for both, for this one
  logic [RoomBits-1:0] room_closed;  // the room with the one that closes given back
  logic                closes, works;

  assign is_shown = generating_q && segment_shown;
  assign faulty = is_shown && cause != daedalus_isa_pkg::FaultNone;
  assign has_room = below_q && fits_q;
  assign asks = is_shown && !faulty && shown.burst && has_room;
  assign leaves = is_shown && !faulty && has_room && (!shown.burst || read_granted_i);
  assign read_valid_o = asks;
  assign read_o.address = address;
  assign read_o.beats = shown.beats;
  assign read_o.index = shown.index;
  assign range_error_o.valid = faulty;
  assign range_error_o.cause = cause;
  assign range_error_o.index = shown.index;

  // Segments that left and that the writer has not taken, in order. One that meets none goes to the writer directly.
  daedalus_pkg::load_segment_t next;
  logic [$bits(next)-1:0] segments [Open];  // load_segment_t each
  logic [OpenBits-1:0]    read_q, write_q;
  logic                   waits, takes, reads, enters;

  assign waits = read_q != write_q;
  assign next = waits ? segments[read_q] : shown;
  assign reads = takes && waits;
  assign enters = leaves && !(takes && !waits);
  assign room_closed = room_q + RoomBits'(written.beats);
  assign given_back = closes ? room_closed : room_q;
  // Each by itself, for whether the segment leaves, and whether one closes, is known late. The room is enough for the one
  // that leaves.
  assign fits_next = closes ? 32'(next_beats) <= 32'(room_closed) : 32'(next_beats) <= 32'(room_q);
  assign fits_behind = closes ? 32'(next_beats) <= 32'(RoomBits'(room_closed - RoomBits'(shown.beats)))
                              : 32'(next_beats) <= 32'(RoomBits'(room_q - RoomBits'(shown.beats)));
  assign fits_still = closes ? 32'(shown.beats) <= 32'(room_closed) : 32'(shown.beats) <= 32'(room_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      generating_q  <= 1'b0;
      open_q        <= '0;
      below_q       <= 1'b1;
      room_q        <= RoomBits'(daedalus_machine_pkg::ReceiveBeats);
      read_q        <= '0;
      write_q       <= '0;
    end else if (clear_i) begin
      generating_q  <= 1'b0;
      open_q        <= '0;
      below_q       <= 1'b1;
      room_q        <= RoomBits'(daedalus_machine_pkg::ReceiveBeats);
      read_q        <= '0;
      write_q       <= '0;
    end else begin
      if (starts) begin
        generating_q <= 1'b1;
      end else begin
        if (faulty || (leaves && shown.last)) generating_q <= 1'b0;
      end
      if (enters) write_q <= write_q == OpenBits'(Open - 1) ? '0 : write_q + OpenBits'(1);
      if (reads) read_q <= read_q == OpenBits'(Open - 1) ? '0 : read_q + OpenBits'(1);
      if (leaves != closes) open_q <= leaves ? open_q + 7'd1 : open_q - 7'd1;
      below_q <= closes || (leaves ? open_q + 7'd1 != 7'(Open) : below_q);
      room_q <= leaves ? given_back - RoomBits'(shown.beats) : given_back;
    end
  end

  always_ff @(posedge clk_i) begin
    fits_q <= !segment_shown ? fits_next : leaves ? fits_behind : fits_still;
    if (leaves) segments[write_q] <= shown;  // of one that goes to the writer directly, the place stays free
  end

  // The writer.
  logic           beat_available, take_beat, holds;
  logic [31:0]    held_index;
  logic [8*W-1:0] beat;

  receive_buffer u_receive_buffer (
    .clk_i, .rst_ni, .clear_i, .beat_valid_i, .beat_data_i,
    .take_i(take_beat), .available_o(beat_available), .data_o(beat)
  );
  load_writer u_writer (
    .clk_i, .rst_ni, .clear_i, .next_valid_i(waits || leaves), .next_i(next), .take_o(takes), .holds_o(holds),
    .index_o(held_index), .beat_available_i(beat_available), .beat_i(beat), .take_beat_o(take_beat), .works_o(works),
    .close_o(closes), .written_o(written), .write_valid_o, .write_scope_o, .write_row_o, .write_enable_o, .write_data_o
  );
  assign write_index_o = written.index;
  assign retire_o.valid = closes && written.last;
  assign retire_o.signal = written.signal;
  assign retire_o.index = written.index;
  assign active_o = generating_q || open_q != '0;

  always_comb begin
    if (works || starts) class_o = daedalus_isa_pkg::CounterClassBusy;
    else if (asks && !read_granted_i) class_o = daedalus_isa_pkg::CounterClassBus;
    else if (active_o) class_o = daedalus_isa_pkg::CounterClassMemory;
    else class_o = resting_class;
  end

  logic unused;
  assign unused = ^{written, generating_index, holds, held_index};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(starts && head_i.word[7:0] != daedalus_isa_pkg::OpcodeLoad && head_i.word[7:0] != daedalus_isa_pkg::OpcodeMark
        && head_i.word[7:0] != daedalus_isa_pkg::OpcodeNop))
    else $error("LOAD starts an instruction that it does not execute");
`endif

endmodule
