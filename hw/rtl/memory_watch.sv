/// Patience with the memory (R29). A side of the bus, read or write, is silent in a cycle in which the memory owes
/// something there and no handshake of its channels takes place; a timeout says that each of the MemoryTimeoutCycles
/// cycles before this one was silent. It depends on registers alone.
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

  assign read_timeout_o = read_silent_q == Bits'(Patience);
  assign write_timeout_o = write_silent_q == Bits'(Patience);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_silent_q  <= '0;
      write_silent_q <= '0;
    end else begin
      read_silent_q  <= owes_reads_i && !read_handshake_i && !read_timeout_o ? read_silent_q + Bits'(1) : '0;
      write_silent_q <= owes_writes_i && !write_handshake_i && !write_timeout_o ? write_silent_q + Bits'(1) : '0;
    end
  end

endmodule
