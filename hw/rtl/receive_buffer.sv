/// The beats that LOAD has received and not written (R16): a beat on the bus in r can be taken from r +
/// ReceiveLatency on, in order. The address generator keeps it from overflowing (R14, asserted).
module receive_buffer #(
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           clear_i,
  input  logic           beat_valid_i,
  input  logic [8*W-1:0] beat_data_i,
  input  logic           take_i,
  output logic           available_o,
  output logic [8*W-1:0] data_o
);

  localparam int unsigned Beats = daedalus_machine_pkg::ReceiveBeats;
  localparam int unsigned Delay = daedalus_machine_pkg::ReceiveLatency;
  localparam int unsigned Bits = $clog2(Beats + 1);
  localparam int unsigned PlaceBits = Beats == 1 ? 1 : $clog2(Beats);

  logic [8*W-1:0]  beats [Beats];
  logic [PlaceBits-1:0] read_q, write_q;
  logic [Bits-1:0] available_q;
  logic [Delay:0]  arriving;   // bit i: a beat was on the bus i cycles ago
  logic            arrives;

  assign arriving[0] = beat_valid_i;
  if (Delay > 1) begin : gen_delay
    logic [Delay-2:0] arriving_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) arriving_q <= '0;
      else if (clear_i) arriving_q <= '0;
      else arriving_q <= arriving[Delay-2:0];
    end
    assign arriving[Delay-1:1] = arriving_q;
  end
  assign arriving[Delay] = 1'b0;
  assign arrives = arriving[Delay-1];
  assign available_o = available_q != '0;
  assign data_o = beats[read_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q      <= '0;
      write_q     <= '0;
      available_q <= '0;
    end else if (clear_i) begin
      read_q      <= '0;
      write_q     <= '0;
      available_q <= '0;
    end else begin
      if (beat_valid_i) write_q <= write_q == PlaceBits'(Beats - 1) ? '0 : write_q + PlaceBits'(1);
      if (take_i) read_q <= read_q == PlaceBits'(Beats - 1) ? '0 : read_q + PlaceBits'(1);
      if (arrives != take_i) available_q <= arrives ? available_q + Bits'(1) : available_q - Bits'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_valid_i) beats[write_q] <= beat_data_i;
  end

  logic unused;
  assign unused = arriving[Delay];

`ifndef SYNTHESIS
  logic [Bits-1:0] held_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else if (clear_i) held_q <= '0;
    else held_q <= held_q + Bits'(beat_valid_i) - Bits'(take_i);
  end
  assert property (@(posedge clk_i) disable iff (!rst_ni || clear_i) !(beat_valid_i && held_q == Bits'(Beats)))
    else $error("a beat arrives at a full receive buffer");
`endif

endmodule
