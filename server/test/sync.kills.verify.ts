// The program of docs/guide/sync.md keeps two systems equal, even if it or the service is killed at any of its
// requests, before the service gets the request or before the answer arrives.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { afterFile } from './after-file.ts'
import { readDocument } from './api-document.ts'
import { buildTestService } from './build-app.ts'
import { CHILD_ENVIRONMENT } from './child-environment.ts'
import { createWorkspace, generateClients, type Workspace } from './clients/workspace.ts'
import { testDatabaseUrl } from './database.ts'
import { bodyOf } from './factories.ts'
import { environment } from './faults/stage.ts'
import { blocksOf } from './guides/blocks.ts'
import { createLives, type Life } from './ledger/life.ts'
import { type Book, openBook, type Values } from './sync/book.ts'
import { openGateway } from './sync/gateway.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SECRETS_KEY = Buffer.alloc(32, 7)
const PEOPLE = '/objects/people/records'

const service = await buildTestService({ secretsKeys: [SECRETS_KEY] })
const lives = createLives()
const gateway = await openGateway()
const org = await service.org()
let workspace: Workspace
let book: Book
let env: Record<string, string>
let life: Life

async function begin(): Promise<void> {
  life = await lives.begin({ env, onLog: () => undefined })
  gateway.forwardTo(life.address)
}

interface Run {
  /** null: the program was killed. */
  code: number | null
  output: string
}

function run(): { program: ReturnType<typeof spawn>; ended: Promise<Run> } {
  const program = spawn(process.execPath, ['sync.ts'], {
    cwd: workspace.folder,
    env: { ...CHILD_ENVIRONMENT, RAPPORT_URL: gateway.url, RAPPORT_KEY: org.key, HOME: workspace.folder },
  })
  let output = ''
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (data) => {
      output += String(data)
    })
  const ended = once(program, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { program, ended }
}

const inStep = { code: 0, output: 'in step\n' }

beforeAll(async () => {
  const folder = await temporaryFolder('sync')
  afterFile(() => gateway.close())
  afterFile(() => lives.killAll())
  workspace = await createWorkspace()
  afterFile(() => workspace.remove())
  await generateClients(workspace, await readDocument(service))
  const [block] = blocksOf('sync').filter(({ info }) => info['file'] === 'sync.ts')
  await workspace.write('sync.ts', block?.text ?? '')
  const { name } = await service.ctx.directory.one<{ name: string }>(sql`select current_database() as name`)
  env = { ...environment(folder, SECRETS_KEY), DATABASE_URL: testDatabaseUrl(name) }
  await begin()
  await org.post(PEOPLE, { data: { name: 'Ada', email: 'ada@example.com' } })
  expect(await run().ended).toEqual(inStep)
  book = openBook(join(workspace.folder, 'book.db'))
  afterFile(() => book.close())
})

const pathOf = (email: string) => `${PEOPLE}/by/email/${email}`

const idOf = async (email: string) => (await org.get<{ id: string }>(pathOf(email))).body.id

const FIELDS = ['name', 'email', 'job_title']

/** The values that the program keeps equal, in the order of email addresses. */
const comparable = (people: readonly Values[]): Values[] =>
  people
    .map((data) => Object.fromEntries(FIELDS.map((field) => [field, data[field] ?? null])))
    .toSorted((a, b) => String(a['email']).localeCompare(String(b['email'])))

interface Page {
  records: { data: Values }[]
  pagination: { nextCursor?: string }
}

async function people(): Promise<Values[]> {
  const found: Values[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const { body } = await org.get<Page>(`${PEOPLE}?limit=100${cursor ? `&cursor=${cursor}` : ''}`)
    found.push(...body.records.map(({ data }) => data))
    cursor = body.pagination.nextCursor
  }
  return found
}

const DEATHS = ['program before', 'program after', 'service during', 'service after'] as const
type Death = (typeof DEATHS)[number]

/** The first three requests only read: kills of the service there would test nothing new. */
const CASES = DEATHS.flatMap((death) =>
  (death.startsWith('service') ? [4, 6, 8] : [1, 2, 3, 4, 5, 6, 7, 8]).map((at) => ({
    death,
    at,
    tag: `${DEATHS.indexOf(death)}-${at}`,
  })),
)

const ROLES = ['ours', 'theirs', 'contested', 'removed', 'deleted', 'restored', 'rewritten', 'busy']

/** Ids of people in the trash who will be restored, by tag. */
const trashed = new Map<string, string>()

/** Creates people for every case on both sides, one for each kind of change. */
beforeAll(async () => {
  for (const { tag } of CASES) {
    const records = ROLES.map((role) => ({ data: { name: role, email: `${role}-${tag}@example.com` } }))
    expect(await org.post(`${PEOPLE}/bulk`, { mode: 'create', records })).toMatchObject({ status: 200 })
  }
  expect(await run().ended).toEqual(inStep)
  for (const { tag } of CASES) {
    const id = await idOf(`restored-${tag}@example.com`)
    await org.delete(`${PEOPLE}/${id}`)
    trashed.set(tag, id)
  }
  expect(await run().ended).toEqual(inStep)
})

/** Makes each kind of change on both sides. */
async function changeBoth(tag: string): Promise<void> {
  book.add({ name: 'New here', email: `here-${tag}@example.com` })
  book.add({ name: 'Both', email: `both-${tag}@example.com`, job_title: 'Ours' })
  book.change(`ours-${tag}@example.com`, { job_title: 'CTO' })
  book.change(`contested-${tag}@example.com`, { job_title: 'Ours' })
  book.change(`busy-${tag}@example.com`, { job_title: 'Sent' })
  // The same value in another form, and a value that only the address book has.
  book.change(`rewritten-${tag}@example.com`, { name: 'rewritten', birthday: '10 December' })
  book.remove(`removed-${tag}@example.com`)
  await org.post(PEOPLE, { data: { name: 'New there', email: `there-${tag}@example.com` } })
  await org.post(PEOPLE, { data: { name: 'Both there', email: `both-${tag}@example.com` } })
  await org.put(pathOf(`theirs-${tag}@example.com`), { data: { job_title: 'CEO' } })
  await org.put(pathOf(`contested-${tag}@example.com`), { data: { job_title: 'Theirs', name: 'Renamed' } })
  await org.delete(`${PEOPLE}/${await idOf(`deleted-${tag}@example.com`)}`)
  await org.post(`/objects/people/trashed-records/${trashed.get(tag)}/restore`)
}

const expected = (tag: string): Values[] => [
  { name: { firstName: 'New', lastName: 'here' }, email: `here-${tag}@example.com` },
  { name: { firstName: 'New', lastName: 'there' }, email: `there-${tag}@example.com` },
  { name: { firstName: 'Both' }, email: `both-${tag}@example.com`, job_title: 'Ours' },
  { name: { firstName: 'ours' }, email: `ours-${tag}@example.com`, job_title: 'CTO' },
  { name: { firstName: 'theirs' }, email: `theirs-${tag}@example.com`, job_title: 'CEO' },
  { name: { firstName: 'Renamed' }, email: `contested-${tag}@example.com`, job_title: 'Ours' },
  { name: { firstName: 'busy' }, email: `busy-${tag}@example.com` },
  { name: { firstName: 'rewritten' }, email: `rewritten-${tag}@example.com` },
  { name: { firstName: 'restored' }, email: `restored-${tag}@example.com` },
]

/** Kills the program or the service at a request, and reverts a change that is being sent or still has to be sent. */
async function dieAt(at: number, death: Death, tag: string): Promise<void> {
  const { program, ended } = run()
  const killProgram = () => program.kill('SIGKILL')
  const changeBusy = () => book.change(`busy-${tag}@example.com`, { job_title: null })
  const killed = Promise.withResolvers<void>()
  const killService = () => life.kill().then(killed.resolve)
  gateway.interrupt({
    at,
    before() {
      changeBusy()
      if (death === 'program before') killProgram()
      // The service has the request when it is killed.
      if (death === 'service during') void killService()
    },
    after() {
      if (death === 'program after') killProgram()
      return death === 'service after' ? killService() : undefined
    },
  })
  const { code } = await ended
  expect(code).not.toBe(0)
  if (!death.startsWith('service')) return
  await killed.promise
  await begin()
}

test.each(CASES)('both systems are equal after a kill at request $at: $death', async ({ death, at, tag }) => {
  await changeBoth(tag)
  await dieAt(at, death, tag)
  // The third run sends changes that were made while the second one sent.
  for (let runs = 0; runs < 3; runs++) expect(await run().ended).toEqual(inStep)
  gateway.methods()
  expect(await run().ended).toEqual(inStep)
  expect(gateway.methods().filter((method) => method !== 'GET')).toEqual([])
  const found = await people()
  expect(comparable(found)).toEqual(comparable(book.contacts()))
  const ofCase = found.filter(({ email }) => String(email).includes(`-${tag}@`))
  expect(comparable(ofCase)).toEqual(comparable(expected(tag)))
  const rewritten = book.contacts().find(({ email }) => email === `rewritten-${tag}@example.com`)
  expect(rewritten).toMatchObject({ birthday: '10 December' })
})

test('a refused contact is reported, and sent again after its correction', async () => {
  book.add({ name: 'Refused', email: 'refused@example' })
  const { code, output } = await run().ended
  expect(code).toBe(1)
  expect(output).toMatch(/^contact \d+: .*email/)
  book.change('refused@example', { email: 'refused@example.com' })
  expect(await run().ended).toEqual(inStep)
  expect(await idOf('refused@example.com')).toEqual(expect.any(String))
})

test('the contact of an erased person has no more data', async () => {
  book.add({ name: 'Erased', email: 'erased@example.com', birthday: '10 December' })
  expect(await run().ended).toEqual(inStep)
  const path = `${PEOPLE}/${await idOf('erased@example.com')}/erasure`
  const body = bodyOf(await org.post<{ id: string }>(path, { confirm: path.split('/').at(-2) }), 201)
  const stateOf = async () => (await org.get(`/privacy/requests/${body.id}`)).body['state']
  await expect.poll(stateOf, { interval: 50 }).toBe('completed')
  expect(await run().ended).toEqual(inStep)
  expect(book.texts()).not.toContain('erased@example.com')
})
