#!/bin/sh
# The short way to an agent: finds ctx, hands over to `ctx agent`. Nothing else happens here.
#   agent.sh AGENT            chat            agent.sh --watch AGENT    watch its terminal
#   agent.sh AGENT INPUT...   send one input  agent.sh --attach AGENT   join its terminal
case ${1-} in
  -h | --help) exec sed -n 's/^#   //p' "$0" ;;
  --watch | --attach) : "${2:?usage: agent.sh $1 AGENT}" ;;
  '' | -*) echo 'usage: agent.sh [--watch|--attach] AGENT [INPUT...]' >&2; exit 2 ;;
esac
here=$(dirname -- "$(readlink -f -- "$0")")
ctx=$here/dist/bin/ctx
[ -x "$ctx" ] || ctx=$(command -v ctx) || { echo "agent.sh: ctx: not found; run npm start in $here first" >&2; exit 69; }
case $1 in
  --*) exec "$ctx" agent "${1#--}" "$2" --session default ;;
esac
agent=$1
shift
[ "$#" -eq 0 ] && exec "$ctx" agent chat "$agent" --session default
exec "$ctx" agent send "$agent" --session default -- "$@"
