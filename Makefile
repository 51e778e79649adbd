# make demo: shows the main job. make test: runs the tests. Both install what is missing.

SWIFT ?= swift
PACKAGES = make pkg-config ca-certificates curl openssl perl iproute2 nftables \
	python3 python3-jsonschema python3-junitparser python3-prometheus-client python3-yaml \
	libbrotli-dev libc-ares-dev libcurl4-openssl-dev libgumbo-dev libidn2-dev libjansson-dev libpcre2-dev libssl-dev libyaml-dev \
	libzstd-dev zlib1g-dev
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

SOURCES = Package.swift $(wildcard Sources Plugins Tests Examples Benchmarks FuzzTesting)

.PHONY: all setup build demo api docs examples gallery matrix matrix-test test attack coverage faults faults-check lint format \
	test-asan test-tsan soak soak-smoke bench bench-smoke fuzz fuzz-smoke request-judges \
	answer-judges curl-judges server-judges clean

all: build

# Installs the libraries and tools that are missing, on a system with apt.
setup:
	@if command -v dpkg-query >/dev/null; then \
	  missing=; \
	  for package in $(PACKAGES); do \
	    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	  done; \
	  if [ -n "$$missing" ]; then \
	    echo "installing:$$missing"; \
	    $(SUDO) apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	  fi; \
	else \
	  echo "no apt here: install libcurl, c-ares, gumbo, libjansson, libyaml, PCRE2, OpenSSL, zlib, Brotli, Zstandard and libidn2 with their headers, and pkg-config"; \
	fi

build: setup
	$(SWIFT) build

demo: build
	"$$($(SWIFT) build --show-bin-path)/probekit" lint --strict fixtures
	"$$($(SWIFT) build --show-bin-path)/probekit" verify fixtures
	Examples/demo/run "$$($(SWIFT) build --show-bin-path)"

# The pipelines run in replayed networks; the packages are built and tested, and their commands run. They share what is
# built of the toolkit, which would take each of them some minutes.
examples: build
	Examples/pipelines/run "$$($(SWIFT) build --show-bin-path)"
	$(SWIFT) test --package-path Examples/CustomValidator --scratch-path .build
	Examples/CustomValidator/run "$$($(SWIFT) build --show-bin-path)"
	$(SWIFT) build --package-path Examples/Notifier --scratch-path .build
	Examples/Notifier/run "$$($(SWIFT) build --show-bin-path)"
	$(SWIFT) test --package-path Examples/OfflineSuite --scratch-path .build
	Examples/gallery/test_gallery.py
	Examples/gallery/run "$$($(SWIFT) build --show-bin-path)" --no-pictures --output .build/gallery

# What the portals among the fixtures look like, in docs/gallery/index.html; GALLERYFLAGS=mikrotik shows those whose
# paths say so, GALLERYFLAGS=--all every fixture. Only this installs a browser, and fonts for all languages of the pages.
gallery: PACKAGES += chromium fonts-noto-core fonts-wqy-zenhei
gallery: build
	Examples/gallery/run "$$($(SWIFT) build --show-bin-path)" $(GALLERYFLAGS)

# What each built-in profile says of each fixture: docs/engines-matrix.md, and docs/matrix.html for a browser, where
# pointing at an answer shows what it rests on.
matrix: build
	mkdir -p docs
	"$$($(SWIFT) build --show-bin-path)/probekit" verify --profile all --format markdown fixtures >.build/matrix.md
	mv .build/matrix.md docs/engines-matrix.md
	"$$($(SWIFT) build --show-bin-path)/probekit" verify --profile all --format html fixtures >.build/matrix.html
	mv .build/matrix.html docs/matrix.html

# Whether that page does what it should in a real browser, which it installs.
matrix-test: PACKAGES += chromium
matrix-test: build
	Examples/matrix/test_matrix.py "$$($(SWIFT) build --show-bin-path)"

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
	SWIFT="$(SWIFT)" Benchmarks/run $(BENCHFLAGS)

# Whether the benchmarks still run, without figures.
bench-smoke: setup
	Benchmarks/install nginx wrk time
	SWIFT="$(SWIFT)" Benchmarks/run --smoke

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

# All fuzz targets, ten minutes each and some at once, and a table of what they have reached; SECONDS_EACH=60 is shorter.
SECONDS_EACH ?= 600
fuzz: setup
	COVERAGE=1 SWIFT="$(SWIFT)" FuzzTesting/run $(SECONDS_EACH)

# Whether the fuzz targets still run, and what once went wrong still goes right; always on from the same seed, so that
# what fails is the change's doing and can be had again.
fuzz-smoke: setup
	SEED=1 SWIFT="$(SWIFT)" FuzzTesting/run 20

clean:
	rm -rf .build docs/gallery docs/matrix.html Examples/*/.build Benchmarks/.build FuzzTesting/.build
