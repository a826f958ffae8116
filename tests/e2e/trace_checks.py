#!/usr/bin/env python3
"""What every trace of `daedalus profile --trace` holds: slices are balanced, time goes on in each track, and every flow and
track resolves.

    trace_checks.py PROTO TRACE        read by the project's own description of the format, which protoc compiles
    trace_checks.py --perfetto TRACE   read by Perfetto's own (PyPI's perfetto)"""
import collections
import subprocess
import sys
import tempfile

SLICE_BEGIN, SLICE_END = 1, 2


def trace_of(source, path):
    if source == "--perfetto":
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as module
    else:
        folder = tempfile.mkdtemp()
        proto_folder, _, name = source.rpartition("/")
        subprocess.run(["protoc", f"--python_out={folder}", f"-I{proto_folder}", name], check=True)
        sys.path.insert(0, folder)
        import trace_pb2 as module
    trace = module.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    return trace


class Tracks:
    def __init__(self):
        self.names = {}
        self.open, self.last, self.slices = collections.Counter(), collections.Counter(), collections.Counter()
        self.begins, self.ends = collections.Counter(), collections.Counter()

    def describe(self, descriptor):
        assert descriptor.uuid not in self.names
        assert not descriptor.HasField("parent_uuid") or descriptor.parent_uuid in self.names
        self.names[descriptor.uuid] = descriptor.name or descriptor.process.process_name

    def add(self, event, time):
        track = event.track_uuid
        assert track in self.names, f"no track {track}"
        assert time >= self.last[track], f"{self.names[track]}: {time} behind {self.last[track]}"
        self.last[track] = time
        if event.type == SLICE_BEGIN:
            assert self.open[track] == 0 and event.name, f"{self.names[track]}: a slice in a slice, or without a name"
            self.open[track] += 1
            self.slices[self.names[track]] += 1
            self.begins.update(event.flow_ids)
            self.ends.update(event.terminating_flow_ids)
        else:
            assert event.type == SLICE_END
            self.open[track] -= 1

    def finish(self):
        assert not +self.open and not -self.open, "slices that do not end"
        assert set(self.begins.values()) <= {1} and self.begins == self.ends, "flows that do not begin and end once"


def main():
    tracks = Tracks()
    for packet in trace_of(sys.argv[1], sys.argv[2]).packet:
        assert packet.trusted_packet_sequence_id == 1
        if packet.HasField("track_descriptor"):
            tracks.describe(packet.track_descriptor)
        else:
            tracks.add(packet.track_event, packet.timestamp)
    tracks.finish()
    for module in ("fetch", "load", "gemm", "vector", "store", "critical path"):
        assert tracks.slices[module] > 0, f"nothing in the track '{module}'"
    print(f"{sum(tracks.slices.values())} slices, {len(tracks.begins)} flows, {max(tracks.last.values())} cycles")


main()
