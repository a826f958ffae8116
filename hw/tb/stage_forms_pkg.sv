/// Forms of what stands in a stage of the accelerator, for the bins of the bench (stage_bins.sv). Each is a bit; an instruction
/// has several: its operation, its scopes, its flags.
package stage_forms_pkg;

  typedef struct packed {
    logic inp, wgt, param, lut, tail_fill, unsigned_data, diagonal, unbounded, mark, nop;
  } load_t;
  typedef struct packed {
    logic product, window1, window2, window3, window4, reduction, accumulate, mark, nop;
  } gemm_t;
  typedef struct packed {
    logic add, sub, mul, max, min, shl, shr, mov, mov32, mac, requant, lut, requant_lut;
    logic dst_inp, dst_acc, dst_out, a_inp, a_acc, a_param, a_imm, b_inp, b_acc, b_param, b_imm;
    logic reduction, accumulate, half_up, mark, nop;
  } vector_t;
  typedef struct packed {
    logic out, unsigned_data, mark, nop;
  } store_t;
  typedef struct packed {
    logic load, gemm, vector_, store, mark, nop, finish, illegal;
  } word_t;
  typedef struct packed {
    logic inp, wgt, param, lut, data, fill, empty, last, tail, diagonal, flip;
  } load_segment_t;
  typedef struct packed {
    logic data, empty, last, flip;
  } store_segment_t;
  typedef struct packed {
    logic one_beat, beats;
  } burst_t;
  typedef struct packed {
    logic last, whole, part, discarded;
  } beat_t;
  typedef struct packed {
    logic okay, error;
  } answer_t;
  typedef logic one_t;
  typedef struct packed {
    logic token_of_store, token_of_vector, token_of_gemm, token_of_load, module_, fault;
  } wait_t;

  function automatic load_t load_of(input daedalus_isa_pkg::load_t word);
    logic is_load = word.opcode == daedalus_isa_pkg::OpcodeLoad;
    load_of = '0;
    load_of.inp = is_load && word.scope == daedalus_isa_pkg::ScopeInp;
    load_of.wgt = is_load && word.scope == daedalus_isa_pkg::ScopeWgt;
    load_of.param = is_load && word.scope == daedalus_isa_pkg::ScopeParam;
    load_of.lut = is_load && word.scope == daedalus_isa_pkg::ScopeLut;
    load_of.tail_fill = is_load && word.tail_fill;
    load_of.unsigned_data = is_load && word.unsigned_data;
    load_of.diagonal = is_load && word.diagonal;
    load_of.unbounded = is_load && word.unbounded;
    load_of.mark = word.opcode == daedalus_isa_pkg::OpcodeMark;
    load_of.nop = word.opcode == daedalus_isa_pkg::OpcodeNop;
  endfunction

  function automatic gemm_t gemm_of(input daedalus_isa_pkg::gemm_t word);
    logic is_gemm = word.opcode == daedalus_isa_pkg::OpcodeGemm;
    gemm_of.product = is_gemm && word.window == 3'd0;
    gemm_of.window1 = is_gemm && word.window == 3'd1;
    gemm_of.window2 = is_gemm && word.window == 3'd2;
    gemm_of.window3 = is_gemm && word.window == 3'd3;
    gemm_of.window4 = is_gemm && word.window == 3'd4;
    gemm_of.reduction = is_gemm && word.reduction != '0;
    gemm_of.accumulate = is_gemm && word.accumulate;
    gemm_of.mark = word.opcode == daedalus_isa_pkg::OpcodeMark;
    gemm_of.nop = word.opcode == daedalus_isa_pkg::OpcodeNop;
  endfunction

  function automatic vector_t vector_of(input daedalus_isa_pkg::vector_t word);
    logic is_vector = word.opcode == daedalus_isa_pkg::OpcodeVector;
    vector_of.add = is_vector && word.op == daedalus_isa_pkg::VectorOpAdd;
    vector_of.sub = is_vector && word.op == daedalus_isa_pkg::VectorOpSub;
    vector_of.mul = is_vector && word.op == daedalus_isa_pkg::VectorOpMul;
    vector_of.max = is_vector && word.op == daedalus_isa_pkg::VectorOpMax;
    vector_of.min = is_vector && word.op == daedalus_isa_pkg::VectorOpMin;
    vector_of.shl = is_vector && word.op == daedalus_isa_pkg::VectorOpShl;
    vector_of.shr = is_vector && word.op == daedalus_isa_pkg::VectorOpShr;
    vector_of.mov = is_vector && word.op == daedalus_isa_pkg::VectorOpMov;
    vector_of.mov32 = is_vector && word.op == daedalus_isa_pkg::VectorOpMov32;
    vector_of.mac = is_vector && word.op == daedalus_isa_pkg::VectorOpMac;
    vector_of.requant = is_vector && word.op == daedalus_isa_pkg::VectorOpRequant;
    vector_of.lut = is_vector && word.op == daedalus_isa_pkg::VectorOpLut;
    vector_of.requant_lut = is_vector && word.op == daedalus_isa_pkg::VectorOpRequantLut;
    vector_of.dst_inp = is_vector && word.dst_scope == daedalus_isa_pkg::ScopeInp;
    vector_of.dst_acc = is_vector && word.dst_scope == daedalus_isa_pkg::ScopeAcc;
    vector_of.dst_out = is_vector && word.dst_scope == daedalus_isa_pkg::ScopeOut;
    vector_of.a_inp = is_vector && word.a_scope == daedalus_isa_pkg::ScopeInp;
    vector_of.a_acc = is_vector && word.a_scope == daedalus_isa_pkg::ScopeAcc;
    vector_of.a_param = is_vector && word.a_scope == daedalus_isa_pkg::ScopeParam;
    vector_of.a_imm = is_vector && word.a_scope == daedalus_isa_pkg::ScopeImm;
    vector_of.b_inp = is_vector && word.b_scope == daedalus_isa_pkg::ScopeInp;
    vector_of.b_acc = is_vector && word.b_scope == daedalus_isa_pkg::ScopeAcc;
    vector_of.b_param = is_vector && word.b_scope == daedalus_isa_pkg::ScopeParam;
    vector_of.b_imm = is_vector && word.b_scope == daedalus_isa_pkg::ScopeImm;
    vector_of.reduction = is_vector && word.reduction != '0;
    vector_of.accumulate = is_vector && word.accumulate;
    vector_of.half_up = is_vector && word.rounding == daedalus_isa_pkg::RoundingHalfUp;
    vector_of.mark = word.opcode == daedalus_isa_pkg::OpcodeMark;
    vector_of.nop = word.opcode == daedalus_isa_pkg::OpcodeNop;
  endfunction

  function automatic store_t store_of(input daedalus_isa_pkg::store_t word);
    logic is_store = word.opcode == daedalus_isa_pkg::OpcodeStore;
    store_of.out = is_store && word.scope == daedalus_isa_pkg::ScopeOut;
    store_of.unsigned_data = is_store && word.unsigned_data;
    store_of.mark = word.opcode == daedalus_isa_pkg::OpcodeMark;
    store_of.nop = word.opcode == daedalus_isa_pkg::OpcodeNop;
  endfunction

  function automatic word_t word_of(input logic [7:0] opcode);
    word_of.load = opcode == daedalus_isa_pkg::OpcodeLoad;
    word_of.gemm = opcode == daedalus_isa_pkg::OpcodeGemm;
    word_of.vector_ = opcode == daedalus_isa_pkg::OpcodeVector;
    word_of.store = opcode == daedalus_isa_pkg::OpcodeStore;
    word_of.mark = opcode == daedalus_isa_pkg::OpcodeMark;
    word_of.nop = opcode == daedalus_isa_pkg::OpcodeNop;
    word_of.finish = opcode == daedalus_isa_pkg::OpcodeFinish;
    word_of.illegal = word_of == '0;
  endfunction

  function automatic load_segment_t load_segment_of(input daedalus_pkg::load_segment_t segment);
    load_segment_of.inp = !segment.empty && segment.scope == daedalus_isa_pkg::ScopeInp;
    load_segment_of.wgt = !segment.empty && segment.scope == daedalus_isa_pkg::ScopeWgt;
    load_segment_of.param = !segment.empty && segment.scope == daedalus_isa_pkg::ScopeParam;
    load_segment_of.lut = !segment.empty && segment.scope == daedalus_isa_pkg::ScopeLut;
    load_segment_of.data = segment.burst;
    load_segment_of.fill = !segment.burst && !segment.empty;
    load_segment_of.empty = segment.empty;
    load_segment_of.last = segment.last;
    load_segment_of.tail = segment.tail && !segment.empty;
    load_segment_of.diagonal = segment.diagonal && !segment.empty;
    load_segment_of.flip = segment.flip && segment.burst;
  endfunction

  function automatic store_segment_t store_segment_of(input daedalus_pkg::store_segment_t segment);
    store_segment_of = {segment.burst, !segment.burst, segment.last, segment.flip && segment.burst};
  endfunction

  function automatic burst_t burst_of(input logic [7:0] length);
    burst_of = {length == '0, length != '0};
  endfunction

  function automatic beat_t beat_of(input logic last, input logic none, input logic all);
    beat_of = {last, all, !all && !none, none};
  endfunction

  function automatic answer_t answer_of(input logic is_error);
    answer_of = {!is_error, is_error};
  endfunction

endpackage
