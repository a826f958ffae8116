/// A scratchpad that two modules write and two read: Banks RAMs, bank b being the b-th contiguous part of the rows.
/// A bank has one write port for both writers, and one read port, or one for each reader (`OwnReadPorts`).
/// The verifier proves that modules which the tokens leave unordered never share a port (asserted here), so there
/// is no arbitration and no stall.
module scratchpad #(
  parameter int unsigned Rows = 16,
  parameter int unsigned RowBytes = 16,
  parameter int unsigned Banks = 2,
  parameter bit          OwnReadPorts = 1'b0,
  parameter bit          Enables = 1'b0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [1:0]            write_valid_i,
  input  logic [31:0]           write_row_i,     // 16 bits a writer
  input  logic [RowBytes-1:0]   write_enable_i,  // of writer 0; writer 1 writes whole rows
  input  logic [16*RowBytes-1:0] write_data_i,
  input  logic [1:0]            read_valid_i,
  input  logic [31:0]           read_row_i,
  output logic [16*RowBytes-1:0] read_data_o
);

  localparam int unsigned BankRows = Rows / Banks;
  localparam int unsigned RowBits = BankRows == 1 ? 1 : $clog2(BankRows);
  localparam logic [15:0] InBank = 16'(BankRows - 1);  // the bits of a row that name it in its bank; of one row none
  localparam int unsigned Ports = OwnReadPorts ? 2 : 1;
  localparam int unsigned Width = 8 * RowBytes;

  logic [Banks-1:0]  reads0, reads1;            // this cycle's reads by bank
  logic [Banks-1:0]  from0_q, from1_q;          // bank of each reader's last read
  logic [Width-1:0]  data0 [Banks];
  logic [Width-1:0]  data1 [Banks];

  function automatic logic [RowBits-1:0] in_bank(input logic [15:0] row);
    in_bank = RowBits'(row & InBank);
  endfunction

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic                       write0, write1;
    logic [RowBits-1:0]         write_row;
    logic [Ports-1:0]           read_valid;
    logic [Ports*RowBits-1:0]   read_row;
    logic [Ports*Width-1:0]     read_data;

    assign write0 = write_valid_i[0] && 32'(write_row_i[15:0]) / BankRows == b;
    assign write1 = write_valid_i[1] && 32'(write_row_i[31:16]) / BankRows == b;
    assign reads0[b] = read_valid_i[0] && 32'(read_row_i[15:0]) / BankRows == b;
    assign reads1[b] = read_valid_i[1] && 32'(read_row_i[31:16]) / BankRows == b;
    assign write_row = in_bank(write0 ? write_row_i[15:0] : write_row_i[31:16]);

    if (OwnReadPorts) begin : gen_own
      assign read_valid = {reads1[b], reads0[b]};
      assign read_row = {in_bank(read_row_i[31:16]), in_bank(read_row_i[15:0])};
      assign data0[b] = read_data[Width-1:0];
      assign data1[b] = read_data[2*Width-1:Width];
    end else begin : gen_shared
      assign read_valid = reads0[b] || reads1[b];
      assign read_row = in_bank(reads0[b] ? read_row_i[15:0] : read_row_i[31:16]);
      assign data0[b] = read_data;
      assign data1[b] = read_data;
    end

    scratchpad_memory #(
      .Rows(BankRows), .Slices(1), .SliceBytes(RowBytes), .Readers(Ports), .Enables(Enables)
    ) u_memory (
      .clk_i, .write_valid_i(write0 || write1), .write_row_i(write_row), .write_slice_i(1'b0),
      .write_enable_i(write0 ? write_enable_i : '1),
      .write_data_i(write0 ? write_data_i[Width-1:0] : write_data_i[2*Width-1:Width]),
      .read_valid_i(read_valid), .read_row_i(read_row), .read_data_o(read_data)
    );

`ifndef SYNTHESIS
    assert property (@(posedge clk_i) disable iff (!rst_ni) !(write0 && write1))
      else $error("two modules write one bank of a scratchpad in one cycle");
    if (!OwnReadPorts) begin : gen_assert
      assert property (@(posedge clk_i) disable iff (!rst_ni) !(reads0[b] && reads1[b]))
        else $error("two modules read one bank of a scratchpad in one cycle");
    end
`endif
  end

  always_ff @(posedge clk_i) begin
    if (read_valid_i[0]) from0_q <= reads0;
    if (read_valid_i[1]) from1_q <= reads1;
  end

  always_comb begin
    read_data_o = '0;
    for (int b = 0; b < Banks; b++) begin
      if (from0_q[b]) read_data_o[Width-1:0] = data0[b];
      if (from1_q[b]) read_data_o[2*Width-1:Width] = data1[b];
    end
  end

  logic unused;
  assign unused = ^{rst_ni, write_row_i, read_row_i};

endmodule
