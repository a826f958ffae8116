/// FETCH (R4 to R6): asks for bursts of instructions, gathers their beats, holds them in its buffer, checks the
/// head's encoding and dispatches it to its module's queue.
/// A beat on the bus in r completes an instruction that is in the head register from r + 3 on (R5): gathered at the edge
/// of r, moved from the buffer to the word register at the edge of r + 1, and from there to the head with what the
/// check of its encoding says at the edge of r + 2. From the first beat with an error response on it takes none, so that
/// no instruction that is not whole by then reaches the head (R22).
/// A burst that goes over the program's limit is not asked for: it is reported in the first cycle in which it would be.
/// Reports an illegal head in its first cycle, and a missing FINISH in the cycle after the last dispatch, or in
/// cycle 1 of a program of length 0 (R22).
module fetch #(
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,
  input  logic                        running_i,
  input  logic [63:0]                 program_address_i,
  input  logic [31:0]                 program_length_i,
  input  logic [31:0]                 program_limit_i,   // bytes
  input  logic                        fault_i,
  output logic                        read_valid_o,
  output daedalus_pkg::read_request_t read_o,
  input  logic                        read_granted_i,
  input  logic                        beat_valid_i,
  input  logic                        beat_error_i,
  input  logic [8*W-1:0]              beat_data_i,
  input  logic [3:0]                  queue_full_i,
  output logic [3:0]                  dispatch_o,
  output daedalus_pkg::issued_t       dispatched_o,
  output logic                        head_valid_o,
  output logic                        finish_in_head_o,
  output logic [31:0]                 head_index_o,
  output daedalus_pkg::fault_report_t illegal_o,
  output daedalus_pkg::fault_report_t missing_finish_o,
  output daedalus_pkg::fault_report_t limit_error_o,
  output logic [3:0]                  class_o
);

  localparam int unsigned Buffer = daedalus_machine_pkg::FetchBuffer;
  localparam int unsigned Burst = daedalus_machine_pkg::FetchBurst;
  localparam int unsigned BeatsEach = 64 / W;  // of an instruction
  localparam int unsigned IndexBits = Buffer == 1 ? 1 : $clog2(Buffer);
  localparam int unsigned PlaceBits = IndexBits + 1;

  // Asking (R4). The next burst is in registers, and so is whether the buffer and the program's limit have room for it;
  // when it is granted the one behind it takes its place. All bursts but the first begin at a boundary.
  logic                  has_burst_q;       // instructions are left
  logic [31:0]           granted_q;         // instructions of the bursts before
  logic [63:0]           address_q;
  logic [6:0]            ask_q;             // its instructions
  logic [31:0]           behind_q;          // instructions behind it
  logic [9:0]            spare_q;           // places of the buffer that it leaves, signed: below zero it waits
  logic [26:0]           within_q;          // instructions from its end to the limit, signed: below zero it is beyond
  logic [6:0]            to_boundary, first, following;  // instructions of the first burst, and of the one behind
  logic                  dispatches, wants, beyond;

  assign to_boundary = 7'(Burst) - (program_address_i[12:6] & 7'(Burst - 1));
  assign first = program_length_i < 32'(to_boundary) ? program_length_i[6:0] : to_boundary;
  assign following = behind_q < 32'(Burst) ? behind_q[6:0] : 7'(Burst);
  assign wants = running_i && has_burst_q && !spare_q[9] && !finish_in_head_o && !fault_i;
  assign beyond = within_q[26];
  assign read_valid_o = wants && !beyond;
  assign read_o.address = address_q;
  assign read_o.beats = 9'(ask_q) * 9'(BeatsEach);
  assign read_o.index = granted_q;

  // Gathering: the beats of an instruction, then a place in the buffer.
  logic [511:0]          gathered_q, arriving;
  logic [3:0]            beats_q;     // of the instruction that is arriving
  logic                  failed_q;    // a beat came with an error
  logic                  takes;       // the beat on the bus
  logic                  arrives;     // the last beat of an instruction is on the bus
  logic [PlaceBits-1:0]  write_q, read_q;
  logic [511:0]          places [1 << IndexBits];

  always_comb begin
    arriving = '0;
    if (beat_valid_i) arriving = 512'({beat_data_i, gathered_q} >> (8 * W));
  end
  assign takes = beat_valid_i && !beat_error_i && !failed_q;
  assign arrives = takes && beats_q == 4'(BeatsEach - 1);

  // The word register and the head register.
  logic                  word_valid_q, reads_word;
  logic [511:0]          word_q;
  logic                  head_valid_q, head_fresh_q, head_legal_q, head_finishes_q, loads, is_finish;
  logic [511:0]          head_q;
  logic [31:0]           loaded_q;    // instructions that have reached the head register
  logic [3:0]            target, target_q;  // of the word, of the head
  logic                  last_dispatched_q;

  assign loads = word_valid_q && (!head_valid_q || dispatches);
  assign reads_word = read_q != write_q && (!word_valid_q || loads);
  assign is_finish = head_legal_q && head_finishes_q;

  always_comb begin
    unique case (word_q[7:0])
      daedalus_isa_pkg::OpcodeLoad:   target = 4'b0001;
      daedalus_isa_pkg::OpcodeGemm:   target = 4'b0010;
      daedalus_isa_pkg::OpcodeVector: target = 4'b0100;
      daedalus_isa_pkg::OpcodeStore:  target = 4'b1000;
      daedalus_isa_pkg::OpcodeMark, daedalus_isa_pkg::OpcodeNop:
                                      target = 4'b0001 << word_q[33:32];  // they name their module
      daedalus_isa_pkg::OpcodeFinish: target = '0;
      default:                        target = 'x;  // illegal
    endcase
  end

  assign dispatches = head_valid_q && head_legal_q && !is_finish && !fault_i && (target_q & queue_full_i) == '0;
  assign dispatch_o = dispatches ? target_q : '0;
  assign dispatched_o.index = loaded_q - 32'd1;
  assign dispatched_o.word = head_q;
  assign head_valid_o = head_valid_q;
  assign head_index_o = loaded_q - 32'd1;
  assign finish_in_head_o = head_valid_q && is_finish;

  assign illegal_o.valid = head_valid_q && head_fresh_q && !head_legal_q;
  assign illegal_o.cause = daedalus_isa_pkg::FaultIllegalEncoding;
  assign illegal_o.index = head_index_o;
  assign limit_error_o.valid = wants && beyond;
  assign limit_error_o.cause = daedalus_isa_pkg::FaultAddressLimit;
  assign limit_error_o.index = granted_q;
  assign missing_finish_o.valid = last_dispatched_q && running_i;
  assign missing_finish_o.cause = daedalus_isa_pkg::FaultMissingFinish;
  assign missing_finish_o.index = loaded_q == '0 ? '0 : head_index_o;

  always_comb begin
    if (dispatches) class_o = daedalus_isa_pkg::CounterClassBusy;
    else if (finish_in_head_o) class_o = daedalus_isa_pkg::CounterClassIdle;
    else if (head_valid_q) class_o = daedalus_isa_pkg::CounterClassQueueFull;
    else if (read_valid_o && !read_granted_i) class_o = daedalus_isa_pkg::CounterClassBus;
    else class_o = daedalus_isa_pkg::CounterClassMemory;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_burst_q       <= 1'b0;
      granted_q         <= '0;
      address_q         <= '0;
      ask_q             <= '0;
      behind_q          <= '0;
      spare_q           <= '0;
      within_q          <= '0;
      failed_q          <= 1'b0;
      beats_q           <= '0;
      write_q           <= '0;
      read_q            <= '0;
      word_valid_q      <= 1'b0;
      head_valid_q      <= 1'b0;
      head_fresh_q      <= 1'b0;
      loaded_q          <= '0;
      last_dispatched_q <= 1'b0;
    end else if (clear_i) begin
      has_burst_q       <= program_length_i != '0;
      granted_q         <= '0;
      address_q         <= program_address_i;
      ask_q             <= first;
      behind_q          <= program_length_i - 32'(first);
      spare_q           <= 10'(Buffer) - 10'(first);
      within_q          <= {1'b0, program_limit_i[31:6]} - 27'(first);
      failed_q          <= 1'b0;
      beats_q           <= '0;
      write_q           <= '0;
      read_q            <= '0;
      word_valid_q      <= 1'b0;
      head_valid_q      <= 1'b0;
      head_fresh_q      <= 1'b0;
      loaded_q          <= '0;
      last_dispatched_q <= program_length_i == '0;
    end else begin
      if (read_granted_i) begin
        has_burst_q <= behind_q != '0;
        granted_q   <= granted_q + 32'(ask_q);
        address_q   <= address_q + {51'd0, ask_q, 6'd0};
        ask_q       <= following;
        behind_q    <= behind_q - 32'(following);
        within_q    <= within_q - 27'(following);
      end
      spare_q <= spare_q - (read_granted_i ? 10'(following) : '0) + 10'(dispatches);
      failed_q <= failed_q || (beat_valid_i && beat_error_i);
      if (takes) beats_q <= arrives ? '0 : beats_q + 4'd1;
      if (arrives) write_q <= write_q + PlaceBits'(1);
      if (reads_word) read_q <= read_q + PlaceBits'(1);
      if (loads) loaded_q <= loaded_q + 32'd1;
      word_valid_q      <= reads_word || (word_valid_q && !loads);
      head_valid_q      <= loads || (head_valid_q && !dispatches);
      head_fresh_q      <= loads;
      last_dispatched_q <= dispatches && loaded_q == program_length_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_valid_i) gathered_q <= arriving;
    if (arrives) places[write_q[IndexBits-1:0]] <= arriving;
    if (reads_word) word_q <= places[read_q[IndexBits-1:0]];
    if (loads) begin
      head_q          <= word_q;
      head_legal_q    <= daedalus_isa_pkg::is_legal(word_q, daedalus_machine_pkg::N, daedalus_machine_pkg::InpInterleave);
      head_finishes_q <= word_q[7:0] == daedalus_isa_pkg::OpcodeFinish;
      target_q        <= target;
    end
  end

  logic unused;
  assign unused = ^program_limit_i[5:0];

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni || clear_i)
      !(arrives && write_q - read_q == PlaceBits'(Buffer)))
    else $error("an instruction arrives at a full fetch buffer");
`endif

endmodule
