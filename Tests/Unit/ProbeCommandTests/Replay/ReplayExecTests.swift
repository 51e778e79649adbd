import FixtureReplay
import Foundation
import Glibc
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbeCommand
import ReplayNetwork

/// Programs in a replayed network, as processes of this machine.
@Suite(.patience(minutes: 2)) struct ReplayExecTests {
  private static let fixture = """
    version: 1
    name: hotel
    source: { kind: synthetic, reference: a test }
    routes:
      - id: mail
        when: { listener: tcp, host: mail.example, port: 25 }
        send: greeting.txt
      - id: late
        when: { listener: http, port: 8443 }
        respond: { status: 200, body: late.txt }
      - id: page
        when: { path: /page }
        respond: { status: 200, body: page.txt }
    dns: { portal.example: 192.168.77.5, shut.example: nxdomain }
    """

  private static func folder(_ addition: String = "") throws -> TemporaryFolder {
    try TemporaryFolder([
      "fixture.yaml": fixture + "\n" + addition, "greeting.txt": "220 hello\n", "page.txt": "page\n",
      "late.txt": "late\n",
    ])
  }

  /// A sanitizer's leak detector cannot stop the threads of a process in a separate PID namespace.
  private static let noLeaks = "export ASAN_OPTIONS=detect_leaks=0"

  /// Runs a shell script in which `$run` runs a command in the network.
  private static func run(
    _ script: String, options: String = "", in folder: TemporaryFolder
  ) async throws -> Spawned.End {
    let end = try await Spawned(
      "\(noLeaks); run=\"$0 replay \(options) \(folder.path) --exec\"\n\(script)"
    ).end()
    // Namespaces are forbidden or a tool is missing; a failed setup is a test failure.
    if end.code == 69, !end.errors.contains("cannot set up the network") {
      try skipTest(end.errors.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return end
  }

  private static func lines(_ script: String, options: String = "", addition: String = "") async throws
    -> [String]
  {
    let folder = try folder(addition)
    let end = try await run("$run sh -c '\(script)'", options: options, in: folder)
    #expect(end.errors.isEmpty || !options.isEmpty, "\(end.errors)")
    return end.output.split(separator: "\n").map(String.init)
  }

  @Test func everyAddressAndPortReachesTheFixture() async throws {
    let script = """
      import socket, ssl, sys
      def ask(host, port, sent, context=None, name=None):
          s = socket.create_connection((host, port), 20)
          if context: s = context.wrap_socket(s, server_hostname=name or host)
          s.sendall(sent)
          data = b""
          while part := s.recv(999): data += part
          return data.decode().splitlines()[-1]
      get = b"GET /page HTTP/1.0\\r\\nHost: a.example\\r\\n\\r\\n"
      trusted = ssl.create_default_context()
      print(ask("a.example", 80, get), ask("8.8.8.8", 8080, get), ask("2001:db8:ffff::1", 80, get))
      print(ask("a.example", 443, get, trusted), ask("10.9.8.7", 9443, get, trusted))
      print(ask("a.example", 8443, get), ask("192.168.77.9", 80, get))
      mail = socket.create_connection(("mail.example", 25), 20)
      print(mail.recv(99).decode().strip())
      try: socket.getaddrinfo("shut.example", 80)
      except socket.gaierror: print("no such name")
      print(socket.gethostbyname("portal.example"))
      quic = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      quic.connect(("a.example", 443))
      quic.settimeout(60)
      quic.send(b"x")
      try: quic.recv(9)
      except ConnectionRefusedError: print("rejected")
      """
    let folder = try Self.folder()
    try folder.write("ask.py", script)
    let end = try await Self.run("$run python3 \(folder.path)/ask.py", in: folder)
    #expect(
      end.output == "page page page\npage page\nlate page\n220 hello\nno such name\n192.168.77.5\nrejected\n",
      "\(end.errors)")
    #expect(end.code == 0)
  }

  @Test func pingsReceiveEchoRepliesOrAreIgnored() async throws {
    let script = """
      import socket, struct, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)
      s.settimeout(float(sys.argv[1]))
      s.sendto(struct.pack("!BBHHH", 8, 0, 0xF7FE, 0, 1), ("203.0.113.9", 0))
      try: print(s.recvfrom(99)[1][0])
      except TimeoutError: print("silence")
      except PermissionError: print("none")
      """
    for (addition, wait, expected) in [("", "20", "203.0.113.9"), ("icmp: ignored", "1", "silence")] {
      let folder = try Self.folder(addition)
      try folder.write("ping.py", script)
      // The user's group must be permitted to ping.
      let enter = "echo 0 2147483647 > /proc/sys/net/ipv4/ping_group_range 2>/dev/null;"
      let end = try await Self.run("$run sh -c '\(enter) python3 \(folder.path)/ping.py \(wait)'", in: folder)
      if end.output.hasPrefix("none") || end.errors.contains("Permission") {
        try skipTest("pings are not permitted")
      }
      #expect(end.output == expected + "\n", "\(end.errors)")
    }
  }

  @Test func theNamespaceLooksLikeAGuestMachine() async throws {
    let lines = try await Self.lines(
      "ls /sys/class/net; cat /etc/resolv.conf; ip -4 -o address show eth0; env | grep -ci _proxy; echo $SSL_CERT_FILE",
      addition: "")
    #expect(lines.contains("eth0") || lines.contains("lo"))
    #expect(lines.contains("nameserver 192.168.77.1"))
    #expect(lines.contains { $0.contains("inet 192.168.77.23/24") })
    #expect(lines.suffix(2) == ["0", "/etc/ssl/certs/ca-certificates.crt"])
  }

  @Test func theUserAndTheFolderStayTheSame() async throws {
    let folder = try Self.folder()
    let end = try await Self.run(
      "id -u; pwd; $run sh -c 'id -u; pwd'; cat /etc/resolv.conf | grep -c 192.168.77.1", in: folder)
    let lines = end.output.split(separator: "\n")
    #expect(lines.count == 5 && lines[0] == lines[2] && lines[1] == lines[3], "\(end.output)")
    // The machine's own files are unchanged.
    #expect(lines.last == "0")
  }

  static let endings: [(command: String, code: Int32)] = [
    ("true", 0), ("sh -c \"exit 7\"", 7), ("sh -c \"kill -9 \\$\\$\"", 137),
    ("sh -c \"kill -TERM \\$\\$\"", 143),
    ("-- sh -c \"exit 3\"", 3), ("no-such-command", 127), ("/etc/passwd", 126), ("/", 126),
  ]

  @Test(arguments: endings)
  func theCommandsExitCodeIsReturned(command: String, code: Int32) async throws {
    let end = try await Self.run("$run \(command); echo $?", in: Self.folder())
    #expect(end.output == "\(code)\n", "\(end.errors)")
  }

  @Test func argumentsAndInputReachTheCommand() async throws {
    let end = try await Self.run(
      "echo input | $run sh -c 'cat; printf \"%s|\" \"$@\"' x --verbose --format json -- '' 'a b' \"\\$HOME\"",
      in: Self.folder())
    #expect(end.output == "input\n--verbose|--format|json|--||a b|$HOME|", "\(end.errors)")
  }

  @Test func unmatchedRequestsAreReported() async throws {
    let folder = try Self.folder()
    let ask =
      "python3 -c \"import urllib.request as u; u.urlopen(\\\"http://b.example/other\\\")\" 2>/dev/null"
    let end = try await Self.run("$run sh -c '\(ask)'; true", in: folder)
    #expect(end.errors.hasPrefix("1 http GET b.example:80 /other → no route matches"), "\(end.errors)")
  }

  @Test func theClientAddressIsIPv4AndTheHostNameResolves() async throws {
    let folder = try TemporaryFolder([
      "fixture.yaml": """
      version: 1
      name: echo
      source: { kind: synthetic, reference: a network for a test }
      routes:
        - respond: { headers: ["Content-Type: text/plain"], body: address.txt, template: true }
      """, "address.txt": "${client.address}",
    ])
    let own = "python3 -c \"import socket; socket.create_server((socket.gethostname(), 0)); print(1)\""
    let end = try await Self.run("$run sh -c 'curl -sS http://a.example/; echo; \(own)'", in: folder)
    // An IPv4 address, although the server listens on both families.
    #expect(end.output == "10.83.12.23\n1\n", "\(end)")
  }

  /// In a folder that the setup temporarily covers.
  @Test func theAuthorityFileIsKept() async throws {
    let folder = try Self.folder()
    let file = "/mnt/probekit-test-\(UInt64.random(in: 0 ... .max)).pem"
    let end = try await Self.run(
      "touch \(file) 2>/dev/null || { echo not writable; exit; }; rm \(file); $run true; "
        + "test -s \(file) && echo kept; rm -f \(file)", options: "--ca-out \(file)", in: folder)
    if end.output == "not writable\n" { try skipTest("/mnt is not writable") }
    #expect(end.output == "kept\n", "\(end)")
  }

  @Test func theCommandControlsItsNetwork() async throws {
    let folder = try Self.folder()
    let token = "\(folder.path)/token"
    let socket = "\(folder.path)/control"
    let script =
      "printf %s 0123456789abcdef0123456789abcdef >'\(token)'; chmod 600 '\(token)'; $run sh -c '"
      + "curl -sS -o /dev/null http://a.example/; curl -sS --unix-socket \(socket) "
      + "-H \"Authorization: Bearer $(cat \(token))\" \"http://localhost/v1/requests?request=GET%20http://a.example/\"'"
    let end = try await Self.run(
      script, options: "--control unix:\(socket) --control-token-file \(token)", in: folder)
    #expect(end.code == 0 && end.output.contains(#""host":"a.example""#), "\(end)")
    #expect(end.output.contains(#""target":"/""#), "\(end)")
  }

  @Test func anUnreachableControlIsRefused() async throws {
    let folder = try Self.folder()
    let end = try await Self.run("$run true", options: "--control 127.0.0.1:0", in: folder)
    #expect(end.code == 64)
    #expect(end.errors.contains("use --control unix:PATH"), "\(end.errors)")
    #expect(end.errors.contains("add --control-token-file FILE"), "\(end.errors)")
  }

  /// The user namespace permits no network namespaces.
  @Test func forbiddenNamespacesAreExplained() async throws {
    let folder = try Self.folder()
    let end = try await Spawned(
      """
      unshare --user --map-root-user true 2>/dev/null || { echo forbidden; exit; }
      unshare --user --map-root-user sh -c 'echo 0 >/proc/sys/user/max_net_namespaces; "$0" replay "$1" --exec true' "$0" \
        \(folder.path)
      """
    ).end()
    if end.output == "forbidden\n" { try skipTest("no namespace of users can be made here") }
    #expect(end.code == 69)
    #expect(
      end.errors.hasPrefix("probekit replay: this system does not permit the namespaces that --exec needs: "))
    #expect(
      end.errors.contains("; user.max_net_namespaces is 0: set it to a number such as 10000 with sysctl"))
    #expect(end.errors.hasSuffix("\(IsolatedNetwork.otherWay)\n"))
  }

  @Test func invalidFixturesAreReportedFirst() async throws {
    let folder = try Self.folder("icmp: maybe")
    let end = try await Spawned("exec \"$0\" replay \(folder.path) --exec no-such-command").end()
    #expect(end.code == 65)
    #expect(
      end.errors.hasPrefix("\(folder.path)/fixture.yaml:15:7: icmp cannot be \"maybe\""), "\(end.errors)")
  }

  @Test func listenerModesApply() async throws {
    let folder = try Self.folder("listeners: { http: refused, https: blackhole, tcp: open }")
    try folder.write(
      "modes.py",
      """
      import socket
      def end(port, sent, wait):
          s = socket.socket()
          s.settimeout(wait)
          try:
              s.connect(("a.example", port))
              s.sendall(sent)
              return repr(s.recv(9))
          except OSError as error: return type(error).__name__
      print(end(80, b"x", 60), end(443, b"x", 1.5), end(8080, b"GET / HTTP/1.0\\r\\n\\r\\n", 60), end(8443, b"\\x16\\x03\\x01", 1.5))
      print(socket.create_connection(("mail.example", 25), 60).recv(9))
      """)
    let end = try await Self.run("$run python3 \(folder.path)/modes.py", in: folder)
    #expect(
      end.output == "ConnectionRefusedError TimeoutError ConnectionResetError TimeoutError\nb'220 hello'\n",
      "\(end.errors)")
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func signalsAreForwarded(signal: Int32) async throws {
    let folder = try Self.folder()
    let process = try Spawned(
      "\(Self.noLeaks); exec \"$0\" replay \(folder.path) --exec sh -c 'trap \"echo ended; exit 5\" TERM HUP; echo begun; while :; do sleep 0.05; done'"
    )
    try await process.waits(until: { !process.output.isEmpty || process.errors.contains("--exec") })
    process.send(signal)
    let end = try await process.end()
    // Namespaces are forbidden or a tool is missing; a failed setup is a test failure.
    if end.code == 69, !end.errors.contains("cannot set up the network") {
      try skipTest(end.errors.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    #expect(end.output == "begun\nended\n" && end.code == 5, "\(end.errors)")
  }

  /// A pipe held open by every process in the network reaches its end when all of them have ended.
  @Test(arguments: ["leave", "kill"])
  func allProcessesEndWithTheCommand(how: String) async throws {
    let folder = try Self.folder()
    let end = try await Self.run(
      """
      mkfifo \(folder.path)/pipe
      ( exec \"$0\" replay \(folder.path) --exec sh -c 'setsid sleep 600 & echo begun; [ \(how) = leave ] || wait' >\(folder.path)/pipe ) &
      { read -r line; echo "$line"; [ \(how) = leave ] || kill -9 $!; cat; echo gone; } <\(folder.path)/pipe
      """, in: folder)
    #expect(end.output == "begun\ngone\n", "\(end.errors)")
  }
}
