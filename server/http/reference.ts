// The API document for people at /docs: Scalar's API reference, all of it served from here.
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { isTaken } from './content-coding.ts'
import { DOCUMENT_PATH } from './openapi.ts'
import { NAME_CONTROLS } from './reference/names.ts'
import { REFERENCE_STYLE } from './reference/style.ts'
import type { App } from './request.ts'

const REFERENCE_PATH = '/docs'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Rapport API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <noscript>The API reference needs JavaScript. The <a href="${DOCUMENT_PATH}">API document</a> does not.</noscript>
    <script src="${REFERENCE_PATH}/scalar.js"></script>
    <script src="${REFERENCE_PATH}/start.js"></script>
  </body>
</html>
`

// Options that would send requests to, or advertise, other services are off.
const CONFIGURATION = {
  url: DOCUMENT_PATH,
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  agent: { disabled: true },
  mcp: { disabled: true },
  customCss: REFERENCE_STYLE,
}

const START = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)})\n${NAME_CONTROLS}`

// Styles are made by the script as it goes, so they must be allowed inline; scripts are not.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function loadScript(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./reference/bundle.ts', import.meta.url))
    worker.once('message', (script: Uint8Array) => resolve(Buffer.from(script)))
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The API reference could not be loaded: exit ${code}`)))
  })
}

/** Loads once; again after a failure. */
function onDemand(load: () => Promise<Buffer>): () => Promise<Buffer> {
  let loading: Promise<Buffer> | undefined
  return async () => {
    loading ??= load()
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}

function send(reply: FastifyReply, type: string, maxAgeSeconds: number): FastifyReply {
  return reply
    .type(`${type}; charset=utf-8`)
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', `public, max-age=${maxAgeSeconds}`)
}

export function referenceRoutes(app: App): void {
  const script = onDemand(loadScript)
  app.get(REFERENCE_PATH, async (_request, reply) => send(reply, 'text/html', 0).send(PAGE))
  app.get(`${REFERENCE_PATH}/start.js`, async (_request, reply) =>
    send(reply, 'text/javascript', 0).send(START),
  )
  app.get(`${REFERENCE_PATH}/scalar.js`, async (request, reply) => {
    const compressed = await script()
    send(reply, 'text/javascript', 3600).header('vary', 'accept-encoding')
    if (!isTaken('gzip', request.headers['accept-encoding'])) return reply.send(gunzipSync(compressed))
    return reply.header('content-encoding', 'gzip').send(compressed)
  })
}
