/// STORE's address generator cuts each run as R13 and R18 say it (golden/segments_golden.sv), and each segment has the
/// addresses, beats and faults that sums of whole numbers give: in the order of the runs, StoreIssueLatency - 3 cycles
/// behind the cut, for every instruction and every sum of its loops (golden/loop_nest_any.sv; loop_nest is proved by
/// itself, and so is shown_queue, which shows the segments in this order). By induction over any number of segments.
/// It begins only when the instruction before has left it, or a cycle after it was stopped; never while it is cleared.
/// Then it keeps what loop_nest asks of its host.
module store_segments_properties #(
  localparam int unsigned Longest = daedalus_machine_pkg::MaxBurstBeats * daedalus_machine_pkg::BusBytes,
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes,
  localparam int unsigned Behind = daedalus_machine_pkg::StoreIssueLatency - 3
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

  daedalus_isa_pkg::store_t      store;
  daedalus_pkg::store_segment_t  shown;
  logic                          is_shown, began_q = 1'b0, active_q = 1'b0, stopped_q = 1'b0;
  logic [3:0]                    shown_cause;
  localparam int unsigned Width = $bits(shown);

  store_segments u_dut (
    .clk_i, .rst_ni, .clear_i, .begin_i, .issued_i, .base_address_i, .base_limit_i, .active_i(active_q), .next_i,
    .shown_o(is_shown), .segment_o(shown), .cause_o(shown_cause)
  );

  // The instruction, and the bytes of the run that are cut.
  daedalus_isa_pkg::store_t store_q;
  logic [31:0]              index_q, limit_q;
  logic [63:0]              base_q;
  logic [16:0]              at_q;
  logic                     last_q, cut_q, moves, clear;  // `cut_q`: the instruction is cut wholly

  logic inside_cuts, inside_flags_move, inside_last_run, inside_with_flags_q, inside_with_sums_q, inside_in_run_q,
        inside_limits_valid_q, inside_moves_q, inside_last_q, inside_cut_valid;
  logic [15:0] inside_at_q, inside_left_q, inside_run_less_q, inside_run_over_q;
  logic [12:0] inside_run_base_q;
  logic [31:0] inside_base_limit_q, inside_index_q;
  logic [63:0] inside_base_address_q;
  logic [511:0] inside_store_q;
  logic signed [55:0] inside_offset, inside_row;
  logic [Width-1:0] inside_segment;
  logic [3:0] inside_cause;

  assign store = issued_i.word;
  always @(posedge clk_i) begin
    began_q <= 1'b1;
    active_q <= begin_i || (active_q && !clear_i && !stops_i && !(next_i && shown.last));
    stopped_q <= active_q && (clear_i || stops_i);
  end
  always @(*) begin
    assume (rst_ni == began_q);  // only at the start
    assume (!(begin_i && (!began_q || active_q || stopped_q || clear_i)));
    assume (!next_i || (is_shown && active_q && (!shown.last || cut_q)));  // what is shown was cut (shown_queue)
    assume (inside_offset[55:50] == {6{inside_offset[55]}} && inside_row[55:50] == {6{inside_row[55]}});  // 3 x 2^47
    if (begin_i && store.opcode == daedalus_isa_pkg::OpcodeStore) assume (store.run_bytes != 16'd0);
  end

  logic        is_data, ends;
  logic [31:0] bytes, in_burst;
  segments_golden #(.Longest(Longest)) u_golden (
    .before_i(17'd0), .data_i(17'(store_q.run_bytes)), .after_i(17'd0), .address_i(base_q[11:0] + inside_offset[11:0]),
    .at_i(at_q), .is_data_o(is_data), .bytes_o(bytes), .in_burst_o(in_burst), .ends_o(ends)
  );

  assign moves = store_q.opcode == daedalus_isa_pkg::OpcodeStore;
  assign clear = clear_i || !active_q;
  always @(posedge clk_i) begin
    if (begin_i) begin
      store_q <= issued_i.word;
      index_q <= issued_i.index;
      base_q <= base_address_i;
      limit_q <= base_limit_i;
      at_q <= '0;
      cut_q <= 1'b0;
    end else if (inside_cuts) begin
      at_q <= !moves || ends ? '0 : at_q + bytes[16:0];
      cut_q <= wanted.last;
    end
    if (inside_flags_move) last_q <= inside_last_run || !moves;
  end

  // The segment that is cut, as whole numbers.
  daedalus_pkg::store_segment_t  wanted;
  logic signed [63:0]            offset, scratch;
  logic [3:0]                    wanted_cause;
  always @(*) begin
    offset = 64'(inside_offset) + 64'(at_q);
    scratch = 64'(inside_row) * N + 64'(at_q);
    wanted.burst = moves;
    wanted.last = moves ? ends && last_q : 1'b1;
    wanted.flip = store_q.unsigned_data;
    wanted.bytes = bytes[12:0];
    wanted.beats = 9'((in_burst + bytes - 1) / W - in_burst / W + 1);
    wanted.address = base_q + offset;
    wanted.scratch = scratch[23:0];
    wanted.signal = store_q.signal;
    wanted.index = index_q;
    wanted_cause = daedalus_isa_pkg::FaultNone;
    if (moves && (scratch < 0 || scratch + 64'(bytes) > 64'(daedalus_machine_pkg::OutBytes)))
      wanted_cause = daedalus_isa_pkg::FaultScratchpadRange;
    if (moves && (offset < 0 || offset + 64'(bytes) > 64'(limit_q))) wanted_cause = daedalus_isa_pkg::FaultAddressLimit;
    if (!moves) begin  // of MARK and NOP nothing else counts
      wanted.bytes = '0;
      wanted.beats = '0;
      wanted.address = '0;
      wanted.scratch = '0;
    end
  end

  logic [Behind-1:0]           valid_q = '0;
  logic [Behind*(Width+4)-1:0] wanted_q;
  daedalus_pkg::store_segment_t given;
  always @(posedge clk_i) begin
    valid_q <= clear ? '0 : Behind'({valid_q, inside_cuts});
    wanted_q <= (Behind*(Width+4))'({wanted_q, wanted_cause, wanted});
  end
  always @(*) begin
    given = inside_segment;
    if (!given.burst) begin
      given.bytes = '0;
      given.beats = '0;
      given.address = '0;
      given.scratch = '0;
    end
  end

  always @(*) begin
    assert (inside_limits_valid_q == valid_q[Behind-1]);
    if (inside_limits_valid_q) assert ({inside_cause, given} == wanted_q[(Behind-1)*(Width+4)+:Width+4]);
    if (inside_cuts && moves) assert (is_data && bytes != '0 && (ends || at_q + bytes < 32'(store_q.run_bytes)));
    assert (!(begin_i && (inside_flags_move || inside_with_sums_q)));  // the host of loop_nest neither moves nor holds it
    // In between.
    assert (!inside_flags_move || inside_with_flags_q);
    assert (active_q || stopped_q || (!inside_with_flags_q && !inside_with_sums_q));
    assert (inside_cut_valid == valid_q[Behind-2]);
    if (active_q) begin
      assert (!inside_with_sums_q || (inside_last_q == last_q && last_q == !inside_with_flags_q && (moves || last_q)));
      assert (cut_q == (!inside_with_flags_q && !inside_with_sums_q));
      assert (inside_store_q == store_q && inside_index_q == index_q && inside_moves_q == moves);
      assert (inside_run_less_q == store_q.run_bytes - 16'd1);
      assert (inside_base_address_q == base_q && inside_base_limit_q == limit_q);
      if (inside_with_sums_q) begin
        assert (inside_run_over_q == store_q.run_bytes - 16'(Longest));
        assert (inside_run_base_q == 13'(base_q % Longest) + 13'((store_q.run_bytes - 16'd1) % Longest));
      end
      assert (!moves || store_q.run_bytes != '0);
      assert (inside_at_q == at_q && inside_in_run_q == (at_q != '0) && (at_q == '0 || (moves && inside_with_sums_q)));
      if (inside_in_run_q) begin
        assert (at_q < 17'(store_q.run_bytes) && inside_left_q == store_q.run_bytes - at_q[15:0]);
        assert (in_burst == '0);
      end
    end
  end

endmodule
