"""Tests of grow.py; they need PyTorch."""
import unittest

try:
    import torch
except ImportError:
    torch = None

if torch:
    import grow
    from model import Architecture, Llama


def architecture(layers, intermediate):
    return Architecture(16, layers, 4, 2, 4, intermediate, 32, 10000, 1e-5, 64, 16)


@unittest.skipUnless(torch, "PyTorch is not installed")
class Grow(unittest.TestCase):
    def test_a_larger_network_computes_the_same(self):
        torch.manual_seed(26)
        small, ids, positions = Llama(architecture(3, 24)), torch.randint(0, 32, (2, 20)), torch.arange(20)[None].expand(2, 20)
        for layers, intermediate in ((3, 24), (3, 40), (5, 24), (6, 40)):
            large = Llama(architecture(layers, intermediate))
            large.load_state_dict(grow.grown(small.state_dict(), large.arch))
            with torch.no_grad():
                self.assertLess(float((small(ids, positions) - large(ids, positions)).abs().max()), 1e-5)

    def test_new_layers_learn(self):
        torch.manual_seed(26)
        small = Llama(architecture(3, 24))
        large = Llama(architecture(5, 40))
        large.load_state_dict(grow.grown(small.state_dict(), large.arch))
        large(torch.randint(0, 32, (2, 20)), torch.arange(20)[None].expand(2, 20)).square().sum().backward()
        for layer in large.layers:
            self.assertGreater(float(layer.down_proj.weight.grad.abs().min(0).values.max()), 0)

    def test_the_first_and_the_last_layer_stay_so(self):
        self.assertEqual(grow.place(5, 7), [0, 2, 3, 5, 6])
        self.assertEqual(grow.place(5, 5), [0, 1, 2, 3, 4])
        self.assertEqual(grow.place(2, 6), [0, 5])


if __name__ == "__main__":
    unittest.main()
