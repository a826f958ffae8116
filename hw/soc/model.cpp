// The Verilated processor behind model.h.
#include "model.h"

#include "Vprocessor.h"
#include "Vprocessor___024root.h"
#include "verilated.h"

#include <memory>

namespace {

struct Model {
  VerilatedContext context;
  std::unique_ptr<Vprocessor> top;
};

Vprocessor &topOf(void *handle) {
  return *static_cast<Model *>(handle)->top;
}

void *create(void) {
  auto model = std::make_unique<Model>();
  model->context.randReset(0);
  model->top = std::make_unique<Vprocessor>(&model->context);
  return model.release();
}

void destroy(void *handle) {
  auto *model = static_cast<Model *>(handle);
  model->top->final();
  delete model;
}

void cycle(void *handle, const DaedalusProcessorInputs *in, DaedalusProcessorOutputs *out) {
  Vprocessor &top = topOf(handle);
  top.clk_i = 0;
  top.rst_ni = in->rst_n;
  top.mem_ready_i = in->ready;
  top.mem_rdata_i = in->rdata;
  top.irq_i = in->irq;
  top.eval();
  top.clk_i = 1;
  top.eval();
  out->addr = top.mem_addr_o;
  out->wdata = top.mem_wdata_o;
  out->valid = top.mem_valid_o;
  out->instr = top.mem_instr_o;
  out->wstrb = top.mem_wstrb_o;
  out->trap = top.trap_o;
  out->waiting = top.waiting_o;
}

void skip(void *handle, uint64_t cycles) {
  topOf(handle).rootp->processor__DOT__cpu__DOT__count_cycle += cycles;
}

uint64_t cycles(void *handle) {
  return topOf(handle).rootp->processor__DOT__cpu__DOT__count_cycle;
}

uint64_t instructions(void *handle) {
  return topOf(handle).rootp->processor__DOT__cpu__DOT__count_instr;
}

uint32_t pc(void *handle) {
  return topOf(handle).pc_o;
}

} // namespace

extern "C" const DaedalusProcessorModel *daedalus_processor_model(void) {
  static const DaedalusProcessorModel model = {DAEDALUS_PROCESSOR_ABI, create, destroy, cycle, skip, cycles,
                                               instructions,           pc};
  return &model;
}
