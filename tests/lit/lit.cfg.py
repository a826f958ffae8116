# Parameters: `tools` (folders with dae-opt and FileCheck, separated by colons), `output` (scratch folder).
import os

import lit.formats

config.name = "daedalus"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["output"]
config.environment["PATH"] = lit_config.params["tools"] + ":" + os.environ["PATH"]
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
