package import ProbeCore

/// The name of a capture, with the syntax of group names in patterns.
package enum CaptureName {
  /// Checks the value of the key `capture`.
  ///
  /// - Throws: ``InvalidInput`` if it is not valid.
  package static func check(_ name: String) throws(InvalidInput) {
    let bytes = Array(name.utf8)
    let isName =
      bytes.count <= 32 && bytes.first.map { !$0.isASCIIDigit } == true
      && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    guard isName else {
      throw InvalidInput(
        "\(Excerpt(name)) cannot name a capture",
        remedy: "use at most 32 letters, digits and underscores, not a digit first"
      ).at("capture")
    }
  }
}

extension ValueSchema {
  /// The name of a capture.
  static var captureName: ValueSchema {
    .text(pattern: "^[A-Za-z_][A-Za-z0-9_]{0,31}$", canBeNumber: false, examples: ["token"])
  }
}
