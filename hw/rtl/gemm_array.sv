/// The array: N x N processing elements and a sum for each output lane. A row of INP and a tile of WGT that are
/// valid in cycle c give `sums_o` in c + 2: products registered in the elements, then sums registered here.
module gemm_array #(
  localparam int unsigned N = daedalus_machine_pkg::N
) (
  input  logic             clk_i,
  input  logic             valid_i,      // operands are
  input  logic             products_i,   // valid_i one cycle ago
  input  logic [8*N-1:0]   inp_i,
  input  logic [8*N*N-1:0] wgt_i,        // byte o N + i: output lane o, input lane i
  output logic [32*N-1:0]  sums_o
);

  for (genvar o = 0; o < N; o++) begin : gen_row
    logic [16*N-1:0] products;
    for (genvar i = 0; i < N; i++) begin : gen_element
      gemm_element u_element (
        .clk_i, .enable_i(valid_i), .inp_i(inp_i[8*i+:8]), .wgt_i(wgt_i[8*(o*N+i)+:8]),
        .product_o(products[16*i+:16])
      );
    end
    gemm_sum u_sum (.clk_i, .enable_i(products_i), .products_i(products), .sum_o(sums_o[32*o+:32]));
  end

endmodule
