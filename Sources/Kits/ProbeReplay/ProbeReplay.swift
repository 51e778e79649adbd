// Replay and capture: networks as fixtures, for tests and for trying out.
@_exported public import FixtureCapture
@_exported public import FixtureReplay
