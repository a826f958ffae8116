/// What a scratchpad promises, proved for banks of 1, 2 and 4 rows, with a read port for each reader and with one for
/// both, and for banks of 2 and 4 memories of which reader 0 reads a column of rows: it holds what was written last. Any
/// row is read in two cycles that follow each other, by any reader and from any state: the second read has the byte that
/// was written in the first cycle, or else the byte that the first read has. Reads change nothing, so this holds over
/// any number of cycles. Where each reader has memories of its own, this holds for either, whichever is looked at. And rows that are an odd distance apart lie in different memories, wherever the first is.
module scratchpad_properties (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [1:0]  write_valid_i,
  input logic [31:0] write_row_i,
  input logic [1:0]  write_enable_i,
  input logic [31:0] write_data_i,
  input logic [4:0]  read_valid_i,    // of up to four rows of reader 0, and of reader 1
  input logic [31:0] read_row_i,      // of the first row of reader 0, and of reader 1
  input logic [15:0] line_i,          // from a row of reader 0 to the next
  input logic [15:0] row_i,           // the row that is looked at
  input logic        byte_i,          // and its byte
  input logic        reader_i         // and whose memories, where each reader has its own
);

  for (genvar shape = 0; shape < 6; shape++) begin : gen_shape
    scratchpad_shape #(.BankRows(1 << (shape / 2)), .Own(1'(shape % 2))) u_shape (
      .clk_i, .rst_ni, .write_valid_i, .write_row_i, .write_enable_i, .write_data_i, .read_valid_i, .read_row_i, .line_i,
      .row_i, .byte_i, .reader_i
    );
  end
  for (genvar shape = 1; shape < 3; shape++) begin : gen_interleaved
    scratchpad_shape #(.BankRows(1 << shape), .Interleave(1 << shape), .Banks(2)) u_shape (
      .clk_i, .rst_ni, .write_valid_i, .write_row_i, .write_enable_i, .write_data_i, .read_valid_i, .read_row_i, .line_i,
      .row_i, .byte_i, .reader_i
    );
  end

endmodule

module scratchpad_shape #(
  parameter int unsigned BankRows = 1,
  parameter bit          Own = 1'b1,
  parameter int unsigned Interleave = 1,
  parameter int unsigned Banks = 4
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [1:0]  write_valid_i,
  input logic [31:0] write_row_i,
  input logic [1:0]  write_enable_i,
  input logic [31:0] write_data_i,
  input logic [4:0]  read_valid_i,
  input logic [31:0] read_row_i,
  input logic [15:0] line_i,
  input logic [15:0] row_i,
  input logic        byte_i,
  input logic        reader_i
);

  localparam logic [15:0] InRows = 16'(Banks * BankRows - 1);  // addresses stay inside
  localparam logic [15:0] OfBank = InRows & ~16'(BankRows - 1);
  localparam logic [15:0] OfRam = 16'(Interleave - 1);
  localparam int unsigned Reads = Interleave + 1;

  logic [31:0]         write_row;
  logic [16*Reads-1:0] read_row, read_data;
  logic [Reads-1:0]    read_valid;
  logic [15:0]         row;
  assign write_row = write_row_i & {2{InRows}};
  assign read_valid = {read_valid_i[4], read_valid_i[Interleave-1:0]};
  assign row = row_i & InRows;
  always_comb begin
    for (int r = 0; r < Interleave; r++) begin
      read_row[16*r+:16] = (read_row_i[15:0] + 16'(r) * (line_i | 16'd1)) & InRows;
    end
    read_row[16*Interleave+:16] = read_row_i[31:16] & InRows;
  end

  scratchpad #(
    .Rows(Banks * BankRows), .RowBytes(2), .Banks(Banks), .Interleave(Interleave), .OwnReadPorts(Own), .Enables(Own)
  ) u_dut (
    .clk_i, .rst_ni, .write_valid_i, .write_row_i(write_row), .write_enable_i(Own ? write_enable_i : 2'b11),
    .write_data_i, .read_valid_i(read_valid), .read_row_i(read_row), .read_data_o(read_data)
  );

  // This cycle's accesses to the byte. Whole rows are written but by writer 0 of a scratchpad with enables.
  logic [1:0]       writes;
  logic [Reads-1:0] reads, reads_q;
  logic [7:0]       value, found;
  logic             alike, apart;   // the reads of the byte agree; the rows of a column lie in different memories
  always_comb begin
    for (int k = 0; k < 2; k++) writes[k] = write_valid_i[k] && write_row[16*k+:16] == row;
    if (Own && !write_enable_i[byte_i]) writes[0] = 1'b0;
    value = write_data_i[16*!writes[0]+8*byte_i+:8];
    found = '0;
    for (int r = 0; r < Reads; r++) begin
      reads[r] = read_valid[r] && read_row[16*r+:16] == row && (!Own || reader_i == 1'(r == Interleave));
      if (reads_q[r]) found = read_data[16*r+8*byte_i+:8];
    end
    alike = 1'b1;
    apart = 1'b1;
    for (int r = 0; r < Reads; r++) begin
      if (reads_q[r] && read_data[16*r+8*byte_i+:8] != found) alike = 1'b0;
      for (int s = r + 1; s < Interleave; s++) begin
        if (((read_row[16*r+:16] ^ read_row[16*s+:16]) & OfRam) == '0) apart = 1'b0;
      end
    end
  end

  logic        before_q = 1'b0, first_q = 1'b0, written_q, byte_q, reader_q;  // before: a cycle; first: which read the byte
  logic [7:0]  value_q, found_q;
  logic [15:0] row_q;
  logic        written_before_q;
  logic [7:0]  value_before_q;
  always_ff @(posedge clk_i) begin
    before_q <= 1'b1;
    first_q <= before_q && reads_q != '0;
    {reads_q, row_q, byte_q, reader_q} <= {reads, row, byte_i, reader_i};
    {written_q, value_q} <= {writes != '0, value};
    {written_before_q, value_before_q, found_q} <= {written_q, value_q, found};
  end

  // What the verifier proves of programs: nobody shares a port. And the byte that is looked at stays the same.
  always @(*) begin
    if (&write_valid_i) assume ((write_row[15:0] & OfBank) != (write_row[31:16] & OfBank));
    if (!Own && &read_valid) assume ((read_row[15:0] & OfBank) != (read_row[31:16] & OfBank));
    if (before_q) assume (row == row_q && byte_i == byte_q && reader_i == reader_q);
    if (first_q && reads_q != '0) assert (found == (written_before_q ? value_before_q : found_q));
    if (before_q) assert (alike);
    assert (apart);
  end

endmodule
