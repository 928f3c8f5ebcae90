// Runs the commands of docs/operators/reverse-proxy.md through a proxy with TLS that does what the page asks for, and
// through one that does not pass the host name on.
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { afterFile } from '../after-file.ts'
import { createAuthority } from '../certificates.ts'
import { blockWith, openShell, replaced } from './shell.ts'

const SITE = 'crm.example.com'

const shell = await openShell()
const servicePort = Number(await shell.run('echo $PORT'))
const authority = createAuthority()
const certificate = authority.issue({ names: [SITE] })
const trusted = join(shell.folder, 'proxy-ca.pem')
await writeFile(trusted, authority.cert)

type Headers = Record<string, string | string[] | undefined>

/** Appends the address of the client, as the page asks for. */
const forwarded = ({ headers, socket }: IncomingMessage): Headers => {
  const before = headers['x-forwarded-for']
  const address = socket.remoteAddress ?? ''
  return { ...headers, 'x-forwarded-for': before === undefined ? address : `${before}, ${address}` }
}

/** @returns the port of a proxy that ends after the tests of the file */
async function startProxy(headersOf: (sent: IncomingMessage) => Headers): Promise<number> {
  const pass = (from: IncomingMessage, to: ServerResponse) => {
    const options = { port: servicePort, method: from.method, path: from.url, headers: headersOf(from) }
    const passed = request(options, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    passed.on('error', () => to.writeHead(502).end())
    from.pipe(passed)
  }
  const server = createServer(certificate, pass).listen(0, '127.0.0.1')
  afterFile(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const good = await startProxy(forwarded)
const bad = await startProxy((sent) => ({ ...forwarded(sent), host: 'rapport.internal' }))
const origin = (port: number) => `https://${SITE}:${port}`
const curl = (port: number) => `curl -sS --cacert '${trusted}' --resolve ${SITE}:${port}:127.0.0.1`

const requestsBy = (port: number) =>
  shell.run(
    replaced(blockWith('reverse-proxy', 'readyz'), {
      'curl -sS': curl(port),
      [`https://${SITE}`]: origin(port),
    }),
  )

const post = (path: string, body: object) =>
  `${curl(good)} -i ${origin(good)}/dashboard/api/${path} -H 'Origin: ${origin(good)}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`

beforeAll(async () => {
  const settings = replaced(blockWith('reverse-proxy', 'TRUST_PROXY'), { [`https://${SITE}`]: origin(good) })
  await shell.start(`${settings}\nnpm start\n`)
})

test('the requests of the page succeed through the proxy, and show that a proxy does not pass Host on', async () => {
  expect(await requestsBy(good)).toMatch(/"status":"ready".*400\n$/s)
  expect(await requestsBy(bad)).toMatch(/"status":"ready".*403\n$/s)
})

test('cookies and links are for https, and a client cannot forge its address', async () => {
  const person = { email: 'ada@example.com', password: 'seven green bicycles' }
  const entered = await shell.run(post('sign-up', { name: 'Ada', ...person, organization: { name: 'Acme' } }))
  expect(entered).toMatch(/^set-cookie: __Secure-rapport\.session_token=.*; Secure;/im)
  const forged = "-H 'X-Forwarded-For: 203.0.113.9'"
  const refused = await shell.run(`${post('sign-in', { ...person, password: 'wrong' })} ${forged}`)
  expect(refused).toMatch(/^HTTP\S+ 401/)
  const log = () => shell.run(`cat '${shell.folder}/log'`)
  await expect.poll(log).toContain(`${origin(good)}/verify-email`)
  await expect.poll(log).toMatch(/"address":"127\.0\.0\.1".*"a sign-in was refused"/)
  await shell.stop()
})
