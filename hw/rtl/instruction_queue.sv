/// The queue before a module (R6, R7): a push in t is seen in t + 1, a pop in t frees its place in t + 1.
/// Assumes no push when full and no pop when empty (asserted).
module instruction_queue (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  logic                  push_i,
  input  daedalus_pkg::issued_t pushed_i,
  input  logic                  pop_i,
  output logic                  head_valid_o,
  output daedalus_pkg::issued_t head_o,
  output logic                  full_o
);

  localparam int unsigned Depth = daedalus_machine_pkg::QueueDepth;
  localparam int unsigned Bits = Depth == 1 ? 1 : $clog2(Depth);

  logic [$bits(pushed_i)-1:0] places [Depth];  // issued_t each
  logic [Bits-1:0] read_q, write_q;
  logic [6:0] count_q;

  assign head_valid_o = count_q != '0;
  assign head_o = places[read_q];
  assign full_o = count_q == 7'(Depth);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else if (clear_i) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (push_i) write_q <= write_q == Bits'(Depth - 1) ? '0 : write_q + Bits'(1);
      if (pop_i) read_q <= read_q == Bits'(Depth - 1) ? '0 : read_q + Bits'(1);
      if (push_i != pop_i) count_q <= push_i ? count_q + 7'd1 : count_q - 7'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) places[write_q] <= pushed_i;
  end

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni || clear_i) !(push_i && full_o))
    else $error("an instruction is pushed into a full queue");
  assert property (@(posedge clk_i) disable iff (!rst_ni || clear_i) !(pop_i && !head_valid_o))
    else $error("an instruction is popped from an empty queue");
`endif

endmodule
