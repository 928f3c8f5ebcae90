// Sends the examples of a guide to the service in order, as a reader would.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Block, blocksOf } from './blocks.ts'
import { type CurlRequest, requestsOf } from './curl.ts'
import { type GuideStage, partyOf } from './stage.ts'

export interface Exchange {
  block: Block
  request: CurlRequest
  status: number
  body: unknown
}

/** The documented answer to the last request. */
export interface Expectation {
  block: Block
  exchange: Exchange
}

export interface Played {
  exchanges: Exchange[]
  expectations: Expectation[]
}

/** The picture that the guides upload. */
export const PICTURE = fileURLToPath(new URL('../../../docs/images/sign-in.png', import.meta.url))

async function send(request: CurlRequest): Promise<{ status: number; body: unknown }> {
  const { method, url, headers, file } = request
  const body = file === undefined ? request.body : await readFile(PICTURE)
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  return { status: response.status, body: await response.json() }
}

interface Named {
  signedUrl?: string
  pagination?: { nextCursor?: string }
}

/** Variables that the next example may take from this answer. */
const namedIn = ({ signedUrl, pagination }: Named): Record<string, string> => ({
  ...(signedUrl !== undefined && { SIGNED_URL: signedUrl }),
  ...(pagination?.nextCursor !== undefined && { CURSOR: pagination.nextCursor }),
})

/** Sends the request of every curl command, in order. */
export async function play(guide: string, stage: GuideStage): Promise<Played> {
  const { variables } = await partyOf(guide, stage)
  const played: Played = { exchanges: [], expectations: [] }
  let last: Exchange | undefined
  for (const block of blocksOf(guide)) {
    if (block.language === 'json' && last) played.expectations.push({ block, exchange: last })
    last = undefined
    if (block.language !== 'sh' || block.info['sample']) continue
    for (const read of requestsOf(block.text, () => variables)) {
      const request = read()
      const answer = await send(request)
      last = { block, request, ...answer }
      played.exchanges.push(last)
      Object.assign(variables, namedIn(answer.body as Named))
    }
  }
  return played
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The example with the answer's text in place of each `…`; unchanged if the two differ. */
export function asAnswered(example: unknown, answer: unknown): unknown {
  if (typeof example === 'string' && example.includes('…')) {
    const pattern = new RegExp(`^${example.split('…').map(escaped).join('.*')}$`)
    return typeof answer === 'string' && pattern.test(answer) ? answer : example
  }
  if (typeof example !== 'object' || example === null) return example
  if (Array.isArray(example))
    return example.map((one, index) => asAnswered(one, (answer as unknown[])?.[index]))
  return Object.fromEntries(
    Object.entries(example).map(([name, one]) => [
      name,
      asAnswered(one, (answer as Record<string, unknown>)?.[name]),
    ]),
  )
}
