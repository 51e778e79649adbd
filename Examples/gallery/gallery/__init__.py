"""The parts of Examples/gallery/run."""
