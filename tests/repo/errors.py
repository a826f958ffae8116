"""Errors have one form each in compiler/ (docs/decisions/0019-errors.md): a diagnostic, a Result<T>, and in tools/ an
exception that ends the command. This finds the forms that they replace.

    errors.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

compiler = pathlib.Path(sys.argv[1]) / "compiler"
refused = [  # what is found, where, and what stands in its place
    (r"std::string &(why|error|message|reason)\b", r".*", "an out-parameter for an error; return a Result<T>"),
    (r"\bstd::string \w+Error\(", r".*", "an error that is empty where all is well; return a Result<void>"),
    (r"\b(llvm::)?Expected<|\bllvm::Error\b", r".*\.h", "LLVM's error in a header; end it where LLVM is called"),
    (r"\bcreateStringError\(", r".*", "LLVM's error made by us; return a Result<T>"),
    (r"\bthrow\b", r"(?!tools/)", "an exception outside of tools/; return a Result<T> or emit a diagnostic"),
]

found = []
for path in sorted(compiler.rglob("*")):
    name = path.relative_to(compiler).as_posix()
    if path.suffix not in (".cpp", ".h"):
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = line.split("//")[0]
        for pattern, where, what in refused:
            # a const reference is no out-parameter
            if re.match(where, name) and re.search(pattern, code.replace("const std::string &", "")):
                found.append(f"{path}:{number}: {what}: {line.strip()}")
print("\n".join(found))
sys.exit(1 if found else 0)
