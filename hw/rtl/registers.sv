/// The AXI4-Lite slave: the register map of isa.yaml. Address and data of a write are held as they come, in any order;
/// it counts from the cycle behind the one in which both are there, or from that in which the response before it is
/// fetched, and START and RESET pulse in the next. While the core is busy only CONTROL, INTERRUPT and
/// INTERRUPT_ENABLE take writes, and START is ignored without RESET; the results of the run read as
/// zero, so that no number changes between the reads of its halves. Unknown offsets read as zero
/// and ignore writes, and both are answered OKAY.
/// Registers are written whole: a write with some of its strobes off is answered SLVERR and ignored, one with all
/// of them off is answered OKAY and ignored. Each READY depends on registers alone.
module registers (
  input  logic             clk_i,
  input  logic             rst_ni,
  // AXI4-Lite
  input  logic             awvalid_i,
  output logic             awready_o,
  input  logic [11:0]      awaddr_i,
  input  logic             wvalid_i,
  output logic             wready_o,
  input  logic [31:0]      wdata_i,
  input  logic [3:0]       wstrb_i,
  output logic             bvalid_o,
  input  logic             bready_i,
  output logic [1:0]       bresp_o,
  input  logic             arvalid_i,
  output logic             arready_o,
  input  logic [11:0]      araddr_i,
  output logic             rvalid_o,
  input  logic             rready_i,
  output logic [31:0]      rdata_o,
  // the core
  output logic             start_o,
  output logic             reset_o,
  output logic [63:0]      program_address_o,
  output logic [31:0]      program_length_o,
  output logic [31:0]      program_limit_o,
  input  logic [7:0]       base_i,            // which base registers are read, by LOAD and by STORE
  output logic [2*96-1:0]  base_o,            // their limits and addresses
  input  logic             busy_i,
  input  logic             ended_i,
  input  logic             done_i,
  input  logic             stop_i,
  input  logic [3:0]       fault_cause_i,
  input  logic [2:0]       fault_module_i,
  input  logic [31:0]      fault_index_i,
  input  logic [63:0]      cycle_i,
  output logic [5:0]       counter_o,         // which counter is read
  input  logic [39:0]      counter_value_i,
  output logic             irq_o
);

  localparam int unsigned Bases = daedalus_isa_pkg::BaseRegisters;
  localparam logic [31:0] CounterSpan = daedalus_isa_pkg::RegCounterLoStep << $clog2(daedalus_isa_pkg::RegCounterLoCount);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  logic             address_held_q, data_held_q, taken, writes, reads, start_q, reset_q, interrupt_q, enabled_q,
                    bvalid_q, rvalid_q;
  logic [11:0]      address_q;
  logic [3:0]       strobes_q;
  logic [1:0]       bresp_q;
  logic [31:0]      data_q, offset, read_offset, value, rdata_q;
  logic [63:0]      program_address_q;
  logic [31:0]      program_length_q, program_limit_q;
  logic [2:0]       base_writes;
  logic [95:0]      base_value;
  logic             start, reset;

  assign awready_o = !address_held_q;
  assign wready_o = !data_held_q;
  assign taken = address_held_q && data_held_q && (!bvalid_q || bready_i);
  assign writes = taken && &strobes_q;
  assign bvalid_o = bvalid_q;
  assign bresp_o = bresp_q;
  assign offset = {20'd0, address_q};
  assign reset = writes && offset == daedalus_isa_pkg::RegControl && data_q[daedalus_isa_pkg::RegControlResetBit];
  assign start = writes && offset == daedalus_isa_pkg::RegControl && data_q[daedalus_isa_pkg::RegControlStartBit]
      && (reset || !(busy_i || start_q));
  assign start_o = start_q;
  assign reset_o = reset_q;
  assign program_address_o = program_address_q;
  assign program_length_o = program_length_q;
  assign program_limit_o = program_limit_q;
  assign irq_o = interrupt_q && enabled_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q           <= 1'b0;
      reset_q           <= 1'b0;
      interrupt_q       <= 1'b0;
      enabled_q         <= 1'b0;
      address_held_q    <= 1'b0;
      data_held_q       <= 1'b0;
      bvalid_q          <= 1'b0;
      program_address_q <= '0;
      program_length_q  <= '0;
      program_limit_q   <= '0;
    end else begin
      start_q <= start;
      reset_q <= reset;
      address_held_q <= address_held_q ? !taken : awvalid_i;
      data_held_q    <= data_held_q ? !taken : wvalid_i;
      if (taken) bvalid_q <= 1'b1;
      else if (bready_i) bvalid_q <= 1'b0;
      if (start || reset || reset_q) interrupt_q <= 1'b0;  // a RESET in the cycle of the stop wins
      else if (stop_i) interrupt_q <= 1'b1;
      else if (writes && offset == daedalus_isa_pkg::RegInterrupt && data_q[daedalus_isa_pkg::RegInterruptPendingBit])
        interrupt_q <= 1'b0;
      if (writes && offset == daedalus_isa_pkg::RegInterruptEnable)
        enabled_q <= data_q[daedalus_isa_pkg::RegInterruptEnableStopBit];
      if (writes && !busy_i && !start_q) begin
        if (offset == daedalus_isa_pkg::RegProgramLo) program_address_q[31:0] <= {data_q[31:6], 6'd0};
        if (offset == daedalus_isa_pkg::RegProgramHi) program_address_q[63:32] <= data_q;
        if (offset == daedalus_isa_pkg::RegProgramLength) program_length_q <= data_q;
        if (offset == daedalus_isa_pkg::RegProgramLimit) program_limit_q <= data_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!address_held_q) address_q <= awaddr_i;
    if (!data_held_q) {strobes_q, data_q} <= {wstrb_i, wdata_i};
    if (taken) bresp_q <= &strobes_q || strobes_q == '0 ? Okay : SlaveError;
  end

  // The base registers: of the offset of one, the bits of BaseNumber are its number, the others say which of its words.
  localparam logic [31:0] BaseNumber = (Bases - 1) * daedalus_isa_pkg::RegBaseLoStep;

  function automatic logic [3:0] base_number(input logic [31:0] at);
    base_number = 4'(at / daedalus_isa_pkg::RegBaseLoStep) - 4'(daedalus_isa_pkg::RegBaseLo / daedalus_isa_pkg::RegBaseLoStep);
  endfunction

  function automatic logic [2:0] base_words(input logic [31:0] at);
    base_words = {(at & ~BaseNumber) == (daedalus_isa_pkg::RegLimit & ~BaseNumber),
                  (at & ~BaseNumber) == (daedalus_isa_pkg::RegBaseHi & ~BaseNumber),
                  (at & ~BaseNumber) == (daedalus_isa_pkg::RegBaseLo & ~BaseNumber)};
  endfunction

  assign base_writes = writes && !busy_i && !start_q ? base_words(offset) : '0;

  base_table u_bases (
    .clk_i, .rst_ni, .write_valid_i(base_writes), .write_row_i(base_number(offset)), .write_data_i(data_q),
    .read_row_i({base_number(read_offset), base_i}), .read_data_o({base_value, base_o})
  );

  // Reads.
  logic [1:0] status;
  assign reads = arvalid_i && arready_o;
  assign arready_o = !rvalid_q;
  assign rvalid_o = rvalid_q;
  assign rdata_o = rdata_q;
  assign read_offset = {20'd0, araddr_i};
  assign counter_o = 6'((read_offset & (CounterSpan - 1)) / daedalus_isa_pkg::RegCounterLoStep);

  always_comb begin
    status = daedalus_isa_pkg::StatusIdle;
    if (busy_i || start_q) status = daedalus_isa_pkg::StatusRunning;
    else if (ended_i) status = done_i ? daedalus_isa_pkg::StatusDone : daedalus_isa_pkg::StatusFault;
  end

  // The results of a run, which has none before its end.
  logic has_results;
  assign has_results = status != daedalus_isa_pkg::StatusRunning;

  always_comb begin
    value = '0;
    if (reads || daedalus_pkg::LoadsInvalid) begin
      unique case (read_offset)
        daedalus_isa_pkg::RegVersion:         value = daedalus_isa_pkg::IsaVersion;
        daedalus_isa_pkg::RegHashLo:          value = daedalus_machine_pkg::Hash[31:0];
        daedalus_isa_pkg::RegHashHi:          value = daedalus_machine_pkg::Hash[63:32];
        daedalus_isa_pkg::RegStatus:          value = {30'd0, status};
        daedalus_isa_pkg::RegInterrupt:       value = {31'd0, interrupt_q};
        daedalus_isa_pkg::RegInterruptEnable: value = {31'd0, enabled_q};
        daedalus_isa_pkg::RegProgramLo:       value = program_address_q[31:0];
        daedalus_isa_pkg::RegProgramHi:       value = program_address_q[63:32];
        daedalus_isa_pkg::RegProgramLength:   value = program_length_q;
        daedalus_isa_pkg::RegProgramLimit:    value = program_limit_q;
        daedalus_isa_pkg::RegFaultCause:      value = has_results ? 32'(fault_cause_i) : '0;
        daedalus_isa_pkg::RegFaultIndex:      value = has_results ? fault_index_i : '0;
        daedalus_isa_pkg::RegFaultModule:     value = has_results ? {29'd0, fault_module_i} : '0;
        daedalus_isa_pkg::RegCyclesLo:        value = has_results ? cycle_i[31:0] : '0;
        daedalus_isa_pkg::RegCyclesHi:        value = has_results ? cycle_i[63:32] : '0;
        default:                              value = '0;
      endcase
      for (int word = 0; word < 3; word++) begin
        if (base_words(read_offset) == 3'd1 << word) value = base_value[32*word+:32];
      end
      if (has_results && read_offset[1:0] == 2'd0 && (read_offset & ~(CounterSpan - 1)) == daedalus_isa_pkg::RegCounterLo)
        value = read_offset[2] ? {24'd0, counter_value_i[39:32]} : counter_value_i[31:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      rdata_q  <= '0;
    end else begin
      if (reads) rvalid_q <= 1'b1;
      else if (rready_i) rvalid_q <= 1'b0;
      if (reads) rdata_q <= value;
    end
  end

endmodule
