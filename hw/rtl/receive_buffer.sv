/// The beats that LOAD has received and not written (R16): a beat on the bus in r can be taken from r +
/// ReceiveLatency - 1 on, in order; it is written a cycle later. It passes ReceiveLatency - 3 registers on its way to a
/// memory whose read is registered: the beat behind the one that is taken is read in the same cycle.
/// The address generator keeps it from overflowing (R14, asserted).
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
  localparam int unsigned Least = 3;
  localparam int unsigned More = daedalus_machine_pkg::ReceiveLatency - Least;
  localparam int unsigned Bits = $clog2(Beats + 1);
  localparam int unsigned PlaceBits = Beats == 1 ? 1 : $clog2(Beats);

  logic                 arrives;
  logic [8*W-1:0]       beat;
  logic [8*W-1:0]       beats [Beats];
  logic [PlaceBits-1:0] read_q, write_q, read;  // `read`: the place of the beat that can be taken in the next cycle
  logic [Bits-1:0]      available_q;
  logic                 arrived_q;

  delay #(.Stages(More), .Width(8 * W)) u_more (
    .clk_i, .rst_ni, .clear_i, .valid_i(beat_valid_i), .data_i(beat_data_i), .valid_o(arrives), .data_o(beat)
  );

  function automatic logic [PlaceBits-1:0] after(input logic [PlaceBits-1:0] place);
    after = place == PlaceBits'(Beats - 1) ? '0 : place + PlaceBits'(1);
  endfunction

  assign available_o = available_q != '0;
  assign read = take_i ? after(read_q) : read_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q      <= '0;
      write_q     <= '0;
      arrived_q   <= 1'b0;
      available_q <= '0;
    end else if (clear_i) begin
      read_q      <= '0;
      write_q     <= '0;
      arrived_q   <= 1'b0;
      available_q <= '0;
    end else begin
      if (arrives) write_q <= after(write_q);
      arrived_q <= arrives;
      read_q <= read;
      if (arrived_q != take_i) available_q <= arrived_q ? available_q + Bits'(1) : available_q - Bits'(1);
    end
  end

  // A beat that is written in this cycle is not read in it, and not available in the next.
  always_ff @(posedge clk_i) begin
    if (arrives) beats[write_q] <= beat;
    data_o <= beats[read];
  end

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
