/// Sends bytes over a UART line: eight data bits, lowest first, no parity, one stop bit, Divider cycles of clk_i a bit.
module uart_tx #(
  parameter int unsigned Divider = 25  // at least 2
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,
  output logic       line_o
);

  localparam int unsigned TimerBits = $clog2(Divider);

  logic [9:0]           shift_q;  // the bit on the line, and those behind it
  logic [3:0]           left_q;   // bits that have not ended
  logic [TimerBits-1:0] timer_q;

  assign ready_o = left_q == '0;
  assign line_o = shift_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shift_q <= '1;
      left_q  <= '0;
      timer_q <= '0;
    end else if (ready_o) begin
      timer_q <= TimerBits'(Divider - 1);
      if (valid_i) begin
        shift_q <= {1'b1, data_i, 1'b0};
        left_q  <= 4'd10;
      end
    end else if (timer_q != '0) begin
      timer_q <= timer_q - TimerBits'(1);
    end else begin
      timer_q <= TimerBits'(Divider - 1);
      shift_q <= {1'b1, shift_q[9:1]};
      left_q  <= left_q - 4'd1;
    end
  end

endmodule
