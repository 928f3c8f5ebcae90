# syntax=docker/dockerfile:1
# For amd64 and arm64:
#   docker buildx build --platform linux/amd64,linux/arm64 -t registry.example.com/rapport:0.1.0 --push .
# `docker buildx imagetools inspect debian:bookworm-slim` prints the present digest of a base image.

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM packages AS build
RUN npm ci --omit=dev
COPY . .
# The pages, and the modules without their types: the running service writes only to DATA_DIR.
RUN npm run build

FROM packages AS runtime
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
COPY server/pages/runtime-packages.ts server/pages/write-runtime-packages.ts server/pages/
# Those of the platform that is built for: Node 24, and PostgreSQL 18 for an installation without DATABASE_URL.
RUN node server/pages/write-runtime-packages.ts && npm ci
# What is never run: headers and a second link of Node, sources, maps, documents, tests, symbols for debuggers.
RUN cd node_modules && rm -rf node/node_modules \
  && find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' -o -name '*.a' \) -delete \
  && find . -type f -iname '*.md' ! -iname 'licen[cs]e*' -delete \
  && find . -type d \( -name test -o -name tests -o -name __tests__ -o -name docs -o -name benchmarks \) -prune -exec rm -rf {} + \
  && strip --strip-unneeded node/bin/node @embedded-postgres/*/native/bin/*

FROM debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --no-create-home node \
  && install -d -o node -g node -m 0700 /data \
  && ln -s /app/cli/rapport.js /usr/local/bin/rapport
COPY --from=runtime /app/node_modules node_modules
COPY --from=build /app/node_modules/.cache/rapport node_modules/.cache/rapport
COPY --from=build /app/dashboard/dist dashboard/dist
COPY package.json LICENSE ./
COPY docs/guide docs/guide
COPY samples samples
COPY migrations migrations
COPY contract contract
COPY cli cli
COPY server server
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Other commands: rapport migrate, rapport doctor
CMD ["node_modules/.bin/node", "server/main.ts"]
