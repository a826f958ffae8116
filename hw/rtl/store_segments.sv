/// STORE's address generator (R18): walks the runs of an instruction and cuts each into bursts. Stages, a register each:
///   the loops: flags, then the sums of the run's place in DRAM and its row of OUT
///   cut        what one burst may cover of the run, with the bytes of the run before it
///   sums       its place in DRAM and in OUT, and its end there; StoreIssueLatency - 5 registers before them
///   limits     what is wrong with it (R22)
/// The stages from `sums` on never stand still: a segment is cut when there is a place for it behind them.
/// `begin_i` takes the instruction at its edge; its first segment is shown StoreIssueLatency cycles later, and after each
/// `next_i` the one behind it, as long as `active_i` is set.
module store_segments (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,
  input  logic                         begin_i,
  input  daedalus_pkg::issued_t        issued_i,
  input  logic [63:0]                  base_address_i,  // of the instruction that is taken
  input  logic [31:0]                  base_limit_i,
  input  logic                         active_i,        // an instruction was taken and is not done
  input  logic                         next_i,          // the segment leaves
  output logic                         shown_o,
  output daedalus_pkg::store_segment_t segment_o,
  output logic [3:0]                   cause_o          // fault_e
);

  localparam int unsigned N = daedalus_machine_pkg::N;
  localparam int unsigned W = daedalus_machine_pkg::BusBytes;
  localparam int unsigned Longest = daedalus_machine_pkg::MaxBurstBeats * W;
  localparam int unsigned LongestBits = $clog2(Longest);
  localparam int unsigned LaneBits = $clog2(N);
  localparam int unsigned Least = 5;
  localparam int unsigned More = daedalus_machine_pkg::StoreIssueLatency - Least;

  daedalus_isa_pkg::store_t      store, store_q;
  daedalus_isa_pkg::store_loop_t loop;
  logic                          moves_q;  // a STORE; else MARK or NOP
  logic [31:0]                   index_q;
  logic [63:0]                   base_address_q;
  logic [31:0]                   base_limit_q;
  logic                          clear;

  assign store = issued_i.word;
  assign clear = clear_i || !active_i;

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      store_q        <= issued_i.word;
      index_q        <= issued_i.index;
      moves_q        <= store.opcode == daedalus_isa_pkg::OpcodeStore;
    end
  end

  // Taken in every cycle without an instruction, `begin_i`'s the last of them: that bit is known late in its cycle.
  always_ff @(posedge clk_i) begin
    if (!active_i) begin
      base_address_q <= base_address_i;
      base_limit_q   <= base_limit_i;
    end
  end

  // The loops. A run is with the flags, then with the sums, where it is cut.
  logic [47:0]        counts;
  logic [2*3*32-1:0]  strides;
  logic signed [55:0] offset, row;
  logic               with_flags_q, with_sums_q, flags_move, run_ends, cuts;
  logic               first_run, inner_last, last_run, last_q;

  always_comb begin
    for (int l = 0; l < 3; l++) begin
      loop = store.loops[l];
      counts[16*l+:16] = loop.count;
      strides[32*l+:32] = loop.dram_stride;
      strides[32*(3+l)+:32] = 32'(loop.src_stride);
    end
  end

  loop_nest #(.Loops(3), .Operands(2), .StrideBits(32), .SumBits(56)) u_loop_nest (
    .clk_i, .begin_i, .counts_i(counts), .strides_i(strides),
    .sums_i({56'(store.src), 56'(store.offset)}),
    .reduction_i('0), .next_i(flags_move), .aside_i(1'b0), .hold_i(with_sums_q && !(cuts && run_ends)),
    .sums_o({row, offset}), .first_o(first_run), .run_last_o(inner_last), .last_o(last_run)
  );

  assign flags_move = with_flags_q && (!with_sums_q || (cuts && run_ends));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      with_flags_q <= 1'b0;
      with_sums_q  <= 1'b0;
    end else if (begin_i || clear) begin
      with_flags_q <= begin_i && !clear_i;
      with_sums_q  <= 1'b0;
    end else begin
      if (flags_move && (last_run || !moves_q)) with_flags_q <= 1'b0;
      with_sums_q <= flags_move || (with_sums_q && !(cuts && run_ends));
    end
  end

  // Cut: up to the end of the run, or of the stretch that one burst may cover, which is whole but for the first burst. Its place
  // in its stretch is a sum; whether it has the whole run is found beside that sum, from one of three numbers.
  logic        in_run_q;     // a burst of the run was cut
  logic [15:0] at_q;         // bytes of the run before the segment
  logic [15:0] left_q;       // of the run, behind its first burst
  logic [12:0] left;         // the low bits
  logic [15:0] run_less_q;   // bytes of a run behind its first one
  logic [15:0] run_over_q;   // bytes of a run over those of a stretch
  logic [12:0] run_base_q;   // the low bits of the base and of `run_less_q`, added
  logic [12:0] stretch;      // those of the base and of the run's offset
  logic [13:0] end_stretch;  // of all three
  logic [12:0] first_in_burst, in_burst, room, bytes;
  logic        has_room, rest_fits, first_fits, fits;

  assign left = in_run_q ? left_q[12:0] : store_q.run_bytes[12:0];
  assign stretch = low(base_address_q[12:0]) + low(offset[12:0]);
  assign first_in_burst = stretch & 13'(Longest - 1);
  assign in_burst = in_run_q ? '0 : first_in_burst;
  assign room = 13'(Longest) - in_burst;
  // Whether it ends there: comparisons with the longest burst, a power of two, as bits.
  assign end_stretch = {1'b0, run_base_q} + {1'b0, low(offset[12:0])};
  assign first_fits = run_less_q >> LongestBits == '0 && end_stretch >> LongestBits == 14'(stretch[LongestBits]);
  assign rest_fits = left_q >> LongestBits == '0 || left_q == 16'(Longest);
  assign fits = in_run_q ? rest_fits : first_fits;
  assign bytes = fits ? left : room;
  assign run_ends = !moves_q || fits;
  assign cuts = with_sums_q && has_room;

  // The bits that say where in its stretch a byte is.
  function automatic logic [12:0] low(input logic [12:0] place);
    low = place & 13'(Longest - 1);
  endfunction

  always_ff @(posedge clk_i) begin
    if (flags_move) last_q <= last_run || !moves_q;
    if (begin_i) begin
      in_run_q   <= 1'b0;
      at_q       <= '0;
      run_less_q <= store.run_bytes - 16'd1;
    end else if (cuts) begin
      in_run_q <= !run_ends;
      at_q     <= run_ends ? '0 : in_run_q ? at_q + 16'(Longest) : 16'(room);
      left_q   <= in_run_q ? left_q - 16'(Longest) : run_over_q + 16'(first_in_burst);
    end
    run_over_q <= run_less_q - 16'(Longest - 1);
    run_base_q <= low(base_address_q[12:0]) + low(run_less_q[12:0]);
  end

  // Sums.
  typedef struct packed {
    logic               last;      // of the instruction
    logic [15:0]        at;
    logic [12:0]        bytes;
    logic [12:0]        in_burst;
    logic signed [55:0] offset;    // of the run
    logic signed [55:0] row;
  } cut_t;

  cut_t               cut, summed, cut_q;
  logic               cut_valid, limits_valid_q;
  logic signed [55:0] offset_q, offset_end_q, scratch_q, scratch_end_q;
  logic [16:0]        end_in_run;  // bytes of the run up to the segment's last one
  logic [12:0]        last_byte;
  logic [8:0]         beats_q;

  assign cut = {run_ends && last_q, at_q, bytes, in_burst, offset, row};

  delay #(.Stages(More + 1), .Width($bits(cut))) u_cut (
    .clk_i, .rst_ni, .clear_i(clear), .valid_i(cuts), .data_i(cut), .valid_o(cut_valid), .data_o(summed)
  );
  assign end_in_run = 17'(summed.at) + 17'(summed.bytes);
  assign last_byte = summed.in_burst + summed.bytes - 13'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) limits_valid_q <= 1'b0;
    else if (clear) limits_valid_q <= 1'b0;
    else limits_valid_q <= cut_valid;
  end

  always_ff @(posedge clk_i) begin
    cut_q         <= summed;
    offset_q      <= summed.offset + $signed({40'd0, summed.at});
    offset_end_q  <= summed.offset + $signed({39'd0, end_in_run});
    scratch_q     <= (summed.row <<< LaneBits) + $signed({40'd0, summed.at});
    scratch_end_q <= (summed.row <<< LaneBits) + $signed({39'd0, end_in_run});
    beats_q       <= 9'(last_byte / 13'(W)) - 9'(summed.in_burst / 13'(W)) + 9'd1;
  end

  // Limits.
  logic [3:0]                   cause;
  daedalus_pkg::store_segment_t segment;
  logic [$bits(segment)+3:0]    next;

  always_comb begin
    cause = daedalus_isa_pkg::FaultNone;
    if (moves_q) begin
      if (scratch_q < 0 || scratch_end_q > 56'(daedalus_machine_pkg::OutBytes))
        cause = daedalus_isa_pkg::FaultScratchpadRange;
      if (offset_q < 0 || offset_end_q > $signed({24'd0, base_limit_q})) cause = daedalus_isa_pkg::FaultAddressLimit;
    end

    segment.burst = moves_q;
    segment.last = cut_q.last;
    segment.flip = store_q.unsigned_data;
    segment.bytes = cut_q.bytes;
    segment.beats = beats_q;
    segment.address = base_address_q + {{8{offset_q[55]}}, offset_q};
    segment.scratch = scratch_q[23:0];
    segment.signal = store_q.signal;
    segment.index = index_q;
  end

  shown_queue #(.Stages(More + 2), .Width($bits(segment) + 4)) u_shown (
    .clk_i, .rst_ni, .clear_i(clear), .enter_i(cuts), .valid_i(limits_valid_q), .data_i({cause, segment}),
    .take_i(next_i), .room_o(has_room), .shown_o, .data_o({cause_o, segment_o}),
    .next_o(next)
  );

  logic unused;
  assign unused = ^{store, store_q, loop, first_run, inner_last, cut_q, scratch_q, issued_i, next};

endmodule
