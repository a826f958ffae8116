/// Start, stop and watchdog of a run. START is remembered until both channels are drained, which they are but
/// after a RESET in mid-program; then `start_o` marks cycle 0 (R1). The run stops in the first cycle in which
/// nothing moves and FINISH is in the head register with all queues empty (R8), or a fault is set (R23). A run
/// in which nothing moves for WatchdogCycles reports no_progress (R24). Where the memory is silent while START waits,
/// the program begins all the same, `stillborn_o`, and stops in cycle 1 (R30).
module control (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        start_i,           // a START was written
  input  logic                        reset_i,           // a RESET was written
  input  logic                        drained_i,         // no owed beat or response on the bus
  input  logic                        memory_timeout_i,  // what is owed does not come
  output logic                        stillborn_o,       // in cycle 0
  input  logic                        finish_in_head_i,
  input  logic                        queues_empty_i,
  input  logic [3:0]                  active_i,          // by module: works, generates, has a segment open
  input  logic                        outstanding_i,     // a read burst is
  input  logic                        fault_i,
  input  logic [3:0]                  waiting_i,         // by module: its head lacks a token
  input  logic [4*32-1:0]             head_index_i,      // by module
  output logic                        start_o,           // cycle 0
  output logic                        clear_o,           // cycle 0, and RESET
  output logic                        drop_o,            // of these, where the bus may still owe something
  output logic                        running_o,         // from cycle 1 to the stop
  output logic                        busy_o,            // from START to the stop
  output logic                        stop_o,            // this cycle is the stop
  output logic                        done_o,            // stopped with FINISH
  output logic                        ended_o,           // stopped
  output logic [63:0]                 cycle_o,           // of this cycle; of the stop after it
  output daedalus_pkg::fault_report_t no_progress_o,
  output logic [2:0]                  no_progress_module_o
);

  localparam int unsigned Patience = daedalus_machine_pkg::WatchdogCycles;

  logic        pending_q, running_q, ended_q, done_q;
  logic [63:0] cycle_q;
  logic [16:0] still_q;  // cycles before this one in which nothing moved
  logic        moves, begins;

  assign moves = |active_i || outstanding_i;
  assign begins = pending_q && drained_i && !reset_i;
  assign stillborn_o = pending_q && !drained_i && memory_timeout_i && !reset_i;
  assign start_o = begins || stillborn_o;
  assign clear_o = start_o || reset_i;
  assign drop_o = stillborn_o || reset_i;
  assign running_o = running_q;
  assign busy_o = running_q || pending_q;
  assign stop_o = running_q && !moves && (fault_i || (queues_empty_i && finish_in_head_i));
  assign done_o = done_q;
  assign ended_o = ended_q;
  assign cycle_o = start_o ? '0 : cycle_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      running_q <= 1'b0;
      ended_q   <= 1'b0;
      done_q    <= 1'b0;
      cycle_q   <= '0;
      still_q   <= '0;
    end else if (clear_o) begin
      pending_q <= reset_i && start_i;
      running_q <= start_o;
      ended_q   <= 1'b0;
      done_q    <= 1'b0;
      cycle_q   <= {63'd0, start_o};
      still_q   <= 17'd1;  // nothing moves in cycle 0
    end else begin
      if (start_i) begin
        pending_q <= 1'b1;
        ended_q   <= 1'b0;
        done_q    <= 1'b0;
        cycle_q   <= '0;
      end
      if (stop_o) begin
        running_q <= 1'b0;
        ended_q   <= 1'b1;
        done_q    <= !fault_i;
      end else if (running_q) begin
        cycle_q <= cycle_q + 64'd1;
        still_q <= moves || fault_i ? '0 : still_q + 17'd1;
      end
    end
  end

  // Of the heads that wait for a token, the first in program order (R22), two cycles behind: of LOAD and GEMM, of VECTOR
  // and STORE, then of both. Long before a report no head changes any more: nothing starts in the cycles that it counts,
  // and FETCH dispatches at most FetchBuffer instructions in them, fewer than WatchdogCycles - 31.
  logic [1:0]  waits_q;    // of the pair one does
  logic [1:0]  second_q;   // it is the second that is first
  logic [31:0] index0_q, index1_q, first_q;
  logic [2:0]  module_q;
  logic [1:0]  later;
  logic        second_pair;

  for (genvar p = 0; p < 2; p++) begin : gen_pair
    assign later[p] = waiting_i[2*p+1] && (!waiting_i[2*p] || head_index_i[64*p+32+:32] < head_index_i[64*p+:32]);
  end
  assign second_pair = waits_q[1] && (!waits_q[0] || index1_q < index0_q);

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < 2; p++) waits_q[p] <= |waiting_i[2*p+:2];
    second_q <= later;
    index0_q <= later[0] ? head_index_i[63:32] : head_index_i[31:0];
    index1_q <= later[1] ? head_index_i[127:96] : head_index_i[95:64];
    first_q  <= second_pair ? index1_q : index0_q;
    if (second_pair) module_q <= second_q[1] ? daedalus_isa_pkg::CounterModuleStore : daedalus_isa_pkg::CounterModuleVector;
    else module_q <= second_q[0] ? daedalus_isa_pkg::CounterModuleGemm : daedalus_isa_pkg::CounterModuleLoad;
  end

  assign no_progress_module_o = module_q;
  assign no_progress_o.valid = running_q && !moves && !fault_i && still_q == 17'(Patience - 1);
  assign no_progress_o.cause = daedalus_isa_pkg::FaultNoProgress;
  assign no_progress_o.index = first_q;

endmodule
