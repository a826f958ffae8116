// RUN: not dae-opt %s --cpu-call-libraries=libraries=mkl 2>&1 | FileCheck %s

// CHECK: error: --cpu-library names 'mkl'; expected onednn or openblas, or functions of your own
module {
}
