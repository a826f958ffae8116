/// The performance counters (R25): 40 bits for each class of each module. In every counted cycle one class of
/// each module counts; `first_i` marks cycle 0, which counts as idle everywhere.
module counters (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        first_i,   // cycle 0: clears, and counts itself
  input  logic        clear_i,   // RESET without START
  input  logic        count_i,   // this cycle counts
  input  logic [19:0] class_i,   // bits 4 m +: 4: class of module m in this cycle
  input  logic [5:0]  select_i,  // number of classes * m + c
  output logic [39:0] value_o
);

  localparam int unsigned Counters = daedalus_isa_pkg::RegCounterLoCount;
  localparam int unsigned Idle = 32'(daedalus_isa_pkg::CounterClassIdle);
  localparam int unsigned Classes = Idle + 1;  // it is the last class

  logic [39:0] counter_q [Counters];

  assign value_o = select_i < 6'(Counters) ? counter_q[select_i] : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < Counters; i++) counter_q[i] <= '0;
    end else if (first_i || clear_i) begin
      for (int i = 0; i < Counters; i++) counter_q[i] <= first_i && i % Classes == Idle ? 40'd1 : 40'd0;
    end else if (count_i) begin
      for (int m = 0; m < Counters / Classes; m++) begin
        counter_q[Classes*m+32'(class_i[4*m+:4])] <= counter_q[Classes*m+32'(class_i[4*m+:4])] + 40'd1;
      end
    end
  end

endmodule
