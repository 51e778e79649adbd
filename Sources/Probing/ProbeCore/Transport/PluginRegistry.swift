/// The transports of a program, by URL scheme: a value that is passed explicitly, never a global.
public struct TransportRegistry: Sendable {
  private var transports: [URLScheme: (transport: any ProbeTransport, encryption: Encryption)] = [:]

  /// Creates a registry without transports.
  public init() {}

  /// Adds a transport for all of its schemes.
  ///
  /// - Throws: ``InvalidInput`` if one of its schemes already has a transport; nothing is added then.
  public mutating func register(_ transport: any ProbeTransport) throws(InvalidInput) {
    let schemes = transport.schemes
    if let taken = schemes.keys.filter({ transports[$0] != nil }).map(\.name).min() {
      throw InvalidInput(
        "the scheme \(taken) already has a transport", remedy: "register one transport per scheme")
    }
    for (scheme, encryption) in schemes {
      transports[scheme] = (transport, encryption)
    }
  }

  /// A copy of the registry with more transports; one whose scheme already has a transport is left out.
  package func adding(_ others: [any ProbeTransport]) -> TransportRegistry {
    var registry = self
    for transport in others { try? registry.register(transport) }
    return registry
  }

  /// A copy of the registry with a wrapper around every transport; the encryption of each scheme is
  /// unchanged.
  package func wrapping(_ wrap: (any ProbeTransport) -> any ProbeTransport) -> TransportRegistry {
    var registry = self
    registry.transports = transports.mapValues { (wrap($0.transport), $0.encryption) }
    return registry
  }

  /// The schemes that can be probed, in alphabetical order.
  public var schemes: [URLScheme] {
    transports.keys.sorted { $0.name < $1.name }
  }

  /// The schemes that a URL can have, in alphabetical order: all but that of checks, which only reports have.
  package var schemesOfURLs: [URLScheme] { schemes.filter { $0 != .check } }

  /// The request keys of all transports, in the order of their schemes.
  package var requestKeys: [SharedRequestKey] {
    var keys: [SharedRequestKey] = []
    for scheme in schemes {
      for key in self[scheme]?.requestKeys(for: scheme) ?? [] {
        if let index = keys.firstIndex(where: { $0.name == key.name }) {
          keys[index].byScheme[scheme] = key
        } else {
          keys.append(SharedRequestKey(first: key, byScheme: [scheme: key]))
        }
      }
    }
    return keys
  }

  /// The transport for a scheme, and whether the scheme is encrypted.
  func entry(for scheme: URLScheme) -> (transport: any ProbeTransport, encryption: Encryption)? {
    transports[scheme]
  }

  /// The transport for a scheme.
  public subscript(scheme: URLScheme) -> (any ProbeTransport)? {
    transports[scheme]?.transport
  }

  /// Whether a scheme is encrypted, or nil if no transport supports it.
  public func encryption(of scheme: URLScheme) -> Encryption? {
    transports[scheme]?.encryption
  }
}

/// A request key of one or more schemes.
package struct SharedRequestKey: Sendable {
  /// The definition for the first scheme, which describes the key.
  package let first: RequestKey
  /// The definition for each scheme that supports the key.
  package fileprivate(set) var byScheme: [URLScheme: RequestKey]
  package var name: String { first.name }
}

/// The validators that a pipeline file can name: a value that is passed explicitly, never a global.
public struct ValidatorRegistry: Sendable {
  /// The keywords that can appear next to validators in a condition of a pipeline file.
  ///
  /// The key `redirect` of a condition is not one of them: besides a kind of redirect, its value can be the
  /// options of the validator with that name.
  package static let wordsOfTheLanguage: Set = ["all", "any", "not", "partial", "reason"]

  private var types: [String: any ConfigurableValidator.Type] = [:]

  /// Creates a registry without validators.
  public init() {}

  /// Adds a validator under its name.
  ///
  /// - Throws: ``InvalidInput`` if the name is already in use, is a keyword of pipeline files, or contains
  ///   anything other than letters and digits.
  public mutating func register(_ type: any ConfigurableValidator.Type) throws(InvalidInput) {
    let name = type.name
    guard let first = name.utf8.first, first.isASCIILetter,
      name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit })
    else {
      throw InvalidInput(
        "\(Excerpt(name)) cannot name a validator", remedy: "use letters and digits, a letter first")
    }
    guard !Self.wordsOfTheLanguage.contains(name) else {
      throw InvalidInput("the validator name \(name) is part of the language of pipeline files")
    }
    guard types[name] == nil else {
      throw InvalidInput("the validator name \(name) is taken", remedy: "give one of the two another name")
    }
    types[name] = type
  }

  /// The names in alphabetical order.
  public var names: [String] { types.keys.sorted() }

  /// The validator type with this name.
  public subscript(name: String) -> (any ConfigurableValidator.Type)? { types[name] }
}

/// The transports and validators that extend a program.
public struct PluginRegistry: Sendable {
  /// The transports, by scheme.
  public var transports = TransportRegistry()
  /// The validators, by name.
  public var validators = ValidatorRegistry()

  /// Creates a registry without plugins.
  public init() {}

  /// Adds a transport; see ``TransportRegistry/register(_:)``.
  ///
  /// - Throws: ``InvalidInput`` if one of its schemes already has a transport.
  public mutating func register(_ transport: any ProbeTransport) throws(InvalidInput) {
    try transports.register(transport)
  }

  /// Adds a validator; see ``ValidatorRegistry/register(_:)``.
  ///
  /// - Throws: ``InvalidInput`` if its name is already in use or not valid.
  public mutating func register(_ validator: any ConfigurableValidator.Type) throws(InvalidInput) {
    try validators.register(validator)
  }
}
