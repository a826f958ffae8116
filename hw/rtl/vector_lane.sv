/// One lane of VECTOR: operand registers, the operation, and the write value. Operands are captured in the cycle
/// in which they come from their scratchpad. Two steps follow:
///   execute_i   a op b, or the product (a + bias) * multiplier of requant, registered; `lut_index_o` is the
///               lane's place in the table
///   finish_i    in the cycle behind: the rest, combinationally into `result_o`: the old destination joins in a
///               reduction, requant rounds, lut takes its entry, and an int8 destination clamps to [lo, hi]
module vector_lane (
  input  logic               clk_i,
  // operands
  input  logic               capture_a_i,
  input  logic               capture_b_i,
  input  logic               capture_old_i,
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
  // steps
  input  logic               execute_i,
  input  logic               finish_i,
  input  logic               overwrite_i,    // of the finishing iteration: the old destination does not count
  input  logic               forward_i,      // the old destination is the last result
  input  logic               old_now_i,      // the old destination comes from ACC in this cycle
  input  logic [7:0]         lut_i,
  output logic [7:0]         lut_index_o,
  output logic [31:0]        a_o,
  output logic [31:0]        result_o,
  output logic               known_o         // the operation is one that stands here
);

  logic signed [31:0] a_q, b_q, old_q, value_q, last_result_q;
  logic        [31:0] bias_q;
  logic        [30:0] multiplier_q;
  logic        [5:0]  shift_q, value_shift_q;
  logic signed [63:0] product_q;

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
    if (capture_old_i) old_q <= acc_i;
  end

  // Execute.
  logic signed [31:0] value, biased;
  logic signed [63:0] product;
  logic               executes_known, finishes_known;
  assign known_o = executes_known && finishes_known;

  always_comb begin
    value = a_q;
    executes_known = 1'b1;
    biased = '0;
    product = '0;
    lut_index_o = a_q[7:0] ^ 8'h80;
    if (execute_i) begin
      if (a_q > 32'sd127) lut_index_o = 8'hff;
      if (a_q < -32'sd128) lut_index_o = 8'h00;
      if (op_i == daedalus_isa_pkg::VectorOpRequant) begin
        biased = a_q + $signed(bias_q);
        product = 64'(biased) * $signed({33'd0, multiplier_q});
      end
      if (!reducing_i || op_i == daedalus_isa_pkg::VectorOpMac) begin
        unique case (op_i)
          daedalus_isa_pkg::VectorOpAdd: value = a_q + b_q;
          daedalus_isa_pkg::VectorOpSub: value = a_q - b_q;
          daedalus_isa_pkg::VectorOpMul: value = a_q * b_q;
          daedalus_isa_pkg::VectorOpMac: value = a_q * b_q;
          daedalus_isa_pkg::VectorOpMax: value = a_q > b_q ? a_q : b_q;
          daedalus_isa_pkg::VectorOpMin: value = a_q < b_q ? a_q : b_q;
          daedalus_isa_pkg::VectorOpShl: value = a_q << b_q[4:0];
          daedalus_isa_pkg::VectorOpShr: value = a_q >>> b_q[4:0];
          daedalus_isa_pkg::VectorOpMov, daedalus_isa_pkg::VectorOpMov32, daedalus_isa_pkg::VectorOpRequant,
          daedalus_isa_pkg::VectorOpLut: value = a_q;
          default: begin
            value = 'x;
            executes_known = 1'b0;
          end
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (execute_i) begin
      value_q <= value;
      product_q <= product;
      value_shift_q <= shift_q == 6'd0 ? 6'd1 : shift_q == 6'd63 ? 6'd62 : shift_q;
    end
    if (finish_i) last_result_q <= result_o;
  end

  // Finish.
  logic signed [31:0] old, final_value;
  logic               joins;  // the old destination counts
  logic signed [63:0] half, rounded;

  always_comb begin
    old = forward_i ? last_result_q : old_now_i ? acc_i : old_q;
    joins = reducing_i && !overwrite_i;
    final_value = value_q;
    finishes_known = 1'b1;
    half = '0;
    rounded = '0;
    if (finish_i) begin
      unique case (op_i)
        daedalus_isa_pkg::VectorOpRequant: begin
          half = 64'sd1 <<< (value_shift_q - 6'd1);
          rounded = product_q >>> value_shift_q;
          if (!half_up_i && !rounded[0]) half = half - 64'sd1;
          rounded = ((product_q + half) >>> value_shift_q) + 64'(zero_point_i);
          final_value = rounded[31:0];
          if (rounded < 64'(lo_i)) final_value = 32'(lo_i);
          if (rounded > 64'(hi_i) || hi_i < lo_i) final_value = 32'(hi_i);
        end
        daedalus_isa_pkg::VectorOpLut: final_value = 32'($signed(lut_i));
        daedalus_isa_pkg::VectorOpMax: if (joins) final_value = old > value_q ? old : value_q;
        daedalus_isa_pkg::VectorOpMin: if (joins) final_value = old < value_q ? old : value_q;
        daedalus_isa_pkg::VectorOpAdd, daedalus_isa_pkg::VectorOpMac: if (joins) final_value = old + value_q;
        daedalus_isa_pkg::VectorOpSub, daedalus_isa_pkg::VectorOpMul, daedalus_isa_pkg::VectorOpShl,
        daedalus_isa_pkg::VectorOpShr, daedalus_isa_pkg::VectorOpMov, daedalus_isa_pkg::VectorOpMov32:
          final_value = value_q;
        default: begin
          final_value = 'x;
          finishes_known = 1'b0;
        end
      endcase
      if (bytes_i) begin
        if (final_value < 32'(lo_i)) final_value = 32'(lo_i);
        if (final_value > 32'(hi_i)) final_value = 32'(hi_i);
      end
    end
    result_o = final_value;
  end

  logic unused;
  assign unused = ^{param_i[127:70], param_i[63], rounded[63:32]};

endmodule
