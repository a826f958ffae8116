// board_memory.sv in random traffic, against bytes and lists: every beat, response, ID and byte of the host,
// in order. The memory has 8192 bytes of rows of 8, and room for 4 bursts of reads and 2 of writes
// (board_memory_test.sh).
#include "Vboard_memory.h"
#include "verilated.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>

namespace {

constexpr uint64_t Bytes = 8192, Row = 8;
enum : uint8_t { Okay = 0, SlaveError = 2, DecodeError = 3 };

struct Burst {
  uint64_t address;
  unsigned beats, id, response, done = 0;
  uint64_t row() const { return (address / Row + done) * Row; }
};

std::mt19937 dice(1);
unsigned roll(unsigned sides) {
  return dice() % sides;
}

uint64_t cycle;
void expect(bool holds, const char *what) {
  if (holds)
    return;
  std::printf("cycle %llu: %s\n", static_cast<unsigned long long>(cycle), what);
  std::exit(1);
}

/// An address and what belongs to it, as they stand on the pins until they are taken.
struct Request {
  uint64_t address = 0;
  unsigned length = 0, size = 3, kind = 1, id = 0;
  void choose() {
    length = roll(4) ? roll(4) : roll(64);
    address =
        roll(16) * 512 + roll(512 / Row - length % 8) * Row; // its page ends behind it, or the burst is cut
    length = std::min<unsigned>(length, (4096 - address % 4096) / Row - 1);
    if (roll(12) == 0)
      address = roll(2) ? Bytes : address + (uint64_t(1) << 40);
    size = roll(20) ? 3 : 2;
    kind = roll(20) ? 1 : 2;
    id = roll(16);
  }
  Burst burst() const {
    return {address, length + 1, id,
            address >= Bytes         ? DecodeError
            : kind != 1 || size != 3 ? SlaveError
                                     : Okay};
  }
};

class Bench {
public:
  Bench() {
    memory.rst_ni = 0;
    memory.eval();
    tick();
    memory.rst_ni = 1;
    for (uint64_t i = 0; i < Bytes; ++i) // what stands in a memory at first is not defined
      writeByHost(i, bytes[i] = static_cast<uint8_t>(dice()));
  }
  void run(uint64_t cycles) {
    for (const uint64_t end = cycle + cycles; cycle < end;)
      step();
    expect(beats > cycles / 8 && hostReads > cycles / 50 && responses > cycles / 200 &&
               errors[SlaveError] > 100 && errors[DecodeError] > 100 && stalls > 100,
           "the traffic is too thin");
  }

private:
  void tick() {
    memory.clk_i = 1;
    memory.eval();
    memory.clk_i = 0;
    ++cycle;
  }
  void writeByHost(uint64_t address, uint8_t byte) {
    memory.host_valid_i = memory.host_write_i = 1;
    memory.host_address_i = static_cast<uint16_t>(address);
    memory.host_data_i = byte;
    memory.eval();
    expect(memory.host_ready_o, "an idle memory does not take a byte of the host");
    tick();
    memory.host_valid_i = 0;
  }
  /// Sets the inputs of a cycle; what was offered and not taken stays.
  void drive() {
    busy = cycle / 512 % 4; // the more, the less does the other side wait
    const unsigned rest = cycle / 2048 % 2 ? 2 : 32;
    if (!memory.arvalid_i && roll(rest) == 0)
      read.choose(), memory.arvalid_i = 1;
    if (!memory.awvalid_i && roll(rest) == 0)
      write.choose(), memory.awvalid_i = 1;
    memory.araddr_i = read.address, memory.arlen_i = static_cast<uint8_t>(read.length);
    memory.arsize_i = static_cast<uint8_t>(read.size), memory.arburst_i = static_cast<uint8_t>(read.kind);
    memory.arid_i = static_cast<uint8_t>(read.id);
    memory.awaddr_i = write.address, memory.awlen_i = static_cast<uint8_t>(write.length);
    memory.awsize_i = static_cast<uint8_t>(write.size), memory.awburst_i = static_cast<uint8_t>(write.kind);
    memory.awid_i = static_cast<uint8_t>(write.id);
    if (!memory.wvalid_i && !unwritten.empty() && roll(4) <= busy) {
      memory.wvalid_i = 1;
      memory.wdata_i = uint64_t(dice()) << 32 | dice();
      memory.wstrb_i = static_cast<uint8_t>(roll(3) ? 255 : dice());
      memory.wlast_i = unwritten.front().done + 1 == unwritten.front().beats;
    }
    memory.rready_i = roll(4) <= busy;
    memory.bready_i = roll(4) <= busy;
    if (!memory.host_valid_i && roll(2)) {
      memory.host_valid_i = 1;
      memory.host_write_i = roll(2) == 0;
      const uint64_t near = reads.empty() ? 0 : reads.front().row() + roll(4 * Row); // what is read next
      memory.host_address_i = static_cast<uint16_t>((roll(2) ? near : roll(Bytes)) % Bytes);
      memory.host_data_i = static_cast<uint8_t>(dice());
    }
  }
  void checkRead() {
    if (!memory.rvalid_o)
      return expect(!held, "a beat went before it was taken");
    expect(!reads.empty(), "a beat that nobody asked for");
    Burst &burst = reads.front();
    if (!held && burst.response == Okay)
      std::memcpy(&row, bytes.data() + burst.row(), Row);
    expect(burst.response != Okay || memory.rdata_o == row, "a beat has other bytes");
    expect(memory.rresp_o == burst.response && memory.rid_o == burst.id, "a beat has another response or ID");
    expect(memory.rlast_o == (burst.done + 1 == burst.beats), "RLAST is wrong");
    held = !memory.rready_i;
    if (held)
      return;
    ++beats, ++errors[burst.response];
    if (++burst.done == burst.beats)
      reads.pop_front();
  }
  void checkResponse() {
    if (!memory.bvalid_o || !memory.bready_i)
      return;
    expect(!unanswered.empty(), "a response that nobody waits for");
    expect(memory.bresp_o == unanswered.front().response && memory.bid_o == unanswered.front().id,
           "a write has another response or ID");
    ++responses;
    unanswered.pop_front();
  }
  void checkHost() {
    if (hostAsked)
      expect(memory.host_data_o == hostByte, "the host reads another byte");
    hostAsked = memory.host_valid_i && memory.host_ready_o && !memory.host_write_i;
    if (hostAsked)
      hostByte = bytes[memory.host_address_i], ++hostReads;
  }
  /// What is taken in this cycle, seen from the next one on.
  void take() {
    if (memory.wvalid_i && memory.wready_o) {
      expect(!unwritten.empty(), "a beat is taken before its address");
      Burst &burst = unwritten.front();
      for (unsigned i = 0; i < Row && burst.response == Okay; ++i)
        if (memory.wstrb_i >> i & 1)
          bytes[burst.row() + i] = static_cast<uint8_t>(memory.wdata_i >> 8 * i);
      if (++burst.done == burst.beats)
        unanswered.push_back(burst), unwritten.pop_front();
    }
    stalls += memory.wvalid_i && !memory.wready_o;
    if (memory.host_valid_i && memory.host_ready_o && memory.host_write_i)
      bytes[memory.host_address_i] = memory.host_data_i;
    if (memory.arvalid_i && memory.arready_o)
      reads.push_back(read.burst());
    if (memory.awvalid_i && memory.awready_o)
      unwritten.push_back(write.burst());
  }
  void step() {
    drive();
    memory.eval();
    checkRead();
    checkResponse();
    checkHost();
    const bool ar = memory.arready_o, aw = memory.awready_o, w = memory.wready_o, host = memory.host_ready_o;
    take();
    tick();
    memory.arvalid_i = memory.arvalid_i && !ar;
    memory.awvalid_i = memory.awvalid_i && !aw;
    memory.wvalid_i = memory.wvalid_i && !w;
    memory.host_valid_i = memory.host_valid_i && !host;
  }

  Vboard_memory memory;
  std::array<uint8_t, Bytes> bytes;
  std::deque<Burst> reads, unwritten, unanswered;
  Request read, write;
  unsigned busy = 0;
  uint64_t row = 0;
  bool held = false, hostAsked = false;
  uint8_t hostByte = 0;
  uint64_t beats = 0, responses = 0, hostReads = 0, stalls = 0;
  std::array<uint64_t, 4> errors = {};
};

} // namespace

int main() {
  Bench().run(200000);
  std::printf("200000 cycles of random traffic\n");
}
