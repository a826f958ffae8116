/// The accumulation of GEMM, combinational: sums, or the old accumulator plus sums, modulo 2^32. The old one comes
/// from ACC, or from the iteration before where that wrote the same row.
module gemm_accumulate #(
  localparam int unsigned N = daedalus_machine_pkg::N
) (
  input  logic            valid_i,
  input  logic            overwrite_i,
  input  logic            forward_i,
  input  logic [32*N-1:0] acc_i,
  input  logic [32*N-1:0] last_result_i,
  input  logic [32*N-1:0] sums_i,
  output logic [32*N-1:0] result_o
);

  always_comb begin
    result_o = sums_i;
    if (valid_i && !overwrite_i) begin
      for (int o = 0; o < N; o++) begin
        result_o[32*o+:32] = sums_i[32*o+:32] + (forward_i ? last_result_i[32*o+:32] : acc_i[32*o+:32]);
      end
    end
  end

endmodule
