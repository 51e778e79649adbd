import Foundation
import TestRequirements
import TestSupport
import Testing

/// Environment: variables that redirect a library, in an isolated network.
@Suite struct EnvironmentAttackTests {
  /// A resolver, a page, and servers with weak certificates; then the command with each variable.
  ///
  /// Opening a pipe without a writer blocks: this shows whether a file named by a variable is opened.
  private static let script = #"""
    import concurrent.futures, http.server, json, os, socket, ssl, subprocess, sys, threading
    command, table = sys.argv[1:]
    folder = os.path.dirname(os.path.abspath(__file__))
    def at(name): return os.path.join(folder, name)
    def write(name, text):
        with open(at(name), "w") as file: file.write(text)
        return at(name)
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    replace("/etc/nsswitch.conf", "hosts: files dns\n")
    replace("/etc/hosts", "127.0.0.1 localhost\n")

    def answer(name, kind):
        if "evil" not in name and "page" not in name: return 3
        return [("A", "127.0.0.1")] if kind == "A" else []
    DNS(answer)

    def openssl(*arguments): subprocess.run(["openssl", *arguments], check=True, capture_output=True)
    write("names", "subjectAltName=DNS:localhost")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", at("ca.key"), "-out", at("ca.pem"),
        "-subj", "/CN=authority", "-days", "2")
    def certificate(name, bits, digest):
        openssl("req", "-newkey", "rsa:%d" % bits, "-nodes", "-keyout", at(name), "-out", at("request"), "-subj", "/CN=" + name)
        openssl("x509", "-req", "-in", at("request"), "-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial",
            "-" + digest, "-days", "2", "-extfile", at("names"), "-out", at("leaf"))
        with open(at(name), "a") as both: both.write(open(at("leaf")).read())
        return at(name)

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = "<p>\u65e5\u672c".encode("shift_jis")
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=Shift_JIS")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *rest): pass
    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 256
        def handle_error(self, *rest): pass
    def serve(certificate=None):
        server = Server(("127.0.0.1", 0), Page)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server.server_port
    plain = serve()
    urls = ["http://page.test:%d/" % plain, "http://intranet:%d/" % plain, "http://intranet.corp:%d/" % plain]
    for bits, digest in [(2048, "sha256"), (2048, "sha1"), (1024, "sha256")]:
        urls.append("https://localhost:%d/" % serve(certificate("%d-%s" % (bits, digest), bits, digest)))

    os.mkfifo(at("pipe"))
    os.mkdir(at("gconv"))
    for name in ["CP932", "EUC-JP", "EUC-JP-MS", "ISO-2022-JP", "SJIS"]:
        with open(at("gconv/gconv-modules"), "a") as file: file.write("module %s// INTERNAL %s 1\n" % (name, at("pipe")))
    weak = "openssl_conf = a\n[a]\nssl_conf = b\n[b]\nsystem_default = c\n[c]\nCipherString = ALL:@SECLEVEL=0\n"
    provider = "openssl_conf = a\n[a]\nproviders = b\n[b]\n%s = c\n[c]\nactivate = 1\n"
    useless, module = provider % "null", provider % "other" + "module = %s\n" % at("pipe")
    attacks = {
        "nothing": {},
        "weak settings": {"OPENSSL_CONF": write("weak.cnf", weak)},
        "settings without a provider": {"OPENSSL_CONF": write("useless.cnf", useless)},
        "a module of OpenSSL": {"OPENSSL_CONF": write("module.cnf", module)},
        "aliases of hosts": {"HOSTALIASES": write("aliases", "intranet evil.test\n")},
        "a domain to search": {"LOCALDOMAIN": "evil.test", "RES_OPTIONS": "ndots:9"},
        "a resolver that gives up": {"RES_OPTIONS": "timeout:0 attempts:0 use-vc"},
        "settings of the resolver": {"RESOLV_HOST_CONF": at("pipe")},
        "a module of iconv": {"GCONV_PATH": at("gconv")},
        "a pipe for everything": dict.fromkeys(table.split(), at("pipe")),
        "a number for everything": dict.fromkeys(table.split(), "1"),
        "nonsense for everything": dict.fromkeys(table.split(), "evil.test:\x1b[31m%s%n,="),
    }
    arguments = [command, "check", "--format=json", "--allow-http", "--timeout=60s", "--cacert", at("ca.pem"),
        "--contains", "\u65e5\u672c", *urls]
    # Where LOCPATH is set, the C library loses a few bytes before the command starts (newlocale of the C++ runtime).
    base = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    def case(name, variables):
        try:
            run = subprocess.run(arguments, capture_output=True, timeout=600, cwd=folder, env={**base, **variables})
            probes = [probe for set in json.loads(run.stdout)["sets"] for probe in set["probes"]]
            return {"name": name, "errors": run.stderr.decode(), "outcomes": [probe["reason"] or probe["outcome"] for probe in probes]}
        except Exception as error: return {"name": name, "errors": str(error), "outcomes": []}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for line in pool.map(case, attacks, attacks.values()): print(json.dumps(line), flush=True)
    """#

  private struct Case: Decodable {
    var name: String
    var errors: String
    var outcomes: [String]
  }

  /// The variables that the threat model lists as hidden.
  private static var variables: [String] {
    get throws {
      let root = projectRoot
      let page = try String(contentsOf: root.appending(path: "docs/threat-model.md"), encoding: .utf8)
      let rows = page.split(separator: "\n").filter { $0.hasPrefix("| Hidden from ") }
      return rows.flatMap { $0.matches(of: /`([A-Za-z_0-9]+)`/).map { String($0.output.1) } }
    }
  }

  @Test func noVariableChangesAResult() async throws {
    let variables = try Self.variables
    #expect(variables.count > 40 && variables.contains("OPENSSL_CONF") && variables.contains("HOSTALIASES"))
    let cases: [Case] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit"), variables.joined(separator: " ")], tools: ["openssl"])
    #expect(cases.count == 12)
    for found in cases {
      #expect(
        found.outcomes == [
          "accepted", "dns.noSuchHost", "dns.noSuchHost", "accepted", "tls.certificate", "tls.certificate",
        ], "\(found.name): \(found.errors)")
      #expect(found.errors == cases[0].errors, "\(found.name)")
    }
  }
}
