/// The sum of an output lane's N products in two registers: sums of Group products each, and their sum.
module gemm_sum #(
  localparam int unsigned N = daedalus_machine_pkg::N
) (
  input  logic                clk_i,
  input  logic [1:0]          valid_i,     // the products are, and the groups
  input  logic [16*N-1:0]     products_i,
  output logic signed [31:0]  sum_o
);

  localparam int unsigned Group = N > 16 ? 8 : 4;
  localparam int unsigned Groups = N / Group;

  logic        [32*Groups-1:0] groups_q;
  logic signed [31:0]          sum;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic signed [31:0] group;

    always_comb begin
      group = '0;
      if (valid_i[0]) begin
        for (int i = 0; i < Group; i++) group = group + 32'($signed(products_i[16*(Group*g+i)+:16]));
      end
    end
    always_ff @(posedge clk_i) begin
      if (valid_i[0]) groups_q[32*g+:32] <= group;
    end
  end

  always_comb begin
    sum = '0;
    if (valid_i[1]) begin
      for (int g = 0; g < Groups; g++) sum = sum + $signed(groups_q[32*g+:32]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i[1]) sum_o <= sum;
  end

endmodule
