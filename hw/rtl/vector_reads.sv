/// VECTOR's reads (R27) and the range of its rows (R28). In phase p of an iteration each scope serves its p-th operand
/// in the order a, b, old destination; `last_phase_o` is the iteration's last one. The old destination of a
/// reduction is read in the last phase, or late where there is only one phase: two cycles behind the issue.
/// Combinational.
module vector_reads #(
  localparam int unsigned N = daedalus_machine_pkg::N
) (
  input  daedalus_isa_pkg::vector_t work_i,
  input  logic                      iterates_i,
  input  logic [1:0]                phase_i,
  input  logic signed [35:0]        dst_row_i,
  input  logic signed [35:0]        a_row_i,
  input  logic signed [35:0]        b_row_i,
  input  logic                      late_valid_i,  // a row that needs its old destination is two cycles behind its issue
  input  logic [15:0]               late_row_i,
  output logic [1:0]                last_phase_o,
  output logic                      reads_old_o,   // the instruction does
  output logic                      read_a_o,      // in this cycle
  output logic                      read_b_o,
  output logic                      read_old_o,
  output logic                      read_late_o,
  output logic                      outside_o,
  output logic                      inp_read_valid_o,
  output logic [15:0]               inp_read_row_o,
  output logic                      acc_read_valid_o,
  output logic [15:0]               acc_read_row_o,
  output logic                      param_read_valid_o,
  output logic [15:0]               param_row_o        // of 16 N bytes
);

  localparam logic [3:0] Inp = daedalus_isa_pkg::ScopeInp;
  localparam logic [3:0] Acc = daedalus_isa_pkg::ScopeAcc;
  localparam logic [3:0] Param = daedalus_isa_pkg::ScopeParam;
  localparam logic [3:0] Out = daedalus_isa_pkg::ScopeOut;

  // What the instruction reads in a row, and in which phase.
  logic       moves32, requants, looks_up, old_late, twice;
  logic [1:0] b_phase, acc_reads;

  assign moves32 = work_i.op == daedalus_isa_pkg::VectorOpMov32;
  assign requants = work_i.op == daedalus_isa_pkg::VectorOpRequant;
  assign looks_up = work_i.op == daedalus_isa_pkg::VectorOpLut;
  assign reads_old_o = work_i.accumulate || work_i.reduction != '0;
  assign twice = work_i.b_scope == work_i.a_scope;
  assign b_phase = {1'b0, twice};
  assign acc_reads = 2'(work_i.a_scope == Acc) + 2'(work_i.b_scope == Acc) + 2'(reads_old_o);
  always_comb begin
    last_phase_o = 2'd0;
    if (twice && (work_i.a_scope == Inp || work_i.a_scope == Param)) last_phase_o = 2'd1;
    if (acc_reads > 2'd1) last_phase_o = acc_reads - 2'd1;
    if (moves32) last_phase_o = 2'd3;
  end

  assign old_late = last_phase_o == 2'd0;
  assign read_a_o = iterates_i && (phase_i == '0 || moves32);
  assign read_b_o = iterates_i
      && (work_i.a_scope == daedalus_isa_pkg::ScopeImm ? phase_i == '0 : phase_i == b_phase);
  assign read_old_o = iterates_i && reads_old_o && !old_late && phase_i == last_phase_o;
  assign read_late_o = late_valid_i && reads_old_o && old_late;

  // The scopes' ports.
  assign inp_read_valid_o = (read_a_o && work_i.a_scope == Inp) || (read_b_o && work_i.b_scope == Inp);
  assign inp_read_row_o = read_a_o && work_i.a_scope == Inp ? a_row_i[15:0] : b_row_i[15:0];
  assign param_read_valid_o = (read_a_o && work_i.a_scope == Param) || (read_b_o && work_i.b_scope == Param);
  always_comb begin
    param_row_o = requants ? b_row_i[15:0] : {4'd0, b_row_i[15:4]};
    if (read_a_o && work_i.a_scope == Param) param_row_o = {4'd0, a_row_i[15:4]};
    acc_read_valid_o = 1'b1;
    acc_read_row_o = late_row_i;
    if (read_a_o && work_i.a_scope == Acc) acc_read_row_o = a_row_i[15:0];
    else if (read_b_o && work_i.b_scope == Acc) acc_read_row_o = b_row_i[15:0];
    else if (read_old_o) acc_read_row_o = dst_row_i[15:0];
    else if (!read_late_o) acc_read_valid_o = 1'b0;
  end

  // Range.
  function automatic logic outside_scope(input logic [3:0] scope, input logic signed [35:0] row,
                                         input logic wide);
    logic signed [35:0] rows;
    begin
      unique case (scope)
        daedalus_isa_pkg::ScopeInp:   rows = {4'd0, daedalus_machine_pkg::InpBytes / N};
        daedalus_isa_pkg::ScopeAcc:   rows = {4'd0, daedalus_machine_pkg::AccBytes / (4 * N)};
        daedalus_isa_pkg::ScopeOut:   rows = {4'd0, daedalus_machine_pkg::OutBytes / N};
        daedalus_isa_pkg::ScopeParam: rows = wide ? {4'd0, daedalus_machine_pkg::ParamBytes / (16 * N)}
                                                  : {4'd0, daedalus_machine_pkg::ParamBytes / N};
        daedalus_isa_pkg::ScopeNone, daedalus_isa_pkg::ScopeImm, daedalus_isa_pkg::ScopeWgt,
        daedalus_isa_pkg::ScopeLut:   rows = '0;  // they have no rows that VECTOR names
        default:                      rows = 'x;
      endcase
      outside_scope = (scope == Inp || scope == Acc || scope == Out || scope == Param) && (row < 0 || row >= rows);
    end
  endfunction

  assign outside_o = outside_scope(work_i.dst_scope, moves32 ? dst_row_i + 36'sd3 : dst_row_i, 1'b0)
      || dst_row_i < 0 || outside_scope(work_i.a_scope, a_row_i, 1'b0)
      || outside_scope(work_i.b_scope, b_row_i, requants)
      || (looks_up && 32'(work_i.table_) >= daedalus_machine_pkg::LutBytes / 256);

  logic unused;
  assign unused = ^work_i;

endmodule
