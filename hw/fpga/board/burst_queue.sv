/// The bursts that a memory was asked for, in order: what is pushed in t is shown from t + 1 on. A push that finds no room is
/// ignored.
module burst_queue #(
  parameter int unsigned Places = 32,  // a power of two
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  output logic             room_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             pop_i,
  output logic [Width-1:0] data_o
);

  localparam int unsigned Bits = $clog2(Places);

  logic [Width-1:0] places [Places];
  logic [Bits:0]    write_q, read_q;  // one bit more than a place has: full and empty differ

  assign valid_o = write_q != read_q;
  assign room_o = write_q != {!read_q[Bits], read_q[Bits-1:0]};
  assign data_o = places[read_q[Bits-1:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
    end else begin
      write_q <= write_q + (Bits + 1)'(push_i && room_o);
      read_q  <= read_q + (Bits + 1)'(pop_i && valid_o);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i && room_o) places[write_q[Bits-1:0]] <= data_i;
  end

endmodule
