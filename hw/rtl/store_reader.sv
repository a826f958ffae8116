/// STORE's reader of OUT (R18, R19): reads the rows of the burst in front, one beat a cycle, and puts each beat on
/// W StoreReadLatency cycles after its read. A run starts at byte 0 of a row and its bursts follow each other, so
/// the rows of a beat are the one that holds its last byte, which is read, and perhaps the one that was read before,
/// which is held. Row and held row are registered behind OUT, the beat is cut from them in the cycle behind, and
/// StoreReadLatency - 3 registers follow. A refused beat (WREADY low) stalls reader and pipeline.
/// Of bursts to be discarded the beats that are not on W yet come with all strobes off.
/// Outputs: `burst_end_o` and the read depend on WREADY of their cycle; W comes from registers.
/// Assumes that `burst_i` stays until `burst_end_o`, and that runs are whole and in order (asserted).
module store_reader #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         burst_valid_i,  // the address of burst_i is on the bus or was
  input  daedalus_pkg::store_burst_t   burst_i,
  input  logic                         discard_i,
  output logic                         burst_end_o,    // reads the burst's last beat
  output logic                         out_read_valid_o,
  output logic [15:0]                  out_row_o,
  input  logic [8*N-1:0]               out_data_i,
  // AXI4
  output logic                         wvalid_o,
  input  logic                         wready_i,
  output logic [8*W-1:0]               wdata_o,
  output logic [W-1:0]                 wstrb_o,
  output logic                         wlast_o,
  output logic [31:0]                  write_index_o   // instruction of the beat on W
);

  localparam int unsigned Stages = daedalus_machine_pkg::StoreReadLatency - 1;  // behind the read
  localparam int unsigned BeatShift = $clog2(W);
  localparam int unsigned LaneBits = $clog2(N);

  // The beat whose last row is read: up to the end of the burst, or of the beat. What is left behind it comes to registers.
  daedalus_pkg::store_segment_t segment;
  logic              at_first_q;       // it is the burst's first
  logic [12:0]       left_q, left;     // bytes of the burst from the beat on
  logic [12:0]       room;             // of the beat from its first one on
  logic [23:0]       before_q;         // the last byte of the beat before in OUT
  logic [23:0]       end_q;            // the burst's last byte there
  logic [23:0]       last_place;       // the beat's last byte there
  logic [5:0]        first;            // its first byte's place on the bus
  logic [5:0]        bytes;
  logic [LaneBits:0] lane, last_lane;  // of its first byte; of its last one, behind N in the next row
  logic              reads, ends, stall;

  assign segment = burst_i.segment;

  always_comb begin
    first = '0;
    left = left_q;
    lane = {1'b0, before_q[LaneBits-1:0] + LaneBits'(1)};
    // Whether the burst ends here: a comparison with the bus, whose width is a power of two, as bits.
    ends = left_q >> BeatShift == '0 || left_q == 13'(W);
    last_place = ends ? end_q : before_q + 24'(W);
    if (at_first_q) begin
      first = 6'(segment.address[BeatShift-1:0]);
      left = segment.bytes;
      lane = {1'b0, segment.scratch[LaneBits-1:0]};
      ends = burst_i.one_beat;
      last_place = burst_i.beat_end;
    end
    room = 13'(W) - 13'(first);
    bytes = ends ? left[5:0] : room[5:0];
    last_lane = ends ? lane + left[LaneBits:0] - (LaneBits + 1)'(1) : lane + room[LaneBits:0] - (LaneBits + 1)'(1);
  end

  assign stall = wvalid_o && !wready_i;
  assign reads = burst_valid_i && !stall;
  assign burst_end_o = reads && ends;
  assign out_read_valid_o = reads;
  assign out_row_o = 16'(last_place >> LaneBits);

  // What goes with a row: beside OUT while it reads, and beside the row in its register. Byte l of the beat is byte
  // shift + l of the held row and the row read, in this order; it counts only where the strobes say so.
  typedef struct packed {
    logic              last;
    logic              flip;
    logic [LaneBits:0] shift;
    logic [W-1:0]      strobe;
    logic [31:0]       index;
  } beat_t;

  logic                 reading_q, valid_q;
  beat_t                next, beside_q, cut_q;
  logic [8*N-1:0]       row_q, held_q;
  logic                 one_row;
  logic [LaneBits:0]    distance, shift;
  logic [8*W-1:0]       beat;

  // The lane of the first byte less `first`, and N more where all of the beat is in the row that is read.
  assign one_row = !last_lane[LaneBits];
  assign distance = lane - (LaneBits + 1)'(first);
  assign shift = {distance[LaneBits] ^ one_row, distance[LaneBits-1:0]};
  assign next = {ends, segment.flip, shift, discard_i ? W'(0) : ~({W{1'b1}} << bytes) << first, segment.index};

  always_comb begin
    beat = '0;
    if (valid_q) begin
      beat = (8*W)'({row_q, held_q} >> {cut_q.shift, 3'd0});
      if (cut_q.flip) beat = beat ^ {W{8'h80}};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_first_q <= 1'b1;
      reading_q  <= 1'b0;
      valid_q    <= 1'b0;
    end else begin
      if (reads) at_first_q <= ends;
      if (!stall) reading_q <= reads;
      if (!stall) valid_q <= reading_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (reads) begin
      beside_q <= next;
      left_q   <= left - room;
      before_q <= last_place;
      end_q    <= burst_i.end_place;
    end
    if (reading_q && !stall) begin
      cut_q  <= {beside_q.last, beside_q.flip, beside_q.shift, discard_i ? W'(0) : beside_q.strobe, beside_q.index};
      row_q  <= out_data_i;
      held_q <= row_q;
    end
  end

  // The remaining stages.
  logic           valid_s  [Stages];
  logic           last_s   [Stages];
  logic [8*W-1:0] data_s   [Stages];
  logic [W-1:0]   strobe_s [Stages];
  logic [31:0]    index_s  [Stages];

  assign valid_s[0] = valid_q;
  assign last_s[0] = cut_q.last;
  assign data_s[0] = beat;
  assign strobe_s[0] = cut_q.strobe;
  assign index_s[0] = cut_q.index;
  for (genvar s = 1; s < Stages; s++) begin : gen_stage
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_s[s] <= 1'b0;
      else if (!stall) valid_s[s] <= valid_s[s-1];
    end
    always_ff @(posedge clk_i) begin
      if (!stall && valid_s[s-1]) begin
        last_s[s]   <= last_s[s-1];
        data_s[s]   <= data_s[s-1];
        strobe_s[s] <= discard_i ? '0 : strobe_s[s-1];
        index_s[s]  <= index_s[s-1];
      end
    end
  end
  assign wvalid_o = valid_s[Stages-1];
  assign wlast_o = last_s[Stages-1];
  assign wdata_o = data_s[Stages-1];
  assign wstrb_o = strobe_s[Stages-1];
  assign write_index_o = index_s[Stages-1];

  logic unused;
  assign unused = ^{burst_i, segment, last_lane, room};

`ifndef SYNTHESIS
  logic [23:0] place, held_row_q;
  assign place = at_first_q ? segment.scratch : before_q + 24'd1;
  always_ff @(posedge clk_i) begin
    if (reads) held_row_q <= last_place >> LaneBits;
  end
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(reads && !one_row && !discard_i && held_row_q != place >> LaneBits))
    else $error("a beat of STORE needs two rows of OUT, and the first is not the row that was read before");
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(burst_valid_i && left == '0))
    else $error("a burst of STORE has no bytes left before its last beat");
`endif

endmodule
