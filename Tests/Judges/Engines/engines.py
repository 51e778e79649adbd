"""All engines that are compared."""

import chromium
import connman
import firefox
import networkmanager

MODULES = [networkmanager, firefox, chromium, connman]
ENGINES = {engine.profile: engine for module in MODULES for engine in module.ENGINES}
