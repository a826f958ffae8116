/// The read side of the bus: arbiter, address register and owners of the beats (R11, R12). A request is granted
/// in its own cycle g, combinationally, and is on AR in g + 1. Of two requests the one not granted last wins;
/// LOAD counts as the last after START. While AR is stuck (the memory refuses it) nothing is granted.
/// Bursts answer in order. A beat is handed to its owner in its cycle on the bus; RREADY is always high, since
/// requests are made only for beats that have room.
/// `outstanding_o`: a burst was granted before this cycle, since the last clear, and its last beat was not. A timeout
/// (R29) is reported for the oldest.
/// After a clear, beats still owed are swallowed; `drained_o` says that none are.
module read_channel #(
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        timeout_i,
  input  logic                        fetch_valid_i,
  input  daedalus_pkg::read_request_t fetch_i,
  output logic                        fetch_granted_o,
  input  logic                        load_valid_i,
  input  daedalus_pkg::read_request_t load_i,
  output logic                        load_granted_o,
  // AXI4
  output logic                        arvalid_o,
  input  logic                        arready_i,
  output logic [63:0]                 araddr_o,
  output logic [7:0]                  arlen_o,
  input  logic                        rvalid_i,
  output logic                        rready_o,
  input  logic [8*W-1:0]              rdata_i,
  input  logic [1:0]                  rresp_i,
  input  logic                        rlast_i,
  // beats
  output logic                        fetch_beat_o,
  output logic                        load_beat_o,
  output logic                        beat_error_o,
  output logic [8*W-1:0]              beat_data_o,
  output daedalus_pkg::fault_report_t fetch_error_o,
  output daedalus_pkg::fault_report_t load_error_o,
  output logic                        outstanding_o,
  output logic                        drained_o
);

  // LOAD has at most OutstandingReads bursts, FETCH at most one for each place of its buffer.
  localparam int unsigned Owners = daedalus_machine_pkg::OutstandingReads + daedalus_machine_pkg::FetchBuffer;
  localparam int unsigned Width = $clog2(Owners + 1);
  localparam int unsigned PlaceBits = $clog2(Owners);
  localparam int unsigned BeatShift = $clog2(W);

  typedef struct packed {
    logic        load;   // else FETCH
    logic [31:0] index;
  } owner_t;

  owner_t             owner;
  logic [$bits(owner)-1:0] owners [Owners];     // owner_t each
  logic [PlaceBits-1:0] read_q, write_q;       // of owners
  logic [Width-1:0]   count_q, count;            // bursts whose last beat is to come; behind this cycle
  logic [Width-1:0]   swallow_q;                 // of those, granted before the last clear
  logic               last_load_q;               // LOAD was granted last
  logic               ar_valid_q;
  logic [63:0]        ar_address_q;
  logic [7:0]         ar_length_q;
  logic               drained_q;                 // there is none, nor an address on AR
  logic               reported_q;                // the burst's error is
  logic               stuck, granted, beat, last, swallow, fetch_fails, load_fails;
  daedalus_pkg::read_request_t request;

  assign stuck = ar_valid_q && !arready_i;
  assign fetch_granted_o = fetch_valid_i && !stuck && (!load_valid_i || last_load_q);
  assign load_granted_o = load_valid_i && !stuck && !fetch_granted_o;
  assign granted = fetch_granted_o || load_granted_o;
  assign request = load_granted_o ? load_i : fetch_i;

  assign arvalid_o = ar_valid_q;
  assign araddr_o = ar_address_q;
  assign arlen_o = ar_length_q;
  assign rready_o = 1'b1;

  assign owner = owners[read_q];
  assign beat = rvalid_i;
  assign last = rvalid_i && rlast_i;
  assign swallow = swallow_q != '0;
  assign fetch_beat_o = beat && !swallow && !owner.load;
  assign load_beat_o = beat && !swallow && owner.load;
  assign beat_error_o = rresp_i[1];
  assign beat_data_o = rdata_i;
  assign outstanding_o = count_q != swallow_q;
  assign drained_o = drained_q;
  always_comb begin
    count = count_q;
    if (granted != last) count = granted ? count_q + Width'(1) : count_q - Width'(1);
  end

  assign fetch_fails = fetch_beat_o && beat_error_o && !reported_q;
  assign load_fails = load_beat_o && beat_error_o && !reported_q;
  assign fetch_error_o.valid = fetch_fails || (timeout_i && !owner.load);
  assign fetch_error_o.cause = fetch_fails ? daedalus_isa_pkg::FaultBusError : daedalus_isa_pkg::FaultMemoryTimeout;
  assign fetch_error_o.index = owner.index;
  assign load_error_o.valid = load_fails || (timeout_i && owner.load);
  assign load_error_o.cause = load_fails ? daedalus_isa_pkg::FaultBusError : daedalus_isa_pkg::FaultMemoryTimeout;
  assign load_error_o.index = owner.index;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q       <= '0;
      write_q      <= '0;
      count_q      <= '0;
      swallow_q    <= '0;
      last_load_q  <= 1'b1;
      ar_valid_q   <= 1'b0;
      ar_address_q <= '0;
      ar_length_q  <= '0;
      drained_q    <= 1'b1;
      reported_q   <= 1'b0;
    end else begin
      if (clear_i) last_load_q <= 1'b1;
      else if (granted) last_load_q <= load_granted_o;
      if (granted) begin
        ar_valid_q   <= 1'b1;
        ar_address_q <= {request.address[63:BeatShift], {BeatShift{1'b0}}};
        ar_length_q  <= 8'(request.beats - 9'd1);
        write_q      <= write_q == PlaceBits'(Owners - 1) ? '0 : write_q + PlaceBits'(1);
      end else if (arready_i) begin
        ar_valid_q <= 1'b0;
      end
      if (last) read_q <= read_q == PlaceBits'(Owners - 1) ? '0 : read_q + PlaceBits'(1);
      count_q <= count;
      if (clear_i) swallow_q <= count;
      else if (swallow && last) swallow_q <= swallow_q - Width'(1);
      drained_q <= !granted && !stuck && (count_q == '0 || (last && count_q == Width'(1)));
      if (beat) reported_q <= !rlast_i && (reported_q || beat_error_o);
    end
  end

  always_ff @(posedge clk_i) begin
    if (granted) owners[write_q] <= {load_granted_o, request.index};
  end

  logic unused;
  assign unused = ^{rresp_i[0], request.address[BeatShift-1:0]};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(rvalid_i && count_q == '0))
    else $error("the memory sends a read beat that nobody asked for");
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(granted && {20'd0, request.address[11:BeatShift], {BeatShift{1'b0}}} + W * 32'(request.beats) > 4096))
    else $error("a read burst crosses a 4 KiB boundary");
`endif

endmodule
