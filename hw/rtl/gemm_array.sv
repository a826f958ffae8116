/// The array: N x N processing elements and a sum for each output lane. The rows of a column that is valid in cycle c are
/// registered, and in the taps from c + 2 on; a tile of WGT that is valid in c + 1 is registered, too. Together they give
/// `sums_o` in c + 4: products registered in the elements, then sums.
/// Without a window, tap i of lane o is lane i of the row, the same for all o. With one of R rows, tap r C + k of
/// lane o, C = N / R rounded down, is lane o of row r of the column k before: rows enter at k = 0 and move on from
/// tap to tap. The first column finds zeros behind it, and the taps behind the last row are zero.
/// What a tap takes is the same for all lanes, and is decided in the cycle before.
module gemm_array #(
  localparam int unsigned N = daedalus_machine_pkg::N,
  localparam int unsigned Rows = daedalus_machine_pkg::InpInterleave
) (
  input  logic              clk_i,
  input  logic [2:0]        window_i,
  input  logic              column_i,     // the rows of a column are valid
  input  logic              first_i,      // it is the first one of a window
  input  logic              tile_i,       // a tile is valid that was not before
  input  logic [1:0]        valid_i,      // taps and tile are in their registers; products are
  input  logic [8*N*Rows-1:0] inp_i,      // byte r N + o: row r, lane o
  input  logic [8*N*N-1:0]  wgt_i,        // byte o N + i: output lane o, tap i
  output logic [32*N-1:0]   sums_o
);

  localparam int unsigned LaneBits = $clog2(N);
  localparam logic [1:0] Zero = 2'd0;
  localparam logic [1:0] Moves = 2'd1;     // from the tap before
  localparam logic [1:0] Enters = 2'd2;    // the lane's byte of a row
  localparam logic [1:0] Straight = 2'd3;  // the tap's byte of the first row

  logic [2*N-1:0]   source, source_q, row, row_q;  // of each tap; which row enters
  logic [8*N*N-1:0] taps_q, taps;          // what the elements hold, and what they take
  logic [8*N*Rows-1:0] rows_q;
  logic             column_q;

  always_comb begin
    for (int i = 0; i < N; i++) begin
      source[2*i+:2] = window_i == '0 ? Straight : first_i || i == 0 ? Zero : Moves;
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
          Enters:   taps[8*(o*N+i)+:8] = rows_q[32'({row_q[2*i+:2], LaneBits'(o), 3'd0})+:8];
          Straight: taps[8*(o*N+i)+:8] = rows_q[8*i+:8];
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    source_q <= source;
    row_q <= row;
    column_q <= column_i;
    if (column_i || daedalus_pkg::LoadsInvalid) rows_q <= inp_i;
  end

  for (genvar o = 0; o < N; o++) begin : gen_row
    logic [16*N-1:0] products;
    for (genvar i = 0; i < N; i++) begin : gen_element
      gemm_element u_element (
        .clk_i, .tap_valid_i(column_q), .wgt_valid_i(tile_i || daedalus_pkg::LoadsInvalid), .valid_i(valid_i[0]),
        .tap_i(taps[8*(o*N+i)+:8]), .wgt_i(wgt_i[8*(o*N+i)+:8]), .tap_o(taps_q[8*(o*N+i)+:8]),
        .product_o(products[16*i+:16])
      );
    end
    gemm_sum u_sum (.clk_i, .valid_i(valid_i[1]), .products_i(products), .sum_o(sums_o[32*o+:32]));
  end

endmodule
