# `make demo` shows what ProbeKit does, `make test` runs the tests. Both install missing packages.

SWIFT ?= swift
# The packages of a build, and the additional ones of the tests.
LIBRARIES = make pkg-config ca-certificates libbrotli-dev libc-ares-dev libcrypt-dev libcurl4-openssl-dev libgumbo-dev \
	libidn2-dev libjansson-dev libldns-dev libpcre2-dev libpsl-dev libssl-dev libyaml-dev libzstd-dev zlib1g-dev
TOOLS = bubblewrap curl dnsmasq-base openssl perl iproute2 iputils-ping nftables publicsuffix udhcpc python3 python3-jsonschema python3-junitparser python3-prometheus-client python3-yaml
# Additional packages of a target.
PACKAGES =
# The servers that the examples probe, and the programs that run the clients' tests.
EXAMPLE_PACKAGES = exim4-daemon-light nginx-light nodejs nsd parallel postgresql python3-pytest redis-server
CI_PACKAGES = chromium debhelper dpkg-dev fish git groff lintian man-db mandoc time wrk zsh $(EXAMPLE_PACKAGES)

SOURCES = Package.swift $(wildcard Sources Plugins Tests Examples Benchmarks FuzzTesting)

# The installation folders; DESTDIR is prepended to each.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/probekit
# systemd does not read units below another PREFIX, so none is installed there unless UNITDIR is set.
UNITDIR ?= $(if $(filter /usr /usr/local,$(PREFIX)),$(PREFIX)/lib/systemd/system)
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
INSTALL ?= install
# An empty value keeps the program's symbols.
STRIP ?= strip --remove-section=.comment --remove-section=.note

VERSION = $(shell sed -n 's/^public let probeKitVersion = "\(.*\)"$$/\1/p' Sources/Probing/ProbeCore/Exchange/ProbeRequest.swift)
# The commit and its time: from packaging/commit in a source archive, from git in a clone.
SOURCE_COMMIT = $(shell packaging/source-commit)
PROBEKIT_COMMIT ?= $(word 1,$(SOURCE_COMMIT))
SOURCE_DATE_EPOCH ?= $(word 2,$(SOURCE_COMMIT))

.PHONY: all setup setup-ci build release install uninstall install-test deb deb-test upgrade-test dist dist-test demo api docs \
	reference field manual-test completion-test examples plugin-examples gallery matrix matrix-test test test-busy attack coverage faults faults-check lint format test-asan test-tsan \
	soak soak-smoke bench bench-smoke fuzz fuzz-smoke request-judges response-judges curl-judges server-judges \
	pattern-judges script-judges engine-judges exec-judges service-judges monitoring-judges portal-judges scale-judges exporter-judges prometheus-judges ci-full clean

all: build

# Installs the libraries and tools that are missing, on a system with apt.
setup:
	@packaging/setup $(LIBRARIES) $(TOOLS) $(PACKAGES)

# The same, with the packages of all steps of .ci/run, in one call of apt-get.
setup-ci: PACKAGES += $(CI_PACKAGES)
setup-ci: setup

build: setup
	$(SWIFT) build

# The command as it is installed: optimized, with the Swift runtime linked statically, and with its commit. Other
# release builds share its folder. The tools of the tests are not needed.
RELEASE = PROBEKIT_COMMIT="$(PROBEKIT_COMMIT)" $(SWIFT) build -c release --static-swift-stdlib
release: TOOLS =
release: setup
	$(RELEASE) --product probekit

# Installs the command, man pages, completions, example pipelines, rules for Prometheus, and the systemd units.
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

# Removes the installed files by their names, and then DOCDIR if it is empty and the project's own. Shared folders remain,
# and so do the files of others in them.
PAGES = $(patsubst docs/cli/%.md,probekit-%.1.gz,$(filter-out docs/cli/README.md docs/cli/probekit.md,$(wildcard docs/cli/*.md)))
uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/probekit" $(if $(UNITDIR),$(addprefix "$(DESTDIR)$(UNITDIR)"/,$(UNITS))) \
	  $(addprefix "$(DESTDIR)$(MANDIR)/man1"/,probekit.1.gz $(PAGES)) \
	  $(addprefix "$(DESTDIR)$(MANDIR)/man5"/,probekit-pipeline.5.gz probekit-fixture.5.gz) \
	  "$(DESTDIR)$(MANDIR)/man7/probekit-reason-codes.7.gz" \
	  "$(DESTDIR)$(BASHDIR)/probekit" "$(DESTDIR)$(ZSHDIR)/_probekit" "$(DESTDIR)$(FISHDIR)/probekit.fish" \
	  $(addprefix "$(DESTDIR)$(DOCDIR)"/,README.md CHANGELOG.md LICENSE) \
	  $(addprefix "$(DESTDIR)$(DOCDIR)/examples"/,$(notdir $(wildcard Examples/pipelines/*.yaml packaging/prometheus/*.yml)))
	case "$(DOCDIR)" in */probekit) \
	  rmdir "$(DESTDIR)$(DOCDIR)/examples" "$(DESTDIR)$(DOCDIR)" 2>/dev/null || true ;; esac

# Checks that the installed command runs on a machine without the Swift toolchain, and that uninstall removes
# everything.
install-test: build release
	SWIFT="$(SWIFT)" Tests/Scripts/install

# Builds the Debian package in .build/deb, and checks it with lintian. The same commit gives the same bytes.
deb: PACKAGES += git debhelper dpkg-dev lintian
deb: release
	SWIFT="$(SWIFT)" SOURCE_DATE_EPOCH="$(SOURCE_DATE_EPOCH)" packaging/deb "$(VERSION)"

# Installs the package of the previous version in a separate Debian system, upgrades it to this one, runs it, and purges it.
deb-test: PACKAGES += mmdebstrap systemd iproute2
deb-test: deb
	SWIFT="$(SWIFT)" SOURCE_DATE_EPOCH="$(SOURCE_DATE_EPOCH)" Tests/Scripts/package "$(VERSION)"

# Upgrades packages that use the previous version, as docs/migration.md says, builds them, and runs the examples.
upgrade-test: PACKAGES += git
upgrade-test: build
	SWIFT="$(SWIFT)" Tests/Scripts/upgrade

# Builds the source archive of the commit. The same commit gives the same bytes.
dist: PACKAGES += git
dist: setup
	packaging/dist "$(VERSION)"

dist-test: PACKAGES += git
dist-test: setup
	SWIFT="$(SWIFT)" Tests/Scripts/dist "$(VERSION)"

# Of the fixtures, only the summaries are shown, or the full output if one fails; the two verdicts come last.
demo: build
	@bin="$$($(SWIFT) build --show-bin-path)"; \
	for command in "lint --strict" verify; do \
	  echo "\$$ probekit $$command fixtures"; \
	  if "$$bin/probekit" $$command fixtures >.build/demo.txt; then tail -1 .build/demo.txt; \
	  else status=$$?; cat .build/demo.txt; exit $$status; fi; \
	done; \
	echo; \
	Examples/demo/run "$$bin"

# Runs the pipelines in replayed networks, and one against Debian's servers, which it installs; builds and tests the
# packages, and runs their commands. They share one build of the toolkit, which would take minutes for each.
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

# Only the plugins in other processes, including the one in Go; installs Go.
RUN_PLUGIN_EXAMPLES = $(SWIFT) build --package-path Examples/plugins/swift --scratch-path .build && \
  Examples/plugins/run "$$($(SWIFT) build --show-bin-path)"
plugin-examples: PACKAGES += golang-go
plugin-examples: build
	$(RUN_PLUGIN_EXAMPLES)

# Pictures of the portals among the fixtures, in docs/gallery/index.html; GALLERYFLAGS=mikrotik selects those with this
# text in their paths, GALLERYFLAGS=--all every fixture. Installs a browser, and fonts for all languages of the pages.
gallery: PACKAGES += chromium fonts-noto-core fonts-wqy-zenhei
gallery: build
	Examples/gallery/run "$$($(SWIFT) build --show-bin-path)" $(GALLERYFLAGS)

# The verdict of each built-in profile on each fixture: docs/engines-matrix.md, and docs/matrix.html for a browser,
# where pointing at a verdict shows what it is based on.
matrix: release
	mkdir -p docs
	"$$($(RELEASE) --show-bin-path)/probekit" verify --profile all --format markdown fixtures >.build/matrix.md
	mv .build/matrix.md docs/engines-matrix.md
	"$$($(RELEASE) --show-bin-path)/probekit" verify --profile all --format html fixtures >.build/matrix.html
	mv .build/matrix.html docs/matrix.html

# Tests that page in a real browser, which it installs.
matrix-test: PACKAGES += chromium python3
matrix-test: release
	Examples/matrix/test_matrix.py "$$($(RELEASE) --show-bin-path)"

# Prints the facts about the field that the profiles and the checks rely on, each with its source and the day on which
# that was read, the oldest first: what to check again.
field: setup
	@$(SWIFT) build --product field-facts >.build/field.txt || { cat .build/field.txt; exit 1; }
	@"$$($(SWIFT) build --show-bin-path)/field-facts"

# Writes the reference in docs from the declarations of commands, files and reason codes.
reference: build
	"$$($(SWIFT) build --show-bin-path)/probekit" manual --format markdown --output docs

# Checks that man and mandoc, which it installs, have no warnings about the man pages.
manual-test: PACKAGES += man-db groff mandoc
manual-test: build
	Tests/Scripts/manual "$$($(SWIFT) build --show-bin-path)"

# Tests the completion in bash, zsh and fish, which it installs.
completion-test: PACKAGES += bash zsh fish
completion-test: build
	Tests/Scripts/completion "$$($(SWIFT) build --show-bin-path)"

# Builds the pages of the modules, from catalogs and comments, as archives in .build/docs: a web server in one of them
# shows it, below /documentation/. Modules without a catalog and broken links are errors.
docs: build
	SWIFT="$(SWIFT)" docs/build

# Checks that CHANGELOG.md names each break in the public API of the products, compared with the record of the last
# version in api/. APIFLAGS=--record updates the record for a release.
api: build
	SWIFT="$(SWIFT)" Tests/Scripts/api $(APIFLAGS)

test: setup
	SWIFT="$(SWIFT)" Tests/run

# The tests three times, on two processors that four other processes keep busy; BUSYFLAGS="--filter NAME" selects some.
test-busy: setup
	SWIFT="$(SWIFT)" Tests/Scripts/busy $(BUSYFLAGS)

# Attacks the command with hostile servers, files, signals and variables; part of the tests. docs/quality.md lists the
# attacks.
attack: setup
	SWIFT="$(SWIFT)" Tests/run --filter '^AttackTests\.'

# Line coverage by module, with a minimum for the core and the plugins; COVERAGEFLAGS=--uncovered also lists the files
# with the most uncovered lines.
coverage: setup
	SWIFT="$(SWIFT)" Tests/run --enable-code-coverage --disable-xctest --scratch-path .build/coverage
	Tests/Scripts/coverage "$$($(SWIFT) test --show-codecov-path --scratch-path .build/coverage)" $(COVERAGEFLAGS)

# Introduces faults one by one, and checks that the tests catch them: some minutes, after a separate build;
# FAULTS="03 07" selects only those two.
faults: PACKAGES += git
faults: setup
	SWIFT="$(SWIFT)" Tests/Scripts/faults $(FAULTS)

# Checks that the patches of the faults still apply and that their tests exist, which takes no time.
faults-check: PACKAGES += git
faults-check: setup
	Tests/Scripts/faults --check

lint:
	$(SWIFT) format lint --strict --parallel $$(find $(SOURCES) -name '*.swift' -not -path '*/.build/*')
	Tests/Scripts/numbers --self-test
	Tests/Scripts/words --self-test

format:
	$(SWIFT) format --in-place --parallel $$(find $(SOURCES) -name '*.swift' -not -path '*/.build/*')

# XCTest leaks memory at startup; without it, leak detection can stay on.
test-asan: setup
	SWIFT="$(SWIFT)" Tests/run --sanitize=address --disable-xctest --scratch-path .build/asan

test-tsan: setup
	SWIFT="$(SWIFT)" Tests/run --sanitize=thread --disable-xctest --scratch-path .build/tsan

# Random interleavings of probes, faults, cancellation, monitors and reloads for an hour, then failures of the
# machine. SOAK_SECONDS=600 is shorter; SANITIZE=address or thread adds a sanitizer (and omits the failures of the
# machine, because a sanitizer needs more resources); SOAKFLAGS="--seed 7" repeats a run.
SOAK_SECONDS ?= 3600
SOAK_BUILD = $(if $(SANITIZE),--sanitize=$(SANITIZE) --scratch-path .build/soak-$(SANITIZE))
SOAK_PROGRAMS = $$($(SWIFT) build $(SOAK_BUILD) --show-bin-path)
soak: setup
	$(SWIFT) build $(SOAK_BUILD) --product soak
	$(if $(SANITIZE),,$(SWIFT) build --product probekit)
	SWIFT_BACKTRACE=enable=no "$(SOAK_PROGRAMS)/soak" --seconds $(SOAK_SECONDS) $(SOAKFLAGS)
	$(if $(SANITIZE),,Tests/Programs/MachineFaults/run "$(SOAK_PROGRAMS)")

# The same, short and always from the same seed.
soak-smoke:
	$(MAKE) soak SOAK_SECONDS=40 SOAKFLAGS="--seed 1 $(SOAKFLAGS)"

# The benchmarks of ProbeKit and of the programs that it is compared with, some minutes; BENCHFLAGS="--rows plain tls" selects some.
bench: setup
	Benchmarks/install nginx curl prometheus-blackbox-exporter wrk time dnsmasq monitoring-plugins mitmproxy aiohttp
	PROBEKIT_COMMIT="$(PROBEKIT_COMMIT)" SWIFT="$(SWIFT)" Benchmarks/run --scratch-path .build $(BENCHFLAGS)

# Checks that the benchmarks run, without figures.
bench-smoke: setup
	Benchmarks/install nginx wrk time
	PROBEKIT_COMMIT="$(PROBEKIT_COMMIT)" SWIFT="$(SWIFT)" Benchmarks/run --scratch-path .build --smoke

# Compares how the replay server splits bytes into requests with nginx, Node.js and h11, which it installs.
request-judges: PACKAGES += nginx-light nodejs python3-h11
request-judges: build
	Tests/Judges/RequestJudges/run "$$($(SWIFT) build --show-bin-path)/probekit"

# Records how Chromium, Firefox and curl read unusual responses, and which cookies they send, for the tests; installs them.
response-judges: PACKAGES += chromium firefox-esr openssl
response-judges: setup
	Tests/Judges/ResponseJudges/run Tests/Unit/ProbeHTTPWireTests/Browsers/seen.json
	Tests/Judges/ResponseJudges/cookies.py

# Compares ProbeKit's clients with curl on the responses of curl's own tests, whole and byte by byte; downloads their
# source.
curl-judges: build
	Tests/Judges/ClientJudges/curl-data "$$($(SWIFT) build --show-bin-path)" .build/curl-source

# The same with real servers and proxies, each with its own configuration; installs them.
server-judges: PACKAGES += nginx-light apache2-bin lighttpd lighttpd-mod-openssl lighttpd-mod-deflate haproxy varnish squid
server-judges: build
	Tests/Judges/ClientJudges/servers "$$($(SWIFT) build --show-bin-path)"

# Compares the translation of Go's regular expressions with Go, which it installs. COUNT=100000 makes more random ones,
# and SEED=2 makes different ones.
pattern-judges: PACKAGES += golang-go
pattern-judges: build
	Tests/Judges/PatternJudges/run "$$($(SWIFT) build --show-bin-path)"

# Compares the recorded URLs with those that Node.js opens for the scripts of ScriptIdiomTests, and Chromium for the
# pages of ScriptPageTests; installs both. `--write` of Tests/Judges/ScriptJudges/run and run-pages records them.
script-judges: PACKAGES += nodejs chromium
script-judges: setup
	Tests/Judges/ScriptJudges/run
	Tests/Judges/ScriptJudges/run-pages

# Compares the verdicts of NetworkManager, Firefox, Chromium and ConnMan on each fixture with their profiles; installs
# them, and builds ConnMan from source. ENGINEFLAGS=--write writes docs/engines.md.
engine-judges: PACKAGES += chromium firefox-esr network-manager dbus python3-dbus python3-gi \
	build-essential xz-utils libdbus-1-dev libglib2.0-dev libgnutls28-dev libmnl-dev libreadline-dev libxtables-dev
engine-judges: build
	Tests/Judges/Engines/build-connman
	Tests/Judges/Engines/run $(ENGINEFLAGS) "$$($(SWIFT) build --show-bin-path)/probekit"

# Runs clients of many kinds, which it installs, in a replayed network, and compares what they see with the fixture.
# CLIENTS="curl java" selects some.
exec-judges: PACKAGES += curl wget python3-requests python3-aiohttp nodejs default-jdk-headless golang-go chromium \
	firefox-esr network-manager dbus iproute2 nftables iputils-ping
exec-judges: build
	Tests/Judges/Exec/run "$$($(SWIFT) build --show-bin-path)/probekit" $(CLIENTS)

# Probes mail, directory, chat, database and DNS servers of Debian, which it installs, with and without TLS. Needs root.
# SERVICES="smtp imap" selects some.
service-judges: PACKAGES += exim4-daemon-light dovecot-imapd slapd prosody postgresql mariadb-server nginx libnginx-mod-stream \
	nsd unbound ldnsutils bind9-dnsutils
service-judges: build
	Tests/Judges/Services/run "$$($(SWIFT) build --show-bin-path)/probekit" $(SERVICES)

# Runs plugins of Debian's monitoring-plugins, which it installs, as checks against servers of Debian. Needs root.
# CHECKS="check_ssh check_disk" selects some.
monitoring-judges: PACKAGES += monitoring-plugins-basic monitoring-plugins-standard openssh-server openssh-client chrony snmpd \
	snmp vsftpd dovecot-imapd dovecot-pop3d exim4-daemon-light slapd postgresql mariadb-server nginx libnginx-mod-stream prosody \
	nsd unbound ldnsutils bind9-dnsutils fping
monitoring-judges: build
	Tests/Judges/MonitoringPlugins/run "$$($(SWIFT) build --show-bin-path)/probekit" $(CHECKS)

# Runs `probekit portal` against openNDS and portals of dnsmasq, nginx and nftables, which it installs, and compares the
# reports with the expected ones. Needs root. PORTALS="opennds nft_drop" selects some, PORTALS=--update writes the
# expected reports.
portal-judges: PACKAGES += opennds opennds-daemon opennds-daemon-common libmicrohttpd12 iptables isc-dhcp-client nginx chromium \
	poppler-utils
portal-judges: build
	Tests/Judges/PortalJudges/run "$$($(SWIFT) build --show-bin-path)/probekit" $(PORTALS)

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
	Tests/Judges/ExporterJudges/compare "$$($(SWIFT) build --show-bin-path)/probekit"
	cd packaging/prometheus && promtool check rules probekit.rules.yml && promtool test rules probekit.rules.test.yml

# Runs `probekit serve` with Debian's Prometheus, which it installs, in network namespaces: the configurations of the recipe, reloads,
# several places, shards, and 1000 targets a second. PROMETHEUS="alone places" selects some.
prometheus-judges: PACKAGES += prometheus nginx openssl iproute2 nftables
prometheus-judges: release
	Tests/Judges/PrometheusJudges/run "$$($(RELEASE) --show-bin-path)/probekit" $(PROMETHEUS)

# Runs every fuzz target for ten minutes, several at a time, and prints a table of their coverage; SECONDS_EACH=60 is
# shorter.
SECONDS_EACH ?= 600
fuzz: setup
	COVERAGE=1 SWIFT="$(SWIFT)" FuzzTesting/run $(SECONDS_EACH)

# Checks that the fuzz targets run and that fixed errors stay fixed; always from the same seed, so that a failure is due
# to the change and can be reproduced.
fuzz-smoke: setup
	SEED=1 SWIFT="$(SWIFT)" FuzzTesting/run 20

# The steps that take too long for .ci/run, before a release; prints the seconds of each.
ci-full:
	.ci/full

clean:
	rm -rf .build docs/gallery docs/matrix.html Examples/*/.build Benchmarks/.build FuzzTesting/.build
