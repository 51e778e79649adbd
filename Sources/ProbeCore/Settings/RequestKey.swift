/// A key of `request` in a pipeline file: its name, how its value is written, and what it sets.
///
/// Each transport says which keys it knows (``ProbeTransport/requestKeys(for:)``); one of its own is made of a `Decodable`
/// type, best of one that declares its schema (``SchemaProviding``), as texts, numbers and times do:
/// ```swift
/// RequestKey("greeting", String.self, summary: "what to say first") { text throws(InvalidInput) in
///   RequestSetting { request, _ in request[Greeting.self] = Greeting(text) }
/// }
/// ```
public struct RequestKey: Sendable {
  /// The key in a file.
  public let name: String
  /// What it sets, without a final stop, for those who write the file.
  public let summary: String
  /// What holds without it, in words, or nil.
  public let defaultValue: String?
  /// How its value is written: a type that is decoded from the file.
  public let valueType: any (Decodable & Sendable).Type
  /// What its value may look like.
  public let schema: ValueSchema
  private let make: @Sendable (any Sendable) throws -> RequestSetting

  /// A key.
  ///
  /// - Parameters:
  ///   - name: The key in a file.
  ///   - type: How its value is written.
  ///   - schema: What its value may look like; nil for what the type declares.
  ///   - defaultValue: What holds without it, in words, for the reference.
  ///   - summary: What it sets, without a final stop.
  ///   - make: Makes a setting of a value; throws ``InvalidInput`` for one that cannot be used.
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

  /// The setting that a value of ``valueType`` is.
  ///
  /// - Throws: ``InvalidInput`` for a value that cannot be used.
  public func setting(of value: any Sendable) throws -> RequestSetting {
    try make(value)
  }
}
