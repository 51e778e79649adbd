import LoopbackServer

@testable import BlackboxExporter
import ProbePatterns

extension TCPModule.Step {
  /// A step that expects a line.
  static func expect(_ pattern: GoPattern) -> Self {
    var step = Self()
    step.expect = pattern
    return step
  }

  /// A step that expects bytes.
  static func expectBytes(_ text: String) -> Self {
    var step = Self()
    step.expectBytes = Array(text.utf8)
    return step
  }

  /// A step that sends a line.
  static func send(_ text: String) -> Self {
    var step = Self()
    step.send = Array(text.utf8)
    return step
  }

  /// A step that begins TLS.
  static var startTLS: Self {
    var step = Self()
    step.startsTLS = true
    return step
  }
}

extension LoopbackConnection {
  /// Reads a line that ends with a line feed.
  func line() throws -> String {
    var line: [UInt8] = []
    while true {
      let byte = try read(upTo: 1)
      if byte.isEmpty || byte[0] == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line += byte
    }
  }
}
