/// VECTOR's reads (R27). In phase p of an iteration each scope serves its p-th operand in the order a, b, old
/// destination; `last_phase_o` is the iteration's last one, and the row issues in it. The old destination of a reduction
/// is read six cycles behind: then the phase, of one, two or three, is the last one again, in which ACC's port is free.
/// Combinational.
module vector_reads (
  input  daedalus_isa_pkg::vector_t work_i,
  input  logic                      iterates_i,
  input  logic [1:0]                phase_i,
  input  logic [15:0]               a_row_i,
  input  logic [15:0]               b_row_i,
  input  logic                      old_valid_i,   // a row that needs its old destination is six cycles behind its issue
  input  logic [15:0]               old_row_i,
  output logic [1:0]                last_phase_o,
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

  localparam logic [3:0] Inp = daedalus_isa_pkg::ScopeInp;
  localparam logic [3:0] Acc = daedalus_isa_pkg::ScopeAcc;
  localparam logic [3:0] Param = daedalus_isa_pkg::ScopeParam;

  // What the instruction reads in a row, and in which phase.
  logic       moves32, requants, reads_old, twice, a_is_param, b_is_param;
  logic [1:0] b_phase, acc_reads;

  assign moves32 = work_i.op == daedalus_isa_pkg::VectorOpMov32;
  assign requants = work_i.op == daedalus_isa_pkg::VectorOpRequant || work_i.op == daedalus_isa_pkg::VectorOpRequantLut;
  assign reads_old = work_i.accumulate || work_i.reduction != '0;
  assign twice = work_i.b_scope == work_i.a_scope;
  assign b_phase = {1'b0, twice};
  assign acc_reads = 2'(work_i.a_scope == Acc) + 2'(work_i.b_scope == Acc) + 2'(reads_old);
  always_comb begin
    last_phase_o = 2'd0;
    if (twice && (work_i.a_scope == Inp || work_i.a_scope == Param)) last_phase_o = 2'd1;
    if (acc_reads > 2'd1) last_phase_o = acc_reads - 2'd1;
    if (moves32) last_phase_o = 2'd3;
  end

  assign read_a_o = iterates_i && (phase_i == '0 || moves32);
  assign read_b_o = iterates_i
      && (work_i.a_scope == daedalus_isa_pkg::ScopeImm ? phase_i == '0 : phase_i == b_phase);

  // The scopes' ports.
  assign inp_read_valid_o = (read_a_o && work_i.a_scope == Inp) || (read_b_o && work_i.b_scope == Inp);
  assign inp_read_row_o = read_a_o && work_i.a_scope == Inp ? a_row_i : b_row_i;
  assign a_is_param = read_a_o && work_i.a_scope == Param;
  assign b_is_param = read_b_o && work_i.b_scope == Param;
  assign param_wide_valid_o = requants && b_is_param && !a_is_param;
  assign param_narrow_valid_o = a_is_param || (b_is_param && !requants);
  always_comb begin
    param_row_o = requants ? b_row_i : {4'd0, b_row_i[15:4]};
    if (a_is_param) param_row_o = {4'd0, a_row_i[15:4]};
    acc_read_valid_o = 1'b1;
    acc_read_row_o = old_row_i;
    if (read_a_o && work_i.a_scope == Acc) acc_read_row_o = a_row_i;
    else if (read_b_o && work_i.b_scope == Acc) acc_read_row_o = b_row_i;
    else if (!(old_valid_i && reads_old)) acc_read_valid_o = 1'b0;
  end

  logic unused;
  assign unused = ^work_i;

endmodule
