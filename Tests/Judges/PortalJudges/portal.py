"""A portal of nginx and nftables, as an administrator would write one: unknown clients reach only its pages."""

import json

from world import CLIENT, PORTAL

PAGE = f"https://{PORTAL}/login"
LOGIN = ("<!DOCTYPE html><html><head><title>Guest network</title></head><body><form method=post action=/login>"
         "<input name=code><button>Log in</button></form></body></html>")
NGINX = """
user root; daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; worker_processes 1;
events {{ }}
http {{
  access_log off;
  map $request_uri $page {{ default '{login}'; }}
  server {{ listen 80 default_server; {server} }}
  {more}
}}
"""
PAGES = """
  server {{
    listen 443 ssl; server_name {host}; ssl_certificate {certificate}; ssl_certificate_key {certificate};
    add_header Cache-Control no-store always; default_type text/html;
    location = /login {{ return 200 $page; }}
    location = /api {{ types {{ }} default_type application/captive+json; add_header Cache-Control private; alias {api}; }}
  }}
"""
# The gateway's own name server answers all DNS queries of strangers, whatever their destination.
NFTABLES = """
table ip portal {{
  set known {{ type ipv4_addr; }}
  chain strangers {{
    type nat hook prerouting priority dstnat;
    iifname != lan accept
    ip saddr @known accept
    {garden}
    tcp dport 80 redirect to :80
    meta l4proto {{ tcp, udp }} th dport 53 redirect to :53
  }}
  chain through {{
    type filter hook forward priority filter;
    iifname != lan accept
    ip saddr @known accept
    {garden}
    {rules}
    ip protocol tcp reject with tcp reset
    reject with icmp admin-prohibited
  }}
}}
"""


def serve(world, server, more=""):
    """Starts nginx with these directives for its server on port 80, and with more servers."""
    world.put("gateway", "portal.conf", NGINX.format(folder=world.folder, login=LOGIN, server=server, more=more))
    world.start("nginx", "gateway", "nginx", "-c", "/etc/portal.conf")


class Filter:
    """The packet filter with its pages over HTTPS; the API of RFC 8908 is at /api, if it is announced."""

    def __init__(self, world, redirect, rules="", garden=""):
        self.world, self.api = world, world.folder / "api.json"
        self.state(captive=True)
        certificate = world.authority.path(PORTAL, "pem")
        serve(world, redirect, PAGES.format(host=PORTAL, certificate=certificate, api=self.api))
        world.put("gateway", "portal.nft", NFTABLES.format(rules=rules, garden=garden))
        world.run("nft", "-f", "/etc/portal.nft", place="gateway")

    def state(self, **state):
        self.api.write_text(json.dumps({"user-portal-url": PAGE, **state}))

    def log_in(self):
        """Does what happens when a guest submits the form."""
        self.world.run("nft", "add", "element", "ip", "portal", "known", f"{{ {CLIENT} }}", place="gateway")
        self.state(captive=False)

    def log_out(self):
        """Does what happens when the session expires."""
        self.world.run("nft", "flush", "set", "ip", "portal", "known", place="gateway")
        self.state(captive=True)
