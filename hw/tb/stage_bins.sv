/// What the programs of a run have met, for tests/coverage/report.py: for each stage of the accelerator and each form of
/// what stands there, whether it moved on and whether it stalled, with a RESET in that cycle and without. A bin is a bit
/// of a register that ends in `_q`, and was met where the bit has changed; its name says stage, what happened, and form.
/// It is compiled into models that count (DAEDALUS_RTL_COVERAGE).
module stage_bins
  import stage_forms_pkg::*;
(
  input logic clk_i,
  input logic rst_ni
);

  // A stage: what stands there moves on or stalls.
  `define STAGE(name, form_t, form, stands, moves_on) \
    struct packed { form_t moves, stalls, moves_in_reset, stalls_in_reset; } name``_q = '0; \
    always_ff @(posedge clk_i) begin \
      name``_q.moves           <= running && (stands) && (moves_on) ? form : '0; \
      name``_q.stalls          <= running && (stands) && !(moves_on) ? form : '0; \
      name``_q.moves_in_reset  <= resets && (stands) && (moves_on) ? form : '0; \
      name``_q.stalls_in_reset <= resets && (stands) && !(moves_on) ? form : '0; \
    end

  // A stage that never stalls.
  `define FLOW(name, form_t, form, stands) \
    struct packed { form_t moves, moves_in_reset; } name``_q = '0; \
    always_ff @(posedge clk_i) begin \
      name``_q.moves          <= running && (stands) ? form : '0; \
      name``_q.moves_in_reset <= resets && (stands) ? form : '0; \
    end

  // The head of a module's queue, and what it waits for: the tokens that are missing, its module, the end of a program with
  // a fault.
  `define HEAD(name, form_t, form, unit) \
    `STAGE(name``_head, form_t, form, unit.head_valid_i, unit.start_o) \
    struct packed { wait_t waits, waits_in_reset; } name``_head_waits_q = '0; \
    wait_t name``_head_lacks; \
    assign name``_head_lacks = unit.head_valid_i ? {unit.u_resting.missing, !unit.u_issue.free_i, fault} : '0; \
    always_ff @(posedge clk_i) begin \
      name``_head_waits_q.waits          <= running ? name``_head_lacks : '0; \
      name``_head_waits_q.waits_in_reset <= resets ? name``_head_lacks : '0; \
    end

  `define FETCH daedalus_tb.dut.u_core.u_fetch
  `define READ daedalus_tb.dut.u_core.u_read_channel
  `define LOAD daedalus_tb.dut.u_core.u_load
  `define GEMM daedalus_tb.dut.u_core.u_gemm
  `define VECTOR daedalus_tb.dut.u_core.u_vector
  `define STORE daedalus_tb.dut.u_core.u_store

  logic begun_q = 1'b0;  // rst_ni was low: before, registers have any value
  logic running, resets, fault;
  always_ff @(posedge clk_i) if (!rst_ni) begun_q <= 1'b1;
  assign running = begun_q && rst_ni && !daedalus_tb.dut.u_core.reset_i;
  assign resets = begun_q && rst_ni && daedalus_tb.dut.u_core.reset_i;
  assign fault = daedalus_tb.dut.u_core.fault_set;

  // FETCH, and the read side of the bus.
  word_t in_word, in_head;
  assign in_word = word_of(`FETCH.word_q[7:0]);
  assign in_head = word_of(`FETCH.head_legal_q ? `FETCH.head_q[7:0] : 8'hff);
  `STAGE(fetch_asks, one_t, 1'b1, `FETCH.read_valid_o, `FETCH.read_granted_i)
  `STAGE(fetch_word, word_t, in_word, `FETCH.word_valid_q, `FETCH.loads)
  `STAGE(fetch_head, word_t, in_head, `FETCH.head_valid_q, `FETCH.dispatches)
  `STAGE(read_address, burst_t, burst_of(`READ.arlen_o), `READ.arvalid_o, `READ.arready_i)
  `FLOW(fetch_beat, answer_t, answer_of(`READ.beat_error_o), `READ.fetch_beat_o)
  `FLOW(load_beat, answer_t, answer_of(`READ.beat_error_o), `READ.load_beat_o)
  `FLOW(swallowed_beat, answer_t, answer_of(`READ.beat_error_o), `READ.beat && `READ.swallow)

  // LOAD: the head, the loops' flags and sums, the run that is cut, what is shown, what the writer has.
  load_t in_loops;
  assign in_loops = load_of(`LOAD.u_segments.load_q);
  `HEAD(load, load_t, load_of(`LOAD.head_i.word), `LOAD)
  `STAGE(load_flags, load_t, in_loops, `LOAD.u_segments.with_flags_q, `LOAD.u_segments.flags_move)
  `STAGE(load_sums, load_t, in_loops, `LOAD.u_segments.with_sums_q, `LOAD.u_segments.sums_move)
  `STAGE(load_cut, load_t, in_loops, `LOAD.u_segments.with_cutter_q, `LOAD.u_segments.cuts)
  `STAGE(load_shown, load_segment_t, load_segment_of(`LOAD.shown), `LOAD.is_shown, `LOAD.leaves)
  `STAGE(load_written, load_segment_t, load_segment_of(`LOAD.u_writer.front), `LOAD.u_writer.holds_q, `LOAD.u_writer.decides)
  `FLOW(load_writes, load_segment_t, load_segment_of(`LOAD.written), `LOAD.works)

  // GEMM: an iteration moves on with its last column; behind the loops nothing stalls.
  gemm_t in_gemm;
  always_ff @(posedge clk_i) if (`GEMM.starts) in_gemm <= gemm_of(`GEMM.fields);
  `HEAD(gemm, gemm_t, gemm_of(`GEMM.fields), `GEMM)
  `STAGE(gemm_iterates, gemm_t, in_gemm, `GEMM.working_q && `GEMM.iterating_q, `GEMM.result)
  `FLOW(gemm_drains, gemm_t, in_gemm, `GEMM.working_q && !`GEMM.iterating_q)
  `FLOW(gemm_reads, gemm_t, in_gemm, `GEMM.presents)
  `FLOW(gemm_sums, gemm_t, in_gemm, `GEMM.valid_q[3])
  `FLOW(gemm_writes, gemm_t, in_gemm, `GEMM.writes)
  `FLOW(gemm_forwards, gemm_t, in_gemm, `GEMM.valid_q[4] && `GEMM.forward_q != '0)

  // VECTOR: an iteration moves on with its last phase; behind the loops nothing stalls.
  vector_t in_vector;
  assign in_vector = vector_of(`VECTOR.work_q);
  `HEAD(vector, vector_t, vector_of(`VECTOR.head), `VECTOR)
  `STAGE(vector_iterates, vector_t, in_vector, `VECTOR.working_q && `VECTOR.iterating_q, `VECTOR.last_in_row)
  `FLOW(vector_drains, vector_t, in_vector, `VECTOR.working_q && !`VECTOR.iterating_q)
  `FLOW(vector_reads, vector_t, in_vector, `VECTOR.presents)
  `FLOW(vector_writes, vector_t, in_vector, `VECTOR.writes)
  `FLOW(vector_forwards, vector_t, in_vector, `VECTOR.valid_q[7] && `VECTOR.forward_q != '0 && !`VECTOR.overwrite_q[7])

  // STORE: the head, the loops' flags and sums, where a run is cut, what is shown, and the write side of the bus.
  store_t in_store;
  assign in_store = store_of(`STORE.u_segments.store_q);
  `HEAD(store, store_t, store_of(`STORE.head_i.word), `STORE)
  `STAGE(store_flags, store_t, in_store, `STORE.u_segments.with_flags_q, `STORE.u_segments.flags_move)
  `STAGE(store_sums, store_t, in_store, `STORE.u_segments.with_sums_q, `STORE.u_segments.cuts)
  `STAGE(store_shown, store_segment_t, store_segment_of(`STORE.shown), `STORE.is_shown, `STORE.leaves)
  `STAGE(write_address, burst_t, burst_of(`STORE.awlen_o), `STORE.awvalid_o, `STORE.awready_i)
  `STAGE(store_reads, store_segment_t, store_segment_of(`STORE.read.segment), `STORE.read_valid, `STORE.u_reader.reads)
  `STAGE(write_beat, beat_t, beat_of(`STORE.wlast_o, `STORE.wstrb_o == '0, `STORE.wstrb_o == '1), `STORE.wvalid_o, `STORE.wready_i)
  `FLOW(write_answer, answer_t, answer_of(`STORE.bresp_i[1]), `STORE.response)
  `FLOW(swallowed_answer, answer_t, answer_of(`STORE.bresp_i[1]), `STORE.bvalid_i && `STORE.u_write_channel.flush_q)

endmodule
