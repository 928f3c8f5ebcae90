// Imports a CRM data set of four CSV files by four commands, with references by name. A second run changes nothing.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../server/test/build-app.ts'
import { POOLER_ENVIRONMENT } from '../server/test/child-environment.ts'
import { testDatabaseUrl } from '../server/test/database.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { json, runInside } from './cli.fixture.ts'
import { crmDataSet } from './crm-data-set.fixture.ts'

const service = await buildTestService()
const org = await service.org()
const folder = await temporaryFolder('crm')
const { name: database } = await service.ctx.directory.one<{ name: string }>(
  sql`select current_database() as name`,
)
const env = { ...POOLER_ENVIRONMENT, DATABASE_URL: testDatabaseUrl(database), DATA_DIR: folder }

async function idOf(path: string, body: object): Promise<unknown> {
  const reply = await org.post(path, body)
  expect([reply.status, reply.body]).toMatchObject([201, {}])
  return reply.body['id']
}

type Attribute = Record<string, unknown> & { name: string; type: string }

async function object(pluralName: string, singularName: string, attributes: readonly Attribute[]) {
  const id = await idOf('/objects', { pluralName, singularName })
  for (const attribute of attributes) await idOf(`/objects/${String(id)}/attributes`, attribute)
  return id
}

const unique = (name: string) => ({ name, type: 'text', isUnique: true, isRequired: true })
const text = (name: string) => ({ name, type: 'text' })
const number = (name: string) => ({ name, type: 'number' })
const reference = (name: string, id: unknown) => ({
  name,
  type: 'reference',
  config: { allowed_object_id: id },
})

async function buildModel(): Promise<void> {
  const accounts = await object('Accounts', 'Account', [
    ...[
      unique('Account'),
      text('Sector'),
      number('Year established'),
      number('Revenue'),
      number('Employees'),
    ],
    text('Office location'),
  ])
  await idOf('/objects/accounts/attributes', reference('Subsidiary of', accounts))
  const products = await object('Products', 'Product', [
    ...[unique('Product'), text('Series'), number('Sales price')],
  ])
  const teams = await object('Teams', 'Agent', [
    ...[unique('Sales agent'), text('Manager'), text('Regional office')],
  ])
  const options = ['Prospecting', 'Engaging', 'Won', 'Lost']
  await object('Pipeline', 'Opportunity', [
    ...[unique('Opportunity ID'), reference('Sales agent', teams), reference('Product', products)],
    ...[reference('Account', accounts), { name: 'Deal stage', type: 'select', config: { options } }],
    ...[{ name: 'Engage date', type: 'date' }, { name: 'Close date', type: 'date' }, number('Close value')],
  ])
}

interface Report {
  created: number
  updated: number
  failed: number
  related: Record<string, number>
  changeSetId: string | null
}

async function importAll(): Promise<Record<string, Report>> {
  const matched = {
    accounts: 'account',
    products: 'product',
    teams: 'sales_agent',
    pipeline: 'opportunity_id',
  }
  const reports: Record<string, Report> = {}
  for (const [slug, matchOn] of Object.entries(matched)) {
    const args = [
      'import',
      '--org',
      org.id,
      '--object',
      slug,
      join(folder, `${slug}.csv`),
      '--strict',
      '--json',
    ]
    const more = ['--match-on', matchOn, ...(slug === 'accounts' ? ['--create-missing'] : [])]
    reports[slug] = await json<Report>(runInside([...args, ...more], env))
  }
  return reports
}

const total = async (slug: string, query = '') =>
  (await org.get<{ pagination: { total: number } }>(`/objects/${slug}/records?limit=1${query}`)).body
    .pagination.total

/** The versions of all records. */
const versions = () =>
  service.ctx.db.many<{ id: string; version: number }>(
    sql`select id, version from records where org = ${org.org} order by id`,
  )

const countEvents = () =>
  service.ctx.db.value<number>(sql`select count(*)::int as count from events where org = ${org.org}`)

test('four imports create records with references by name, and a repetition changes nothing', async () => {
  const files = crmDataSet()
  for (const [slug, content] of Object.entries(files)) await writeFile(join(folder, `${slug}.csv`), content)
  await buildModel()

  expect(await importAll()).toMatchObject({
    // Five groups are named before their rows, so they are created first, and their rows update them.
    accounts: { created: 80, updated: 5, failed: 0, related: { accounts: 5 } },
    products: { created: 7, updated: 0, failed: 0 },
    teams: { created: 35, updated: 0, failed: 0 },
    pipeline: { created: 8800, updated: 0, failed: 0 },
  })
  const rows = files.pipeline.split('\n').slice(1)
  expect(await total('pipeline')).toBe(8800)
  expect(await total('pipeline', '&filter[product][isNotEmpty]=true')).toBe(8800)
  const ofBasic = rows.filter((row) => row.split(',')[2]?.toLowerCase() === 'gtx basic')
  expect(await total('pipeline', '&filter[product.product][equals]=GTX%20Basic')).toBe(ofBasic.length)
  expect(await total('pipeline', '&filter[account][isEmpty]=true')).toBe(
    rows.filter((row) => row.split(',')[3] === '').length,
  )
  expect(await total('accounts', '&filter[subsidiary_of][isNotEmpty]=true')).toBe(15)

  const [before, events] = [await versions(), await countEvents()]
  const second = await importAll()
  for (const report of Object.values(second)) {
    expect(report).toMatchObject({ created: 0, updated: 0, failed: 0, changeSetId: null })
    expect(report.related).toEqual({})
  }
  expect(second['pipeline']).toMatchObject({ updated: 0, unchanged: 8800 })
  expect(await versions()).toEqual(before)
  expect(await countEvents()).toBe(events)
})
