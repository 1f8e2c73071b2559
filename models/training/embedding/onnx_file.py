"""Writes ONNX files: the protobuf wire format by hand (onnx.proto3, field numbers below), so that nothing has to be installed."""
import struct

import numpy as np

FLOAT, UINT8, INT8, INT64 = 1, 2, 3, 7
TYPES = {np.dtype(np.float32): FLOAT, np.dtype(np.uint8): UINT8, np.dtype(np.int8): INT8, np.dtype(np.int64): INT64}
OPSET, IR_VERSION = 17, 8
LARGE = 256


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer(field, value):
    return varint(field << 3) + varint(value)


def blob(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def attribute(name, value):
    """AttributeProto: name 1, f 2, i 3, ints 8, type 20."""
    head = blob(1, name)
    if isinstance(value, float):
        return head + varint(2 << 3 | 5) + struct.pack("<f", value) + integer(20, 1)
    if isinstance(value, int):
        return head + integer(3, value) + integer(20, 2)
    return head + b"".join(integer(8, one) for one in value) + integer(20, 7)


def tensor(name, array, place=None):
    """TensorProto: dims 1, data_type 2, name 8, raw_data 9; in another file: external_data 13 (key 1, value 2), data_location 14."""
    dims = b"".join(integer(1, size) for size in array.shape)
    head = dims + integer(2, TYPES[array.dtype]) + blob(8, name)
    if place is None:
        return head + blob(9, np.ascontiguousarray(array).tobytes())
    return head + b"".join(blob(13, blob(1, key) + blob(2, str(value))) for key, value in place.items()) + integer(14, 1)


def value_info(name, kind, dims):
    """ValueInfoProto: name 1, type 2 → tensor_type 1 → elem_type 1, shape 2 → dim 1 → dim_value 1 or dim_param 2."""
    shape = b"".join(blob(1, blob(2, d) if isinstance(d, str) else integer(1, d)) for d in dims)
    return blob(1, name) + blob(2, blob(1, integer(1, kind) + blob(2, shape)))


class Graph:
    """Collects nodes and constants in the order in which they are made."""

    def __init__(self, name, data_file=None):
        """`data_file`: name of the file for constants of `LARGE` bytes or more, whose content is `data`."""
        self.name, self.nodes, self.constants, self.inputs, self.outputs, self.known = name, [], [], [], [], set()
        self.data_file, self.data = data_file, bytearray()

    def input(self, name, kind, dims):
        self.inputs.append(value_info(name, kind, dims))
        return name

    def output(self, name, kind, dims):
        self.outputs.append(value_info(name, kind, dims))

    def constant(self, name, array):
        if name not in self.known:
            self.known.add(name)
            self.constants.append(tensor(name, array, self.elsewhere(array)))
        return name

    def elsewhere(self, array):
        """Where the constant is in the other file, or None if it stays in this one."""
        if self.data_file is None or array.nbytes < LARGE:
            return None
        place = {"location": self.data_file, "offset": len(self.data), "length": array.nbytes}
        self.data += np.ascontiguousarray(array).tobytes()
        return place

    def integers(self, *values):
        return self.constant("integers_" + "_".join(map(str, values)), np.array(values, np.int64))

    def number(self, value):
        return self.constant(f"number_{value!r}", np.array(value, np.float32))

    def add(self, operator, inputs, output=None, **attributes):
        """One node (NodeProto: input 1, output 2, name 3, op_type 4, attribute 5); returns the name of its output."""
        output = output or f"{operator.lower()}_{len(self.nodes)}"
        parts = [blob(1, one) for one in inputs] + [blob(2, output), blob(3, output), blob(4, operator)]
        parts += [blob(5, attribute(*item)) for item in attributes.items()]
        self.nodes.append(b"".join(parts))
        return output

    def model(self):
        """ModelProto: ir_version 1, producer 2, graph 7, opset_import 8. GraphProto: node 1, name 2, initializer 5, input 11, output 12."""
        fields = [(1, self.nodes), (2, [self.name]), (5, self.constants), (11, self.inputs), (12, self.outputs)]
        graph = b"".join(blob(field, one) for field, many in fields for one in many)
        return integer(1, IR_VERSION) + blob(2, "infetch") + blob(7, graph) + blob(8, blob(1, "") + integer(2, OPSET))
