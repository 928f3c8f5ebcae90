// A worker thread: takes the reference's script out of its package and hands it over compressed.
//
// The package offers the script only as a route of its plugin, and loading it takes a third of a second and
// some 40 MB. So that happens when the page is first opened, in parallel with requests, and the thread ends with it.
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

const app = Fastify()
app.register(reference, { routePrefix: '/docs', configuration: { url: '/' } })
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`The API reference has no script: ${statusCode}`)
parentPort?.postMessage(gzipSync(rawPayload))
