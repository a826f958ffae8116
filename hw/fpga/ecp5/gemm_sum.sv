/// hw/rtl/gemm_sum.sv as a tree of sums of two, each a carry chain: yosys adds eight numbers with carries in LUTs, which each read
/// every product twice.
module gemm_sum #(
  localparam int unsigned N = daedalus_machine_pkg::N
) (
  input  logic                clk_i,
  input  logic                valid_i,
  input  logic [16*N-1:0]     products_i,
  output logic signed [31:0]  sum_o
);

  localparam int unsigned Width = 16 + $clog2(N);

  logic [Width*2*N-1:0]    nodes;  // k is the sum of 2 k and 2 k + 1; the last N are the products
  logic signed [Width-1:0] sum;

  assign nodes[0+:Width] = '0;
  for (genvar i = 0; i < N; i++) begin : gen_product
    assign nodes[Width*(N+i)+:Width] = Width'($signed(products_i[16*i+:16]));
  end
  for (genvar k = 1; k < N; k++) begin : gen_node
    localparam int unsigned Bits = Width + 1 - $clog2(k + 1);
    logic signed [Bits-1:0] node;
    signed_sum #(.Bits(Bits)) u_sum (
      .a_i(nodes[Width*2*k+:Bits-1]), .b_i(nodes[Width*(2*k+1)+:Bits-1]), .sum_o(node)
    );
    assign nodes[Width*k+:Width] = Width'(node);
  end

  assign sum = nodes[Width+:Width];
  always_ff @(posedge clk_i) begin
    if (valid_i) sum_o <= 32'(sum);
  end

endmodule
