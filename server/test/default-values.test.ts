// Every way to create a record sets the defaults of missing attributes. Updates of existing records never set defaults.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CheckedRow } from '../../contract/pasted-cells.ts'
import type { CrmRecord } from '../../contract/records.ts'
import { imported, mapping } from '../imports/imports.fixture.ts'
import { jobOf, linesOf, queuedJob, work } from '../record-jobs/jobs.fixture.ts'
import { importTable } from '../record-jobs/tables.fixture.ts'
import { stepRunner } from '../workflows/steps/steps.fixture.ts'
import { step } from '../workflows/workflow.fixture.ts'
import { buildTestService } from './build-app.ts'
import type { Org } from './factories.ts'

const service = await buildTestService()
const RECORDS = '/objects/projects/records'
const STAGE = '/objects/projects/attributes/stage'

/** Projects with a unique code, a required stage and a rank; both have defaults, which are newer than one record. */
async function setUp() {
  const org = await service.org()
  const { body } = await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  const add = async (attribute: object) =>
    expect((await org.post('/objects/projects/attributes', attribute)).status).toBe(201)
  await add({ name: 'Code', type: 'text', isUnique: true })
  const { body: before } = await org.post<CrmRecord>(RECORDS, { data: { code: 'before' } })
  const config = { options: ['New', 'Won'] }
  await add({ name: 'Stage', type: 'select', config, isRequired: true, defaultValue: 'New' })
  await add({ name: 'Rank', type: 'number', defaultValue: 3 })
  const byCode = async (code: string) => (await org.get<CrmRecord>(`${RECORDS}/by/code/${code}`)).body
  return { org, objectId: String(body['id']), before, byCode }
}

const problems = ({ body }: { body: object }) =>
  (body as { details: { errors: { path: string; code: string }[] } }).details.errors.map(
    ({ path, code }) => `${path}: ${code}`,
  )

const make = (org: Org, data: object) => org.post<CrmRecord>(RECORDS, { data })

describe('a single record', () => {
  test('gets the defaults of missing attributes, also of required ones, and its event contains them', async () => {
    const { org } = await setUp()
    expect((await make(org, { code: 'a' })).body.data).toEqual({ code: 'a', stage: 'New', rank: 3 })
    expect((await org.events()).at(-1)).toMatchObject({
      type: 'record.created',
      data: { code: 'a', stage: 'New', rank: 3 },
    })
    expect((await make(org, { stage: 'Won', rank: 1 })).body.data).toEqual({ stage: 'Won', rank: 1 })
  })

  test('is refused when defaults make it too large, and accepted with null for them', async () => {
    const org = await service.org()
    await org.post('/objects', { pluralName: 'Pages', singularName: 'Page' })
    const long = { type: 'text', defaultValue: 'x'.repeat(9990) }
    const slugs = Array.from({ length: 28 }, (_, index) => `text_${index}`)
    for (const slug of slugs)
      expect((await org.post('/objects/pages/attributes', { ...long, name: slug, slug })).status).toBe(201)
    const refused = await org.post('/objects/pages/records', { data: { text_0: 'a' } })
    expect(problems(refused)).toEqual(['data: too_large'])
    expect((refused.body as { message: string }).message).toContain('send null for attributes whose default')
    const data = { text_0: 'a', text_1: null, text_2: null }
    expect((await org.post('/objects/pages/records', { data })).status).toBe(201)
  })

  test('has no value where null was sent, and null is refused for a required attribute', async () => {
    const { org } = await setUp()
    expect((await make(org, { rank: null })).body.data).toEqual({ stage: 'New' })
    expect(problems(await make(org, { stage: null }))).toEqual(['data.stage: required'])
  })

  test('that already exists gets no defaults', async () => {
    const { org, before, byCode } = await setUp()
    expect(await byCode('before')).toEqual(before)
    const patched = await org.patch<CrmRecord>(`${RECORDS}/${before.id}`, { data: { rank: 1 } })
    expect(patched.body.data).toEqual({ code: 'before', rank: 1 })
    const upserted = await org.put<CrmRecord>(`${RECORDS}/by/code/before`, { data: { rank: 2 } })
    expect(upserted.body.data).toEqual({ code: 'before', rank: 2 })
  })

  test('that an upsert by a value creates gets the defaults', async () => {
    const { org } = await setUp()
    const created = await org.put<CrmRecord>(`${RECORDS}/by/code/new`, { data: { rank: null } })
    expect(created).toMatchObject({ status: 201, body: { data: { code: 'new', stage: 'New' } } })
    expect(created.body.data).not.toHaveProperty('rank')
  })

  test('does not get a stored default that is invalid by the current rules', async () => {
    const { org } = await setUp()
    await service.ctx.db.run(sql`
      update attributes set default_value = '"Lost"' where org = ${org.org} and slug in ('stage', 'rank')`)
    await org.patch('/objects/projects/attributes/rank', { name: 'Place' })
    expect(problems(await make(org, {}))).toEqual(['data.stage: required'])
    expect((await make(org, { stage: 'Won' })).body.data).toEqual({ stage: 'Won' })
    expect(problems(await make(org, { code: 1 }))).toEqual([
      'data.code: invalid_type',
      'data.stage: required',
    ])
  })
})

describe('several records', () => {
  test('of a bulk write get the defaults only when they are created', async () => {
    const { org, byCode } = await setUp()
    const records = [
      { data: { code: 'before', rank: 1 } },
      { data: { code: 'b' } },
      { data: { code: 'c', rank: null } },
    ]
    const upsert = { mode: 'upsert', matchOn: 'code', records }
    expect((await org.post(`${RECORDS}/bulk`, upsert)).body).toMatchObject({
      results: [{ status: 'updated' }, { status: 'created' }, { status: 'created' }],
    })
    expect((await byCode('before')).data).toEqual({ code: 'before', rank: 1 })
    expect((await byCode('b')).data).toEqual({ code: 'b', stage: 'New', rank: 3 })
    expect((await byCode('c')).data).toEqual({ code: 'c', stage: 'New' })
    await org.post(`${RECORDS}/bulk`, { records: [{ data: { code: 'd' } }] })
    expect((await byCode('d')).data).toEqual({ code: 'd', stage: 'New', rank: 3 })
  })

  test('that createMissing makes for references get the defaults', async () => {
    const { org, objectId, byCode } = await setUp()
    const config = { allowed_object_id: objectId }
    await org.post('/objects/people/attributes', { name: 'Project', type: 'reference', config })
    const data = { name: 'Ada', project: { code: 'e' } }
    expect((await org.post('/objects/people/records', { data, createMissing: true })).status).toBe(201)
    expect((await byCode('e')).data).toEqual({ code: 'e', stage: 'New', rank: 3 })
  })

  test('of a job get the defaults only when they are created', async () => {
    const { org, byCode } = await setUp()
    const lines = linesOf([{ data: { code: 'before', rank: 1 } }, { data: { code: 'f' } }])
    const job = await queuedJob(org, lines, { objectId: 'projects', matchOn: 'code' })
    await work(service, org, job)
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed' })
    expect((await byCode('before')).data).toEqual({ code: 'before', rank: 1 })
    expect((await byCode('f')).data).toEqual({ code: 'f', stage: 'New', rank: 3 })
  })
})

describe('a file', () => {
  const path = '/objects/projects/imports?fileName=projects.csv'

  test('without a column of a required attribute, and with empty cells, is imported with defaults', async () => {
    const { org, byCode } = await setUp()
    const member = await org.member('member')
    const text = 'code,rank\ng,\nh,7\n'
    const file = await imported(service, member, { text, path, mapping: mapping('code', 'rank') })
    expect(file).toMatchObject({ state: 'completed' })
    expect((await byCode('g')).data).toEqual({ code: 'g', stage: 'New', rank: 3 })
    expect((await byCode('h')).data).toEqual({ code: 'h', stage: 'New', rank: 7 })
  })

  test('is imported by the command line without a column of a required attribute with a default', async () => {
    const { org, byCode } = await setUp()
    const outcome = await importTable(service, org, 'code\nm\n', { objectId: 'projects' })
    expect(outcome).toMatchObject({ created: 1, failed: 0 })
    expect((await byCode('m')).data).toEqual({ code: 'm', stage: 'New', rank: 3 })
  })

  test('that updates records sets no defaults for empty cells', async () => {
    const { org, byCode } = await setUp()
    const member = await org.member('member')
    const check = { mapping: mapping('code', 'rank'), matchOn: 'code' }
    const file = await imported(service, member, { text: 'code,rank\nbefore,\ni,\n', path, ...check })
    expect(file).toMatchObject({ state: 'completed' })
    expect((await byCode('before')).data).toEqual({ code: 'before' })
    expect((await byCode('i')).data).toEqual({ code: 'i', stage: 'New', rank: 3 })
  })

  test('pasted into a table omits empty cells of new records', async () => {
    const { org, before } = await setUp()
    const member = await org.member('member')
    const rows = [{ cells: ['j', '', ''] }, { id: before.id, cells: ['before', '', 'Won'] }]
    const body = { columns: ['code', 'rank', 'stage'], rows }
    const checked = await member.post<{ rows: CheckedRow[] }>('/objects/projects/pasted-cells/check', body)
    expect(checked.body.rows).toMatchObject([
      { data: { code: 'j' }, problems: [], isRefused: false },
      { data: { rank: null, stage: 'Won' }, problems: [] },
    ])
    expect(checked.body.rows[0]?.data).not.toHaveProperty('rank')
  })
})

test('a workflow step may omit a required attribute with a default', async () => {
  const { org, byCode } = await setUp()
  const { outputs } = stepRunner(service, () => org)
  const [created, upserted] = await outputs([
    step('create_record', { object: 'projects', data: { code: 'k' } }),
    step('upsert_record', { object: 'projects', matchOn: 'code', data: { code: 'before', rank: 1 } }),
  ])
  expect(created).toMatchObject({ data: { code: 'k', stage: 'New', rank: 3 } })
  expect(upserted).toMatchObject({ data: { code: 'before', rank: 1 } })
  expect((await byCode('before')).data).toEqual({ code: 'before', rank: 1 })
  const owner = await org.member('owner')
  const steps = [step('create_record', { object: 'projects', data: { code: 'l' } })]
  const check = () =>
    owner.post<{ problems: { path: string }[] }>('/workflow-check', {
      definition: { trigger: 'manual', steps },
    })
  expect((await check()).body).toEqual({ problems: [] })
  await org.patch(STAGE, { defaultValue: null })
  expect((await check()).body).toMatchObject({
    problems: [{ path: 'steps[0].config.data.stage', code: 'required' }],
  })
})
