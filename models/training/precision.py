"""The number format of training's matrix products: bfloat16 where the CPU multiplies it, else float32, which is 25 times faster there."""
import torch


def multiplies_bfloat16():
    """Has this CPU AVX512-BF16? Not known, and so no, outside of Linux."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return "avx512_bf16" in file.read()
    except OSError:
        return False


DTYPE = torch.bfloat16 if multiplies_bfloat16() else torch.float32


def autocast():
    """Matrix products inside it are computed in `DTYPE`."""
    return torch.autocast("cpu", torch.bfloat16, enabled=DTYPE is torch.bfloat16)
