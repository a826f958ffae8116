/// One RAM of a scratchpad: rows of Slices * SliceBytes bytes; a write goes to one slice of a row with byte
/// enables, a read takes a whole row. A read that is presented in a has its data from a + 1 on until the next
/// read; a write of the same cycle is not seen by it. Contents survive a clear.
module scratchpad_memory #(
  parameter int unsigned Rows = 16,
  parameter int unsigned Slices = 1,
  parameter int unsigned SliceBytes = 16,
  parameter int unsigned Readers = 1,
  parameter bit          Enables = 1'b1,  // else a write goes to all bytes of the slice
  localparam int unsigned RowBits = Rows == 1 ? 1 : $clog2(Rows),
  localparam int unsigned SliceBits = Slices == 1 ? 1 : $clog2(Slices),
  localparam int unsigned Width = 8 * Slices * SliceBytes
) (
  input  logic                       clk_i,
  input  logic                       write_valid_i,
  input  logic [RowBits-1:0]         write_row_i,
  input  logic [SliceBits-1:0]       write_slice_i,
  input  logic [SliceBytes-1:0]      write_enable_i,
  input  logic [8*SliceBytes-1:0]    write_data_i,
  input  logic [Readers-1:0]         read_valid_i,
  input  logic [Readers*RowBits-1:0] read_row_i,
  output logic [Readers*Width-1:0]   read_data_o
);

  logic [Width-1:0] mem [Rows] /* verilator public_flat_rw */;  // for tests: what a scratchpad holds

  // One process, reads first: a write is not seen by the reads of its cycle. Blocking assignments to `mem` keep
  // simulation from scheduling every byte of every memory in every cycle.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    for (int r = 0; r < Readers; r++) begin
      if (read_valid_i[r]) read_data_o[Width*r+:Width] <= mem[read_row_i[RowBits*r+:RowBits]];
    end
    if (write_valid_i) begin
      if (Slices == 1 && !Enables) begin
        mem[write_row_i][8*SliceBytes-1:0] = write_data_i;
      end else begin
        for (int i = 0; i < SliceBytes; i++) begin
          if (write_enable_i[i]) begin
            mem[write_row_i][8*SliceBytes*32'(write_slice_i)+8*i+:8] = write_data_i[8*i+:8];
          end
        end
      end
    end
  end
  /* verilator lint_on BLKSEQ */

  logic unused;
  assign unused = ^{write_slice_i, write_enable_i};

endmodule
