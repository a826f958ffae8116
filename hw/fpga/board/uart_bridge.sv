/// Gives a host behind a UART the registers of the accelerator and the bytes of the memory. Numbers are little-endian.
///
///   command:  operation (1 byte), address (4), length (2), check (1); a write goes on: `length` bytes, check (1)
///   answer:   status (1); of a read that is done: `length` bytes; check (1)
///
/// Operations: 1 writes a register, 2 reads one (`length` is 4, the address a multiple of 4 below 4096), 3 writes memory, 4
/// reads it (`length` at least 1, within the memory). A check is the CRC-8 (x^8 + x^2 + x + 1, first 0xff) of the bytes
/// before it: of the seven at the head of a command, of the data, of the answer. The host waits for an answer before it
/// sends the next command.
///
/// Statuses: 0xa0 done; 0xe1 a check is wrong; 0xe2 no such operation; 0xe3 a length or an address that is not as above; 0xe4
/// the command did not go on for SilenceBits; 0xe5 a byte was lost, or had no stop bit. Behind an error what comes is ignored
/// until the line has been silent for SilenceBits: the next byte then begins a command. A write of memory that ends so may
/// have written some of its bytes.
///
/// Between commands it reads STATUS again and again, for `running_o` and `fault_o`.
module uart_bridge #(
  parameter int unsigned  Divider = 25,          // cycles a bit
  parameter int unsigned  SilenceBits = 100000,
  parameter int unsigned  MemoryBytes = 65536,
  localparam int unsigned AddressBits = $clog2(MemoryBytes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   rx_i,
  output logic                   tx_o,
  output logic                   running_o,
  output logic                   fault_o,
  // AXI4-Lite, without responses: the port refuses no access of a whole register
  output logic                   awvalid_o,
  input  logic                   awready_i,
  output logic                   wvalid_o,
  input  logic                   wready_i,
  input  logic                   bvalid_i,
  output logic                   bready_o,
  output logic                   arvalid_o,
  input  logic                   arready_i,
  output logic [11:0]            address_o,      // of both
  output logic [31:0]            wdata_o,
  input  logic                   rvalid_i,
  output logic                   rready_o,
  input  logic [31:0]            rdata_i,
  // memory
  output logic                   memory_valid_o,
  output logic                   memory_write_o,
  output logic [AddressBits-1:0] memory_address_o,
  output logic [7:0]             memory_data_o,
  input  logic                   memory_ready_i,
  input  logic [7:0]             memory_data_i
);

  localparam logic [7:0] Done = 8'ha0, WrongCheck = 8'he1, NoOperation = 8'he2, WrongRange = 8'he3, Silent = 8'he4,
                         Lost = 8'he5;
  localparam logic [7:0] WriteRegister = 8'd1, ReadRegister = 8'd2, WriteMemory = 8'd3, ReadMemory = 8'd4;
  localparam logic [7:0] First = 8'hff;  // of a check
  localparam int unsigned Silence = SilenceBits * Divider;
  localparam int unsigned SilenceWidth = $clog2(Silence + 1);

  typedef enum logic [3:0] {
    Header, Decode, Data, DataCheck,  // a command comes
    Write, Read, Watch,               // an access of the register port
    Status, Fetch, Fetched, Send, Check,  // an answer goes
    Ignore
  } state_e;

  state_e                  state_q;
  logic                    rx_valid, rx_ready, rx_lost, rx_active, tx_ready, taken;
  logic [7:0]              rx_data, tx_data, crc_q, status_q, operation_q;
  logic [2:0]              count_q;   // bytes of the head that have come
  logic [31:0]             address_q, data_q;
  logic [15:0]             left_q;    // bytes of data
  logic                    lost_q;    // a byte of this command or behind it
  logic [SilenceWidth-1:0] silence_q;
  logic                    silent, of_register, is_write, in_range, receives, sends, ends_early;

  function automatic logic [7:0] crc_of(input logic [7:0] crc, input logic [7:0] data);
    crc_of = crc ^ data;
    for (int i = 0; i < 8; i++) crc_of = {crc_of[6:0], 1'b0} ^ (crc_of[7] ? 8'h07 : 8'h00);
  endfunction

  uart_rx #(.Divider(Divider)) u_rx (
    .clk_i, .rst_ni, .line_i(rx_i), .valid_o(rx_valid), .ready_i(rx_ready), .data_o(rx_data), .lost_o(rx_lost),
    .active_o(rx_active)
  );
  uart_tx #(.Divider(Divider)) u_tx (
    .clk_i, .rst_ni, .valid_i(sends), .ready_o(tx_ready), .data_i(tx_data), .line_o(tx_o)
  );

  assign receives = state_q == Header || state_q == Data || state_q == DataCheck;
  assign sends = state_q == Status || state_q == Send || state_q == Check;
  assign rx_ready = state_q == Ignore || (state_q == Data && !of_register ? memory_ready_i : receives);
  assign taken = rx_valid && rx_ready;
  assign silent = silence_q == '0;
  assign ends_early = silent && !(state_q == Header && count_q == '0);

  assign of_register = operation_q == WriteRegister || operation_q == ReadRegister;
  assign is_write = operation_q == WriteRegister || operation_q == WriteMemory;
  assign in_range = of_register ? address_q[31:12] == '0 && address_q[1:0] == '0 && left_q == 16'd4
                                : left_q != '0 && 33'(address_q) + 33'(left_q) <= 33'(MemoryBytes);

  assign address_o = state_q == Watch ? 12'(daedalus_isa_pkg::RegStatus) : address_q[11:0];
  assign wdata_o = data_q;
  assign bready_o = state_q == Write;
  assign rready_o = state_q == Read || state_q == Watch;

  assign memory_valid_o = state_q == Fetch || (state_q == Data && !of_register && rx_valid);
  assign memory_write_o = state_q == Data;
  assign memory_address_o = address_q[AddressBits-1:0];
  assign memory_data_o = rx_data;

  always_comb begin
    unique case (state_q)
      Status: tx_data = status_q;
      Send: tx_data = data_q[7:0];
      default: tx_data = crc_q;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= Header;
      count_q     <= '0;
      crc_q       <= First;
      status_q    <= Done;
      operation_q <= '0;
      address_q   <= '0;
      data_q      <= '0;
      left_q      <= '0;
      lost_q      <= 1'b0;
      silence_q   <= '0;
      awvalid_o   <= 1'b0;
      wvalid_o    <= 1'b0;
      arvalid_o   <= 1'b0;
      running_o   <= 1'b0;
      fault_o     <= 1'b0;
    end else begin
      lost_q <= lost_q || rx_lost;
      if (rx_active || rx_valid || rx_lost) silence_q <= SilenceWidth'(Silence);
      else if (!silent) silence_q <= silence_q - SilenceWidth'(1);
      if (awready_i) awvalid_o <= 1'b0;
      if (wready_i) wvalid_o <= 1'b0;
      if (arready_i) arvalid_o <= 1'b0;

      case (state_q)
        Header: begin
          if (taken) begin
            count_q <= count_q + 3'd1;
            crc_q   <= crc_of(crc_q, rx_data);
            if (count_q != 3'd7) {left_q, address_q, operation_q} <= {rx_data, left_q, address_q};
            else state_q <= Decode;
          end else if (count_q == '0 && !lost_q) begin
            state_q   <= Watch;
            arvalid_o <= 1'b1;
          end
        end
        Decode: begin
          crc_q    <= First;
          status_q <= Done;
          state_q  <= Status;
          if (crc_q != '0) status_q <= WrongCheck;
          else if (operation_q < WriteRegister || operation_q > ReadMemory) status_q <= NoOperation;
          else if (!in_range) status_q <= WrongRange;
          else if (is_write) state_q <= Data;
          else if (of_register) begin
            state_q   <= Read;
            arvalid_o <= 1'b1;
          end
        end
        Data: if (taken) begin
          crc_q     <= crc_of(crc_q, rx_data);
          data_q    <= {rx_data, data_q[31:8]};
          left_q    <= left_q - 16'd1;
          address_q <= of_register ? address_q : address_q + 32'd1;
          if (left_q == 16'd1) state_q <= DataCheck;
        end
        DataCheck: if (taken) begin
          crc_q <= First;
          if (crc_of(crc_q, rx_data) != '0) begin
            status_q <= WrongCheck;
            state_q  <= Status;
          end else begin
            state_q   <= of_register ? Write : Status;
            awvalid_o <= of_register;
            wvalid_o  <= of_register;
          end
        end
        Write: if (bvalid_i) state_q <= Status;
        Read: if (rvalid_i) begin
          data_q  <= rdata_i;
          state_q <= Status;
        end
        Watch: if (rvalid_i) begin
          running_o <= rdata_i[1:0] == daedalus_isa_pkg::StatusRunning;
          fault_o   <= rdata_i[1:0] == daedalus_isa_pkg::StatusFault;
          state_q   <= Header;
        end
        Status: if (tx_ready) begin
          crc_q   <= crc_of(crc_q, tx_data);
          state_q <= status_q != Done || is_write ? Check : of_register ? Send : Fetch;
        end
        Fetch: if (memory_ready_i) state_q <= Fetched;
        Fetched: begin
          data_q[7:0] <= memory_data_i;
          state_q     <= Send;
        end
        Send: if (tx_ready) begin
          crc_q     <= crc_of(crc_q, tx_data);
          data_q    <= data_q >> 8;
          left_q    <= left_q - 16'd1;
          address_q <= address_q + 32'd1;
          state_q   <= left_q == 16'd1 ? Check : of_register ? Send : Fetch;
        end
        Check: if (tx_ready) begin
          crc_q   <= First;
          count_q <= '0;
          state_q <= status_q == Done ? Header : Ignore;
        end
        default: begin
          lost_q <= 1'b0;
          if (silent) state_q <= Header;
        end
      endcase

      // The first byte that was lost ends a command, and so does silence.
      if (receives && (lost_q || ends_early)) begin
        crc_q     <= First;
        status_q  <= lost_q ? Lost : Silent;
        state_q   <= Status;
      end
    end
  end

endmodule
