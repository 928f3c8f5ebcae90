// The commands about records as a user runs them: files, pipes, signals, exit codes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../server/test/child-environment.ts'
import { helpOf, MAIN, openCli } from './cli.fixture.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { migrateCommand } from './migrate.ts'
import { seedCommand } from './seed.ts'

const COMPANIES = fileURLToPath(new URL('../samples/companies.csv', import.meta.url))
// PORT=0: the system chooses a free port.
const { pool, folder, env, rapport } = await openCli({ PORT: '0' })
const at = (name: string) => join(folder, name)

const IMPORT_COMPANIES = ['import', '--org', 'acme', '--object', 'companies', at('companies.csv')]
const MAPPED = ['--map', 'Security=name', '--map', 'Symbol=domain', '--match-on', 'domain', '--json']

/** Writes the companies, each with a different domain. */
async function writeCompanies(): Promise<void> {
  const text = await readFile(COMPANIES, 'utf8')
  await writeFile(at('companies.csv'), text.replaceAll(/^([A-Z.]+),/gm, '$1.example,'))
}

test('imports a file, imports it again without changes, and exports it', async () => {
  await writeCompanies()
  const first = await rapport([...IMPORT_COMPANIES, ...MAPPED])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(first.stdout)).toEqual({
    created: 503,
    updated: 0,
    unchanged: 0,
    failed: 0,
    skipped: 0,
    skippedRows: [],
    skippedColumns: [
      'GICS Sector',
      'GICS Sub-Industry',
      'Headquarters Location',
      'Date added',
      'CIK',
      'Founded',
    ],
    read: { encoding: 'utf-8', delimiter: ',', dates: 'ymd', decimal: '.' },
    errorFile: null,
    related: {},
    jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    changeSetId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    seconds: expect.any(Number),
  })
  const second = await rapport([...IMPORT_COMPANIES, ...MAPPED])
  expect(JSON.parse(second.stdout)).toMatchObject({
    ...{ created: 0, updated: 0, unchanged: 503, failed: 0, changeSetId: null },
  })

  const exportCompanies = ['export', '--org', 'acme', '--object', 'companies', '--format']
  const toFile = await rapport([...exportCompanies, 'ndjson', '--output', at('companies.ndjson'), '--json'])
  expect(JSON.parse(toFile.stdout)).toMatchObject({ file: at('companies.ndjson'), records: 503 })
  const lines = (await readFile(at('companies.ndjson'), 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).data.name)).toHaveLength(503)
  const toPipe = await rapport([...exportCompanies, 'csv'])
  expect(toPipe).toMatchObject({ code: 0, stderr: '' })
  expect(toPipe.stdout.split('\n')).toHaveLength(505)
})

test('an export ends without an error when its reader ends', async () => {
  await rapport(['seed', '--org', 'acme', '--object', 'people', '--records', '5000'])
  const args = ['export', '--org', 'acme', '--object', 'people', '--format', 'csv']
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...CHILD_ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stderr = text(child.stderr)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = await once(child, 'exit')
  expect({ code, stderr: await stderr }).toEqual({ code: 0, stderr: '' })
})

test('an export that fails leaves no file', async () => {
  const args = [
    'export',
    '--org',
    'acme',
    '--object',
    'nothing',
    '--format',
    'csv',
    '--output',
    at('out.csv'),
  ]
  expect(await rapport(args)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'rapport: No such object: check its id or slug\n',
  })
  expect((await readdir(folder)).filter((name) => name.startsWith('out.csv'))).toEqual([])
})

test('seed reports what it did', async () => {
  const outcome = await rapport(['seed', '--org', 'acme', '--object', 'deals', '--records', '10', '--json'])
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(outcome.stdout)).toMatchObject({ created: 10, failed: 0, perSecond: expect.any(Number) })
})

/** Marks the database as followed, as a worker does every minute. */
const work = () => pool.run(sql`update deletion_clock set followed_at = now()`)

test('doctor reports a healthy installation, and migrate applies nothing', async () => {
  await work()
  const healthy = await rapport(['doctor', '--json'])
  expect(healthy).toMatchObject({ code: 0, stderr: '' })
  expect(healthy.stdout).not.toContain(new URL(env['DATABASE_URL'] ?? '').password)
  const checks = [
    'service',
    'port',
    'configuration',
    'disk',
    'files',
    'keys',
    'mail',
    'database',
    'descriptors',
    'pooler',
    'migrations',
    'version',
    'writing',
    'space',
    'clock',
    'replication',
    'retention',
    'vacuum',
    'worker',
    'work',
    'secrets',
    'stored files',
  ]
  const found = JSON.parse(healthy.stdout).findings.map(({ check }: { check: string }) => check)
  expect([...new Set(found)]).toEqual(checks)
  const away = await rapport(['doctor'], { DATABASE_URL: 'postgresql://none@127.0.0.1:1/nothing' })
  expect(away).toMatchObject({ code: 1, stderr: '' })
  expect(away.stdout).toMatch(
    /^fail {2}database +the database at 127\.0\.0\.1:1 cannot be used: nothing listens there .*\n +start PostgreSQL/m,
  )
  expect(await rapport(['migrate', '--json'])).toEqual({ code: 0, stdout: '{"applied":[]}\n', stderr: '' })
})

test('doctor shows messages that could not be sent, and whether the mail server responds', async () => {
  await pool.run(sql`
    insert into outgoing_mail (id, recipient, subject, body)
    values (gen_random_uuid(), 'nina@example.com', 'Join us', ${'Hello,\n\nhttp://x.example/invitations/abc\n'})`)
  await work()
  const kept = await rapport(['doctor'])
  expect(kept).toMatchObject({ code: 0, stderr: '' })
  expect(kept.stdout).toMatch(/^warn {2}mail +no SMTP server is configured: .*$/m)
  expect(kept.stdout).toMatch(/^To nina@example\.com, \S+Z: Join us$/m)
  expect(kept.stdout).toMatch(/^ {2}http:\/\/x\.example\/invitations\/abc$/m)
  const SMTP = { SMTP_URL: 'smtp://user:s3cret@127.0.0.1:1', MAIL_FROM: 'rapport@example.com' }
  const away = await rapport(['doctor'], SMTP)
  expect(away).toMatchObject({ code: 1, stderr: '' })
  expect(away.stdout).toMatch(/^fail {2}mail +127\.0\.0\.1:1: .*ECONNREFUSED/m)
  expect(away.stdout).not.toMatch(/s3cret|nina@example/)
})

test('doctor does not create a missing database', async () => {
  const outcome = await rapport(['doctor'], { DATABASE_URL: '', DATA_DIR: at('empty') })
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  expect(outcome.stdout).toContain(`there is no database in ${at('empty')} yet`)
  expect(await readdir(folder)).not.toContain('empty')
})

test.each<[string, string[], RegExp]>([
  ['a map without a slug', ['import', '--map', 'Name', 'x.csv'], /Write it as header=slug/],
  ['a number of records that is none', ['seed', '--records', 'many'], /must be a whole number, at least 1/],
  ['an unknown format', ['export', '--format', 'xlsx'], /Allowed choices are csv, ndjson/],
  [
    'a report together with the data',
    ['export', '--org', 'acme', '--object', 'people', '--format', 'csv', '--json'],
    /requires a file: set --output/,
  ],
  [
    'failed rows in place of the rows',
    ['import', '--org', 'acme', '--object', 'people', 'x.csv', '--error-file', './x.csv'],
    /^rapport: --error-file names the file to import/,
  ],
  [
    'a file that is not there',
    ['import', '--org', 'acme', '--object', 'people', '/nowhere.csv'],
    /^rapport: \/nowhere\.csv cannot be read: /,
  ],
])('%s is refused in one line', async (_, args, message) => {
  const { code, stdout, stderr } = await rapport(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

const commands = [importCommand(), exportCommand(), seedCommand(), doctorCommand(), migrateCommand()]
test.each(commands.map((command) => [command.name(), command] as const))(
  'the help of %s shows examples',
  (_, command) => expect(helpOf(command)).toContain('Examples:\n  $ '),
)
