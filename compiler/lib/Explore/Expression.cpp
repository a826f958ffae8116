// See Expression.h. muParser's exceptions end here.
#include "Explore/Expression.h"

#include <muParser.h>

#include <cmath>

namespace daedalus::explore {

Result<double> evaluate(const std::string &expression, const Variables &variables) {
  try {
    mu::Parser parser;
    for (const auto &[name, value] : variables)
      parser.DefineConst(name, value);
    parser.SetExpr(expression);
    const double value = parser.Eval();
    if (!std::isfinite(value))
      return error("it divides by zero");
    return value;
  } catch (const mu::Parser::exception_type &problem) {
    return error(problem.GetMsg());
  }
}

} // namespace daedalus::explore
