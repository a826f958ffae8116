/// VECTOR's reads (R27): what the scopes serve in a phase of an iteration. The old destination of a reduction is read
/// six cycles behind: then the phase, of one, two or three, is the last one again, in which ACC's port is free.
/// Combinational.
module vector_reads (
  input  daedalus_pkg::vector_reads_t reads_i,     // of the instruction
  input  logic                      iterates_i,
  input  logic [1:0]                phase_i,
  input  logic [15:0]               a_row_i,
  input  logic [15:0]               b_row_i,
  input  logic                      old_valid_i,   // a row that needs its old destination is six cycles behind its issue
  input  logic [15:0]               old_row_i,
  output logic                      read_a_o,      // in this cycle
  output logic                      read_b_o,
  output logic                      inp_read_valid_o,
  output logic [15:0]               inp_read_row_o,
  output logic                      acc_read_valid_o,
  output logic [15:0]               acc_read_row_o,
  output logic                      param_wide_valid_o,   // of requantization
  output logic                      param_narrow_valid_o,
  output logic [15:0]               param_row_o        // of 16 N bytes
);

  logic a_is_param, b_is_param;

  assign read_a_o = iterates_i && (phase_i == '0 || reads_i.moves);
  assign read_b_o = iterates_i && phase_i == {1'b0, reads_i.b_second};

  // The scopes' ports.
  assign inp_read_valid_o = (read_a_o && reads_i.a_inp) || (read_b_o && reads_i.b_inp);
  assign inp_read_row_o = read_a_o && reads_i.a_inp ? a_row_i : b_row_i;
  assign a_is_param = read_a_o && reads_i.a_param;
  assign b_is_param = read_b_o && reads_i.b_param;
  assign param_wide_valid_o = reads_i.requants && b_is_param && !a_is_param;
  assign param_narrow_valid_o = a_is_param || (b_is_param && !reads_i.requants);
  always_comb begin
    param_row_o = reads_i.requants ? b_row_i : {4'd0, b_row_i[15:4]};
    if (a_is_param) param_row_o = {4'd0, a_row_i[15:4]};
    acc_read_valid_o = 1'b1;
    acc_read_row_o = old_row_i;
    if (read_a_o && reads_i.a_acc) acc_read_row_o = a_row_i;
    else if (read_b_o && reads_i.b_acc) acc_read_row_o = b_row_i;
    else if (!(old_valid_i && reads_i.old)) acc_read_valid_o = 1'b0;
  end

  logic unused;
  assign unused = ^reads_i.last_phase;

endmodule
