/// LOAD's address generator (R13): walks the runs of an instruction and cuts each into fill before the data, bursts, and
/// fill after. Stages, a register each:
///   the loops: flags, then the sums of the run's place in DRAM, in the scratchpad, and in the tensor
///   load_run   the parts of the run
///   cut        the part, or what one burst may cover of it, with the bytes of the run before it
///   sums       its place in DRAM and in the scratchpad, and its end there; LoadIssueLatency - 6 registers before them
///   limits     what is wrong with it (R22)
/// The stages from `sums` on never stand still: a segment is cut when there is a place for it behind them.
/// `begin_i` takes the instruction at its edge; its first segment is shown LoadIssueLatency cycles later, and after each
/// `next_i` the one behind it, as long as `active_i` is set. Sums are exact: 56 bits hold the largest counts and strides.
module load_segments (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        begin_i,
  input  daedalus_pkg::issued_t       issued_i,
  input  logic [63:0]                 base_address_i,  // of the instruction that is taken
  input  logic [31:0]                 base_limit_i,
  input  logic                        active_i,        // an instruction was taken and is not done
  input  logic                        next_i,
  output logic                        shown_o,
  output daedalus_pkg::load_segment_t segment_o,
  output logic [63:0]                 address_o,       // DRAM address of a burst's first byte
  output logic [8:0]                  next_beats_o,    // of the segment behind, which is shown next
  output logic [3:0]                  cause_o,         // fault_e
  output logic [31:0]                 index_o          // of the instruction
);

  localparam int unsigned N = daedalus_machine_pkg::N;
  localparam int unsigned W = daedalus_machine_pkg::BusBytes;
  localparam int unsigned Longest = daedalus_machine_pkg::MaxBurstBeats * W;  // bytes of a burst
  localparam int unsigned LongestBits = $clog2(Longest);
  localparam int unsigned LaneBits = $clog2(N);
  localparam int unsigned Least = 6;
  localparam int unsigned More = daedalus_machine_pkg::LoadIssueLatency - Least;

  daedalus_isa_pkg::load_t      load, load_q;
  daedalus_isa_pkg::load_loop_t loop;
  logic                         moves_q;  // a LOAD; else MARK or NOP
  logic [63:0]                  base_address_q;
  logic [31:0]                  base_limit_q;
  logic signed [17:0]           spare_q;  // columns that a run of the tensor may begin behind column 0, all in the tensor
  logic [15:0]                  run_less_q;     // run_bytes - 1
  logic signed [17:0]           extent_less_q;  // extent_x - 1
  logic                         clear;

  assign load = issued_i.word;
  assign clear = clear_i || !active_i;

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      load_q         <= issued_i.word;
      index_o        <= issued_i.index;
      moves_q        <= load.opcode == daedalus_isa_pkg::OpcodeLoad;
      spare_q        <= {2'd0, load.extent_x} - {2'd0, load.run_bytes};
      run_less_q     <= load.run_bytes - 16'd1;
      extent_less_q  <= {2'd0, load.extent_x} - 18'd1;
    end
  end

  // Taken in every cycle without an instruction, `begin_i`'s the last of them: that bit is known late in its cycle.
  always_ff @(posedge clk_i) begin
    if (!active_i) begin
      base_address_q <= base_address_i;
      base_limit_q   <= base_limit_i;
    end
  end

  // The loops. A run is with the flags, then with the sums, then with the cutter; it moves on when the next has room.
  logic [47:0]        counts;
  logic [4*3*32-1:0]  strides;
  logic signed [55:0] offset, dst, x, y;
  logic [11:0]        address_of_run;  // its low bits
  logic               with_flags_q, with_sums_q, with_cutter_q;
  logic               flags_move, sums_move, run_ends, cuts;
  logic               first_run, inner_last, last_run, last_sums_q;

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
    .sums_i({56'(load.origin_y), 56'(load.origin_x), 56'(load.dst), 56'(load.offset)}),
    .reduction_i('0), .next_i(flags_move), .aside_i(1'b0), .hold_i(with_sums_q && !sums_move),
    .sums_o({y, x, dst, offset}),
    .first_o(first_run), .run_last_o(inner_last), .last_o(last_run)
  );

  assign address_of_run = base_address_q[11:0] + offset[11:0];
  assign sums_move = with_sums_q && (!with_cutter_q || (cuts && run_ends));
  assign flags_move = with_flags_q && (!with_sums_q || sums_move);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      with_flags_q  <= 1'b0;
      with_sums_q   <= 1'b0;
      with_cutter_q <= 1'b0;
    end else if (begin_i || clear) begin
      with_flags_q  <= begin_i && !clear_i;
      with_sums_q   <= 1'b0;
      with_cutter_q <= 1'b0;
    end else begin
      if (flags_move && (last_run || !moves_q)) with_flags_q <= 1'b0;
      with_sums_q <= flags_move || (with_sums_q && !sums_move);
      with_cutter_q <= sums_move || (with_cutter_q && !(cuts && run_ends));
    end
  end

  // The run that is cut.
  logic [15:0]        fill_before, data, fill_after;
  logic [11:0]        place;
  logic               is_fill_before, is_some_data, is_fill_after, all_fits;  // one burst may cover all data
  logic               last_cutter_q;
  logic signed [55:0] run_offset_q, run_dst_q;

  load_run u_run (
    .clk_i, .take_i(sums_move), .load_i(load_q), .x_i(x), .y_i(y), .spare_i(spare_q),
    .run_less_i(run_less_q), .extent_less_i(extent_less_q), .address_i(address_of_run), .before_o(fill_before), .data_o(data), .after_o(fill_after), .place_o(place), .is_before_o(is_fill_before),
    .is_data_o(is_some_data), .is_after_o(is_fill_after), .fits_o(all_fits)
  );

  always_ff @(posedge clk_i) begin
    if (flags_move) last_sums_q <= last_run || !moves_q;
    if (sums_move) begin
      last_cutter_q <= last_sums_q;
      run_offset_q  <= offset;
      run_dst_q     <= dst;
    end
  end

  // Cut. Data is cut behind the bytes that one burst may cover: all of them but in a run's first burst.
  logic        is_first_q, in_data_q;  // no segment of the run was cut; a burst of it was
  logic [15:0] at_q, left_q;           // bytes of the run before the segment; of data, behind the first burst
  logic [15:0] left, bytes;
  logic [16:0] stretch;                // bytes up to the end of the data, from where its first burst may begin
  logic [12:0] first_in_burst, in_burst, room;  // of the stretch: bytes before the segment, and from it on
  logic        is_before, is_data, has_room, rest_fits, fits;

  assign is_before = is_first_q && is_fill_before;
  assign left = in_data_q ? left_q : data;
  assign is_data = !is_before && (in_data_q ? left_q != '0 : is_some_data);
  assign first_in_burst = 13'(place) & 13'(Longest - 1);
  assign in_burst = in_data_q ? '0 : first_in_burst;
  assign room = 13'(Longest) - in_burst;
  assign stretch = 17'(data) + 17'(first_in_burst);
  // Whether a burst ends it: comparisons with the longest one, a power of two, as bits.
  assign rest_fits = left_q >> LongestBits == '0 || left_q == 16'(Longest);
  assign fits = in_data_q ? rest_fits : all_fits;
  assign bytes = is_before ? fill_before : !is_data ? fill_after : fits ? left : 16'(room);
  assign run_ends = !moves_q || (is_before ? !is_some_data : is_data ? fits && !is_fill_after : 1'b1);
  assign cuts = with_cutter_q && has_room;

  always_ff @(posedge clk_i) begin
    if (sums_move) begin
      is_first_q <= 1'b1;
      in_data_q  <= 1'b0;
      at_q       <= '0;
    end else if (cuts) begin
      is_first_q <= 1'b0;
      in_data_q  <= is_data;
      at_q       <= at_q + bytes;
      left_q     <= fits ? '0 : in_data_q ? left_q - 16'(Longest) : 16'(stretch - 17'(Longest));
    end
  end

  // Sums.
  typedef struct packed {
    logic               data;
    logic               last;       // of the instruction
    logic               run_ends;
    logic [15:0]        at;
    logic [15:0]        bytes;
    logic [12:0]        in_burst;
    logic signed [55:0] offset;     // of the run
    logic signed [55:0] dst;
  } cut_t;

  cut_t               cut, summed, cut_q;
  logic               cut_valid, limits_valid_q;
  logic signed [55:0] offset_q, offset_end_q, scratch_q, scratch_end_q;
  logic [16:0]        end_in_run;  // bytes of the run up to the segment's last one
  logic [12:0]        last_byte;
  logic [8:0]         beats_q;

  assign cut = {moves_q && is_data, run_ends && last_cutter_q, run_ends, at_q, bytes, in_burst, run_offset_q, run_dst_q};

  delay #(.Stages(More + 1), .Width($bits(cut))) u_cut (
    .clk_i, .rst_ni, .clear_i(clear), .valid_i(cuts), .data_i(cut), .valid_o(cut_valid), .data_o(summed)
  );
  assign end_in_run = 17'(summed.at) + 17'(summed.bytes);
  assign last_byte = summed.in_burst + summed.bytes[12:0] - 13'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) limits_valid_q <= 1'b0;
    else if (clear) limits_valid_q <= 1'b0;
    else limits_valid_q <= cut_valid;
  end

  always_ff @(posedge clk_i) begin
    cut_q         <= summed;
    offset_q      <= summed.offset + $signed({40'd0, summed.at});
    offset_end_q  <= summed.offset + $signed({39'd0, end_in_run});
    scratch_q     <= summed.dst + $signed({40'd0, summed.at} << (load_q.diagonal ? LaneBits : 0));
    scratch_end_q <= summed.dst + $signed({39'd0, end_in_run} << (load_q.diagonal ? LaneBits : 0));
    beats_q       <= summed.data ? 9'(last_byte / 13'(W)) - 9'(summed.in_burst / 13'(W)) + 9'd1 : '0;
  end

  // Limits.
  logic [55:0]        size;
  logic [3:0]         cause;
  logic [63:0]        address;
  daedalus_pkg::load_segment_t segment, next_segment;
  logic [3:0]         next_cause;
  logic [63:0]        next_address;

  always_comb begin
    unique case (load_q.scope)
      daedalus_isa_pkg::ScopeInp:   size = 56'(daedalus_machine_pkg::InpBytes);
      daedalus_isa_pkg::ScopeWgt:   size = 56'(daedalus_machine_pkg::WgtBytes);
      daedalus_isa_pkg::ScopeParam: size = 56'(daedalus_machine_pkg::ParamBytes);
      daedalus_isa_pkg::ScopeLut:   size = 56'(daedalus_machine_pkg::LutBytes);
      daedalus_isa_pkg::ScopeNone, daedalus_isa_pkg::ScopeAcc, daedalus_isa_pkg::ScopeOut,
      daedalus_isa_pkg::ScopeImm:   size = '0;  // LOAD does not write there
      default:                      size = 'x;
    endcase
    cause = daedalus_isa_pkg::FaultNone;
    if (moves_q && (scratch_q < 0 || scratch_end_q > $signed(size))) cause = daedalus_isa_pkg::FaultScratchpadRange;
    if (cut_q.data && (offset_q < 0 || offset_end_q > $signed({24'd0, base_limit_q})))
      cause = daedalus_isa_pkg::FaultAddressLimit;
    address = base_address_q + {{8{offset_q[55]}}, offset_q};

    segment.burst = cut_q.data;
    segment.empty = !moves_q;
    segment.last = cut_q.last;
    segment.tail = moves_q && load_q.tail_fill && cut_q.run_ends;
    segment.diagonal = moves_q && load_q.diagonal;
    segment.flip = load_q.unsigned_data;
    segment.scope = load_q.scope;
    segment.fill = load_q.fill;
    segment.bytes = {1'b0, cut_q.bytes};
    segment.beats = beats_q;
    segment.first_byte = 5'(cut_q.in_burst & 13'(W - 1));
    segment.scratch = scratch_q[23:0];
    segment.lane = cut_q.at[5:0];
    segment.signal = load_q.signal;
    segment.index = index_o;
  end

  shown_queue #(.Stages(More + 2), .Width($bits(segment) + 64 + 4)) u_shown (
    .clk_i, .rst_ni, .clear_i(clear), .enter_i(cuts), .valid_i(limits_valid_q), .data_i({cause, address, segment}),
    .take_i(next_i), .room_o(has_room), .shown_o, .data_o({cause_o, address_o, segment_o}),
    .next_o({next_cause, next_address, next_segment})
  );
  assign next_beats_o = next_segment.beats;

  logic unused;
  assign unused = ^{load, load_q, loop, first_run, inner_last, cut_q, issued_i, next_segment, next_cause, next_address};

endmodule
