"""The servers that plugins check, most of them from Tests/Judges/Services."""

import contextlib
import os
import subprocess
from pathlib import Path

import dns
import imap
import ldap
import mysql
import postgresql
import smtp
import xmpp
from service import HOSTS, Failed, server

HOST, PLAIN, NAME_SERVER = HOSTS["valid.example"], HOSTS["plain.example"], dns.SERVERS["nsd"]
# The key for the SSH server; BASE is the folder of the servers.
KEY = "BASE/ssh/client"
PROGRAMS = [
    *dns.PROGRAMS, *imap.PROGRAMS, *ldap.PROGRAMS, *mysql.PROGRAMS, *postgresql.PROGRAMS, *smtp.PROGRAMS, *xmpp.PROGRAMS,
    "chronyd", "fping", "nginx", "nslookup", "snmpd", "snmpget", "ssh-keygen", "sshd", "vsftpd"]

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/log; worker_processes 1;
events {{}}
http {{
  access_log off;
  server {{ listen {host}:80; return 200 "ready\\n"; }}
}}
"""
SSHD = """
ListenAddress {host}:22
HostKey {folder}/server
AuthorizedKeysFile {folder}/client.pub
PidFile none
PermitRootLogin yes
StrictModes no
UsePAM no
"""
VSFTPD = """
listen=YES
listen_address={host}
background=NO
anonymous_enable=YES
anon_root={folder}
secure_chroot_dir=/run/vsftpd
seccomp_sandbox=NO
"""
CHRONY = """
local stratum 10
allow
bindaddress {host}
cmdport 0
bindcmdaddress /
pidfile {folder}/pid
driftfile {folder}/drift
"""
SNMPD = """
agentAddress udp:{host}:161,tcp:{host}:161
rocommunity public
sysName probekit
"""


def configured(base, name, text):
    """Writes the configuration of a server into a separate folder."""
    folder = base / name
    folder.mkdir(exist_ok=True)
    file = folder / "configuration"
    file.write_text(text.format(folder=folder, host=HOST))
    return folder, file


@contextlib.contextmanager
def own(base):
    """The servers that only plugins need."""
    ssh, sshd = configured(base, "ssh", SSHD)
    for name in ("server", "client"):
        done = subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ssh / name], capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"ssh-keygen: {done.stderr}")
    for folder in ("/run/sshd", "/run/vsftpd"):
        os.mkdir(folder, 0o755)
    nginx_folder, nginx = configured(base, "nginx", NGINX)
    ftp, vsftpd = configured(base, "ftp", VSFTPD)
    ntp, chrony = configured(base, "ntp", CHRONY)
    snmp, snmpd = configured(base, "snmp", SNMPD)
    with contextlib.ExitStack() as stack:
        def start(command, port, folder):
            stack.enter_context(server(command, HOST, port, folder / "output"))

        start(["nginx", "-p", nginx_folder, "-c", nginx], 80, nginx_folder)
        # sshd must be started with its full path.
        start(["/usr/sbin/sshd", "-D", "-e", "-f", sshd], 22, ssh)
        start(["vsftpd", vsftpd], 21, ftp)
        start(["snmpd", "-f", "-Lo", "-C", "-c", snmpd, "-p", snmp / "pid"], 161, snmp)
        # It has no TCP port to wait for; it answers by the time that the others have started.
        log = open(ntp / "output", "ab")
        stack.callback(log.close)
        process = subprocess.Popen(["chronyd", "-d", "-x", "-f", chrony], stdout=log, stderr=log)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        yield


@contextlib.contextmanager
def started(base, ca):
    """Starts every server, with files in a folder."""
    # Dovecot serves POP3, too.
    imap.CONFIGURATION = imap.CONFIGURATION.replace("protocols = imap\n", "protocols = imap pop3\n")
    with contextlib.ExitStack() as stack:
        for module in (dns, imap, ldap, mysql, postgresql, smtp, xmpp):
            folder = Path(base) / module.__name__
            folder.mkdir()
            stack.enter_context(module.started(folder, ca))
        stack.enter_context(own(Path(base)))
        yield
