#!/bin/sh
# Train infetch-tiny again, from nothing to the files in ../tiny-chat.
# usage: sh models/training/run.sh [steps] [weights]     (default 24000; about 2,000 tokens each)
# weights: a folder of shipped files to begin with, ../tiny-chat for instance. They copy already, so that this phase is passed over; lower
# learning rates keep what they know.
set -eu
cd "$(dirname "$0")"
STEPS="${1:-24000}"
WEIGHTS="${2:-}"
PYTHON="${PYTHON:-/usr/bin/python3}"
MODEL=../tiny-chat
COMMON="--architecture $MODEL/architecture.json --tokenizer $MODEL/tokenizer.json"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

mkdir -p checkpoints logs
if [ -n "$WEIGHTS" ]; then
  START="--weights $WEIGHTS --mixture-from 0.5 --lr 2e-3 --adam-lr 1e-3"
else
  START=""
  # The vocabulary stays: another one changes the tokens of every prompt. Delete the file to build it again.
  [ -f $MODEL/tokenizer.json ] || "$PYTHON" build_tokenizer.py --architecture $MODEL/architecture.json --out $MODEL/tokenizer.json
fi
"$PYTHON" build_evaluation.py --out $MODEL/evaluation.json
rm -f logs/training.jsonl
# shellcheck disable=SC2086
"$PYTHON" train.py $COMMON $START --steps "$STEPS" --tokens 2048 --long-share 0.05 0.12 \
  --dev-every 3000 --out checkpoints/tiny-chat.pt --log logs/training.jsonl
# shellcheck disable=SC2086
"$PYTHON" export.py $COMMON --checkpoint checkpoints/tiny-chat.pt --out $MODEL
# shellcheck disable=SC2086
"$PYTHON" evaluate.py $COMMON --checkpoint checkpoints/tiny-chat.pt --prompts $MODEL/evaluation.json --out logs/evaluation-report.json
"$PYTHON" blind.py --model $MODEL --out logs/blind-report.json
"$PYTHON" write_card.py --architecture $MODEL/architecture.json --report logs/evaluation-report.json --blind logs/blind-report.json --limits limits.md --model $MODEL
