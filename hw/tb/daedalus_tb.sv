/// The top that is Verilated: the accelerator with its buses, and what the simulator observes of the core by
/// hierarchical reference, so that the RTL itself carries nothing for it. Observations are of the present cycle;
/// those of writes are zero unless `observe_i`.
module daedalus_tb #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic            clk_i,
  input  logic            rst_ni,
`ifdef DAEDALUS_BUGS
  input  logic [15:0]     bug_i,             // which planted bug is on (tests/faulty_hardware)
`endif
  // AXI4-Lite slave
  input  logic            awvalid_i,
  output logic            awready_o,
  input  logic [11:0]     awaddr_i,
  input  logic            wvalid_i,
  output logic            wready_o,
  input  logic [31:0]     wdata_i,
  input  logic [3:0]      wstrb_i,
  output logic            bvalid_o,
  input  logic            bready_i,
  output logic [1:0]      bresp_o,
  input  logic            arvalid_i,
  output logic            arready_o,
  input  logic [11:0]     araddr_i,
  output logic            rvalid_o,
  input  logic            rready_i,
  output logic [31:0]     rdata_o,
  output logic [1:0]      rresp_o,
  output logic            irq_o,
  // AXI4 memory
  output logic            m_arvalid_o,
  input  logic            m_arready_i,
  output logic [63:0]     m_araddr_o,
  output logic [7:0]      m_arlen_o,
  output logic [2:0]      m_arsize_o,
  output logic [1:0]      m_arburst_o,
  input  logic            m_rvalid_i,
  output logic            m_rready_o,
  input  logic [8*W-1:0]  m_rdata_i,
  input  logic [1:0]      m_rresp_i,
  input  logic            m_rlast_i,
  output logic            m_awvalid_o,
  input  logic            m_awready_i,
  output logic [63:0]     m_awaddr_o,
  output logic [7:0]      m_awlen_o,
  output logic [2:0]      m_awsize_o,
  output logic [1:0]      m_awburst_o,
  output logic            m_wvalid_o,
  input  logic            m_wready_i,
  output logic [8*W-1:0]  m_wdata_o,
  output logic [W-1:0]    m_wstrb_o,
  output logic            m_wlast_o,
  input  logic            m_bvalid_i,
  output logic            m_bready_o,
  input  logic [1:0]      m_bresp_i,
  // observation
  input  logic            observe_i,
  output logic [63:0]     cycle_o,
  output logic            counting_o,        // cycle 0 up to and including the stop
  output logic            register_write_o,  // a register is written or read in this cycle
  output logic            register_read_o,
  output logic            stop_o,
  output logic            finish_in_head_o,
  output logic [31:0]     fetch_index_o,
  output logic [19:0]     classes_o,         // bits 4 m +: 4: class of module m (R25), behind cycle 0
  output logic [31:0]     load_work_o,       // instruction that LOAD works on, or waits for data of
  output logic [3:0]      start_o,           // bit m: module m starts the head of its queue
  output logic [127:0]    head_index_o,
  output logic [3:0]      retire_o,
  output logic [127:0]    retire_index_o,
  output logic [15:0]     missing_o,         // bits 4 m +: 4: modules whose token m's head lacks
  output logic [3:0]      blocked_o,         // queue that the head of FETCH finds full
  output logic            load_write_o,
  output logic [3:0]      load_scope_o,
  output logic [19:0]     load_row_o,
  output logic [N-1:0]    load_enable_o,
  output logic [8*N-1:0]  load_data_o,
  output logic [31:0]     load_index_o,
  output logic            gemm_write_o,
  output logic [15:0]     gemm_row_o,
  output logic [32*N-1:0] gemm_data_o,
  output logic [2:0]      vector_write_o,    // ACC, INP, OUT
  output logic [15:0]     vector_row_o,
  output logic [32*N-1:0] vector_data_o,
  output logic [8*N-1:0]  vector_bytes_o,
  output logic [31:0]     store_index_o      // of the beat on W
);

  daedalus dut (
    .clk_i, .rst_ni, .irq_o, .s_axil_awvalid_i(awvalid_i), .s_axil_awready_o(awready_o),
    .s_axil_awaddr_i(awaddr_i), .s_axil_wvalid_i(wvalid_i), .s_axil_wready_o(wready_o), .s_axil_wdata_i(wdata_i),
    .s_axil_wstrb_i(wstrb_i), .s_axil_bvalid_o(bvalid_o), .s_axil_bready_i(bready_i), .s_axil_bresp_o(bresp_o),
    .s_axil_arvalid_i(arvalid_i), .s_axil_arready_o(arready_o), .s_axil_araddr_i(araddr_i),
    .s_axil_rvalid_o(rvalid_o), .s_axil_rready_i(rready_i), .s_axil_rdata_o(rdata_o), .s_axil_rresp_o(rresp_o),
    .m_axi_arvalid_o(m_arvalid_o), .m_axi_arready_i(m_arready_i), .m_axi_araddr_o(m_araddr_o),
    .m_axi_arlen_o(m_arlen_o), .m_axi_arsize_o(m_arsize_o), .m_axi_arburst_o(m_arburst_o),
    .m_axi_rvalid_i(m_rvalid_i), .m_axi_rready_o(m_rready_o), .m_axi_rdata_i(m_rdata_i),
    .m_axi_rresp_i(m_rresp_i), .m_axi_rlast_i(m_rlast_i), .m_axi_awvalid_o(m_awvalid_o),
    .m_axi_awready_i(m_awready_i), .m_axi_awaddr_o(m_awaddr_o), .m_axi_awlen_o(m_awlen_o),
    .m_axi_awsize_o(m_awsize_o), .m_axi_awburst_o(m_awburst_o), .m_axi_wvalid_o(m_wvalid_o),
    .m_axi_wready_i(m_wready_i), .m_axi_wdata_o(m_wdata_o), .m_axi_wstrb_o(m_wstrb_o),
    .m_axi_wlast_o(m_wlast_o), .m_axi_bvalid_i(m_bvalid_i), .m_axi_bready_o(m_bready_o),
    .m_axi_bresp_i(m_bresp_i)
  );

  axi_master_checker u_master_checker (
    .clk_i, .rst_ni, .start_i(dut.u_core.start && !dut.u_core.stillborn),
    .running_i(dut.u_core.running), .flush_i(dut.u_core.reset_i || dut.u_core.give_up),
    .arvalid_i(m_arvalid_o), .arready_i(m_arready_i),
    .araddr_i(m_araddr_o), .arlen_i(m_arlen_o), .arsize_i(m_arsize_o), .arburst_i(m_arburst_o),
    .rvalid_i(m_rvalid_i), .rready_i(m_rready_o), .rresp_i(m_rresp_i), .rlast_i(m_rlast_i),
    .awvalid_i(m_awvalid_o), .awready_i(m_awready_i), .awaddr_i(m_awaddr_o), .awlen_i(m_awlen_o),
    .awsize_i(m_awsize_o), .awburst_i(m_awburst_o), .wvalid_i(m_wvalid_o), .wready_i(m_wready_i),
    .wdata_i(m_wdata_o), .wstrb_i(m_wstrb_o), .wlast_i(m_wlast_o), .bvalid_i(m_bvalid_i),
    .bready_i(m_bready_o), .bresp_i(m_bresp_i)
  );
  axil_checker u_register_checker (
    .clk_i, .rst_ni, .awvalid_i, .awready_i(awready_o), .awaddr_i, .wvalid_i, .wready_i(wready_o), .wdata_i,
    .wstrb_i, .bvalid_i(bvalid_o), .bready_i, .bresp_i(bresp_o), .arvalid_i, .arready_i(arready_o), .araddr_i,
    .rvalid_i(rvalid_o), .rready_i, .rdata_i(rdata_o), .rresp_i(rresp_o), .irq_i(irq_o),
    .pending_i(dut.u_registers.interrupt_q), .enabled_i(dut.u_registers.enabled_q)
  );

`ifdef DAEDALUS_COVERAGE
  stage_bins u_bins (.clk_i, .rst_ni);
`endif

  assign cycle_o = dut.u_core.cycle_o;
  assign counting_o = dut.u_core.running || dut.u_core.start;
  assign register_write_o = dut.u_registers.writes;
  assign register_read_o = dut.u_registers.reads;
  assign stop_o = dut.u_core.stop_o;
  assign finish_in_head_o = dut.u_core.finish_in_head;
  assign fetch_index_o = dut.u_core.fetch_head_index;
  assign classes_o = {dut.u_core.store_class, dut.u_core.vector_class, dut.u_core.gemm_class,
                      dut.u_core.load_class, dut.u_core.fetch_class};
  always_comb begin
    if (dut.u_core.u_load.works) load_work_o = dut.u_core.u_load.written.index;
    else if (dut.u_core.starts[0]) load_work_o = dut.u_core.load_head.index;
    else if (dut.u_core.u_load.holds) load_work_o = dut.u_core.u_load.held_index;
    else load_work_o = dut.u_core.u_load.generating_index;
  end
  assign start_o = dut.u_core.starts;
  assign head_index_o = {dut.u_core.store_head.index, dut.u_core.vector_head.index, dut.u_core.gemm_head.index,
                         dut.u_core.load_head.index};
  assign retire_o = dut.u_core.retires;
  assign retire_index_o = {dut.u_core.store_retire.index, dut.u_core.vector_retire.index,
                           dut.u_core.gemm_retire.index, dut.u_core.load_retire.index};
  assign missing_o = {dut.u_core.waiting[3] ? dut.u_core.store_head.word[11:8] : 4'd0,
                      dut.u_core.waiting[2] ? dut.u_core.vector_head.word[11:8] : 4'd0,
                      dut.u_core.waiting[1] ? dut.u_core.gemm_head.word[11:8] : 4'd0,
                      dut.u_core.waiting[0] ? dut.u_core.load_head.word[11:8] : 4'd0} & ~dut.u_core.available;
  assign blocked_o = dut.u_core.head_valid && !dut.u_core.finish_in_head
      ? dut.u_core.u_fetch.target_q & dut.u_core.queue_full : '0;

  assign load_write_o = observe_i && dut.u_core.u_load.u_writer.writes;
  assign load_scope_o = dut.u_core.u_load.u_writer.segment.scope;
  assign load_row_o = dut.u_core.u_load.u_writer.row_q;
  assign load_enable_o = observe_i ? dut.u_core.u_load.u_writer.enable : '0;
  assign load_data_o = observe_i ? dut.u_core.u_load.u_writer.data : '0;
  assign load_index_o = dut.u_core.load_write_index;
  assign gemm_write_o = observe_i && dut.u_core.u_gemm.writes;
  assign gemm_row_o = dut.u_core.u_gemm.row_q[4];
  assign gemm_data_o = observe_i ? dut.u_core.u_gemm.accumulated : '0;
  assign vector_write_o = observe_i ? {dut.u_core.vector_out_write_valid, dut.u_core.vector_inp_write_valid,
                                       dut.u_core.vector_acc_write_valid} : '0;
  assign vector_row_o = dut.u_core.vector_acc_write_row;
  assign vector_data_o = observe_i ? dut.u_core.vector_acc_write_data : '0;
  assign vector_bytes_o = observe_i ? dut.u_core.vector_byte_write_data : '0;
  assign store_index_o = dut.u_core.store_write_index;

endmodule
