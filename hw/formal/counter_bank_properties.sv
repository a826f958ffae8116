/// What the counters of a module promise, proved for every class and every host: in each cycle the counter that is looked
/// at is the number of cycles that its class has counted since the last clear, the one before not included, and cycle 0
/// counts as idle.
module counter_bank_properties (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       first_i,
  input logic       clear_i,
  input logic       count_i,
  input logic [3:0] class_i,
  input logic [3:0] select_i   // the counter that is looked at
);

  logic [39:0] value, expected_q = '0;
  logic        counted_q = 1'b0;  // the cycle before counted
  logic        before_q = 1'b0;
  logic [3:0]  select_q;

  counter_bank u_dut (
    .clk_i, .rst_ni, .first_i, .clear_i, .count_i, .class_i, .selected_i(1'b1), .select_i, .value_o(value)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {counted_q, expected_q} <= '0;
    else if (first_i || clear_i) {counted_q, expected_q} <= {first_i && select_i == daedalus_isa_pkg::CounterClassIdle, 40'd0};
    else {counted_q, expected_q} <= {count_i && class_i == select_i, expected_q + 40'(counted_q)};
  end
  always_ff @(posedge clk_i) begin
    before_q <= 1'b1;
    select_q <= select_i;
  end

  always @(*) begin
    if (!before_q) assume (!rst_ni);  // it begins with a reset
    if (before_q) begin
      assume (select_i == select_q);
      assert (value == expected_q);
    end
  end

endmodule
