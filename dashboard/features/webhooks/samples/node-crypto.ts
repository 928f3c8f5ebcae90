// A receiver in Node.js without packages, which verifies step by step.
export const nodeCryptoSample = (
  secret: string,
): string => `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from('${secret}'.slice('whsec_'.length), 'base64')

function isGenuine(headers, body) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature'] ?? ''

  // An old request may be a recorded one, sent again: five minutes are enough for clocks that differ.
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 5 * 60
  if (!isRecent) return false

  const expected = createHmac('sha256', key).update(id + '.' + timestamp + '.').update(body).digest()
  // While a secret is rotated there are two signatures, with a space between them.
  return signatures.split(' ').some((signature) => {
    const [version, encoded = ''] = signature.split(',')
    const given = Buffer.from(encoded, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  // The body exactly as it came: parsed and written again, its signature would no longer fit.
  const body = Buffer.concat(chunks)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end('Not signed by Rapport')
  const event = JSON.parse(body.toString())
  console.log(event.type, event.id)
  response.writeHead(204).end()
})

server.listen(process.env.PORT ?? 4000, () => console.log('Listening on port', server.address().port))
`
