// Names of version 0.2, for one version: docs/migration.md lists them.

/// The parts of a response that a validator examines, by its name in version 0.2.
@available(*, deprecated, renamed: "ResponseParts")
public typealias AnswerParts = ResponseParts
