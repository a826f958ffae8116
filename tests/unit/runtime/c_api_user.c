/* The C API as a C11 program uses it; c_api_test.cpp calls it. Each check returns its line where it fails. */

#include <daedalus/runtime.h>

#include <string.h>

#define CHECK(condition)                                                                                     \
  if (!(condition))                                                                                          \
  return __LINE__

static int double_them(const DLTensor *inputs, size_t input_count, DLTensor *outputs, size_t output_count,
                       void *user_data) {
  if (input_count != 1 || output_count != 1 || outputs[0].ndim != 4 || outputs[0].shape[3] != 8)
    return 7;
  const int8_t *in = inputs[0].data;
  int8_t *out = outputs[0].data;
  for (int i = 0; i < 64; ++i)
    out[i] = (int8_t)(2 * in[i]);
  ++*(int *)user_data;
  return 0;
}

static int fails(const DLTensor *inputs, size_t input_count, DLTensor *outputs, size_t output_count,
                 void *user_data) {
  (void)inputs, (void)input_count, (void)outputs, (void)output_count, (void)user_data;
  return 3;
}

static int reshapes(const DLTensor *inputs, size_t input_count, DLTensor *outputs, size_t output_count,
                    void *user_data) {
  (void)inputs, (void)input_count, (void)output_count, (void)user_data;
  outputs[0].shape[3] = 4;
  return 0;
}

static int replaces(const DLTensor *inputs, size_t input_count, DLTensor *outputs, size_t output_count,
                    void *user_data) {
  (void)input_count, (void)output_count, (void)user_data;
  outputs[0].data = inputs[0].data;
  return 0;
}

static int describe(daedalus_package *package, daedalus_function **function) {
  daedalus_tensor_info info;
  CHECK(daedalus_package_function_count(package) == 1);
  CHECK(daedalus_package_function(package, NULL, function) == DAEDALUS_OK);
  CHECK(strcmp(daedalus_function_name(*function), "main") == 0);
  CHECK(daedalus_function_input_count(*function) == 1 && daedalus_function_output_count(*function) == 2);
  CHECK(daedalus_function_input(*function, 0, &info) == DAEDALUS_OK);
  CHECK(strcmp(info.name, "image") == 0 && info.ndim == 4 && info.shape[2] == 8);
  CHECK(info.dtype.code == kDLInt && info.dtype.bits == 8 && info.dtype.lanes == 1);
  CHECK(daedalus_function_output(*function, 2, &info) == DAEDALUS_NOT_FOUND);
  CHECK(strcmp(daedalus_last_error(), "the function has 2 outputs, there is no number 2") == 0);
  CHECK(daedalus_package_function(package, "", function) == DAEDALUS_NOT_FOUND);
  CHECK(daedalus_package_function(package, "train", function) == DAEDALUS_NOT_FOUND);
  CHECK(strstr(daedalus_last_error(), "no function 'train'"));
  return daedalus_package_function(package, "main", function);
}

static int invoke(daedalus_package *package, daedalus_function *function, DLTensor *image,
                  DLTensor *outputs) {
  int calls = 0;
  CHECK(daedalus_package_register_external(package, "triple", double_them, &calls) == DAEDALUS_NOT_FOUND);
  CHECK(daedalus_package_register_external(package, "double", fails, NULL) == DAEDALUS_OK);
  CHECK(daedalus_function_invoke(function, image, 1, outputs, 2) == DAEDALUS_FAILED);
  CHECK(strcmp(daedalus_last_error(),
               "the external function 'double' (node 'Double_2') failed: it returned 3") == 0);
  CHECK(daedalus_package_register_external(package, "double", reshapes, NULL) == DAEDALUS_OK);
  CHECK(daedalus_function_invoke(function, image, 1, outputs, 2) == DAEDALUS_FAILED);
  CHECK(strcmp(daedalus_last_error(),
               "the external function 'double' (node 'Double_2') failed: it changed the type "
               "or shape of output 0; expected it to fill int8 [1,1,8,8]") == 0);
  CHECK(daedalus_package_register_external(package, "double", replaces, NULL) == DAEDALUS_OK);
  CHECK(daedalus_function_invoke(function, image, 1, outputs, 2) == DAEDALUS_FAILED);
  CHECK(strstr(daedalus_last_error(),
               "failed: it put other memory into output 0; expected it to fill the memory"));
  CHECK(daedalus_package_register_external(package, "double", double_them, &calls) == DAEDALUS_OK);
  memset(image->data, 5, 64);
  CHECK(daedalus_function_invoke(function, image, 1, outputs, 2) == DAEDALUS_OK);
  CHECK(calls == 1);
  CHECK(((const int8_t *)outputs[0].data)[63] == 36 && ((const int8_t *)outputs[1].data)[0] == 1);
  CHECK(daedalus_function_invoke(function, image, 1, outputs, 1) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(strcmp(daedalus_last_error(), "function 'main': expected 2 outputs, found 1") == 0);
  image->dtype.code = kDLUInt;
  CHECK(daedalus_function_invoke(function, image, 1, outputs, 2) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(strcmp(daedalus_last_error(),
               "function 'main': input 'image': expected int8 [1,1,8,8], found uint8 [1,1,8,8]") == 0);
  image->dtype.code = kDLInt;
  int64_t strides[4] = {64, 64, 1, 8};
  image->strides = strides;
  CHECK(daedalus_function_invoke(function, image, 1, outputs, 2) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(strstr(daedalus_last_error(), "strides"));
  image->strides = NULL;
  return 0;
}

static int profile(const daedalus_package *package, int counts_cycles) {
  daedalus_layer_info layer;
  uint64_t layers = 0, fetch = 0;
  int is_last = 0;
  for (size_t i = 0; i < daedalus_package_layer_count(package); ++i) {
    CHECK(daedalus_package_layer(package, i, &layer) == DAEDALUS_OK);
    layers += layer.cycles;
    if (*layer.node)
      is_last = strcmp(layer.node, "Add_3") == 0 && strcmp(layer.target, "accelerator") == 0;
  }
  CHECK(is_last);
  for (uint32_t c = 0; c < 9; ++c)
    fetch += daedalus_package_counter(package, 0, c);
  CHECK((daedalus_package_cycles(package) > 0) == counts_cycles);
  CHECK(layers == daedalus_package_cycles(package) && fetch == layers);
  CHECK(daedalus_package_counter(package, 5, 0) == 0);
  return 0;
}

static int run_package(daedalus_package *package, int counts_cycles) {
  const int64_t shape[4] = {1, 1, 8, 8}, wrong[1] = {-1};
  const DLDataType int8 = {kDLInt, 8, 1}, float24 = {kDLFloat, 24, 1};
  daedalus_function *function = NULL;
  DLTensor *image = NULL, *first = NULL, *second = NULL;
  CHECK(daedalus_tensor_create(int8, 1, wrong, &image) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(daedalus_tensor_create(float24, 4, shape, &image) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(daedalus_tensor_create(int8, 4, shape, &image) == DAEDALUS_OK);
  CHECK(daedalus_tensor_create(int8, 4, shape, &first) == DAEDALUS_OK);
  CHECK(daedalus_tensor_create(int8, 4, shape, &second) == DAEDALUS_OK);
  DLTensor outputs[2] = {*first, *second};
  int line = describe(package, &function);
  if (!line)
    line = invoke(package, function, image, outputs);
  if (!line)
    line = profile(package, counts_cycles);
  daedalus_tensor_destroy(image);
  daedalus_tensor_destroy(first);
  daedalus_tensor_destroy(second);
  return line;
}

#define IS_NULL(call, argument)                                                                              \
  CHECK((call) == DAEDALUS_INVALID_ARGUMENT);                                                                \
  CHECK(strcmp(daedalus_last_error(), "the argument '" argument "' is null") == 0)
#define IS_NOTHING(call, argument)                                                                           \
  CHECK((call) == 0);                                                                                        \
  CHECK(strcmp(daedalus_last_error(), "the argument '" argument "' is null") == 0)

/* Every pointer of every function. */
int null_arguments(const void *data, size_t size) {
  const DLDataType int8 = {kDLInt, 8, 1};
  const int64_t shape[1] = {1};
  daedalus_device *device = NULL;
  daedalus_package *package = NULL;
  daedalus_function *function = NULL;
  daedalus_tensor_info tensor;
  daedalus_layer_info layer;
  DLTensor tensors[2] = {{0}};
  DLTensor *created = NULL;
  CHECK(daedalus_device_open("functional", NULL, &device) == DAEDALUS_OK);
  CHECK(daedalus_package_load_memory(device, data, size, &package) == DAEDALUS_OK);
  CHECK(daedalus_package_function(package, NULL, &function) == DAEDALUS_OK);
  IS_NULL(daedalus_device_open(NULL, "tiny", &device), "engine");
  IS_NULL(daedalus_device_open("functional", "tiny", NULL), "device");
  IS_NULL(daedalus_device_allow_native_code(NULL, 0), "device");
  IS_NULL(daedalus_device_set_threads(NULL, 1), "device");
  IS_NULL(daedalus_package_load_file(NULL, "a.dae", &package), "device");
  IS_NULL(daedalus_package_load_file(device, NULL, &package), "path");
  IS_NULL(daedalus_package_load_file(device, "a.dae", NULL), "package");
  IS_NULL(daedalus_package_load_memory(NULL, data, size, &package), "device");
  IS_NULL(daedalus_package_load_memory(device, NULL, size, &package), "data");
  IS_NULL(daedalus_package_load_memory(device, data, size, NULL), "package");
  IS_NULL(daedalus_package_function(NULL, "main", &function), "package");
  IS_NULL(daedalus_package_function(package, "main", NULL), "function");
  IS_NULL(daedalus_package_function_at(NULL, 0, &function), "package");
  IS_NULL(daedalus_package_function_at(package, 0, NULL), "function");
  IS_NULL(daedalus_function_input(NULL, 0, &tensor), "function");
  IS_NULL(daedalus_function_input(function, 0, NULL), "info");
  IS_NULL(daedalus_function_output(NULL, 0, &tensor), "function");
  IS_NULL(daedalus_function_output(function, 0, NULL), "info");
  IS_NULL(daedalus_function_invoke(NULL, tensors, 1, tensors, 2), "function");
  IS_NULL(daedalus_function_invoke(function, NULL, 1, tensors, 2), "inputs");
  IS_NULL(daedalus_function_invoke(function, tensors, 1, NULL, 2), "outputs");
  IS_NULL(daedalus_tensor_create(int8, 1, NULL, &created), "shape");
  IS_NULL(daedalus_tensor_create(int8, 1, shape, NULL), "tensor");
  IS_NULL(daedalus_package_register_external(NULL, "double", double_them, NULL), "package");
  IS_NULL(daedalus_package_register_external(package, NULL, double_them, NULL), "name");
  IS_NULL(daedalus_package_register_external(package, "double", NULL, NULL), "function");
  IS_NULL(daedalus_package_layer(NULL, 0, &layer), "package");
  IS_NULL(daedalus_package_layer(package, 0, NULL), "info");
  IS_NOTHING(daedalus_package_function_count(NULL), "package");
  IS_NOTHING(daedalus_function_input_count(NULL), "function");
  IS_NOTHING(daedalus_function_output_count(NULL), "function");
  IS_NOTHING(daedalus_function_name(NULL)[0], "function");
  IS_NOTHING(daedalus_package_cycles(NULL), "package");
  IS_NOTHING(daedalus_package_counter(NULL, 0, 0), "package");
  IS_NOTHING(daedalus_package_layer_count(NULL), "package");
  /* Null inside of a tensor. */
  tensors[0].device.device_type = kDLCPU;
  tensors[0].dtype = int8;
  tensors[0].ndim = 4;
  CHECK(daedalus_function_invoke(function, tensors, 1, tensors, 2) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(strstr(daedalus_last_error(), "input 'image' has 4 dimensions and no shape"));
  const int64_t image[4] = {1, 1, 8, 8};
  tensors[0].shape = (int64_t *)image;
  CHECK(daedalus_function_invoke(function, tensors, 1, tensors, 2) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(strstr(daedalus_last_error(), "input 'image' has no data"));
  daedalus_package_close(package);
  daedalus_device_close(device);
  daedalus_device_close(NULL);
  daedalus_tensor_destroy(NULL);
  return 0;
}

static int native_code(daedalus_device *device, const void *data, size_t size) {
  daedalus_package *package = NULL;
  CHECK(daedalus_device_allow_native_code(device, 0) == DAEDALUS_OK);
  CHECK(daedalus_package_load_memory(device, data, size, &package) == DAEDALUS_BAD_PACKAGE);
  CHECK(strstr(daedalus_last_error(), "the package carries native code (2 kernels for x86_64"));
  return daedalus_device_allow_native_code(device, 1);
}

static int threads(daedalus_device *device) {
  CHECK(daedalus_device_set_threads(device, 0) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(strcmp(daedalus_last_error(), "the number of threads is 0; expected one from 1 to 1024") == 0);
  CHECK(daedalus_device_set_threads(device, 1025) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(daedalus_device_set_threads(device, 1024) == DAEDALUS_OK);
  return daedalus_device_set_threads(device, 3);
}

/* 0, or the line of the first check that failed. */
int use_c_api(const char *engine, int counts_cycles, const void *data, size_t size) {
  daedalus_device *device = NULL;
  daedalus_package *package = NULL;
  CHECK(daedalus_device_open("abacus", NULL, &device) == DAEDALUS_NOT_FOUND);
  CHECK(strstr(daedalus_last_error(), "there is no engine 'abacus'; the engines: "));
  CHECK(daedalus_device_open(engine, "no-such-machine", &device) == DAEDALUS_NOT_FOUND);
  CHECK(daedalus_device_open(NULL, NULL, &device) == DAEDALUS_INVALID_ARGUMENT);
  CHECK(daedalus_device_open(engine, "tiny", &device) == DAEDALUS_OK);
  CHECK(daedalus_package_load_file(device, "no.dae", &package) == DAEDALUS_NOT_FOUND);
  CHECK(strstr(daedalus_last_error(), "cannot read 'no.dae'"));
  CHECK(daedalus_package_load_memory(device, data, size - 1, &package) == DAEDALUS_BAD_PACKAGE);
  CHECK(native_code(device, data, size) == 0);
  CHECK(threads(device) == 0);
  CHECK(daedalus_package_load_memory(device, data, size, &package) == DAEDALUS_OK);
  daedalus_device_close(device);
  int line = run_package(package, counts_cycles);
  daedalus_package_close(package);
  daedalus_package_close(NULL);
  return line;
}
