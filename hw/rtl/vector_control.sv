/// What VECTOR's lanes do in an instruction and what it reads for them (R27): the fields of the word, decoded once.
/// In phase p of an iteration each scope serves its p-th operand in the order a, b, old destination; the row issues in
/// the last phase. Combinational.
module vector_control (
  input  daedalus_isa_pkg::vector_t    work_i,
  output daedalus_pkg::lane_control_t  control_o,
  output daedalus_pkg::vector_reads_t  reads_o,
  output logic                         known_o     // lanes have the operation
);

  function automatic logic [1:0] operand(input logic [3:0] scope);
    unique case (scope)
      daedalus_isa_pkg::ScopeInp, daedalus_isa_pkg::ScopeParam: operand = daedalus_pkg::OperandByte;
      daedalus_isa_pkg::ScopeAcc:                               operand = daedalus_pkg::OperandAcc;
      daedalus_isa_pkg::ScopeImm, daedalus_isa_pkg::ScopeNone, daedalus_isa_pkg::ScopeWgt,
      daedalus_isa_pkg::ScopeLut, daedalus_isa_pkg::ScopeOut:   operand = daedalus_pkg::OperandImmediate;  // or none
      default:                                                  operand = 'x;
    endcase
  endfunction

  logic reduces;
  assign reduces = work_i.accumulate || work_i.reduction != '0 || work_i.op == daedalus_isa_pkg::VectorOpMac;

  always_comb begin
    control_o = '0;
    known_o = 1'b1;
    control_o.a = operand(work_i.a_scope);
    control_o.a_inp = work_i.a_scope == daedalus_isa_pkg::ScopeInp;
    control_o.b = operand(work_i.b_scope);
    control_o.b_inp = work_i.b_scope == daedalus_isa_pkg::ScopeInp;
    control_o.clamps = work_i.dst_scope != daedalus_isa_pkg::ScopeAcc && work_i.op != daedalus_isa_pkg::VectorOpMov32;
    control_o.is_empty = work_i.hi < work_i.lo;
    unique case (work_i.op)
      daedalus_isa_pkg::VectorOpAdd: begin
        control_o.adds = !reduces;
        control_o.joins_sum = reduces;
      end
      daedalus_isa_pkg::VectorOpSub: begin
        control_o.adds = 1'b1;
        control_o.subtracts = 1'b1;
      end
      daedalus_isa_pkg::VectorOpMax: begin
        control_o.takes_larger = !reduces;
        control_o.subtracts = 1'b1;
        control_o.joins_larger = reduces;
      end
      daedalus_isa_pkg::VectorOpMin: begin
        control_o.takes_smaller = !reduces;
        control_o.subtracts = 1'b1;
        control_o.joins_smaller = reduces;
      end
      daedalus_isa_pkg::VectorOpShl: begin
        control_o.shifts = 1'b1;
        control_o.product_low = 1'b1;
      end
      daedalus_isa_pkg::VectorOpShr: begin
        control_o.shifts = 1'b1;
        control_o.product_high = 1'b1;
      end
      daedalus_isa_pkg::VectorOpMul: control_o.product_low = 1'b1;
      daedalus_isa_pkg::VectorOpMac: begin
        control_o.product_low = 1'b1;
        control_o.joins_sum = 1'b1;
      end
      daedalus_isa_pkg::VectorOpMov: ;
      daedalus_isa_pkg::VectorOpMov32: control_o.moves = 1'b1;
      daedalus_isa_pkg::VectorOpRequant: control_o.requants = 1'b1;
      daedalus_isa_pkg::VectorOpLut: control_o.looks_up = 1'b1;
      daedalus_isa_pkg::VectorOpRequantLut: begin
        control_o.requants = 1'b1;
        control_o.looks_up_behind = 1'b1;
      end
      default: begin
        control_o = 'x;
        known_o = 1'b0;
      end
    endcase
    if (control_o.requants) control_o.b = daedalus_pkg::OperandMultiplier;
  end

  logic [1:0] acc_reads;
  always_comb begin
    reads_o.a_inp = work_i.a_scope == daedalus_isa_pkg::ScopeInp;
    reads_o.a_acc = work_i.a_scope == daedalus_isa_pkg::ScopeAcc;
    reads_o.a_param = work_i.a_scope == daedalus_isa_pkg::ScopeParam;
    reads_o.b_inp = work_i.b_scope == daedalus_isa_pkg::ScopeInp;
    reads_o.b_acc = work_i.b_scope == daedalus_isa_pkg::ScopeAcc;
    reads_o.b_param = work_i.b_scope == daedalus_isa_pkg::ScopeParam;
    reads_o.b_second = work_i.a_scope == work_i.b_scope && work_i.a_scope != daedalus_isa_pkg::ScopeImm;
    reads_o.requants = control_o.requants;
    reads_o.moves = control_o.moves;
    reads_o.old = work_i.accumulate || work_i.reduction != '0;
    acc_reads = 2'(reads_o.a_acc) + 2'(reads_o.b_acc) + 2'(reads_o.old);
    reads_o.last_phase = 2'd0;
    if (reads_o.b_second && (reads_o.a_inp || reads_o.a_param)) reads_o.last_phase = 2'd1;
    if (acc_reads > 2'd1) reads_o.last_phase = acc_reads - 2'd1;
    if (reads_o.moves) reads_o.last_phase = 2'd3;
  end

  logic unused;
  assign unused = ^work_i;

endmodule
