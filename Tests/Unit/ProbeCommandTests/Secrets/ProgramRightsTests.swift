import TestRequirements
import TestSupport
import Testing

/// The capabilities of the programs that a ProbeKit with `CAP_NET_RAW` starts.
@Suite struct ProgramRightsTests {
  struct Line: Decodable, Sendable {
    /// The way in which ProbeKit got its capabilities.
    let rights: String
    /// The program; `own` for ProbeKit itself.
    let program: String
    /// The sets of proc(5), such as `CapPrm`, in hexadecimal.
    let sets: [String: String]
    /// The outcome of a ping; a new network permits it over a raw socket only.
    let ping: String

    func set(_ name: String) -> UInt64 { sets["Cap\(name)"].flatMap { UInt64($0, radix: 16) } ?? .max }
  }

  private static let script = #"""
    import json, shutil, sys
    probekit, folder = sys.argv[1], __file__ + ".files"
    os.chmod(os.path.dirname(__file__), 0o755)
    only = ["--inh-caps", "-all,+net_raw", "--ambient-caps", "-all,+net_raw", "--bounding-set", "-all,+net_raw",
            "--no-new-privs"]
    cases = {
        "root": [], "root without CAP_SETPCAP": ["--bounding-set", "-setpcap", "--inh-caps", "-setpcap"],
        # As systemd gives it to a unit; root has no other rights than these.
        "ambient": ["--securebits", "+noroot", *only],
        "user": ["--reuid", "65534", "--regid", "65534", "--clear-groups", *only]}
    def pipeline(name, urls): return f"{{version: 1, name: p, policy: {{https: optional}}, {name} sets: [{{name: s, {urls}}}]}}"
    for name, rights in cases.items():
        enter = ["setpriv", *rights] if rights else []
        # In a user namespace there is one user.
        if subprocess.run([*enter, "test", "-x", probekit], stderr=subprocess.DEVNULL).returncode != 0:
            if name == "user": continue
            print(f"setpriv cannot set these rights: {name}"); sys.exit(75)
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        for file, text in {
            "status": '#!/bin/sh\ngrep ^Cap /proc/self/status >"$1.new"; mv "$1.new" "$1"; echo fine\n',
            "run.yaml": pipeline(
                "plugins: [{name: mine, command: [./status, plugin]}],",
                "urls: ['icmp://127.0.0.1', {url: 'icmp://127.0.0.2', validate: {command: [./status, command]}}, "
                "{url: 'icmp://127.0.0.3', validate: {mine: {}}}, {check: [./status, check]}]"),
            "watch.yaml": pipeline("", "urls: ['icmp://127.0.0.1']")}.items():
            with open(f"{folder}/{file}", "w") as out: out.write(text)
        os.chmod(f"{folder}/status", 0o755)
        run = subprocess.run([*enter, probekit, "run", "--allow-commands", "--format", "json", "run.yaml"], cwd=folder,
                             capture_output=True, text=True)
        try: ping = json.loads(run.stdout)["sets"][0]["probes"][0]["outcome"]
        except ValueError: sys.exit(run.stdout + run.stderr)
        monitor = subprocess.Popen([*enter, probekit, "monitor", "--on-change", "./status on-change", "watch.yaml"],
                                   cwd=folder, stdout=subprocess.DEVNULL)
        while not os.path.exists(f"{folder}/on-change") and monitor.poll() is None: time.sleep(0.01)
        monitor.terminate()
        monitor.wait()
        subprocess.run([*enter, "./status", "own"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        for program in ["own", "check", "command", "plugin", "on-change"]:
            with open(f"{folder}/{program}") as file:
                sets = dict(line.split() for line in file.read().replace(":", "").splitlines())
            print(json.dumps({"rights": name, "program": program, "sets": sets, "ping": ping}))
    """#

  @Test(.patience(minutes: 2)) func noProgramHasRawSockets() async throws {
    let lines: [Line] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit")], tools: ["setpriv"])
    let raw: UInt64 = 1 << 13
    for rights in Set(lines.map(\.rights)) {
      let own = try #require(lines.first { $0.rights == rights && $0.program == "own" })
      #expect(own.set("Eff") & raw != 0 && own.ping == "accepted", "\(rights)")
      let programs = lines.filter { $0.rights == rights && $0.program != "own" }
      #expect(programs.map(\.program) == ["check", "command", "plugin", "on-change"])
      for line in programs {
        let name = "\(rights): \(line.program)"
        for set in ["Inh", "Amb"] { #expect(line.set(set) == 0, "\(name): \(set)") }
        // Root keeps its other rights.
        let kept = rights.hasPrefix("root") ? own.set("Prm") & ~raw : 0
        for set in ["Prm", "Eff"] { #expect(line.set(set) == kept, "\(name): \(set)") }
        if rights == "root" { #expect(line.set("Bnd") & raw == 0, "\(name)") }
      }
    }
    #expect(Set(lines.map(\.rights)).isSuperset(of: ["root", "root without CAP_SETPCAP", "ambient"]))
  }
}
