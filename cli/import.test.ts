// rapport import: how it reads and shows a file, what it writes, what it refuses, and its final report.
import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { NewJob } from '../contract/jobs.ts'
import { newId } from '../server/base/id.ts'
import { json, openCli } from './cli.fixture.ts'
import { importByJob } from './job-of-file.ts'
import { openSource } from './job-reference.ts'
import type { ShownJob } from './job-state.ts'
import { workUntilEnded } from './job-work.ts'
import type { CliSession } from './session.ts'

const { pool, folder, rapport, org, inService } = await openCli()
const at = (name: string) => join(folder, name)

async function file(name: string, text: string): Promise<string> {
  await writeFile(at(name), text)
  return at(name)
}

const imported = (path: string, ...args: string[]) =>
  rapport(['import', '--org', 'acme', '--object', 'people', path, ...args])
const countJobs = () =>
  pool.value<number>(sql`select count(*)::int as count from record_jobs where org = ${org}`)
const countRecords = (slug: string) =>
  pool.value<number>(sql`
    select count(*)::int as count from records r join objects o on o.org = r.org and o.obj = r.obj
    where r.org = ${org} and o.slug = ${slug}`)

test('writes failed rows to a file next to the imported file', async () => {
  await writeFile(
    at('people.csv'),
    'Full name,Mail,Shoe\r\nAda,ada@example.com,36\r\n"Bob, Jr.",nonsense,\r\n',
  )
  const maps = ['--map', 'Full name=name', '--map', 'Mail=email']
  const args = ['import', '--org', 'acme', '--object', 'people', at('people.csv'), ...maps]
  const outcome = await rapport(args)
  expect(outcome).toMatchObject({ code: 1, stderr: '' })
  expect(outcome.stdout).toMatch(/^.*people\.csv: UTF-8, separated by commas; dates year first, /)
  expect(outcome.stdout).toContain('  Full name fills name: Ada\n  Mail fills email: ada@example.com\n')
  expect(outcome.stdout).toMatch(/^people: 1 created, 0 updated, 1 failed, in [\d.]+ s$/m)
  expect(outcome.stdout).toContain('Skipped columns without an attribute of that name: "Shoe" (see --map)\n')
  expect(outcome.stdout).toContain(`Errors of the failed rows: ${at('people.errors.csv')}\n`)
  expect(await readFile(at('people.errors.csv'), 'utf8')).toMatch(
    /^\ufeffline,error,Full name,Mail,Shoe\n3,"?data.email: .*,"Bob, Jr.",nonsense,\n$/,
  )
  expect(await rapport([...args, '--strict'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'rapport: columns: no attribute is filled by "Shoe": map them with --map, or leave out --strict\n',
  })
})

test('reads a file of a European Excel like the dashboard, and shows it first', async () => {
  await writeFile(at('europe.csv'), Buffer.from('sep=;\r\nName;Amount\r\nCaf\u00e9;1.234,5\r\n', 'latin1'))
  const args = ['import', '--org', 'acme', '--object', 'deals', at('europe.csv')]
  const dry = await rapport([...args, '--dry-run'])
  expect({ ...dry, stdout: dry.stdout.replace(/(?<=^Job )\S+/m, '…') }).toEqual({
    code: 0,
    stdout: `${at('europe.csv')}: Windows-1252, converted, separated by semicolons; dates year first, decimals after a comma
  Name fills name: Café
  Amount fills amount: 1.234,5 is read as 1234.5
Job … (import) is completed: 1 created
Read as Windows-1252, converted, separated by semicolons; dates year first, decimals after a comma
Nothing was written: the job only checks the file
`,
    stderr: '',
  })
  expect(await countRecords('deals')).toBe(0)
  const point = await rapport([...args, '--decimal', '.', '--dry-run', '--json'])
  expect(JSON.parse(point.stdout)).toMatchObject({
    ...{ decimal: '.', columns: [{}, { value: '1.234,5' }] },
    progress: { created: 0, failed: 1 },
  })
  expect(await rapport(args)).toMatchObject({ code: 0 })
  expect(await countRecords('deals')).toBe(1)
})

test('empty cells clear values with --empty clear', async () => {
  await writeFile(at('full.csv'), 'name,email,job_title\nEve,eve@example.com,Analyst\n')
  await writeFile(at('empty.csv'), 'email,job_title\neve@example.com,\n')
  const args = (file: string) => [
    'import',
    '--org',
    'acme',
    '--object',
    'people',
    at(file),
    '--match-on',
    'email',
  ]
  const titles = async () => {
    const { stdout } = await rapport(['export', '--org', 'acme', '--object', 'people', '--format', 'ndjson'])
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).data)
    return records.filter(({ email }) => email === 'eve@example.com').map((data) => data.job_title)
  }
  expect(await rapport(args('full.csv'))).toMatchObject({ code: 0 })
  expect(await rapport(args('empty.csv'))).toMatchObject({ code: 0 })
  expect(await titles()).toEqual(['Analyst'])
  expect(await rapport([...args('empty.csv'), '--empty', 'clear'])).toMatchObject({ code: 0 })
  expect(await titles()).toEqual([undefined])
})

test.each<[string, string, string[], RegExp]>([
  ['nothing', '', [], /The file is empty/],
  ['no column that fits', 'a;b\n1;2\n', [], /no column has the name of an attribute of people/],
  ['no column for a required attribute', 'email\na@example.com\n', [], /no column fills name/],
  ['a map of an unknown column', 'name\nA\n', ['--map', 'x=name'], /has no column "x"/],
  ['a map to an unknown attribute', 'name\nA\n', ['--map', 'name=x'], /map\.name: .*no attribute "x"/],
  ['a map to what names no record', 'name,Firm\nA,B\n', ['--map', 'Firm=company.size'], /map\.Firm: company/],
  ['two columns for one attribute', 'name,Name\nA,B\n', [], /both "name" and "Name" fill name/],
  ['a value and its parts', 'name,First name\nA,B\n', [], /fill name\.firstName/],
  ['matching on what is not unique', 'name\nA\n', ['--match-on', 'name'], /must be id or a unique attribute/],
  ['matching on what is not given', 'name\nA\n', ['--match-on', 'email'], /no column fills email/],
  ['matching on an id that is not given', 'name\nA\n', ['--match-on', 'id'], /no column "id"/],
  ['a broken header', 'na"me\nA\n', [], /header on line 1 cannot be read/],
  [
    'a match where every row creates a record',
    'name,email\nA,\n',
    ['--match-on', 'email', '--duplicates', 'create'],
    /must be null where every row creates a record/,
  ],
])('%s is refused before anything is written', async (_, text, args, message) => {
  const before = await countJobs()
  const { code, stdout, stderr } = await imported(await file('refused.csv', text), ...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(await countJobs()).toBe(before)
})

test('maps headers without surrounding blanks', async () => {
  const path = await file('blanks.csv', ' Wer , Mail ,Notes \nGus,gus@blanks.example,x\n')
  const maps = ['--map', 'Wer=name', '--map', ' Mail =email']
  expect(await json(imported(path, ...maps, '--json'))).toMatchObject({
    created: 1,
    skippedColumns: ['Notes'],
  })
})

test('imports a pipe like a file', async () => {
  const path = at('whole.csv')
  execFileSync('mkfifo', [path])
  const [{ code, stdout, stderr }] = await Promise.all([
    imported(path, '--json'),
    writeFile(path, 'name,email\nHal,hal@pipe.example\nIda,nonsense@\n'),
  ])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ created: 1, failed: 1, read: { delimiter: ',' } })
  expect(await readFile(at('whole.errors.csv'), 'utf8')).toMatch(/^3,.*nonsense@$/m)
})

test('counts created related records, and reports rows that match a record', async () => {
  const first = await file('first.csv', 'name,email,company\nJoy,joy@told.example,Told Ltd\n')
  expect(await json(imported(first, '--create-missing', '--json'))).toMatchObject({
    ...{ created: 1, related: { companies: 1 } },
  })
  const again = await file('again.csv', 'name,email\nJoyce,joy@told.example\nKim,kim@told.example\n')
  const { code, stdout } = await imported(again, '--duplicates', 'skip')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^people: 1 created, 0 updated, 1 skipped, 0 failed, in [\d.]+ s$/m)
  expect(stdout).toMatch(/^Line 2 is skipped: it matches [0-9a-f-]{36}$/m)
})

test('completes the import if the file of failed rows cannot be written', async () => {
  const path = await file('lost.csv', 'name,email\nLea,lea@lost.example\nMax,nonsense\n')
  const before = await countRecords('people')
  const { code, stdout, stderr } = await imported(path, '--error-file', at('nowhere/lost.csv'))
  expect(code).toBe(1)
  expect(stderr).toMatch(/^rapport: \S+nowhere\/lost\.csv cannot be written: ENOENT.*\n$/)
  expect(stdout).toMatch(/^people: 1 created, 0 updated, 1 failed, /m)
  const [, id = ''] =
    /^Why rows failed: rapport jobs rows (\S+) --org acme --status failed$/m.exec(stdout) ?? []
  const rows = await rapport(['jobs', 'rows', id, '--org', 'acme', '--status', 'failed'])
  expect(JSON.parse(rows.stdout)).toMatchObject({ line: 3, status: 'failed' })
  expect(await countRecords('people')).toBe(before + 1)
})

test('an import is a job whose change set can be undone, and leaves no .job file', async () => {
  const path = await file('undone.csv', 'name,email\nNed,ned@undone.example\n')
  const { jobId, changeSetId } = await json<{ jobId: string; changeSetId: string }>(imported(path, '--json'))
  expect(changeSetId).toBe(jobId)
  expect(await json(rapport(['jobs', 'get', jobId, '--org', 'acme', '--json']))).toMatchObject({
    ...{ type: 'import', format: 'csv', status: 'completed', progress: { done: 1, created: 1 } },
  })
  const undo = await rapport(['undo', 'change-set', changeSetId, '--org', 'acme'])
  expect(undo.stdout).toContain('1 that were created are in the trash')
  expect((await readdir(folder)).filter((name) => name.startsWith('undone'))).toEqual(['undone.csv'])
})

test('detects the encoding of a pipe from all its bytes', async () => {
  const path = at('late.csv')
  execFileSync('mkfifo', [path])
  const rows = Array.from({ length: 9000 }, (_, index) => `Late ${index}\n`)
  const late = Buffer.from(`name\n${rows.join('')}Zo\u00eb\n`, 'latin1')
  const [{ stdout }] = await Promise.all([imported(path, '--json'), writeFile(path, late)])
  expect(JSON.parse(stdout)).toMatchObject({ created: 9001, read: { encoding: 'windows-1252' } })
})

test('refuses a file that is being imported into another organization', async () => {
  const path = await file('theirs.csv', 'name\nPam\n')
  const reference = { jobId: newId(), fingerprint: 'of theirs', orgId: newId() }
  await writeFile(`${path}.job`, JSON.stringify(reference))
  const { code, stderr } = await imported(path, '--json')
  expect(code).toBe(1)
  expect(stderr).toContain(
    `into another organization, whose id is ${reference.orgId}: finish or cancel that one, job ${reference.jobId}`,
  )
  expect(await readdir(folder)).toContain('theirs.csv.job')
})

test('a repeated command continues the job until the result was reported', async () => {
  const path = await file('untold.ndjson', '{"data": {"name": "Quinn"}}\n')
  const once = (report: (shown: ShownJob) => string) =>
    inService(async (ctx, caller) => {
      const session = { ctx, signal: new AbortController().signal } as CliSession
      const body: NewJob = { type: 'import', objectId: 'people', format: 'ndjson' }
      const more = {
        follow: workUntilEnded,
        onReferenceError: () => undefined,
        advice: '',
        options: { org: 'acme' },
      }
      return importByJob({ session, caller, source: await openSource(path), body, ...more }, report)
    })
  const before = await countRecords('people')
  const seen: string[] = []
  const untold = once(({ job }) => {
    seen.push(job.id)
    throw new Error('killed while it told')
  })
  await expect(untold).rejects.toThrow('killed while it told')
  expect(await once(({ job }) => job.id)).toBe(seen[0])
  expect(await countRecords('people')).toBe(before + 1)
  expect(await readdir(folder)).not.toContain('untold.ndjson.job')
})

test('imports a file if no .job file can be created next to it', async () => {
  // The name of the .job file would be longer than file systems allow.
  const path = await file(`${'long'.repeat(55)}.csv`, 'name,email\nOda,oda@long.example\n')
  const { code, stdout, stderr } = await imported(path, '--json')
  expect(code).toBe(0)
  expect(stderr).toMatch(
    /^rapport: \S+\.job cannot be written \(ENAMETOOLONG.*: if this command is killed, .*\(rapport jobs cancel \S+ --org acme\)\n$/,
  )
  expect(JSON.parse(stdout)).toMatchObject({ created: 1 })
})

test('an export has the chosen parts and attributes of referenced records, and is imported again', async () => {
  const path = await file(
    'fields.csv',
    'name,email,company.domain\nAda B,ada@fields.example,fields.example\n',
  )
  expect(await imported(path, '--match-on', 'email', '--create-missing')).toMatchObject({ code: 0 })
  const of = ['export', '--org', 'acme', '--object', 'people', '--format', 'csv']
  const { stdout } = await rapport([...of, '--fields', 'email, company.domain,name'])
  const [head, ...rows] = stdout.trim().split('\n')
  expect(head).toBe('id,email,company.domain,name.firstName,name.lastName,createdAt,updatedAt')
  expect(rows.at(-1)).toMatch(/^[\w-]{36},ada@fields\.example,fields\.example,Ada,B,/)
  const back = await file('fields-back.csv', `${head}\n${rows.at(-1)}\n`)
  expect((await imported(back, '--match-on', 'email')).stdout).toContain('1 unchanged, 0 failed')
  expect(await rapport([...of, '--fields', 'company.domian'])).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'rapport: fields[0]: companies has no attribute "domian": did you mean "domain"?\n',
  })
})
