/// The next segment of a run as docs/timing.md says it (R13), in sums of 32 bits and without state: of `before_i` bytes of
/// fill, `data_i` bytes of data and `after_i` bytes of fill, those from byte `at_i` on, up to the end of their part; data
/// up to the next address that is a multiple of the longest burst or of 4096 bytes. The cutters of LOAD and STORE stand
/// for it.
module segments_golden #(
  parameter int unsigned Longest = 128
) (
  input  logic [16:0] before_i,
  input  logic [16:0] data_i,
  input  logic [16:0] after_i,
  input  logic [11:0] address_i,   // of the run's first byte, modulo 4096
  input  logic [16:0] at_i,
  output logic        is_data_o,
  output logic [31:0] bytes_o,
  output logic [31:0] in_burst_o,  // from the multiple of the longest burst to the first byte of data
  output logic        ends_o       // the run
);

  logic [31:0] at, begins, ends, first_byte, to_burst, to_page;

  always @(*) begin
    at = 32'(at_i);
    begins = 32'(before_i);
    ends = begins + 32'(data_i);
    is_data_o = at >= begins && at < ends;
    first_byte = 32'(address_i) + at;
    in_burst_o = first_byte % Longest;
    to_burst = Longest - in_burst_o;
    to_page = 32'd4096 - first_byte % 32'd4096;
    bytes_o = (at < begins ? begins : is_data_o ? ends : ends + 32'(after_i)) - at;
    if (is_data_o && bytes_o > to_burst) bytes_o = to_burst;
    if (is_data_o && bytes_o > to_page) bytes_o = to_page;
    ends_o = at + bytes_o == ends + 32'(after_i);
  end

endmodule
