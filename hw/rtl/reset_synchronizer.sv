/// A reset that falls with `rst_ni` at once and rises behind the `Stages`-th rising edge at which `rst_ni` is high, so that
/// all registers behind it leave the reset in the same cycle.
module reset_synchronizer #(
  parameter int unsigned Stages = 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic rst_no
);

  (* ASYNC_REG = "TRUE" *) logic [Stages-1:0] released_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) released_q <= '0;
    else released_q <= Stages'({released_q, 1'b1});
  end
  assign rst_no = released_q[Stages-1];

endmodule
