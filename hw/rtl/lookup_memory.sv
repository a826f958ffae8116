/// LUT: tables of 256 bytes. LOAD writes slices of N bytes; VECTOR looks up one entry a lane in one table, each
/// lane with a read port of its own. Data come in the cycle after the read, until the next one.
module lookup_memory #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned Bytes = daedalus_machine_pkg::LutBytes,
  localparam int unsigned Bits = $clog2(Bytes)
) (
  input  logic            clk_i,
  input  logic            write_valid_i,
  input  logic [Bits-1:0] write_address_i,  // of the slice's first byte
  input  logic [N-1:0]    write_enable_i,
  input  logic [8*N-1:0]  write_data_i,
  input  logic            read_valid_i,
  input  logic [2:0]      table_i,
  input  logic [8*N-1:0]  index_i,
  output logic [8*N-1:0]  data_o
);

  logic [7:0] mem [Bytes] /* verilator public_flat_rw */;  // for tests: what LUT holds

  // As in scratchpad_memory.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (read_valid_i) begin
      for (int i = 0; i < N; i++) data_o[8*i+:8] <= mem[Bits'({table_i, index_i[8*i+:8]})];
    end
    if (write_valid_i) begin
      for (int i = 0; i < N; i++) begin
        if (write_enable_i[i]) mem[write_address_i+Bits'(i)] = write_data_i[8*i+:8];
      end
    end
  end
  /* verilator lint_on BLKSEQ */

endmodule
