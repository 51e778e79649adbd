package import ProbeTLS

/// Proxies in a few lines each: the proxy's own script responds to the requests in a tunnel.
package enum ScriptedProxy {
  /// A proxy that establishes a tunnel, and is itself the server at its end.
  package static func tunnel(
    response: String = "HTTP/1.1 200 Connection established\r\nX-Proxy: tunnel\r\n\r\n",
    origin: ServerContext? = nil, tls: ServerContext? = nil, script: @escaping LoopbackServer.Script = respond
  ) throws -> LoopbackServer {
    try LoopbackServer(tls: tls) { connection in
      if try connection.readRequest().isEmpty { return }
      try connection.send(response)
      if let origin { try connection.startTLS(origin) }
      try script(connection)
    }
  }

  /// A server that responds to one request.
  @Sendable package static func respond(_ connection: LoopbackConnection) throws {
    if try connection.readRequest().isEmpty { return }
    try connection.send(
      "HTTP/1.1 200 OK\r\nX-Origin: yes\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
  }

  /// A SOCKS proxy (RFC 1928) that responds with this code, and is itself the server at the end if the code is
  /// 0.
  package static func socks(
    code: UInt8 = 0, login: (user: String, password: String)? = nil, origin: ServerContext? = nil,
    record: @escaping @Sendable (String, Int) -> Void = { _, _ in },
    script: @escaping LoopbackServer.Script = respond
  ) throws -> LoopbackServer {
    try LoopbackServer { connection in
      let methods = try exactly(Int(try exactly(2, connection)[1]), connection)
      let method: UInt8 = login == nil ? 0 : 2
      guard methods.contains(method) else { return try connection.send([5, 0xFF]) }
      try connection.send([5, method])
      if let login {
        let user = try exactly(Int(try exactly(2, connection)[1]), connection)
        let password = try exactly(Int(try exactly(1, connection)[0]), connection)
        let isRight = user == Array(login.user.utf8) && password == Array(login.password.utf8)
        try connection.send([1, isRight ? 0 : 1])
        guard isRight else { return }
      }
      let head = try exactly(5, connection)
      let name =
        head[3] == 3 ? try exactly(Int(head[4]), connection) : [head[4]] + (try exactly(3, connection))
      let port = try exactly(2, connection)
      let host =
        head[3] == 3
        ? String(decoding: name, as: UTF8.self) : name.map { "\($0)" }.joined(separator: ".")
      record(host, Int(port[0]) << 8 | Int(port[1]))
      try connection.send([5, code, 0, 1, 0, 0, 0, 0, 0, 0])
      guard code == 0 else { return }
      if let origin { try connection.startTLS(origin) }
      try script(connection)
    }
  }

  private static func exactly(_ count: Int, _ connection: LoopbackConnection) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try connection.read(upTo: count - bytes.count)
      guard !more.isEmpty else { throw EarlyEnd() }
      bytes += more
    }
    return bytes
  }
}

/// The client ended its side although more data is needed.
private struct EarlyEnd: Error {}
