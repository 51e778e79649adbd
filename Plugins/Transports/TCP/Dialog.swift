public import Validators
public import ProbeCore

/// A dialog over a TCP connection: steps that send data, wait for expected data, and reject other data.
///
/// Set it in a request as `request[Dialog.self] = dialog`; only ``TCPTransport`` uses it. In a file it is a
/// list of steps:
/// ```yaml
/// dialog:
///   - reject: { matches: "(?m)^[45]\\d\\d " }
///   - expect: { matches: "(?m)^220 (?<host>\\S+)", timeout: 2s, maxBytes: 4KiB }
///   - send: "EHLO ${host}\r\n"
///   - expect: "250 "
/// ```
/// The received data is one stream of bytes, independent of how it was split into reads. Each `expect`
/// examines the data after the match of the previous one.
///
/// A ``Step/startTLS`` step continues the dialog inside TLS.
public struct Dialog: Sendable {
  /// The steps, in order.
  public let steps: [Step]
  /// The compiled steps.
  private(set) var script: DialogScript

  /// Creates a dialog, checks its steps, and compiles its patterns.
  ///
  /// - Throws: ``InvalidDialog`` with every problem of the steps.
  public init(_ steps: [Step]) throws(InvalidDialog) {
    try self.init(steps, nil)
  }

  /// Creates a dialog that shares compiled patterns with others in the same file.
  init(_ steps: [Step], _ parts: CompiledParts?) throws(InvalidDialog) {
    script = try DialogScript(steps, parts)
    self.steps = steps
  }
}

extension Dialog {
  /// The dialog with the secrets that its steps send.
  ///
  /// - Parameters:
  ///   - context: The context for reading the secrets; their files must be below its folder.
  ///   - secrets: Receives the secrets; add them to `ProbeRequest.otherSecrets`.
  /// - Returns: The dialog.
  /// - Throws: `InvalidInput` naming the step and the source of a secret that cannot be read.
  public func readingSecrets(
    in context: RequestContext, adding secrets: inout [Secret]
  ) throws(InvalidInput) -> Dialog {
    var dialog = self
    try dialog.script.readSecrets(of: steps, in: context, adding: &secrets)
    return dialog
  }
}

extension Dialog: Compiled {
  package var compiledSize: Int { script.compiledSize }
}

extension Dialog: Hashable {
  /// Two dialogs are equal if their steps are.
  public static func == (left: Dialog, right: Dialog) -> Bool {
    left.steps == right.steps
  }

  /// Hashes the steps.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(steps)
  }
}

extension Dialog {
  /// One step of a dialog.
  public struct Step: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case send(String)
      case sendSecret(SecretSource)
      case sendHex(String)
      case expect(Sought, timeout: Duration?, maxBytes: Int?)
      case reject(Sought)
      case startTLS

      /// Whether the step sends a secret, which must not be sent before ``startTLS``.
      var sendsSecret: Bool {
        switch self {
        case .sendSecret: true
        case .send, .sendHex, .expect, .reject, .startTLS: false
        }
      }
    }

    let kind: Kind

    /// Sends a text as UTF-8.
    ///
    /// `\r`, `\n`, `\t`, `\0`, `\\`, `\xNN` (a byte) and `\u{…}` (a character) are escapes. `${name}` inserts
    /// the bytes that the group with this name matched in an earlier expect step. `$$` is a dollar sign.
    public static func send(_ text: String) -> Step { Step(kind: .send(text)) }

    /// Sends a secret, without escapes; it must be read with ``Dialog/readingSecrets(in:adding:)``.
    public static func send(secret: SecretSource) -> Step { Step(kind: .sendSecret(secret)) }

    /// Sends bytes, given as two hexadecimal digits each, with or without white space between them.
    public static func sendHex(_ digits: String) -> Step { Step(kind: .sendHex(digits)) }

    /// Waits for a match, and consumes all data up to its end; later steps receive the data after it.
    ///
    /// - Parameters:
    ///   - sought: The data to wait for.
    ///   - timeout: The time to wait, from 1 ms to 1 h; nil for the rest of the request's timeout.
    ///   - maxBytes: The number of unread bytes within which the match must be; nil for the request's
    ///     `maxBody`.
    /// - Returns: The step.
    public static func expect(_ sought: Sought, timeout: Duration? = nil, maxBytes: Int? = nil) -> Step {
      Step(kind: .expect(sought, timeout: timeout, maxBytes: maxBytes))
    }

    /// Fails the probe if this data is received while a later step waits for expected data.
    ///
    /// Of this and the expected data, the one that starts earlier in the stream decides; if both start at the
    /// same byte, the probe fails.
    public static func reject(_ sought: Sought) -> Step { Step(kind: .reject(sought)) }

    /// Performs a TLS handshake on a `tcp` connection, and verifies the server's certificate; later steps are
    /// encrypted.
    ///
    /// The probe fails with `tls.injected` if the previous steps have not consumed all received data, because
    /// anyone on the path may have sent it. Therefore, the previous `expect` must match the server's response
    /// to the end.
    public static let startTLS = Step(kind: .startTLS)
  }

  /// The data that a step searches for; a string literal is plain text.
  public struct Sought: Hashable, Sendable, ExpressibleByStringLiteral {
    enum Kind: Hashable, Sendable {
      case text(String, caseless: Bool)
      case hex(String)
      case matches(MatchesValidator.Options)
    }

    let kind: Kind

    /// Text, as UTF-8, without escapes.
    public static func text(_ text: String, caseless: Bool = false) -> Sought {
      Sought(kind: .text(text, caseless: caseless))
    }

    /// Bytes, given as two hexadecimal digits each, with or without white space between them.
    public static func hex(_ digits: String) -> Sought { Sought(kind: .hex(digits)) }

    /// The match of a PCRE2 pattern; `^` matches at the first byte that no earlier expect step has consumed.
    ///
    /// A match that reaches the end of the received data, as with `.*` or `$`, waits until more data arrives
    /// or the step ends. The text of named groups can be inserted into later sends, and is part of the
    /// report.
    public static func matches(_ pattern: String, options: [MatchesValidator.Option] = []) -> Sought {
      Sought(kind: .matches(MatchesValidator.Options(pattern: pattern, options: options)))
    }

    init(kind: Kind) {
      self.kind = kind
    }

    /// Creates plain text.
    public init(stringLiteral text: String) {
      self.init(kind: .text(text, caseless: false))
    }
  }
}
