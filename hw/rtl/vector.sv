/// VECTOR (R27, R28): elementwise operations, reductions, requantization and table lookups on rows. An iteration
/// takes c cycles: the most reads that one scope serves for its row, 4 for mov32. An instruction that starts in t
/// walks its iterations from t + 1 on and ends in t + iterations * c + VectorLatency, requant_lut two cycles behind
/// that; MARK and NOP end in t + 1.
/// The rows of a cycle are registered behind the loops, and in VectorLatency - 11 registers more. Then, in phase p of an
/// iteration, each scope serves its p-th operand in the order a, b. The row issues in the iteration's last phase s
/// (mov32: one row of OUT in each phase); operands are registered in s + 2, the old destination of a reduction is read
/// in s + 6, and the result is written in s + 10; of requant_lut the table is read then, and the result is written in
/// s + 12. A result of the one to four cycles before is forwarded to a reduction
/// of the same row, so no row waits.
/// A row outside its scratchpad is reported two cycles behind its iteration's first phase; its writes are dropped.
module vector #(
  localparam int unsigned N = daedalus_machine_pkg::N
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
  output logic                        inp_read_valid_o,
  output logic [15:0]                 inp_read_row_o,
  input  logic [8*N-1:0]              inp_data_i,
  output logic                        acc_read_valid_o,
  output logic [15:0]                 acc_read_row_o,
  input  logic [32*N-1:0]             acc_data_i,
  output logic                        param_wide_valid_o,
  output logic                        param_narrow_valid_o,
  output logic [15:0]                 param_row_o,       // of 16 N bytes
  output logic [3:0]                  param_slice_o,     // the N bytes of it that an operand is
  input  logic [72*N-1:0]             param_wide_i,      // of requant: 9 bytes a lane
  input  logic [8*N-1:0]              param_narrow_i,
  output logic                        lut_read_valid_o,
  output logic [2:0]                  lut_table_o,
  output logic [8*N-1:0]              lut_index_o,
  input  logic [8*N-1:0]              lut_data_i,
  output logic                        acc_write_valid_o,
  output logic [15:0]                 acc_write_row_o,
  output logic [32*N-1:0]             acc_write_data_o,
  output logic                        inp_write_valid_o,
  output logic [15:0]                 inp_write_row_o,
  output logic                        out_write_valid_o,
  output logic [15:0]                 out_write_row_o,
  output logic [8*N-1:0]              byte_write_data_o  // for INP and OUT
);

  localparam int unsigned Latency = daedalus_machine_pkg::VectorLatency;
  localparam logic [3:0] Inp = daedalus_isa_pkg::ScopeInp;
  localparam logic [3:0] Acc = daedalus_isa_pkg::ScopeAcc;
  localparam logic [3:0] Out = daedalus_isa_pkg::ScopeOut;

  daedalus_isa_pkg::vector_t      head, work_q;
  daedalus_isa_pkg::vector_loop_t loop;
  logic [79:0]                    counts;
  logic [239:0]                   strides;

  assign head = head_i.word;
  always_comb begin
    for (int l = 0; l < 5; l++) begin
      loop = head.loops[l];
      counts[16*l+:16] = loop.count;
      strides[16*l+:16] = loop.dst_stride;
      strides[16*(5+l)+:16] = loop.a_stride;
      strides[16*(10+l)+:16] = loop.b_stride;
    end
  end

  // Issue.
  logic        working_q, iterating_q, starts, ends, first, run_last, last, operates, iterates;
  logic [5:0]  drain_q;
  logic [31:0] index_q;
  logic [3:0]  resting_class;
  logic [1:0]  phase_q;
  logic        last_in_row;
  logic signed [35:0] dst_row, a_row, b_row;

  issue u_issue (
    .head_valid_i, .wait_i(head.wait_), .tokens_i, .free_i(!working_q), .fault_i,
    .start_o(starts)
  );
  resting u_resting (.wait_i(head.wait_), .tokens_i, .waiting_o, .class_o(resting_class));
  loop_nest #(.Loops(5)) u_loop_nest (
    .clk_i, .begin_i(starts), .counts_i(counts), .strides_i(strides),
    .sums_i({36'(head.b), 36'(head.a), 36'(head.dst)}), .reduction_i(head.reduction),
    .next_i(iterates && last_in_row), .aside_i(1'b0), .hold_i(1'b0), .sums_o({b_row, a_row, dst_row}), .first_o(first),
    .run_last_o(run_last), .last_o(last)
  );

  assign start_o = starts;
  assign operates = work_q.opcode == daedalus_isa_pkg::OpcodeVector;
  assign iterates = iterating_q && operates;
  assign last_in_row = phase_q == reads_q.last_phase;
  assign ends = working_q && (operates ? !iterating_q && drain_q == 6'd1 : 1'b1);
  assign retire_o.valid = ends;
  assign retire_o.signal = work_q.signal;
  assign retire_o.index = index_q;
  assign active_o = working_q;
  assign class_o = working_q || starts ? daedalus_isa_pkg::CounterClassBusy : resting_class;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      working_q   <= 1'b0;
      iterating_q <= 1'b0;
      drain_q     <= '0;
      phase_q     <= '0;
    end else if (clear_i) begin
      working_q   <= 1'b0;
      iterating_q <= 1'b0;
      drain_q     <= '0;
      phase_q     <= '0;
    end else if (starts) begin
      working_q   <= 1'b1;
      iterating_q <= 1'b1;
      drain_q     <= 6'(Latency) + (head.op == daedalus_isa_pkg::VectorOpRequantLut ? 6'd2 : 6'd0);
      phase_q     <= '0;
    end else begin
      if (iterates) phase_q <= last_in_row ? '0 : phase_q + 2'd1;
      if (iterates && last_in_row && last) iterating_q <= 1'b0;
      if (working_q && !iterating_q) drain_q <= drain_q - 6'd1;
      if (ends) working_q <= 1'b0;
    end
  end

  daedalus_pkg::lane_control_t control, control_q;
  daedalus_pkg::vector_reads_t reads, reads_q;
  logic                        known;

  vector_control u_control (.work_i(head), .control_o(control), .reads_o(reads), .known_o(known));
  always_ff @(posedge clk_i) begin
    if (starts) begin
      work_q    <= head_i.word;
      control_q <= control;
      reads_q   <= reads;
      index_q   <= head_i.index;
    end
  end

  // The rows of the cycle before, and their range.
  localparam int unsigned Least = 11;
  localparam int unsigned More = Latency - Least;  // registers between the loops and the scratchpads

  logic       iterates_q, last_in_row_q, outside, first_phase_q;
  logic [1:0] phase_rows_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      iterates_q    <= 1'b0;
      first_phase_q <= 1'b0;
    end else if (clear_i) begin
      iterates_q    <= 1'b0;
      first_phase_q <= 1'b0;
    end else begin
      iterates_q    <= iterates;
      first_phase_q <= iterates_q && phase_rows_q == '0;
    end
  end
  always_ff @(posedge clk_i) begin
    phase_rows_q  <= phase_q;
    last_in_row_q <= last_in_row;
  end

  vector_range u_range (
    .clk_i, .work_i(work_q), .dst_row_i(dst_row), .a_row_i(a_row), .b_row_i(b_row), .outside_o(outside)
  );
  assign range_error_o.valid = first_phase_q && outside;
  assign range_error_o.cause = daedalus_isa_pkg::FaultScratchpadRange;
  assign range_error_o.index = index_q;

  // Reads.
  logic        looks_up_behind, read_a, read_b, is_inside, presents, row_done, overwrites;
  logic [1:0]  phase;
  logic [15:0] dst_read, a_read, b_read;
  logic [11:0] valid_q;                        // bit s: a row is s + 1 cycles behind its issue; 11: of requant_lut
  logic [7:0]  overwrite_q;
  logic [11:1] write_q;
  logic [15:0] row_q [12];
  logic [1:0]  part_q [2];
  logic        issues, captures_a_q, captures_b_q;

  delay #(.Stages(More), .Width(1 + 2 + 1 + 1 + 48)) u_more (
    .clk_i, .rst_ni, .clear_i, .valid_i(iterates_q),
    .data_i({!outside, phase_rows_q, last_in_row_q, first && !work_q.accumulate, b_row[15:0], a_row[15:0],
             dst_row[15:0]}),
    .valid_o(presents), .data_o({is_inside, phase, row_done, overwrites, b_read, a_read, dst_read})
  );

  assign looks_up_behind = control_q.looks_up_behind;
  assign issues = presents && (row_done || control_q.moves);

  vector_reads u_reads (
    .reads_i(reads_q), .iterates_i(presents), .phase_i(phase), .a_row_i(a_read), .b_row_i(b_read),
    .old_valid_i(valid_q[5] && !overwrite_q[5]), .old_row_i(row_q[5]),
    .read_a_o(read_a), .read_b_o(read_b), .inp_read_valid_o, .inp_read_row_o,
    .acc_read_valid_o, .acc_read_row_o, .param_wide_valid_o, .param_narrow_valid_o, .param_row_o
  );

  // The way of a row from its issue to its write.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q      <= '0;
      captures_a_q <= 1'b0;
      captures_b_q <= 1'b0;
    end else if (clear_i) begin
      valid_q      <= '0;
      captures_a_q <= 1'b0;
      captures_b_q <= 1'b0;
    end else begin
      valid_q      <= {valid_q[10] && looks_up_behind, valid_q[9:0], issues};
      captures_a_q <= read_a;
      captures_b_q <= read_b;
    end
  end

  always_ff @(posedge clk_i) begin
    if (working_q) begin
      overwrite_q <= {overwrite_q[6:0], overwrites};
      write_q     <= {write_q[10:1], is_inside};  // known one cycle behind the row
      row_q[0]    <= dst_read + (control_q.moves ? 16'(phase) : '0);
      for (int s = 1; s < 12; s++) row_q[s] <= row_q[s-1];
      part_q[0]   <= phase;
      part_q[1]   <= part_q[0];
    end
  end

  // Forwarding: rows of the same destination, one cycle ahead, and two, three and four.
  logic       follows;
  logic [1:0] forward, forward_q;
  assign follows = valid_q[8] && row_q[8] == row_q[7];
  always_comb begin
    forward = 2'd0;
    for (int d = 2; d >= 0; d--) begin
      if (valid_q[8+d] && row_q[8+d] == row_q[6]) forward = 2'(d + 1);
    end
  end
  always_ff @(posedge clk_i) forward_q <= forward;

  // The lanes.
  logic [8*N-1:0]  mov32_bytes;
  logic [32*N-1:0] a;
  assign param_slice_o = read_a && reads_q.a_param ? a_read[3:0] : b_read[3:0];

  for (genvar i = 0; i < N; i++) begin : gen_lane
    vector_lane u_lane (
      .clk_i, .enable_i(working_q || daedalus_pkg::LoadsInvalid), .capture_a_i(captures_a_q), .capture_b_i(captures_b_q),
      .inp_i(inp_data_i[8*i+:8]), .acc_i(acc_data_i[32*i+:32]), .param_byte_i(param_narrow_i[8*i+:8]),
      .param_i(param_wide_i[72*i+:70]), .immediate_i(work_q.immediate), .control_i(control_q), .half_up_i(work_q.rounding),
      .lo_i(work_q.lo), .hi_i(work_q.hi), .zero_point_i(work_q.zero_point), .moved_i(mov32_bytes[8*i+:8]),
      .lut_i(lut_data_i[8*i+:8]), .forward_i(forward_q), .overwrite_i(overwrite_q[7]), .follows_i(follows),
      .lut_index_o(lut_index_o[8*i+:8]), .a_o(a[32*i+:32]), .result_o(acc_write_data_o[32*i+:32])
    );
  end

  assign lut_read_valid_o = (valid_q[2] && control_q.looks_up) || (valid_q[9] && looks_up_behind);
  assign lut_table_o = work_q.table_;

  // mov32 writes the bytes of a as four rows.
  assign mov32_bytes = a[8*N*part_q[1]+:8*N];

  always_comb begin
    for (int i = 0; i < N; i++) byte_write_data_o[8*i+:8] = acc_write_data_o[32*i+:8];
  end

  logic        writes;
  logic [15:0] write_row;
  assign writes = looks_up_behind ? valid_q[11] && write_q[11] : valid_q[9] && write_q[9];
  assign write_row = looks_up_behind ? row_q[11] : row_q[9];
  assign acc_write_valid_o = writes && work_q.dst_scope == Acc;
  assign inp_write_valid_o = writes && work_q.dst_scope == Inp;
  assign out_write_valid_o = writes && work_q.dst_scope == Out;
  assign acc_write_row_o = write_row;
  assign inp_write_row_o = write_row;
  assign out_write_row_o = write_row;

  logic unused;
  assign unused = ^{head, work_q, loop, dst_row, a_row, b_row, known, param_wide_i, run_last};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(starts && head.opcode != daedalus_isa_pkg::OpcodeVector && head.opcode != daedalus_isa_pkg::OpcodeMark
        && head.opcode != daedalus_isa_pkg::OpcodeNop))
    else $error("VECTOR starts an instruction that it does not execute");
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(starts && head.opcode == daedalus_isa_pkg::OpcodeVector) || known)
    else $error("VECTOR has an operation that no lane implements");
`endif

endmodule
