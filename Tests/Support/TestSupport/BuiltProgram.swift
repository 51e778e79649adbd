import Foundation

/// The path of a program that is built beside the tests.
package func builtProgram(_ name: String) throws -> String {
  let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
}
