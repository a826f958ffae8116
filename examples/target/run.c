/* run DRIVER.so PACKAGE X.raw Y.raw: a package of the lanes machine by the C API. Writes the bytes of its
 * output to stdout, and the target and the ticks of each layer to stderr. */
#include <daedalus/runtime.h>

#include <stdio.h>
#include <stdlib.h>

static void check(daedalus_status status) {
  if (status == DAEDALUS_OK)
    return;
  fprintf(stderr, "run: error: %s\n", daedalus_last_error());
  exit(1);
}

static size_t bytes_of(const DLTensor *tensor) {
  size_t bytes = tensor->dtype.bits / 8;
  for (int i = 0; i < tensor->ndim; ++i)
    bytes *= (size_t)tensor->shape[i];
  return bytes;
}

static void fill(DLTensor *tensor, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fread(tensor->data, 1, bytes_of(tensor), file) != bytes_of(tensor)) {
    fprintf(stderr, "run: error: '%s' has not the %zu bytes of its input\n", path, bytes_of(tensor));
    exit(1);
  }
  fclose(file);
}

int main(int argc, char **argv) {
  daedalus_device *device;
  daedalus_package *package;
  daedalus_function *function;
  daedalus_tensor_info info;
  daedalus_layer_info layer;
  DLTensor *tensors[3];
  if (argc != 5) {
    fprintf(stderr, "usage: run DRIVER.so PACKAGE X.raw Y.raw\n");
    return 2;
  }
  check(daedalus_driver_load(argv[1], NULL));
  check(daedalus_device_open("functional", NULL, &device));
  check(daedalus_package_load_file(device, argv[2], &package));
  check(daedalus_package_function(package, NULL, &function));
  for (size_t i = 0; i < 3; ++i) {
    check(i < 2 ? daedalus_function_input(function, i, &info) : daedalus_function_output(function, 0, &info));
    check(daedalus_tensor_create(info.dtype, info.ndim, info.shape, &tensors[i]));
    if (i < 2)
      fill(tensors[i], argv[3 + i]);
  }
  const DLTensor inputs[2] = {*tensors[0], *tensors[1]};
  check(daedalus_function_invoke(function, inputs, 2, tensors[2], 1));
  fwrite(tensors[2]->data, 1, bytes_of(tensors[2]), stdout);
  for (size_t i = 0; i < daedalus_package_layer_count(package); ++i) {
    check(daedalus_package_layer(package, i, &layer));
    fprintf(stderr, "%s %llu\n", layer.target, (unsigned long long)layer.device_ticks);
  }
  for (size_t i = 0; i < 3; ++i)
    daedalus_tensor_destroy(tensors[i]);
  daedalus_package_close(package);
  daedalus_device_close(device);
  return 0;
}
