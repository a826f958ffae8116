/// Whatever the clock and the reset do, in steps of a time that is finer than both: behind the synchronizer the reset falls
/// with `rst_ni`, and rises with the second rising edge of the clock at which `rst_ni` is high. An edge in the step in which
/// `rst_ni` rises may count or not.
module reset_synchronizer_properties (
  input logic clk_i,
  input logic rst_ni
);

  logic rst_n;

  reset_synchronizer #(.Stages(2)) u_dut (.clk_i, .rst_ni, .rst_no(rst_n));

  // The step before, and edges, up to two, while `rst_ni` is high: all of them, and those behind the step in which it rose.
  logic       began_q = 1'b0, clk_q, rst_q, rst_n_q, rises;
  logic [1:0] all_q = 2'd0, all, behind_q = 2'd0, behind;

  assign rises = began_q && clk_i && !clk_q;
  always @(*) begin
    all = all_q;
    behind = behind_q;
    if (!rst_ni) begin
      all = 2'd0;
      behind = 2'd0;
    end else if (rises) begin
      if (all_q != 2'd2) all = all_q + 2'd1;
      if (rst_q && behind_q != 2'd2) behind = behind_q + 2'd1;
    end
  end

  always @($global_clock) begin
    began_q <= 1'b1;
    clk_q <= clk_i;
    rst_q <= rst_ni;
    rst_n_q <= rst_n;
    all_q <= all;
    behind_q <= behind;
  end

  always @(*) begin
    if (!began_q) assume (!rst_ni);
    if (!rst_ni) assert (!rst_n);
    if (began_q && rst_n && !rst_n_q) assert (rises);
    if (rst_n) assert (all == 2'd2);
    if (behind == 2'd2) assert (rst_n);
  end

endmodule
