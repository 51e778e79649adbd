"""NSD with a signed zone, behind Unbound as a resolver. Some responses are compared with those of drill and dig."""

import contextlib
import subprocess

from service import Case, Failed, pipeline, server

PROGRAMS = ["nsd", "unbound", "drill", "dig", "ldns-keygen", "ldns-signzone"]
SERVERS = {"nsd": "127.0.0.11", "unbound": "127.0.0.12", "closed": "127.0.0.13"}

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

# The questions whose answers are compared with those of drill and dig: name and type.
QUESTIONS = [
    ("probekit.test", kind) for kind in ("SOA", "NS", "MX", "TXT", "CAA", "DNSKEY")
] + [
    ("www.probekit.test", "A"), ("www.probekit.test", "AAAA"), ("alias.probekit.test", "A"), ("alias.probekit.test", "CNAME"),
    ("a.b.wild.probekit.test", "A"), ("_sip._tcp.probekit.test", "SRV"), ("_443._tcp.www.probekit.test", "TLSA"),
    ("host.probekit.test", "SSHFP"), ("host.probekit.test", "LOC"), ("naptr.probekit.test", "NAPTR"),
    ("ptr.probekit.test", "PTR"), ("svc.probekit.test", "HTTPS"), ("odd\\.label.probekit.test", "A"),
    ("unknown.probekit.test", "TYPE65400"), ("big.probekit.test", "TXT"),
]

NSD = """
server:
  ip-address: {address}
  username: ""
  zonesdir: "{folder}"
  database: ""
  pidfile: "{folder}/nsd.pid"
  xfrdfile: "{folder}/xfrd"
  xfrdir: "{folder}"
  zonelistfile: "{folder}/zonelist"
  rrl-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: probekit.test
  zonefile: zone.signed
"""
UNBOUND = """
server:
  interface: {address}
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
  stub-addr: {nsd}
forward-zone:
  name: silent.example
  forward-addr: {nsd}
remote-control:
  control-enable: no
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        raise Failed(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def sign(folder):
    """Writes the zone and its signed form; returns the file with its public key."""
    (folder / "zone").write_text(ZONE)
    key = run("ldns-keygen", "-a", "ECDSAP256SHA256", "-k", "probekit.test", cwd=folder).strip()
    run("ldns-signzone", "-f", "zone.signed", "zone", key, cwd=folder)
    return folder / f"{key}.key"


@contextlib.contextmanager
def started(folder, ca):
    anchor = sign(folder)
    nsd, unbound = folder / "nsd.conf", folder / "unbound.conf"
    nsd.write_text(NSD.format(folder=folder, address=SERVERS["nsd"]))
    unbound.write_text(
        UNBOUND.format(folder=folder, address=SERVERS["unbound"], nsd=SERVERS["nsd"], anchor=anchor))
    with (
        server(["nsd", "-d", "-c", nsd], SERVERS["nsd"], 53, folder / "nsd.log"),
        server(["unbound", "-d", "-c", unbound], SERVERS["unbound"], 53, folder / "unbound.log"),
    ):
        yield


def records(text):
    """The fields of the records in the output of a tool: name, TTL, class, type, data."""
    lines = [line.split(None, 4) for line in text.splitlines() if line and not line.startswith(";")]
    return [fields for fields in lines if len(fields) == 5]


def answer(tool, name, kind):
    address = f"@{SERVERS['nsd']}"
    if tool == "dig":
        return records(run("dig", "+noall", "+answer", "+nosplit", address, name, kind))
    text = run("drill", "-t", address, name, kind)
    return records(text.split(";; ANSWER SECTION:")[1].split(";; AUTHORITY SECTION:")[0])


def without_comment(data):
    return data.split(" ;{")[0]


def cases(folder, ca):
    found = []

    def add(name, server, query, expected="accepted", kind="A", **settings):
        query = query.replace("\\", "%5C")
        found.append(Case(name, pipeline("dns", f"dns://{SERVERS[server]}/{query}?type={kind}", **settings), [expected]))

    add("answer", "nsd", "www.probekit.test")
    add("no name", "nsd", "no.probekit.test", "failed dns.noSuchHost")
    add("no record", "nsd", "mail.probekit.test", "failed dns.noSuchHost", "AAAA")
    add("expected NXDOMAIN", "nsd", "no.probekit.test", validate={"records": {"rcode": "NXDOMAIN"}})
    add("refused", "nsd", "other.example", "failed dns.failure")
    add("expected REFUSED", "nsd", "other.example", validate={"records": {"rcode": "REFUSED"}})
    soa = {"rcode": "NXDOMAIN", "section": "authority", "type": "SOA", "matches": r"\tSOA\tns\.probekit"}
    add("authority section", "nsd", "no.probekit.test", validate={"records": soa})
    add("times to live", "nsd", "www.probekit.test", validate={"records": {"ttl": {"min": "60s", "max": "60s"}}})
    add("short times to live", "nsd", "www.probekit.test", "failed dns.records",
        validate={"records": {"ttl": {"min": "5m"}}})
    add("another value", "nsd", "www.probekit.test", "failed dns.records", validate={"records": "192.0.2.7"})
    add("one more value", "nsd", "www.probekit.test", "failed dns.records",
        validate={"records": {"values": "192.0.2.1", "exactly": True}})
    add("signatures", "nsd", "www.probekit.test", request={"dnssec": True},
        validate={"records": {"type": "RRSIG", "allMatch": r"\tRRSIG\tA 13 3 60 "}})
    add("resolver", "unbound", "alias.probekit.test",
        validate={"records": {"values": ["192.0.2.1", "192.0.2.2"], "exactly": True}})
    add("authenticated", "unbound", "www.probekit.test", validate={"records": {"authenticated": True}})
    add("not authenticated", "nsd", "www.probekit.test", "failed dns.records",
        validate={"records": {"authenticated": True}})
    add("SERVFAIL", "unbound", "a.silent.example", "failed dns.failure")
    add("refused by the resolver", "unbound", "broken.probekit.test", "failed dns.failure")
    add("no server", "closed", "www.probekit.test", "failed connect.refused")
    add("over TCP", "nsd", "big.probekit.test", kind="TXT", validate={"size": {"min": "8000"}})
    add("TCP through the resolver", "unbound", "big.probekit.test", kind="TXT", validate={"records": "039" + "x" * 200})
    add("version", "nsd", "version.server", kind="TXT;class=CH", validate={"contains": "\tCH\tTXT\t\"NSD "})
    for name, kind in QUESTIONS:
        drill, dig = answer("drill", name, kind), answer("dig", name, kind)
        if len(drill) != len(dig) or not drill:
            raise Failed(f"drill returns {len(drill)} records of {name} {kind}, dig {len(dig)}")
        text = "".join("\t".join(fields[:4] + [without_comment(fields[4])]) + "\n" for fields in drill)
        add(f"as drill: {name} {kind}", "nsd", name, kind=kind, validate={"equals": text})
        values = [fields[4] for fields in dig if fields[3] == kind]
        add(f"as dig: {name} {kind}", "nsd", name, kind=kind, validate={"records": {"values": values, "exactly": True}})
    return found
