/// The accumulation of GEMM, combinational: sums, or the old accumulator plus sums, modulo 2^32. The old one comes
/// from ACC, or from the last of the two iterations before that wrote the same row.
module gemm_accumulate #(
  localparam int unsigned N = daedalus_machine_pkg::N
) (
  input  logic            valid_i,
  input  logic            overwrite_i,
  input  logic [1:0]      forward_i,       // from the iteration before; from the one before that
  input  logic [32*N-1:0] acc_i,
  input  logic [32*N-1:0] last_result_i,
  input  logic [32*N-1:0] older_result_i,
  input  logic [32*N-1:0] sums_i,
  output logic [32*N-1:0] result_o
);

  logic [31:0] old;

  always_comb begin
    result_o = sums_i;
    old = '0;
    if (valid_i) begin
      for (int o = 0; o < N; o++) begin
        old = forward_i[0] ? last_result_i[32*o+:32] : forward_i[1] ? older_result_i[32*o+:32] : acc_i[32*o+:32];
        result_o[32*o+:32] = sums_i[32*o+:32] + (overwrite_i ? '0 : old);
      end
    end
  end

endmodule
