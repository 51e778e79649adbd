import FixtureCapture
import HTTPValidators
import ProbeCore
import StringValidators

/// A URL of the built-in pipeline, and what its operator answers.
struct BuiltInTarget: Sendable {
  /// What the true answer is.
  enum Answer: Hashable, Sendable {
    /// The body, white space around it aside, is this text.
    case equals(String)
    /// This text stands in the body.
    case contains(String)
    /// The status is this one.
    case status(String)
  }

  /// The set it belongs to.
  let set: String
  /// The URL.
  let url: String
  /// The true answer.
  let answer: Answer

  /// All of them.
  static let all = [
    // Apple's network assistant compares the whole page.
    BuiltInTarget(
      set: "http", url: "http://captive.apple.com/hotspot-detect.html",
      answer: .equals("<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>")),
    // Android, ChromeOS, Chromium.
    BuiltInTarget(
      set: "http", url: "http://connectivitycheck.gstatic.com/generate_204", answer: .status("204")),
    // Firefox's connectivity service.
    BuiltInTarget(
      set: "http", url: "http://detectportal.firefox.com/success.txt", answer: .equals("success")),
    // Windows 10 and 11.
    BuiltInTarget(
      set: "http", url: "http://www.msftconnecttest.com/connecttest.txt",
      answer: .equals("Microsoft Connect Test")),
    BuiltInTarget(set: "https", url: "https://www.google.com/generate_204", answer: .status("204")),
    BuiltInTarget(
      set: "https", url: "https://www.apple.com/library/test/success.html", answer: .contains("Success")),
  ]

  /// The judge of an answer.
  ///
  /// - Throws: What the validators throw; never for the targets of this program.
  func validator() throws -> any ResponseValidator {
    switch answer {
    case .equals(let text): try EqualsValidator(text)
    case .contains(let text): try ContainsValidator(text)
    case .status(let codes): try StatusValidator(codes)
    }
  }

  /// The judge as `validate` of a pipeline file.
  var validateInYAML: String {
    switch answer {
    case .equals(let text): "{ equals: \(text.inYAML) }"
    case .contains(let text): "{ contains: \(text.inYAML) }"
    case .status(let codes): "{ status: \(codes) }"
    }
  }
}
