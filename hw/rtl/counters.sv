/// The performance counters (R25): 40 bits for each class of each module. In every counted cycle one class of
/// each module counts; `first_i` marks cycle 0, which counts as idle everywhere. A count is seen two cycles behind
/// the one that is counted; the registers show none before.
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

  localparam int unsigned Classes = 32'(daedalus_isa_pkg::CounterClassIdle) + 1;  // it is the last class
  localparam int unsigned Modules = daedalus_isa_pkg::RegCounterLoCount / Classes;

  logic [40*Modules-1:0] values;

  for (genvar m = 0; m < Modules; m++) begin : gen_module
    logic       selected;  // a class of this module is
    logic [3:0] row;       // which one

    always_comb begin
      selected = 1'b0;
      row = '0;
      for (int c = 0; c < Classes; c++) begin
        if (select_i == 6'(Classes * m + c)) {selected, row} = {1'b1, 4'(c)};
      end
    end
    counter_bank u_bank (
      .clk_i, .rst_ni, .first_i, .clear_i, .count_i, .class_i(class_i[4*m+:4]),
      .selected_i(selected), .select_i(row), .value_o(values[40*m+:40])
    );
  end

  always_comb begin
    value_o = '0;
    for (int m = 0; m < Modules; m++) value_o = value_o | values[40*m+:40];
  end

endmodule
