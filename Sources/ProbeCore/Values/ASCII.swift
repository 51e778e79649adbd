// Every module that reads bytes imports this one, and so gets the ASCII helpers too.
@_exported import ProbeASCII
