/// The accelerator: an AXI4-Lite slave of 32-bit registers (docs/isa.md), an AXI4 master to memory, and an
/// interrupt that is high while INTERRUPT is pending and enabled. Bursts are INCR, of whole beats of BusBytes, aligned and
/// within 4 KiB, all of one ID, and are answered in order. No output follows an input within a cycle. Everything runs
/// at clk_i; rst_ni is asynchronous.
module daedalus #(
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  output logic           irq_o,
  // AXI4-Lite slave
  input  logic           s_axil_awvalid_i,
  output logic           s_axil_awready_o,
  input  logic [11:0]    s_axil_awaddr_i,
  input  logic           s_axil_wvalid_i,
  output logic           s_axil_wready_o,
  input  logic [31:0]    s_axil_wdata_i,
  input  logic [3:0]     s_axil_wstrb_i,
  output logic           s_axil_bvalid_o,
  input  logic           s_axil_bready_i,
  output logic [1:0]     s_axil_bresp_o,
  input  logic           s_axil_arvalid_i,
  output logic           s_axil_arready_o,
  input  logic [11:0]    s_axil_araddr_i,
  output logic           s_axil_rvalid_o,
  input  logic           s_axil_rready_i,
  output logic [31:0]    s_axil_rdata_o,
  output logic [1:0]     s_axil_rresp_o,
  // AXI4 master
  output logic           m_axi_arvalid_o,
  input  logic           m_axi_arready_i,
  output logic [63:0]    m_axi_araddr_o,
  output logic [7:0]     m_axi_arlen_o,
  output logic [2:0]     m_axi_arsize_o,
  output logic [1:0]     m_axi_arburst_o,
  input  logic           m_axi_rvalid_i,
  output logic           m_axi_rready_o,
  input  logic [8*W-1:0] m_axi_rdata_i,
  input  logic [1:0]     m_axi_rresp_i,
  input  logic           m_axi_rlast_i,
  output logic           m_axi_awvalid_o,
  input  logic           m_axi_awready_i,
  output logic [63:0]    m_axi_awaddr_o,
  output logic [7:0]     m_axi_awlen_o,
  output logic [2:0]     m_axi_awsize_o,
  output logic [1:0]     m_axi_awburst_o,
  output logic           m_axi_wvalid_o,
  input  logic           m_axi_wready_i,
  output logic [8*W-1:0] m_axi_wdata_o,
  output logic [W-1:0]   m_axi_wstrb_o,
  output logic           m_axi_wlast_o,
  input  logic           m_axi_bvalid_i,
  output logic           m_axi_bready_o,
  input  logic [1:0]     m_axi_bresp_i
);

  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] Incr = 2'b01;

  logic             start, reset, busy, ended, done, stop;
  logic [63:0]      program_address, cycle;
  logic [31:0]      program_length, program_limit, fault_index;
  logic [7:0]       base;
  logic [2*96-1:0]  base_value;
  logic [2:0]       fault_module;
  logic [3:0]       fault_cause;
  logic [5:0]       counter;
  logic [39:0]      counter_value;

  assign s_axil_rresp_o = Okay;
  assign m_axi_arsize_o = 3'($clog2(W));
  assign m_axi_arburst_o = Incr;
  assign m_axi_awsize_o = 3'($clog2(W));
  assign m_axi_awburst_o = Incr;

  registers u_registers (
    .clk_i, .rst_ni, .awvalid_i(s_axil_awvalid_i), .awready_o(s_axil_awready_o), .awaddr_i(s_axil_awaddr_i),
    .wvalid_i(s_axil_wvalid_i), .wready_o(s_axil_wready_o), .wdata_i(s_axil_wdata_i),
    .wstrb_i(s_axil_wstrb_i), .bvalid_o(s_axil_bvalid_o), .bready_i(s_axil_bready_i),
    .bresp_o(s_axil_bresp_o), .arvalid_i(s_axil_arvalid_i),
    .arready_o(s_axil_arready_o), .araddr_i(s_axil_araddr_i), .rvalid_o(s_axil_rvalid_o),
    .rready_i(s_axil_rready_i), .rdata_o(s_axil_rdata_o), .start_o(start), .reset_o(reset),
    .program_address_o(program_address), .program_length_o(program_length), .program_limit_o(program_limit),
    .base_i(base), .base_o(base_value), .busy_i(busy), .ended_i(ended), .done_i(done),
    .stop_i(stop),
    .fault_cause_i(fault_cause), .fault_module_i(fault_module), .fault_index_i(fault_index), .cycle_i(cycle),
    .counter_o(counter), .counter_value_i(counter_value), .irq_o
  );

  core u_core (
    .clk_i, .rst_ni, .start_i(start), .reset_i(reset), .program_address_i(program_address),
    .program_length_i(program_length), .program_limit_i(program_limit), .base_o(base), .base_i(base_value),
    .busy_o(busy), .ended_o(ended), .done_o(done), .stop_o(stop), .fault_cause_o(fault_cause),
    .fault_module_o(fault_module), .fault_index_o(fault_index), .cycle_o(cycle), .counter_i(counter),
    .counter_value_o(counter_value), .arvalid_o(m_axi_arvalid_o), .arready_i(m_axi_arready_i),
    .araddr_o(m_axi_araddr_o), .arlen_o(m_axi_arlen_o), .rvalid_i(m_axi_rvalid_i), .rready_o(m_axi_rready_o),
    .rdata_i(m_axi_rdata_i), .rresp_i(m_axi_rresp_i), .rlast_i(m_axi_rlast_i), .awvalid_o(m_axi_awvalid_o),
    .awready_i(m_axi_awready_i), .awaddr_o(m_axi_awaddr_o), .awlen_o(m_axi_awlen_o),
    .wvalid_o(m_axi_wvalid_o), .wready_i(m_axi_wready_i), .wdata_o(m_axi_wdata_o), .wstrb_o(m_axi_wstrb_o),
    .wlast_o(m_axi_wlast_o), .bvalid_i(m_axi_bvalid_i), .bready_o(m_axi_bready_o), .bresp_i(m_axi_bresp_i)
  );

endmodule
