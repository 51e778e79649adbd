// A single import for common use: a pipeline, the bundled plugins, the verdict and its reports.
@_exported public import BundledPlugins
@_exported public import Validators
@_exported public import Transports
@_exported public import EngineProfiles
@_exported public import PortalAnalysis
@_exported public import ProbeCore
@_exported public import ProbePipeline
@_exported public import ProbeReporting
@_exported public import SourceDocuments
