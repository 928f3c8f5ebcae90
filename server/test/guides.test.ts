// All code in the guides works: requests are sent to the service; programs are compiled against clients that two
// generators made from the API document, and run.
import { readFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentedBody } from '../webhooks/examples.ts'
import { readDocument } from './api-document.ts'
import { documentedExamples, exampleOf } from './clients/examples.ts'
import { calledExamples, typedExamples } from './clients/programs.ts'
import { createWorkspace, generateClients, type Workspace } from './clients/workspace.ts'
import { type Block, blocksOf, GUIDE_NAMES, guideText } from './guides/blocks.ts'
import { asAnswered, PICTURE, play } from './guides/exchanges.ts'
import { openGuideStage, partyOf } from './guides/stage.ts'

const README = '../../README'

const stage = await openGuideStage()
const document = await readDocument(stage.service)
const blocks = GUIDE_NAMES.flatMap(blocksOf)
const played = await Promise.all([...GUIDE_NAMES, README].map((name) => play(name, stage)))
const exchanges = played.flatMap((one) => one.exchanges)
const expectations = played.flatMap((one) => one.expectations)

const placeOf = ({ guide, line }: Block) => `${guide}.md:${line}`

describe('requests', () => {
  const refused = new Set(
    expectations
      .filter(({ block }) => block.text.includes('"error"'))
      .map(({ exchange }) => exchange.request),
  )
  const cases = exchanges.map((one) => ({ ...one, title: `${placeOf(one.block)} ${one.request.method}` }))

  test('are found in the guides', () => expect(exchanges.length).toBeGreaterThan(15))

  test.each(cases)('$title succeeds, or is refused as documented in the guide', ({ request, status, body }) =>
    expect({ body, isRefused: status >= 400 }).toEqual({ body, isRefused: refused.has(request) }),
  )

  test.each(expectations.map((one) => ({ ...one, title: placeOf(one.block) })))(
    '$title equals the answer',
    ({ block, exchange }) => {
      const answer: unknown = JSON.parse(
        JSON.stringify(exchange.body).replaceAll(stage.url, 'https://crm.example.com'),
      )
      expect(answer).toEqual(asAnswered(JSON.parse(block.text), answer))
    },
  )
})

/** The tests of workflows and of reports read the definitions in these guides. */
const READ_ELSEWHERE = ['workflows', 'reports']
const COMMAND = /^(?:#|export |curl |npx |npm |rapport |\s|"|$)/

function isTested({ guide, language, info, text }: Block): boolean {
  if (info['sample'] || info['file'] || language === 'http') return true
  if (language === 'sh') return text.split('\n').every((line) => COMMAND.test(line))
  return READ_ELSEWHERE.includes(guide) || expectations.some(({ block }) => block.text === text)
}

test('every block of code in the guides is tested', () =>
  expect(blocks.filter((block) => !isTested(block)).map(placeOf)).toEqual([]))

test('the request in the webhook guide has a valid signature for its secret', () => {
  const [block] = blocksOf('webhooks').filter(({ language }) => language === 'http')
  const [head = '', body = ''] = block?.text.trim().split('\n\n') ?? []
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? ''
  const secret = /`(whsec_[A-Za-z0-9+/=]{40,})`/.exec(guideText('webhooks'))?.[1] ?? ''
  const at = new Date(Number(header('webhook-timestamp')) * 1000)
  expect(new Webhook(secret).sign(header('webhook-id'), at, body)).toBe(header('webhook-signature'))
})

/** Applies events to a copy, including a late one and a repeated one. */
const COPYING = `
const { apply } = await import("./keep-copy.ts")
const copies = new Map()
const events = ${JSON.stringify([documentedBody('record.updated'), documentedBody('record.created'), documentedBody('record.deleted'), documentedBody('record.deleted')])}
console.log(events.map((event) => apply(copies, event)).join(' '), JSON.stringify([...copies.values()]))
`

describe('clients that are generated from the API document', () => {
  const programs = blocks.filter(({ info }) => info['file'])
  let workspace: Workspace

  beforeAll(async () => {
    workspace = await createWorkspace()
    await generateClients(workspace, document)
    const sent = exchanges.flatMap((one) => exampleOf(document, one) ?? [])
    const examples = [...sent, ...documentedExamples(document)]
    await workspace.write('typed-examples.ts', typedExamples(examples, document))
    await workspace.write('called-examples.ts', calledExamples(examples))
    await workspace.write('copying.js', COPYING)
    await workspace.write('ada.png', await readFile(PICTURE))
    for (const { info, text } of programs) await workspace.write(info['file'] ?? '', text)
  })
  afterAll(() => workspace.remove())

  test('compile with every example and every program', async () => expect(await workspace.compile()).toBe(''))

  async function run(file: string): Promise<string> {
    const { org } = await partyOf('clients', stage)
    const people = [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper', email: 'grace@example.com' }]
    for (const data of people) await org.post('/objects/people/records', { data })
    return workspace.node([file], { RAPPORT_URL: stage.url, RAPPORT_KEY: org.key })
  }

  const PRINTED: Readonly<Record<string, RegExp>> = {
    'create-company.ts': /^created [0-9a-f-]{36}\n$/,
    'search-people.ts': /^[0-9a-f-]{36} undefined\n[0-9a-f-]{36} grace@example\.com\n$/,
    'plan-call.ts': /^planned true\n$/,
    'upload-file.ts': /^uploaded http:\S+\n$/,
    'follow-feed.ts': /^up to date\n$/,
    'keep-copy.ts': /^$/,
    'sync.ts': /^in step\n$/,
    'copying.js': /^true false true false \[\{"version":3\}\]\n$/,
  }

  test('are used by the programs of the guides, all of which are run', () =>
    expect(Object.keys(PRINTED)).toEqual(expect.arrayContaining(programs.map(({ info }) => info['file']))))

  test.each(Object.entries(PRINTED))('%s prints the documented output', async (file, printed) =>
    expect(await run(file)).toMatch(printed),
  )
})
