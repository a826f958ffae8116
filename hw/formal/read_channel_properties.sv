/// What the read channel promises, proved for every FETCH, LOAD and memory that keep their own rules (prove.sh): an
/// address stays until it is taken, one of those that ask is granted and nobody else, every burst is answered once,
/// and no beat of a program that was reset reaches anyone. Counters of the bus know nothing of the inside; the
/// registers that prove.sh connects only tie the two together for the induction.
module read_channel_properties #(
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        clear_i,
  input logic                        timeout_i,
  input logic                        fetch_valid_i,
  input daedalus_pkg::read_request_t fetch_i,
  input logic                        load_valid_i,
  input daedalus_pkg::read_request_t load_i,
  input logic                        arready_i,
  input logic                        rvalid_i,
  input logic [8*W-1:0]              rdata_i,
  input logic [1:0]                  rresp_i,
  input logic                        rlast_i
);

  localparam int unsigned Owners = daedalus_machine_pkg::OutstandingReads + daedalus_machine_pkg::FetchBuffer;
  localparam int unsigned Width = $clog2(Owners + 1);

  logic           fetch_granted, load_granted, arvalid, rready, fetch_beat, load_beat, beat_error, outstanding, drained;
  logic [63:0]    araddr;
  logic [7:0]     arlen;
  logic [8*W-1:0] beat_data;
  daedalus_pkg::fault_report_t fetch_error, load_error;

  read_channel u_dut (
    .clk_i, .rst_ni, .clear_i, .timeout_i, .fetch_valid_i, .fetch_i, .fetch_granted_o(fetch_granted),
    .load_valid_i, .load_i,
    .load_granted_o(load_granted), .arvalid_o(arvalid), .arready_i, .araddr_o(araddr), .arlen_o(arlen), .rvalid_i,
    .rready_o(rready), .rdata_i, .rresp_i, .rlast_i, .fetch_beat_o(fetch_beat), .load_beat_o(load_beat),
    .beat_error_o(beat_error), .beat_data_o(beat_data), .fetch_error_o(fetch_error), .load_error_o(load_error),
    .outstanding_o(outstanding), .drained_o(drained)
  );

  logic [Width-1:0] inside_count_q, inside_swallow_q;
  logic             inside_last_load_q;

  // Bursts that were granted, whose address was taken, whose last beat came, and those before the last RESET or START.
  logic        began_q = 1'b0, live_q = 1'b0, stuck_q, other_q;
  logic [7:0]  granted_q, taken_q, ended_q, old_q;
  logic [63:0] address_q;
  logic [7:0]  length_q;

  always @(posedge clk_i) begin
    began_q <= 1'b1;
    live_q <= rst_ni;
    if (!rst_ni) begin
      {granted_q, taken_q, ended_q, old_q} <= '0;
    end else begin
      granted_q <= granted_q + 8'(fetch_granted || load_granted);
      taken_q <= taken_q + 8'(arvalid && arready_i);
      ended_q <= ended_q + 8'(rvalid_i && rready && rlast_i);
      if (clear_i) old_q <= granted_q + 8'(fetch_granted || load_granted);
      else if (old_q == ended_q) old_q <= ended_q + 8'(rvalid_i && rlast_i);
    end
    stuck_q <= rst_ni && arvalid && !arready_i;
    address_q <= araddr;
    length_q <= arlen;
    if (fetch_granted || load_granted) other_q <= load_granted;
    if (clear_i || !rst_ni) other_q <= 1'b1;
  end

  always @(*) begin
    if (!began_q) assume (!rst_ni);
    // FETCH and LOAD ask for what they have places for.
    if (8'(granted_q - ended_q) == 8'(Owners)) assume (!fetch_valid_i && !load_valid_i);
    // The memory answers what it was asked for.
    if (rvalid_i) assume (taken_q != ended_q);
  end

  always @(*) begin
    if (!rst_ni) begin
      assert (!arvalid && drained);  // A3.1.2
    end else if (live_q) begin
      // A3.2.1: an address stays until it is taken.
      if (stuck_q) assert (arvalid && araddr == address_q && arlen == length_q);
      assert (granted_q == taken_q + 8'(arvalid));
      // The arbiter (R11).
      assert (inside_last_load_q == other_q);
      assert (!(fetch_granted && load_granted));
      if (fetch_granted) assert (fetch_valid_i && (!load_valid_i || other_q));
      if (load_granted) assert (load_valid_i && (!fetch_valid_i || !other_q));
      if ((fetch_valid_i || load_valid_i) && (!arvalid || arready_i)) assert (fetch_granted || load_granted);
      if (arvalid && !arready_i) assert (!fetch_granted && !load_granted);
      // Every burst is answered once, and the channel knows what is owed, by whom.
      assert (8'(inside_count_q) == 8'(granted_q - ended_q) && inside_count_q <= Width'(Owners));
      assert (8'(granted_q - taken_q) <= 8'(granted_q - ended_q));
      assert (outstanding == (granted_q != ended_q && old_q != granted_q));
      assert (drained == (granted_q == ended_q && !arvalid));
      assert (8'(inside_swallow_q) == 8'(old_q - ended_q) && inside_swallow_q <= inside_count_q);
      // A beat has one owner; none of a program that was reset has.
      assert (!(fetch_beat && load_beat));
      if (fetch_beat || load_beat) assert (rvalid_i && old_q == ended_q);
      if (rvalid_i && old_q == ended_q) assert (fetch_beat || load_beat);
      // An error is reported with its beat.
      if (fetch_error.valid) assert ((fetch_beat && rresp_i[1]) || timeout_i);
      if (load_error.valid) assert ((load_beat && rresp_i[1]) || timeout_i);
    end
  end

endmodule
