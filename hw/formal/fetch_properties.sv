/// What FETCH promises about memory, proved for every program and every memory (prove.sh): it asks for no byte outside
/// [0, program_limit) of the program's address, in exact sums, and for the instructions in their order. Where it would,
/// it reports the fault in the same cycle. The host's registers stand still from a clear on as long as the program runs. The
/// signals that prove.sh connects are the next burst, whose sums are whole numbers here.
module fetch_properties #(
  localparam int unsigned W = daedalus_machine_pkg::BusBytes
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           clear_i,
  input logic           running_i,
  input logic [63:0]    program_address_i,
  input logic [31:0]    program_length_i,
  input logic [31:0]    program_limit_i,
  input logic           fault_i,
  input logic           read_granted_i,
  input logic           beat_valid_i,
  input logic           beat_error_i,
  input logic [8*W-1:0] beat_data_i,
  input logic [3:0]     queue_full_i
);

  logic                        read_valid, head_valid, finish_in_head;
  logic [3:0]                  dispatch, class_of;
  logic [31:0]                 head_index;
  daedalus_pkg::read_request_t read;
  daedalus_pkg::issued_t       dispatched;
  daedalus_pkg::fault_report_t illegal, missing_finish, limit_error;

  fetch u_dut (
    .clk_i, .rst_ni, .clear_i, .running_i, .program_address_i, .program_length_i, .program_limit_i, .fault_i,
    .read_valid_o(read_valid), .read_o(read), .read_granted_i, .beat_valid_i, .beat_error_i, .beat_data_i,
    .queue_full_i, .dispatch_o(dispatch), .dispatched_o(dispatched), .head_valid_o(head_valid),
    .finish_in_head_o(finish_in_head), .head_index_o(head_index), .illegal_o(illegal),
    .missing_finish_o(missing_finish), .limit_error_o(limit_error), .class_o(class_of)
  );

  localparam int unsigned Buffer = daedalus_machine_pkg::FetchBuffer;
  localparam int unsigned Burst = daedalus_machine_pkg::FetchBurst;

  logic        inside_has_burst_q, inside_dispatches;
  logic [31:0] inside_granted_q, inside_behind_q;
  logic [63:0] inside_address_q;
  logic [6:0]  inside_ask_q;
  logic [9:0]  inside_spare_q;
  logic [26:0] inside_within_q;

  logic               began_q = 1'b0, known_q;       // `known_q`: the program is the one of the last clear
  logic [63:0]        program_address_q;
  logic [31:0]        program_length_q, program_limit_q;
  logic signed [10:0] reserved_q;                    // places of the buffer (R4)
  logic [63:0]        offset, end_offset;            // of the burst, from the program's address
  logic signed [63:0] granted, ask, left, to_boundary, within;

  assign offset = read.address - program_address_i;
  assign end_offset = 64'(inside_granted_q) * 64 + 64'(read.beats) * 64'(W);
  assign granted = 64'(inside_granted_q);
  assign ask = 64'(inside_ask_q);
  assign left = 64'(program_length_q) - granted;
  assign to_boundary = 64'(Burst) - ((64'(program_address_q[12:6]) + granted) & 64'(Burst - 1));
  assign within = {{37{inside_within_q[26]}}, inside_within_q};

  always @(posedge clk_i) began_q <= 1'b1;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q <= 1'b0;
      reserved_q <= '0;
    end else if (clear_i) begin
      known_q <= 1'b1;
      program_address_q <= program_address_i;
      program_length_q <= program_length_i;
      program_limit_q <= program_limit_i;
      reserved_q <= '0;
    end else begin
      reserved_q <= reserved_q + (read_granted_i ? 11'(inside_ask_q) : '0) - 11'(inside_dispatches);
    end
  end

  always @(*) begin
    if (!began_q) assume (!rst_ni);
    assume (!(read_granted_i && !read_valid));
    assume (program_address_i[5:0] == '0);
    if (running_i)
      assume (known_q && program_address_i == program_address_q && program_length_i == program_length_q
              && program_limit_i == program_limit_q);
    assume (!inside_dispatches || reserved_q > 0);  // what is dispatched was asked for
  end

  always @(*) begin
    if (rst_ni) begin
      if (read_valid) begin
        assert (offset == 64'(inside_granted_q) * 64 && read.index == inside_granted_q);
        assert (read.beats != '0 && end_offset <= 64'(program_limit_i));
        assert (ask == (left < to_boundary ? left : to_boundary) && 64'(reserved_q) + ask <= 64'(Buffer));
        assert (!limit_error.valid);
      end
      if (limit_error.valid)
        assert (running_i && !fault_i && limit_error.index == inside_granted_q
                && limit_error.cause == daedalus_isa_pkg::FaultAddressLimit && end_offset > 64'(program_limit_i));
      if (known_q) begin
        assert (left >= 0 && ask == (left < to_boundary ? left : to_boundary));
        assert (granted + ask + 64'(inside_behind_q) == 64'(program_length_q));
        assert (granted == '0 || ask == '0 || to_boundary == 64'(Burst));
        assert (inside_has_burst_q == (inside_ask_q != '0));
        assert (inside_address_q == program_address_q + granted * 64);
        assert (within == 64'(program_limit_q[31:6]) - granted - ask);
        assert (reserved_q >= 0 && reserved_q <= Buffer);
        assert ({inside_spare_q[9], inside_spare_q} == 11'(Buffer) - reserved_q - 11'(inside_ask_q));
      end
    end
  end

endmodule
