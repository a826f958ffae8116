"""A package that says of its CPU code that it is for another level; checksums are made right again
(runtime/lib/package/format.h)."""
import struct

HEADER = 64
ENTRY = struct.Struct("<IIQQQ")  # kind, number, offset, size, checksum


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return value


def with_level(package, level, lie):
    """`lie` has as many characters as `level`, which stands in the manifest alone."""
    data = bytearray(package)
    sections = struct.unpack_from("<I", data, 12)[0]
    for index in range(sections):
        at = HEADER + index * ENTRY.size
        kind, number, offset, size, _ = ENTRY.unpack_from(data, at)
        content = bytes(data[offset:offset + size])
        if level.encode() in content and kind == 1:
            data[offset:offset + size] = content = content.replace(level.encode(), lie.encode())
            ENTRY.pack_into(data, at, kind, number, offset, size, fnv1a(content))
    struct.pack_into("<Q", data, 24, fnv1a(data[HEADER:HEADER + sections * ENTRY.size]))
    struct.pack_into("<Q", data, 56, fnv1a(data[:56]))
    return bytes(data)
