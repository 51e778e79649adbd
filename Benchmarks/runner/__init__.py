"""Measures ProbeKit and its yardsticks; `Benchmarks/run` is the command."""
