/// The write side of the bus but for its data (R19): keeps the bursts that left STORE's address generator until
/// their response. A burst that leaves in a has its address on AW in a + 1, or in the cycle after the one before it
/// was accepted; it is handed to the reader from the same cycle on (`read_valid_o`, `read_o`), before AW is accepted,
/// until `read_end_i`. `response_o`: the oldest burst is answered in this cycle; BREADY is always high.
/// After a clear, bursts whose address is or was on the bus are completed with all strobes off (`discard_o`) and
/// their responses are swallowed; the others are forgotten. `drained_o`: none is left; `outstanding_o`: one of those
/// since the last clear is. A timeout (R29) is reported for the oldest.
/// Assumes that at most OutstandingWrites bursts are open, which STORE counts (asserted).
module write_channel (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,
  input  logic                         timeout_i,
  input  logic                         burst_valid_i,  // leaves in this cycle
  input  daedalus_pkg::store_burst_t   burst_i,
  output logic                         response_o,
  output daedalus_pkg::fault_report_t  bus_error_o,
  output logic                         drained_o,
  output logic                         outstanding_o,
  // to the reader
  output logic                         read_valid_o,
  output daedalus_pkg::store_burst_t   read_o,
  input  logic                         read_end_i,
  output logic                         discard_o,
  // AXI4
  output logic                         awvalid_o,
  input  logic                         awready_i,
  output logic [63:0]                  awaddr_o,
  output logic [7:0]                   awlen_o,
  input  logic                         bvalid_i,
  output logic                         bready_o,
  input  logic [1:0]                   bresp_i
);

  localparam int unsigned Open = daedalus_machine_pkg::OutstandingWrites;
  localparam int unsigned Bits = Open == 1 ? 1 : $clog2(Open);
  localparam int unsigned BeatShift = $clog2(daedalus_machine_pkg::BusBytes);

  // Bursts in order. Each passes AW, the reader and B; `before_x_q` are those that have not passed x.
  logic [$bits(burst_i)-1:0]    bursts [Open];          // store_burst_t each
  daedalus_pkg::store_burst_t addressed, answered;
  logic [Bits-1:0] enter_q, address_q, read_q, answer_q;  // places in `bursts`
  logic [4:0]      before_address_q, before_read_q, before_answer_q;
  logic [4:0]      before_answer;                         // behind this cycle
  logic            flush_q;                               // all of them are from before a clear
  logic            drained_q;                             // there is none
  logic            enters, accepted, fails;

  function automatic logic [Bits-1:0] following(input logic [Bits-1:0] at);
    following = at == Bits'(Open - 1) ? '0 : at + Bits'(1);
  endfunction

  // How many there are behind a cycle.
  function automatic logic [4:0] counted(input logic [4:0] count, input logic comes, input logic goes);
    counted = count;
    if (comes != goes) counted = comes ? count + 5'd1 : count - 5'd1;
  endfunction

  assign enters = burst_valid_i && !clear_i;
  assign discard_o = flush_q || clear_i;
  assign drained_o = drained_q;
  assign outstanding_o = !drained_q && !flush_q;

  assign addressed = bursts[address_q];
  assign awvalid_o = before_address_q != '0;
  assign awaddr_o = {addressed.segment.address[63:BeatShift], {BeatShift{1'b0}}};
  assign awlen_o = 8'(addressed.segment.beats - 9'd1);
  assign accepted = awvalid_o && awready_i;

  assign read_o = bursts[read_q];
  assign read_valid_o = before_read_q != '0 && before_read_q >= before_address_q;

  assign answered = bursts[answer_q];
  assign bready_o = 1'b1;
  assign response_o = bvalid_i && !flush_q;
  assign fails = response_o && bresp_i[1];
  assign bus_error_o.valid = fails || timeout_i;
  assign bus_error_o.cause = fails ? daedalus_isa_pkg::FaultBusError : daedalus_isa_pkg::FaultMemoryTimeout;
  assign bus_error_o.index = answered.segment.index;

  // After a clear the one on AW stays, those behind it go.
  always_comb begin
    before_answer = counted(before_answer_q, enters, bvalid_i);
    if (clear_i && awvalid_o)
      before_answer = bvalid_i ? before_answer_q - before_address_q : before_answer_q - before_address_q + 5'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enter_q          <= '0;
      address_q        <= '0;
      read_q           <= '0;
      answer_q         <= '0;
      before_address_q <= '0;
      before_read_q    <= '0;
      before_answer_q  <= '0;
      flush_q          <= 1'b0;
      drained_q        <= 1'b1;
    end else begin
      if (enters) enter_q <= following(enter_q);
      if (accepted) address_q <= following(address_q);
      if (read_end_i) read_q <= following(read_q);
      if (bvalid_i) answer_q <= following(answer_q);
      before_address_q <= counted(before_address_q, enters, accepted);
      before_read_q    <= counted(before_read_q, enters, read_end_i);
      before_answer_q  <= before_answer;
      drained_q        <= before_answer == '0;
      if (clear_i && awvalid_o) begin
        enter_q          <= following(address_q);
        before_address_q <= 5'(!accepted);
        // One sum for each value of `read_end_i`, which is known late.
        before_read_q    <= read_end_i ? before_read_q - before_address_q : before_read_q - before_address_q + 5'd1;
      end
      flush_q <= (clear_i || flush_q) && !drained_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (enters) bursts[enter_q] <= burst_i;
  end

  logic unused;
  assign unused = ^{bresp_i[0], addressed, answered};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(bvalid_i && before_answer_q == '0))
    else $error("the memory answers a write burst that nobody sent");
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(enters && before_answer_q == 5'(Open)))
    else $error("a write burst leaves although OutstandingWrites are open");
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(awvalid_o && 32'(awaddr_o[11:0]) + (32'(awlen_o) + 1) * daedalus_machine_pkg::BusBytes > 4096))
    else $error("a write burst crosses a 4 KiB boundary");
`endif

endmodule
