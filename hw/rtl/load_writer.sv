/// LOAD's writer (R16, R17): takes the open segments in order and writes one row of N bytes a cycle. A beat
/// whose bytes lie in two rows takes two cycles, a byte of a diagonal tile one, an empty segment one without a
/// write. It writes in the cycle in which it decides, so the row holds the bytes from the next cycle on.
/// `close_o`: this is the segment's last cycle.
module load_writer #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        segment_valid_i,
  input  daedalus_pkg::load_segment_t segment_i,
  input  logic                        beat_available_i,
  input  logic [8*W-1:0]              beat_i,
  output logic                        take_beat_o,
  output logic                        works_o,
  output logic                        close_o,
  output logic                        write_valid_o,
  output logic [3:0]                  write_scope_o,
  output logic [19:0]                 write_row_o,     // of N bytes
  output logic [N-1:0]                write_enable_o,
  output logic [8*N-1:0]              write_data_o
);

  localparam int unsigned LaneBits = $clog2(N);

  logic [16:0]         done_q;  // bytes of the segment that are written
  logic [16:0]         left;
  logic [23:0]         place;   // byte address of this write
  logic [LaneBits-1:0] lane;
  logic [5:0]          in_beat; // first byte of the beat that is written
  logic [6:0]          in_row, bytes, behind;
  logic [8*N-1:0]      shifted, filled, keep;
  logic [8*W-1:0]      read;
  logic [N-1:0]        reach;

  always_comb begin
    left = segment_i.bytes - done_q;
    place = segment_i.scratch + (24'(done_q) << (segment_i.diagonal ? LaneBits : 0));
    lane = segment_i.diagonal ? segment_i.lane[LaneBits-1:0] + done_q[LaneBits-1:0] : place[LaneBits-1:0];
    in_beat = 6'((17'(segment_i.first_byte) + done_q) & 17'(W - 1));
    in_row = 7'(N) - 7'(lane);
    bytes = left < 17'(in_row) ? left[6:0] : in_row;
    if (segment_i.burst && bytes > 7'(W) - 7'(in_beat)) bytes = 7'(W) - 7'(in_beat);
    if (segment_i.diagonal) bytes = 7'd1;
    behind = 7'(lane) + bytes;
  end

  assign works_o = segment_valid_i && (!segment_i.burst || beat_available_i);
  assign close_o = works_o && (segment_i.empty || 17'(bytes) == left);
  assign take_beat_o = works_o && segment_i.burst && (7'(in_beat) + bytes == 7'(W) || close_o);

  assign write_valid_o = works_o && !segment_i.empty;
  assign write_scope_o = segment_i.scope;
  assign write_row_o = 20'(place >> LaneBits);

  // The bytes move to their lanes; what is not data is fill.
  always_comb begin
    filled = segment_i.diagonal ? '0 : {N{segment_i.fill}};
    shifted = {N{segment_i.fill}};
    read = (beat_i ^ {W{segment_i.flip, 7'd0}}) >> {in_beat, 3'd0};
    if (segment_i.burst) shifted = (8*N)'(read) << {lane, 3'd0};
    if (segment_i.diagonal && !segment_i.burst) shifted = {{(N-1){8'd0}}, segment_i.fill} << {lane, 3'd0};
    reach = ~({N{1'b1}} << behind);  // lanes up to the last byte
    keep = ~({(8*N){1'b1}} << {behind, 3'd0});
    if (segment_i.diagonal) keep &= {(8*N){1'b1}} << {lane, 3'd0};
    write_data_o = shifted;
    if (segment_i.diagonal || (segment_i.tail && close_o)) write_data_o = (shifted & keep) | (filled & ~keep);
    write_enable_o = reach & ({N{1'b1}} << lane);
    if (segment_i.tail && close_o) write_enable_o = {N{1'b1}} << lane;
    if (segment_i.diagonal) write_enable_o = '1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= '0;
    else if (clear_i) done_q <= '0;
    else if (works_o) done_q <= close_o ? '0 : done_q + 17'(bytes);
  end

  logic unused;
  assign unused = ^{segment_i, place};

endmodule
