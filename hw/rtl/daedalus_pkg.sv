/// What the modules of the core hand each other. Machine facts are in daedalus_machine_pkg, the instruction
/// set in daedalus_isa_pkg, both generated; widths here hold for every machine that isa.yaml allows.
package daedalus_pkg;

  /// Registers of data that are not valid keep what they hold in a simulation, which spares its work; in hardware they
  /// load whatever comes, for an enable of thousands of registers would be the longest path.
`ifdef SYNTHESIS
  localparam logic LoadsInvalid = 1'b1;
`else
  localparam logic LoadsInvalid = 1'b0;
`endif

  /// An instruction on its way from FETCH to its module: the word as it lay in DRAM and its index in the program.
  typedef struct packed {
    logic [31:0]  index;
    logic [511:0] word;
  } issued_t;

  /// The end of an instruction, in its end cycle (R10): `signal` is its mask of modules that get a token.
  typedef struct packed {
    logic        valid;
    logic [3:0]  signal;
    logic [31:0] index;
  } retire_t;

  /// A fault as a module reports it (R22), in the cycle of `valid`. `cause` is a fault_e.
  typedef struct packed {
    logic        valid;
    logic [3:0]  cause;
    logic [31:0] index;
  } fault_report_t;

  /// A read burst that FETCH or LOAD asks for (R4, R14): the first byte's DRAM address, its beats (1 to 256),
  /// and the instruction that a bus error is reported for.
  typedef struct packed {
    logic [63:0] address;
    logic [8:0]  beats;
    logic [31:0] index;
  } read_request_t;

  /// A part of a LOAD's run (R13) on its way from the address generator to the writer.
  typedef struct packed {
    logic        burst;       // data from DRAM; else fill, or nothing
    logic        empty;       // MARK and NOP
    logic        last;        // of its instruction
    logic        tail;        // the lanes behind it, to the end of its row, become fill
    logic        diagonal;
    logic        flip;        // the top bit of every byte read is inverted
    logic [3:0]  scope;
    logic [7:0]  fill;
    logic [16:0] bytes;
    logic [8:0]  beats;
    logic [4:0]  first_byte;  // of its first beat
    logic [23:0] scratch;     // byte address of its first byte in the scope
    logic [5:0]  lane;        // of its first byte, in diagonal mode
    logic [3:0]  signal;
    logic [31:0] index;
  } load_segment_t;

  /// A burst of a STORE (R18), or the empty segment of MARK and NOP.
  typedef struct packed {
    logic        burst;
    logic        last;      // of its instruction
    logic        flip;      // the top bit of every byte is inverted
    logic [12:0] bytes;     // at most 4096
    logic [8:0]  beats;
    logic [63:0] address;   // of its first byte in DRAM
    logic [23:0] scratch;   // byte address of its first byte in OUT
    logic [3:0]  signal;
    logic [31:0] index;
  } store_segment_t;

  /// A burst of a STORE on its way to the bus, with what its first beat needs of its sums.
  typedef struct packed {
    store_segment_t segment;
    logic           one_beat;
    logic [23:0]    beat_end;   // byte address in OUT of the last byte of its first beat
    logic [23:0]    end_place;  // of its last byte
  } store_burst_t;

  /// Where an operand of VECTOR comes from.
  typedef enum logic [1:0] {
    OperandByte       = 2'd0,  // INP or PARAM
    OperandMultiplier = 2'd1,  // of requantization
    OperandAcc        = 2'd2,
    OperandImmediate  = 2'd3
  } operand_e;

  /// What a lane of VECTOR does in an instruction (vector_control).
  typedef struct packed {
    logic [1:0] a;              // operand_e
    logic     a_inp;            // a byte of a is INP's, else PARAM's
    logic [1:0] b;              // operand_e
    logic     b_inp;
    logic     adds;             // the value is the sum, or the difference
    logic     subtracts;        // the sum is a - b
    logic     takes_larger;     // the value is the larger one of a and b
    logic     takes_smaller;
    logic     moves;            // it is the lane's byte of mov32
    logic     shifts;           // the second factor is a power of two
    logic     product_low;      // the value is the low half of the product
    logic     product_high;     // it is the product shifted right by 31
    logic     requants;
    logic     looks_up;
    logic     looks_up_behind;  // behind requantization
    logic     clamps;           // to [lo, hi]: the destination is int8
    logic     is_empty;         // hi is less than lo
    logic     joins_sum;        // the result is the old destination plus the value
    logic     joins_larger;
    logic     joins_smaller;
  } lane_control_t;

  /// What an instruction of VECTOR reads (vector_control).
  typedef struct packed {
    logic       a_inp;
    logic       a_acc;
    logic       a_param;
    logic       b_inp;
    logic       b_acc;
    logic       b_param;
    logic       b_second;    // a and b are rows of one scope: b comes in the second phase
    logic       requants;    // b is a row of 16 N bytes
    logic       moves;       // mov32: a in every phase
    logic       old;         // the old destination
    logic [1:0] last_phase;
  } vector_reads_t;

endpackage
