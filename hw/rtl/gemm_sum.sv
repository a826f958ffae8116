/// The sum of an output lane's N products, registered.
module gemm_sum #(
  localparam int unsigned N = daedalus_machine_pkg::N
) (
  input  logic                clk_i,
  input  logic                valid_i,     // the products are
  input  logic [16*N-1:0]     products_i,
  output logic signed [31:0]  sum_o
);

  logic signed [31:0] sum;

  always_comb begin
    sum = '0;
    if (valid_i) begin
      for (int i = 0; i < N; i++) sum = sum + 32'($signed(products_i[16*i+:16]));
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) sum_o <= sum;
  end

endmodule
