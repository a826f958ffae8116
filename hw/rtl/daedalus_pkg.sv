/// What the modules of the core hand each other. Machine facts are in daedalus_machine_pkg, the instruction
/// set in daedalus_isa_pkg, both generated; widths here hold for every machine that isa.yaml allows.
package daedalus_pkg;

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
    logic [2:0]  cause;
    logic [31:0] index;
  } fault_report_t;

  /// A read burst that FETCH or LOAD asks for (R4, R14): the first byte's DRAM address, its beats (1 to 256),
  /// and the instruction that a bus error is reported for.
  typedef struct packed {
    logic [63:0] address;
    logic [8:0]  beats;
    logic [31:0] index;
  } read_request_t;

endpackage
