// The intrinsics that there are: the built-in file, which is part of the binary, and files of users.

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include "Check.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/support/input_file.h"
#include "daedalus/support/mlir_text.h"
#include "daedalus/support/one_line.h"
#include "daedalus/support/process.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"

#include <mutex>

namespace daedalus::dae {
namespace {

const char builtinText[] =
#include "Intrinsics.mlir.inc"
    ;

void loadDialects(mlir::MLIRContext &context) {
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                      DaeDialect, qnn::QnnDialect>();
}

/// Keeps the first error of a context, with its place.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || !text.empty())
            return mlir::success();
          if (auto line = mlir::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation()))
            text = (line.getFilename().getValue() + ":" + llvm::Twine(line.getLine()) + ": ").str();
          text = oneLine(text + diagnostic.str());
          return mlir::success();
        }) {}

  std::string text;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Adds the intrinsics of a module of declarations and packing functions; those that are tried have to
/// compute what their descriptions say.
mlir::LogicalResult readModule(mlir::ModuleOp module, bool areTried, Intrinsics &all) {
  llvm::StringSet<> names;
  for (const Intrinsic &intrinsic : all)
    names.insert(intrinsic.name);
  for (mlir::Operation &op : *module.getBody()) {
    if (mlir::isa<mlir::func::FuncOp>(op))
      continue;
    auto intrinsic = mlir::dyn_cast<IntrinsicOp>(op);
    if (!intrinsic)
      return op.emitError("'") << op.getName()
                               << "' is beside intrinsics; expected dae.intrinsic and func.func";
    if (!names.insert(intrinsic.getSymName()).second)
      return intrinsic.emitOpError("has the name of another one, @") << intrinsic.getSymName();
    mlir::FailureOr<Declaration> declaration = readDeclaration(intrinsic);
    const size_t before = all.size();
    if (failed(declaration) || failed(addIntrinsics(*declaration, all)))
      return mlir::failure();
    for (size_t k = before; areTried && k < all.size(); ++k)
      if (failed(checkIntrinsic(*declaration, all[k])))
        return mlir::failure();
  }
  return mlir::success();
}

/// MLIR's own parser may end in a signal on texts that nobody has thought of, or use memory that it has
/// freed: a copy of this process reads them first, and this one only what that one could read.
Result<void> tryToParse(const std::string &text, const std::string &path) {
  const Result<CopyOutcome> tried = runInCopy([&]() -> std::string {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    loadDialects(context);
    FirstError first(context);
    if (mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), path))
      return "";
    return first.text.empty() ? path + ": is no text of MLIR" : first.text;
  });
  if (!tried)
    return error(tried.error());
  if (tried->status)
    return error(path + ": MLIR's parser ends with " + tried->ending() +
                 " on it, so it has no intrinsics; look at the attributes of its operations");
  return tried->text.empty() ? Result<void>() : error(tried->text);
}

/// All that was read: data without a context, so that of a file ends with its reading.
class Library {
public:
  static Library &get() {
    static Library library;
    return library;
  }

  const Intrinsics *inUse = nullptr; ///< nothing: the built-in ones

  const Intrinsics &builtin() const { return *ofFile.at(""); }

  /// Reads the built-in file again, as if it were a user's.
  static Result<void> tryBuiltin() {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    loadDialects(context);
    FirstError first(context);
    const auto module =
        mlir::parseSourceString<mlir::ModuleOp>(builtinText, mlir::ParserConfig(&context), "built-in");
    Intrinsics all;
    return module && succeeded(readModule(*module, true, all)) ? Result<void>() : error(first.text);
  }

  Result<const Intrinsics *> load(const std::string &path) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (const auto found = ofFile.find(path); found != ofFile.end())
      return found->second.get();
    Result<std::vector<uint8_t>> bytes = readFile(path, input::MlirText);
    if (!bytes)
      return error(bytes.error());
    const std::string text(bytes->begin(), bytes->end());
    if (Result<void> plain = checkMlirText(text); !plain)
      return error(path + ": " + plain.error());
    if (Result<void> parsed = tryToParse(text, path); !parsed)
      return error(parsed.error());
    return add(path, text, builtin(), true);
  }

private:
  Library() {
    if (const Result<const Intrinsics *> read = add("", builtinText, {}, false); !read)
      llvm::report_fatal_error(llvm::Twine("the built-in intrinsics: ") + read.error());
  }

  Result<const Intrinsics *> add(const std::string &path, const std::string &text, const Intrinsics &before,
                                 bool areTried) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    loadDialects(context);
    FirstError first(context);
    const auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), path);
    auto all = std::make_unique<Intrinsics>(before);
    if (!module || failed(readModule(*module, areTried, *all)))
      return error(first.text.empty() ? path + ": is not a file of intrinsics" : first.text);
    return (ofFile[path] = std::move(all)).get();
  }

  std::mutex mutex;
  std::map<std::string, std::unique_ptr<const Intrinsics>> ofFile;
};

} // namespace

const Intrinsics &builtinIntrinsics() {
  return Library::get().builtin();
}

Result<void> tryBuiltinIntrinsics() {
  return Library::tryBuiltin();
}

Result<const Intrinsics *> loadIntrinsics(const std::string &path) {
  return Library::get().load(path);
}

Result<void> useIntrinsics(const std::string &path) {
  const Result<const Intrinsics *> known = loadIntrinsics(path);
  if (!known)
    return error(known.error());
  Library::get().inUse = *known;
  return {};
}

const Intrinsics &intrinsicsInUse() {
  const Intrinsics *used = Library::get().inUse;
  return used ? *used : builtinIntrinsics();
}

} // namespace daedalus::dae
