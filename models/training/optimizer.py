"""Muon for the matrices of the blocks (momentum, orthogonalised by Newton-Schulz), AdamW for the embedding and the norms."""
import torch

import data_parallel
import precision


def orthogonalize(gradient, steps=5):
    """The nearest semi-orthogonal matrix, about: a quintic Newton-Schulz iteration."""
    x = gradient.to(precision.DTYPE)
    flip = x.shape[0] > x.shape[1]
    if flip:
        x = x.T.contiguous()
    x = x / (x.float().norm() + 1e-7).to(x.dtype)
    for _ in range(steps):
        a = x @ x.T
        x = torch.addmm(x, torch.addmm(a, a, a, beta=-4.7750, alpha=2.0315), x, beta=3.4445)
    return (x.T if flip else x).float()


class Muon(torch.optim.Optimizer):
    """Momentum with Nesterov, then an orthogonal update whose size per element is like AdamW's."""

    def __init__(self, parameters, lr, momentum=0.95, weight_decay=0.0):
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        """Each worker orthogonalises its share of the matrices, which is most of the work; all hold the momentum of all. Large matrices are
        dealt first, so that the shares are about equal."""
        rank, count = data_parallel.place()
        for group in self.param_groups:
            parameters, updates = [p for p in group["params"] if p.grad is not None], []
            parameters.sort(key=lambda p: -p.numel())
            for i, p in enumerate(parameters):
                state = self.state[p]
                if "velocity" not in state:
                    state["velocity"] = torch.zeros_like(p)
                velocity = state["velocity"].lerp_(p.grad, 1 - group["momentum"])
                mine = i % count == rank
                updates.append(orthogonalize(p.grad.lerp(velocity, group["momentum"])) if mine else torch.zeros_like(p))
            data_parallel.add(updates)
            for p, update in zip(parameters, updates):
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(update, alpha=-group["lr"] * 0.2 * max(p.shape) ** 0.5)


class Optimizers:
    """Both optimizers behind one interface; the learning rates follow one schedule."""

    def __init__(self, model, lr, weight_decay=0.1):
        matrices = [p for n, p in model.named_parameters() if p.dim() > 1 and "embed" not in n]
        vectors = [p for p in model.parameters() if p.dim() == 1]
        embedding = [model.embed_tokens.weight]
        groups = [{"params": embedding, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]
        self.parts = [torch.optim.AdamW(groups, lr=lr, betas=(0.9, 0.98), foreach=True), Muon(matrices, lr, weight_decay=weight_decay)]

    def set_rate(self, muon_lr, adam_lr):
        for part in self.parts:
            for group in part.param_groups:
                group["lr"] = muon_lr if isinstance(part, Muon) else adam_lr

    def zero(self):
        for part in self.parts:
            part.zero_grad(set_to_none=True)

    def step(self):
        for part in self.parts:
            part.step()
