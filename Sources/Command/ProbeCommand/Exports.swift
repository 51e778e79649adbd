// The outputs, inputs and exit codes of a command are part of its interface.
@_exported public import CommandKit
@_exported public import ProbeSystem
