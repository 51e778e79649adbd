/// A setting of requests, declared once: a key of `request` in a pipeline file, the options of the command line for it,
/// and what it sets.
///
/// Each transport lists the keys it supports (``ProbeTransport/requestKeys(for:)``). The pipeline language, the JSON
/// Schema, the options with their help, the manual, the completion and the reference pages come from them. Make a custom
/// key from a `Decodable` type, preferably one that declares its schema (``SchemaProviding``), as text, numbers and
/// durations do:
/// ```swift
/// RequestKey("greeting", String.self, summary: "what to say first") { text throws(InvalidInput) in
///   RequestSetting { request, _ in request[Greeting.self] = Greeting(text) }
/// }.option(RequestOption("--greeting", value: "TEXT"))
/// ```
public struct RequestKey: Sendable, Changeable {
  /// The name of the key in a file.
  public let name: String
  /// What the key sets, in one sentence without a final full stop, for authors of pipeline files.
  public let summary: String
  /// The default value, in words, or nil.
  public let defaultValue: String?
  /// The type that its value is decoded as.
  public let valueType: any (Decodable & Sendable).Type
  /// The schema of its value.
  public let schema: ValueSchema
  /// The options of the command line that give its value.
  public private(set) var options: [RequestOption] = []
  /// Whether files have the key; otherwise only options set its value.
  package private(set) var isInFiles = true
  /// Whether the value is about this machine and its network, so that it is not kept with a recording.
  package private(set) var isLocal = false
  /// Further sentences about the value, for the manual and the reference, or nil.
  public private(set) var details: String?
  /// An example of the value in a file, such as `{ initial: 1s, maximum: 10s }`, or nil.
  public private(set) var example: String?
  /// What of the value errors and explanations do not show.
  public private(set) var secrecy: Secrecy
  /// Whether a value adds to the default instead of replacing it.
  package private(set) var extendsDefault = false
  /// Where a value of the key in a file can have variables.
  package private(set) var variables = VariableUse.none
  private let make: @Sendable (any Sendable) throws -> RequestSetting
  /// Whether options that add to the value of a file come before it.
  package private(set) var additionsPrecede = false
  /// Whether options add to the value of a file.
  package var addsOptions: Bool { makeAddition != nil }
  /// Makes the setting of an option that adds to the value of a file; nil if it replaces the value.
  private var makeAddition: (@Sendable (any Sendable) throws -> RequestSetting)?

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - name: The name of the key in a file.
  ///   - type: The type that its value is decoded as.
  ///   - schema: The schema of its value; nil for the one that the type declares.
  ///   - defaultValue: The default value, in words, for the reference.
  ///   - summary: What the key sets, in one sentence without a final full stop.
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
    secrecy = self.schema.isSecret || type == SecretSource.self ? .value : .parts
    self.make = Self.erasing(make)
  }

  /// Creates a key that sets a property of the request.
  ///
  /// - Parameters:
  ///   - name: The name of the key in a file.
  ///   - path: The property.
  ///   - schema: The schema of the value; nil for the one that its type declares.
  ///   - defaultValue: The default value, in words, for the reference.
  ///   - summary: What the key sets, in one sentence without a final full stop.
  package init<Value: Decodable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<ProbeRequest, Value> & Sendable,
    as schema: ValueSchema? = nil, default defaultValue: String? = nil, summary: String
  ) {
    self.init(name, path, as: schema, default: defaultValue, summary: summary) { (value: Value) in value }
  }

  /// Creates a key that sets a property of the request to what is made of a value.
  ///
  /// - Parameters:
  ///   - name: The name of the key in a file.
  ///   - path: The property.
  ///   - schema: The schema of the value; nil for the one that its type declares.
  ///   - defaultValue: The default value, in words, for the reference.
  ///   - summary: What the key sets, in one sentence without a final full stop.
  ///   - make: Makes the property from a value; throws ``InvalidInput`` for a value that is not valid.
  package init<Written: Decodable & Sendable, Value: Sendable>(
    _ name: String, _ path: any WritableKeyPath<ProbeRequest, Value> & Sendable,
    as schema: ValueSchema? = nil, default defaultValue: String? = nil, summary: String,
    make: @escaping @Sendable (Written) throws -> Value
  ) {
    self.init(name, Written.self, as: schema, default: defaultValue, summary: summary) { written in
      let value = try make(written)
      return RequestSetting { request, _ in request[keyPath: path] = value }
    }
  }

  /// Creates a key that sets a property of the request, whose default is that of a new request.
  ///
  /// - Parameters:
  ///   - name: The name of the key in a file.
  ///   - path: The property.
  ///   - bounds: The permitted values.
  ///   - summary: What the key sets, in one sentence without a final full stop.
  package init<Value: BoundedValue>(
    _ name: String, _ path: any WritableKeyPath<ProbeRequest, Value> & Sendable,
    in bounds: ClosedRange<Value>, summary: String
  ) {
    self.init(
      name, path, as: Value.schema(in: bounds), default: ProbeRequest.standard[keyPath: path].text,
      summary: summary
    ) { (value: Value) in
      try value.check(in: bounds)
      return value
    }
  }

  /// Makes the setting for a value of ``valueType``.
  ///
  /// - Throws: ``InvalidInput`` for a value that is not valid.
  public func setting(of value: any Sendable) throws -> RequestSetting {
    try make(value).with(\.key, name)
  }

  /// Makes the setting for a value that options give.
  ///
  /// - Throws: ``InvalidInput`` for a value that is not valid.
  package func setting(ofOptions value: any Sendable) throws -> RequestSetting {
    let made = try (makeAddition ?? make)(value)
    let setting = RequestSetting { request, context throws(InvalidInput) in
      try made.apply(to: &request, in: context.ofCommandLine)
    }
    return setting.with(\.key, name).with(\.isAddition, makeAddition != nil)
  }

  /// The value that a file would have instead of the text of an option; for a secret, by default its source.
  ///
  /// - Throws: ``InvalidInput`` for a text that the option refuses.
  package func value(of text: String, by option: RequestOption) throws(InvalidInput) -> WrittenValue {
    if let written = option.written { return try written(text) }
    let isSource = schema.isSecret || valueType == SecretSource.self || valueType == SecretSource?.self
    return isSource ? try SecretArgument.source(text[...]) : .text(text)
  }

  /// The same key with an option of the command line for it.
  public func option(_ option: RequestOption) -> RequestKey { with(\.options, options + [option]) }

  /// The same key, whose options add to the value of a file instead of replacing it.
  ///
  /// - Parameters:
  ///   - isFirst: Whether they come before the value of a file, the first option first.
  ///   - make: Makes the setting of one option.
  /// - Returns: The key.
  func addingOptions<Value: Sendable>(
    first isFirst: Bool = false, _ make: @escaping @Sendable (Value) throws -> RequestSetting
  ) -> RequestKey {
    with(\.makeAddition, Self.erasing(make)).with(\.additionsPrecede, isFirst)
  }

  /// The same key for options alone.
  var notInFiles: RequestKey { with(\.isInFiles, false) }

  /// The same key, whose value is about this machine and its network.
  var local: RequestKey { with(\.isLocal, true) }

  /// The same key with further sentences about it, for the manual and the reference.
  ///
  /// - Parameters:
  ///   - details: Whole sentences; nil for none.
  ///   - example: A value as a file has it, on one line; nil for none.
  /// - Returns: The key.
  public func explained(_ details: String? = nil, example: String? = nil) -> RequestKey {
    with(\.details, details).with(\.example, example)
  }

  /// The same key with another secrecy of its value.
  public func secrecy(_ secrecy: Secrecy) -> RequestKey { with(\.secrecy, secrecy) }

  /// The same key, whose value adds to the default.
  var extendingDefault: RequestKey { with(\.extendsDefault, true) }

  /// The same key, whose values in a file can have variables.
  package func variables(_ use: VariableUse) -> RequestKey { with(\.variables, use) }

  private static func erasing<Value: Sendable>(
    _ make: @escaping @Sendable (Value) throws -> RequestSetting
  ) -> @Sendable (any Sendable) throws -> RequestSetting {
    { value in
      guard let value = value as? Value else { throw InvalidInput("the value has another type") }
      return try make(value)
    }
  }
}

extension RequestKey {
  /// What of a value errors and explanations do not show.
  ///
  /// Reports redact every secret that a setting reads, whatever its secrecy; see ``RequestContext/secret(_:)``.
  public enum Secrecy: Hashable, Sendable {
    /// The parts whose type is ``SecretSource``.
    case parts
    /// The whole value.
    case value
    /// Of names that the author chose, the values of those that suggest a secret, such as `X-Api-Key`.
    case names
    /// A text that is sent: explanations show its size, and errors do not quote it if it has a word such as `password`
    /// in it.
    ///
    /// A list is a dialog: explanations show the number of its steps, and errors quote it.
    case content
  }

  /// The summary, the details and the example in one text, for the reference and for editors.
  ///
  /// - Parameter schemes: The schemes that have the key, or nil.
  /// - Returns: The text, without a final full stop.
  package func description(for schemes: String? = nil) -> String {
    let summary = summary + (schemes.map { " (\($0))" } ?? "")
    let example = example.map { "Example: \(name): \($0)" }
    let rest = [details, example].compactMap(\.self)
    let text = rest.isEmpty ? summary : ([summary + "."] + rest).joined(separator: " ")
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

/// Where a value in a pipeline file can have variables, as in `${vars.NAME}`.
package enum VariableUse: Sendable {
  /// Nowhere: a variable is an error.
  case none
  /// In the text that it is.
  case text
  /// In the texts of a mapping.
  case texts
  /// In what a dialog sends and expects.
  case dialog
}

/// A change to a request, made by one key of `request` in a pipeline, by options or in code.
public struct RequestSetting: Sendable, Changeable {
  /// What a person wrote, for reports: on one line, without secrets.
  package struct Source: Sendable {
    /// The value.
    package var value: String
    /// Where it is: `FILE:LINE:COLUMN`, or options.
    package var location: String

    package init(value: String, location: String) { (self.value, self.location) = (value, location) }
  }

  /// The key of the request that it sets, or nil if it was made in code.
  public var key: String?
  /// The option of the command line that gave it; nil for none.
  package var option: String?
  /// Whether it adds to the value of its key, instead of replacing it.
  package var isAddition = false
  /// Finds what a person wrote, which is only needed for reports.
  package var source: (@Sendable () -> Source)?
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

  /// Applies the setting to a request, and adds the secrets that it reads to ``ProbeRequest/otherSecrets``.
  ///
  /// - Throws: ``InvalidInput`` if that fails in the context.
  public func apply(to request: inout ProbeRequest, in context: RequestContext) throws(InvalidInput) {
    let read = Guarded<[Secret]>([])
    try change(&request, context.noting { secret in read.withLock { $0.append(secret) } })
    for secret in read.withLock(\.self)
    where !(request.otherSecrets + request.secretsOfCredentials).contains(secret) {
      request.otherSecrets.append(secret)
    }
  }
}

/// A value with bounds, such as a time or a number of bytes.
package protocol BoundedValue: Comparable, Decodable, Sendable, SchemaProviding {
  /// What it is, in messages; empty for a number.
  static var noun: String { get }
  /// The value as a file has it.
  var text: String { get }
  /// The schema of values within bounds.
  static func schema(in bounds: ClosedRange<Self>) -> ValueSchema
}

extension BoundedValue {
  package static func schema(in bounds: ClosedRange<Self>) -> ValueSchema { schema }

  /// Checks that the value is within bounds.
  ///
  /// - Parameters:
  ///   - bounds: The permitted values.
  ///   - noun: What it is, in messages.
  ///   - settings: The settings of a request that it is the value of.
  /// - Throws: ``InvalidInput`` with the bounds.
  package func check(
    in bounds: ClosedRange<Self>, noun: String = Self.noun, about settings: String...
  ) throws(InvalidInput) {
    guard !bounds.contains(self) else { return }
    throw InvalidInput(
      "\(noun)\(text) is out of bounds",
      remedy: "use one from \(bounds.lowerBound.text) to \(bounds.upperBound.text)"
    ).about(settings)
  }
}

extension Int: BoundedValue {
  package static var noun: String { "" }
  package var text: String { "\(self)" }

  package static func schema(in bounds: ClosedRange<Int>) -> ValueSchema {
    .checkedWhenDecoded(.integer(in: bounds))
  }
}

extension Duration: BoundedValue {
  package static var noun: String { "the time " }
  package var text: String { ValueSyntax.text(of: self) }
}

extension ByteCount: BoundedValue {
  package static var noun: String { "the size " }
  package var text: String { ValueSyntax.text(ofBytes: bytes) }
  /// Compares the numbers.
  public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}

extension Int {
  /// The number as a number of bytes, for the key path of a ``RequestKey``.
  package var asByteCount: ByteCount {
    get { ByteCount(self) }
    set { self = newValue.bytes }
  }
}
