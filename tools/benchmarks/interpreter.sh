#!/bin/bash
# Measures the interpreter against compiled verifiers: rules a second on five models, and the time from the command
# to the first counterexample. Prints two tables in Markdown.
#
#   cargo build --release -p mcc-murphi && tools/benchmarks/interpreter.sh [mcc]
#
# Rules a second are of processor time, which a busy machine leaves nearly alone; times to the counterexample are
# of the clock. Each run is done three times and the best one counts, but for builds with an empty cache.
set -euo pipefail
cd "$(dirname "$0")/../.."
mcc=${1:-target/release/mcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MCC_CACHE=$work/cache
TIMEFORMAT='%U %S %R'

# The best of so many runs: user and system time together, or the clock.
best() { # runs field command...
    local runs=$1 field=$2; shift 2
    for _ in $(seq "$runs"); do
        { time "$@" >"$work/out" 2>"$work/err" || true; } 2>&1
    done | awk -v field="$field" '{ t = field == "cpu" ? $1 + $2 : $3 } NR == 1 || t < b { b = t } END { printf "%.3f", b }'
}

rules() { sed -n 's/^ *"rules": \([0-9]*\),*$/\1/p' "$work/out" | head -1; }

echo "| model | rules | interpreted | compiled | times |"
echo "|---|---|---|---|---|"
for model in german msi_directory needham_schroeder_lowe paxos peterson; do
    source=models/$model.m
    # The interpreter is stopped after so many states, the verifier goes on to where it has something to measure.
    slow=$(best 3 cpu "$mcc" --interpret "$source" -- -ndl --quiet --json - --max-states 40000)
    slow_rules=$(rules)
    "$mcc" "$source" -o "$work/$model" >/dev/null 2>&1
    fast=$(best 3 cpu "$work/$model" -ndl --quiet --json - --max-states 4000000)
    fast_rules=$(rules)
    awk -v model="$model" -v slow="$slow" -v a="$slow_rules" -v fast="$fast" -v b="$fast_rules" 'BEGIN {
        if (fast < 0.001) fast = 0.001
        printf "| %s | %d / %d | %.0f /s | %.0f /s | %.0f |\n", model, a, b, a / slow, b / fast, (b / fast) / (a / slow) }'
done

echo
echo "| first counterexample | \`--interpret\` | \`--run\`, built before | \`--run\`, runtime built before | \`--run\`, empty cache |"
echo "|---|---|---|---|---|"
for source in models/broken/invariant_needham_schroeder.m ${THOUSAND:-target/tmp/first-answer/thousand.m}; do
    [ -f "$source" ] || { echo "$source is missing: run the test first_answer first" >&2; continue; }
    at_once=$(best 3 clock "$mcc" --interpret "$source")
    rm -rf "$MCC_CACHE"
    cold=$(best 1 clock "$mcc" --run "$source")
    again=$(best 3 clock "$mcc" --run "$source")
    { cat "$source"; echo; } >"$work/changed.m"
    warm=$(best 1 clock "$mcc" --run "$work/changed.m")
    echo "| $(basename "$source") | $at_once s | $again s | $warm s | $cold s |"
done
