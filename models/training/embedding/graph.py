"""The encoder as an ONNX graph of plain operators: input_ids and attention_mask in, last_hidden_state out."""
import numpy as np

from encoder import MASKED
from onnx_file import FLOAT, INT64, Graph


class EncoderGraph:
    """The vectors of the words are int8 with a scale each, which `round_words` made exact; `quantised` does the same to the weights, which is not.

    All is widened in the graph. Activations stay fp32, so that no text changes another's.
    """

    def __init__(self, shape, state, quantised):
        self.graph, self.shape, self.quantised = Graph("encoder"), shape, quantised
        self.state = {name: value.float().numpy() for name, value in state.items()}

    def weight(self, name, matrix, axis):
        """A constant [.., ..]; quantised along `axis`."""
        g = self.graph
        if not self.quantised:
            return g.constant(name, matrix)
        scale = np.maximum(np.abs(matrix).max(1 - axis), 1e-8).astype(np.float32) / 127
        rounded = np.round(matrix / np.expand_dims(scale, 1 - axis)).astype(np.int8)
        return g.add("DequantizeLinear", [g.constant(name + ".int8", rounded), g.constant(name + ".scale", scale)], axis=axis)

    def linear(self, x, name):
        product = self.graph.add("MatMul", [x, self.weight(name, np.ascontiguousarray(self.state[name + ".weight"].T), 1)])
        return self.graph.add("Add", [product, self.graph.constant(name + ".bias", self.state[name + ".bias"])])

    def norm(self, x, name):
        parts = [self.graph.constant(f"{name}.{part}", self.state[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self.graph.add("LayerNormalization", [x, *parts], axis=-1, epsilon=self.shape.epsilon)

    def words(self, ids):
        g, table = self.graph, self.state["words.weight"]
        scale = np.maximum(np.abs(table).max(1, keepdims=True), 1e-8).astype(np.float32) / 127
        rows = g.add("Gather", [g.constant("words.int8", np.round(table / scale).astype(np.int8)), ids])
        return g.add("Mul", [g.add("Cast", [rows], to=FLOAT), g.add("Gather", [g.constant("words.scale", scale), ids])])

    def attention(self, x, positions, name, bias):
        g, s = self.graph, self.shape
        width = s.hidden // s.heads
        placed = g.add("Add", [self.norm(x, f"{name}.norm1"), positions])

        def heads(part, order):
            return g.add("Transpose", [g.add("Reshape", [self.linear(placed, f"{name}.{part}"), g.integers(0, 0, s.heads, width)])], perm=order)
        q, k, v = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]), heads("value", [0, 2, 1, 3])
        scores = g.add("Add", [g.add("Mul", [g.add("MatMul", [q, k]), g.number(width ** -0.5)]), bias])
        mixed = g.add("Transpose", [g.add("MatMul", [g.add("Softmax", [scores], axis=-1), v])], perm=[0, 2, 1, 3])
        return self.linear(g.add("Reshape", [mixed, g.integers(0, 0, s.hidden)]), f"{name}.out")

    def gelu(self, x):
        g = self.graph
        half = g.add("Mul", [x, g.number(0.5)])
        return g.add("Mul", [half, g.add("Add", [g.add("Erf", [g.add("Mul", [x, g.number(0.5 ** 0.5)])]), g.number(1.0)])])

    def build(self):
        """The bytes of the file."""
        g, s = self.graph, self.shape
        ids = g.input("input_ids", INT64, ["batch_size", "sequence_length"])
        mask = g.input("attention_mask", INT64, ["batch_size", "sequence_length"])
        length = g.add("Shape", [ids], start=1, end=2)
        positions = g.add("Slice", [g.constant("positions", self.state["positions.weight"]), g.integers(0), length, g.integers(0)])
        x = self.words(ids)
        seen = g.add("Unsqueeze", [g.add("Cast", [mask], to=FLOAT), g.integers(1, 2)])
        bias = g.add("Mul", [g.add("Sub", [g.number(1.0), seen]), g.number(MASKED)])
        for i in range(s.layers):
            name = f"blocks.{i}"
            x = g.add("Add", [x, self.attention(x, positions, name, bias)])
            x = g.add("Add", [x, self.linear(self.gelu(self.linear(self.norm(x, f"{name}.norm2"), f"{name}.up")), f"{name}.down")])
        g.add("Identity", [x], "last_hidden_state")
        g.output("last_hidden_state", FLOAT, ["batch_size", "sequence_length", s.hidden])
        return g.model()
