/// The register port looked at as a master would, and the bench's master as a slave would: the rules of AXI4-Lite
/// (IHI 0022, parts A3 and B1). A message begins with the section and reaches the engine as a failure of the run.
/// And the interrupt's wire, in every cycle: `irq_i` is what INTERRUPT and INTERRUPT_ENABLE say.
/// That no READY follows a VALID within its cycle cannot be seen from registers: the bench settles twice for it
/// (simulator/lib/rtl/register_port.h), and hw/formal proves it.
module axil_checker (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        awvalid_i,
  input logic        awready_i,
  input logic [11:0] awaddr_i,
  input logic        wvalid_i,
  input logic        wready_i,
  input logic [31:0] wdata_i,
  input logic [3:0]  wstrb_i,
  input logic        bvalid_i,
  input logic        bready_i,
  input logic [1:0]  bresp_i,
  input logic        arvalid_i,
  input logic        arready_i,
  input logic [11:0] araddr_i,
  input logic        rvalid_i,
  input logic        rready_i,
  input logic [31:0] rdata_i,
  input logic [1:0]  rresp_i,
  input logic        irq_i,
  input logic        pending_i,  // bit 0 of INTERRUPT
  input logic        enabled_i   // bit 0 of INTERRUPT_ENABLE
);

  localparam logic [1:0] ExOkay = 2'b01;
  localparam logic [4:0] Patience = 5'd16;  // cycles until a request is taken or answered

  // What was offered and refused in the cycle before.
  logic        aw_stuck_q = 1'b0, w_stuck_q = 1'b0, b_stuck_q = 1'b0, ar_stuck_q = 1'b0, r_stuck_q = 1'b0;
  logic        in_reset_q = 1'b0;
  logic [11:0] aw_q, ar_q;
  logic [35:0] w_q;
  logic [1:0]  b_q;
  logic [33:0] r_q;

  // Requests that were taken, less the responses that were.
  logic [3:0] addresses_q = '0, data_q = '0, reads_q = '0;
  logic [4:0] write_age_q = '0, read_age_q = '0;

  always_ff @(posedge clk_i) begin
    in_reset_q <= !rst_ni;
    if (!rst_ni && in_reset_q) begin
      assert (!bvalid_i && !rvalid_i) else $error("AXI A3.1.2 Reset: a VALID of the register port is high");
      assert (!irq_i) else $error("docs/hardware.md Buses: the interrupt's wire is high in reset");
    end
    if (rst_ni) begin
      assert (irq_i == (pending_i && enabled_i))
        else $error("docs/hardware.md Buses: the interrupt's wire is not what INTERRUPT and INTERRUPT_ENABLE say");
      if (aw_stuck_q)
        assert (awvalid_i && awaddr_i == aw_q) else $error("AXI A3.2.1 Handshake process: the master changes AW");
      if (w_stuck_q)
        assert (wvalid_i && {wdata_i, wstrb_i} == w_q) else $error("AXI A3.2.1 Handshake process: the master changes W");
      if (ar_stuck_q)
        assert (arvalid_i && araddr_i == ar_q) else $error("AXI A3.2.1 Handshake process: the master changes AR");
      if (b_stuck_q)
        assert (bvalid_i && bresp_i == b_q)
          else $error("AXI A3.2.1 Handshake process: the register port changes B while it is refused");
      if (r_stuck_q)
        assert (rvalid_i && {rdata_i, rresp_i} == r_q)
          else $error("AXI A3.2.1 Handshake process: the register port changes R while it is refused");
      if (bvalid_i) begin
        assert (addresses_q != '0 && data_q != '0)
          else $error("AXI A3.3.1 Dependencies: the register port answers a write that is not complete");
        assert (bresp_i != ExOkay) else $error("AXI B1.1.1 Signal list: the register port answers EXOKAY");
      end
      if (rvalid_i) begin
        assert (reads_q != '0) else $error("AXI A3.3.1 Dependencies: the register port answers a read that nobody sent");
        assert (rresp_i != ExOkay) else $error("AXI B1.1.1 Signal list: the register port answers EXOKAY");
      end
      assert (write_age_q != Patience) else $error("docs/hardware.md Buses: the register port does not answer a write");
      assert (read_age_q != Patience) else $error("docs/hardware.md Buses: the register port does not answer a read");
    end

    aw_stuck_q <= rst_ni && awvalid_i && !awready_i;
    w_stuck_q  <= rst_ni && wvalid_i && !wready_i;
    ar_stuck_q <= rst_ni && arvalid_i && !arready_i;
    b_stuck_q  <= rst_ni && bvalid_i && !bready_i;
    r_stuck_q  <= rst_ni && rvalid_i && !rready_i;
    if (awvalid_i) aw_q <= awaddr_i;
    if (wvalid_i) w_q <= {wdata_i, wstrb_i};
    if (arvalid_i) ar_q <= araddr_i;
    if (bvalid_i) b_q <= bresp_i;
    if (rvalid_i) r_q <= {rdata_i, rresp_i};
  end

  logic write_waits, read_waits;  // for the port, not for the master
  assign write_waits = !bvalid_i && (awvalid_i || addresses_q != '0) && (wvalid_i || data_q != '0);
  assign read_waits = !rvalid_i && (arvalid_i || reads_q != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {addresses_q, data_q, reads_q} <= '0;
      {write_age_q, read_age_q} <= '0;
    end else begin
      addresses_q <= addresses_q + 4'(awvalid_i && awready_i) - 4'(bvalid_i && bready_i);
      data_q      <= data_q + 4'(wvalid_i && wready_i) - 4'(bvalid_i && bready_i);
      reads_q     <= reads_q + 4'(arvalid_i && arready_i) - 4'(rvalid_i && rready_i);
      write_age_q <= write_waits ? write_age_q + 5'(write_age_q != Patience) : '0;
      read_age_q  <= read_waits ? read_age_q + 5'(read_age_q != Patience) : '0;
    end
  end

endmodule
