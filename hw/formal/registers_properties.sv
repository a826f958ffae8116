/// What the register port promises, proved for every host (prove.sh): AXI4-Lite as a master sees it, and that a
/// register changes by a whole write of its own offset alone. The host is free but for the rules of a master: what
/// it offers stays until it is taken. A number in two registers is read whole: it is zero while the core runs.
/// Counters of requests and responses know nothing of the inside.
module registers_properties (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        awvalid_i,
  input logic [11:0] awaddr_i,
  input logic        wvalid_i,
  input logic [31:0] wdata_i,
  input logic [3:0]  wstrb_i,
  input logic        bready_i,
  input logic        arvalid_i,
  input logic [11:0] araddr_i,
  input logic        rready_i,
  input logic        busy_i,
  input logic        ended_i,
  input logic        done_i,
  input logic        stop_i,
  input logic [3:0]  fault_cause_i,
  input logic [2:0]  fault_module_i,
  input logic [31:0] fault_index_i,
  input logic [63:0] cycle_i,
  input logic [39:0] counter_value_i
);

  logic             awready, wready, bvalid, arready, rvalid, start, reset, irq;
  logic [1:0]       bresp;
  logic [31:0]      rdata, program_length, program_limit;
  logic [63:0]      program_address;
  logic [2*96-1:0]  base;              // number 7, read twice
  logic [5:0]       counter;

  registers u_dut (
    .clk_i, .rst_ni, .awvalid_i, .awready_o(awready), .awaddr_i, .wvalid_i, .wready_o(wready), .wdata_i, .wstrb_i,
    .bvalid_o(bvalid), .bready_i, .bresp_o(bresp), .arvalid_i, .arready_o(arready), .araddr_i, .rvalid_o(rvalid),
    .rready_i, .rdata_o(rdata), .start_o(start), .reset_o(reset), .program_address_o(program_address),
    .program_length_o(program_length), .program_limit_o(program_limit), .base_i(8'h77), .base_o(base), .busy_i,
    .ended_i, .done_i, .stop_i, .fault_cause_i, .fault_module_i, .fault_index_i, .cycle_i, .counter_o(counter),
    .counter_value_i, .irq_o(irq)
  );

  // What the port holds, as prove.sh connects it: without it the proof would have to know the whole past.
  logic [11:0] inside_address_q;
  logic [31:0] inside_data_q;
  logic [3:0]  inside_strobes_q;

  // What was taken and not yet answered, and the last of it.
  logic        began_q = 1'b0;
  logic [1:0]  addresses_q, data_q, reads_q;
  logic [11:0] address_q;
  logic [31:0] value_q;
  logic [3:0]  strobes_q;

  // The cycle before.
  logic        live_q = 1'b0, b_stuck_q, r_stuck_q, aw_stuck_q, w_stuck_q, ar_stuck_q, complete_q, busy_q;
  logic [1:0]  bresp_q;
  logic [31:0] rdata_q, length_q, limit_q;
  logic [11:0] awaddr_q, araddr_q;
  logic        read_in_run_q, read_result_q;  // what is answered was read in a run, of its results
  logic [35:0] w_q;

  always @(posedge clk_i) begin
    began_q <= 1'b1;
    live_q <= rst_ni;
    if (!rst_ni) begin
      {addresses_q, data_q, reads_q} <= '0;
    end else begin
      addresses_q <= addresses_q + 2'(awvalid_i && awready) - 2'(bvalid && bready_i);
      data_q <= data_q + 2'(wvalid_i && wready) - 2'(bvalid && bready_i);
      reads_q <= reads_q + 2'(arvalid_i && arready) - 2'(rvalid && rready_i);
    end
    if (awvalid_i && awready) address_q <= awaddr_i;
    if (wvalid_i && wready) {value_q, strobes_q} <= {wdata_i, wstrb_i};
    b_stuck_q <= rst_ni && bvalid && !bready_i;
    r_stuck_q <= rst_ni && rvalid && !rready_i;
    aw_stuck_q <= rst_ni && awvalid_i && !awready;
    w_stuck_q <= rst_ni && wvalid_i && !wready;
    ar_stuck_q <= rst_ni && arvalid_i && !arready;
    complete_q <= rst_ni && !awready && !wready && (!bvalid || bready_i);  // a whole write is held, and may go on
    busy_q <= busy_i || start;
    {bresp_q, rdata_q, length_q, limit_q} <= {bresp, rdata, program_length, base[64+:32]};
    {awaddr_q, araddr_q, w_q} <= {awaddr_i, araddr_i, wdata_i, wstrb_i};
    if (arvalid_i && arready) begin
      read_in_run_q <= busy_i || start;
      read_result_q <= (araddr_i >= 12'(daedalus_isa_pkg::RegFaultCause)
                        && araddr_i < 12'(daedalus_isa_pkg::RegCyclesHi + 4))
          || araddr_i >= 12'(daedalus_isa_pkg::RegCounterLo);
    end
  end

  // A reset at first, and the rules of a master.
  always @(*) begin
    if (!began_q) assume (!rst_ni);
    if (aw_stuck_q && rst_ni) assume (awvalid_i && awaddr_i == awaddr_q);
    if (w_stuck_q && rst_ni) assume (wvalid_i && {wdata_i, wstrb_i} == w_q);
    if (ar_stuck_q && rst_ni) assume (arvalid_i && araddr_i == araddr_q);
  end

  always @(*) begin
    if (!rst_ni) begin
      assert (!bvalid && !rvalid && !start && !reset && !irq);  // A3.1.2
    end else if (live_q) begin
      // A3.3.1: no response without its request; at most two of each kind are open, one held and one answered.
      assert (addresses_q == 2'(!awready) + 2'(bvalid));
      assert (data_q == 2'(!wready) + 2'(bvalid));
      assert (reads_q == 2'(rvalid));
      // What is held is what was taken.
      if (!awready) assert (inside_address_q == address_q);
      if (!wready) assert (inside_data_q == value_q && inside_strobes_q == strobes_q);
      // A3.2.1: a response stays until it is taken.
      if (b_stuck_q) assert (bvalid && bresp == bresp_q);
      if (r_stuck_q) assert (rvalid && rdata == rdata_q);
      // No half of a number that still counts.
      if (rvalid && read_in_run_q && read_result_q) assert (rdata == '0);
      // A complete write is answered in the next cycle, and nothing else is.
      if (complete_q) assert (bvalid && awready && wready);
      if (!complete_q && !b_stuck_q) assert (!bvalid);
      if (complete_q) assert (bresp == (strobes_q == 4'h0 || strobes_q == 4'hf ? 2'b00 : 2'b10));
      // A register changes by a whole write of its own offset, and while nothing runs.
      if (program_length != length_q)
        assert (complete_q && strobes_q == 4'hf && address_q == 12'(daedalus_isa_pkg::RegProgramLength)
                && program_length == value_q && !busy_q);
      if (base[64+:32] != limit_q)
        assert (complete_q && strobes_q == 4'hf
                && address_q == 12'(daedalus_isa_pkg::RegLimit + 7 * daedalus_isa_pkg::RegLimitStep)
                && base[64+:32] == value_q && !busy_q);
      if (reset) assert (complete_q && strobes_q == 4'hf && address_q == 12'(daedalus_isa_pkg::RegControl) && value_q[1]);
      if (start) assert (complete_q && strobes_q == 4'hf && address_q == 12'(daedalus_isa_pkg::RegControl) && value_q[0]
                         && (reset || !busy_q));
    end
  end

endmodule
