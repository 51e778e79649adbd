"""A portal without a packet filter: every name resolves to it for ten minutes. Known addresses still work."""

import internet
import portal
from world import GATEWAY


def check(world):
    portal.serve(world, f"if ($host != {GATEWAY}) {{ return 302 http://{GATEWAY}/login; }} "
                        "add_header Cache-Control no-store; default_type text/html; location = /login { return 200 $page; }")
    world.resolve(f"address=/#/{GATEWAY}", "local-ttl=600")
    world.join()
    world.report("before", "--probe-leaks", internet.TESTER)
    world.resolve()
    world.report("after")
