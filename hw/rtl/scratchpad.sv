/// A scratchpad that two modules write and two read: Banks of rows, bank b being the b-th contiguous part of them, and
/// Interleave RAMs a bank, of which RAM m holds the rows a with a mod Interleave = m.
/// A bank has one write port for both writers. Reader 0 reads up to Interleave rows a cycle, no two of them m-th RAMs of
/// banks (asserted here), reader 1 one row, from the same RAMs or (`OwnReadPorts`) from a RAM a bank that holds all its
/// rows once more.
/// The verifier proves that modules which the tokens leave unordered never share a port (asserted here), so there
/// is no arbitration and no stall, and that none of them reads a row in the cycle in which the other writes it
/// (asserted here). A module that reads a row in the cycle in which it writes it itself gets no defined value.
module scratchpad #(
  parameter int unsigned Rows = 16,
  parameter int unsigned RowBytes = 16,
  parameter int unsigned Banks = 2,
  parameter int unsigned Interleave = 1,
  parameter bit          OwnReadPorts = 1'b0,
  parameter bit          Reader0Writes = 1'b0,  // writer 0 is the module of reader 0; writer 1 always is that of reader 1
  parameter bit          Enables = 1'b0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [1:0]            write_valid_i,
  input  logic [31:0]           write_row_i,     // 16 bits a writer
  input  logic [RowBytes-1:0]   write_enable_i,  // of writer 0; writer 1 writes whole rows
  input  logic [16*RowBytes-1:0] write_data_i,
  input  logic [Interleave:0]   read_valid_i,    // rows of reader 0, and behind them the one of reader 1
  input  logic [16*(Interleave+1)-1:0] read_row_i,
  output logic [8*RowBytes*(Interleave+1)-1:0] read_data_o
);

  localparam int unsigned BankRows = Rows / Banks;
  localparam int unsigned RamRows = BankRows / Interleave;
  localparam int unsigned RowBits = RamRows == 1 ? 1 : $clog2(RamRows);
  localparam logic [15:0] InRam = 16'(RamRows - 1);  // the bits that name a row in its RAM; of one row none
  localparam logic [15:0] OfRam = 16'(Interleave - 1);  // those that say which RAM of its bank
  localparam int unsigned Width = 8 * RowBytes;
  localparam int unsigned Reads = Interleave + 1;
  localparam int unsigned Rams = Banks * Interleave;
  localparam int unsigned BankBits = Banks == 1 ? 1 : $clog2(Banks);
  localparam int unsigned PlaceBits = Interleave == 1 ? 1 : $clog2(Interleave);
  localparam int unsigned Copies = OwnReadPorts ? Banks : 0;
  localparam int unsigned Rams1 = OwnReadPorts ? Banks : Rams;  // those that reader 1 reads
  localparam int unsigned Ram1Bits = Rams1 == 1 ? 1 : $clog2(Rams1);
  localparam int unsigned BankRowBits = BankRows == 1 ? 1 : $clog2(BankRows);

  logic [Width*Rams-1:0]   data0;         // of each RAM
  logic [Width*Rams1-1:0]  data1;         // for reader 1: of its own, or of these
  logic [Banks-1:0]        write0;        // writer 0 writes the bank
  logic [Width*Banks-1:0]  write_data;
  logic [RowBytes*Banks-1:0] write_enable;
  logic [16*Banks-1:0]     write_row;
  logic [15:0]             read_row1;     // of reader 1
  assign read_row1 = read_row_i[16*Interleave+:16];

  function automatic logic [RowBits-1:0] in_ram(input logic [15:0] row);
    in_ram = RowBits'((row / 16'(Interleave)) & InRam);
  endfunction

  function automatic logic is_in(input logic [15:0] row, input int unsigned ram);
    is_in = 32'(row) / BankRows == ram / Interleave && ((row ^ 16'(ram)) & OfRam) == '0;
  endfunction

  function automatic logic [15:0] bank_of(input logic [15:0] row);
    bank_of = (row / 16'(BankRows)) & 16'(Banks - 1);
  endfunction

  function automatic logic in_bank(input logic [15:0] row, input int unsigned bank);
    in_bank = 32'(row) / BankRows == bank;
  endfunction

  always_comb begin
    for (int bank = 0; bank < Banks; bank++) begin
      write0[bank] = write_valid_i[0] && in_bank(write_row_i[15:0], bank);
      write_row[16*bank+:16] = write0[bank] ? write_row_i[15:0] : write_row_i[31:16];
      write_data[Width*bank+:Width] = write0[bank] ? write_data_i[Width-1:0] : write_data_i[2*Width-1:Width];
      write_enable[RowBytes*bank+:RowBytes] = write0[bank] ? write_enable_i : '1;
    end
  end

  for (genvar ram = 0; ram < Rams; ram++) begin : gen_ram
    logic                       writes;
    logic [Interleave-1:0]      reads0;
    logic [RowBits-1:0]         row0;

    assign writes = write0[ram/Interleave] ? is_in(write_row_i[15:0], ram)
                                           : write_valid_i[1] && is_in(write_row_i[31:16], ram);
    always_comb begin
      row0 = '0;
      for (int r = 0; r < Interleave; r++) begin
        reads0[r] = read_valid_i[r] && is_in(read_row_i[16*r+:16], ram);
        if (reads0[r]) row0 = row0 | in_ram(read_row_i[16*r+:16]);
      end
    end

    ram_1r1w #(.Rows(RamRows), .Bytes(RowBytes), .Enables(Enables), .Forwards(1'b1)) u_ram (
      .clk_i, .write_valid_i(writes), .write_row_i(in_ram(write_row[16*(ram/Interleave)+:16])),
      .write_enable_i(write_enable[RowBytes*(ram/Interleave)+:RowBytes]),
      .write_data_i(write_data[Width*(ram/Interleave)+:Width]),
      .read_valid_i(|reads0 || (!OwnReadPorts && read_valid_i[Interleave] && is_in(read_row1, ram))),
      .read_row_i(OwnReadPorts || |reads0 ? row0 : in_ram(read_row1)), .read_data_o(data0[Width*ram+:Width])
    );
  end

  if (!OwnReadPorts) begin : gen_shared
    assign data1 = data0;
  end
  for (genvar bank = 0; bank < Copies; bank++) begin : gen_bank
    ram_1r1w #(.Rows(BankRows), .Bytes(RowBytes), .Enables(Enables), .Forwards(1'b1)) u_ram (
      .clk_i, .write_valid_i(write0[bank] || (write_valid_i[1] && in_bank(write_row_i[31:16], bank))),
      .write_row_i(BankRowBits'(write_row[16*bank+:16] & 16'(BankRows - 1))),
      .write_enable_i(write_enable[RowBytes*bank+:RowBytes]), .write_data_i(write_data[Width*bank+:Width]),
      .read_valid_i(read_valid_i[Interleave] && in_bank(read_row1, bank)),
      .read_row_i(BankRowBits'(read_row1 & 16'(BankRows - 1))), .read_data_o(data1[Width*bank+:Width])
    );
  end

`ifndef SYNTHESIS
  function automatic logic same_bank(input logic [15:0] row, input logic [15:0] other);
    same_bank = 32'(row) / BankRows == 32'(other) / BankRows;
  endfunction

  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(&write_valid_i && same_bank(write_row_i[15:0], write_row_i[31:16])))
    else $error("two modules write one bank of a scratchpad in one cycle");
  for (genvar m = 0; m < Interleave; m++) begin : gen_place
    logic [Interleave-1:0] rows;
    for (genvar r = 0; r < Interleave; r++) begin : gen_row
      assign rows[r] = read_valid_i[r] && (read_row_i[16*r+:16] & OfRam) == 16'(m);
    end
    assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(rows))
      else $error("two rows of one column lie in RAMs of a scratchpad that give one row together");
  end
  for (genvar w = 0; w < 2; w++) begin : gen_writer
    for (genvar r = 0; r < Reads; r++) begin : gen_read
      if (w == 0 ? r == Interleave || !Reader0Writes : r < Interleave) begin : gen_assert
        assert property (@(posedge clk_i) disable iff (!rst_ni)
            !(write_valid_i[w] && read_valid_i[r] && 32'(write_row_i[16*w+:16]) < Rows
              && write_row_i[16*w+:16] == read_row_i[16*r+:16]))
          else $error("race: a scratchpad's row is read in the cycle in which another module writes it");
      end
    end
  end
  if (!OwnReadPorts) begin : gen_assert
    for (genvar r = 0; r < Interleave; r++) begin : gen_read
      assert property (@(posedge clk_i) disable iff (!rst_ni)
          !(read_valid_i[r] && read_valid_i[Interleave]
            && same_bank(read_row_i[16*r+:16], read_row_i[16*Interleave+:16])))
        else $error("two modules read one bank of a scratchpad in one cycle");
    end
  end
`endif

  // The m-th RAMs of all banks give one row to reader 0: the bank is chosen once for each m, then m for each row.
  logic [BankBits*Interleave-1:0]  bank0_q;    // of the last read of an m-th RAM
  logic [PlaceBits*Interleave-1:0] place0_q;   // m of each row
  logic [Ram1Bits-1:0]             ram1_q;     // of reader 1
  logic [Width*Interleave-1:0]     places;

  always_ff @(posedge clk_i) begin
    for (int r = 0; r < Interleave; r++) begin
      if (read_valid_i[r]) place0_q[PlaceBits*r+:PlaceBits] <= PlaceBits'(read_row_i[16*r+:16] & OfRam);
      for (int m = 0; m < Interleave; m++) begin
        if (read_valid_i[r] && (read_row_i[16*r+:16] & OfRam) == 16'(m))
          bank0_q[BankBits*m+:BankBits] <= BankBits'(bank_of(read_row_i[16*r+:16]));
      end
    end
    if (read_valid_i[Interleave])
      ram1_q <= Ram1Bits'(OwnReadPorts ? bank_of(read_row1) : bank_of(read_row1) * 16'(Interleave) + (read_row1 & OfRam));
  end

  always_comb begin
    for (int m = 0; m < Interleave; m++)
      places[Width*m+:Width] = data0[Width*(32'(bank0_q[BankBits*m+:BankBits])*Interleave+m)+:Width];
    for (int r = 0; r < Interleave; r++)
      read_data_o[Width*r+:Width] = places[Width*32'(place0_q[PlaceBits*r+:PlaceBits])+:Width];
    read_data_o[Width*Interleave+:Width] = data1[Width*32'(ram1_q)+:Width];
  end

  logic unused;
  assign unused = ^{rst_ni, write_row_i, read_row_i, write_row};

endmodule
