/// The fault register (R21): keeps the first reported fault; of several in one cycle the first in the order of
/// the ports. Reported in t, set from t + 1. Which one it was is chosen in t + 1, from registers, and shown from t + 2 on,
/// the first cycle in which a host may read it. Whether a counter overflows is known late in t, and so goes to a register of
/// its own first. A program that is `stillborn_i` begins with memory_timeout.
module faults (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        stillborn_i,           // a program starts, and the memory is silent
  input  daedalus_pkg::fault_report_t illegal_i,
  input  daedalus_pkg::fault_report_t missing_finish_i,
  input  daedalus_pkg::fault_report_t no_progress_i,
  input  logic [2:0]                  no_progress_module_i,  // counter_module_e
  input  daedalus_pkg::fault_report_t fetch_limit_i,
  input  daedalus_pkg::fault_report_t fetch_error_i,
  input  daedalus_pkg::fault_report_t load_range_i,
  input  daedalus_pkg::fault_report_t load_error_i,
  input  daedalus_pkg::fault_report_t gemm_range_i,
  input  daedalus_pkg::fault_report_t vector_range_i,
  input  daedalus_pkg::fault_report_t store_range_i,
  input  daedalus_pkg::fault_report_t store_error_i,
  input  logic [15:0]                 overflow_risk_i,       // bit 4 p + c: a counter overflows if c takes no token from p
  input  logic [3:0]                  start_i,               // bit c: module c takes tokens
  input  logic [15:0]                 wait_i,                // bits 4 c +: 4: its wait mask
  input  daedalus_pkg::retire_t       load_retire_i,
  input  daedalus_pkg::retire_t       gemm_retire_i,
  input  daedalus_pkg::retire_t       vector_retire_i,
  input  daedalus_pkg::retire_t       store_retire_i,
  output logic                        set_o,
  output logic [3:0]                  cause_o,               // fault_e
  output logic [2:0]                  module_o,              // counter_module_e
  output logic [31:0]                 index_o
);

  localparam logic [2:0] Fetch = daedalus_isa_pkg::CounterModuleFetch;
  localparam logic [2:0] Load = daedalus_isa_pkg::CounterModuleLoad;
  localparam logic [2:0] Gemm = daedalus_isa_pkg::CounterModuleGemm;
  localparam logic [2:0] Vector = daedalus_isa_pkg::CounterModuleVector;
  localparam logic [2:0] Store = daedalus_isa_pkg::CounterModuleStore;
  localparam logic [3:0] Overflow = daedalus_isa_pkg::FaultCounterOverflow;

  logic        any;       // but for overflows
  logic [3:0]  overflow;  // by producer
  logic        overflows; // of one of them
  logic [3:0]  resting, starting;  // bit c: a counter of c overflows if c takes no tokens, and if it does
  logic [3:0]  cause;
  logic [2:0]  from;
  logic [31:0] index;
  logic        set_q;
  logic        any_q;     // the cycle before had reports
  logic        before_q;  // and a fault was set in it
  logic [3:0]  cause_q;
  logic [2:0]  module_q;
  logic [31:0] index_q;

  assign any = illegal_i.valid || missing_finish_i.valid || no_progress_i.valid || fetch_limit_i.valid
      || fetch_error_i.valid || load_range_i.valid || load_error_i.valid || gemm_range_i.valid || vector_range_i.valid
      || store_range_i.valid || store_error_i.valid;

  always_comb begin
    overflow = '0;
    if (overflow_risk_i != '0) begin
      for (int p = 0; p < 4; p++) begin
        for (int c = 0; c < 4; c++) begin
          if (overflow_risk_i[4*p+c] && !(start_i[c] && wait_i[4*c+p])) overflow[p] = 1'b1;
        end
      end
    end
    // Whether any does: for each module by whether it starts, which is known late.
    resting = '0;
    starting = '0;
    for (int p = 0; p < 4; p++) begin
      for (int c = 0; c < 4; c++) begin
        resting[c] = resting[c] | overflow_risk_i[4*p+c];
        starting[c] = starting[c] | (overflow_risk_i[4*p+c] & ~wait_i[4*c+p]);
      end
    end
    overflows = |((start_i & starting) | (~start_i & resting));
  end

  // The reports of the cycle before.
  daedalus_pkg::fault_report_t illegal_q, missing_finish_q, no_progress_q, fetch_limit_q, fetch_error_q, load_range_q,
                               load_error_q, gemm_range_q, vector_range_q, store_range_q, store_error_q;
  logic [2:0]  no_progress_module_q;
  logic [3:0]  overflow_q;
  logic        overflowed_q;  // one of them is set
  logic [31:0] load_index_q, gemm_index_q, vector_index_q, store_index_q;
  // Of store_error: by itself, for yosys makes it the output register of the memory that it comes from.
  logic        store_error_valid_q;
  logic [3:0]  store_error_cause_q;
  logic [31:0] store_error_index_q;

  assign store_error_q = {store_error_valid_q, store_error_cause_q, store_error_index_q};

  always_ff @(posedge clk_i) begin
    illegal_q            <= illegal_i;
    missing_finish_q     <= missing_finish_i;
    no_progress_q        <= no_progress_i;
    no_progress_module_q <= no_progress_module_i;
    fetch_limit_q        <= fetch_limit_i;
    fetch_error_q        <= fetch_error_i;
    load_range_q         <= load_range_i;
    load_error_q         <= load_error_i;
    gemm_range_q         <= gemm_range_i;
    vector_range_q       <= vector_range_i;
    store_range_q        <= store_range_i;
    store_error_valid_q  <= store_error_i.valid;
    store_error_cause_q  <= store_error_i.cause;
    store_error_index_q  <= store_error_i.index;
    load_index_q         <= load_retire_i.index;
    gemm_index_q         <= gemm_retire_i.index;
    vector_index_q       <= vector_retire_i.index;
    store_index_q        <= store_retire_i.index;
  end

  // The last assignment wins, so the order of R21 stands upside down.
  always_comb begin
    cause = Overflow;
    from  = Store;
    index = store_index_q;
    if (store_error_q.valid) begin cause = store_error_q.cause; index = store_error_q.index; end
    if (store_range_q.valid) begin cause = store_range_q.cause; index = store_range_q.index; end
    if (overflow_q[2]) begin cause = Overflow; from = Vector; index = vector_index_q; end
    if (vector_range_q.valid) begin cause = vector_range_q.cause; from = Vector; index = vector_range_q.index; end
    if (overflow_q[1]) begin cause = Overflow; from = Gemm; index = gemm_index_q; end
    if (gemm_range_q.valid) begin cause = gemm_range_q.cause; from = Gemm; index = gemm_range_q.index; end
    if (overflow_q[0]) begin cause = Overflow; from = Load; index = load_index_q; end
    if (load_error_q.valid) begin cause = load_error_q.cause; from = Load; index = load_error_q.index; end
    if (load_range_q.valid) begin cause = load_range_q.cause; from = Load; index = load_range_q.index; end
    if (fetch_error_q.valid) begin cause = fetch_error_q.cause; from = Fetch; index = fetch_error_q.index; end
    if (fetch_limit_q.valid) begin cause = fetch_limit_q.cause; from = Fetch; index = fetch_limit_q.index; end
    if (no_progress_q.valid) begin
      cause = no_progress_q.cause;
      from  = no_progress_module_q;
      index = no_progress_q.index;
    end
    if (missing_finish_q.valid) begin
      cause = missing_finish_q.cause;
      from  = Fetch;
      index = missing_finish_q.index;
    end
    if (illegal_q.valid) begin cause = illegal_q.cause; from = Fetch; index = illegal_q.index; end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_q        <= 1'b0;
      any_q        <= 1'b0;
      before_q     <= 1'b0;
      overflow_q   <= '0;
      overflowed_q <= 1'b0;
      cause_q      <= '0;
      module_q     <= '0;
      index_q      <= '0;
    end else if (clear_i) begin
      set_q        <= stillborn_i;
      any_q        <= 1'b0;
      before_q     <= 1'b0;
      overflow_q   <= '0;
      overflowed_q <= 1'b0;
      cause_q      <= stillborn_i ? daedalus_isa_pkg::FaultMemoryTimeout : daedalus_isa_pkg::FaultNone;
      module_q     <= '0;
      index_q      <= '0;
    end else begin
      set_q        <= set_o || any;
      any_q        <= any;
      before_q     <= set_o;
      overflow_q   <= overflow;
      overflowed_q <= overflows;
      if ((any_q || overflowed_q) && !before_q) begin
        cause_q  <= cause;
        module_q <= from;
        index_q  <= index;
      end
    end
  end

  assign set_o = set_q || overflowed_q;
  assign cause_o = cause_q;
  assign module_o = module_q;
  assign index_o = index_q;

  logic unused;
  assign unused = ^{load_retire_i, gemm_retire_i, vector_retire_i, store_retire_i, overflow_q};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni) overflows == (overflow != '0))
    else $error("a counter overflows for its producer alone, or for its consumer alone");
`endif

endmodule
