// The bytes of ASCII belong to what every module that reads bytes imports.
@_exported import ProbeASCII
