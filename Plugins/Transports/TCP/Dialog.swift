public import ProbeCore
public import Validators

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
  package func readingSecrets(
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
      case expect(SearchTerm, timeout: Duration?, maxBytes: Int?)
      case reject(SearchTerm)
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

    /// Sends a secret, without escapes; it is read before the dialog starts.
    public static func send(secret: SecretSource) -> Step { Step(kind: .sendSecret(secret)) }

    /// Sends bytes, given as two hexadecimal digits each, with or without white space between them.
    public static func sendHex(_ digits: String) -> Step { Step(kind: .sendHex(digits)) }

    /// Waits for a match, and consumes all data up to its end; later steps receive the data after it.
    ///
    /// - Parameters:
    ///   - term: The data to wait for.
    ///   - timeout: The time to wait, from 1 ms to 1 h; nil for the rest of the request's timeout.
    ///   - maxBytes: The number of unread bytes within which the match must be; nil for the request's
    ///     `maxBody`.
    /// - Returns: The step.
    public static func expect(_ term: SearchTerm, timeout: Duration? = nil, maxBytes: Int? = nil) -> Step {
      Step(kind: .expect(term, timeout: timeout, maxBytes: maxBytes))
    }

    /// Fails the probe if this data is received while a later step waits for expected data.
    ///
    /// Of this and the expected data, the one that starts earlier in the stream decides; if both start at the
    /// same byte, the probe fails.
    public static func reject(_ term: SearchTerm) -> Step { Step(kind: .reject(term)) }

    /// Performs a TLS handshake on a `tcp` connection, and verifies the server's certificate; later steps are
    /// encrypted.
    ///
    /// The probe fails with `tls.injected` if the previous steps have not consumed all received data, because
    /// anyone on the path may have sent it. Therefore, the previous `expect` must match the server's response
    /// to the end.
    public static let startTLS = Step(kind: .startTLS)
  }

  /// The data that a step searches for; a string literal is plain text.
  public struct SearchTerm: Hashable, Sendable, ExpressibleByStringLiteral {
    enum Kind: Hashable, Sendable {
      case text(String, caseless: Bool)
      case hex(String)
      case matches(MatchesValidator.Options)
    }

    let kind: Kind

    /// Text, as UTF-8, without escapes.
    public static func text(_ text: String, caseless: Bool = false) -> SearchTerm {
      SearchTerm(kind: .text(text, caseless: caseless))
    }

    /// Bytes, given as two hexadecimal digits each, with or without white space between them.
    public static func hex(_ digits: String) -> SearchTerm { SearchTerm(kind: .hex(digits)) }

    /// The match of a PCRE2 pattern; `^` matches at the first byte that no earlier expect step has consumed.
    ///
    /// A match that reaches the end of the received data, as with `.*` or `$`, waits until more data arrives
    /// or the step ends. The text of named groups can be inserted into later sends, and is part of the
    /// report.
    public static func matches(_ pattern: String, options: [MatchesValidator.Option] = []) -> SearchTerm {
      SearchTerm(kind: .matches(MatchesValidator.Options(pattern: pattern, options: options)))
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

extension Dialog: Codable {
  /// Decodes the list of steps in a file.
  ///
  /// - Throws: ``InvalidDialog`` with every problem, or the decoder's own error if the value is not a list.
  public init(from decoder: any Decoder) throws {
    let parts = CompiledParts.key.flatMap { decoder.userInfo[$0] as? CompiledParts }
    var list = try decoder.unkeyedContainer()
    if let problem = DialogLimits.problem(steps: list.count ?? 0) { throw InvalidDialog([problem]) }
    var steps: [Step?] = []
    var problems: [InvalidDialog.Problem] = []
    while !list.isAtEnd {
      let entry = try list.decode(DialogEntry.self)
      steps.append(entry.step)
      problems += entry.problems.map { problem in
        var problem = problem
        problem.step = steps.count
        return problem
      }
    }
    guard problems.isEmpty else {
      throw InvalidDialog((problems + DialogCompiler(steps, parts).problems).inOrderOfSteps)
    }
    try self.init(steps.compactMap(\.self), parts)
  }

  /// Encodes the list of steps, each in its short form if that is sufficient.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for step in steps {
      var entry = list.nestedContainer(keyedBy: OptionKey.self)
      switch step.kind {
      case .send(let text): try entry.encode(text, forKey: "send")
      case .sendSecret(let source): try entry.encode(source, forKey: "send")
      case .sendHex(let digits): try entry.encode(digits, forKey: "sendHex")
      case .expect(let term, let timeout, let maxBytes):
        try term.encode(in: &entry, "expect", timeout: timeout, maxBytes: maxBytes)
      case .reject(let term): try term.encode(in: &entry, "reject")
      case .startTLS: try entry.encode(true, forKey: "starttls")
      }
    }
  }
}

extension Dialog.SearchTerm {
  /// Encodes the value of a step that searches, as in a file.
  fileprivate func encode(
    in step: inout KeyedEncodingContainer<OptionKey>, _ key: OptionKey, timeout: Duration? = nil,
    maxBytes: Int? = nil
  ) throws {
    if case .text(let text, caseless: false) = kind, timeout == nil, maxBytes == nil {
      return try step.encode(text, forKey: key)
    }
    var fields = step.nestedContainer(keyedBy: OptionKey.self, forKey: key)
    switch kind {
    case .text(let text, let caseless):
      try fields.encode(text, forKey: "text")
      if caseless { try fields.encode(true, forKey: "caseless") }
    case .hex(let digits): try fields.encode(digits, forKey: "hex")
    case .matches(let options): try fields.encode(options, forKey: "matches")
    }
    try fields.encodeIfPresent(timeout.map(ValueSyntax.text(of:)), forKey: "timeout")
    try fields.encodeIfPresent(maxBytes, forKey: "maxBytes")
  }
}

extension Dialog: SchemaProviding {
  /// A list of mappings with one key each.
  public static let schema: ValueSchema = {
    let steps: [ValueSchema.Key] = [
      .key(
        "send", .anyOf([.text, SecretSource.schema]), required: true,
        summary:
          "sends a text; \\r, \\n, \\t, \\0, \\\\, \\xNN and \\u{HEX} are escapes, ${name} inserts what a named group of "
          + "an earlier expect matched, $$ is a dollar sign; a secret is sent as it is"
      ),
      .key("sendHex", hex, required: true, summary: "sends bytes, written in hexadecimal"),
      .key("expect", term(limits), required: true, summary: "waits until this is received"),
      .key(
        "reject", term([]), required: true,
        summary: "ends the probe with dialog.rejected if this is received while a later expect waits"),
      .key(
        "starttls", .boolean, required: true,
        summary:
          "true: makes a TLS handshake over tcp and verifies the certificate; later steps are encrypted"),
    ]
    // Steps depend on each other, so errors are found only when all of them are decoded.
    let list = ValueSchema.list(of: .anyOf(steps.map { .mapping([$0]) }), atLeast: 1)
    return .named("dialog", .checkedWhenDecoded(list))
  }()

  private static let hex = ValueSchema.text(
    pattern: #"^\s*([0-9A-Fa-f]\s*){2}([0-9A-Fa-f]\s*)*$"#, examples: ["16 03 01"])

  private static let limits: [ValueSchema.Key] = [
    .key("timeout", .duration, default: "the time limit of the probe", summary: "how long to wait"),
    .key(
      "maxBytes", .byteCount, default: "maxBody of the request",
      summary: "within how many bytes it must be received"),
  ]

  private static func term(_ limits: [ValueSchema.Key]) -> ValueSchema {
    let texts: [ValueSchema.Key] = [
      .key("text", .text, required: true, summary: "the text to look for"),
      .key("caseless", .boolean, default: "false", summary: "whether to ignore case"),
    ]
    let matches = MatchesValidator.Options.schema
    return .anyOf([
      .text,
      .mapping(texts + limits),
      .mapping([.key("hex", hex, required: true, summary: "the bytes to look for")] + limits),
      .mapping([.key("matches", matches, required: true, summary: "the PCRE2 pattern to look for")] + limits),
    ])
  }
}

/// The limits of the steps of a dialog.
enum DialogLimits {
  /// The valid timeouts of a step.
  static let timeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)
  /// The valid sizes of a step, in bytes.
  static let sizes = 1...(1 << 30)
  /// The maximum number of steps in a file; no handwritten dialog has as many.
  static let steps = 1000

  /// The problem with this number of steps, or nil.
  static func problem(steps count: Int) -> InvalidDialog.Problem? {
    guard count > steps else { return nil }
    return InvalidDialog.Problem(
      InvalidInput("the dialog has \(count) steps, more than \(steps)", remedy: "make it shorter"))
  }
}
