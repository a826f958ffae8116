/// The end of a pipeline that never stands still: what comes out of it is shown, in order, each until it is taken, and the
/// next one from the cycle behind on: `next_o`, if there is one. `room_o`: another one may enter the pipeline, Stages
/// cycles before it comes out; so many places are kept that one can be taken each cycle.
module shown_queue #(
  parameter int unsigned Stages = 2,  // from `enter_i` to `valid_i`
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  logic             enter_i,
  input  logic             valid_i,
  input  logic [Width-1:0] data_i,
  input  logic             take_i,
  output logic             room_o,
  output logic             shown_o,
  output logic [Width-1:0] data_o,
  output logic [Width-1:0] next_o    // what `data_o` becomes where nothing is shown, or it is taken
);

  localparam int unsigned Places = Stages + 2;
  localparam int unsigned Bits = $clog2(Places + 1);

  logic [Bits-1:0]  count_q;   // entered and not taken
  logic [Bits-1:0]  read_q, write_q;
  logic [Width-1:0] waiting [1 << Bits];
  logic             waits, moves;

  assign room_o = count_q != Bits'(Places);
  assign waits = read_q != write_q;
  assign moves = !shown_o || take_i;
  assign next_o = waits ? waiting[read_q] : data_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      read_q  <= '0;
      write_q <= '0;
      shown_o <= 1'b0;
    end else if (clear_i) begin
      count_q <= '0;
      read_q  <= '0;
      write_q <= '0;
      shown_o <= 1'b0;
    end else begin
      if (enter_i != take_i) count_q <= enter_i ? count_q + Bits'(1) : count_q - Bits'(1);
      if (moves && waits) read_q <= read_q + Bits'(1);
      if (valid_i && !(moves && !waits)) write_q <= write_q + Bits'(1);
      if (moves) shown_o <= waits || valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) waiting[write_q] <= data_i;
    if (moves) data_o <= next_o;
  end

endmodule
