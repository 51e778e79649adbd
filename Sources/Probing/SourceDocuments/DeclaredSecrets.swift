package import ProbeCore

/// The keys whose values are declared to be secrets, by name, in addition to those whose names suggest it.
///
/// They come from the declarations of request keys and of options: from the secrecy of a ``RequestKey`` and from
/// values of the type `SecretSource`.
package struct DeclaredSecrets: Sendable {
  private var contexts: [String: SecretContext] = [:]

  /// Creates a set of keys.
  ///
  /// - Parameters:
  ///   - requestKeys: Request keys, with the keys inside of their values.
  ///   - schema: A schema whose keys count, too.
  package init(_ requestKeys: [RequestKey] = [], in schema: ValueSchema = .anything) {
    for key in requestKeys {
      let context = [RequestKey.Secrecy.names: SecretContext.fields, .content: .content][key.secrecy]
      contexts[key.name] = context ?? contexts[key.name]
    }
    let values = requestKeys.filter { $0.secrecy == .value || $0.schema.isSecret }.map(\.name)
    self = adding(requestKeys.reduce(schema.secretKeys.union(values)) { $0.union($1.schema.secretKeys) })
  }

  /// These keys and others whose values are secrets.
  func adding(_ keys: Set<String>) -> DeclaredSecrets {
    var all = self
    for key in keys { all.contexts[key] = .secret }
    return all
  }

  /// The context of the value of a key.
  func context(of key: String, in outside: SecretContext) -> SecretContext {
    let context = outside.entering(key)
    return context == .ordinary || include(key) ? contexts[key] ?? context : context
  }

  /// Whether the value of a key is declared to be a secret.
  func include(_ key: some StringProtocol) -> Bool { contexts[String(key)] == .secret }

  /// Whether the value of a key is content with a secret in it, as far as its text is known.
  func includeContent(_ key: String, _ text: ArraySlice<UInt8>) -> Bool {
    contexts[key] == .content && SecretContext.content.isSecret(String(decoding: text, as: UTF8.self), self)
  }
}
