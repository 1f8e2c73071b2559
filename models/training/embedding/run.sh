#!/bin/sh
# Train infetch-tiny-embed, from nothing to the files in ../../tiny-embed.
# usage: sh models/training/embedding/run.sh [steps]
set -eu
cd "$(dirname "$0")"
STEPS="${1:-10000}"
PYTHON="${PYTHON:-/usr/bin/python3}"
MODEL=../../tiny-embed
CHECKPOINT=checkpoints/tiny-embed.pt
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS="${THREADS:-1}"

mkdir -p checkpoints logs
"$PYTHON" check_data.py
"$PYTHON" train.py --steps "$STEPS" --tokenizer $MODEL/tokenizer.json --out $CHECKPOINT --log logs/training.jsonl
"$PYTHON" export.py --checkpoint $CHECKPOINT --tokenizer $MODEL/tokenizer.json --out $MODEL
"$PYTHON" evaluate.py --checkpoint $CHECKPOINT --tokenizer $MODEL/tokenizer.json --out $MODEL/evaluation.json
"$PYTHON" write_card.py --checkpoint $CHECKPOINT --model $MODEL
