# syntax=docker/dockerfile:1
# For amd64 and arm64:
#   docker buildx build --platform linux/amd64,linux/arm64 -t registry.example.com/rapport:0.1.0 --push .

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The packages of the platform that is built for, PostgreSQL 18 for an installation without DATABASE_URL among them.
RUN npm ci --omit=dev
COPY . .
# The pages, and the modules without their types: nothing is written beside DATA_DIR afterwards.
RUN npm run build

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app /app
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
# A worker (ROLE=worker) does not listen: switch the check off there.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Other commands: node cli/main.ts migrate, node cli/main.ts doctor
CMD ["node_modules/.bin/node", "server/main.ts"]
