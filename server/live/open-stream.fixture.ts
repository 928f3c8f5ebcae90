// A client of the stream of live updates, for tests.
import { expect } from 'vitest'
import type { LiveChange } from '../../contract/live.ts'

export interface Message {
  id: string | undefined
  event: string
  data: Record<string, unknown>
}

export interface OpenStream {
  response: Response
  /** Messages so far; heartbeats are left out. */
  messages: Message[]
  text(): string
  /** The changes announced so far, without duplicates, such as `record.created <id>`. */
  announced(): string[]
  /** Settles when the service has ended the stream; rejects if the connection broke. */
  ended: Promise<void>
  close(): void
}

function toMessage(block: string): Message[] {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => line.split(/: ?(.*)/s, 2) as [string, string]),
  )
  const event = fields.get('event')
  return event && event !== 'beat'
    ? [{ id: fields.get('id'), event, data: JSON.parse(fields.get('data') ?? '') }]
    : []
}

const namesOf = ({ data }: Message) =>
  ((data['changes'] ?? []) as LiveChange[]).flatMap(({ type, ids }) =>
    (ids ?? ['many']).map((id) => `${type} ${id}`),
  )

export async function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  let text = ''
  const messages: Message[] = []
  const read = async () => {
    let rest = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      const blocks = (rest + piece).split('\n\n')
      rest = blocks.pop() ?? ''
      messages.push(...blocks.flatMap(toMessage))
    }
  }
  const ended = response.ok ? read() : Promise.resolve()
  ended.catch(() => undefined)
  return {
    response,
    messages,
    text: () => text,
    announced: () => [...new Set(messages.flatMap(namesOf))],
    ended,
    close: () => abort.abort(),
  }
}

const SOON = { interval: 20 }

/** Waits until the stream has announced `names`: transactions of other tests can delay events briefly. */
export const expectAnnounced = (stream: OpenStream, ...names: string[]) =>
  expect.poll(() => stream.announced(), SOON).toEqual(expect.arrayContaining(names))
