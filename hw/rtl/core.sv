/// The accelerator behind its registers: FETCH, LOAD, GEMM, VECTOR and STORE with their queues, the token counters
/// between them, the scratchpads, the read channel, and control, faults and counters. Wiring alone.
/// docs/hardware.md has the block diagram; docs/timing.md the rules that the modules cite.
module core #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic             reset_i,
  input  logic [63:0]      program_address_i,
  input  logic [31:0]      program_length_i,
  input  logic [31:0]      program_limit_i,
  output logic [7:0]       base_o,            // which base registers are read, by LOAD and by STORE
  input  logic [2*96-1:0]  base_i,            // their limits and addresses
  output logic             busy_o,
  output logic             ended_o,
  output logic             done_o,
  output logic             stop_o,
  output logic [3:0]       fault_cause_o,
  output logic [2:0]       fault_module_o,
  output logic [31:0]      fault_index_o,
  output logic [63:0]      cycle_o,
  input  logic [5:0]       counter_i,
  output logic [39:0]      counter_value_o,
  // AXI4
  output logic             arvalid_o,
  input  logic             arready_i,
  output logic [63:0]      araddr_o,
  output logic [7:0]       arlen_o,
  input  logic             rvalid_i,
  output logic             rready_o,
  input  logic [8*W-1:0]   rdata_i,
  input  logic [1:0]       rresp_i,
  input  logic             rlast_i,
  output logic             awvalid_o,
  input  logic             awready_i,
  output logic [63:0]      awaddr_o,
  output logic [7:0]       awlen_o,
  output logic             wvalid_o,
  input  logic             wready_i,
  output logic [8*W-1:0]   wdata_o,
  output logic [W-1:0]     wstrb_o,
  output logic             wlast_o,
  input  logic             bvalid_i,
  output logic             bready_o,
  input  logic [1:0]       bresp_i
);

  localparam int unsigned LaneBits = $clog2(N);
  localparam int unsigned InpReads = daedalus_machine_pkg::InpInterleave;  // of GEMM in a cycle

  logic        clear, drop, start, running, fault_set, finish_in_head, head_valid, outstanding, reads_drained,
               writes_drained, writes_outstanding, owes_reads, owes_writes, read_handshake, write_handshake,
               read_timeout, write_timeout, give_up, stillborn;
  logic [31:0] fetch_head_index;
  logic [2:0]  no_progress_module;
  logic [3:0]  dispatch, queue_valid, queue_full, active, waiting, starts, retires;
  logic [3:0]  fetch_class, load_class, gemm_class, vector_class, store_class;
  logic [15:0] available, wait_masks, overflow_risk;
  daedalus_pkg::issued_t       dispatched, load_head, gemm_head, vector_head, store_head;
  daedalus_pkg::retire_t       load_retire, gemm_retire, vector_retire, store_retire;
  daedalus_pkg::fault_report_t illegal, missing_finish, no_progress, fetch_limit, fetch_error, load_range,
                               load_error,
                               gemm_range, vector_range, store_range, store_error;

  // FETCH and the read channel.
  logic                        fetch_read_valid, fetch_granted, fetch_beat;
  logic                        load_read_valid, load_granted, load_beat, beat_error;
  logic [8*W-1:0]              beat_data;
  daedalus_pkg::read_request_t fetch_read, load_read;

  fetch u_fetch (
    .clk_i, .rst_ni, .clear_i(clear), .running_i(running), .program_address_i, .program_length_i,
    .program_limit_i, .fault_i(fault_set), .read_valid_o(fetch_read_valid), .read_o(fetch_read),
    .read_granted_i(fetch_granted),
    .beat_valid_i(fetch_beat), .beat_error_i(beat_error), .beat_data_i(beat_data), .queue_full_i(queue_full),
    .dispatch_o(dispatch), .dispatched_o(dispatched), .head_valid_o(head_valid),
    .finish_in_head_o(finish_in_head), .head_index_o(fetch_head_index), .illegal_o(illegal),
    .missing_finish_o(missing_finish), .limit_error_o(fetch_limit), .class_o(fetch_class)
  );

  read_channel u_read_channel (
    .clk_i, .rst_ni, .clear_i(clear || give_up), .timeout_i(read_timeout && give_up),
    .fetch_valid_i(fetch_read_valid), .fetch_i(fetch_read),
    .fetch_granted_o(fetch_granted), .load_valid_i(load_read_valid), .load_i(load_read),
    .load_granted_o(load_granted), .arvalid_o, .arready_i, .araddr_o, .arlen_o, .rvalid_i, .rready_o, .rdata_i,
    .rresp_i, .rlast_i, .fetch_beat_o(fetch_beat), .load_beat_o(load_beat), .beat_error_o(beat_error),
    .beat_data_o(beat_data), .fetch_error_o(fetch_error), .load_error_o(load_error),
    .outstanding_o(outstanding), .drained_o(reads_drained)
  );

  // Queues.
  instruction_queue u_queue_load (
    .clk_i, .rst_ni, .clear_i(clear), .push_i(dispatch[0]), .pushed_i(dispatched), .pop_i(starts[0]),
    .head_valid_o(queue_valid[0]), .head_o(load_head), .full_o(queue_full[0])
  );
  instruction_queue u_queue_gemm (
    .clk_i, .rst_ni, .clear_i(clear), .push_i(dispatch[1]), .pushed_i(dispatched), .pop_i(starts[1]),
    .head_valid_o(queue_valid[1]), .head_o(gemm_head), .full_o(queue_full[1])
  );
  instruction_queue u_queue_vector (
    .clk_i, .rst_ni, .clear_i(clear), .push_i(dispatch[2]), .pushed_i(dispatched), .pop_i(starts[2]),
    .head_valid_o(queue_valid[2]), .head_o(vector_head), .full_o(queue_full[2])
  );
  instruction_queue u_queue_store (
    .clk_i, .rst_ni, .clear_i(clear), .push_i(dispatch[3]), .pushed_i(dispatched), .pop_i(starts[3]),
    .head_valid_o(queue_valid[3]), .head_o(store_head), .full_o(queue_full[3])
  );

  // Tokens.
  assign retires = {store_retire.valid, vector_retire.valid, gemm_retire.valid, load_retire.valid};
  assign wait_masks = {store_head.word[11:8], vector_head.word[11:8], gemm_head.word[11:8], load_head.word[11:8]};
  tokens u_tokens (
    .clk_i, .rst_ni, .clear_i(clear), .start_i(starts),
    .wait_i(wait_masks),
    .retire_i(retires),
    .signal_i({store_retire.signal, vector_retire.signal, gemm_retire.signal, load_retire.signal}),
    .available_o(available), .risk_o(overflow_risk)
  );

  // LOAD.
  logic           load_write_valid;
  logic [3:0]     load_write_scope;
  logic [19:0]    load_write_row;
  logic [N-1:0]   load_write_enable;
  logic [8*N-1:0] load_write_data;
  logic [31:0]    load_write_index;

  load u_load (
    .clk_i, .rst_ni, .clear_i(clear || give_up), .head_valid_i(queue_valid[0]), .head_i(load_head),
    .tokens_i(available[3:0]), .fault_i(fault_set), .base_o(base_o[3:0]), .base_i(base_i[95:0]), .start_o(starts[0]),
    .retire_o(load_retire), .active_o(active[0]), .waiting_o(waiting[0]), .class_o(load_class),
    .range_error_o(load_range), .read_valid_o(load_read_valid), .read_o(load_read),
    .read_granted_i(load_granted), .beat_valid_i(load_beat), .beat_data_i(beat_data),
    .write_valid_o(load_write_valid), .write_scope_o(load_write_scope), .write_row_o(load_write_row),
    .write_enable_o(load_write_enable), .write_data_o(load_write_data), .write_index_o(load_write_index)
  );

  // GEMM.
  logic             gemm_wgt_read_valid, gemm_acc_read_valid, gemm_acc_write_valid;
  logic [InpReads-1:0] gemm_inp_read_valid;
  logic [16*InpReads-1:0] gemm_inp_row;
  logic [15:0]      gemm_wgt_tile, gemm_acc_read_row, gemm_acc_write_row;
  logic [8*N*(InpReads+1)-1:0] inp_data;
  logic [8*N*N-1:0] wgt_data;
  logic [64*N-1:0]  acc_data;
  logic [32*N-1:0]  gemm_acc_write_data;

  gemm u_gemm (
    .clk_i, .rst_ni, .clear_i(clear), .head_valid_i(queue_valid[1]), .head_i(gemm_head),
    .tokens_i(available[7:4]), .fault_i(fault_set), .start_o(starts[1]), .retire_o(gemm_retire),
    .active_o(active[1]), .waiting_o(waiting[1]), .class_o(gemm_class), .range_error_o(gemm_range),
    .inp_read_valid_o(gemm_inp_read_valid), .inp_row_o(gemm_inp_row), .inp_data_i(inp_data[8*N*InpReads-1:0]),
    .wgt_read_valid_o(gemm_wgt_read_valid), .wgt_tile_o(gemm_wgt_tile), .wgt_data_i(wgt_data),
    .acc_read_valid_o(gemm_acc_read_valid), .acc_read_row_o(gemm_acc_read_row),
    .acc_data_i(acc_data[32*N-1:0]), .acc_write_valid_o(gemm_acc_write_valid),
    .acc_write_row_o(gemm_acc_write_row), .acc_write_data_o(gemm_acc_write_data)
  );

  // VECTOR.
  logic             vector_inp_read_valid, vector_acc_read_valid, vector_param_wide_valid,
                    vector_param_narrow_valid, vector_lut_read_valid,
                    vector_acc_write_valid, vector_inp_write_valid, vector_out_write_valid;
  logic [15:0]      vector_inp_read_row, vector_acc_read_row, vector_param_row, vector_acc_write_row,
                    vector_inp_write_row, vector_out_write_row;
  logic [2:0]       vector_lut_table;
  logic [8*N-1:0]   vector_lut_index, vector_byte_write_data, lut_data;
  logic [3:0]       vector_param_slice;
  logic [72*N-1:0]  param_wide;
  logic [8*N-1:0]   param_narrow;
  logic [32*N-1:0]  vector_acc_write_data;

  vector u_vector (
    .clk_i, .rst_ni, .clear_i(clear), .head_valid_i(queue_valid[2]), .head_i(vector_head),
    .tokens_i(available[11:8]), .fault_i(fault_set), .start_o(starts[2]), .retire_o(vector_retire),
    .active_o(active[2]), .waiting_o(waiting[2]), .class_o(vector_class), .range_error_o(vector_range),
    .inp_read_valid_o(vector_inp_read_valid), .inp_read_row_o(vector_inp_read_row),
    .inp_data_i(inp_data[8*N*InpReads+:8*N]), .acc_read_valid_o(vector_acc_read_valid),
    .acc_read_row_o(vector_acc_read_row), .acc_data_i(acc_data[64*N-1:32*N]),
    .param_wide_valid_o(vector_param_wide_valid), .param_narrow_valid_o(vector_param_narrow_valid),
    .param_row_o(vector_param_row), .param_slice_o(vector_param_slice), .param_wide_i(param_wide),
    .param_narrow_i(param_narrow),
    .lut_read_valid_o(vector_lut_read_valid), .lut_table_o(vector_lut_table), .lut_index_o(vector_lut_index),
    .lut_data_i(lut_data), .acc_write_valid_o(vector_acc_write_valid), .acc_write_row_o(vector_acc_write_row),
    .acc_write_data_o(vector_acc_write_data), .inp_write_valid_o(vector_inp_write_valid),
    .inp_write_row_o(vector_inp_write_row), .out_write_valid_o(vector_out_write_valid),
    .out_write_row_o(vector_out_write_row), .byte_write_data_o(vector_byte_write_data)
  );

  // STORE.
  logic           store_out_read_valid;
  logic [15:0]    store_out_row;
  logic [8*N-1:0] out_data;
  logic [31:0]    store_write_index;

  store u_store (
    .clk_i, .rst_ni, .clear_i(clear || give_up), .drop_i(drop || give_up), .timeout_i(write_timeout && give_up),
    .head_valid_i(queue_valid[3]), .head_i(store_head),
    .tokens_i(available[15:12]), .fault_i(fault_set), .base_o(base_o[7:4]), .base_i(base_i[191:96]), .start_o(starts[3]),
    .retire_o(store_retire), .active_o(active[3]), .waiting_o(waiting[3]), .class_o(store_class),
    .range_error_o(store_range), .bus_error_o(store_error), .drained_o(writes_drained),
    .outstanding_o(writes_outstanding), .out_read_valid_o(store_out_read_valid), .out_row_o(store_out_row),
    .out_data_i(out_data), .awvalid_o,
    .awready_i, .awaddr_o, .awlen_o, .wvalid_o, .wready_i, .wdata_o, .wstrb_o, .wlast_o, .bvalid_i, .bready_o,
    .bresp_i, .write_index_o(store_write_index)
  );

  // Scratchpads.
  logic load_writes_inp, load_writes_wgt, load_writes_param, load_writes_lut;
  assign load_writes_inp = load_write_valid && load_write_scope == daedalus_isa_pkg::ScopeInp;
  assign load_writes_wgt = load_write_valid && load_write_scope == daedalus_isa_pkg::ScopeWgt;
  assign load_writes_param = load_write_valid && load_write_scope == daedalus_isa_pkg::ScopeParam;
  assign load_writes_lut = load_write_valid && load_write_scope == daedalus_isa_pkg::ScopeLut;

  scratchpad #(
    .Rows(daedalus_machine_pkg::InpBytes / N), .RowBytes(N), .Banks(daedalus_machine_pkg::InpBanks),
    .Interleave(InpReads), .OwnReadPorts(1'b1), .Enables(1'b1)
  ) u_inp (
    .clk_i, .rst_ni, .write_valid_i({vector_inp_write_valid, load_writes_inp}),
    .write_row_i({vector_inp_write_row, load_write_row[15:0]}), .write_enable_i(load_write_enable),
    .write_data_i({vector_byte_write_data, load_write_data}),
    .read_valid_i({vector_inp_read_valid, gemm_inp_read_valid}),
    .read_row_i({vector_inp_read_row, gemm_inp_row}), .read_data_o(inp_data)
  );

  scratchpad #(
    .Rows(daedalus_machine_pkg::AccBytes / (4 * N)), .RowBytes(4 * N), .Banks(daedalus_machine_pkg::AccBanks),
    .Reader0Writes(1'b1)
  ) u_acc (
    .clk_i, .rst_ni, .write_valid_i({vector_acc_write_valid, gemm_acc_write_valid}),
    .write_row_i({vector_acc_write_row, gemm_acc_write_row}), .write_enable_i('1),
    .write_data_i({vector_acc_write_data, gemm_acc_write_data}),
    .read_valid_i({vector_acc_read_valid, gemm_acc_read_valid}),
    .read_row_i({vector_acc_read_row, gemm_acc_read_row}), .read_data_o(acc_data)
  );

  localparam int unsigned WgtTiles = daedalus_machine_pkg::WgtBytes / (N * N);
  localparam int unsigned WgtBits = WgtTiles == 1 ? 1 : $clog2(WgtTiles);
  weight_memory u_wgt (
    .clk_i, .write_valid_i(load_writes_wgt), .write_tile_i(WgtBits'(load_write_row >> LaneBits)),
    .write_lane_i(load_write_row[LaneBits-1:0]), .write_enable_i(load_write_enable),
    .write_data_i(load_write_data), .read_valid_i(gemm_wgt_read_valid),
    .read_tile_i(gemm_wgt_tile), .read_data_o(wgt_data)
  );

  localparam int unsigned ParamRows = daedalus_machine_pkg::ParamBytes / (16 * N);
  localparam int unsigned ParamBits = ParamRows == 1 ? 1 : $clog2(ParamRows);
  parameter_memory u_param (
    .clk_i, .write_valid_i(load_writes_param), .write_row_i(load_write_row[4+:ParamBits]),
    .write_slice_i(load_write_row[3:0]), .write_enable_i(load_write_enable), .write_data_i(load_write_data),
    .read_wide_i(vector_param_wide_valid), .read_narrow_i(vector_param_narrow_valid),
    .read_row_i(vector_param_row),
    .read_slice_i(vector_param_slice), .wide_o(param_wide), .narrow_o(param_narrow)
  );

  localparam int unsigned LutBits = $clog2(daedalus_machine_pkg::LutBytes / N);
  lookup_memory u_lut (
    .clk_i, .write_valid_i(load_writes_lut), .write_row_i(LutBits'(load_write_row)),
    .write_enable_i(load_write_enable), .write_data_i(load_write_data), .read_valid_i(vector_lut_read_valid),
    .table_i(vector_lut_table), .index_i(vector_lut_index), .data_o(lut_data)
  );

  localparam int unsigned OutRows = daedalus_machine_pkg::OutBytes / N;
  localparam int unsigned OutBits = OutRows == 1 ? 1 : $clog2(OutRows);
  ram_1r1w #(.Rows(OutRows), .Bytes(N)) u_out (
    .clk_i, .write_valid_i(vector_out_write_valid), .write_row_i(vector_out_write_row[OutBits-1:0]),
    .write_enable_i('1), .write_data_i(vector_byte_write_data), .read_valid_i(store_out_read_valid),
    .read_row_i(store_out_row[OutBits-1:0]), .read_data_o(out_data)
  );

  // Control, faults, counters.
  // While START waits, what older programs are owed counts (R30).
  assign owes_reads = running ? outstanding : busy_o && !reads_drained;
  assign owes_writes = running ? writes_outstanding : busy_o && !writes_drained;
  assign read_handshake = (arvalid_o && arready_i) || (rvalid_i && rready_o);
  assign write_handshake = (awvalid_o && awready_i) || (wvalid_o && wready_i) || (bvalid_i && bready_o);
  memory_watch u_memory_watch (
    .clk_i, .rst_ni, .owes_reads_i(owes_reads), .read_handshake_i(read_handshake), .owes_writes_i(owes_writes),
    .write_handshake_i(write_handshake), .read_timeout_o(read_timeout), .write_timeout_o(write_timeout)
  );
  assign give_up = running && (read_timeout || write_timeout);

  control u_control (
    .clk_i, .rst_ni, .start_i, .reset_i, .drained_i(reads_drained && writes_drained),
    .memory_timeout_i(read_timeout || write_timeout), .stillborn_o(stillborn),
    .finish_in_head_i(finish_in_head), .queues_empty_i(queue_valid == '0), .active_i(active),
    .outstanding_i(outstanding), .fault_i(fault_set), .waiting_i(waiting),
    .head_index_i({store_head.index, vector_head.index, gemm_head.index, load_head.index}), .start_o(start),
    .clear_o(clear), .drop_o(drop), .running_o(running), .busy_o, .stop_o, .done_o, .ended_o, .cycle_o,
    .no_progress_o(no_progress), .no_progress_module_o(no_progress_module)
  );

  faults u_faults (
    .clk_i, .rst_ni, .clear_i(clear), .stillborn_i(stillborn), .illegal_i(illegal),
    .missing_finish_i(missing_finish), .no_progress_i(no_progress), .no_progress_module_i(no_progress_module),
    .fetch_limit_i(fetch_limit), .fetch_error_i(fetch_error), .load_range_i(load_range), .load_error_i(load_error),
    .gemm_range_i(gemm_range),
    .vector_range_i(vector_range), .store_range_i(store_range), .store_error_i(store_error),
    .overflow_risk_i(overflow_risk), .start_i(starts), .wait_i(wait_masks), .load_retire_i(load_retire), .gemm_retire_i(gemm_retire),
    .vector_retire_i(vector_retire), .store_retire_i(store_retire), .set_o(fault_set), .cause_o(fault_cause_o),
    .module_o(fault_module_o), .index_o(fault_index_o)
  );

  counters u_counters (
    .clk_i, .rst_ni, .first_i(start), .clear_i(clear), .count_i(running && !stop_o),
    .class_i({store_class, vector_class, gemm_class, load_class, fetch_class}), .select_i(counter_i),
    .value_o(counter_value_o)
  );

  logic unused;
  assign unused = ^{head_valid, fetch_head_index, load_write_row, load_write_index, store_write_index,
                    vector_out_write_row, store_out_row};

endmodule
