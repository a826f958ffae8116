/// Receives bytes from a UART line: eight data bits, lowest first, no parity, one stop bit, Divider cycles of clk_i a bit.
/// A byte stands on `data_o` until it is taken. `lost_o` is high for a cycle where a byte had no stop bit, or came while the
/// one before it was still there; it is dropped. `active_o`: a byte is on the line.
module uart_rx #(
  parameter int unsigned Divider = 25  // at least 2
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       line_i,
  output logic       valid_o,
  input  logic       ready_i,
  output logic [7:0] data_o,
  output logic       lost_o,
  output logic       active_o
);

  localparam int unsigned TimerBits = $clog2(Divider);
  localparam logic [3:0]  Start = 4'd10;    // bits left with the one on the line: the start bit ...
  localparam logic [3:0]  Stop = 4'd1;      // ... the stop bit
  localparam logic [3:0]  Idle = 4'd0;
  localparam logic [3:0]  Broken = 4'd11;   // the line stayed low, and has to rise

  logic [1:0]           line_q;             // synchronizer
  logic                 line, samples, ends;
  logic [3:0]           left_q;
  logic [TimerBits-1:0] timer_q;
  logic [7:0]           shift_q;

  assign line = line_q[1];
  assign active_o = left_q != Idle && left_q != Broken;
  assign samples = active_o && timer_q == '0;
  assign ends = samples && left_q == Stop;
  assign lost_o = ends && (!line || (valid_o && !ready_i));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_q  <= '1;
      left_q  <= Idle;
      timer_q <= '0;
      valid_o <= 1'b0;
    end else begin
      line_q  <= {line_q[0], line_i};
      timer_q <= timer_q == '0 ? TimerBits'(Divider - 1) : timer_q - TimerBits'(1);
      if (left_q == Idle) begin
        timer_q <= TimerBits'(Divider / 2 - 1);
        if (!line) left_q <= Start;
      end else if (left_q == Broken) begin
        if (line) left_q <= Idle;
      end else if (samples) begin
        if (left_q == Start && line) left_q <= Idle;  // a glitch
        else if (ends && !line) left_q <= Broken;
        else left_q <= left_q - 4'd1;
      end
      valid_o <= (valid_o && !ready_i) || (ends && line);
    end
  end

  always_ff @(posedge clk_i) begin
    if (samples) shift_q <= {line, shift_q[7:1]};
    if (ends && !lost_o) data_o <= shift_q;
  end

endmodule
