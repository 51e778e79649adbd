// A single import for common use: a pipeline, the bundled plugins, the verdict and its reports.
@_exported public import BundledPlugins
@_exported public import ConnectionValidators
@_exported public import DNSTransport
@_exported public import DNSValidators
@_exported public import EngineProfiles
@_exported public import HTTPValidators
@_exported public import ICMPTransport
@_exported public import JSONValidator
@_exported public import PCRE2Validator
@_exported public import PortalAnalysis
@_exported public import ProbeCore
@_exported public import ProbePipeline
@_exported public import ProbeReporting
@_exported public import SourceDocuments
@_exported public import StringValidators
@_exported public import TCPTransport
