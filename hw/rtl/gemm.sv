/// GEMM (R26, R28): one N x N tile product a cycle, or one column of a window. An instruction that starts in t walks
/// its iterations from t + 1 on and ends in t + product of its counts + GemmLatency; MARK and NOP end in t + 1. With a
/// window it walks columns: the last one of an iteration, whose result is written, and those before it.
/// The rows of an iteration are registered behind the loops, and in GemmLatency - 6 registers more. An iteration whose
/// rows are presented to INP in c presents its tile to WGT in c + 1 and its row to ACC in c + 4: rows registered c + 2,
/// taps and tile c + 3, products c + 4, sums c + 5. Its result is registered then, and ACC is written from there in c + 6,
/// which an instruction that waits for this one does not see. An accumulator of the two iterations before is taken
/// from their results instead (forwarding), so no iteration waits.
/// A row outside its scratchpad is reported two cycles behind its iteration; its writes are dropped.
module gemm #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned Rows = daedalus_machine_pkg::InpInterleave
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        head_valid_i,
  input  daedalus_pkg::issued_t       head_i,
  input  logic [3:0]                  tokens_i,
  input  logic                        fault_i,
  output logic                        start_o,
  output daedalus_pkg::retire_t       retire_o,
  output logic                        active_o,
  output logic                        waiting_o,
  output logic [3:0]                  class_o,
  output daedalus_pkg::fault_report_t range_error_o,
  output logic [Rows-1:0]             inp_read_valid_o,
  output logic [16*Rows-1:0]          inp_row_o,
  input  logic [8*N*Rows-1:0]         inp_data_i,
  output logic                        wgt_read_valid_o,
  output logic [15:0]                 wgt_tile_o,
  input  logic [8*N*N-1:0]            wgt_data_i,
  output logic                        acc_read_valid_o,
  output logic [15:0]                 acc_read_row_o,
  input  logic [32*N-1:0]             acc_data_i,
  output logic                        acc_write_valid_o,
  output logic [15:0]                 acc_write_row_o,
  output logic [32*N-1:0]             acc_write_data_o
);

  localparam int unsigned Latency = daedalus_machine_pkg::GemmLatency;
  localparam int unsigned Least = 6;
  // The bits of a row, or of a tile, in its scratchpad: sizes are powers of two.
  localparam logic [35:0] InpBits = {4'd0, daedalus_machine_pkg::InpBytes / N - 1};
  localparam logic [35:0] WgtBits = {4'd0, daedalus_machine_pkg::WgtBytes / (N * N) - 1};
  localparam logic [35:0] AccBits = {4'd0, daedalus_machine_pkg::AccBytes / (4 * N) - 1};

  daedalus_isa_pkg::gemm_t      fields;
  daedalus_isa_pkg::gemm_loop_t loop;
  logic [95:0]                  counts;
  logic [287:0]                 strides;

  assign fields = head_i.word;
  always_comb begin
    for (int l = 0; l < 6; l++) begin
      loop = fields.loops[l];
      counts[16*l+:16] = loop.count;
      strides[16*l+:16] = loop.inp_stride;
      strides[16*(6+l)+:16] = loop.wgt_stride;
      strides[16*(12+l)+:16] = loop.acc_stride;
    end
  end

  // Issue: the instruction that works, its iterations and its drain.
  logic        working_q, iterating_q, multiplies_q, accumulate_q, starts, iterates, ends;
  logic [5:0]  drain_q;
  logic [31:0] index_q;
  logic [3:0]  signal_q, resting_class;
  logic        first, run_last, last, result;
  logic [2:0]  window_q;
  logic [5:0]  lead_q, between_q, ahead_q;  // columns before the first result, between two, before the next
  logic        fresh_q;                     // the next column is the first of a run of the innermost loop
  logic signed [15:0] line_q;
  logic signed [35:0] inp_row, wgt_tile, acc_row;

  issue u_issue (
    .head_valid_i, .wait_i(fields.wait_), .tokens_i, .free_i(!working_q), .fault_i,
    .start_o(starts)
  );
  resting u_resting (.wait_i(fields.wait_), .tokens_i, .waiting_o, .class_o(resting_class));
  loop_nest #(.Loops(6)) u_loop_nest (
    .clk_i, .begin_i(starts), .counts_i(counts), .strides_i(strides),
    .sums_i({36'(fields.acc), 36'(fields.wgt), 36'(fields.inp)}), .reduction_i(fields.reduction),
    .next_i(iterates && result), .aside_i(iterates && !result), .hold_i(1'b0), .sums_o({acc_row, wgt_tile, inp_row}),
    .first_o(first), .run_last_o(run_last), .last_o(last)
  );

  assign start_o = starts;
  assign iterates = iterating_q && multiplies_q;
  assign result = ahead_q == '0;
  assign ends = working_q && (multiplies_q ? !iterating_q && drain_q == 6'd1 : 1'b1);
  assign retire_o.valid = ends;
  assign retire_o.signal = signal_q;
  assign retire_o.index = index_q;
  assign active_o = working_q;
  assign class_o = working_q || starts ? daedalus_isa_pkg::CounterClassBusy : resting_class;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      working_q   <= 1'b0;
      iterating_q <= 1'b0;
      drain_q     <= '0;
    end else if (clear_i) begin
      working_q   <= 1'b0;
      iterating_q <= 1'b0;
      drain_q     <= '0;
    end else if (starts) begin
      working_q   <= 1'b1;
      iterating_q <= 1'b1;
      drain_q     <= 6'(Latency);
    end else begin
      if (iterating_q && result && last) iterating_q <= 1'b0;
      if (working_q && !iterating_q) drain_q <= drain_q - 6'd1;
      if (ends) working_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (starts) begin
      multiplies_q <= fields.opcode == daedalus_isa_pkg::OpcodeGemm;
      accumulate_q <= fields.accumulate;
      index_q      <= head_i.index;
      signal_q     <= fields.signal;
      window_q     <= fields.window;
      line_q       <= fields.line;
      lead_q       <= fields.lead;
      between_q    <= fields.window == '0 ? '0 : 6'(fields.step) - 6'd1;
      ahead_q      <= fields.lead;
      fresh_q      <= 1'b1;
    end else if (iterates) begin
      ahead_q <= !result ? ahead_q - 6'd1 : run_last ? lead_q : between_q;
      fresh_q <= result && run_last;
    end
  end

  // The rows of the cycle before, and in the cycle behind it their range (R28).
  logic               iterates_q, result_q, starts_run_q, checked_q, outside_q;
  logic [Rows-1:0]    row_valid, row_outside;
  logic [16*Rows-1:0] rows;

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    logic signed [35:0] row;
    logic signed [17:0] lines_q;  // r lines, from the second cycle of an instruction on, that of its first rows
    always_ff @(posedge clk_i) lines_q <= 18'(r) * 18'(line_q);
    assign row = inp_row + 36'(lines_q);
    assign row_valid[r] = r == 0 || 32'(window_q) > r;
    assign row_outside[r] = row_valid[r] && (row & ~InpBits) != '0;
    assign rows[16*r+:16] = row[15:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      iterates_q <= 1'b0;
      checked_q  <= 1'b0;
    end else if (clear_i) begin
      iterates_q <= 1'b0;
      checked_q  <= 1'b0;
    end else begin
      iterates_q <= iterates;
      checked_q  <= iterates_q;
    end
  end
  always_ff @(posedge clk_i) begin
    result_q     <= result;
    starts_run_q <= fresh_q;
    outside_q    <= row_outside != '0
        || (result_q && ((wgt_tile & ~WgtBits) != '0 || (acc_row & ~AccBits) != '0));
  end
  assign range_error_o.valid = checked_q && outside_q;
  assign range_error_o.cause = daedalus_isa_pkg::FaultScratchpadRange;
  assign range_error_o.index = index_q;

  // The registers between the loops and the scratchpads. The range is known one cycle behind the row.
  logic            presents, presents_result, presents_first, overwrites, is_inside;
  logic [15:0]     tile, acc_presented;
  logic [Rows-1:0] presented_valid;

  delay #(.Stages(Latency - Least), .Width(4 + 32 + 17 * Rows)) u_more (
    .clk_i, .rst_ni, .clear_i, .valid_i(iterates_q),
    .data_i({result_q, starts_run_q, first && !accumulate_q, !outside_q, wgt_tile[15:0], acc_row[15:0], row_valid,
             rows}),
    .valid_o(presents),
    .data_o({presents_result, presents_first, overwrites, is_inside, tile, acc_presented, presented_valid, inp_row_o})
  );

  // Bit s: a result is s + 1 cycles behind its operands' addresses; a column one cycle.
  logic [4:0]      valid_q;
  logic [4:0]      overwrite_q;
  logic [4:1]      write_q;
  logic            column_q, first_q, tile_read_q, writes, forwards_q, writes_q;
  logic [15:0]     row_q [6];
  logic [32*N-1:0] sums, accumulated, last_result_q, older_result_q;
  logic [1:0]      forward_q;  // the accumulator is that of the iteration before; of the one before that

  // The operands; a tile that is used again is not read again.
  logic        tile_known_q;
  logic [15:0] tile_q, next_tile_q;
  assign inp_read_valid_o = presents ? presented_valid : '0;
  assign wgt_read_valid_o = valid_q[0] && !(tile_known_q && tile_q == next_tile_q);
  assign wgt_tile_o = next_tile_q;
  always_ff @(posedge clk_i) begin
    if (presents) next_tile_q <= tile;
    tile_read_q <= wgt_read_valid_o;
    if (starts) tile_known_q <= 1'b0;
    else if (valid_q[0]) begin
      tile_known_q <= 1'b1;
      tile_q       <= next_tile_q;
    end
  end

  gemm_array u_array (
    .clk_i, .window_i(window_q), .column_i(column_q), .first_i(first_q), .tile_i(tile_read_q),
    .valid_i(valid_q[3:2] | {2{daedalus_pkg::LoadsInvalid}}), .inp_i(inp_data_i),
    .wgt_i(wgt_data_i), .sums_o(sums)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      column_q <= 1'b0;
    end else if (clear_i) begin
      valid_q  <= '0;
      column_q <= 1'b0;
    end else begin
      valid_q  <= {valid_q[3:0], presents && presents_result};
      column_q <= presents;
    end
  end

  // What counts as written is not taken back by a clear.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {forwards_q, writes_q} <= '0;
    else {forwards_q, writes_q} <= {valid_q[4], writes};
  end

  always_ff @(posedge clk_i) begin
    if (presents) first_q <= presents_first;
    if (working_q || daedalus_pkg::LoadsInvalid) begin
      overwrite_q <= {overwrite_q[3:0], overwrites};
      write_q     <= {write_q[3:1], is_inside};
      row_q[0]    <= acc_presented;
      for (int s = 1; s < 6; s++) row_q[s] <= row_q[s-1];
    end
    forward_q <= {forwards_q && row_q[5] == row_q[3], valid_q[4] && row_q[4] == row_q[3]};
    if (valid_q[4] || daedalus_pkg::LoadsInvalid) last_result_q <= accumulated;
    if (forwards_q || daedalus_pkg::LoadsInvalid) older_result_q <= last_result_q;
  end

  assign acc_read_valid_o = valid_q[3] && !overwrite_q[3];
  assign acc_read_row_o = row_q[3];
  assign writes = valid_q[4] && write_q[4];
  assign acc_write_valid_o = writes_q;
  assign acc_write_row_o = row_q[5];
  assign acc_write_data_o = last_result_q;
  gemm_accumulate u_accumulate (
    .valid_i(valid_q[4] || daedalus_pkg::LoadsInvalid), .overwrite_i(overwrite_q[4]), .forward_i(forward_q), .acc_i(acc_data_i),
    .last_result_i(last_result_q), .older_result_i(older_result_q), .sums_i(sums), .result_o(accumulated)
  );

  logic unused;
  assign unused = ^{fields, loop, inp_row, wgt_tile, acc_row};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(starts && fields.opcode != daedalus_isa_pkg::OpcodeGemm && fields.opcode != daedalus_isa_pkg::OpcodeMark
        && fields.opcode != daedalus_isa_pkg::OpcodeNop))
    else $error("GEMM starts an instruction that it does not execute");
`endif

endmodule
