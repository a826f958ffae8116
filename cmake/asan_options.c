/* LLVM's headers poison freed arena memory when they are compiled with the address sanitizer, and Debian's libMLIR,
 * which is not, hands that memory out again. So nobody but the sanitizer itself poisons memory here. An allocation
 * that is too large fails as it does without the sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allow_user_poisoning=0:allocator_may_return_null=1"; }
