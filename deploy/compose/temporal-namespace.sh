#!/bin/sh
# Makes the namespace of Holdpoint, unless it is there. Temporal keeps the history of what has ended for 30 days.
set -eu
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 30d
