/// The range of VECTOR's rows (R28): whether an iteration has one outside its scratchpad, in a register. Sizes are
/// powers of two, so a row is outside where a bit above those of its scratchpad is set.
module vector_range #(
  localparam int unsigned N = daedalus_machine_pkg::N
) (
  input  logic                      clk_i,
  input  daedalus_isa_pkg::vector_t work_i,
  input  logic signed [35:0]        dst_row_i,
  input  logic signed [35:0]        a_row_i,
  input  logic signed [35:0]        b_row_i,
  output logic                      outside_o   // of the rows of the cycle before
);

  function automatic logic outside_scope(input logic [3:0] scope, input logic signed [35:0] row, input logic wide);
    logic [35:0] bits;  // of a row in the scratchpad
    begin
      unique case (scope)
        daedalus_isa_pkg::ScopeInp:   bits = {4'd0, daedalus_machine_pkg::InpBytes / N - 1};
        daedalus_isa_pkg::ScopeAcc:   bits = {4'd0, daedalus_machine_pkg::AccBytes / (4 * N) - 1};
        daedalus_isa_pkg::ScopeOut:   bits = {4'd0, daedalus_machine_pkg::OutBytes / N - 1};
        daedalus_isa_pkg::ScopeParam: bits = wide ? {4'd0, daedalus_machine_pkg::ParamBytes / (16 * N) - 1}
                                                  : {4'd0, daedalus_machine_pkg::ParamBytes / N - 1};
        daedalus_isa_pkg::ScopeNone, daedalus_isa_pkg::ScopeImm, daedalus_isa_pkg::ScopeWgt,
        daedalus_isa_pkg::ScopeLut:   bits = '1;  // they have no rows that VECTOR names
        default:                      bits = 'x;
      endcase
      outside_scope = (row & ~bits) != '0;
    end
  endfunction

  logic moves32, requants, no_table;
  assign moves32 = work_i.op == daedalus_isa_pkg::VectorOpMov32;
  assign requants = work_i.op == daedalus_isa_pkg::VectorOpRequant || work_i.op == daedalus_isa_pkg::VectorOpRequantLut;
  assign no_table
      = (work_i.op == daedalus_isa_pkg::VectorOpLut || work_i.op == daedalus_isa_pkg::VectorOpRequantLut)
      && 32'(work_i.table_) >= daedalus_machine_pkg::LutBytes / 256;

  always_ff @(posedge clk_i) begin
    outside_o <= no_table || outside_scope(work_i.dst_scope, dst_row_i, 1'b0)
        || (moves32 && outside_scope(work_i.dst_scope, dst_row_i + 36'sd3, 1'b0))
        || outside_scope(work_i.a_scope, a_row_i, 1'b0) || outside_scope(work_i.b_scope, b_row_i, requants);
  end

  logic unused;
  assign unused = ^work_i;

endmodule
