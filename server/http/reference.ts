// Serves the API document for readers at /docs: Scalar's API reference, without requests to other hosts.
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { isCodingTaken } from './content-coding.ts'
import { DOCUMENT_PATH } from './openapi.ts'
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

/** Colors of two gray texts, then of methods and code. */
const LIGHT = {
  'color-2': '#5a5a5a',
  'color-3': '#666666',
  'color-green': '#006b44',
  'color-red': '#b81414',
  'color-yellow': '#735600',
  'color-blue': '#005f99',
  'color-orange': '#a33600',
  'color-accent': '#005f99',
}

const DARK = {
  'color-2': '#b4b4b4',
  'color-3': '#a0a0a0',
  'color-green': '#3fcf7f',
  'color-red': '#ff7b72',
  'color-yellow': '#ffc90d',
  'color-blue': '#6cc1f2',
  'color-orange': '#ff9d66',
}

const scheme = (name: string, colors: Readonly<Record<string, string>>) =>
  `.${name}{${Object.entries(colors)
    .map(([color, value]) => `--scalar-${color}:${value}`)
    .join(';')}}`

/** Names such as scopes do not wrap. Code wraps and lists are shown in full: scrolling them would need a mouse. */
const LINES = `
.markdown td:first-child code{white-space:nowrap}
.markdown pre code.hljs{white-space:pre-wrap!important;overflow:visible!important;overflow-wrap:anywhere}
.endpoints{overflow:visible!important}`

/** Scalar's own colors are below the contrast of 4.5:1 that WCAG requires. */
const REFERENCE_STYLE = `${scheme('light-mode', LIGHT)}\n${scheme('dark-mode', DARK)}${LINES}`

// Options that send requests to other services or advertise them are off.
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

/**
 * A script for the browser that adds names to controls, and focus to lists that scroll. Some controls of Scalar have no
 * name, or one that differs from their visible text. Parts render when they become visible, so the script runs after
 * each change.
 */
const NAME_CONTROLS = `function nameControls() {
  for (const button of document.querySelectorAll('button[aria-label^="Show all "]'))
    button.ariaLabel = button.ariaLabel.replace('Show all ', 'Show more: ')
  for (const button of document.querySelectorAll('button[aria-controls]:not([aria-label])'))
    if (button.innerText.trim() === '') button.ariaLabel = 'Show or hide'
  for (const card of document.querySelectorAll('.scalar-card-content.overflow-auto:not([tabindex])')) card.tabIndex = 0
}
new MutationObserver(nameControls).observe(document.getElementById('app'), { childList: true, subtree: true })
`

const START = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)})\n${NAME_CONTROLS}`

// The script creates styles at run time, so inline styles must be allowed. Inline scripts are not allowed.
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
    const worker = new Worker(new URL('./reference-bundle.ts', import.meta.url))
    worker.once('message', (script: Uint8Array) => resolve(Buffer.from(script)))
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The API reference could not be loaded: exit ${code}`)))
  })
}

/** Loads once, and again after a failure. */
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
    if (!isCodingTaken('gzip', request.headers['accept-encoding'])) return reply.send(gunzipSync(compressed))
    return reply.header('content-encoding', 'gzip').send(compressed)
  })
}
