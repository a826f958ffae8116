/// The queue before a module (R6, R7): a push in t is seen in t + 1, a pop in t frees its place in t + 1. What decides whether
/// the head starts, and the number of its base register, are in registers as well as in the memory. Where there is no
/// head, its wait mask is zero.
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
  logic [7:0]      early [Depth];              // base and wait mask of each
  logic [7:0]      pushed_early, next_early;
  logic [3:0]      base_q, wait_q;
  logic [Bits-1:0] read_q, write_q, next;
  logic [6:0] count_q, count;
  logic       valid_q, full_q, waits_q;  // there is a head; no place is free; others are behind the head
  logic       valid, full, waits;        // behind this cycle
  logic       enters_head;

  assign head_valid_o = valid_q;
  assign pushed_early = {pushed_i.word[35:32], pushed_i.word[11:8]};
  always_comb begin
    head_o = places[read_q];
    head_o.word[35:32] = base_q;
    head_o.word[11:8] = wait_q;
  end
  assign full_o = full_q;
  assign enters_head = push_i && (!valid_q || (pop_i && !waits_q));
  assign next_early = early[next];
  assign next = read_q == Bits'(Depth - 1) ? '0 : read_q + Bits'(1);
  // For what comes and what goes by itself: both are known late.
  always_comb begin
    {count, valid, full, waits} = {count_q, valid_q, full_q, waits_q};
    if (push_i && !pop_i) begin
      {count, valid, waits} = {count_q + 7'd1, 1'b1, valid_q};
      full = count_q == 7'(Depth - 1);
    end
    if (pop_i && !push_i) begin
      {count, valid, full} = {count_q - 7'd1, waits_q, 1'b0};
      waits = count_q > 7'd2;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
      valid_q <= 1'b0;
      full_q  <= 1'b0;
      waits_q <= 1'b0;
      wait_q  <= '0;
    end else if (clear_i) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
      valid_q <= 1'b0;
      full_q  <= 1'b0;
      waits_q <= 1'b0;
      wait_q  <= '0;
    end else begin
      if (push_i) write_q <= write_q == Bits'(Depth - 1) ? '0 : write_q + Bits'(1);
      if (pop_i) read_q <= next;
      count_q <= count;
      valid_q <= valid;
      full_q  <= full;
      waits_q <= waits;
      if (enters_head) wait_q <= pushed_early[3:0];
      else if (pop_i) wait_q <= waits_q ? next_early[3:0] : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) places[write_q] <= pushed_i;
    if (push_i) early[write_q] <= pushed_early;
    if (enters_head) base_q <= pushed_early[7:4];
    else if (pop_i) base_q <= next_early[7:4];
  end

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni || clear_i) !(push_i && full_o))
    else $error("an instruction is pushed into a full queue");
  assert property (@(posedge clk_i) disable iff (!rst_ni || clear_i) !(pop_i && !head_valid_o))
    else $error("an instruction is popped from an empty queue");
`endif

endmodule
