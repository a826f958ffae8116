/// LOAD's address generator (R13): walks the runs of an instruction and cuts each into fill before the data,
/// bursts, and fill after. `begin_i` takes the instruction at its edge; from the next cycle on `segment_o` is its
/// first segment, and after each `next_i` the one behind it. Everything is exact: sums are wide enough for the
/// largest counts and strides. `cause_o` says what the segment does wrong (R22).
module load_segments (
  input  logic                        clk_i,
  input  logic                        begin_i,
  input  daedalus_pkg::issued_t       issued_i,
  input  logic [63:0]                 base_address_i,  // of the instruction that is taken
  input  logic [31:0]                 base_limit_i,
  input  logic                        next_i,
  output daedalus_pkg::load_segment_t segment_o,
  output logic [63:0]                 address_o,       // DRAM address of a burst's first byte
  output logic [2:0]                  cause_o          // fault_e
);

  localparam int unsigned N = daedalus_machine_pkg::N;
  localparam int unsigned W = daedalus_machine_pkg::BusBytes;
  localparam int unsigned Longest = daedalus_machine_pkg::MaxBurstBeats * W;  // bytes of a burst
  localparam int unsigned LaneBits = $clog2(N);

  daedalus_isa_pkg::load_t      load, load_q;
  daedalus_isa_pkg::load_loop_t loop0, loop1, loop2;
  logic                         moves_q;  // a LOAD; else MARK or NOP
  logic [31:0]                  index_q;
  logic [63:0]                  base_address_q;
  logic [31:0]                  base_limit_q;

  assign load = issued_i.word;
  assign loop0 = load_q.loops[0];
  assign loop1 = load_q.loops[1];
  assign loop2 = load_q.loops[2];

  // The run: indices of the loops, and for each loop the sums with all deeper indices at zero.
  logic [15:0]        index0_q, index1_q, index2_q;
  logic signed [55:0] offset0_q, offset1_q, offset2_q, dst0_q, dst1_q, dst2_q, x_q;
  logic [15:0]        at_q;   // bytes of the run that are behind the generator
  logic               wrap1, wrap2, last_run, run_ends;

  assign wrap2 = index2_q == loop2.count - 16'd1;
  assign wrap1 = index1_q == loop1.count - 16'd1;
  assign last_run = wrap2 && wrap1 && index0_q == loop0.count - 16'd1;

  // What of the run is data: bytes first to data_end - 1.
  logic signed [55:0] y, first, reach, data_begin, data_end;
  logic signed [55:0] run, at;
  logic               some;

  always_comb begin
    run = {40'd0, load_q.run_bytes};
    at = {40'd0, at_q};
    y = 56'(load_q.origin_y) + $signed({40'd0, index1_q});
    first = x_q < 0 ? -x_q : 56'sd0;
    reach = $signed({40'd0, load_q.extent_x}) - x_q;
    if (reach > run) reach = run;
    some = y >= 0 && y < $signed({40'd0, load_q.extent_y}) && first < reach;
    data_begin = some ? first : run;
    data_end = some ? reach : run;
    if (load_q.unbounded) begin
      data_begin = '0;
      data_end = run;
    end
  end

  // The segment.
  logic               is_data;
  logic signed [55:0] offset, scratch, bytes, scratch_end, size;
  logic [12:0]        in_burst, room;  // of a stretch that one burst may cover
  logic [12:0]        last_byte;

  always_comb begin
    is_data = moves_q && at >= data_begin && at < data_end;
    offset = offset2_q + at;
    address_o = base_address_q + {{8{offset[55]}}, offset};
    in_burst = 13'(address_o[11:0]) & 13'(Longest - 1);
    room = 13'(Longest) - in_burst;
    bytes = (at < data_begin ? data_begin : run) - at;
    if (is_data) bytes = data_end - at < $signed({43'd0, room}) ? data_end - at : $signed({43'd0, room});
    last_byte = in_burst + bytes[12:0] - 13'd1;
    run_ends = at + bytes == run;
    scratch = dst2_q + (load_q.diagonal ? at <<< LaneBits : at);
    scratch_end = scratch + (load_q.diagonal ? bytes <<< LaneBits : bytes);

    segment_o.burst = is_data;
    segment_o.empty = !moves_q;
    segment_o.last = !moves_q || (run_ends && last_run);
    segment_o.tail = moves_q && load_q.tail_fill && run_ends;
    segment_o.diagonal = moves_q && load_q.diagonal;
    segment_o.flip = load_q.unsigned_data;
    segment_o.scope = load_q.scope;
    segment_o.fill = load_q.fill;
    segment_o.bytes = bytes[16:0];
    segment_o.beats = is_data ? 9'(last_byte / 13'(W)) - 9'(in_burst / 13'(W)) + 9'd1 : '0;
    segment_o.first_byte = 5'(in_burst & 13'(W - 1));
    segment_o.scratch = scratch[23:0];
    segment_o.lane = at_q[5:0];
    segment_o.signal = load_q.signal;
    segment_o.index = index_q;
  end

  always_comb begin
    unique case (load_q.scope)
      daedalus_isa_pkg::ScopeInp:   size = 56'(daedalus_machine_pkg::InpBytes);
      daedalus_isa_pkg::ScopeWgt:   size = 56'(daedalus_machine_pkg::WgtBytes);
      daedalus_isa_pkg::ScopeParam: size = 56'(daedalus_machine_pkg::ParamBytes);
      default:                      size = 56'(daedalus_machine_pkg::LutBytes);
    endcase
    cause_o = daedalus_isa_pkg::FaultNone;
    if (moves_q && (scratch < 0 || scratch_end > size)) cause_o = daedalus_isa_pkg::FaultScratchpadRange;
    if (is_data && (offset < 0 || offset + bytes > $signed({24'd0, base_limit_q})))
      cause_o = daedalus_isa_pkg::FaultAddressLimit;
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      load_q         <= issued_i.word;
      index_q        <= issued_i.index;
      moves_q        <= load.opcode == daedalus_isa_pkg::OpcodeLoad;
      base_address_q <= base_address_i;
      base_limit_q   <= base_limit_i;
      index0_q       <= '0;
      index1_q       <= '0;
      index2_q       <= '0;
      at_q           <= '0;
      offset0_q      <= {24'd0, load.offset};
      offset1_q      <= {24'd0, load.offset};
      offset2_q      <= {24'd0, load.offset};
      dst0_q         <= {32'd0, load.dst};
      dst1_q         <= {32'd0, load.dst};
      dst2_q         <= {32'd0, load.dst};
      x_q            <= 56'(load.origin_x);
    end else if (next_i && !run_ends) begin
      at_q <= at_q + bytes[15:0];
    end else if (next_i) begin
      at_q     <= '0;
      index2_q <= wrap2 ? '0 : index2_q + 16'd1;
      x_q      <= wrap2 ? 56'(load_q.origin_x) : x_q + 56'(loop2.dram_stride);
      if (!wrap2) begin
        offset2_q <= offset2_q + 56'(loop2.dram_stride);
        dst2_q    <= dst2_q + 56'(loop2.dst_stride);
      end else if (!wrap1) begin
        index1_q  <= index1_q + 16'd1;
        offset1_q <= offset1_q + 56'(loop1.dram_stride);
        offset2_q <= offset1_q + 56'(loop1.dram_stride);
        dst1_q    <= dst1_q + 56'(loop1.dst_stride);
        dst2_q    <= dst1_q + 56'(loop1.dst_stride);
      end else begin
        index1_q  <= '0;
        index0_q  <= index0_q + 16'd1;
        offset0_q <= offset0_q + 56'(loop0.dram_stride);
        offset1_q <= offset0_q + 56'(loop0.dram_stride);
        offset2_q <= offset0_q + 56'(loop0.dram_stride);
        dst0_q    <= dst0_q + 56'(loop0.dst_stride);
        dst1_q    <= dst0_q + 56'(loop0.dst_stride);
        dst2_q    <= dst0_q + 56'(loop0.dst_stride);
      end
    end
  end

  logic unused;
  assign unused = ^{load, load_q, loop0, loop1, scratch[55:24], bytes[55:17], issued_i};

endmodule
