/// What the write channel promises, proved for every STORE and every memory that keep their own rules (prove.sh):
/// addresses stay until they are taken, no burst is read before its address is on AW, the bursts that are announced,
/// read and answered match, and behind a RESET nothing new comes. Counters of the bus know nothing of the inside; the
/// registers that prove.sh connects only tie the two together for the induction.
module write_channel_properties (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         clear_i,
  input logic                         timeout_i,
  input logic                         burst_valid_i,
  input daedalus_pkg::store_burst_t   burst_i,
  input logic                         read_end_i,
  input logic                         awready_i,
  input logic                         bvalid_i,
  input logic [1:0]                   bresp_i
);

  localparam int unsigned Open = daedalus_machine_pkg::OutstandingWrites;  // here a power of two
  localparam int unsigned Bits = Open == 1 ? 1 : $clog2(Open);

  logic                         response, drained, outstanding, read_valid, discard, awvalid, bready;
  logic [63:0]                  awaddr;
  logic [7:0]                   awlen;
  daedalus_pkg::fault_report_t  bus_error;
  daedalus_pkg::store_burst_t   read;

  write_channel u_dut (
    .clk_i, .rst_ni, .clear_i, .timeout_i, .burst_valid_i, .burst_i, .response_o(response), .bus_error_o(bus_error),
    .drained_o(drained), .outstanding_o(outstanding), .read_valid_o(read_valid), .read_o(read), .read_end_i,
    .discard_o(discard),
    .awvalid_o(awvalid), .awready_i, .awaddr_o(awaddr), .awlen_o(awlen), .bvalid_i, .bready_o(bready), .bresp_i
  );

  logic [4:0] inside_before_address_q, inside_before_read_q, inside_before_answer_q;
  logic       inside_flush_q;
  logic [Bits-1:0] inside_enter_q, inside_address_q, inside_read_q, inside_answer_q;

  // Bursts whose address appeared on AW, was taken, whose last beat was read, and that were answered.
  logic       began_q = 1'b0, live_q = 1'b0, stuck_q, reset_q;
  logic [5:0] shown_q, taken_q, ended_q, answered_q, shown, hidden;
  logic [63:0] address_q;
  logic [7:0]  length_q;

  // Places in a ring of a power of two.
  logic [Bits-1:0] from_address, from_read, from_answer;
  assign from_address = inside_address_q + Bits'(inside_before_address_q);
  assign from_read = inside_read_q + Bits'(inside_before_read_q);
  assign from_answer = inside_answer_q + Bits'(inside_before_answer_q);

  assign shown = shown_q + 6'(awvalid && !stuck_q);
  assign hidden = {1'b0, inside_before_address_q} - 6'(awvalid);  // left STORE, and are not on AW yet

  always @(posedge clk_i) begin
    began_q <= 1'b1;
    live_q <= rst_ni;
    if (!rst_ni) begin
      {shown_q, taken_q, ended_q, answered_q} <= '0;
    end else begin
      shown_q <= shown;
      taken_q <= taken_q + 6'(awvalid && awready_i);
      ended_q <= ended_q + 6'(read_end_i);
      answered_q <= answered_q + 6'(bvalid_i && bready);
    end
    stuck_q <= rst_ni && awvalid && !awready_i;
    reset_q <= rst_ni && (clear_i || (reset_q && !drained));
    address_q <= awaddr;
    length_q <= awlen;
  end

  always @(*) begin
    if (!began_q) assume (!rst_ni);
    // STORE counts open bursts; none leaves from RESET until the channel is drained.
    if (burst_valid_i) assume (inside_before_answer_q != 5'(Open) && !clear_i && !reset_q);
    // The reader ends what it was given.
    if (read_end_i) assume (read_valid);
    // The memory answers what is complete.
    if (bvalid_i) assume (taken_q != answered_q && ended_q != answered_q);
  end

  always @(*) begin
    if (!rst_ni) begin
      assert (!awvalid && !read_valid && drained);  // A3.1.2
    end else if (live_q) begin
      // A3.2.1: an address stays until it is taken.
      if (stuck_q) assert (awvalid && awaddr == address_q && awlen == length_q);
      assert (shown == taken_q + 6'(awvalid));
      // Nothing is read before its address is on AW, and nothing twice.
      if (read_valid) assert (ended_q != shown);
      // What is owed is what was shown and not answered, and the channel knows.
      assert ({1'b0, inside_before_answer_q} == shown - answered_q + hidden);
      assert ({1'b0, inside_before_read_q} == shown - ended_q + hidden);
      assert (inside_before_answer_q <= 5'(Open));
      assert (from_address == inside_enter_q && from_read == inside_enter_q && from_answer == inside_enter_q);
      assert (shown - ended_q <= 6'(Open) && shown - answered_q <= 6'(Open));
      assert (shown - answered_q >= shown - ended_q && shown - answered_q >= 6'(awvalid));
      assert (hidden <= 6'(Open));
      assert (outstanding == (!drained && !inside_flush_q));
      if (drained) assert (shown == answered_q && shown == ended_q && !awvalid && !read_valid);
      // Behind a RESET: no new address, no response for STORE, until nothing is owed.
      if (reset_q) assert ((inside_flush_q || drained) && hidden == '0 && (stuck_q || !awvalid));
      assert (!inside_flush_q || (reset_q && discard));
      assert (response == (bvalid_i && !reset_q));
    end
  end

endmodule
