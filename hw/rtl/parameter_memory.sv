/// PARAM, twice. `u_narrow` holds all of it in rows of N bytes, the operands of elementwise operations. `u_wide` holds the
/// bytes that requantization reads, 9 of each lane's 16 (bias, multiplier, shift), in rows for N lanes. LOAD writes N
/// bytes to both; VECTOR reads a wide row or a narrow one. Data come in the cycle after the read, until
/// the next one. Of a row outside, which is a fault, they are anything.
module parameter_memory #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned Rows = daedalus_machine_pkg::ParamBytes / (16 * N),
  localparam int unsigned Bits = Rows == 1 ? 1 : $clog2(Rows),
  localparam int unsigned Used = 9
) (
  input  logic                clk_i,
  input  logic                write_valid_i,
  input  logic [Bits-1:0]     write_row_i,     // of 16 N bytes
  input  logic [3:0]          write_slice_i,   // and which N of them
  input  logic [N-1:0]        write_enable_i,
  input  logic [8*N-1:0]      write_data_i,
  input  logic                read_wide_i,
  input  logic                read_narrow_i,
  input  logic [15:0]         read_row_i,
  input  logic [3:0]          read_slice_i,
  output logic [8*Used*N-1:0] wide_o,          // Used bytes a lane
  output logic [8*N-1:0]      narrow_o
);

  localparam int unsigned NarrowBits = $clog2(16 * Rows);

  logic [Used*N-1:0]   enable;
  logic [8*Used*N-1:0] data;

  for (genvar i = 0; i < N; i++) begin : gen_lane
    for (genvar b = 0; b < Used; b++) begin : gen_byte
      localparam int unsigned Byte = 16 * i + b;  // of the row
      assign enable[Used*i+b] = write_slice_i == 4'(Byte / N) && write_enable_i[Byte%N];
      assign data[8*(Used*i+b)+:8] = write_data_i[8*(Byte%N)+:8];
    end
  end

  ram_1r1w #(.Rows(Rows), .Bytes(Used * N), .Enables(1'b1), .Forwards(1'b1)) u_wide (
    .clk_i, .write_valid_i, .write_row_i, .write_enable_i(enable), .write_data_i(data), .read_valid_i(read_wide_i),
    .read_row_i(Bits'(read_row_i)), .read_data_o(wide_o)
  );
  ram_1r1w #(.Rows(16 * Rows), .Bytes(N), .Enables(1'b1), .Forwards(1'b1)) u_narrow (
    .clk_i, .write_valid_i, .write_row_i(NarrowBits'({write_row_i, write_slice_i})), .write_enable_i, .write_data_i,
    .read_valid_i(read_narrow_i), .read_row_i(NarrowBits'({read_row_i, read_slice_i})), .read_data_o(narrow_o)
  );

`ifndef SYNTHESIS
  assert property (@(posedge clk_i)
      !(write_valid_i && read_row_i == 16'(write_row_i)
        && (read_wide_i || (read_narrow_i && read_slice_i == write_slice_i))))
    else $error("race: a scratchpad's row is read in the cycle in which it is written");
`endif

endmodule
