// Upgrades the service from this version to a newer one, made from it, while clients read and write over the API and
// the dashboard: first the migrations, then process by process. No read fails, writes are refused only if the newer
// version changes the written data, and each acknowledged write is stored. The first test then reverts to this version.
import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { NEXT_WRITER, REFUSE_THIS_VERSION } from '../db/next-version.fixture.ts'
import { startService } from '../entry/service-process.fixture.ts'
import { buildTestService } from './build-app.ts'
import { testDatabaseUrl } from './database.ts'
import { environment } from './faults/stage.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { type Load, type Surface, startLoad } from './upgrade/load.ts'
import { makeNextVersion, type NextVersion } from './upgrade/next-version.ts'
import { type Balancer, createBalancer, type Pod, probe, startPod } from './upgrade/pods.ts'

const SECRETS_KEY = Buffer.alloc(32, 7)
const AUTH_SECRET = 'upgrade-tests-k3J9xTq7Wm2Zc8Rb5Vn1Lp6Hd4Gf0SyAQ'
const PODS = 2
const LIMIT_MS = 400_000

/** Migrations of tables that most requests use: those of records, and those of users and keys. */
const COLUMNS = [
  `lock table records, trash, events, objects, attributes in access exclusive mode;
   alter table records add column next_color text not null default 'red';
   alter table objects add column next_color text;
   alter table attributes add column next_color text;
   alter table events add column next_color text;`,
  `alter table users add column next_color text;
   alter table sessions add column next_color text;
   alter table members add column next_color text;
   alter table organizations add column next_color text;
   alter table api_keys add column next_color text;`,
]

const RAISED = [
  `-- writer: ${NEXT_WRITER}
   lock table records, trash, events, objects, attributes in access exclusive mode;
   alter table records add column next_size int;
   ${REFUSE_THIS_VERSION}`.replaceAll(/^ +/gm, ''),
]

const EVERY_RATE = Object.fromEntries(
  ['USER_RATE_LIMIT', 'ORGANIZATION_RATE_LIMIT', 'ADDRESS_RATE_LIMIT'].map((name) => [
    `${name}_PER_MINUTE`,
    '1000000',
  ]),
)

interface World {
  env: Record<string, string>
  surfaces: Surface[]
  /** Names of the stored records. */
  stored(): Promise<string[]>
}

/** A database with an organization that has a key and a member. */
async function furnish(): Promise<World> {
  const { ctx, org: build } = await buildTestService({ authSecret: AUTH_SECRET, secretsKeys: [SECRETS_KEY] })
  const org = await build()
  const { cookie } = await org.member('owner')
  const database = await ctx.db.value<string>(sql`select current_database()`)
  const records = '/objects/companies/records'
  const { body } = await org.post<{ id: string }>(records, { data: { name: 'First' } })
  const reads = [
    ...[`${records}?limit=20`, `${records}?filter[name][equals]=First`, `${records}/${body.id}`],
    ...['/objects', '/activities'],
  ]
  return {
    env: {
      ...environment('', SECRETS_KEY),
      // A slow machine must not cause refusals: the test reports the duration of reads.
      ...{ REQUEST_DEADLINE_SECONDS: '50', SEARCH_SECONDS_MAX: '30' },
      ...{ ...EVERY_RATE, AUTH_SECRET, DATABASE_URL: testDatabaseUrl(database) },
    },
    surfaces: [
      {
        ...{ name: 'API', base: '/api/v1', headers: { authorization: `Bearer ${org.key}` } },
        reads: [...reads, '/events?limit=10'],
      },
      {
        ...{ name: 'dashboard', base: `/dashboard/api/organizations/org-${org.id}`, headers: { cookie } },
        reads: [...reads, '/home'],
      },
    ],
    async stored() {
      const rows = await ctx.db.many<{ name: string }>(sql`
        select data ->> 'name' as name from records
        where org = ${org.org} and data ->> 'name' ~ '^(API|dashboard) '`)
      return rows.map(({ name }) => name)
    },
  }
}

interface Stage extends World {
  balancer: Balancer
  load: Load
  /** Processes of this version. */
  old: Pod[]
}

/** Each process has a separate folder, as on another machine. */
const start = async ({ env }: Pick<World, 'env'>, command?: readonly string[]) =>
  startPod({ ...env, DATA_DIR: await temporaryFolder() }, command)

async function openStage(world: World): Promise<Stage> {
  const balancer = createBalancer()
  const old: Pod[] = []
  for (let nr = 0; nr < PODS; nr++) old.push(await start(world))
  for (const pod of old) await balancer.add(pod)
  const load = startLoad(world.surfaces, balancer)
  onTestFinished(() => load.end())
  return { ...world, balancer, load, old }
}

/** Waits until more than `count` further reads were answered. */
async function readOn({ load: { tally } }: Stage, count = 60): Promise<void> {
  const from = tally.reads
  await expect.poll(() => tally.reads, { timeout: 120_000 }).toBeGreaterThan(from + count)
}

/** Migrates while another transaction, such as an export, uses a table. */
async function migrateBesideExport(stage: Stage, next: NextVersion): Promise<void> {
  const client = new pg.Client({ connectionString: stage.env['DATABASE_URL'] })
  await client.connect()
  await client.query('begin; select from records limit 1')
  const migrating = next.migrate({ ...stage.env, DATA_DIR: await temporaryFolder() })
  try {
    const waiting =
      "select from pg_locks where relation = 'records'::regclass and not granted and mode = 'AccessExclusiveLock'"
    await expect
      .poll(async () => (await client.query(waiting)).rowCount, { timeout: 120_000, interval: 20 })
      .toBe(1)
    // These reads queue behind the waiting migration until its lock request times out.
    await readOn(stage, 200)
  } finally {
    await client.end()
  }
  expect(await migrating).toEqual(next.names)
}

/** Replaces each pod by a new one, one after the other. */
async function roll(stage: Stage, pods: readonly Pod[], command?: readonly string[]): Promise<Pod[]> {
  const started: Pod[] = []
  for (const pod of pods) {
    const other = await start(stage, command)
    await stage.balancer.add(other)
    started.push(other)
    expect(await stage.balancer.remove(pod)).toBe(0)
  }
  return started
}

const report = ({ load: { tally } }: Stage, name: string) => {
  const { reads, slowestReadMs, acknowledged, refusals } = tally
  const times = refusals.map(({ atMs }) => atMs)
  const windowMs = times.length === 0 ? 0 : Math.max(...times) - Math.min(...times)
  process.stdout.write(
    `upgrade: ${name}: ${reads} reads, none failed, slowest ${Math.round(slowestReadMs)} ms; ${acknowledged.length} writes acknowledged, ${refusals.length} refused within ${Math.round(windowMs)} ms\n`,
  )
}

async function settle(stage: Stage, name: string): Promise<void> {
  await stage.load.end()
  const { tally } = stage.load
  expect(stage.balancer.notReady).toEqual([])
  expect(tally.failedReads).toEqual([])
  expect((await stage.stored()).toSorted()).toEqual(tally.acknowledged.toSorted())
  report(stage, name)
}

/** What each process of the older version answers to a balancer; it keeps an answer for a short time. */
async function expectReady({ old }: Stage, status: 'warn' | 'fail', what: RegExp): Promise<void> {
  const condition = { check: 'version', status, detail: expect.stringMatching(what) }
  const conditions = expect.arrayContaining([condition])
  for (const pod of old)
    await expect.poll(() => probe(pod)).toEqual({ status: 200, body: { status: 'ready', conditions } })
}

const [first, second] = [await furnish(), await furnish()]

test('an upgrade that adds to the schema refuses no writes, and the older version can be started again', {
  timeout: LIMIT_MS,
}, async () => {
  const stage = await openStage(first)
  await readOn(stage)
  const next = await makeNextVersion(COLUMNS, { raisesWriter: false })
  await migrateBesideExport(stage, next)
  await expectReady(stage, 'warn', /\(\d+-next\.sql\): this process goes on as before$/)
  await readOn(stage)
  const newer = await roll(stage, stage.old, next.command)
  await readOn(stage)
  await roll(stage, newer)
  await readOn(stage)
  await settle(stage, 'columns are added, and down again')
  expect(stage.load.tally.refusals).toEqual([])
})

test('an upgrade that changes the written data refuses writes until new processes answer', {
  timeout: LIMIT_MS,
}, async () => {
  const stage = await openStage(second)
  const { refusals, acknowledged } = stage.load.tally
  await readOn(stage)
  const next = await makeNextVersion(RAISED, { raisesWriter: true })
  await migrateBesideExport(stage, next)
  await expect.poll(() => refusals.length).toBeGreaterThan(0)
  await expectReady(stage, 'fail', /changes of records by this process are refused$/)
  await roll(stage, stage.old, next.command)
  const before = { refused: refusals.length, acknowledged: acknowledged.length }
  await readOn(stage)
  await settle(stage, 'what is written changes')
  expect(refusals.length).toBe(before.refused)
  expect(acknowledged.length).toBeGreaterThan(before.acknowledged)
  const shown = refusals.map((one) => `${one.status} ${one.retryAfter} ${one.reason} ${one.committed}`)
  expect([...new Set(shown)]).toEqual(['503 2 upgrade no'])
  const older = startService({ ...stage.env, DATA_DIR: await temporaryFolder() })
  expect(await older.exited).toBe(1)
  expect(older.errors()).toMatch(
    /newer version of Rapport \(it has .*, and takes no changes of this one\): start/,
  )
})
