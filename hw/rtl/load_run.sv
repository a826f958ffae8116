/// The parts of a LOAD's run (R13), in registers: fill before the data, data, fill after, in bytes; and the place of the
/// first byte of data in its stretch of 4096 bytes of DRAM. Bytes of the run with a column outside [0, extent_x), and all
/// of a run with a row outside [0, extent_y), are fill. Columns beyond 17 bits are outside, so short sums are enough.
module load_run (
  input  logic                    clk_i,
  input  logic                    take_i,
  input  daedalus_isa_pkg::load_t load_i,
  input  logic signed [55:0]      x_i,
  input  logic signed [55:0]      y_i,
  input  logic signed [17:0]      spare_i,    // extent_x - run_bytes
  input  logic [11:0]             address_i,  // of the run's first byte
  output logic [15:0]             before_o,
  output logic [15:0]             data_o,
  output logic [15:0]             after_o,
  output logic [11:0]             place_o
);

  logic               near, some, negative, whole;  // the run begins before column 0; it ends before extent_x
  logic signed [17:0] x, run, extent, first, data, after;

  // Each part is a sum of two for each of the four cases, not of another part: the sums are side by side.
  always_comb begin
    near = x_i[55:16] == '0 || x_i[55:16] == '1;
    x = x_i[17:0];
    run = {2'd0, load_i.run_bytes};
    extent = {2'd0, load_i.extent_x};
    negative = x < 0;
    whole = x < spare_i;
    first = x < 0 ? -x : '0;
    if (negative) data = whole ? run + x : extent;
    else data = whole ? run : extent - x;
    after = whole ? '0 : x - spare_i;
    some = near && y_i[55:16] == '0 && y_i[15:0] < load_i.extent_y
        && (negative ? (whole ? x > -run : extent != '0) : (whole ? run != '0 : x < extent));
    if (load_i.unbounded) begin
      first = '0;
      data = run;
      after = '0;
      some = 1'b1;
    end
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
