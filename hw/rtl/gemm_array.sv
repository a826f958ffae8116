/// The array: N x N processing elements and a sum for each output lane. Operands of a column that is valid in cycle c
/// are in the taps from c + 1 on; with a tile of WGT in that cycle they give `sums_o` in c + 4: products registered in
/// the elements, then sums in two registers.
/// Without a window, tap i of lane o is lane i of the row, the same for all o. With one of R rows, tap r C + k of
/// lane o, C = N / R rounded down, is lane o of row r of the column k before: rows enter at k = 0 and move on from
/// tap to tap. The first column finds zeros behind it, and the taps behind the last row are zero.
/// What a tap takes is the same for all lanes, and is decided in the cycle before its column.
module gemm_array #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned Rows = daedalus_machine_pkg::InpInterleave
) (
  input  logic              clk_i,
  input  logic              next_first_i, // the column of the next cycle is the first one of a window
  input  logic [2:0]        window_i,
  input  logic              column_i,     // the rows of a column are valid
  input  logic [2:0]        valid_i,      // taps and tile, products, and sums of a few products are
  input  logic [8*N*Rows-1:0] inp_i,      // byte r N + o: row r, lane o
  input  logic [8*N*N-1:0]  wgt_i,        // byte o N + i: output lane o, tap i
  output logic [32*N-1:0]   sums_o
);

  localparam logic [1:0] Zero = 2'd0;
  localparam logic [1:0] Moves = 2'd1;     // from the tap before
  localparam logic [1:0] Enters = 2'd2;    // the lane's byte of a row
  localparam logic [1:0] Straight = 2'd3;  // the tap's byte of the first row

  logic [2*N-1:0]   source, source_q, row, row_q;  // of each tap; which row enters
  logic [8*N*N-1:0] taps_q, taps;

  always_comb begin
    for (int i = 0; i < N; i++) begin
      source[2*i+:2] = window_i == '0 ? Straight : next_first_i || i == 0 ? Zero : Moves;
      row[2*i+:2] = '0;
      for (int window = 1; window <= Rows; window++) begin
        for (int r = 0; r < window; r++) begin
          if (32'(window_i) == window && i == r * (N / window)) begin
            source[2*i+:2] = Enters;
            row[2*i+:2] = 2'(r);
          end
        end
        if (32'(window_i) == window && i == window * (N / window)) source[2*i+:2] = Zero;
      end
    end
  end

  always_comb begin
    for (int o = 0; o < N; o++) begin
      for (int i = 0; i < N; i++) begin
        unique case (source_q[2*i+:2])
          Zero:     taps[8*(o*N+i)+:8] = '0;
          Moves:    taps[8*(o*N+i)+:8] = taps_q[8*(o*N+(i == 0 ? 0 : i-1))+:8];
          Enters:   taps[8*(o*N+i)+:8] = inp_i[8*(32'(row_q[2*i+:2])*N+o)+:8];
          Straight: taps[8*(o*N+i)+:8] = inp_i[8*i+:8];
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    source_q <= source;
    row_q <= row;
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
