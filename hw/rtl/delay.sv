/// A value a number of cycles later: so many registers. `valid_i` is cleared, `data_i` is not.
module delay #(
  parameter int unsigned Stages = 1,
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  logic             valid_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o
);

  if (Stages == 0) begin : gen_none
    assign valid_o = valid_i;
    assign data_o = data_i;

    logic unused;
    assign unused = ^{clk_i, rst_ni, clear_i};
  end else begin : gen_stages
    logic [Stages-1:0] valid_q;
    logic [Width-1:0]  data_q [Stages];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= '0;
      else if (clear_i) valid_q <= '0;
      else valid_q <= Stages'({valid_q, valid_i});
    end
    always_ff @(posedge clk_i) begin
      data_q[0] <= data_i;
      for (int s = 1; s < Stages; s++) data_q[s] <= data_q[s-1];
    end
    assign valid_o = valid_q[Stages-1];
    assign data_o = data_q[Stages-1];
  end

endmodule
