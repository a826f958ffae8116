/// What leaves the pipelines of LOAD's and STORE's generators is shown in order and whole (golden: a list): what enters in
/// a cycle in which there is room comes out of the pipeline `Stages` cycles later and is shown from the cycle behind on,
/// or from the one behind the taking of what is before it. There is room until Stages + 2 have entered and were not
/// taken. By induction over any number of values, for a pipeline of 2 stages.
module shown_queue_properties (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       clear_i,
  input logic       enter_i,
  input logic [1:0] data_i,
  input logic       take_i
);

  localparam int unsigned Stages = 2;
  localparam int unsigned Places = Stages + 2;

  logic [2*Stages-1:0] flowing_q;
  logic [Stages-1:0]   valid_q;
  logic                began_q = 1'b0, room, shown;
  logic [1:0]          shown_data;

  shown_queue #(.Stages(Stages), .Width(2)) u_dut (
    .clk_i, .rst_ni, .clear_i, .enter_i, .valid_i(valid_q[Stages-1]), .data_i(flowing_q[2*Stages-1-:2]), .take_i,
    .room_o(room), .shown_o(shown), .data_o(shown_data)
  );

  // The list: what entered and was not taken, first to last; of these, those that came out of the pipeline.
  logic [2*Places-1:0] list_q;
  logic [3:0]          entered_q, arrived_q;
  logic [2*Places-1:0] behind;  // the take

  assign behind = take_i ? list_q >> 2 : list_q;
  always @(posedge clk_i) begin
    began_q <= 1'b1;
    flowing_q <= {flowing_q[2*Stages-3:0], data_i};
    if (!rst_ni || clear_i) begin
      valid_q <= '0;
      entered_q <= '0;
      arrived_q <= '0;
    end else begin
      valid_q <= {valid_q[Stages-2:0], enter_i};
      entered_q <= entered_q + 4'(enter_i) - 4'(take_i);
      arrived_q <= arrived_q + 4'(valid_q[Stages-1]) - 4'(take_i);
    end
    for (int i = 0; i < Places; i++) list_q[2*i+:2] <= enter_i && 4'(i) == entered_q - 4'(take_i) ? data_i : behind[2*i+:2];
  end

  always @(*) begin
    assume (rst_ni == began_q);  // only at the start
    assume (!enter_i || room);
    assume (!take_i || shown);
  end

  always @(*) begin
    if (began_q) begin
      assert (room == (entered_q != 4'(Places)));
      assert (shown == (arrived_q != '0));
      assert (!shown || shown_data == list_q[1:0]);
    end
  end

  // In between: the pipeline and the memory hold the list.
  logic [2:0] inside_count_q, inside_read_q, inside_write_q;
  logic [1:0] held_waiting_0, held_waiting_1, held_waiting_2, held_waiting_3, held_waiting_4, held_waiting_5,
              held_waiting_6, held_waiting_7;
  logic [15:0] waiting, turned;
  logic [3:0]  flows, at;

  assign waiting = {held_waiting_7, held_waiting_6, held_waiting_5, held_waiting_4, held_waiting_3,
                    held_waiting_2, held_waiting_1, held_waiting_0};
  always @(*) begin
    turned = 16'({waiting, waiting} >> {inside_read_q, 1'b0});
    at = arrived_q;
    if (began_q) begin
      for (int s = Stages - 1; s >= 0; s--) begin
        if (valid_q[s]) begin
          assert (flowing_q[2*s+:2] == 2'(list_q >> {at, 1'b0}));
          at = at + 4'd1;
        end
      end
      assert (arrived_q <= 4'(Places) && entered_q == at && entered_q <= 4'(Places) && {1'b0, inside_count_q} == entered_q);
      assert (3'(inside_write_q - inside_read_q) == (arrived_q == '0 ? 3'd0 : 3'(arrived_q - 4'd1)));
      for (int i = 1; i < Places; i++) assert (4'(i) >= arrived_q || turned[2*(i-1)+:2] == list_q[2*i+:2]);
    end
  end

endmodule
