/// GEMM (R26, R28): one N x N tile product a cycle, or one column of a window. An instruction that starts in t walks
/// its iterations from t + 1 on and ends in t + product of its counts + GemmLatency; MARK and NOP end in t + 1. With a
/// window it walks columns: the last one of an iteration, whose result is written, and those before it.
/// An iteration of cycle c presents its rows of INP in c, its tile of WGT in c + 1 and its row of ACC in c + 3, and
/// writes ACC in c + 4: operands c + 2, products c + 3, sums c + 4. An accumulator that the cycle before wrote is
/// taken from its result instead (forwarding), so no iteration waits. GemmLatency is at least 4.
/// A row outside its scratchpad is reported in its iteration's cycle; its writes are dropped.
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
  localparam logic signed [35:0] InpRows = {4'd0, daedalus_machine_pkg::InpBytes / N};
  localparam logic signed [35:0] WgtTiles = {4'd0, daedalus_machine_pkg::WgtBytes / (N * N)};
  localparam logic signed [35:0] AccRows = {4'd0, daedalus_machine_pkg::AccBytes / (4 * N)};

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
  logic        first, run_last, last, result, outside;
  logic [2:0]  window_q;
  logic [5:0]  lead_q, between_q, ahead_q;  // columns before the first result, between two, before the next
  logic        fresh_q;                     // the next column is the first of a run of the innermost loop
  logic signed [15:0] line_q;
  logic [Rows-1:0] reads, row_outside;
  logic signed [35:0] inp_row, wgt_tile, acc_row;

  issue u_issue (
    .head_valid_i, .wait_i(fields.wait_), .tokens_i, .free_i(!working_q), .fault_i,
    .start_o(starts), .waiting_o, .resting_class_o(resting_class)
  );
  loop_nest #(.Loops(6)) u_loop_nest (
    .clk_i, .begin_i(starts), .counts_i(counts), .strides_i(strides),
    .sums_i({36'(fields.acc), 36'(fields.wgt), 36'(fields.inp)}), .reduction_i(fields.reduction),
    .next_i(iterates && result), .aside_i(iterates && !result), .sums_o({acc_row, wgt_tile, inp_row}),
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

  for (genvar r = 0; r < Rows; r++) begin : gen_read
    logic signed [35:0] row;
    assign row = inp_row + 36'(r) * 36'(line_q);
    assign reads[r] = iterates && (r == 0 || 32'(window_q) > r);
    assign row_outside[r] = reads[r] && (row < 0 || row >= InpRows);
    assign inp_row_o[16*r+:16] = row[15:0];
  end
  assign outside = row_outside != '0
      || (result && (wgt_tile < 0 || wgt_tile >= WgtTiles || acc_row < 0 || acc_row >= AccRows));
  assign range_error_o.valid = iterates && outside;
  assign range_error_o.cause = daedalus_isa_pkg::FaultScratchpadRange;
  assign range_error_o.index = index_q;

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

  // Bit s: a result is s + 1 cycles behind its operands' addresses; column and first column: one cycle.
  logic [3:0]      valid_q, overwrite_q, write_q;
  logic            column_q, first_q;
  logic [15:0]     row_q [4];
  logic [32*N-1:0] sums, last_result_q;
  logic            forward_q;

  // The operands; a tile that is used again is not read again.
  logic        tile_known_q;
  logic [15:0] tile_q, next_tile_q;
  assign inp_read_valid_o = reads;
  assign wgt_read_valid_o = valid_q[0] && !(tile_known_q && tile_q == next_tile_q);
  assign wgt_tile_o = next_tile_q;
  always_ff @(posedge clk_i) begin
    if (iterates) next_tile_q <= wgt_tile[15:0];
    if (starts) tile_known_q <= 1'b0;
    else if (valid_q[0]) begin
      tile_known_q <= 1'b1;
      tile_q       <= next_tile_q;
    end
  end

  gemm_array u_array (
    .clk_i, .column_i(column_q), .first_i(first_q), .window_i(window_q), .operands_i(valid_q[1]),
    .products_i(valid_q[2]), .inp_i(inp_data_i), .wgt_i(wgt_data_i), .sums_o(sums)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      column_q <= 1'b0;
    end else if (clear_i) begin
      valid_q  <= '0;
      column_q <= 1'b0;
    end else begin
      valid_q  <= {valid_q[2:0], iterates && result};
      column_q <= iterates;
    end
  end

  always_ff @(posedge clk_i) begin
    if (iterates) first_q <= fresh_q;
    if (iterates || |valid_q) begin
      overwrite_q <= {overwrite_q[2:0], first && !accumulate_q};
      write_q     <= {write_q[2:0], !outside};
      row_q[0]    <= acc_row[15:0];
      for (int s = 1; s < 4; s++) row_q[s] <= row_q[s-1];
    end
    forward_q <= valid_q[3] && row_q[3] == row_q[2];
    if (valid_q[3]) last_result_q <= acc_write_data_o;
  end

  assign acc_read_valid_o = valid_q[2] && !overwrite_q[2];
  assign acc_read_row_o = row_q[2];
  assign acc_write_valid_o = valid_q[3] && write_q[3];
  assign acc_write_row_o = row_q[3];
  gemm_accumulate u_accumulate (
    .valid_i(valid_q[3]), .overwrite_i(overwrite_q[3]), .forward_i(forward_q), .acc_i(acc_data_i),
    .last_result_i(last_result_q), .sums_i(sums), .result_o(acc_write_data_o)
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
