/// The counters of one module (R25), a memory with a row for each class and one incrementer. A cycle's class is
/// registered, its row is read in the cycle behind, and incremented and written in the next one, in which the count is
/// shown. Who reads a row that is being written takes what is written. A row that nothing has counted in since the last
/// clear shows zero, whatever it holds.
module counter_bank (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        first_i,     // cycle 0: clears, and counts as idle
  input  logic        clear_i,
  input  logic        count_i,
  input  logic [3:0]  class_i,
  input  logic        selected_i,  // else zero is shown
  input  logic [3:0]  select_i,
  output logic [39:0] value_o
);

  logic [39:0] counts [16];
  logic [15:0] counted_q;  // by class
  logic        count_q, writes_q;
  logic [3:0]  class_q, row_q;
  logic [39:0] old_q, next;

  assign next = old_q + 40'd1;
  assign value_o = selected_i && counted_q[select_i] ? (writes_q && row_q == select_i ? next : counts[select_i]) : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q   <= 1'b0;
      writes_q  <= 1'b0;
      counted_q <= '0;
    end else if (first_i || clear_i) begin
      count_q   <= first_i;
      writes_q  <= 1'b0;
      counted_q <= '0;
    end else begin
      count_q  <= count_i;
      writes_q <= count_q;
      if (count_q) counted_q[class_q] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    class_q <= first_i ? daedalus_isa_pkg::CounterClassIdle : class_i;
    row_q   <= class_q;
    old_q   <= writes_q && row_q == class_q ? next : counted_q[class_q] ? counts[class_q] : '0;
    if (writes_q) counts[row_q] <= next;
  end

endmodule
