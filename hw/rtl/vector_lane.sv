/// One lane of VECTOR. Operands are captured in the cycle in which they come from their scratchpad; then a value goes
/// through eight registers, one a cycle, to the result. With the operands in registers in cycle c:
///   c       a op b, a + bias of requant, the place in the table (`lut_index_o`, registered)
///   c + 1   the products of halves (vector_product); LUT is read
///   c + 2   their middle sum; the entry of LUT joins
///   c + 3   the product
///   c + 4   requant shifts by eights (vector_requant); of other operations an int8 destination clamps to [lo, hi]
///   c + 5   requant shifts by ones; the old destination comes from ACC
///   c + 6   requant rounds; the old destination is the one read or a newer result (`forward_i`)
///   c + 7   requant clamps; in a reduction the old destination joins, or the result of the row before (`follows_i`)
///   c + 8   `result_o`
/// A table behind requantization takes two cycles more: the place in the table is registered in c + 7, LUT is read in
/// c + 8, and its entry is `result_o` in c + 10.
module vector_lane (
  input  logic               clk_i,
  input  logic               enable_i,       // an instruction works
  // operands
  input  logic               capture_a_i,
  input  logic               capture_b_i,
  input  logic [3:0]         a_scope_i,
  input  logic [3:0]         b_scope_i,
  input  logic [7:0]         inp_i,
  input  logic [31:0]        acc_i,
  input  logic [7:0]         param_byte_i,   // of a narrow PARAM row
  input  logic [127:0]       param_i,        // of requant
  input  logic [31:0]        immediate_i,
  // the instruction
  input  logic [3:0]         op_i,
  input  logic               half_up_i,
  input  logic               reducing_i,     // mac included
  input  logic               bytes_i,        // the destination is int8
  input  logic signed [7:0]  lo_i,
  input  logic signed [7:0]  hi_i,
  input  logic signed [7:0]  zero_point_i,
  // the way
  input  logic [7:0]         moved_i,        // of mov32: the lane's byte
  input  logic [7:0]         lut_i,
  input  logic [2:0]         forward_i,      // of the row in c + 6: result i of those two, three, four cycles ahead counts
  input  logic               overwrite_i,    // of the row in c + 7: the old destination does not count
  input  logic               follows_i,      // of the row in c + 7: it is the result of the cycle before
  output logic [7:0]         lut_index_o,
  output logic [31:0]        a_o,
  output logic [31:0]        result_o,
  output logic               known_o         // the operation is one that stands here
);

  // Operands.
  logic signed [31:0] a_q, b_q;
  logic        [31:0] bias_q;
  logic        [30:0] multiplier_q;
  logic        [5:0]  shift_q;

  assign a_o = a_q;

  always_ff @(posedge clk_i) begin
    if (capture_a_i) begin
      unique case (a_scope_i)
        daedalus_isa_pkg::ScopeInp:   a_q <= 32'($signed(inp_i));
        daedalus_isa_pkg::ScopeAcc:   a_q <= acc_i;
        daedalus_isa_pkg::ScopeParam: a_q <= 32'($signed(param_byte_i));
        daedalus_isa_pkg::ScopeImm:   a_q <= immediate_i;
        daedalus_isa_pkg::ScopeNone, daedalus_isa_pkg::ScopeWgt, daedalus_isa_pkg::ScopeLut,
        daedalus_isa_pkg::ScopeOut:   a_q <= 'x;  // no first operand
        default:                      a_q <= 'x;
      endcase
    end
    if (capture_b_i) begin
      unique case (b_scope_i)
        daedalus_isa_pkg::ScopeInp:   b_q <= 32'($signed(inp_i));
        daedalus_isa_pkg::ScopeAcc:   b_q <= acc_i;
        daedalus_isa_pkg::ScopeParam: b_q <= 32'($signed(param_byte_i));
        daedalus_isa_pkg::ScopeImm:   b_q <= immediate_i;
        daedalus_isa_pkg::ScopeNone:  b_q <= '0;
        daedalus_isa_pkg::ScopeWgt, daedalus_isa_pkg::ScopeLut,
        daedalus_isa_pkg::ScopeOut:   b_q <= 'x;  // no second operand
        default:                      b_q <= 'x;
      endcase
      bias_q       <= param_i[31:0];
      multiplier_q <= param_i[62:32];
      shift_q      <= param_i[69:64];
    end
  end

  // c: everything but products.
  logic signed [31:0] value, value1_q, x_q, y_q;
  logic        [5:0]  shifts_q [4];  // requant's shift in c + 1 to c + 4
  logic               requants, multiplies, looks_up, looks_up_behind;
  logic signed [7:0]  requantized;

  assign looks_up_behind = op_i == daedalus_isa_pkg::VectorOpRequantLut;
  assign requants = op_i == daedalus_isa_pkg::VectorOpRequant || looks_up_behind;
  assign looks_up = op_i == daedalus_isa_pkg::VectorOpLut;
  assign multiplies = op_i == daedalus_isa_pkg::VectorOpMac || (op_i == daedalus_isa_pkg::VectorOpMul && !reducing_i);

  always_comb begin
    value = a_q;
    known_o = 1'b1;
    unique case (op_i)
      daedalus_isa_pkg::VectorOpAdd:   if (!reducing_i) value = a_q + b_q;
      daedalus_isa_pkg::VectorOpSub:   if (!reducing_i) value = a_q - b_q;
      daedalus_isa_pkg::VectorOpMax:   if (!reducing_i) value = a_q > b_q ? a_q : b_q;
      daedalus_isa_pkg::VectorOpMin:   if (!reducing_i) value = a_q < b_q ? a_q : b_q;
      daedalus_isa_pkg::VectorOpShl:   if (!reducing_i) value = a_q << b_q[4:0];
      daedalus_isa_pkg::VectorOpShr:   if (!reducing_i) value = a_q >>> b_q[4:0];
      daedalus_isa_pkg::VectorOpMov32: value = {24'd0, moved_i};
      daedalus_isa_pkg::VectorOpMul, daedalus_isa_pkg::VectorOpMac, daedalus_isa_pkg::VectorOpMov,
      daedalus_isa_pkg::VectorOpRequant, daedalus_isa_pkg::VectorOpLut, daedalus_isa_pkg::VectorOpRequantLut: value = a_q;
      default: begin
        value = 'x;
        known_o = 1'b0;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      value1_q <= value;
      x_q <= requants ? a_q + $signed(bias_q) : a_q;
      y_q <= requants ? {1'b0, multiplier_q} : b_q;
      shifts_q[0] <= shift_q == 6'd0 ? 6'd1 : shift_q == 6'd63 ? 6'd62 : shift_q;
      for (int s = 1; s < 4; s++) shifts_q[s] <= shifts_q[s-1];
      if (looks_up_behind) lut_index_o <= requantized ^ 8'h80;
      else lut_index_o <= a_q > 32'sd127 ? 8'hff : a_q < -32'sd128 ? 8'h00 : a_q[7:0] ^ 8'h80;
    end
  end

  // c + 1 to c + 6: the product, what LUT gives, and the range of an int8 destination.
  logic signed [63:0] product;
  logic signed [31:0] value2_q, value3_q, value4_q, value4, clamped, value5_q, value6_q, value7_q;

  vector_product u_product (.clk_i, .enable_i, .x_i(x_q), .y_i(y_q), .product_o(product));
  vector_requant u_requant (
    .clk_i, .enable_i, .product_i(product), .shift_i(shifts_q[3]), .half_up_i, .lo_i, .hi_i, .zero_point_i,
    .result_o(requantized)
  );

  always_comb begin
    value4 = multiplies ? product[31:0] : value4_q;
    clamped = value4;
    if (bytes_i) begin
      if (value4 < 32'(lo_i)) clamped = 32'(lo_i);
      if (value4 > 32'(hi_i) || hi_i < lo_i) clamped = 32'(hi_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      value2_q <= value1_q;
      value3_q <= looks_up ? 32'($signed(lut_i)) : value2_q;
      value4_q <= value3_q;
      value5_q <= clamped;
      value6_q <= value5_q;
      value7_q <= value6_q;
    end
  end

  // c + 6 and c + 7: the old destination. Results of earlier rows are newer than what was read where they name the
  // same row.
  logic signed [31:0] read_q, old_q, old;
  logic        [31:0] results_q [2];  // one and two cycles ago
  logic signed [31:0] joined;

  always_comb begin
    old = follows_i ? result_o : old_q;
    joined = value7_q;
    if (reducing_i && !overwrite_i) begin
      unique case (op_i)
        daedalus_isa_pkg::VectorOpMax: joined = old > value7_q ? old : value7_q;
        daedalus_isa_pkg::VectorOpMin: joined = old < value7_q ? old : value7_q;
        daedalus_isa_pkg::VectorOpAdd, daedalus_isa_pkg::VectorOpMac: joined = old + value7_q;
        daedalus_isa_pkg::VectorOpSub, daedalus_isa_pkg::VectorOpMul, daedalus_isa_pkg::VectorOpShl,
        daedalus_isa_pkg::VectorOpShr, daedalus_isa_pkg::VectorOpMov, daedalus_isa_pkg::VectorOpMov32,
        daedalus_isa_pkg::VectorOpRequant, daedalus_isa_pkg::VectorOpLut,
        daedalus_isa_pkg::VectorOpRequantLut: joined = value7_q;  // they do not reduce
        default: joined = 'x;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      read_q <= acc_i;
      old_q <= forward_i[0] ? result_o : forward_i[1] ? results_q[0] : forward_i[2] ? results_q[1] : read_q;
      result_o <= looks_up_behind ? 32'($signed(lut_i)) : requants ? 32'(requantized) : joined;
      results_q[0] <= result_o;
      results_q[1] <= results_q[0];
    end
  end

  logic unused;
  assign unused = ^{param_i[127:70], param_i[63], product[63:32]};

endmodule
