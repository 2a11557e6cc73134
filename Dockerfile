# The image of Holdpoint. `docker build .` makes the target for production, `--target evaluate` the one to try it out.
# Each step is a script in deploy/image, which also runs without a container: test/image does that.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm \
    deploy/image/pack.sh /package && \
    deploy/image/install.sh /package /src /opt/holdpoint && \
    deploy/image/prune.sh /opt/holdpoint

FROM build AS development-server
RUN deploy/image/temporal-cli.mjs /opt/holdpoint /usr/local/bin/temporal

FROM node:24-bookworm-slim AS base
LABEL org.opencontainers.image.title="holdpoint" \
      org.opencontainers.image.description="Durable human-in-the-loop for software agents, on Temporal" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="0.1.0"
COPY --from=build /opt/holdpoint /opt/holdpoint
ENV NODE_ENV=production \
    SSL_CERT_FILE=/opt/holdpoint/certificates.pem \
    PATH=/opt/holdpoint/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# The configuration file is openintent.yaml in this folder.
WORKDIR /etc/holdpoint
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["health.mjs"]
ENTRYPOINT ["holdpoint"]

# Temporal's development server and the embedded store beside worker and API. All of it stays on loopback.
FROM base AS evaluate
COPY --from=development-server /usr/local/bin/temporal /usr/local/bin/temporal
RUN install -d -o 1000 -g 1000 /data
ENV HOLDPOINT_DATA_DIR=/data \
    PORT=4000 \
    TEMPORAL_CLI_PATH=/usr/local/bin/temporal
VOLUME /data
USER 1000:1000
CMD ["start"]

FROM base AS production
ENV HOST=0.0.0.0 \
    PORT=4000 \
    HOLDPOINT_WORKER_METRICS=0.0.0.0:9465
EXPOSE 4000 9465
USER 1000:1000
CMD ["--help"]
