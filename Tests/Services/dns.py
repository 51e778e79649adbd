#!/usr/bin/env python3
"""DNS servers on loopback: NSD with a signed zone, and Unbound as a resolver in front of it.

Another program calls serving() and cases(); by itself, dns.py PROBEKIT runs all cases. Needs nsd, unbound, ldnsutils and
bind9-dnsutils. No server reads a file or sends a packet outside of its folder and of loopback."""
import contextlib, json, os, socket, subprocess, sys, tempfile, time

ZONE = r"""
$ORIGIN probekit.test.
$TTL 3600
@ SOA ns.probekit.test. admin.probekit.test. 1 7200 3600 1209600 300
@ NS ns.probekit.test.
@ MX 10 mail.probekit.test.
@ MX 20 Mail2.probekit.test.
@ TXT "v=spf1 -all" "second; string \"quoted\" \\ \200"
@ CAA 0 issue "ca.example"
ns A 127.0.0.1
www 60 A 192.0.2.1
www 60 A 192.0.2.2
www AAAA 2001:db8::1
alias CNAME www
mail A 192.0.2.25
*.wild A 192.0.2.99
_sip._tcp SRV 1 2 5060 sip.probekit.test.
_443._tcp.www TLSA 3 1 1 8CB0FC6C527506A053F4F14C8464BEBBD6DEDE2738D11468DD953D7D6A3021F1
host SSHFP 4 2 00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF
host LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m
naptr NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:info@probekit.test!" .
ptr PTR host.probekit.test.
svc HTTPS 1 . alpn="h2,h3" ipv4hint=192.0.2.1
odd\.label A 192.0.2.77
unknown TYPE65400 \# 4 0A0B0C0D
""" + "".join(f'big TXT "{n:03}{"x" * 200}"\n' for n in range(40))

# The questions whose answers are compared with drill and dig: name and type.
QUESTIONS = [
    ("probekit.test", kind) for kind in ("SOA", "NS", "MX", "TXT", "CAA", "DNSKEY")
] + [
    ("www.probekit.test", "A"), ("www.probekit.test", "AAAA"), ("alias.probekit.test", "A"), ("alias.probekit.test", "CNAME"),
    ("a.b.wild.probekit.test", "A"), ("_sip._tcp.probekit.test", "SRV"), ("_443._tcp.www.probekit.test", "TLSA"),
    ("host.probekit.test", "SSHFP"), ("host.probekit.test", "LOC"), ("naptr.probekit.test", "NAPTR"),
    ("ptr.probekit.test", "PTR"), ("svc.probekit.test", "HTTPS"), ("odd\\.label.probekit.test", "A"),
    ("unknown.probekit.test", "TYPE65400"), ("big.probekit.test", "TXT"),
]

ports = {}


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def free_port():
    """A port that is free for UDP and TCP."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams, socket.socket() as listener:
            datagrams.bind(("127.0.0.1", 0))
            with contextlib.suppress(OSError):
                listener.bind(datagrams.getsockname())
                return datagrams.getsockname()[1]


@contextlib.contextmanager
def server(command, port, log):
    """Runs a server until the end of the block, which begins when it answers."""
    with open(log, "w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        for _ in range(100):
            if process.poll() is not None:
                break
            if subprocess.run(["drill", "-p", str(port), "@127.0.0.1", "ns.probekit.test"], capture_output=True,
                              text=True).stdout.find("rcode: NOERROR") >= 0:
                break
            time.sleep(0.1)
        else:
            process.kill()
        if process.poll() is not None:
            raise RuntimeError(f"{command[0]} does not answer: {open(log).read()}")
        yield
    finally:
        process.terminate()
        process.wait(10)


def sign(folder):
    """Writes the zone and its signed form; returns the anchor of trust."""
    zone = os.path.join(folder, "zone")
    with open(zone, "w") as file:
        file.write(ZONE)
    key = run("ldns-keygen", "-a", "ECDSAP256SHA256", "-k", "probekit.test", cwd=folder).strip()
    run("ldns-signzone", "-f", zone + ".signed", zone, key, cwd=folder)
    return os.path.join(folder, key + ".key")


@contextlib.contextmanager
def serving(folder, ca=None):
    """Starts both servers with their files in a folder; stops them at the end of the block."""
    anchor = sign(folder)
    ports["nsd"], ports["unbound"], ports["closed"] = free_port(), free_port(), free_port()
    nsd, unbound = os.path.join(folder, "nsd.conf"), os.path.join(folder, "unbound.conf")
    with open(nsd, "w") as file:
        file.write(f"""
server:
  ip-address: 127.0.0.1@{ports["nsd"]}
  username: ""
  zonesdir: "{folder}"
  database: ""
  pidfile: "{folder}/nsd.pid"
  xfrdfile: "{folder}/xfrd"
  xfrdir: "{folder}"
  zonelistfile: "{folder}/zonelist"
  logfile: "{folder}/nsd.log"
  rrl-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: probekit.test
  zonefile: zone.signed
""")
    with open(unbound, "w") as file:
        file.write(f"""
server:
  interface: 127.0.0.1@{ports["unbound"]}
  username: ""
  chroot: ""
  directory: "{folder}"
  pidfile: ""
  use-syslog: no
  do-not-query-localhost: no
  module-config: "validator iterator"
  trust-anchor-file: "{anchor}"
  local-zone: "broken.probekit.test." always_refuse
  local-zone: "test." nodefault
stub-zone:
  name: probekit.test
  stub-addr: 127.0.0.1@{ports["nsd"]}
forward-zone:
  name: silent.example
  forward-addr: 127.0.0.1@{ports["nsd"]}
remote-control:
  control-enable: no
""")
    with server(["nsd", "-d", "-c", nsd], ports["nsd"], nsd + ".out"):
        with server(["unbound", "-d", "-c", unbound], ports["unbound"], unbound + ".out"):
            yield


def pipeline(name, url, validate=None, request=None):
    document = {
        "version": 1, "name": name, "policy": {"https": "optional"},
        "sets": [{"name": "dns", "urls": [url], **({"validate": validate} if validate else {}),
                  **({"request": request} if request else {})}],
    }
    # JSON is YAML, and needs no quotes of its own.
    return json.dumps(document)


def url(server, name, kind="A"):
    escaped = name.replace("\\", "%5C")
    return f"dns://127.0.0.1:{ports[server]}/{escaped}?type={kind}"


def records(text):
    """The fields of the records in the output of a tool: name, time, class, type, data."""
    lines = [line.split(None, 4) for line in text.splitlines() if line and not line.startswith(";")]
    return [fields for fields in lines if len(fields) == 5]


def answer(tool, name, kind):
    port = str(ports["nsd"])
    if tool == "dig":
        return records(run("dig", "+noall", "+answer", "+nosplit", "-p", port,
                           "@127.0.0.1", name, kind))
    text = run("drill", "-t", "-p", port, "@127.0.0.1", name, kind)
    return records(text.split(";; ANSWER SECTION:")[1].split(";; AUTHORITY SECTION:")[0])


def without_comment(data):
    return data.split(" ;{")[0]


def cases(folder=None, ca=None):
    """Cases for servers that are running: name, text of a pipeline, expected outcome and reason."""
    found = [
        ("answer", pipeline("a", url("nsd", "www.probekit.test")), ("accepted", None)),
        ("no name", pipeline("b", url("nsd", "no.probekit.test")), ("failed", "dns.noSuchHost")),
        ("no record", pipeline("c", url("nsd", "mail.probekit.test", "AAAA")), ("failed", "dns.noSuchHost")),
        ("expected NXDOMAIN", pipeline("d", url("nsd", "no.probekit.test"), {"records": {"rcode": "NXDOMAIN"}}),
         ("accepted", None)),
        ("refused", pipeline("e", url("nsd", "other.example")), ("failed", "dns.failure")),
        ("expected REFUSED", pipeline("f", url("nsd", "other.example"), {"records": {"rcode": "REFUSED"}}),
         ("accepted", None)),
        ("authority section", pipeline(
            "g", url("nsd", "no.probekit.test"),
            {"records": {"rcode": "NXDOMAIN", "section": "authority", "type": "SOA", "matches": r"\tSOA\tns\.probekit"}}),
         ("accepted", None)),
        ("times to live", pipeline("h", url("nsd", "www.probekit.test"), {"records": {"ttl": {"min": "60s", "max": "60s"}}}),
         ("accepted", None)),
        ("short times to live", pipeline("i", url("nsd", "www.probekit.test"), {"records": {"ttl": {"min": "5m"}}}),
         ("failed", "dns.records")),
        ("another value", pipeline("j", url("nsd", "www.probekit.test"), {"records": "192.0.2.7"}),
         ("failed", "dns.records")),
        ("one more value", pipeline(
            "k", url("nsd", "www.probekit.test"), {"records": {"values": "192.0.2.1", "exactly": True}}),
         ("failed", "dns.records")),
        ("signatures", pipeline(
            "l", url("nsd", "www.probekit.test"), {"records": {"type": "RRSIG", "allMatch": r"\tRRSIG\tA 13 3 60 "}},
            {"dnssec": True}), ("accepted", None)),
        ("resolver", pipeline("m", url("unbound", "alias.probekit.test"),
                              {"records": {"values": ["192.0.2.1", "192.0.2.2"], "exactly": True}}), ("accepted", None)),
        ("authenticated", pipeline("n", url("unbound", "www.probekit.test"), {"records": {"authenticated": True}}),
         ("accepted", None)),
        ("not authenticated", pipeline("o", url("nsd", "www.probekit.test"), {"records": {"authenticated": True}}),
         ("failed", "dns.records")),
        ("SERVFAIL", pipeline("p", url("unbound", "a.silent.example")), ("failed", "dns.failure")),
        ("refused by the resolver", pipeline("q", url("unbound", "broken.probekit.test")), ("failed", "dns.failure")),
        ("no server", pipeline("r", url("closed", "www.probekit.test")), ("failed", "connect.refused")),
        ("over TCP", pipeline("s", url("nsd", "big.probekit.test", "TXT"), {"size": {"min": "8000"}}), ("accepted", None)),
        ("TCP through the resolver", pipeline(
            "t", url("unbound", "big.probekit.test", "TXT"), {"records": "039" + "x" * 200}), ("accepted", None)),
        ("version", pipeline("u", f"dns://127.0.0.1:{ports['nsd']}/version.server?type=TXT;class=CH",
                             {"contains": "\tCH\tTXT\t\"NSD "}), ("accepted", None)),
    ]
    for name, kind in QUESTIONS:
        drill, dig = answer("drill", name, kind), answer("dig", name, kind)
        if len(drill) != len(dig) or not drill:
            raise RuntimeError(f"drill has {len(drill)} records of {name} {kind}, dig {len(dig)}")
        text = "".join("\t".join(fields[:4] + [without_comment(fields[4])]) + "\n" for fields in drill)
        found.append((f"as drill: {name} {kind}", pipeline("drill", url("nsd", name, kind), {"equals": text}),
                      ("accepted", None)))
        values = [fields[4] for fields in dig if fields[3] == kind]
        found.append((f"as dig: {name} {kind}", pipeline(
            "dig", url("nsd", name, kind), {"records": {"values": values, "exactly": True}}), ("accepted", None)))
    return found


def main(probekit):
    failures = 0
    with tempfile.TemporaryDirectory() as folder, serving(folder):
        all_cases = cases(folder)
        for name, text, expected in all_cases:
            file = os.path.join(folder, "case.json")
            with open(file, "w") as output:
                output.write(text)
            done = subprocess.run([probekit, "run", "--format", "json", file], capture_output=True, text=True)
            try:
                probe = json.loads(done.stdout)["sets"][0]["probes"][0]
            except (ValueError, KeyError, IndexError):
                probe = {"outcome": "none", "reason": done.stderr}
            if (probe["outcome"], probe["reason"]) != expected:
                failures += 1
                print(f"{name}: {probe['outcome']} {probe['reason']} {probe.get('detail')}, expected {expected}\n  {text[:400]}")
        print(f"{len(all_cases)} cases, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
