/// The parts of a LOAD's run (R13), in registers: fill before the data, data, fill after, in bytes; and the place of the
/// first byte of data in its stretch of 4096 bytes of DRAM. Bytes of the run with a column outside [0, extent_x), and all
/// of a run with a row outside [0, extent_y), are fill. Columns beyond 17 bits are outside, so short sums are enough.
module load_run (
  input  logic                    clk_i,
  input  logic                    take_i,
  input  daedalus_isa_pkg::load_t load_i,
  input  logic signed [55:0]      x_i,
  input  logic signed [55:0]      y_i,
  input  logic [11:0]             address_i,  // of the run's first byte
  output logic [15:0]             before_o,
  output logic [15:0]             data_o,
  output logic [15:0]             after_o,
  output logic [11:0]             place_o
);

  logic               near, some;
  logic signed [17:0] x, run, first, reach, data, after;

  always_comb begin
    near = x_i[55:16] == '0 || x_i[55:16] == '1;
    x = x_i[17:0];
    run = {2'd0, load_i.run_bytes};
    first = x < 0 ? -x : '0;
    reach = $signed({2'd0, load_i.extent_x}) - x;
    if (reach > run) reach = run;
    some = near && y_i[55:16] == '0 && y_i[15:0] < load_i.extent_y && first < reach;
    if (load_i.unbounded) begin
      first = '0;
      reach = run;
      some = 1'b1;
    end
    data = reach - first;
    after = run - reach;
  end

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      before_o <= some ? first[15:0] : load_i.run_bytes;
      data_o   <= some ? data[15:0] : '0;
      after_o  <= some ? after[15:0] : '0;
      place_o  <= address_i + first[11:0];
    end
  end

  logic unused;
  assign unused = ^{load_i, first, data, after};

endmodule
