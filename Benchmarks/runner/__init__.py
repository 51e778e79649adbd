"""Measures ProbeKit beside its yardsticks; `Benchmarks/run` is the command."""
