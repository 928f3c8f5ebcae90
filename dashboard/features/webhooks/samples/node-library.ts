// A receiver in Node.js that verifies with the package `standardwebhooks`.
export const nodeLibrarySample = (secret: string): string => `// npm install standardwebhooks
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook('${secret}')

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    // The body exactly as it came: parsed and written again, its signature would no longer fit.
    const event = webhook.verify(Buffer.concat(chunks), request.headers)
    console.log(event.type, event.id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end('Not signed by Rapport')
  }
})

server.listen(process.env.PORT ?? 4000, () => console.log('Listening on port', server.address().port))
`
