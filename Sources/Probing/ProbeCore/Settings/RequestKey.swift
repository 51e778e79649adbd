/// A key of `request` in a pipeline file: its name, the type of its value, and what it sets.
///
/// Each transport lists the keys it supports (``ProbeTransport/requestKeys(for:)``). Make a custom key from a
/// `Decodable` type, preferably one that declares its schema (``SchemaProviding``), as text, numbers and
/// durations do:
/// ```swift
/// RequestKey("greeting", String.self, summary: "what to say first") { text throws(InvalidInput) in
///   RequestSetting { request, _ in request[Greeting.self] = Greeting(text) }
/// }
/// ```
public struct RequestKey: Sendable {
  /// The name of the key in a file.
  public let name: String
  /// What the key sets, in one line without a final full stop, for authors of pipeline files.
  public let summary: String
  /// The default value, in words, or nil.
  public let defaultValue: String?
  /// The type that its value is decoded as.
  public let valueType: any (Decodable & Sendable).Type
  /// The schema of its value.
  public let schema: ValueSchema
  private let make: @Sendable (any Sendable) throws -> RequestSetting

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - name: The name of the key in a file.
  ///   - type: The type that its value is decoded as.
  ///   - schema: The schema of its value; nil for the one that the type declares.
  ///   - defaultValue: The default value, in words, for the reference.
  ///   - summary: What the key sets, in one line without a final full stop.
  ///   - make: Makes a setting from a value; throws ``InvalidInput`` for a value that is not valid.
  public init<Value: Decodable & Sendable>(
    _ name: String, _ type: Value.Type, as schema: ValueSchema? = nil,
    default defaultValue: String? = nil, summary: String,
    make: @escaping @Sendable (Value) throws -> RequestSetting
  ) {
    self.name = name
    self.summary = summary
    self.defaultValue = defaultValue
    valueType = type
    self.schema = schema ?? ValueSchema(of: type)
    self.make = { value in
      guard let value = value as? Value else { throw InvalidInput("\(name) has a value of another type") }
      return try make(value)
    }
  }

  /// Makes the setting for a value of ``valueType``.
  ///
  /// - Throws: ``InvalidInput`` for a value that is not valid.
  public func setting(of value: any Sendable) throws -> RequestSetting {
    try make(value)
  }
}

/// A change to a request, made by one key of `request` in a pipeline.
public struct RequestSetting: Sendable {
  /// The key it was read from, or nil if it was made in code.
  public var key: String?
  private let change: @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void

  /// Creates a setting.
  ///
  /// - Parameter change: Changes the request; throws if that fails in the context, for example because a
  ///   secret cannot be read.
  public init(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    self.change = change
  }

  /// Applies the setting to a request.
  ///
  /// - Throws: ``InvalidInput`` if that fails in the context.
  public func apply(to request: inout ProbeRequest, in context: RequestContext) throws(InvalidInput) {
    try change(&request, context)
  }
}
