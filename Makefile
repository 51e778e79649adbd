# make demo: shows the main job. make test: runs the tests. Both install what is missing.

SWIFT ?= swift
PACKAGES = make pkg-config ca-certificates openssl python3 iproute2 \
	libcurl4-openssl-dev libgumbo-dev libpcre2-dev libssl-dev
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: all setup build demo test lint format test-asan test-tsan clean

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
	  echo "no apt here: install libcurl, gumbo, PCRE2 and OpenSSL with their headers, and pkg-config"; \
	fi

build: setup
	$(SWIFT) build

demo: build
	Examples/demo/run "$$($(SWIFT) build --show-bin-path)"

test: setup
	$(SWIFT) test

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Plugins Tests

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Plugins Tests

# XCTest's own start-up leaks; without it leak detection can stay on.
test-asan: setup
	$(SWIFT) test --sanitize=address --disable-xctest --scratch-path .build/asan

test-tsan: setup
	$(SWIFT) test --sanitize=thread --disable-xctest --scratch-path .build/tsan

clean:
	rm -rf .build
