/// The AXI4 master looked at as a slave would: every rule of the AXI4 specification (IHI 0022) that applies to one
/// ID, INCR bursts and no atomics, and what docs/hardware.md promises beyond it. The memory behind is held to its
/// own rules too. A message begins with the section of the specification, "docs/hardware.md" where the promise is
/// the accelerator's own, and reaches the engine as a failure of the run.
/// `start_i`: a program starts; the bursts of the one before are over. `running_i`: it runs; nobody else asks for bursts.
/// `flush_i`: RESET takes effect, or the memory is given up (R29); beats that are put on W from then on for older bursts have their strobes off.
module axi_master_checker #(
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         start_i,
  input logic         running_i,
  input logic         flush_i,
  input logic         arvalid_i,
  input logic         arready_i,
  input logic [63:0]  araddr_i,
  input logic [7:0]   arlen_i,
  input logic [2:0]   arsize_i,
  input logic [1:0]   arburst_i,
  input logic         rvalid_i,
  input logic         rready_i,
  input logic [1:0]   rresp_i,
  input logic         rlast_i,
  input logic         awvalid_i,
  input logic         awready_i,
  input logic [63:0]  awaddr_i,
  input logic [7:0]   awlen_i,
  input logic [2:0]   awsize_i,
  input logic [1:0]   awburst_i,
  input logic         wvalid_i,
  input logic         wready_i,
  input logic [8*W-1:0] wdata_i,
  input logic [W-1:0] wstrb_i,
  input logic         wlast_i,
  input logic         bvalid_i,
  input logic         bready_i,
  input logic [1:0]   bresp_i
);

  // More bursts than any machine has open: FETCH 256 and LOAD 64, STORE 16.
  localparam int unsigned ReadPlaces = 512;
  localparam int unsigned WritePlaces = 256;
  localparam logic [1:0] Incr = 2'b01;
  localparam logic [1:0] ExOkay = 2'b01;

  // What was offered and refused in the cycle before.
  logic            ar_stuck_q = 1'b0, aw_stuck_q = 1'b0, w_stuck_q = 1'b0, r_stuck_q = 1'b0, b_stuck_q = 1'b0;
  logic [76:0]     ar, ar_q, aw, aw_q;
  logic [9*W:0]    w, w_q;
  logic [2:0]      r, r_q;
  logic [1:0]      b_q;
  logic            in_reset_q = 1'b0;

  assign ar = {araddr_i, arlen_i, arsize_i, arburst_i};
  assign aw = {awaddr_i, awlen_i, awsize_i, awburst_i};
  assign w = {wdata_i, wstrb_i, wlast_i};
  assign r = {rresp_i, rlast_i};

  // Read bursts by their addresses, write bursts by the first cycle of their addresses on AW; all count on.
  logic [7:0] ar_lengths [ReadPlaces], aw_lengths [WritePlaces];
  logic [8:0] asked_q = '0, answered_q = '0;
  logic [7:0] read_beat_q = '0;
  logic [7:0] shown_q = '0, addressed_q = '0, sent_q = '0, confirmed_q = '0, write_beat_q = '0;
  logic       aw_appears, ends;
  logic [7:0] shown, write_length;

  assign aw_appears = awvalid_i && !aw_stuck_q;
  assign shown = shown_q + 8'(aw_appears);
  assign write_length = aw_appears && sent_q == shown_q ? awlen_i : aw_lengths[sent_q];
  assign ends = write_beat_q == write_length;

  // A request is granted, or leaves STORE, in the cycle before it is on the bus; in that of a RESET none leaves.
  logic       ar_appears, asks_q = 1'b0, stores_q = 1'b0;
  assign ar_appears = arvalid_i && !ar_stuck_q;

  // Strobes of a burst are one run of bytes. After a RESET all are off but those of a beat that waited on W.
  logic         flushes_q = 1'b0, exempt_q = 1'b0, flushes;
  logic [W-1:0] run;
  assign run = wstrb_i + (wstrb_i & (~wstrb_i + W'(1)));  // a run of ones carries out above itself
  assign flushes = flushes_q && !exempt_q;

  always_ff @(posedge clk_i) begin
    in_reset_q <= !rst_ni;
    if (!rst_ni && in_reset_q) begin
      assert (!arvalid_i && !awvalid_i && !wvalid_i) else $error("AXI A3.1.2 Reset: a VALID of the master is high");
    end
    if (rst_ni) begin
      // A3.2.1 Handshake process: what is offered stays until it is taken.
      if (ar_stuck_q)
        assert (arvalid_i && ar == ar_q) else $error("AXI A3.2.1 Handshake process: AR changes while it is refused");
      if (aw_stuck_q)
        assert (awvalid_i && aw == aw_q) else $error("AXI A3.2.1 Handshake process: AW changes while it is refused");
      if (w_stuck_q)
        assert (wvalid_i && w == w_q) else $error("AXI A3.2.1 Handshake process: W changes while it is refused");
      if (r_stuck_q)
        assert (rvalid_i && r == r_q) else $error("AXI A3.2.1 Handshake process: the memory changes R while it is refused");
      if (b_stuck_q)
        assert (bvalid_i && bresp_i == b_q) else $error("AXI A3.2.1 Handshake process: the memory changes B while it is refused");
      assert (rready_i && bready_i) else $error("docs/hardware.md Buses: RREADY or BREADY is low");

      assert (!ar_appears || asks_q) else $error("docs/hardware.md Buses: a read burst is asked for, and no program runs");
      assert (!aw_appears || stores_q) else $error("docs/hardware.md Buses: a write burst is asked for, and no program runs");
      if (start_i)
        assert (!arvalid_i && asked_q == answered_q && shown == confirmed_q)
          else $error("docs/hardware.md Buses: a program starts, and bursts of the one before are open");

      if (arvalid_i) begin
        assert (arburst_i == Incr) else $error("AXI A3.4.1 Address structure: ARBURST is not INCR");
        assert (arsize_i == 3'($clog2(W))) else $error("AXI A3.4.1 Address structure: ARSIZE is not the bus width");
        assert (32'(araddr_i[11:0]) % W == 0) else $error("docs/hardware.md Buses: a read burst is not aligned");
        assert (32'(araddr_i[11:0]) + W * (32'(arlen_i) + 1) <= 4096)
          else $error("AXI A3.4.1 Address structure: a read burst crosses a 4 KiB boundary");
        assert (32'(arlen_i) < daedalus_machine_pkg::MaxBurstBeats)
          else $error("docs/hardware.md Buses: a read burst has more than MaxBurstBeats");
      end
      if (awvalid_i) begin
        assert (awburst_i == Incr) else $error("AXI A3.4.1 Address structure: AWBURST is not INCR");
        assert (awsize_i == 3'($clog2(W))) else $error("AXI A3.4.1 Address structure: AWSIZE is not the bus width");
        assert (32'(awaddr_i[11:0]) % W == 0) else $error("docs/hardware.md Buses: a write burst is not aligned");
        assert (32'(awaddr_i[11:0]) + W * (32'(awlen_i) + 1) <= 4096)
          else $error("AXI A3.4.1 Address structure: a write burst crosses a 4 KiB boundary");
        assert (32'(awlen_i) < daedalus_machine_pkg::MaxBurstBeats)
          else $error("docs/hardware.md Buses: a write burst has more than MaxBurstBeats");
      end
      if (wvalid_i) begin
        assert (sent_q != shown) else $error("docs/hardware.md Buses: a beat is on W before its address is on AW");
        assert (wlast_i == ends) else $error("AXI A3.4.1 Address structure: WLAST does not fit AWLEN");
        if (flushes) begin
          assert (wstrb_i == '0) else $error("docs/hardware.md Buses: a beat behind a RESET has strobes");
        end else if (!flushes_q) begin
          assert ((run & wstrb_i) == '0 && wstrb_i != '0 && (write_beat_q == '0 || wstrb_i[0]) && (ends || wstrb_i[W-1]))
            else $error("AXI A3.4.3 Data write structure: the strobes of a burst are not one run of bytes");
        end
      end
      if (rvalid_i) begin
        assert (asked_q != answered_q) else $error("AXI A3.3.1 Dependencies: the memory sends a beat that nobody asked for");
        assert (rlast_i == (read_beat_q == ar_lengths[answered_q]))
          else $error("AXI A3.4.1 Address structure: the memory's RLAST does not fit ARLEN");
        assert (rresp_i != ExOkay) else $error("AXI A3.4.4 Response structure: the memory answers EXOKAY");
      end
      if (bvalid_i) begin
        assert (addressed_q != confirmed_q && sent_q != confirmed_q)
          else $error("AXI A3.3.1 Dependencies: the memory answers a write burst that is not complete");
        assert (bresp_i != ExOkay) else $error("AXI A3.4.4 Response structure: the memory answers EXOKAY");
      end
    end

    ar_stuck_q <= rst_ni && arvalid_i && !arready_i;
    aw_stuck_q <= rst_ni && awvalid_i && !awready_i;
    w_stuck_q  <= rst_ni && wvalid_i && !wready_i;
    r_stuck_q  <= rst_ni && rvalid_i && !rready_i;
    b_stuck_q  <= rst_ni && bvalid_i && !bready_i;
    if (arvalid_i && !arready_i) ar_q <= ar;
    if (awvalid_i && !awready_i) aw_q <= aw;
    if (wvalid_i && !wready_i) w_q <= w;
    if (rvalid_i && !rready_i) r_q <= r;
    if (bvalid_i && !bready_i) b_q <= bresp_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {asked_q, answered_q, read_beat_q} <= '0;
      {shown_q, addressed_q, sent_q, confirmed_q, write_beat_q} <= '0;
      {asks_q, stores_q, flushes_q, exempt_q} <= '0;
    end else begin
      asks_q <= running_i;
      stores_q <= running_i && !flush_i;
      if (arvalid_i && arready_i) begin
        ar_lengths[asked_q] <= arlen_i;
        asked_q <= asked_q + 9'd1;
      end
      if (rvalid_i && rready_i) begin
        read_beat_q <= rlast_i ? '0 : read_beat_q + 8'd1;
        if (rlast_i) answered_q <= answered_q + 9'd1;
      end
      if (aw_appears) aw_lengths[shown_q] <= awlen_i;
      shown_q <= shown;
      if (awvalid_i && awready_i) addressed_q <= addressed_q + 8'd1;
      if (wvalid_i && wready_i) begin
        write_beat_q <= wlast_i ? '0 : write_beat_q + 8'd1;
        if (wlast_i) sent_q <= sent_q + 8'd1;
      end
      if (bvalid_i && bready_i) confirmed_q <= confirmed_q + 8'd1;
      if (flush_i) begin
        flushes_q <= 1'b1;
        exempt_q <= wvalid_i && !wready_i && !flushes;
      end else begin
        if (sent_q == shown_q) flushes_q <= 1'b0;  // every beat of old bursts is sent
        if (wvalid_i && wready_i) exempt_q <= 1'b0;
      end
    end
  end

endmodule
