/// The parts of a LOAD's run (R13), in registers: fill before the data, data, fill after, in bytes; the place of the first
/// byte of data in its stretch of 4096 bytes of DRAM; and which parts there are, and whether one burst may cover the data.
/// Bytes of the run with a column outside [0, extent_x), and all of a run with a row outside [0, extent_y), are fill.
/// Columns beyond 17 bits are outside, so short sums are enough.
module load_run #(
  localparam int unsigned Longest = daedalus_machine_pkg::MaxBurstBeats * daedalus_machine_pkg::BusBytes
) (
  input  logic                    clk_i,
  input  logic                    take_i,
  input  daedalus_isa_pkg::load_t load_i,
  input  logic signed [55:0]      x_i,
  input  logic signed [55:0]      y_i,
  input  logic signed [17:0]      spare_i,        // extent_x - run_bytes
  input  logic [15:0]             run_less_i,     // run_bytes - 1
  input  logic signed [17:0]      extent_less_i,  // extent_x - 1
  input  logic [11:0]             address_i,      // of the run's first byte
  output logic [15:0]             before_o,
  output logic [15:0]             data_o,
  output logic [15:0]             after_o,
  output logic [11:0]             place_o,
  output logic                    is_before_o,  // there is fill before the data
  output logic                    is_data_o,
  output logic                    is_after_o,   // there is fill behind data
  output logic                    fits_o        // one burst may cover the data
);

  localparam int unsigned LongestBits = $clog2(Longest);

  logic               near, some, negative, whole, fits;  // the run begins before column 0; it ends before extent_x
  logic signed [17:0] x, run, extent, first, data, after;
  logic signed [17:0] to_edge;    // columns from the run's first one to the tensor's last one, without it
  logic signed [17:0] data_less;  // bytes of data, one less
  logic [12:0]        place, last;  // of data's first byte, and of its last one

  // Each part is a sum of two for each of the four cases, not of another part: the sums are side by side.
  always_comb begin
    x = x_i[17:0];
    run = {2'd0, load_i.run_bytes};
    extent = {2'd0, load_i.extent_x};
    negative = x < 0 && !load_i.unbounded;
    whole = x <= spare_i || load_i.unbounded;
    near = (x_i[55:16] == '0 || x_i[55:16] == '1) && y_i[55:16] == '0 && y_i[15:0] < load_i.extent_y;
    first = negative ? -x : '0;
    if (negative) data = whole ? run + x : extent;
    else data = whole ? run : extent - x;
    after = whole ? '0 : x - spare_i;
    some = (near || load_i.unbounded)
        && (negative ? (whole ? x > -run : extent != '0) : (whole ? run != '0 : x < extent));
  end

  // One burst covers data that is not longer than that and ends in the stretch in which it begins, both by places.
  always_comb begin
    place = negative ? 13'(address_i) - x[12:0] : 13'(address_i);
    to_edge = extent_less_i - x;
    last = whole ? 13'(address_i) + run_less_i[12:0] : 13'(address_i) + to_edge[12:0];
    if (negative) data_less = whole ? {2'd0, run_less_i} + x : extent_less_i;
    else data_less = whole ? {2'd0, run_less_i} : to_edge;
    fits = data_less[15:0] >> LongestBits == '0 && place[LongestBits] == last[LongestBits];
  end

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      before_o    <= some ? first[15:0] : load_i.run_bytes;
      data_o      <= some ? data[15:0] : '0;
      after_o     <= some ? after[15:0] : '0;
      place_o     <= place[11:0];
      is_before_o <= some ? negative : load_i.run_bytes != '0;
      is_data_o   <= some;
      is_after_o  <= some && !whole;
      fits_o      <= fits;
    end
  end

  logic unused;
  assign unused = ^{load_i, first, data, after, data_less, place, last};

endmodule
