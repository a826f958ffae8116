// Scratchpads hold what the program before left: a program may read no byte of them that it did not write.
#include "daedalus/isa/tokens.h"
#include "test_programs.h"

namespace daedalus::isa {
namespace {

class WrittenBytesTest : public ::testing::Test {
protected:
  /// With the tokens that it needs: the first finding as "cause: message", or nothing.
  std::string finding(std::vector<Instruction> instructions) {
    assignTokens(instructions, machine, 1);
    instructions.push_back(Finish{});
    const std::vector<Finding> found = verify(programFor(machine, std::move(instructions)), machine);
    return found.empty() ? "" : found[0].cause + ": " + found[0].message;
  }

  void expectUnwritten(std::vector<Instruction> instructions, const std::string &what) {
    const std::string found = finding(std::move(instructions));
    EXPECT_EQ(found.find("unwritten_row: "), 0u) << found;
    EXPECT_NE(found.find(what + ", which no earlier instruction wrote"), std::string::npos) << found;
  }

  void expectClean(std::vector<Instruction> instructions) { EXPECT_EQ(finding(std::move(instructions)), ""); }

  Vector withParameters() const {
    Vector requant = moveRow(Scope::Inp, 0, Scope::Out, 0);
    requant.op = VectorOp::Requant;
    requant.bScope = Scope::Param;
    return requant;
  }
  Vector withTable() const {
    Vector lookup = moveRow(Scope::Inp, 0, Scope::Out, 0);
    lookup.op = VectorOp::Lut;
    return lookup;
  }

  const Machine machine = machineNamed("default");
  const Load inp = loadTo(Scope::Inp, 0, 16);
  const Vector mov = moveRow(Scope::Inp, 0, Scope::Out, 0);
};

TEST_F(WrittenBytesTest, LanesOfInp) {
  expectUnwritten({loadTo(Scope::Inp, 0, 1), mov, storeRow(0, 16)}, "a reads byte 1 of row 0 of INP");
  expectUnwritten({loadTo(Scope::Inp, 3, 13), mov}, "a reads byte 0 of row 0 of INP");
  expectUnwritten({loadTo(Scope::Inp, 0, 15), mov}, "a reads byte 15 of row 0 of INP");
  expectUnwritten({loadTo(Scope::Inp, 0, 17), moveRow(Scope::Inp, 1, Scope::Out, 0)},
                  "a reads byte 1 of row 1 of INP");
  expectUnwritten({loadTo(Scope::Inp, 0, 8), loadTo(Scope::Inp, 9, 7), mov},
                  "a reads byte 8 of row 0 of INP");
  expectClean({loadTo(Scope::Inp, 0, 8), loadTo(Scope::Inp, 8, 8), mov}); // both together
  expectClean({loadTo(Scope::Inp, 5, 11), loadTo(Scope::Inp, 0, 6), mov});
}

TEST_F(WrittenBytesTest, LanesOfInpThatGemmReads) {
  const Load wgt = loadTo(Scope::Wgt, 0, 256);
  expectUnwritten({loadTo(Scope::Inp, 0, 12), wgt, product(0, 0, 0)}, "inp reads byte 12 of row 0 of INP");
  expectClean({inp, wgt, product(0, 0, 0)});
}

TEST_F(WrittenBytesTest, SlicesOfWgt) {
  expectUnwritten({inp, loadTo(Scope::Wgt, 0, 255), product(0, 0, 0)},
                  "wgt reads byte 15 of slice 15 of WGT");
  expectUnwritten({inp, loadTo(Scope::Wgt, 0, 240), product(0, 0, 0)}, "wgt reads slice 15 of WGT");
  Load diagonal = loadTo(Scope::Wgt, 0, 15); // writes whole rows, of the first 15 alone
  diagonal.diagonal = true;
  expectUnwritten({inp, diagonal, product(0, 0, 0)}, "wgt reads slice 15 of WGT");
  diagonal.runBytes = 16;
  expectClean({inp, diagonal, product(0, 0, 0)});
}

TEST_F(WrittenBytesTest, RowsOfParam) {
  expectUnwritten({inp, loadTo(Scope::Param, 0, 249), withParameters()},
                  "b reads byte 9 of slice 15 of PARAM");
  expectClean({inp, loadTo(Scope::Param, 0, 256), withParameters()});
  Vector mac = moveRow(Scope::Inp, 0, Scope::Acc, 0);
  mac.op = VectorOp::Mac;
  mac.bScope = Scope::Param;
  expectUnwritten({inp, loadTo(Scope::Param, 0, 4), mac}, "b reads byte 4 of slice 0 of PARAM");
}

TEST_F(WrittenBytesTest, TablesOfLut) {
  expectUnwritten({inp, loadTo(Scope::Lut, 0, 255), withTable()}, "table reads byte 15 of slice 15 of LUT");
  expectUnwritten({inp, loadTo(Scope::Lut, 1, 255), withTable()}, "table reads byte 0 of slice 0 of LUT");
  expectClean({inp, loadTo(Scope::Lut, 0, 256), withTable()});
}

TEST_F(WrittenBytesTest, TailFillWritesTheRestOfTheRow) {
  Load load = loadTo(Scope::Inp, 3, 2);
  load.tailFill = true;
  expectUnwritten({load, mov}, "a reads byte 0 of row 0 of INP");
  load.dst = 0;
  expectClean({load, mov});
  load.loops[2] = {3, 2, 18}; // rows 0, 1 and 2, from lanes 0, 2 and 4 on
  expectUnwritten({load, moveRow(Scope::Inp, 2, Scope::Out, 0)}, "a reads byte 0 of row 2 of INP");
  expectClean({load, loadTo(Scope::Inp, 32, 4), moveRow(Scope::Inp, 2, Scope::Out, 0)});
}

TEST_F(WrittenBytesTest, FillAroundATensorIsWritten) {
  Load load = loadTo(Scope::Inp, 0, 16);
  load.unbounded = false;
  load.originX = -4;
  load.extentX = 5;
  load.extentY = 0; // all of it is fill
  expectClean({load, mov});
}

TEST_F(WrittenBytesTest, InterleavedRunsLeaveGaps) {
  Load load = loadTo(Scope::Inp, 0, 1);
  load.loops[2] = {8, 1, 2};
  expectUnwritten({load, mov}, "a reads byte 1 of row 0 of INP");
  load.loops[1] = {2, 8, 1};
  expectClean({load, mov});
}

/// 2^24 runs and more were once joined to their bounding box, which then counted as written.
TEST_F(WrittenBytesTest, VeryManyRunsLeaveGapsToo) {
  Load load = loadTo(Scope::Wgt, 0, 16); // every other slice
  load.loops[1] = {4096, 0, 32};
  load.loops[2] = {4097, 0, 32};
  Load first = loadTo(Scope::Wgt, 0, 16);
  expectUnwritten({inp, first, load, product(0, 0, 0)}, "wgt reads slice 1 of WGT");
}

TEST_F(WrittenBytesTest, APartDoesNotUnwriteAnything) {
  expectClean({inp, loadTo(Scope::Inp, 3, 2), mov});
  expectClean({inp, mov, storeRow(0, 16)});
}

} // namespace
} // namespace daedalus::isa
