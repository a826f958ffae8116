/// LOAD's address generator cuts each run into fill, bursts and fill as R13 says it (golden/segments_golden.sv), and each
/// segment has the addresses, beats and faults that sums of whole numbers give: in the order of the runs,
/// two cycles behind the cut, for a machine of the least LoadIssueLatency, for every instruction and every sum of its loops
/// (golden/loop_nest_any.sv; loop_nest is proved by itself, and so is shown_queue, which shows the segments in this
/// order). By induction over any number of segments. It begins only when the instruction before has left it, or a cycle
/// after it was stopped; never while it is cleared. Then it keeps what loop_nest asks of its host.
module load_segments_properties #(
  localparam int unsigned Longest = daedalus_machine_pkg::MaxBurstBeats * daedalus_machine_pkg::BusBytes,
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  clear_i,
  input logic                  begin_i,
  input daedalus_pkg::issued_t issued_i,
  input logic [63:0]           base_address_i,
  input logic [31:0]           base_limit_i,
  input logic                  stops_i,         // by a fault
  input logic                  next_i
);

  daedalus_isa_pkg::load_t      load;
  daedalus_pkg::load_segment_t  shown;
  logic [63:0]                  shown_address;
  logic [31:0]                  shown_index;
  logic [3:0]                   shown_cause;
  logic                         is_shown, began_q = 1'b0, active_q = 1'b0, stopped_q = 1'b0;
  localparam int unsigned SegmentWidth = $bits(shown);

  load_segments u_dut (
    .clk_i, .rst_ni, .clear_i, .begin_i, .issued_i, .base_address_i, .base_limit_i, .active_i(active_q), .next_i,
    .shown_o(is_shown), .segment_o(shown), .address_o(shown_address), .cause_o(shown_cause), .index_o(shown_index)
  );

  // Registers and wires of the generator.
  logic inside_cuts, inside_flags_move, inside_sums_move, inside_last_run, inside_with_flags_q, inside_with_sums_q,
        inside_with_cutter_q, inside_is_first_q, inside_in_data_q, inside_cut_valid, inside_limits_valid_q, inside_moves_q,
        inside_last_sums_q, inside_last_cutter_q,
        inside_is_fill_before, inside_is_some_data, inside_is_fill_after, inside_all_fits;
  logic [15:0]              inside_at_q, inside_left_q, inside_fill_before, inside_data, inside_fill_after;
  logic [11:0]              inside_place;
  logic [31:0]              inside_base_limit_q;
  logic signed [17:0]       inside_spare_q, inside_extent_less_q;
  logic [15:0]              inside_run_less_q;
  logic [63:0]              inside_base_address_q, inside_address;
  logic [511:0]             inside_load_q;
  logic signed [55:0]       inside_offset, inside_dst, inside_x, inside_y, inside_run_offset_q, inside_run_dst_q;
  logic [SegmentWidth-1:0]  inside_segment;
  logic [3:0]               inside_cause;
  logic [159:0]             inside_summed, inside_cut_q;
  logic [8:0]               inside_beats_q;
  logic signed [55:0]       inside_offset_q, inside_offset_end_q, inside_scratch_q, inside_scratch_end_q;

  // The instruction, and the run that is cut.
  daedalus_isa_pkg::load_t  load_q;
  logic [31:0]              index_q, limit_q;
  logic [63:0]              base_q;
  logic signed [55:0]       offset_q, dst_q, x_q, y_q;
  logic [16:0]              at_q;
  logic                     last_sums_q, last_q, cut_q, moves, clear;  // `cut_q`: the instruction is cut wholly

  assign load = issued_i.word;
  always @(posedge clk_i) begin
    began_q <= 1'b1;
    active_q <= begin_i || (active_q && !clear_i && !stops_i && !(next_i && shown.last));
    stopped_q <= active_q && (clear_i || stops_i);
  end
  always @(*) begin
    assume (rst_ni == began_q);  // only at the start
    assume (!(begin_i && (!began_q || active_q || stopped_q || clear_i)));
    assume (!next_i || (is_shown && active_q && (!shown.last || cut_q)));  // what is shown was cut (shown_queue)
    assume (inside_offset[55:50] == {6{inside_offset[55]}} && inside_dst[55:50] == {6{inside_dst[55]}});  // 3 x 2^47
    assume (inside_x[55:50] == {6{inside_x[55]}} && inside_y[55:50] == {6{inside_y[55]}});
    if (begin_i && load.opcode == daedalus_isa_pkg::OpcodeLoad) begin
      assume (load.run_bytes != 16'd0);
      assume (load.scope == daedalus_isa_pkg::ScopeInp || load.scope == daedalus_isa_pkg::ScopeWgt
              || load.scope == daedalus_isa_pkg::ScopeParam || load.scope == daedalus_isa_pkg::ScopeLut);
    end
  end

  // Its parts, byte for byte: byte i is data where 0 <= x + i < extent_x and 0 <= y < extent_y.
  logic signed [63:0] run, first, reach;
  logic [16:0]        before, data, after;
  always @(*) begin
    run = 64'(load_q.run_bytes);
    first = x_q < 0 ? 64'sd0 - 64'(x_q) : 64'sd0;
    reach = 64'(load_q.extent_x) - 64'(x_q);
    if (reach > run) reach = run;
    if (y_q < 0 || 64'(y_q) >= 64'(load_q.extent_y) || reach <= first) begin
      first = run;
      reach = run;
    end
    if (load_q.unbounded) begin
      first = 64'sd0;
      reach = run;
    end
    before = 17'(first);
    data = 17'(reach - first);
    after = 17'(run - reach);
  end

  logic        is_data, ends;
  logic [31:0] bytes, in_burst;
  segments_golden #(.Longest(Longest)) u_golden (
    .before_i(before), .data_i(data), .after_i(after), .address_i(base_q[11:0] + offset_q[11:0]),
    .at_i(at_q), .is_data_o(is_data), .bytes_o(bytes), .in_burst_o(in_burst), .ends_o(ends)
  );

  // What is cut, and the same one and two cycles behind.
  typedef struct packed {
    logic               data;
    logic               last;
    logic               run_ends;
    logic [15:0]        at;
    logic [15:0]        bytes;
    logic [12:0]        in_burst;
    logic signed [55:0] offset;
    logic signed [55:0] dst;
  } cut_t;
  cut_t cut, first_q, second_q, summed, limited;
  localparam int unsigned Rest = $bits(cut) - 3;
  assign cut = {moves && is_data, moves ? ends && last_q : 1'b1, !moves || ends, at_q[15:0], bytes[15:0], in_burst[12:0],
                offset_q, dst_q};

  // The segment two cycles behind, as whole numbers.
  daedalus_pkg::load_segment_t  wanted;
  logic signed [63:0]           offset, offset_end, scratch, scratch_end, size, step;
  logic [63:0]                  address;
  logic [31:0]                  wide;
  logic [8:0]                   beats;
  logic [3:0]                   cause;
  always @(*) begin
    step = load_q.diagonal ? N : 1;
    offset = 64'(second_q.offset) + 64'(second_q.at);
    offset_end = offset + 64'(second_q.bytes);
    scratch = 64'(second_q.dst) + 64'(second_q.at) * step;
    scratch_end = scratch + 64'(second_q.bytes) * step;
    wide = 32'(second_q.in_burst) + 32'(second_q.bytes);
    beats = second_q.data ? 9'((wide - 1) / W - second_q.in_burst / W + 1) : '0;
    size = load_q.scope == daedalus_isa_pkg::ScopeInp ? daedalus_machine_pkg::InpBytes
        : load_q.scope == daedalus_isa_pkg::ScopeWgt ? daedalus_machine_pkg::WgtBytes
        : load_q.scope == daedalus_isa_pkg::ScopeParam ? daedalus_machine_pkg::ParamBytes : daedalus_machine_pkg::LutBytes;
    wanted.burst = second_q.data;
    wanted.empty = !moves;
    wanted.last = second_q.last;
    wanted.tail = moves && load_q.tail_fill && second_q.run_ends;
    wanted.diagonal = moves && load_q.diagonal;
    wanted.flip = load_q.unsigned_data;
    wanted.scope = load_q.scope;
    wanted.fill = load_q.fill;
    wanted.bytes = moves ? 17'(second_q.bytes) : '0;
    wanted.beats = beats;
    wanted.first_byte = second_q.data ? 5'(second_q.in_burst % W) : '0;
    wanted.scratch = moves ? scratch[23:0] : '0;
    wanted.lane = moves ? second_q.at[5:0] : '0;
    wanted.signal = load_q.signal;
    wanted.index = index_q;
    address = second_q.data ? base_q + offset : '0;
    cause = daedalus_isa_pkg::FaultNone;
    if (moves && (scratch < 0 || scratch_end > size))
      cause = daedalus_isa_pkg::FaultScratchpadRange;
    if (second_q.data && (offset < 0 || offset_end > 64'(limit_q)))
      cause = daedalus_isa_pkg::FaultAddressLimit;
  end

  assign moves = load_q.opcode == daedalus_isa_pkg::OpcodeLoad;
  assign clear = clear_i || !active_q;
  always @(posedge clk_i) begin
    if (begin_i) begin
      load_q <= issued_i.word;
      index_q <= issued_i.index;
      base_q <= base_address_i;
      limit_q <= base_limit_i;
      cut_q <= 1'b0;
    end else if (inside_cuts) begin
      at_q <= at_q + bytes[16:0];
      cut_q <= cut.last;
    end
    if (inside_flags_move) last_sums_q <= inside_last_run || !moves;
    if (inside_sums_move) begin
      offset_q <= inside_offset;
      dst_q <= inside_dst;
      x_q <= inside_x;
      y_q <= inside_y;
      at_q <= '0;
      last_q <= last_sums_q;
    end
  end

  logic [1:0]                  valid_q = '0;
  daedalus_pkg::load_segment_t given;
  logic [63:0]                 given_address;
  always @(posedge clk_i) begin
    valid_q <= clear ? '0 : {valid_q[0], inside_cuts};
    first_q <= cut;
    second_q <= first_q;
  end
  always @(*) begin
    given = inside_segment;
    given_address = given.burst ? inside_address : '0;
    if (!given.burst) given.first_byte = '0;
    if (given.empty) begin  // of MARK and NOP nothing else counts
      given.bytes = '0;
      given.scratch = '0;
      given.lane = '0;
    end
  end

  always @(*) begin
    assert (inside_cut_valid == valid_q[0] && inside_limits_valid_q == valid_q[1]);
    if (inside_limits_valid_q) assert ({inside_cause, given_address, given} == {cause, address, wanted});
    if (inside_cuts && moves) assert (bytes != '0 && (ends || at_q + bytes < 32'(load_q.run_bytes)));
    assert (!(begin_i && (inside_flags_move || inside_with_sums_q)));  // the host of loop_nest neither moves nor holds it
    assert (!(inside_flags_move && inside_with_sums_q && !inside_sums_move));
    // In between.
    assert (active_q || stopped_q || (!inside_with_flags_q && !inside_with_sums_q && !inside_with_cutter_q));
    summed = inside_summed;
    limited = inside_cut_q;
    if (!moves) begin  // of MARK and NOP nothing but the flags counts, of fill no place in a burst
      summed = {summed.data, summed.last, summed.run_ends, first_q[Rest-1:0]};
      limited = {limited.data, limited.last, limited.run_ends, second_q[Rest-1:0]};
    end
    if (!summed.data) summed.in_burst = first_q.in_burst;
    if (!limited.data) limited.in_burst = second_q.in_burst;
    if (inside_cut_valid) assert (summed == first_q && (moves || !first_q.data));
    if (inside_limits_valid_q) begin
      assert (moves || !second_q.data);
      assert (limited == second_q && inside_beats_q == beats);
      assert (!moves || (inside_offset_q == offset[55:0] && inside_scratch_q == scratch[55:0]));
      assert (!moves || (inside_offset_end_q == offset_end[55:0] && inside_scratch_end_q == scratch_end[55:0]));
      assert (second_q.offset[55:50] == {6{second_q.offset[55]}} && second_q.dst[55:50] == {6{second_q.dst[55]}});
    end
    if (inside_cut_valid)
      assert (first_q.offset[55:50] == {6{first_q.offset[55]}} && first_q.dst[55:50] == {6{first_q.dst[55]}});
    if (active_q) begin
      assert (inside_load_q == load_q && shown_index == index_q && inside_moves_q == moves);
      assert (inside_base_address_q == base_q && inside_base_limit_q == limit_q);
      assert (inside_spare_q == {2'd0, load_q.extent_x} - {2'd0, load_q.run_bytes});
      assert (inside_extent_less_q == {2'd0, load_q.extent_x} - 18'd1);
      assert (inside_run_less_q == load_q.run_bytes - 16'd1);
      assert (!moves || (load_q.run_bytes != '0 && (load_q.scope == daedalus_isa_pkg::ScopeInp
              || load_q.scope == daedalus_isa_pkg::ScopeWgt || load_q.scope == daedalus_isa_pkg::ScopeParam
              || load_q.scope == daedalus_isa_pkg::ScopeLut)));
      assert (cut_q == (!inside_with_flags_q && !inside_with_sums_q && !inside_with_cutter_q));
      if (inside_with_sums_q)
        assert (inside_last_sums_q == last_sums_q && last_sums_q == !inside_with_flags_q && (moves || last_sums_q));
      if (inside_with_cutter_q) begin
        assert (inside_last_cutter_q == last_q && last_q == (!inside_with_flags_q && !inside_with_sums_q));
        assert (moves || last_q);
        assert (inside_run_offset_q == offset_q && inside_run_dst_q == dst_q);
        assert (offset_q[55:50] == {6{offset_q[55]}} && dst_q[55:50] == {6{dst_q[55]}});
        assert (inside_fill_before == before && inside_data == data && inside_fill_after == after);
        assert (data == '0 || inside_place == 12'(base_q[11:0] + offset_q[11:0] + before[11:0]));
        assert (!moves || (inside_is_fill_before == (before != '0) && inside_is_some_data == (data != '0)));
        assert (!moves || inside_is_fill_after == (after != '0 && data != '0));
        if (moves && data != '0) assert (inside_all_fits == (32'(data) + 32'(inside_place) % Longest <= Longest));
        assert (inside_at_q == at_q && inside_is_first_q == (at_q == '0) && (moves || at_q == '0));
        if (moves) begin
          assert (at_q < 17'(load_q.run_bytes) && (at_q == '0 || at_q >= before));
          assert (inside_in_data_q == (at_q > before));
          if (inside_in_data_q) begin
            assert (at_q <= before + data && inside_left_q == before + data - at_q);
            assert (at_q == before + data || in_burst == '0);
          end
        end
      end
    end
  end

endmodule
