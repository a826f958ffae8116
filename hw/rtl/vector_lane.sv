/// One lane of VECTOR. Operands are captured in the cycle in which they come from their scratchpad; then a value goes
/// through eight registers, one a cycle, to the result. With the operands in registers in cycle c:
///   c       a op b, a + bias of requant, the place in the table (`lut_index_o`, registered)
///   c + 1   the products of halves (vector_product); LUT is read
///   c + 2   their middle sum; the entry of LUT joins
///   c + 3   the product
///   c + 4   requant shifts by eights (vector_requant); of other operations an int8 destination clamps to [lo, hi]
///   c + 5   requant shifts by ones; the old destination comes from ACC
///   c + 6   requant rounds; the old destination is the one read or a newer result (`forward_i`)
///   c + 7   requant clamps; in a reduction the old destination joins, or the result of the row before (`follows_q`)
///   c + 8   `result_o`
/// A table behind requantization takes two cycles more: the place in the table is registered in c + 7, LUT is read in
/// c + 8, and its entry is `result_o` in c + 10.
/// Shifts are products with a power of two: a shl b with 2^b; a shr b with 2^(31-b), of which the low 31 bits go.
/// Of a result for an int8 destination the low byte alone counts.
module vector_lane (
  input  logic               clk_i,
  input  logic               enable_i,       // an instruction works
  // operands
  input  logic               capture_a_i,
  input  logic               capture_b_i,
  input  logic [7:0]         inp_i,
  input  logic [31:0]        acc_i,
  input  logic [7:0]         param_byte_i,   // of a narrow PARAM row
  input  logic [69:0]        param_i,        // of requant
  input  logic [31:0]        immediate_i,
  // the instruction
  input  daedalus_pkg::lane_control_t control_i,
  input  logic               half_up_i,
  input  logic signed [7:0]  lo_i,
  input  logic signed [7:0]  hi_i,
  input  logic signed [7:0]  zero_point_i,
  // the way
  input  logic [7:0]         moved_i,        // of mov32: the lane's byte
  input  logic [7:0]         lut_i,
  input  logic [1:0]         forward_i,      // of the row in c + 6: the result 2, 3, 4 cycles ahead counts for 1, 2, 3
  input  logic               overwrite_i,    // of the row in c + 6: the old destination does not count
  input  logic               follows_i,      // of the row in c + 6: it is the result of the row before
  output logic [7:0]         lut_index_o,
  output logic [31:0]        a_o,
  output logic [31:0]        result_o
);

  // Operands.
  logic signed [31:0] a_q, b_q;
  logic        [31:0] bias_q;
  logic        [5:0]  shift_q;
  logic signed [7:0]  a_byte, b_byte;

  assign a_o = a_q;
  assign a_byte = control_i.a_inp ? inp_i : param_byte_i;
  assign b_byte = control_i.b_inp ? inp_i : param_byte_i;

  function automatic logic [31:0] operand(input logic [1:0] from, input logic signed [7:0] narrow,
                                          input logic [30:0] multiplier, input logic [31:0] acc, input logic [31:0] immediate);
    unique case (from)
      daedalus_pkg::OperandByte:       operand = 32'(narrow);
      daedalus_pkg::OperandMultiplier: operand = {1'b0, multiplier};
      daedalus_pkg::OperandAcc:        operand = acc;
      daedalus_pkg::OperandImmediate:  operand = immediate;
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    if (capture_a_i) a_q <= operand(control_i.a, a_byte, '0, acc_i, immediate_i);
    if (capture_b_i) begin
      b_q     <= operand(control_i.b, b_byte, param_i[62:32], acc_i, immediate_i);
      bias_q  <= control_i.requants ? param_i[31:0] : '0;
      shift_q <= param_i[69:64];
    end
  end

  // c: everything but products.
  logic signed [31:0] value, value1_q, x, power;
  logic signed [32:0] sum, y;
  logic        [5:0]  shifts_q [4];  // requant's shift in c + 1 to c + 4
  logic signed [7:0]  requantized;
  logic               takes_b;

  assign sum = 33'(a_q) + (33'(b_q) ^ {33{control_i.subtracts}}) + 33'(control_i.subtracts);
  assign takes_b = sum[32] ? control_i.takes_larger : control_i.takes_smaller;
  assign x = a_q + $signed(bias_q);
  assign y = control_i.shifts ? {1'b0, power} : 33'(b_q);
  assign power = 32'd1 << (b_q[4:0] ^ {5{control_i.product_high}});
  always_comb begin
    value = control_i.adds ? sum[31:0] : takes_b ? b_q : a_q;
    if (control_i.moves) value[7:0] = moved_i;
  end

  // a as a place in the table.
  logic [7:0] place;
  always_comb begin
    place = a_q[7:0] ^ 8'h80;
    if (a_q[31:7] != {25{a_q[31]}}) place = a_q[31] ? 8'h00 : 8'hff;
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      value1_q <= value;
      shifts_q[0] <= shift_q == 6'd0 ? 6'd1 : shift_q == 6'd63 ? 6'd62 : shift_q;
      for (int s = 1; s < 4; s++) shifts_q[s] <= shifts_q[s-1];
      lut_index_o <= control_i.looks_up_behind ? requantized ^ 8'h80 : place;
    end
  end

  // c + 1 to c + 6: the product, what LUT gives, and the range of an int8 destination.
  logic signed [63:0] product;
  logic signed [31:0] value2_q, value3_q, value4_q, value4, clamped, value5_q, value6_q, value7_q;

  vector_product u_product (.clk_i, .enable_i, .x_i(x), .y_i(y), .product_o(product));
  vector_requant u_requant (
    .clk_i, .enable_i, .product_i(product), .shift_i(shifts_q[3]), .half_up_i, .lo_i, .hi_i, .is_empty_i(control_i.is_empty),
    .zero_point_i, .result_o(requantized)
  );

  always_comb begin
    value4 = control_i.product_low ? product[31:0] : control_i.product_high ? product[62:31] : value4_q;
    clamped = value4;
    if (control_i.clamps) begin
      if (value4[31:7] != {25{value4[31]}}) clamped[7:0] = value4[31] ? lo_i : hi_i;
      else if ($signed(value4[7:0]) < lo_i) clamped[7:0] = lo_i;
      else if ($signed(value4[7:0]) > hi_i) clamped[7:0] = hi_i;
      if (control_i.is_empty) clamped[7:0] = hi_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      value2_q <= value1_q;
      value3_q <= control_i.looks_up ? 32'($signed(lut_i)) : value2_q;
      value4_q <= value3_q;
      value5_q <= clamped;
      value6_q <= value5_q;
      value7_q <= value6_q;
    end
  end

  // c + 6 and c + 7: the old destination. Results of earlier rows are newer than what was read where they name the
  // same row.
  logic signed [31:0] read_q, old_q, old, other;
  logic        [31:0] results_q [2];  // one and two cycles ago
  logic               overwrite_q, follows_q;
  logic               joins, takes_old;
  logic signed [7:0]  behind;         // of requant and requant_lut

  assign old = follows_q ? result_o : old_q;
  assign behind = control_i.looks_up_behind ? lut_i : requantized;
  // What is compared is known last, so all else is chosen before.
  assign joins = !control_i.requants && !overwrite_q;
  assign takes_old = joins && (old > value7_q ? control_i.joins_larger : control_i.joins_smaller);
  assign other = control_i.requants ? 32'(behind) : value7_q;

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      overwrite_q <= overwrite_i;
      follows_q <= follows_i;
      read_q <= acc_i;
      unique case (forward_i)
        2'd0: old_q <= read_q;
        2'd1: old_q <= result_o;
        2'd2: old_q <= results_q[0];
        2'd3: old_q <= results_q[1];
      endcase
      result_o <= joins && control_i.joins_sum ? old + value7_q : takes_old ? old : other;
      results_q[0] <= result_o;
      results_q[1] <= results_q[0];
    end
  end

  logic unused;
  assign unused = ^{param_i[63], product[63]};

endmodule
