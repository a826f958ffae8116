/// The accelerator on an FPGA board: a host behind a UART writes its program and its data into block RAM, and starts it.
/// One clock. `gpio0_no` is always high (the ULX3S restarts where that pin is low).
/// Without the accelerator, for a first look at a board's pins, registers read as zero.
module board #(
  parameter bit          Accelerator = 1'b1,
  parameter int unsigned MemoryBytes = 65536,   // a multiple of 4096
  parameter int unsigned Divider = 25,          // cycles of clk_i a bit of the UART: 1 Mbit/s of 25 MHz
  parameter int unsigned SilenceBits = 100000   // that end a broken command: 100 ms of 1 Mbit/s
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic uart_rx_i,
  output logic uart_tx_o,
  output logic busy_o,   // a program runs
  output logic fault_o,  // the last one ended with a fault
  output logic gpio0_no
);

  localparam int unsigned W = daedalus_machine_pkg::BusBytes;
  localparam int unsigned IdBits = 4;
  localparam int unsigned AddressBits = $clog2(MemoryBytes);
  // As many as LOAD and FETCH may have open, and STORE: the memory is always ready for an address.
  localparam int unsigned Reads = 1 << $clog2(daedalus_machine_pkg::OutstandingReads + daedalus_machine_pkg::FetchBuffer);
  localparam int unsigned Writes = 2 << $clog2(daedalus_machine_pkg::OutstandingWrites);

  logic                   rst_n, irq;
  logic                   awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [11:0]            address;
  logic [31:0]            wdata, rdata;
  logic [1:0]             bresp, rresp;
  logic                   host_valid, host_write, host_ready;
  logic [AddressBits-1:0] host_address;
  logic [7:0]             host_data, memory_data;
  logic                   m_arvalid, m_arready, m_rvalid, m_rready, m_rlast, m_awvalid, m_awready, m_wvalid, m_wready, m_wlast,
                          m_bvalid, m_bready, m_arlock, m_awlock;
  logic [63:0]            m_araddr, m_awaddr;
  logic [7:0]             m_arlen, m_awlen;
  logic [2:0]             m_arsize, m_awsize, m_arprot, m_awprot;
  logic [1:0]             m_arburst, m_awburst, m_rresp, m_bresp;
  logic [IdBits-1:0]      m_arid, m_rid, m_awid, m_bid;
  logic [3:0]             m_arcache, m_arqos, m_arregion, m_awcache, m_awqos, m_awregion;
  logic [8*W-1:0]         m_rdata, m_wdata;
  logic [W-1:0]           m_wstrb;

  assign gpio0_no = 1'b1;

  reset_synchronizer u_reset_synchronizer (.clk_i, .rst_ni, .rst_no(rst_n));

  uart_bridge #(.Divider(Divider), .SilenceBits(SilenceBits), .MemoryBytes(MemoryBytes)) u_bridge (
    .clk_i, .rst_ni(rst_n), .rx_i(uart_rx_i), .tx_o(uart_tx_o), .running_o(busy_o), .fault_o, .awvalid_o(awvalid),
    .awready_i(awready), .wvalid_o(wvalid), .wready_i(wready), .bvalid_i(bvalid), .bready_o(bready),
    .arvalid_o(arvalid), .arready_i(arready), .address_o(address), .wdata_o(wdata), .rvalid_i(rvalid), .rready_o(rready),
    .rdata_i(rdata), .memory_valid_o(host_valid), .memory_write_o(host_write),
    .memory_address_o(host_address), .memory_data_o(host_data), .memory_ready_i(host_ready), .memory_data_i(memory_data)
  );

  if (Accelerator) begin : gen_accelerator
    daedalus_axi #(.IdBits(IdBits)) u_daedalus_axi (
      .clk_i, .rst_ni, .irq_o(irq), .s_axil_awvalid_i(awvalid), .s_axil_awready_o(awready), .s_axil_awaddr_i(address),
      .s_axil_awprot_i(3'b000), .s_axil_wvalid_i(wvalid), .s_axil_wready_o(wready), .s_axil_wdata_i(wdata),
      .s_axil_wstrb_i(4'b1111), .s_axil_bvalid_o(bvalid), .s_axil_bready_i(bready), .s_axil_bresp_o(bresp),
      .s_axil_arvalid_i(arvalid), .s_axil_arready_o(arready), .s_axil_araddr_i(address), .s_axil_arprot_i(3'b000),
      .s_axil_rvalid_o(rvalid), .s_axil_rready_i(rready), .s_axil_rdata_o(rdata), .s_axil_rresp_o(rresp),
      .m_axi_arvalid_o(m_arvalid), .m_axi_arready_i(m_arready), .m_axi_araddr_o(m_araddr), .m_axi_arlen_o(m_arlen),
      .m_axi_arsize_o(m_arsize), .m_axi_arburst_o(m_arburst), .m_axi_arid_o(m_arid), .m_axi_arlock_o(m_arlock),
      .m_axi_arcache_o(m_arcache), .m_axi_arprot_o(m_arprot), .m_axi_arqos_o(m_arqos), .m_axi_arregion_o(m_arregion),
      .m_axi_rvalid_i(m_rvalid), .m_axi_rready_o(m_rready), .m_axi_rdata_i(m_rdata), .m_axi_rresp_i(m_rresp),
      .m_axi_rlast_i(m_rlast), .m_axi_rid_i(m_rid), .m_axi_awvalid_o(m_awvalid), .m_axi_awready_i(m_awready),
      .m_axi_awaddr_o(m_awaddr), .m_axi_awlen_o(m_awlen), .m_axi_awsize_o(m_awsize), .m_axi_awburst_o(m_awburst),
      .m_axi_awid_o(m_awid), .m_axi_awlock_o(m_awlock), .m_axi_awcache_o(m_awcache), .m_axi_awprot_o(m_awprot),
      .m_axi_awqos_o(m_awqos), .m_axi_awregion_o(m_awregion), .m_axi_wvalid_o(m_wvalid), .m_axi_wready_i(m_wready),
      .m_axi_wdata_o(m_wdata), .m_axi_wstrb_o(m_wstrb), .m_axi_wlast_o(m_wlast), .m_axi_bvalid_i(m_bvalid),
      .m_axi_bready_o(m_bready), .m_axi_bresp_i(m_bresp), .m_axi_bid_i(m_bid)
    );
  end else begin : gen_no_accelerator
    assign {awready, wready, arready, bvalid, rvalid} = {3'b111, bready, rready};
    assign {irq, bresp, rresp, rdata} = '0;
    assign {m_arvalid, m_araddr, m_arlen, m_arsize, m_arburst, m_arid, m_rready, m_awvalid, m_awaddr, m_awlen, m_awsize,
            m_awburst, m_awid, m_wvalid, m_wdata, m_wstrb, m_wlast, m_bready} = '0;
    assign {m_arlock, m_awlock, m_arcache, m_awcache, m_arprot, m_awprot, m_arqos, m_awqos, m_arregion, m_awregion} = '0;

    logic unused_here;
    assign unused_here = ^{awvalid, wvalid, arvalid, address, wdata, m_arready, m_rvalid, m_rdata, m_rresp, m_rlast, m_rid,
                           m_awready, m_wready, m_bvalid, m_bresp, m_bid};
  end

  board_memory #(.Bytes(MemoryBytes), .Reads(Reads), .Writes(Writes), .IdBits(IdBits)) u_memory (
    .clk_i, .rst_ni(rst_n), .arvalid_i(m_arvalid), .arready_o(m_arready), .araddr_i(m_araddr), .arlen_i(m_arlen),
    .arsize_i(m_arsize), .arburst_i(m_arburst), .arid_i(m_arid), .rvalid_o(m_rvalid), .rready_i(m_rready),
    .rdata_o(m_rdata), .rresp_o(m_rresp), .rlast_o(m_rlast), .rid_o(m_rid), .awvalid_i(m_awvalid), .awready_o(m_awready),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awsize_i(m_awsize), .awburst_i(m_awburst), .awid_i(m_awid),
    .wvalid_i(m_wvalid), .wready_o(m_wready), .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast),
    .bvalid_o(m_bvalid), .bready_i(m_bready), .bresp_o(m_bresp), .bid_o(m_bid), .host_valid_i(host_valid),
    .host_write_i(host_write), .host_address_i(host_address), .host_data_i(host_data), .host_ready_o(host_ready),
    .host_data_o(memory_data)
  );

  logic unused;
  assign unused = ^{irq, bresp, rresp, m_arlock, m_awlock, m_arcache, m_awcache, m_arprot, m_awprot, m_arqos, m_awqos,
                    m_arregion, m_awregion};

endmodule
