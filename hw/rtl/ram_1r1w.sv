/// The one memory of the accelerator: rows of Bytes bytes, one write and one read in a cycle. A write goes to the bytes
/// that are enabled, or to the whole row without `Enables`; a read that is presented in a has its data from a + 1 on,
/// until the next read. What a read gives that meets a write of its row in its cycle is not defined: in simulation it
/// is a random value. `Forwards` says that whoever instantiates the memory expects that, takes no such value, and asserts
/// what may meet; without it no read meets a write (asserted). Contents survive a clear.
/// FPGA tools map it to block RAMs, of at most 16 rows to those of LUTs; hw/asic/macros.py writes it for the memories of a chip.
module ram_1r1w #(
  parameter int unsigned Rows = 16,
  parameter int unsigned Bytes = 16,
  parameter bit          Enables = 1'b0,
  parameter bit          Forwards = 1'b0,
  localparam int unsigned RowBits = Rows == 1 ? 1 : $clog2(Rows)
) (
  input  logic               clk_i,
  input  logic               write_valid_i,
  input  logic [RowBits-1:0] write_row_i,
  input  logic [Bytes-1:0]   write_enable_i,
  input  logic [8*Bytes-1:0] write_data_i,
  input  logic               read_valid_i,
  input  logic [RowBits-1:0] read_row_i,
  output logic [8*Bytes-1:0] read_data_o
);

  (* no_rw_check, ram_style = Rows <= 16 ? "distributed" : "block" *)
  logic [8*Bytes-1:0] mem [Rows] /* verilator public_flat_rw */;  // for tests: what a scratchpad holds

`ifndef SYNTHESIS
  logic meets;
  assign meets = read_valid_i && write_valid_i && read_row_i == write_row_i;
`endif

  // Simulation has one process, and blocking assignments to `mem`: it does not schedule every byte of every memory in
  // every cycle. Synthesis has a process for each byte: of the loop yosys makes a chain of as many writes of whole rows,
  // whose width times their number is most of its time.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (read_valid_i) read_data_o <= mem[read_row_i];
`ifndef SYNTHESIS
    if (meets) read_data_o <= (8*Bytes)'({((Bytes + 3) / 4){$urandom}});
    if (write_valid_i) begin
      if (!Enables) begin
        mem[write_row_i] = write_data_i;
      end else begin
        for (int i = 0; i < Bytes; i++) begin
          if (write_enable_i[i]) mem[write_row_i][8*i+:8] = write_data_i[8*i+:8];
        end
      end
    end
`endif
  end
  /* verilator lint_on BLKSEQ */
`ifdef SYNTHESIS
  for (genvar i = 0; i < Bytes; i++) begin : gen_byte
    always_ff @(posedge clk_i) begin
      if (write_valid_i && (!Enables || write_enable_i[i])) mem[write_row_i][8*i+:8] <= write_data_i[8*i+:8];
    end
  end
`endif

`ifndef SYNTHESIS
  if (!Forwards) begin : gen_assert
    assert property (@(posedge clk_i) !meets) else $error("race: a scratchpad's row is read in the cycle in which it is written");
  end
`endif

  logic unused;
  assign unused = ^write_enable_i;

endmodule
