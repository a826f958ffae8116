/// STORE's address generator (R18): cuts the runs of an instruction into bursts. `begin_i` takes the instruction
/// at its edge; from the next cycle on `segment_o` is its first segment, and after each `next_i` the one behind
/// it, as long as `active_i` is set. `cause_o` says what the segment does wrong (R22).
module store_segments (
  input  logic                         clk_i,
  input  logic                         begin_i,
  input  daedalus_pkg::issued_t        issued_i,
  input  logic [63:0]                  base_address_i,  // of the instruction that is taken
  input  logic [31:0]                  base_limit_i,
  input  logic                         active_i,        // an instruction was taken and is not done
  input  logic                         next_i,          // the segment leaves
  output daedalus_pkg::store_segment_t segment_o,
  output logic [3:0]                   cause_o          // fault_e
);

  localparam int unsigned N = daedalus_machine_pkg::N;
  localparam int unsigned W = daedalus_machine_pkg::BusBytes;
  localparam int unsigned Longest = daedalus_machine_pkg::MaxBurstBeats * W;
  localparam int unsigned LaneBits = $clog2(N);

  daedalus_isa_pkg::store_t      store, store_q;
  daedalus_isa_pkg::store_loop_t loop;
  logic                          moves_q;
  logic [31:0]                   index_q;
  logic [63:0]                   base_address_q;
  logic [31:0]                   base_limit_q;

  // The run: where it begins in DRAM, and its row of OUT.
  logic [47:0]        counts;
  logic [2*3*32-1:0]  strides;
  logic signed [55:0] offset_q, row_q;
  logic [15:0]        at_q;   // bytes of the run that are behind the generator
  logic               first_run, inner_last, last_run, run_ends;

  assign store = issued_i.word;
  always_comb begin
    for (int l = 0; l < 3; l++) begin
      loop = store.loops[l];
      counts[16*l+:16] = loop.count;
      strides[32*l+:32] = loop.dram_stride;
      strides[32*(3+l)+:32] = 32'(loop.src_stride);
    end
  end

  loop_nest #(.Loops(3), .Operands(2), .StrideBits(32), .SumBits(56)) u_loop_nest (
    .clk_i, .begin_i, .counts_i(counts), .strides_i(strides), .sums_i({56'(store.src), 56'(store.offset)}),
    .reduction_i('0), .next_i(next_i && run_ends), .aside_i(1'b0), .sums_o({row_q, offset_q}), .first_o(first_run),
    .run_last_o(inner_last), .last_o(last_run)
  );

  // The segment: up to the end of the run, or of the stretch that one burst may cover.
  logic signed [55:0] offset, scratch;
  logic [63:0]        address;
  logic [15:0]        left;
  logic [12:0]        in_burst, room, bytes, last_byte;

  always_comb begin
    offset = '0;
    address = '0;
    in_burst = '0;
    room = '0;
    left = '0;
    bytes = '0;
    last_byte = '0;
    run_ends = 1'b0;
    scratch = '0;
    segment_o = '0;
    cause_o = daedalus_isa_pkg::FaultNone;
    if (active_i) begin
      offset = offset_q + $signed({40'd0, at_q});
      address = base_address_q + {{8{offset[55]}}, offset};
      in_burst = 13'(address[11:0]) & 13'(Longest - 1);
      room = 13'(Longest) - in_burst;
      left = store_q.run_bytes - at_q;
      bytes = left < 16'(room) ? left[12:0] : room;
      last_byte = in_burst + bytes - 13'd1;
      run_ends = left == 16'(bytes);
      scratch = (row_q <<< LaneBits) + $signed({40'd0, at_q});

      segment_o.burst = moves_q;
      segment_o.last = !moves_q || (run_ends && last_run);
      segment_o.flip = store_q.unsigned_data;
      segment_o.bytes = bytes;
      segment_o.beats = 9'(last_byte / 13'(W)) - 9'(in_burst / 13'(W)) + 9'd1;
      segment_o.address = address;
      segment_o.scratch = scratch[23:0];
      segment_o.signal = store_q.signal;
      segment_o.index = index_q;

      if (moves_q) begin
        if (scratch < 0 || scratch + $signed({43'd0, bytes}) > 56'(daedalus_machine_pkg::OutBytes))
          cause_o = daedalus_isa_pkg::FaultScratchpadRange;
        if (offset < 0 || offset + $signed({43'd0, bytes}) > $signed({24'd0, base_limit_q}))
          cause_o = daedalus_isa_pkg::FaultAddressLimit;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      store_q        <= issued_i.word;
      index_q        <= issued_i.index;
      moves_q        <= store.opcode == daedalus_isa_pkg::OpcodeStore;
      base_address_q <= base_address_i;
      base_limit_q   <= base_limit_i;
      at_q           <= '0;
    end else if (next_i) begin
      at_q <= run_ends ? '0 : at_q + 16'(bytes);
    end
  end

  logic unused;
  assign unused = ^{store, store_q, loop, first_run, inner_last, scratch[55:24]};

endmodule
