import Glibc
import ProbeServer
import ProbeCore
import ProbeSystem
import TestClients
import TestRequirements
import TestSupport
import Testing

/// The addresses at which a service listens.
@Suite(.patience(minutes: 1)) struct ServiceAddressTests {
  private static func response(
    of service: HTTPService, addressIndex: Int = 0, host: String = "localhost"
  ) async throws -> ServiceResponse {
    let client = try ServiceClient(service, addressIndex: addressIndex)
    try client.get("/a", host: host)
    return try await client.response()
  }

  @Test func aServiceCanListenOnMultipleAddresses() async throws {
    let any = HTTPService.Address.tcp(SocketAddress(IPAddress(v4: 0), port: 0))
    let service = try HTTPService(on: [ServiceClient.loopback, any], handler: HTTPServiceResponse.echo)
    defer { service.stop() }
    let ports = try service.addresses.map { try ServiceClient.port(of: $0) }
    #expect(ports.count == 2 && ports[0] != ports[1])
    for index in 0...1 {
      #expect(try await Self.response(of: service, addressIndex: index).body == #"["a"]"#)
    }
    // Each address has its own rule for hosts: only a browser on this machine can reach the first one.
    #expect(try await Self.response(of: service, addressIndex: 0, host: "a.example").status == "421")
    #expect(try await Self.response(of: service, addressIndex: 1, host: "a.example").status == "200")
    service.stop()
    for port in ports { #expect(RawClient.refuses(port: port)) }
  }

  @Test func theLimitsApplyToAllAddressesTogether() async throws {
    var options = HTTPServiceOptions()
    options.maximumConnections = 1
    let handlers = WaitingHandlers()
    let service = try HTTPService(on: [ServiceClient.loopback, ServiceClient.loopback], options: options) {
      _ throws(HTTPServiceFailure) in await handlers.respond()
    }
    defer { service.stop() }
    let first = try ServiceClient(service)
    try first.get("/")
    await handlers.start(of: 1)
    #expect(try await Self.response(of: service, addressIndex: 1).status == "503")
  }

  @Test func anAddressInUseIsAnError() throws {
    let taken = try HTTPService(on: ServiceClient.loopback, handler: HTTPServiceResponse.echo)
    defer { taken.stop() }
    let error = #expect(throws: InvalidInput.self) {
      try HTTPService(on: [ServiceClient.loopback, taken.address], handler: HTTPServiceResponse.echo)
    }
    #expect(error?.message.contains("\(taken.address)") == true)
  }

  @Test func anInheritedSocketIsServed() async throws {
    let socket = try ListeningSocket(SocketAddress(IPAddress(v4: 0x7F00_0001), port: 0))
    try socket.start(.open)
    let passed = dup(socket.descriptor)
    // As systemd passes it: blocking, and without close-on-exec.
    _ = fcntl(passed, F_SETFL, fcntl(passed, F_GETFL) & ~O_NONBLOCK)
    _ = fcntl(passed, F_SETFD, 0)
    let service = try HTTPService(on: .inherited(passed), handler: HTTPServiceResponse.echo)
    #expect(service.address == .tcp(socket.address))
    #expect(fcntl(passed, F_GETFD) & FD_CLOEXEC != 0 && fcntl(passed, F_GETFL) & O_NONBLOCK != 0)
    #expect(try await Self.response(of: service).body == #"["a"]"#)
    #expect(try await Self.response(of: service, host: "a.example").status == "421")
    service.stop()
  }

  @Test func aNonListeningSocketIsAnError() throws {
    let socket = try ListeningSocket(SocketAddress(IPAddress(v4: 0x7F00_0001), port: 0))
    let file = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    for descriptor in [socket.descriptor, file, 60_000] {
      let error = #expect(throws: InvalidInput.self) {
        try HTTPService(on: .inherited(descriptor), handler: HTTPServiceResponse.echo)
      }
      #expect(error?.message == "descriptor \(descriptor) is not a socket that listens")
      #expect(error?.remedy == "use ListenStream= in the socket unit, with Accept=no")
    }
    // It still belongs to its owner.
    #expect(fcntl(file, F_GETFD) >= 0)
  }

  @Test(arguments: [
    ([:], []), (["LISTEN_PID": "7", "LISTEN_FDS": "2"], [3, 4]),
    (["LISTEN_PID": "8", "LISTEN_FDS": "2"], []), (["LISTEN_FDS": "2"], []),
    (["LISTEN_PID": "7", "LISTEN_FDS": "0"], []), (["LISTEN_PID": "7", "LISTEN_FDS": "64"], Array(3...66)),
  ])
  func systemdSocketsAreForOneProcess(_ environment: [String: String], _ expected: [Int32]) throws {
    #expect(try SocketActivation.descriptors(environment: environment, process: 7) == expected)
  }

  @Test(arguments: [
    ["LISTEN_PID": "seven", "LISTEN_FDS": "2"], ["LISTEN_PID": "7", "LISTEN_FDS": "-1"],
    ["LISTEN_PID": "7", "LISTEN_FDS": ""], ["LISTEN_PID": "7", "LISTEN_FDS": "65"],
  ])
  func invalidSystemdVariablesAreErrors(_ environment: [String: String]) {
    #expect(throws: InvalidInput.self) {
      try SocketActivation.descriptors(environment: environment, process: 7)
    }
  }
}
