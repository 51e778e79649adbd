public import PCRE2Validator
internal import ProbeCore

/// A dialog over a TCP connection: steps that send, wait for what is expected, and say what must not come.
///
/// Put one into a request as `request[Dialog.self] = dialog`; only ``TCPTransport`` takes notice. In a file it is a
/// list of steps:
/// ```yaml
/// dialog:
///   - reject: { matches: "(?m)^[45]\\d\\d " }
///   - expect: { matches: "(?m)^220 (?<host>\\S+)", timeout: 2s, maxBytes: 4KiB }
///   - send: "EHLO ${host}\r\n"
///   - expect: "250 "
/// ```
/// What is received is one stream of bytes: where it was cut into reads plays no part. Each `expect` looks at what
/// came behind the match of the one before it.
public struct Dialog: Sendable {
  /// The steps, in their order.
  public let steps: [Step]
  /// The same, ready to be carried out.
  let script: DialogScript

  /// A dialog, checked; patterns are compiled here, once.
  ///
  /// - Throws: ``InvalidDialog`` with everything that is wrong with the steps.
  public init(_ steps: [Step]) throws(InvalidDialog) {
    try self.init(steps, nil)
  }

  /// A dialog that shares compiled patterns with others of its file.
  init(_ steps: [Step], _ parts: CompiledParts?) throws(InvalidDialog) {
    script = try DialogScript(steps, parts)
    self.steps = steps
  }
}

extension Dialog: Compiled {
  package var compiledSize: Int { script.compiledSize }
}

extension Dialog: Hashable {
  /// Two dialogs are equal when their steps are.
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
      case sendHex(String)
      case expect(Sought, timeout: Duration?, maxBytes: Int?)
      case reject(Sought)
    }

    let kind: Kind

    /// Sends a text as UTF-8.
    ///
    /// `\r`, `\n`, `\t`, `\0`, `\\`, `\xNN` (a byte) and `\u{…}` (a character) are escapes; `${name}` inserts, byte by
    /// byte, what the group of this name in an earlier expect matched; `$$` is a dollar.
    public static func send(_ text: String) -> Step { Step(kind: .send(text)) }

    /// Sends bytes: two hexadecimal digits each, with or without white space between them.
    public static func sendHex(_ digits: String) -> Step { Step(kind: .sendHex(digits)) }

    /// Waits until this comes; all up to its end is then behind the dialog, and what follows is left for later steps.
    ///
    /// - Parameters:
    ///   - sought: What to wait for.
    ///   - timeout: The time to wait, from 1 ms to 1 h; nil for what is left of the request's.
    ///   - maxBytes: Within how many unread bytes it must come; nil for the request's `maxBody`.
    /// - Returns: The step.
    public static func expect(_ sought: Sought, timeout: Duration? = nil, maxBytes: Int? = nil) -> Step {
      Step(kind: .expect(sought, timeout: timeout, maxBytes: maxBytes))
    }

    /// Fails the probe when this comes while any later step expects something.
    ///
    /// What starts earlier in the stream decides, and the reject where both start at the same byte.
    public static func reject(_ sought: Sought) -> Step { Step(kind: .reject(sought)) }
  }

  /// What a step looks for in the bytes received; a text where a literal stands.
  public struct Sought: Hashable, Sendable, ExpressibleByStringLiteral {
    enum Kind: Hashable, Sendable {
      case text(String, caseless: Bool)
      case hex(String)
      case matches(MatchesValidator.Options)
    }

    let kind: Kind

    /// A text, as UTF-8, without escapes of its own.
    public static func text(_ text: String, caseless: Bool = false) -> Sought {
      Sought(kind: .text(text, caseless: caseless))
    }

    /// Bytes: two hexadecimal digits each, with or without white space between them.
    public static func hex(_ digits: String) -> Sought { Sought(kind: .hex(digits)) }

    /// What a PCRE2 pattern matches; `^` is the first byte that no earlier expect has taken.
    ///
    /// A match that reaches for the end of what has come, as with `.*` or `$`, waits until something stands behind it
    /// or the step ends. What the named groups match can be inserted into later sends, and is part of the report.
    public static func matches(_ pattern: String, options: [MatchesValidator.Option] = []) -> Sought {
      Sought(kind: .matches(MatchesValidator.Options(pattern: pattern, options: options)))
    }

    init(kind: Kind) {
      self.kind = kind
    }

    /// A text.
    public init(stringLiteral text: String) {
      self.init(kind: .text(text, caseless: false))
    }
  }
}
