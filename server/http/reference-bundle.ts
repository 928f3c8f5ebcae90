// A worker thread that extracts the script of the API reference from its package and returns it compressed.
//
// The package only provides the script as a route of its plugin, and loading it takes a third of a second and about
// 40 MB. So this happens when the page is first opened, in parallel with requests, and the thread ends afterwards.
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

const app = Fastify()
app.register(reference, { routePrefix: '/docs', configuration: { url: '/' } })
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`The API reference has no script: ${statusCode}`)
parentPort?.postMessage(gzipSync(rawPayload))
