/// What FETCH promises about memory, proved for every program and every memory (prove.sh): it asks for no byte outside
/// [0, program_limit) of the program's address, in exact sums, and for the instructions in their order. Where it would,
/// it reports the fault in the same cycle. The register that prove.sh connects counts what was granted.
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

  logic [31:0] inside_granted_q;
  logic        began_q = 1'b0;
  logic [63:0] offset, end_offset;  // of the burst, from the program's address

  assign offset = read.address - program_address_i;
  assign end_offset = 64'(inside_granted_q) * 64 + 64'(read.beats) * 64'(W);

  always @(posedge clk_i) began_q <= 1'b1;

  always @(*) begin
    if (!began_q) assume (!rst_ni);
    assume (!(read_granted_i && !read_valid));
  end

  always @(*) begin
    if (rst_ni) begin
      if (read_valid) begin
        assert (offset == 64'(inside_granted_q) * 64 && read.index == inside_granted_q);
        assert (read.beats != '0 && end_offset <= 64'(program_limit_i));
        assert (!limit_error.valid);
      end
      if (limit_error.valid)
        assert (running_i && !fault_i && limit_error.index == inside_granted_q
                && limit_error.cause == daedalus_isa_pkg::FaultAddressLimit && end_offset > 64'(program_limit_i));
    end
  end

endmodule
