/// The array: N x N processing elements and a sum for each output lane. Operands of a column that is valid in cycle c
/// are in the taps from c + 1 on; with a tile of WGT in that cycle they give `sums_o` in c + 4: products registered in
/// the elements, then sums in two registers.
/// Without a window, tap i of lane o is lane i of the row, the same for all o. With one of R rows, tap r C + k of
/// lane o, C = N / R rounded down, is lane o of row r of the column k before: rows enter at k = 0 and move on from
/// tap to tap. The first column finds zeros behind it, and the taps behind the last row are zero.
module gemm_array #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned Rows = daedalus_machine_pkg::InpInterleave
) (
  input  logic              clk_i,
  input  logic              column_i,     // the rows of a column are valid
  input  logic              first_i,      // it is the first one of a window
  input  logic [2:0]        window_i,
  input  logic [2:0]        valid_i,      // taps and tile, products, and sums of a few products are
  input  logic [8*N*Rows-1:0] inp_i,      // byte r N + o: row r, lane o
  input  logic [8*N*N-1:0]  wgt_i,        // byte o N + i: output lane o, tap i
  output logic [32*N-1:0]   sums_o
);

  logic [8*N*N-1:0] taps_q, taps;

  always_comb begin
    taps = {N{inp_i[8*N-1:0]}};
    if (window_i != '0) begin
      taps = first_i ? '0 : taps_q << 8;
      for (int window = 1; window <= Rows; window++) begin
        if (32'(window_i) == window) begin
          for (int o = 0; o < N; o++) begin
            for (int r = 0; r < window; r++) taps[8*(o*N+r*(N/window))+:8] = inp_i[8*(r*N+o)+:8];
            if (window * (N / window) < N) taps[8*(o*N+window*(N/window))+:8] = '0;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (column_i) taps_q <= taps;
  end

  for (genvar o = 0; o < N; o++) begin : gen_row
    logic [16*N-1:0] products;
    for (genvar i = 0; i < N; i++) begin : gen_element
      gemm_element u_element (
        .clk_i, .enable_i(valid_i[0]), .inp_i(taps_q[8*(o*N+i)+:8]), .wgt_i(wgt_i[8*(o*N+i)+:8]),
        .product_o(products[16*i+:16])
      );
    end
    gemm_sum u_sum (.clk_i, .valid_i(valid_i[2:1]), .products_i(products), .sum_o(sums_o[32*o+:32]));
  end

endmodule
