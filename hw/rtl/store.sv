/// STORE (R18 to R20): moves runs of bytes from OUT to DRAM. The address generator shows the first segment
/// StoreIssueLatency cycles after the start and each next one in the cycle after the previous left; it leaves in
/// the first cycle with fewer than OutstandingWrites open. Segments complete in order, one a cycle: a burst in the
/// cycle after its response or later, the empty segment of MARK and NOP in the cycle after it left or later. STORE
/// ends an instruction when its last segment completes. A segment over its limit or its scope is reported in the
/// first cycle in which it is shown and dropped with the rest of its instruction (R22, R23).
module store #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        drop_i,      // a clear in which the bus may still owe something
  input  logic                        timeout_i,
  input  logic                        head_valid_i,
  input  daedalus_pkg::issued_t       head_i,
  input  logic [3:0]                  tokens_i,
  input  logic                        fault_i,
  output logic [3:0]                  base_o,      // which base register the head names
  input  logic [95:0]                 base_i,      // its limit and address
  output logic                        start_o,
  output daedalus_pkg::retire_t       retire_o,
  output logic                        active_o,
  output logic                        waiting_o,
  output logic [3:0]                  class_o,
  output daedalus_pkg::fault_report_t range_error_o,
  output daedalus_pkg::fault_report_t bus_error_o,
  output logic                        drained_o,
  output logic                        outstanding_o,
  output logic                        out_read_valid_o,
  output logic [15:0]                 out_row_o,
  input  logic [8*N-1:0]              out_data_i,
  output logic                        awvalid_o,
  input  logic                        awready_i,
  output logic [63:0]                 awaddr_o,
  output logic [7:0]                  awlen_o,
  output logic                        wvalid_o,
  input  logic                        wready_i,
  output logic [8*W-1:0]              wdata_o,
  output logic [W-1:0]                wstrb_o,
  output logic                        wlast_o,
  input  logic                        bvalid_i,
  output logic                        bready_o,
  input  logic [1:0]                  bresp_i,
  output logic [31:0]                 write_index_o
);

  localparam int unsigned Open = daedalus_machine_pkg::OutstandingWrites;
  localparam int unsigned Bits = Open == 1 ? 1 : $clog2(Open);
  localparam int unsigned BeatShift = $clog2(W);

  // Issue.
  logic       generating_q, starts;
  logic [3:0] resting_class;

  issue u_issue (
    .head_valid_i, .wait_i(head_i.word[11:8]), .tokens_i, .free_i(!generating_q), .fault_i,
    .start_o(starts)
  );
  resting u_resting (.wait_i(head_i.word[11:8]), .tokens_i, .waiting_o, .class_o(resting_class));
  assign start_o = starts;
  assign base_o = head_i.word[35:32];

  // The address generator.
  daedalus_pkg::store_segment_t shown;
  logic [3:0] cause;
  logic [4:0] open_q;
  logic       segment_shown, is_shown, faulty, leaves, completes, response;

  store_segments u_segments (
    .clk_i, .rst_ni, .clear_i, .begin_i(starts), .issued_i(head_i),
    .base_address_i(base_i[63:0]), .base_limit_i(base_i[95:64]),
    .active_i(generating_q), .next_i(leaves), .shown_o(segment_shown), .segment_o(shown), .cause_o(cause)
  );
  assign is_shown = generating_q && segment_shown;
  assign faulty = is_shown && cause != daedalus_isa_pkg::FaultNone;
  assign leaves = is_shown && !faulty && open_q < 5'(Open);
  assign range_error_o.valid = faulty;
  assign range_error_o.cause = cause;
  assign range_error_o.index = shown.index;

  // The bursts on the bus. Where a burst and its first beat end in OUT is found as the burst leaves: the reader puts that row
  // on OUT's address in the cycle in which the burst comes to it.
  daedalus_pkg::store_burst_t burst, read;
  logic read_valid, read_end, discard;

  always_comb begin
    burst.segment = shown;
    burst.one_beat = shown.beats == 9'd1;
    burst.end_place = shown.scratch + 24'(shown.bytes) - 24'd1;
    burst.beat_end = burst.one_beat ? burst.end_place : shown.scratch + (24'(W - 1) ^ 24'(shown.address[BeatShift-1:0]));
  end

  write_channel u_write_channel (
    .clk_i, .rst_ni, .clear_i(drop_i), .timeout_i, .burst_valid_i(leaves && shown.burst), .burst_i(burst),
    .response_o(response), .bus_error_o, .drained_o, .outstanding_o, .read_valid_o(read_valid), .read_o(read),
    .read_end_i(read_end),
    .discard_o(discard), .awvalid_o, .awready_i, .awaddr_o, .awlen_o, .bvalid_i, .bready_o, .bresp_i
  );
  store_reader u_reader (
    .clk_i, .rst_ni, .burst_valid_i(read_valid), .burst_i(read), .discard_i(discard), .burst_end_o(read_end),
    .out_read_valid_o, .out_row_o, .out_data_i, .wvalid_o, .wready_i, .wdata_o, .wstrb_o, .wlast_o,
    .write_index_o
  );

  // Open segments, in order, and the responses that none of them has used.
  typedef struct packed {
    logic        burst;
    logic        last;
    logic [3:0]  signal;
    logic [31:0] index;
  } open_t;

  open_t                   front;
  logic [$bits(front)-1:0] segments [Open];  // open_t each
  logic [Bits-1:0]         read_q, write_q;
  logic [4:0]              responses_q;

  assign front = segments[read_q];
  assign completes = open_q != '0 && (!front.burst || responses_q != '0);
  assign retire_o.valid = completes && front.last;
  assign retire_o.signal = front.signal;
  assign retire_o.index = front.index;
  assign active_o = generating_q || open_q != '0;
  assign class_o = starts || generating_q ? daedalus_isa_pkg::CounterClassBusy : resting_class;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      generating_q  <= 1'b0;
      open_q        <= '0;
      responses_q   <= '0;
      read_q        <= '0;
      write_q       <= '0;
    end else if (clear_i) begin
      generating_q  <= 1'b0;
      open_q        <= '0;
      responses_q   <= '0;
      read_q        <= '0;
      write_q       <= '0;
    end else begin
      if (starts) begin
        generating_q <= 1'b1;
      end else begin
        if (faulty || (leaves && shown.last)) generating_q <= 1'b0;
      end
      if (leaves) write_q <= write_q == Bits'(Open - 1) ? '0 : write_q + Bits'(1);
      if (completes) read_q <= read_q == Bits'(Open - 1) ? '0 : read_q + Bits'(1);
      if (leaves != completes) open_q <= leaves ? open_q + 5'd1 : open_q - 5'd1;
      responses_q <= responses_q + 5'(response) - 5'(completes && front.burst);
    end
  end

  always_ff @(posedge clk_i) begin
    if (leaves) segments[write_q] <= {shown.burst, shown.last, shown.signal, shown.index};
  end

  logic unused;
  assign unused = ^{head_i.word[511:36], burst};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(starts && head_i.word[7:0] != daedalus_isa_pkg::OpcodeStore && head_i.word[7:0] != daedalus_isa_pkg::OpcodeMark
        && head_i.word[7:0] != daedalus_isa_pkg::OpcodeNop))
    else $error("STORE starts an instruction that it does not execute");
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(clear_i && !drop_i && (!drained_o || leaves)))
    else $error("a program begins while STORE has bursts of another one");
`endif

endmodule
