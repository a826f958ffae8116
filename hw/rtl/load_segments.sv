/// LOAD's address generator (R13): walks the runs of an instruction and cuts each into fill before the data,
/// bursts, and fill after. `begin_i` takes the instruction at its edge; from the next cycle on `segment_o` is its
/// first segment, and after each `next_i` the one behind it, as long as `active_i` is set. Sums are exact: 56 bits
/// hold the largest counts and strides. `cause_o` says what the segment does wrong (R22).
module load_segments (
  input  logic                        clk_i,
  input  logic                        begin_i,
  input  daedalus_pkg::issued_t       issued_i,
  input  logic [63:0]                 base_address_i,  // of the instruction that is taken
  input  logic [31:0]                 base_limit_i,
  input  logic                        active_i,        // an instruction was taken and is not done
  input  logic                        next_i,
  output daedalus_pkg::load_segment_t segment_o,
  output logic [63:0]                 address_o,       // DRAM address of a burst's first byte
  output logic [3:0]                  cause_o          // fault_e
);

  localparam int unsigned N = daedalus_machine_pkg::N;
  localparam int unsigned W = daedalus_machine_pkg::BusBytes;
  localparam int unsigned Longest = daedalus_machine_pkg::MaxBurstBeats * W;  // bytes of a burst
  localparam int unsigned LaneBits = $clog2(N);

  daedalus_isa_pkg::load_t      load, load_q;
  daedalus_isa_pkg::load_loop_t loop;
  logic                         moves_q;  // a LOAD; else MARK or NOP
  logic [31:0]                  index_q;
  logic [63:0]                  base_address_q;
  logic [31:0]                  base_limit_q;

  // The run: where it begins in DRAM, in the scratchpad, and in the tensor's column x and row y.
  logic [47:0]        counts;
  logic [4*3*32-1:0]  strides;
  logic signed [55:0] offset_q, dst_q, x_q, y_q;
  logic [15:0]        at_q;   // bytes of the run that are behind the generator
  logic               first_run, inner_last, last_run, run_ends;

  assign load = issued_i.word;
  always_comb begin
    strides = '0;
    for (int l = 0; l < 3; l++) begin
      loop = load.loops[l];
      counts[16*l+:16] = loop.count;
      strides[32*l+:32] = loop.dram_stride;
      strides[32*(3+l)+:32] = 32'(loop.dst_stride);
    end
    strides[32*(2*3+2)+:32] = loop.dram_stride;
    strides[32*(3*3+1)+:32] = 32'd1;
  end

  loop_nest #(.Loops(3), .Operands(4), .StrideBits(32), .SumBits(56)) u_loop_nest (
    .clk_i, .begin_i, .counts_i(counts), .strides_i(strides),
    .sums_i({56'(load.origin_y), 56'(load.origin_x), 56'(load.dst), 56'(load.offset)}), .reduction_i('0),
    .next_i(next_i && run_ends), .aside_i(1'b0), .sums_o({y_q, x_q, dst_q, offset_q}), .first_o(first_run),
    .run_last_o(inner_last), .last_o(last_run)
  );

  // What of the run is data: bytes data_begin to data_end - 1.
  logic signed [55:0] first, reach, data_begin, data_end, run, at;
  logic               some;
  // The segment.
  logic               is_data;
  logic signed [55:0] offset, scratch, bytes, scratch_end, size;
  logic [12:0]        in_burst, room;  // of a stretch that one burst may cover
  logic [12:0]        last_byte;

  always_comb begin
    {first, reach, data_begin, data_end, run, at} = '0;
    {is_data, some, run_ends} = '0;
    {offset, scratch, bytes, scratch_end, size} = '0;
    {in_burst, room, last_byte} = '0;
    address_o = '0;
    segment_o = '0;
    cause_o = daedalus_isa_pkg::FaultNone;
    if (active_i) begin
      run = {40'd0, load_q.run_bytes};
      at = {40'd0, at_q};
      first = x_q < 0 ? -x_q : 56'sd0;
      reach = $signed({40'd0, load_q.extent_x}) - x_q;
      if (reach > run) reach = run;
      some = y_q >= 0 && y_q < $signed({40'd0, load_q.extent_y}) && first < reach;
      data_begin = some ? first : run;
      data_end = some ? reach : run;
      if (load_q.unbounded) begin
        data_begin = '0;
        data_end = run;
      end

      is_data = moves_q && at >= data_begin && at < data_end;
      offset = offset_q + at;
      address_o = base_address_q + {{8{offset[55]}}, offset};
      in_burst = 13'(address_o[11:0]) & 13'(Longest - 1);
      room = 13'(Longest) - in_burst;
      bytes = (at < data_begin ? data_begin : run) - at;
      if (is_data) bytes = data_end - at < $signed({43'd0, room}) ? data_end - at : $signed({43'd0, room});
      last_byte = in_burst + bytes[12:0] - 13'd1;
      run_ends = at + bytes == run;
      scratch = dst_q + (load_q.diagonal ? at <<< LaneBits : at);
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

      unique case (load_q.scope)
        daedalus_isa_pkg::ScopeInp:   size = 56'(daedalus_machine_pkg::InpBytes);
        daedalus_isa_pkg::ScopeWgt:   size = 56'(daedalus_machine_pkg::WgtBytes);
        daedalus_isa_pkg::ScopeParam: size = 56'(daedalus_machine_pkg::ParamBytes);
        daedalus_isa_pkg::ScopeLut:   size = 56'(daedalus_machine_pkg::LutBytes);
        daedalus_isa_pkg::ScopeNone, daedalus_isa_pkg::ScopeAcc, daedalus_isa_pkg::ScopeOut,
        daedalus_isa_pkg::ScopeImm:   size = '0;  // LOAD does not write there
        default:                      size = 'x;
      endcase
      if (moves_q && (scratch < 0 || scratch_end > size)) cause_o = daedalus_isa_pkg::FaultScratchpadRange;
      if (is_data && (offset < 0 || offset + bytes > $signed({24'd0, base_limit_q})))
        cause_o = daedalus_isa_pkg::FaultAddressLimit;
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      load_q         <= issued_i.word;
      index_q        <= issued_i.index;
      moves_q        <= load.opcode == daedalus_isa_pkg::OpcodeLoad;
      base_address_q <= base_address_i;
      base_limit_q   <= base_limit_i;
      at_q           <= '0;
    end else if (next_i) begin
      at_q <= run_ends ? '0 : at_q + bytes[15:0];
    end
  end

  logic unused;
  assign unused = ^{load, load_q, loop, first_run, inner_last, scratch[55:24], bytes[55:17], issued_i};

endmodule
