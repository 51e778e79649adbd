import Foundation
import Glibc
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbeServer

/// A service on a Unix socket.
@Suite(.patience(minutes: 1)) struct LocalSocketTests {
  private static func serve(_ path: String) throws -> HTTPService {
    try HTTPService(on: .unix(path)) { (request) throws(HTTPServiceFailure) in
      HTTPServiceResponse(contentType: "text/plain", body: Array("\(request.path)".utf8))
    }
  }

  /// The response to a request, or nil if nothing listens; a separate thread waits for it, because handlers
  /// need the threads of tasks.
  private static func response(_ path: String) async throws -> String? {
    try await onAThread { exchange(path) }
  }

  private static func exchange(_ path: String) -> String? {
    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { return nil }
    // Any host is allowed: no browser connects to a Unix socket.
    let request = Array("GET /a HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n".utf8)
    unsafe send(client, request, request.count, 0)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = unsafe recv(client, &piece, piece.count, 0), count > 0 {
      bytes += piece.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func onlyTheOwnerCanConnectAndTheSocketIsRemoved() async throws {
    let folder = try TemporaryFolder([:])
    let path = "\(folder.path)/control"
    let service = try Self.serve(path)
    var facts = stat()
    #expect(unsafe lstat(path, &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
    #expect(try await Self.response(path)?.hasSuffix(#"["a"]"#) == true)
    service.stop()
    #expect(unsafe lstat(path, &facts) == -1)
  }

  @Test func aStaleSocketIsReplacedButNotALiveOne() async throws {
    let folder = try TemporaryFolder([:])
    let path = "\(folder.path)/control"
    let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
    close(stale)
    let service = try Self.serve(path)
    defer { service.stop() }
    let error = #expect(throws: InvalidInput.self) { try Self.serve(path) }
    #expect(error?.message == "another process listens at \(path)")
    #expect(try await Self.response(path)?.hasPrefix("HTTP/1.1 200") == true)
  }

  @Test func otherFilesAreNotReplaced() throws {
    let folder = try TemporaryFolder(["control": "text"])
    let path = "\(folder.path)/control"
    let error = #expect(throws: InvalidInput.self) { try Self.serve(path) }
    #expect(error?.message == "\(path) exists and is not a socket")
    unsafe symlink("nowhere", "\(folder.path)/link")
    let link = #expect(throws: InvalidInput.self) { try Self.serve("\(folder.path)/link") }
    #expect(link?.message.hasSuffix("exists and is not a socket") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
  }

  @Test func aPathThatIsTooLongIsRefused() {
    let error = #expect(throws: InvalidInput.self) {
      try Self.serve("/" + String(repeating: "a", count: 107))
    }
    #expect(error?.remedy == "use a path of 1 to 107 bytes")
  }

  @Test func aFileThatReplacedTheSocketIsKept() throws {
    let folder = try TemporaryFolder([:])
    let path = "\(folder.path)/control"
    let service = try Self.serve(path)
    unsafe unlink(path)
    try folder.write("control", "other")
    service.stop()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
  }
}
