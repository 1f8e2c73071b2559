#!/bin/sh
# Train infetch-tiny-vision, from nothing to the files of ../../tiny-vision (the shipped weights: see README.md).
# usage: sh models/training/vision/run.sh [steps [of them, for the vision encoder alone [further steps, of hard questions]]]
set -eu
cd "$(dirname "$0")"
STEPS="${1:-8000}"
ENCODER_STEPS="${2:-3000}"
HARD_STEPS="${3:-7000}"
PYTHON="${PYTHON:-/usr/bin/python3}"
MODEL=../../tiny-vision
ARCHITECTURE="--architecture $MODEL/architecture.json"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS="${THREADS:-1}"

mkdir -p checkpoints logs
"$PYTHON" vocabulary.py --out $MODEL
"$PYTHON" build_evaluation.py --out $MODEL/evaluation.json
rm -f logs/training.jsonl
# shellcheck disable=SC2086
train() { "$PYTHON" train.py $ARCHITECTURE --encoder-steps "$ENCODER_STEPS" --out checkpoints/tiny-vision.pt --log logs/training.jsonl "$@"; }
train --steps "$STEPS"
train --steps "$((STEPS + HARD_STEPS))" --hard --questions 8 --resume
# shellcheck disable=SC2086
"$PYTHON" export.py $ARCHITECTURE --checkpoint checkpoints/tiny-vision.pt --out $MODEL
# shellcheck disable=SC2086
"$PYTHON" evaluate.py $ARCHITECTURE --checkpoint checkpoints/tiny-vision.pt --out logs/evaluation-report.json
# shellcheck disable=SC2086
"$PYTHON" write_card.py $ARCHITECTURE --report logs/evaluation-report.json --model $MODEL
