# Bree's commands. `make` alone lists them; CI runs the same ones and nothing else.
SHELL := /bin/bash
BIN := .venv/bin
PROTOS := $(shell find protos/bree)
WEB := cd web && ../scripts/node

# A game of the terminal player; seconds for each of the long tests.
GAME ?= confrontation
FUZZ_SECONDS ?= 300
LADDER ?= --pairs 50 --minutes 60
CHAOS ?= --number 40 --seconds 270
LOST ?= --ways emptied,rolledback
OUTAGES ?= --seconds 1 8 30 --count 4
UPGRADE ?= --seconds 300

.DEFAULT_GOAL := help
.PHONY: help setup run play test lint types page page-access page-long protos bench ladder fuzz chaos lost outages failover derived site image images upgrade golden clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 \t\2/p' Makefile | expand -t 16

setup: .venv/.dev ## make the virtual environment, with the pinned packages

run: .venv/.runtime .bree-protos ## set up what it takes, and start the whole platform
	@scripts/page || echo "bree: the page could not be built, so there is none; terminals and programs can play"
	@$(BIN)/bree run

page: .venv/.runtime ## build the page, if it is older than its sources
	@scripts/page

play: .venv/.runtime ## play in the terminal; GAME=confrontation
	@$(BIN)/bree play $(GAME)

test: lint types page ## everything a change must pass: lint, types and tests
	$(BIN)/pytest -n 4 --dist loadgroup
	@$(WEB) npm run -s test
	@$(WEB) npm run -s browser

lint: setup ## formatting and lint of Python, of the page and of the protos, and what v1 has promised
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/buf format --diff --exit-code protos
	$(BIN)/buf lint protos
	$(BIN)/buf breaking protos --against protos/released.binpb
	@scripts/page tools
	@$(WEB) npm run -s lint

types: setup protos ## strict type checks
	$(BIN)/mypy
	@scripts/page tools
	@$(WEB) npm run -s check

page-access: setup protos page ## look at every page and board with axe, in a real browser
	@$(WEB) npm run -s access

page-long: setup protos page ## whole games of all four in a real browser
	@$(WEB) npm run -s long

protos: .venv/.runtime .bree-protos ## generate messages and services from protos/

bench: setup protos ## measure, and keep the results
	$(BIN)/python -m bench $(PARTS)

ladder: setup ## bots against bots, level by level; LADDER="--minutes 60 duel"
	nice -n 5 $(BIN)/bree arena --keep bench/ladder.jsonl $(LADDER)

fuzz: setup protos ## the long tests; FUZZ_SECONDS=300 for each
	BREE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(BIN)/pytest -n 2 --timeout 0 tests/fuzz

chaos: setup protos ## hurt every part of the platform while matches run; CHAOS="--faults pause,cut"
	$(BIN)/python -m tests.chaos $(CHAOS)

outages: setup protos ## take the broker away from workers; OUTAGES="--seconds 8 --count 20"
	$(BIN)/python -m tests.chaos.outages $(OUTAGES)

lost: setup protos ## empty the store, and set it back, while matches run
	$(BIN)/python -m tests.chaos.lost $(LOST)

failover: setup protos ## kill and pause the servers of a store while matches run; FAILOVER="--cluster --failovers 20"
	$(BIN)/python -m tests.chaos.failover $(FAILOVER)

derived: setup protos ## write again what follows from the games' manifests and the command's help
	$(BIN)/python scripts/derived.py

site: ## build the site of docs/ in .site/html
	@scripts/site

image: setup ## keep the protos as they are as those of the last release
	$(BIN)/buf build protos --exclude-source-info -o protos/released.binpb

images: setup protos ## make and try the images in scratch roots; takes root on Linux, and debootstrap
	$(BIN)/python -m tests.deploy.images

upgrade: setup protos ## replace a platform part by part while matches run; UPGRADE="--old REVISION"
	$(BIN)/python -m tests.chaos.upgrade $(UPGRADE)

golden: setup ## play the golden games again and record them
	$(BIN)/python -m tests.golden

clean: ## remove what make has made
	rm -rf .venv bree/*/v1 gateway/page gateway/pictures/built web/gen web/node_modules .bree-* .site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

RUNTIME := requirements/runtime.txt requirements/build.txt

# What was installed for tests is installed again with it.
.venv/.runtime: $(RUNTIME) scripts/setup
	@scripts/setup $(and $(wildcard .venv/.dev),dev)
	@touch $@ $(wildcard .venv/.dev)

# Whoever tests needs both, and installs them at once.
.venv/.dev: $(RUNTIME) requirements/dev.txt scripts/setup
	@scripts/setup dev
	@touch .venv/.runtime $@

.bree-protos: scripts/protos.py $(PROTOS) | .venv/.runtime
	@$(BIN)/python scripts/protos.py
	@touch $@
