// Einsum.

#include "Body/Statistics.h"
#include "OperatorTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

// A label is a letter; the dimensions of an ellipsis have labels of their own, counted from the last one.
using Labels = llvm::SmallVector<int, 8>;
constexpr int ofEllipsis = 256; ///< the label of its last dimension; the one before has the next number

/// The loops: the output's dimensions first, then those that are summed over.
struct Einsum {
  std::vector<Shape> operands; ///< the loop of each dimension; -1 where it has size 1 and is broadcast
  Shape sizes;                 ///< of the loops
  size_t rank = 0;             ///< of the output
};

/// The labels of a term; its ellipsis stands for `rest` dimensions.
Result<Labels> readTerm(llvm::StringRef term, int64_t rest, const std::string &equation) {
  Labels labels;
  bool hasEllipsis = false;
  while (!term.empty()) {
    if (term.consume_front("...")) {
      if (std::exchange(hasEllipsis, true))
        return error("attribute 'equation' has value '" + equation +
                     "', a term of which has two ellipses; expected one");
      for (int64_t i = rest; i-- > 0;)
        labels.push_back(ofEllipsis + int(i));
    } else if (llvm::isAlpha(term.front())) {
      labels.push_back(term.front());
      term = term.drop_front();
    } else {
      return error("attribute 'equation' has value '" + equation + "', which holds '" +
                   term.substr(0, 1).str() + "'; expected letters, commas, '...' and '->'");
    }
  }
  return labels;
}

int64_t letters(llvm::StringRef term) {
  return llvm::count_if(term, llvm::isAlpha);
}

/// Without an output in the equation: the ellipsis, then the letters that stand once, in alphabetical order.
Labels impliedOutput(const std::vector<Labels> &operands) {
  std::map<int, int> counts;
  for (const Labels &labels : operands)
    for (int label : labels)
      ++counts[label];
  Labels result;
  for (auto [label, count] : llvm::reverse(counts))
    if (label >= ofEllipsis)
      result.push_back(label);
  for (auto [label, count] : counts)
    if (label < ofEllipsis && count == 1)
      result.push_back(label);
  return result;
}

Result<Einsum> readEinsum(const std::string &equation, llvm::ArrayRef<Shape> shapes) {
  std::string text = equation;
  llvm::erase(text, ' ');
  const auto [left, right] = llvm::StringRef(text).split("->");
  const bool isExplicit = text.find("->") != std::string::npos;
  llvm::SmallVector<llvm::StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != shapes.size())
    return error("attribute 'equation' has value '" + equation + "' of " + std::to_string(terms.size()) +
                 " terms; expected " + std::to_string(shapes.size()) + ", one per input");
  std::vector<Labels> operands;
  std::map<int, int64_t> sizes;
  int64_t widest = 0;
  for (auto [term, shape] : llvm::zip(terms, shapes)) {
    const int64_t rest = int64_t(shape.size()) - letters(term);
    Result<Labels> labels = readTerm(term, std::max<int64_t>(rest, 0), equation);
    if (!labels)
      return error(labels.error());
    if (labels->size() != shape.size())
      return error("attribute 'equation' has value '" + equation + "', whose term '" + term.str() +
                   "' does not fit an input of shape " + shapeText(shape) +
                   "; expected a letter for each dimension");
    widest = std::max(widest, term.contains("...") ? rest : 0);
    for (auto [label, size] : llvm::zip(*labels, shape)) {
      int64_t &known = sizes.insert({label, size}).first->second;
      if (known != size && known != 1 && size != 1)
        return error("attribute 'equation' has value '" + equation + "', whose dimension '" +
                     (label < ofEllipsis ? std::string(1, char(label)) : "...") + "' has sizes " +
                     std::to_string(known) + " and " + std::to_string(size) + "; expected one size");
      known = known == 1 ? size : known;
    }
    operands.push_back(*labels);
  }
  Result<Labels> output =
      isExplicit ? readTerm(right, widest, equation) : Result<Labels>(impliedOutput(operands));
  if (!output)
    return error(output.error());
  Einsum result;
  std::map<int, int64_t> loops;
  for (int label : *output) {
    if (!sizes.count(label) || !loops.insert({label, int64_t(loops.size())}).second)
      return error("attribute 'equation' has value '" + equation + "', whose output names '" +
                   (label < ofEllipsis ? std::string(1, char(label)) : "...") +
                   "'; expected letters of the inputs, each once");
    result.sizes.push_back(sizes[label]);
  }
  result.rank = loops.size();
  for (auto [label, size] : sizes)
    if (loops.insert({label, int64_t(loops.size())}).second)
      result.sizes.push_back(size);
  for (auto [labels, shape] : llvm::zip(operands, shapes)) {
    result.operands.emplace_back();
    for (auto [label, size] : llvm::zip(labels, shape))
      result.operands.back().push_back(size == 1 && sizes[label] != 1 ? -1 : loops[label]);
  }
  return result;
}

bool einsum(C &c) {
  std::vector<Shape> shapes;
  for (const Known &input : c.inputs)
    shapes.push_back(input.shape);
  const Result<Einsum> of = readEinsum(c.text("equation", ""), shapes);
  if (!of)
    return c.fail(of.error());
  return c.output(0, Shape(of->sizes.begin(), of->sizes.begin() + of->rank));
}

Value einsum(K &k) {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < k.operands.size(); ++i)
    shapes.push_back(k.shape(i));
  const Einsum of = *readEinsum(textAttribute(k.node, "equation", ""), shapes); // checked
  const unsigned count = of.sizes.size();
  SmallVector<Read> reads;
  for (auto [i, loops] : llvm::enumerate(of.operands)) {
    SmallVector<AffineExpr> at;
    for (int64_t loop : loops)
      at.push_back(loop < 0 ? k.b.getAffineConstantExpr(0) : k.b.getAffineDimExpr(loop));
    reads.push_back({k.in(i), AffineMap::get(count, 0, at, k.b.getContext())});
  }
  return k.reduce(k.output.shape, k.loops(count, range(0, of.rank)), k.number(0, k.outputType()), reads,
                  [&](Value sum, ValueRange x) {
                    Value term = x[0];
                    for (Value factor : x.drop_front())
                      term = k.mul(term, factor);
                    return k.add(sum, term);
                  });
}

} // namespace

void addEinsum(Operators &all) {
  all["Einsum"] = {12, einsum, einsum};
}

} // namespace daedalus::onnximport
