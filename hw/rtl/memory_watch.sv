/// Patience with the memory (R29). A side of the bus, read or write, is silent in a cycle in which the memory owes
/// something there and no handshake of its channels takes place; a timeout says that each of the MemoryTimeoutCycles
/// cycles before this one was silent. It is a register, as much depends on it.
module memory_watch (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic owes_reads_i,       // an address that is not taken, or beats
  input  logic read_handshake_i,   // on AR or R
  input  logic owes_writes_i,      // an address or beats that are not taken, or responses
  input  logic write_handshake_i,  // on AW, W or B
  output logic read_timeout_o,
  output logic write_timeout_o
);

  localparam int unsigned Patience = daedalus_machine_pkg::MemoryTimeoutCycles;
  localparam int unsigned Bits = $clog2(Patience + 1);

  logic [Bits-1:0] read_silent_q, write_silent_q;

  logic            reads_silent, writes_silent;

  assign reads_silent = owes_reads_i && !read_handshake_i && !read_timeout_o;
  assign writes_silent = owes_writes_i && !write_handshake_i && !write_timeout_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_silent_q   <= '0;
      write_silent_q  <= '0;
      read_timeout_o  <= 1'b0;
      write_timeout_o <= 1'b0;
    end else begin
      read_silent_q   <= reads_silent ? read_silent_q + Bits'(1) : '0;
      write_silent_q  <= writes_silent ? write_silent_q + Bits'(1) : '0;
      read_timeout_o  <= reads_silent && read_silent_q == Bits'(Patience - 1);
      write_timeout_o <= writes_silent && write_silent_q == Bits'(Patience - 1);
    end
  end

endmodule
