/// LOAD's writer (R16, R17): takes the open segments in order and writes one row of N bytes a cycle. A beat whose bytes
/// lie in two rows takes two cycles, a byte of a diagonal tile one, an empty segment one without a write.
/// Three stages: in one cycle it decides which bytes go where, in the next one it moves them to their lanes, which counts as
/// the write, and behind that they go to the scratchpad: an instruction that waits for this one reads two cycles later
/// at the earliest. The segment that it decides is in a register, with what is left of
/// it: `take_o` says that the next one comes there, if there is one. `close_o`: a segment's last cycle is written.
module load_writer #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        next_valid_i,
  input  daedalus_pkg::load_segment_t next_i,
  output logic                        take_o,
  output logic                        holds_o,         // a segment that is not decided wholly
  output logic [31:0]                 index_o,         // its instruction
  input  logic                        beat_available_i,
  input  logic [8*W-1:0]              beat_i,
  output logic                        take_beat_o,
  output logic                        works_o,         // it writes
  output logic                        close_o,
  output daedalus_pkg::load_segment_t written_o,       // the segment of the write
  output logic                        write_valid_o,   // registered, as all of the port to the scratchpads
  output logic [3:0]                  write_scope_o,
  output logic [19:0]                 write_row_o,     // of N bytes
  output logic [N-1:0]                write_enable_o,
  output logic [8*N-1:0]              write_data_o
);

  localparam int unsigned LaneBits = $clog2(N);

  logic [$bits(next_i)-1:0]    front_q;    // load_segment_t
  daedalus_pkg::load_segment_t front;
  logic                        holds_q;
  logic [16:0]                 rest_q;     // bytes of the segment behind the one at `place_q`
  logic [23:0]                 place_q;    // byte address of this write
  logic [LaneBits-1:0]         place_lane_q;
  logic [4:0]                  first_q;    // first byte of the beat that is written
  logic [LaneBits-1:0]         lanes_behind;
  logic [4:0]                  beat_behind;
  logic [6:0]                  in_row, in_beat, most, more, behind;  // bytes behind the first one of this write
  logic [23:0]                 wide, step;
  logic                        decides, in_row_ends, in_beat_ends, ends, done, beat_ends, writes_q;

  assign front = front_q;
  assign lanes_behind = ~place_lane_q;
  assign beat_behind = ~first_q & 5'(W - 1);
  always_comb begin
    in_row = 7'(lanes_behind);
    in_beat = 7'(beat_behind);
    most = front.burst && in_beat < in_row ? in_beat : in_row;
    if (front.diagonal) most = '0;
    in_row_ends = rest_q >> LaneBits == '0 && rest_q[LaneBits-1:0] <= lanes_behind;
    in_beat_ends = rest_q >> 5 == '0 && rest_q[4:0] <= beat_behind;
    ends = front.diagonal ? rest_q == '0 : in_row_ends && (!front.burst || in_beat_ends);
    more = ends ? rest_q[6:0] : most;
    beat_ends = front.diagonal ? in_beat == '0 : in_beat <= in_row;
    wide = 24'(more);
    step = front.diagonal ? 24'(N - 1) : wide;
    behind = 7'(place_lane_q) - ~more;
  end

  assign decides = holds_q && (!front.burst || beat_available_i);
  assign done = decides && (front.empty || ends);
  assign take_o = !holds_q || done;
  assign take_beat_o = decides && front.burst && (beat_ends || done);
  assign holds_o = holds_q;
  assign index_o = front.index;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      holds_q  <= 1'b0;
      writes_q <= 1'b0;
    end else if (clear_i) begin
      holds_q  <= 1'b0;
      writes_q <= 1'b0;
    end else begin
      if (take_o) holds_q <= next_valid_i;
      writes_q <= decides;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_o) begin
      front_q      <= next_i;
      rest_q       <= next_i.bytes - 17'd1;
      place_q      <= next_i.scratch;
      place_lane_q <= next_i.diagonal ? next_i.lane[LaneBits-1:0] : next_i.scratch[LaneBits-1:0];
      first_q      <= next_i.first_byte;
    end else if (decides) begin
      rest_q       <= rest_q + ~wide[16:0];  // less more + 1
      place_q      <= place_q - ~step;       // plus step + 1
      place_lane_q <= place_lane_q - ~wide[LaneBits-1:0];
      first_q      <= (first_q - ~wide[4:0]) & 5'(W - 1);
    end
  end

  // The write: the bytes move to their lanes; what is not data is fill.
  logic                        closes_q, tail, writes;
  logic [$bits(next_i)-1:0]    segment_q;  // load_segment_t
  daedalus_pkg::load_segment_t segment;
  logic [19:0]                 row_q;
  logic [LaneBits-1:0]         lane_q;
  logic [5:0]                  in_beat_q;
  logic [6:0]                  behind_q;
  logic [8*W-1:0]              beat_q, read;
  logic [8*N-1:0]              shifted, filled, keep, data;
  logic [N-1:0]                reach, enable;

  always_ff @(posedge clk_i) begin
    if (decides) begin
      closes_q  <= done;
      segment_q <= front_q;
      row_q     <= 20'(place_q >> LaneBits);
      lane_q    <= place_lane_q;
      in_beat_q <= 6'(first_q);
      behind_q  <= behind;
      beat_q    <= beat_i;
    end
  end

  assign segment = segment_q;
  assign written_o = segment_q;
  assign works_o = writes_q;
  assign writes = writes_q && !segment.empty;
  assign close_o = writes_q && closes_q;
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
    data = shifted;
    if (segment.diagonal || tail) data = (shifted & keep) | (filled & ~keep);
    enable = reach & ({N{1'b1}} << lane_q);
    if (tail) enable = {N{1'b1}} << lane_q;
    if (segment.diagonal) enable = '1;
  end

  // What counts as written is not taken back by a clear.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_valid_o <= 1'b0;
    else write_valid_o <= writes;
  end
  always_ff @(posedge clk_i) begin
    if (writes_q || daedalus_pkg::LoadsInvalid) begin
      write_scope_o  <= segment.scope;
      write_row_o    <= row_q;
      write_enable_o <= enable;
      write_data_o   <= data;
    end
  end

  logic unused;
  assign unused = ^{next_i, front, segment, place_q};

endmodule
