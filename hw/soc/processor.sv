/// The processor of the simulated system: PicoRV32 as rv32imc, with its native memory port and interrupts that are
/// levels but for its own three. Its interrupt mask, `waitirq` and q registers are its own (its README). `waiting_o`: it stands in `waitirq` and
/// nothing is pending.
module processor (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        trap_o,          // it met an illegal instruction or a misaligned access, and has stopped
  output logic        mem_valid_o,
  output logic        mem_instr_o,
  input  logic        mem_ready_i,
  output logic [31:0] mem_addr_o,
  output logic [31:0] mem_wdata_o,
  output logic [3:0]  mem_wstrb_o,     // zero: a read
  input  logic [31:0] mem_rdata_i,
  input  logic [31:0] irq_i,
  output logic        waiting_o,
  output logic [31:0] pc_o             // of the instruction that it works on
);

  picorv32 #(
    .TWO_STAGE_SHIFT(1'b0), .BARREL_SHIFTER(1'b1), .COMPRESSED_ISA(1'b1), .ENABLE_FAST_MUL(1'b1), .ENABLE_DIV(1'b1),
    .ENABLE_IRQ(1'b1), .ENABLE_IRQ_TIMER(1'b0), .LATCHED_IRQ(32'd7), .REGS_INIT_ZERO(1'b1),
    .PROGADDR_RESET(32'd0), .PROGADDR_IRQ(32'h0000_0010)
  ) cpu (
    .clk(clk_i), .resetn(rst_ni), .trap(trap_o), .mem_valid(mem_valid_o), .mem_instr(mem_instr_o),
    .mem_ready(mem_ready_i), .mem_addr(mem_addr_o), .mem_wdata(mem_wdata_o), .mem_wstrb(mem_wstrb_o),
    .mem_rdata(mem_rdata_i), .mem_la_read(), .mem_la_write(), .mem_la_addr(), .mem_la_wdata(), .mem_la_wstrb(),
    .pcpi_valid(), .pcpi_insn(), .pcpi_rs1(), .pcpi_rs2(), .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0),
    .pcpi_ready(1'b0), .irq(irq_i), .eoi(), .trace_valid(), .trace_data()
  );

  assign waiting_o = cpu.do_waitirq;
  assign pc_o = cpu.reg_pc;

endmodule
