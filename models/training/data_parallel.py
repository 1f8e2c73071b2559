"""Data-parallel training: processes with one thread each, that hold the same weights and add up their gradients (gloo, over a file)."""
import os
import signal
import sys
import tempfile

import torch
import torch.distributed as distributed
import torch.multiprocessing as multiprocessing


def spawn(run, count, *rest):
    """Call `run(*rest)` in `count` processes; returns when all have, fails with the first that fails. Forwards SIGTERM to them, then exits
    with 143 in place of returning, so that `run.sh` does not export a half-trained model."""
    stopped = []

    def stop(*_):
        stopped.append(True)
        for process in started.processes:
            process.terminate()

    with tempfile.TemporaryDirectory() as folder:
        started = multiprocessing.spawn(begin, (run, count, os.path.join(folder, "rendezvous"), rest), count, join=False)
        signal.signal(signal.SIGTERM, stop)
        while not started.join():
            pass
    if stopped:
        sys.exit(128 + signal.SIGTERM)


def begin(rank, run, count, meeting, rest):
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=count)
    run(*rest)
    distributed.destroy_process_group()


def place():
    """(rank of this process, number of processes): (0, 1) outside of `spawn`."""
    return (distributed.get_rank(), distributed.get_world_size()) if distributed.is_initialized() else (0, 1)


def add(tensors, numbers=()):
    """Replace each tensor by its sum over the processes, in place; returns the sums of `numbers`."""
    flat = torch.cat([*(t.reshape(-1) for t in tensors), torch.tensor([float(n) for n in numbers])])
    if distributed.is_initialized():
        distributed.all_reduce(flat)
    at = 0
    for t in tensors:
        t.copy_(flat[at:at + t.numel()].view_as(t))
        at += t.numel()
    return flat[at:].tolist()
