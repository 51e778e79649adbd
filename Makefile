# make demo: shows the main job. make test: runs the tests. Both install what is missing.

SWIFT ?= swift
# What a build needs, and what the tests need besides.
LIBRARIES = make pkg-config ca-certificates libbrotli-dev libc-ares-dev libcrypt-dev libcurl4-openssl-dev libgumbo-dev \
	libidn2-dev libjansson-dev libldns-dev libpcre2-dev libssl-dev libyaml-dev libzstd-dev zlib1g-dev
TOOLS = bubblewrap curl dnsmasq-base openssl perl iproute2 iputils-ping nftables udhcpc python3 python3-jsonschema python3-junitparser python3-prometheus-client python3-yaml
# What a target needs besides.
PACKAGES =
# The servers that the examples probe, and what runs the tests of the clients.
EXAMPLE_PACKAGES = exim4-daemon-light nginx-light nodejs nsd parallel postgresql python3-pytest redis-server
CI_PACKAGES = chromium debhelper dpkg-dev fish git groff lintian man-db mandoc time wrk zsh $(EXAMPLE_PACKAGES)

SOURCES = Package.swift $(wildcard Sources Plugins Tests Examples Benchmarks FuzzTesting)

# Where things are installed; DESTDIR goes before all of them.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/probekit
# systemd does not read units below another PREFIX, so none is installed there unless UNITDIR is given.
UNITDIR ?= $(if $(filter /usr /usr/local,$(PREFIX)),$(PREFIX)/lib/systemd/system)
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
INSTALL ?= install
# Empty for a program with its symbols.
STRIP ?= strip --remove-section=.comment --remove-section=.note

VERSION = $(shell sed -n 's/^public let probeKitVersion = "\(.*\)"$$/\1/p' Sources/ProbeCore/Exchange/ProbeRequest.swift)
# The commit and its time. A source archive has both in packaging/commit, a clone has git.
SOURCE_COMMIT = $(shell packaging/source-commit)
PROBEKIT_COMMIT ?= $(word 1,$(SOURCE_COMMIT))
SOURCE_DATE_EPOCH ?= $(word 2,$(SOURCE_COMMIT))

.PHONY: all setup setup-ci build release install uninstall install-test deb deb-test dist dist-test demo api docs \
	reference manual-test completion-test examples plugin-examples gallery matrix matrix-test test attack coverage faults faults-check lint format test-asan test-tsan \
	soak soak-smoke bench bench-smoke fuzz fuzz-smoke request-judges answer-judges curl-judges server-judges \
	pattern-judges script-judges engine-judges exec-judges service-judges monitoring-judges portal-judges scale-judges exporter-judges prometheus-judges ci-full clean

all: build

# Installs the libraries and tools that are missing, on a system with apt.
setup:
	@packaging/setup $(LIBRARIES) $(TOOLS) $(PACKAGES)

# The same with what the steps of .ci/run need, at once.
setup-ci: PACKAGES += $(CI_PACKAGES)
setup-ci: setup

build: setup
	$(SWIFT) build

# The command as it is installed: optimised, with the Swift runtime linked statically, and with its commit. What else
# is built in release mode shares its folder. It needs no tools of the tests.
RELEASE = PROBEKIT_COMMIT="$(PROBEKIT_COMMIT)" $(SWIFT) build -c release --static-swift-stdlib
release: TOOLS =
release: setup
	$(RELEASE) --product probekit

# The command, its manual, completions, example pipelines and rules for Prometheus, and the units for systemd.
UNITS = probekit-monitor.service probekit-serve.service
install: release
	rm -rf .build/install
	mkdir -p .build/install
	program="$$($(RELEASE) --show-bin-path)/probekit" && cd .build/install && cp "$$program" probekit && \
	  ./probekit manual --format man --output man && gzip -9n man/* && \
	  for shell in bash zsh fish; do ./probekit completion $$shell >$$shell || exit; done
	$(if $(STRIP),$(STRIP) .build/install/probekit)
	for unit in $(UNITS); do sed 's|/usr/local/bin/|$(BINDIR)/|' "packaging/$$unit" >".build/install/$$unit" || exit; done
	$(INSTALL) -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)" \
	  "$(DESTDIR)$(DOCDIR)/examples"
	$(INSTALL) -m 755 .build/install/probekit "$(DESTDIR)$(BINDIR)/probekit"
	for section in 1 5 7; do \
	  $(INSTALL) -d "$(DESTDIR)$(MANDIR)/man$$section" && \
	  $(INSTALL) -m 644 .build/install/man/*.$$section.gz "$(DESTDIR)$(MANDIR)/man$$section" || exit; \
	done
	$(INSTALL) -m 644 .build/install/bash "$(DESTDIR)$(BASHDIR)/probekit"
	$(INSTALL) -m 644 .build/install/zsh "$(DESTDIR)$(ZSHDIR)/_probekit"
	$(INSTALL) -m 644 .build/install/fish "$(DESTDIR)$(FISHDIR)/probekit.fish"
	$(if $(UNITDIR),$(INSTALL) -D -m 644 -t "$(DESTDIR)$(UNITDIR)" $(addprefix .build/install/,$(UNITS)),@echo \
	  "The systemd units are not installed, because systemd does not read $(PREFIX)/lib/systemd/system; see docs/monitor.md")
	$(INSTALL) -m 644 README.md CHANGELOG.md LICENSE "$(DESTDIR)$(DOCDIR)"
	$(INSTALL) -m 644 Examples/pipelines/*.yaml packaging/prometheus/*.yml "$(DESTDIR)$(DOCDIR)/examples"

# Removes what install has written; folders that others use, too, remain.
uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/probekit" $(if $(UNITDIR),$(addprefix "$(DESTDIR)$(UNITDIR)"/,$(UNITS))) \
	  "$(DESTDIR)$(MANDIR)"/man1/probekit.1.gz "$(DESTDIR)$(MANDIR)"/man[157]/probekit-*.[157].gz \
	  "$(DESTDIR)$(BASHDIR)/probekit" "$(DESTDIR)$(ZSHDIR)/_probekit" "$(DESTDIR)$(FISHDIR)/probekit.fish"
	rm -rf "$(DESTDIR)$(DOCDIR)"

# Whether what is installed runs on a machine without the Swift toolchain, and whether uninstall removes all of it.
install-test: build release
	SWIFT="$(SWIFT)" Tests/install

# A package for Debian in .build/deb, checked by lintian. The same commit gives the same bytes.
deb: PACKAGES += git debhelper dpkg-dev lintian
deb: release
	SWIFT="$(SWIFT)" SOURCE_DATE_EPOCH="$(SOURCE_DATE_EPOCH)" packaging/deb "$(VERSION)"

# Installs, runs, upgrades and purges the package in a Debian system of its own.
deb-test: PACKAGES += mmdebstrap systemd iproute2
deb-test: deb
	SWIFT="$(SWIFT)" SOURCE_DATE_EPOCH="$(SOURCE_DATE_EPOCH)" Tests/package "$(VERSION)"

# The source archive of the commit: the same commit gives the same bytes.
dist: PACKAGES += git
dist: setup
	packaging/dist "$(VERSION)"

dist-test: PACKAGES += git
dist-test: setup
	SWIFT="$(SWIFT)" Tests/dist "$(VERSION)"

# The two verdicts come last; of the fixtures only the summaries are shown, or everything when one fails.
demo: build
	@bin="$$($(SWIFT) build --show-bin-path)"; \
	for command in "lint --strict" verify; do \
	  echo "\$$ probekit $$command fixtures"; \
	  if "$$bin/probekit" $$command fixtures >.build/demo.txt; then tail -1 .build/demo.txt; \
	  else status=$$?; cat .build/demo.txt; exit $$status; fi; \
	done; \
	echo; \
	Examples/demo/run "$$bin"

# The pipelines run in replayed networks, and one with servers of Debian, which it installs; the packages are built and
# tested, and their commands run. They share what is built of the toolkit, which would take each of them some minutes.
examples: PACKAGES += $(EXAMPLE_PACKAGES)
examples: build
	Examples/pipelines/run "$$($(SWIFT) build --show-bin-path)"
	Examples/pipelines/company/run "$$($(SWIFT) build --show-bin-path)/probekit"
	$(SWIFT) test --package-path Examples/CustomValidator --scratch-path .build
	Examples/CustomValidator/run "$$($(SWIFT) build --show-bin-path)"
	$(SWIFT) build --package-path Examples/Notifier --scratch-path .build
	Examples/Notifier/run "$$($(SWIFT) build --show-bin-path)"
	$(SWIFT) test --package-path Examples/OfflineSuite --scratch-path .build
	Examples/clients/run "$$($(SWIFT) build --show-bin-path)"
	Examples/gallery/test_gallery.py
	Examples/gallery/run "$$($(SWIFT) build --show-bin-path)" --no-pictures --output .build/gallery
	Examples/scale/test_results.py
	Examples/scale/run --urls 10000 "$$($(SWIFT) build --show-bin-path)/probekit" scan parallel shards
	$(RUN_PLUGIN_EXAMPLES)

# Only the plugins in other processes, and that in Go as well, which it installs.
RUN_PLUGIN_EXAMPLES = $(SWIFT) build --package-path Examples/plugins/swift --scratch-path .build && \
  Examples/plugins/run "$$($(SWIFT) build --show-bin-path)"
plugin-examples: PACKAGES += golang-go
plugin-examples: build
	$(RUN_PLUGIN_EXAMPLES)

# What the portals among the fixtures look like, in docs/gallery/index.html; GALLERYFLAGS=mikrotik shows those whose
# paths say so, GALLERYFLAGS=--all every fixture. Only this installs a browser, and fonts for all languages of the pages.
gallery: PACKAGES += chromium fonts-noto-core fonts-wqy-zenhei
gallery: build
	Examples/gallery/run "$$($(SWIFT) build --show-bin-path)" $(GALLERYFLAGS)

# What each built-in profile says of each fixture: docs/engines-matrix.md, and docs/matrix.html for a browser, where
# pointing at an answer shows what it rests on.
matrix: release
	mkdir -p docs
	"$$($(RELEASE) --show-bin-path)/probekit" verify --profile all --format markdown fixtures >.build/matrix.md
	mv .build/matrix.md docs/engines-matrix.md
	"$$($(RELEASE) --show-bin-path)/probekit" verify --profile all --format html fixtures >.build/matrix.html
	mv .build/matrix.html docs/matrix.html

# Whether that page does what it should in a real browser, which it installs.
matrix-test: PACKAGES += chromium python3
matrix-test: release
	Examples/matrix/test_matrix.py "$$($(RELEASE) --show-bin-path)"

# The reference in docs, from the declarations of commands, files and reason codes.
reference: build
	"$$($(SWIFT) build --show-bin-path)/probekit" manual --format markdown --output docs

# Whether the man pages have no warnings of man and mandoc, which it installs.
manual-test: PACKAGES += man-db groff mandoc
manual-test: build
	Tests/manual "$$($(SWIFT) build --show-bin-path)"

# Whether the completion works in bash, zsh and fish, which it installs.
completion-test: PACKAGES += bash zsh fish
completion-test: build
	Tests/completion "$$($(SWIFT) build --show-bin-path)"

# What the catalogs and the comments of the modules say, as archives in .build/docs: a web server in one of them shows
# it, below /documentation/. A module without a catalog and a link that leads nowhere are errors.
docs: build
	SWIFT="$(SWIFT)" docs/build

# Whether what breaks in the public API of the products, compared with the record of the last version in api/, is in
# CHANGELOG.md. APIFLAGS=--record writes the record anew, for a release.
api: build
	SWIFT="$(SWIFT)" Tests/api $(APIFLAGS)

test: setup
	SWIFT="$(SWIFT)" Tests/run

# Servers, files, signals and variables that mean harm, against the command; part of the tests, and listed by what is
# tried in docs/quality.md.
attack: setup
	SWIFT="$(SWIFT)" Tests/run --filter '^AttackTests\.'

# How many lines of each room the tests run, with a bar for those that decide something; COVERAGEFLAGS=--uncovered lists
# the files with the most lines that have not run, too.
coverage: setup
	SWIFT="$(SWIFT)" Tests/run --enable-code-coverage --disable-xctest --scratch-path .build/coverage
	Tests/coverage "$$($(SWIFT) test --show-codecov-path --scratch-path .build/coverage)" $(COVERAGEFLAGS)

# Breaks promises on purpose, one after the other, and sees that the tests notice: some minutes, after a build of its
# own; FAULTS="03 07" makes only those two.
faults: PACKAGES += git
faults: setup
	SWIFT="$(SWIFT)" Tests/faults $(FAULTS)

# Whether the patches that do so still apply, which takes no time.
faults-check: PACKAGES += git
faults-check: setup
	Tests/faults --check

lint:
	$(SWIFT) format lint --strict --parallel $$(find $(SOURCES) -name '*.swift' -not -path '*/.build/*')

format:
	$(SWIFT) format --in-place --parallel $$(find $(SOURCES) -name '*.swift' -not -path '*/.build/*')

# XCTest's own start-up leaks; without it leak detection can stay on.
test-asan: setup
	SWIFT="$(SWIFT)" Tests/run --sanitize=address --disable-xctest --scratch-path .build/asan

test-tsan: setup
	SWIFT="$(SWIFT)" Tests/run --sanitize=thread --disable-xctest --scratch-path .build/tsan

# Random interleavings of probes, faults, cancellation, monitors and reloads for an hour, and then a machine that fails
# the command. SOAK_SECONDS=600 is shorter; SANITIZE=address or thread has a sanitizer watch (and leaves out what is
# about the machine, where a sanitizer needs more of it); SOAKFLAGS="--seed 7" repeats what a run has found.
SOAK_SECONDS ?= 3600
SOAK_BUILD = $(if $(SANITIZE),--sanitize=$(SANITIZE) --scratch-path .build/soak-$(SANITIZE))
SOAK_PROGRAMS = $$($(SWIFT) build $(SOAK_BUILD) --show-bin-path)
soak: setup
	$(SWIFT) build $(SOAK_BUILD) --product soak
	$(if $(SANITIZE),,$(SWIFT) build --product probekit)
	SWIFT_BACKTRACE=enable=no "$(SOAK_PROGRAMS)/soak" --seconds $(SOAK_SECONDS) $(SOAKFLAGS)
	$(if $(SANITIZE),,Tests/MachineFaults/run "$(SOAK_PROGRAMS)")

# The same, short and always from the same seed.
soak-smoke:
	$(MAKE) soak SOAK_SECONDS=40 SOAKFLAGS="--seed 1 $(SOAKFLAGS)"

# Beside the yardsticks, some minutes; BENCHFLAGS="--rows plain tls" measures less.
bench: setup
	Benchmarks/install nginx curl prometheus-blackbox-exporter wrk time dnsmasq monitoring-plugins mitmproxy aiohttp
	PROBEKIT_COMMIT="$(PROBEKIT_COMMIT)" SWIFT="$(SWIFT)" Benchmarks/run --scratch-path .build $(BENCHFLAGS)

# Whether the benchmarks still run, without figures.
bench-smoke: setup
	Benchmarks/install nginx wrk time
	PROBEKIT_COMMIT="$(PROBEKIT_COMMIT)" SWIFT="$(SWIFT)" Benchmarks/run --scratch-path .build --smoke

# How the replay server cuts bytes into requests, held against nginx, Node.js and h11, which it installs.
request-judges: PACKAGES += nginx-light nodejs python3-h11
request-judges: build
	Tests/RequestJudges/run "$$($(SWIFT) build --show-bin-path)/probekit"

# What Chromium, Firefox and curl make of odd answers, asked anew and written where the tests find it; it installs them.
answer-judges: PACKAGES += chromium firefox-esr
answer-judges: setup
	Tests/AnswerJudges/run Tests/ProbeHTTPWireTests/Browsers/seen.json

# What our clients make of the answers of curl's own tests, whole and byte by byte, held against curl; it gets their source.
curl-judges: build
	Tests/ClientJudges/curl-data "$$($(SWIFT) build --show-bin-path)" .build/curl-source

# The same of servers and proxies that are in use, each with a configuration of its own; it installs them.
server-judges: PACKAGES += nginx-light apache2-bin lighttpd lighttpd-mod-openssl lighttpd-mod-deflate haproxy varnish squid
server-judges: build
	Tests/ClientJudges/servers "$$($(SWIFT) build --show-bin-path)"

# Matches regular expressions of Go with our translation and with Go, which it installs. COUNT=100000 makes more at
# random, and SEED=2 makes others.
pattern-judges: PACKAGES += golang-go
pattern-judges: build
	Tests/PatternJudges/run "$$($(SWIFT) build --show-bin-path)"

# The URLs that node.js opens for the scripts of ScriptIdiomTests, and Chromium for the pages of ScriptPageTests; it installs
# both. `--write` of Tests/ScriptJudges/run and run-pages records them.
script-judges: PACKAGES += nodejs chromium
script-judges: setup
	Tests/ScriptJudges/run
	Tests/ScriptJudges/run-pages

# What NetworkManager, Firefox, Chromium and ConnMan say of each fixture, compared with the profiles of them; it installs
# them, and builds ConnMan from source. ENGINEFLAGS=--write writes docs/engines.md.
engine-judges: PACKAGES += chromium firefox-esr network-manager dbus python3-dbus python3-gi \
	build-essential xz-utils libdbus-1-dev libglib2.0-dev libgnutls28-dev libmnl-dev libreadline-dev libxtables-dev
engine-judges: build
	Tests/Engines/build-connman
	Tests/Engines/run $(ENGINEFLAGS) "$$($(SWIFT) build --show-bin-path)/probekit"

# Runs clients of many kinds, which it installs, in a replayed network, and compares what they see with the fixture.
# CLIENTS="curl java" selects some.
exec-judges: PACKAGES += curl wget python3-requests python3-aiohttp nodejs default-jdk-headless golang-go chromium \
	firefox-esr network-manager dbus iproute2 nftables iputils-ping
exec-judges: build
	Tests/Exec/run "$$($(SWIFT) build --show-bin-path)/probekit" $(CLIENTS)

# Probes mail, directory, chat, database and DNS servers of Debian, which it installs, with and without TLS. Needs root.
# SERVICES="smtp imap" selects some.
service-judges: PACKAGES += exim4-daemon-light dovecot-imapd slapd prosody postgresql mariadb-server nginx libnginx-mod-stream \
	nsd unbound ldnsutils bind9-dnsutils
service-judges: build
	Tests/Services/run "$$($(SWIFT) build --show-bin-path)/probekit" $(SERVICES)

# Runs plugins of Debian's monitoring-plugins, which it installs, as checks against servers of Debian. Needs root.
# CHECKS="check_ssh check_disk" selects some.
monitoring-judges: PACKAGES += monitoring-plugins-basic monitoring-plugins-standard openssh-server openssh-client chrony snmpd \
	snmp vsftpd dovecot-imapd dovecot-pop3d exim4-daemon-light slapd postgresql mariadb-server nginx libnginx-mod-stream prosody \
	nsd unbound ldnsutils bind9-dnsutils fping
monitoring-judges: build
	Tests/MonitoringPlugins/run "$$($(SWIFT) build --show-bin-path)/probekit" $(CHECKS)

# Runs `probekit portal` against openNDS and portals of dnsmasq, nginx and nftables, which it installs, and compares the
# reports with the expected ones. Needs root. PORTALS="opennds nft_drop" selects some, PORTALS=--update writes what is expected.
portal-judges: PACKAGES += opennds opennds-daemon opennds-daemon-common libmicrohttpd12 iptables isc-dhcp-client nginx chromium \
	poppler-utils
portal-judges: build
	Tests/PortalJudges/run "$$($(SWIFT) build --show-bin-path)/probekit" $(PORTALS)

# Probes a list of 100000 URLs on loopback with GNU parallel, Spark and Redis, which it installs, kills a worker of each, and
# checks that every id has exactly one result. Then counts the DNS queries of a scan, which needs root.
# SCALEFLAGS="--urls 10000" is shorter, and ENGINES="spark redis" selects some.
ENGINES ?= alone scan parallel shards spark redis
scale-judges: PACKAGES += parallel openjdk-17-jre-headless python3-venv python3-redis redis-server unbound nsd
scale-judges: release
	[ -e .build/spark/installed ] || { /usr/bin/python3 -m venv .build/spark && \
	  .build/spark/bin/pip install --quiet pyspark==4.3.0 && touch .build/spark/installed; }
	SPARK=.build/spark/bin/python Examples/scale/run $(SCALEFLAGS) "$$($(RELEASE) --show-bin-path)/probekit" $(ENGINES)
	Examples/scale/dns "$$($(RELEASE) --show-bin-path)/probekit"

# Compares `probekit serve` with Debian's prometheus-blackbox-exporter, series by series, and tests the rules for Prometheus with
# promtool; it installs them.
exporter-judges: PACKAGES += prometheus prometheus-blackbox-exporter nginx openssl iproute2
exporter-judges: build
	Tests/ExporterJudges/compare "$$($(SWIFT) build --show-bin-path)/probekit"
	cd packaging/prometheus && promtool check rules probekit.rules.yml && promtool test rules probekit.rules.test.yml

# Runs `probekit serve` with Debian's Prometheus, which it installs, in network namespaces: the configurations of the recipe, reloads,
# several places, shards, and 1000 targets a second. PROMETHEUS="alone places" selects some.
prometheus-judges: PACKAGES += prometheus nginx openssl iproute2 nftables
prometheus-judges: release
	Tests/PrometheusJudges/run "$$($(RELEASE) --show-bin-path)/probekit" $(PROMETHEUS)

# All fuzz targets, ten minutes each and some at once, and a table of what they have reached; SECONDS_EACH=60 is shorter.
SECONDS_EACH ?= 600
fuzz: setup
	COVERAGE=1 SWIFT="$(SWIFT)" FuzzTesting/run $(SECONDS_EACH)

# Whether the fuzz targets still run, and what once went wrong still goes right; always on from the same seed, so that
# what fails is the change's doing and can be had again.
fuzz-smoke: setup
	SEED=1 SWIFT="$(SWIFT)" FuzzTesting/run 20

# What takes long, before a version is released: each step with its seconds.
ci-full:
	.ci/full

clean:
	rm -rf .build docs/gallery docs/matrix.html Examples/*/.build Benchmarks/.build FuzzTesting/.build
