// What a processor has that code for it uses.

#ifndef DAEDALUS_LIB_TARGET_CPU_FEATURES_H
#define DAEDALUS_LIB_TARGET_CPU_FEATURES_H

namespace daedalus::cpu {

struct Features {
  unsigned vectorBits = 128;
  unsigned registers = 16; ///< of vectors
  bool hasFma = false;
  bool hasDoubles = true;   ///< arithmetic of float64
  bool isX86 = true;        ///< instructions that add products of bytes, and stores past the caches
  bool hasVnni = false;     ///< vpdpbusd of vectorBits
  bool hasAmx = false;      ///< tiles of bytes, and their products
  bool emulatesAmx = false; ///< has them in code for any processor

  bool hasVectors() const { return vectorBits > 32; }
};

} // namespace daedalus::cpu

#endif
