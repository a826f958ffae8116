/// The twelve token counters, one for each ordered pair of modules (R7, R9, R10): counter 4 p + c holds the
/// tokens from module p to module c; those of a module to itself stay zero. What is given or taken in t is seen
/// in t + 1, and cancels within one cycle. A counter that would pass 255 stays; `risk_o` says where that is so if no token is
/// taken, which `faults` knows (R21).
/// Assumes that only what is there is taken (asserted).
module tokens (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic [3:0]  start_i,      // bit c: module c takes tokens now
  input  logic [15:0] wait_i,       // bits 4 c +: 4: its wait mask
  input  logic [3:0]  retire_i,     // bit p: module p ends an instruction now
  input  logic [15:0] signal_i,     // bits 4 p +: 4: its signal mask
  output logic [15:0] available_o,  // bit 4 c + p: module c has a token from module p
  output logic [15:0] risk_o        // bit 4 p + c: a token from p to c comes to a counter of 255
);

  localparam logic [7:0] Max = 8'(daedalus_isa_pkg::TokenCounterMax);

  logic [7:0]  counter_q [16];
  logic [15:0] available_q;
  logic [15:0] full_q;         // the counter is at its most
  logic [15:0] give, take, overflow;

  always_comb begin
    give = '0;
    take = '0;
    overflow = '0;
    risk_o = '0;
    if (|start_i || |retire_i) begin
      for (int p = 0; p < 4; p++) begin
        for (int c = 0; c < 4; c++) begin
          give[4*p+c] = retire_i[p] && signal_i[4*p+c];
          take[4*p+c] = start_i[c] && wait_i[4*c+p];
          risk_o[4*p+c] = give[4*p+c] && full_q[4*p+c];
          overflow[4*p+c] = risk_o[4*p+c] && !take[4*p+c];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < 16; i++) counter_q[i] <= '0;
      available_q <= '0;
      full_q      <= '0;
    end else if (clear_i) begin
      for (int i = 0; i < 16; i++) counter_q[i] <= '0;
      available_q <= '0;
      full_q      <= '0;
    end else if (|give || |take) begin
      for (int p = 0; p < 4; p++) begin
        for (int c = 0; c < 4; c++) begin
          if (give[4*p+c] && !take[4*p+c] && !overflow[4*p+c]) begin
            counter_q[4*p+c] <= counter_q[4*p+c] + 8'd1;
            available_q[4*c+p] <= 1'b1;
            full_q[4*p+c] <= counter_q[4*p+c] == Max - 8'd1;
          end else if (take[4*p+c] && !give[4*p+c]) begin
            counter_q[4*p+c] <= counter_q[4*p+c] - 8'd1;
            available_q[4*c+p] <= counter_q[4*p+c] != 8'd1;
            full_q[4*p+c] <= 1'b0;
          end
        end
      end
    end
  end

  assign available_o = available_q;

`ifndef SYNTHESIS
  logic [15:0] needed;
  always_comb begin
    for (int c = 0; c < 4; c++) needed[4*c+:4] = start_i[c] ? wait_i[4*c+:4] : 4'd0;
  end
  assert property (@(posedge clk_i) disable iff (!rst_ni || clear_i) (needed & ~available_q) == '0)
    else $error("a token is taken that is not there");
`endif

endmodule
