/// `daedalus` with every pin of an AXI4 master, and a reset that may rise at any time: its release is synchronized to
/// clk_i. Signals as in Arm's IHI 0022. All bursts have the ID `Id`, and what comes back has to have it; accesses are
/// neither exclusive nor of a region, and the slave takes a register's access whatever its AWPROT and ARPROT say.
module daedalus_axi #(
  parameter int unsigned       IdBits = 4,
  parameter logic [IdBits-1:0] Id = '0,
  parameter logic [2:0]        Prot = 3'b010,   // data, not secure, not privileged
  parameter logic [3:0]        Cache = 4'b0010, // normal memory that no cache holds; responses come from the memory itself
  parameter logic [3:0]        Qos = 4'b0000,
  parameter int unsigned       ResetStages = 2,
  localparam int unsigned      W = daedalus_machine_pkg::BusBytes
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 irq_o,
  // AXI4-Lite slave
  input  logic                 s_axil_awvalid_i,
  output logic                 s_axil_awready_o,
  input  logic [11:0]          s_axil_awaddr_i,
  input  logic [2:0]           s_axil_awprot_i,
  input  logic                 s_axil_wvalid_i,
  output logic                 s_axil_wready_o,
  input  logic [31:0]          s_axil_wdata_i,
  input  logic [3:0]           s_axil_wstrb_i,
  output logic                 s_axil_bvalid_o,
  input  logic                 s_axil_bready_i,
  output logic [1:0]           s_axil_bresp_o,
  input  logic                 s_axil_arvalid_i,
  output logic                 s_axil_arready_o,
  input  logic [11:0]          s_axil_araddr_i,
  input  logic [2:0]           s_axil_arprot_i,
  output logic                 s_axil_rvalid_o,
  input  logic                 s_axil_rready_i,
  output logic [31:0]          s_axil_rdata_o,
  output logic [1:0]           s_axil_rresp_o,
  // AXI4 master
  output logic                 m_axi_arvalid_o,
  input  logic                 m_axi_arready_i,
  output logic [63:0]          m_axi_araddr_o,
  output logic [7:0]           m_axi_arlen_o,
  output logic [2:0]           m_axi_arsize_o,
  output logic [1:0]           m_axi_arburst_o,
  output logic [IdBits-1:0]    m_axi_arid_o,
  output logic                 m_axi_arlock_o,
  output logic [3:0]           m_axi_arcache_o,
  output logic [2:0]           m_axi_arprot_o,
  output logic [3:0]           m_axi_arqos_o,
  output logic [3:0]           m_axi_arregion_o,
  input  logic                 m_axi_rvalid_i,
  output logic                 m_axi_rready_o,
  input  logic [8*W-1:0]       m_axi_rdata_i,
  input  logic [1:0]           m_axi_rresp_i,
  input  logic                 m_axi_rlast_i,
  input  logic [IdBits-1:0]    m_axi_rid_i,
  output logic                 m_axi_awvalid_o,
  input  logic                 m_axi_awready_i,
  output logic [63:0]          m_axi_awaddr_o,
  output logic [7:0]           m_axi_awlen_o,
  output logic [2:0]           m_axi_awsize_o,
  output logic [1:0]           m_axi_awburst_o,
  output logic [IdBits-1:0]    m_axi_awid_o,
  output logic                 m_axi_awlock_o,
  output logic [3:0]           m_axi_awcache_o,
  output logic [2:0]           m_axi_awprot_o,
  output logic [3:0]           m_axi_awqos_o,
  output logic [3:0]           m_axi_awregion_o,
  output logic                 m_axi_wvalid_o,
  input  logic                 m_axi_wready_i,
  output logic [8*W-1:0]       m_axi_wdata_o,
  output logic [W-1:0]         m_axi_wstrb_o,
  output logic                 m_axi_wlast_o,
  input  logic                 m_axi_bvalid_i,
  output logic                 m_axi_bready_o,
  input  logic [1:0]           m_axi_bresp_i,
  input  logic [IdBits-1:0]    m_axi_bid_i
);

  logic rst_n;

  reset_synchronizer #(.Stages(ResetStages)) u_reset_synchronizer (.clk_i, .rst_ni, .rst_no(rst_n));

  daedalus u_daedalus (
    .clk_i, .rst_ni(rst_n), .irq_o,
    .s_axil_awvalid_i, .s_axil_awready_o, .s_axil_awaddr_i, .s_axil_wvalid_i, .s_axil_wready_o, .s_axil_wdata_i,
    .s_axil_wstrb_i, .s_axil_bvalid_o, .s_axil_bready_i, .s_axil_bresp_o, .s_axil_arvalid_i, .s_axil_arready_o,
    .s_axil_araddr_i, .s_axil_rvalid_o, .s_axil_rready_i, .s_axil_rdata_o, .s_axil_rresp_o, .m_axi_arvalid_o,
    .m_axi_arready_i, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o, .m_axi_arburst_o, .m_axi_rvalid_i,
    .m_axi_rready_o, .m_axi_rdata_i, .m_axi_rresp_i, .m_axi_rlast_i, .m_axi_awvalid_o, .m_axi_awready_i,
    .m_axi_awaddr_o, .m_axi_awlen_o, .m_axi_awsize_o, .m_axi_awburst_o, .m_axi_wvalid_o, .m_axi_wready_i,
    .m_axi_wdata_o, .m_axi_wstrb_o, .m_axi_wlast_o, .m_axi_bvalid_i, .m_axi_bready_o, .m_axi_bresp_i
  );

  assign m_axi_arid_o = Id;
  assign m_axi_arlock_o = 1'b0;
  assign m_axi_arcache_o = Cache;
  assign m_axi_arprot_o = Prot;
  assign m_axi_arqos_o = Qos;
  assign m_axi_arregion_o = '0;
  assign m_axi_awid_o = Id;
  assign m_axi_awlock_o = 1'b0;
  assign m_axi_awcache_o = Cache;
  assign m_axi_awprot_o = Prot;
  assign m_axi_awqos_o = Qos;
  assign m_axi_awregion_o = '0;

  logic unused;
  assign unused = ^{s_axil_awprot_i, s_axil_arprot_i, m_axi_rid_i, m_axi_bid_i};

`ifndef SYNTHESIS
  // A response with another ID belongs to another master.
  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      assert (!m_axi_rvalid_i || m_axi_rid_i == Id) else $error("daedalus_axi: RID is %0d, and not %0d", m_axi_rid_i, Id);
      assert (!m_axi_bvalid_i || m_axi_bid_i == Id) else $error("daedalus_axi: BID is %0d, and not %0d", m_axi_bid_i, Id);
    end
  end
`endif

endmodule
