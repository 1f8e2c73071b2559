"""The encoder as an ONNX graph of plain operators: input_ids and attention_mask in, last_hidden_state out."""
import numpy as np
import torch

from encoder import MASKED, MATRIX_LEVELS, WORD_LEVELS, quantise
from onnx_file import FLOAT, INT64, Graph

NIBBLE = 16
ZERO = 8  # Added to each number, so that none is negative.


def integers_of(matrix, levels):
    """(int8 [rows, columns], scales [rows, 1]) of a matrix."""
    wholes, scale = quantise(torch.from_numpy(matrix), levels)
    return wholes.numpy().astype(np.int8), scale.numpy()


class EncoderGraph:
    """The words take four bits a number; `quantised`: the matrices of the blocks eight. After `round_weights` both are exact.

    All is widened in the graph. Activations stay fp32, so that no text changes another's.
    """

    def __init__(self, shape, state, quantised, dense=None, data_file=None):
        """`dense`: [in, out] of a layer for the output `sentence_embedding`. `data_file`: name of a file for the large constants."""
        self.graph, self.shape, self.quantised, self.dense = Graph("encoder", data_file), shape, quantised, dense
        self.state = {name: value.float().numpy() for name, value in state.items()}

    def weight(self, name):
        """A constant [in, out]."""
        g, matrix = self.graph, self.state[name]
        if not self.quantised:
            return g.constant(name, np.ascontiguousarray(matrix.T))
        wholes, scale = integers_of(matrix, MATRIX_LEVELS)
        rows = g.constant(name + ".int8", np.ascontiguousarray(wholes.T))
        return g.add("DequantizeLinear", [rows, g.constant(name + ".scale", scale[:, 0])], axis=1)

    def linear(self, x, name):
        product = self.graph.add("MatMul", [x, self.weight(name + ".weight")])
        return self.graph.add("Add", [product, self.graph.constant(name + ".bias", self.state[name + ".bias"])])

    def norm(self, x, name):
        parts = [self.graph.constant(f"{name}.{part}", self.state[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self.graph.add("LayerNormalization", [x, *parts], axis=-1, epsilon=self.shape.epsilon)

    def words(self, ids):
        """The vectors of tokens. A byte holds a number of the first half in its low bits, and one of the second in its high ones."""
        g, half = self.graph, self.shape.hidden // 2
        wholes, scale = integers_of(self.state["words.weight"], WORD_LEVELS)
        low, high = ((wholes[:, at:at + half] + ZERO).astype(np.uint8) for at in (0, half))
        packed = g.add("Gather", [g.constant("words.uint8", low + NIBBLE * high), ids])
        both = g.add("Cast", [packed], to=FLOAT)
        upper = g.add("Floor", [g.add("Mul", [both, g.number(1 / NIBBLE)])])
        lower = g.add("Sub", [both, g.add("Mul", [upper, g.number(float(NIBBLE))])])
        numbers = g.add("Sub", [g.add("Concat", [lower, upper], axis=-1), g.number(float(ZERO))])
        return g.add("Mul", [numbers, g.add("Gather", [g.constant("words.scale", scale), ids])])

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

    def blocks(self, x, ids, mask):
        g = self.graph
        length = g.add("Shape", [ids], start=1, end=2)
        positions = g.add("Slice", [g.constant("positions", self.state["positions.weight"]), g.integers(0), length, g.integers(0)])
        seen = g.add("Unsqueeze", [g.add("Cast", [mask], to=FLOAT), g.integers(1, 2)])
        bias = g.add("Mul", [g.add("Sub", [g.number(1.0), seen]), g.number(MASKED)])
        for i in range(self.shape.layers):
            name = f"blocks.{i}"
            x = g.add("Add", [x, self.attention(x, positions, name, bias)])
            x = g.add("Add", [x, self.linear(self.gelu(self.linear(self.norm(x, f"{name}.norm2"), f"{name}.up")), f"{name}.down")])
        return x

    def build(self):
        """The bytes of the file."""
        g, s = self.graph, self.shape
        ids = g.input("input_ids", INT64, ["batch_size", "sequence_length"])
        mask = g.input("attention_mask", INT64, ["batch_size", "sequence_length"])
        x = self.words(ids)
        if s.layers:
            x = self.blocks(x, ids, mask)
        g.add("Identity", [x], "last_hidden_state")
        g.output("last_hidden_state", FLOAT, ["batch_size", "sequence_length", s.hidden])
        if self.dense is not None:
            self.sentence(x, mask)
        return g.model()

    def sentence(self, x, mask):
        """The mean of the tokens through a linear layer, with a length of one."""
        g = self.graph
        seen = g.add("Unsqueeze", [g.add("Cast", [mask], to=FLOAT), g.integers(2)])
        total = g.add("ReduceSum", [g.add("Mul", [x, seen]), g.integers(1)], keepdims=0)
        mean = g.add("Div", [total, g.add("ReduceSum", [seen, g.integers(1)], keepdims=0)])
        g.add("LpNormalization", [g.add("MatMul", [mean, g.constant("dense", self.dense)])], "sentence_embedding", axis=-1, p=2)
        g.output("sentence_embedding", FLOAT, ["batch_size", self.dense.shape[1]])
