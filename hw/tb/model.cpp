// The Verilated top behind model.h.
#include "model.h"

#include "Vdaedalus_tb.h"
#include "verilated.h"
#include "verilated_syms.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "coverage.h"
#endif

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace {

struct Model {
  VerilatedContext context;
  std::unique_ptr<Vdaedalus_tb> top;
  std::string failure;
  bool raced = false;   ///< the failure is one of data alone, and another one counts more
  bool ignored = false; ///< the assertion that has just failed is none of a run's
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> waves;
#endif
#if VM_COVERAGE
  bool hasSettled = false;
#endif
};

thread_local Model *current = nullptr; ///< whose assertions fail

template <class Port> void set(Port &port, const uint8_t *bytes) {
  std::memcpy(&port, bytes, sizeof port);
}
template <class Port> void get(uint8_t *bytes, const Port &port) {
  std::memcpy(bytes, &port, sizeof port);
}

void *create(uint32_t stateSeed) {
  auto model = std::make_unique<Model>();
  Verilated::threadContextp(&model->context); // whose random numbers the top begins with
  model->context.randReset(stateSeed ? 2 : 0);
  if (stateSeed)
    model->context.randSeed(static_cast<int>(stateSeed & 0x7fffffff));
  model->context.fatalOnError(false);
#if VM_TRACE
  model->context.traceEverOn(true);
#endif
  current = model.get();
  model->top = std::make_unique<Vdaedalus_tb>(&model->context);
  return model.release();
}

void destroy(void *handle) {
  Model *model = static_cast<Model *>(handle);
  current = model;
  Verilated::threadContextp(&model->context); // the top's destructor looks for its scopes there
#if VM_TRACE
  if (model->waves)
    model->waves->close();
#endif
  model->top->final();
#if VM_COVERAGE
  daedalus::Coverage::ofProcess().add(*model->context.coveragep());
#endif
  delete model;
}

void settle(void *handle, const DaedalusRtlInputs *in, DaedalusRtlOutputs *out) {
  Model *model = static_cast<Model *>(handle);
  Vdaedalus_tb &top = *model->top;
  current = model;
  top.clk_i = 0;
  top.rst_ni = in->rst_n;
  top.observe_i = in->observe;
#ifdef DAEDALUS_BUGS
  top.bug_i = in->bug;
#endif
  top.awvalid_i = in->awvalid;
  top.wvalid_i = in->wvalid;
  top.wstrb_i = in->wstrb;
  top.bready_i = in->bready;
  top.arvalid_i = in->arvalid;
  top.rready_i = in->rready;
  top.awaddr_i = in->awaddr;
  top.wdata_i = in->wdata;
  top.araddr_i = in->araddr;
  top.m_arready_i = in->m_arready;
  top.m_rvalid_i = in->m_rvalid;
  top.m_rlast_i = in->m_rlast;
  top.m_rresp_i = in->m_rresp;
  if (in->m_rvalid)
    set(top.m_rdata_i, in->m_rdata);
  top.m_awready_i = in->m_awready;
  top.m_wready_i = in->m_wready;
  top.m_bvalid_i = in->m_bvalid;
  top.m_bresp_i = in->m_bresp;
  top.eval();
#if VM_COVERAGE
  if (!std::exchange(model->hasSettled, true))
    daedalus::Coverage::ofProcess().settle(*model->context.coveragep());
#endif
  out->awready = top.awready_o;
  out->wready = top.wready_o;
  out->bvalid = top.bvalid_o;
  out->bresp = top.bresp_o;
  out->arready = top.arready_o;
  out->rvalid = top.rvalid_o;
  out->rresp = top.rresp_o;
  out->irq = top.irq_o;
  out->rdata = top.rdata_o;
  out->m_arvalid = top.m_arvalid_o;
  out->m_arlen = top.m_arlen_o;
  out->m_arsize = top.m_arsize_o;
  out->m_arburst = top.m_arburst_o;
  out->m_rready = top.m_rready_o;
  out->m_araddr = top.m_araddr_o;
  out->m_awvalid = top.m_awvalid_o;
  out->m_awlen = top.m_awlen_o;
  out->m_awsize = top.m_awsize_o;
  out->m_awburst = top.m_awburst_o;
  out->m_awaddr = top.m_awaddr_o;
  out->m_wvalid = top.m_wvalid_o;
  out->m_wlast = top.m_wlast_o;
  out->m_bready = top.m_bready_o;
  out->register_write = top.register_write_o;
  out->register_read = top.register_read_o;
  out->counting = top.counting_o;
  out->stop = top.stop_o;
  out->finish_in_head = top.finish_in_head_o;
  out->fetch_index = top.fetch_index_o;
  out->classes = top.classes_o;
  out->load_work = top.load_work_o;
  out->cycle = top.cycle_o;
  out->start = top.start_o;
  out->retire = top.retire_o;
  out->load_write = top.load_write_o;
  out->gemm_write = top.gemm_write_o;
  out->vector_write = top.vector_write_o;
}

void tick(void *handle) {
  Model *model = static_cast<Model *>(handle);
  current = model;
  Verilated::threadContextp(&model->context); // whose random numbers a read takes that meets a write
  model->top->clk_i = 1;
  model->top->eval();
}

void details(void *handle, DaedalusRtlDetails *out) {
  const Vdaedalus_tb &top = *static_cast<Model *>(handle)->top;
  std::memcpy(out->head_index, &top.head_index_o, sizeof out->head_index);
  std::memcpy(out->retire_index, &top.retire_index_o, sizeof out->retire_index);
  out->missing = top.missing_o;
  out->blocked = top.blocked_o;
  out->load_scope = top.load_scope_o;
  out->load_row = top.load_row_o;
  out->load_index = top.load_index_o;
  out->gemm_row = top.gemm_row_o;
  out->vector_row = top.vector_row_o;
  out->store_index = top.store_index_o;
  out->load_enable = top.load_enable_o;
  out->m_wstrb = top.m_wstrb_o;
  get(out->load_data, top.load_data_o);
  get(out->gemm_data, top.gemm_data_o);
  get(out->vector_data, top.vector_data_o);
  get(out->vector_bytes, top.vector_bytes_o);
  get(out->m_wdata, top.m_wdata_o);
}

const char *failure(void *handle) {
  const Model *model = static_cast<Model *>(handle);
  return model->failure.empty() ? nullptr : model->failure.c_str();
}

uint8_t *variable(void *handle, const char *module, const char *name, uint64_t *bytes) {
  Model *model = static_cast<Model *>(handle);
  const VerilatedScope *scope =
      model->context.scopeFind((std::string("TOP.daedalus_tb.dut.u_core.") + module).c_str());
  VerilatedVar *variable = scope ? scope->varFind(name) : nullptr;
  if (!variable)
    return nullptr;
  *bytes = variable->totalSize();
  return static_cast<uint8_t *>(variable->datap());
}

#if VM_TRACE
int openWaves(void *handle, const char *path) {
  Model *model = static_cast<Model *>(handle);
  model->waves = std::make_unique<VerilatedFstC>();
  model->top->trace(model->waves.get(), 99);
  model->waves->open(path);
  return model->waves->isOpen();
}
void dumpWaves(void *handle, uint64_t time) {
  Model *model = static_cast<Model *>(handle);
  if (model->waves)
    model->waves->dump(time);
}
void closeWaves(void *handle) {
  Model *model = static_cast<Model *>(handle);
  if (model->waves)
    model->waves->close();
  model->waves.reset();
}
#else
int openWaves(void *, const char *) {
  return 0;
}
void dumpWaves(void *, uint64_t) {}
void closeWaves(void *) {}
#endif

} // namespace

/// "[time] %Error: file:line: Assertion failed in TOP.daedalus_tb.dut.u_core.u_x: sentence". A checker of the
/// test bench names a rule in its sentence, which then stands alone.
extern "C" int daedalus_rtl_print(const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (!current || !std::strstr(line, "Error"))
    return length;
  const bool races = std::strstr(line, "race: ");
  current->ignored =
      races && !current->top->rst_ni; // memories hear of no reset, and registers hold anything before
  if (current->ignored)
    return length;
  if (!current->failure.empty() && (races || !current->raced))
    return length;
  current->raced = races;
  const char *text = std::strstr(line, "Error: ");
  const char *rule = std::strstr(line, "_checker: ");
  current->failure = rule   ? rule + std::strlen("_checker: ")
                     : text ? std::string("an assertion of the RTL failed: ") + (text + 7)
                            : std::string("an assertion of the RTL failed: ") + line;
  while (!current->failure.empty() && current->failure.back() == '\n')
    current->failure.pop_back();
  return length;
}

/// Called behind a failed assertion: the run ends with its message, the process goes on.
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE {
  if (current && !current->ignored && current->failure.empty())
    current->failure = std::string("an assertion of the RTL failed at ") + file + ":" + std::to_string(line);
}

extern "C" const DaedalusRtlModel *daedalus_rtl_model(void) {
  static const DaedalusRtlModel model = {DAEDALUS_RTL_ABI, VM_TRACE,  create,    destroy,
                                         settle,           tick,      details,   failure,
                                         variable,         openWaves, dumpWaves, closeWaves};
  return &model;
}
