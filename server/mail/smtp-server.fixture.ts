// A minimal mail server for tests: it accepts every message, or refuses every recipient.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterFile } from '../test/after-file.ts'

interface SmtpServer {
  url: string
  /** The complete messages in their received form. */
  messages: string[]
}

/** @param refusal the answer to every recipient; `silence`: the server never answers */
export async function startSmtpServer(refusal?: string): Promise<SmtpServer> {
  const messages: string[] = []
  const server = createServer((socket) => {
    let [lines, data]: [string, string | undefined] = ['', undefined]
    const say = (line: string) => socket.write(`${line}\r\n`)
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'DATA') data = ''
      if (verb === 'QUIT') return socket.end('221 bye\r\n')
      if (verb === 'RCPT' && refusal) return say(refusal)
      return say(verb === 'DATA' ? '354 go on' : '250 ok')
    }
    const take = (line: string) => {
      if (data === undefined) return command(line)
      if (line !== '.') {
        data += `${line}\n`
        return
      }
      messages.push(data)
      data = undefined
      return say('250 taken')
    }
    socket.on('error', () => undefined)
    if (refusal === 'silence') return
    say('220 test')
    socket.on('data', (chunk) => {
      lines += chunk.toString()
      const whole = lines.split('\r\n')
      lines = whole.pop() ?? ''
      for (const line of whole) take(line)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, messages }
}
