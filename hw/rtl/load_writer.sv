/// LOAD's writer (R16, R17): takes the open segments in order and writes one row of N bytes a cycle. A beat whose bytes
/// lie in two rows takes two cycles, a byte of a diagonal tile one, an empty segment one without a write.
/// Two stages: in one cycle it decides which bytes go where, and in the next one it moves them to their lanes and writes,
/// so the row holds them two cycles behind the decision. `done_o`: the segment's last cycle is decided;
/// `close_o`: it is written.
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
  output logic                        done_o,
  output logic                        works_o,         // it writes
  output logic                        close_o,
  output daedalus_pkg::load_segment_t written_o,       // the segment of the write
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
  logic                decides, writes_q;

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

  assign decides = segment_valid_i && (!segment_i.burst || beat_available_i);
  assign done_o = decides && (segment_i.empty || 17'(bytes) == left);
  assign take_beat_o = decides && segment_i.burst && (7'(in_beat) + bytes == 7'(W) || done_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q   <= '0;
      writes_q <= 1'b0;
    end else if (clear_i) begin
      done_q   <= '0;
      writes_q <= 1'b0;
    end else begin
      if (decides) done_q <= done_o ? '0 : done_q + 17'(bytes);
      writes_q <= decides;
    end
  end

  // The write: the bytes move to their lanes; what is not data is fill.
  logic                        closes_q, tail;
  logic [$bits(segment_i)-1:0] segment_q;  // load_segment_t
  daedalus_pkg::load_segment_t segment;
  logic [19:0]                 row_q;
  logic [LaneBits-1:0]         lane_q;
  logic [5:0]                  in_beat_q;
  logic [6:0]                  behind_q;
  logic [8*W-1:0]              beat_q, read;
  logic [8*N-1:0]              shifted, filled, keep;
  logic [N-1:0]                reach;

  always_ff @(posedge clk_i) begin
    if (decides) begin
      closes_q  <= done_o;
      segment_q <= segment_i;
      row_q     <= 20'(place >> LaneBits);
      lane_q    <= lane;
      in_beat_q <= in_beat;
      behind_q  <= behind;
      beat_q    <= beat_i;
    end
  end

  assign segment = segment_q;
  assign written_o = segment_q;
  assign works_o = writes_q;
  assign close_o = writes_q && closes_q;
  assign write_valid_o = writes_q && !segment.empty;
  assign write_scope_o = segment.scope;
  assign write_row_o = row_q;
  assign tail = segment.tail && closes_q;

  always_comb begin
    filled = segment.diagonal ? '0 : {N{segment.fill}};
    shifted = {N{segment.fill}};
    read = (beat_q ^ {W{segment.flip, 7'd0}}) >> {in_beat_q, 3'd0};
    if (segment.burst) shifted = (8*N)'(read) << {lane_q, 3'd0};
    if (segment.diagonal && !segment.burst) shifted = {{(N-1){8'd0}}, segment.fill} << {lane_q, 3'd0};
    reach = ~({N{1'b1}} << behind_q);  // lanes up to the last byte
    keep = ~({(8*N){1'b1}} << {behind_q, 3'd0});
    if (segment.diagonal) keep &= {(8*N){1'b1}} << {lane_q, 3'd0};
    write_data_o = shifted;
    if (segment.diagonal || tail) write_data_o = (shifted & keep) | (filled & ~keep);
    write_enable_o = reach & ({N{1'b1}} << lane_q);
    if (tail) write_enable_o = {N{1'b1}} << lane_q;
    if (segment.diagonal) write_enable_o = '1;
  end

  logic unused;
  assign unused = ^{segment_i, segment, place};

endmodule
