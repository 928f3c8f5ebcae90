// Jobs from a terminal: starts, shows, cancels and undoes jobs that a worker executes.
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Job, JobList } from '../contract/jobs.ts'
import { newId } from '../server/base/id.ts'
import { workOnJob } from '../server/record-jobs/jobs.ts'
import { helpOf, json, openCli } from './cli.fixture.ts'
import { openSource, readJobReference, writeJobReference } from './job-reference.ts'
import { jobsCommand } from './jobs.ts'
import { withSession } from './session.ts'

const { rapport, pool, env, folder, org } = await openCli()
const never = new AbortController().signal

const jobs = (...args: string[]) => rapport(['jobs', ...args, '--org', 'acme'])
const people = (command: string, ...args: string[]) => jobs(command, ...args, '--object', 'people')

/** Executes a job as a worker does. */
async function work({ id }: Pick<Job, 'id'>): Promise<void> {
  const { env: before } = process
  process.env = { PATH: before['PATH'], ...env }
  try {
    await withSession(({ ctx }) => workOnJob(ctx, { org, id }, never))
  } finally {
    process.env = before
  }
}

async function file(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, lines.map((line) => `${line}\n`).join(''))
  return path
}

const line = (data: object) => JSON.stringify({ data })
const titled = (title: string) =>
  JSON.stringify({ attributeSlug: 'job_title', operator: 'equals', value: title })
const count = (title: string) =>
  pool.value<number>(sql`
    select count(*)::int as count from records where org = ${org} and data->>'job_title' = ${title}`)
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Starts an import of lines and executes it. */
async function importLines(name: string, data: readonly object[], ...args: string[]): Promise<Job> {
  const path = await file(`${name}.ndjson`, data.map(line))
  const job = await json<Job>(people('import', path, ...args, '--json'))
  await work(job)
  return json<Job>(jobs('get', job.id, '--json'))
}

test('imports a file of lines, shows its rows, and undoes it', async () => {
  const path = await file('first.ndjson', [
    line({ name: 'Ada', email: 'ada@first.example', job_title: 'First' }),
    line({ name: 'Bob', email: 'nonsense' }),
  ])
  const started = await people('import', path)
  expect(started).toMatchObject({ code: 0, stderr: '' })
  expect(started.stdout).toMatch(/^Job \S+ \(import\) is queued: no rows, of 2\nNo service is running .*\n$/)
  expect(await isThere(`${path}.job`)).toBe(false)
  const [, id = ''] = /^Job (\S+)/.exec(started.stdout) ?? []
  await work({ id })

  expect((await jobs('get', id)).stdout).toBe(
    `Job ${id} (import) is completed: 1 created, 1 failed
Why rows failed: rapport jobs rows ${id} --org acme --status failed
Undo it within 24 hours: rapport jobs undo ${id} --org acme
`,
  )
  const failed = await jobs('rows', id, '--status', 'failed')
  expect(failed).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(failed.stdout)).toMatchObject({ line: 2, status: 'failed', attribute: 'email' })
  const output = join(folder, 'rows.ndjson')
  expect(await json(jobs('rows', id, '--output', output, '--json'))).toEqual({ id, file: output })
  expect((await readFile(output, 'utf8')).trimEnd().split('\n')).toHaveLength(2)

  expect((await jobs('undo', id)).stdout).toBe(
    '0 have their earlier values, 1 that were created are in the trash, 0 that were deleted are back.\n',
  )
  expect(await jobs('undo', id)).toEqual({
    code: 1,
    stdout: '',
    stderr: `rapport: Nothing of this job can be undone, it wrote nothing or is undone already: see rapport jobs get ${id} --org acme\n`,
  })
  expect((await jobs('get', id)).stdout).not.toContain('Undo it')
})

test('a leftover .job file is ignored if its job does not exist', async () => {
  const path = await file('left.ndjson', [line({ name: 'Ada', job_title: 'Left' })])
  const first = await json<Job>(people('import', path, '--json'))
  const reference = (jobId: string) => JSON.stringify({ jobId, fingerprint: 'of another file' })
  for (const left of ['', '[]', reference(newId())]) {
    await writeFile(`${path}.job`, left)
    expect((await json<Job>(people('import', path, '--json'))).id).not.toBe(first.id)
    expect(await isThere(`${path}.job`)).toBe(false)
  }
  await writeFile(`${path}.job`, reference(first.id))
  expect(await people('import', path)).toEqual({
    code: 1,
    stdout: '',
    stderr: `rapport: ${path}.job is of an import of this file with other options, or of the file before it was changed: finish that one, or cancel it with rapport jobs cancel ${first.id} --org acme\n`,
  })
})

test('the .job file of an ended job does not prevent the import of a changed file', async () => {
  const path = await file('changing.ndjson', [line({ name: 'Ada', job_title: 'Engineer' })])
  const first = await json<Job>(people('import', path, '--json'))
  // A command that was killed after the upload has left this .job file.
  const reference = JSON.stringify({ jobId: first.id, fingerprint: 'of the file before' })
  await writeFile(`${path}.job`, reference)
  await work(first)
  const { code, stdout, stderr } = await people('import', path, '--json')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `rapport: job ${first.id} took this file before it was changed, or with other options, and is completed: 1 created\n`,
  })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'queued' })
  expect(stdout).not.toContain(first.id)
  expect(await isThere(`${path}.job`)).toBe(false)
})

test('one of several commands that start together writes the .job file, and no other files are left', async () => {
  const source = await openSource(await file('together.ndjson', [line({ name: 'Ada' })]))
  const references = Array.from({ length: 20 }, () => ({ jobId: newId(), fingerprint: 'x'.repeat(64) }))
  const keeping = await Promise.allSettled(
    references.map((reference) => writeJobReference(source, reference)),
  )
  const kept = references.filter((_, at) => keeping[at]?.status === 'fulfilled')
  expect(kept).toHaveLength(1)
  expect(await readJobReference(source)).toEqual(kept[0])
  const left = (await readdir(folder)).filter((name) => name.startsWith('together'))
  expect(left.toSorted()).toEqual(['together.ndjson', 'together.ndjson.job'])
})

test('maps and leaves out columns of a table, and matches rows with records', async () => {
  const path = await file('table.csv', ['Mail,name,job_title,Shoe', 'eve@table.example,Eve,Table,36'])
  const asked = ['--map', 'Mail=email', '--leave-out', 'Shoe', '--match-on', 'email']
  for (const progress of [{ created: 1 }, { skipped: 1 }]) {
    const job = await json<Job>(people('import', path, ...asked, '--duplicates', 'skip', '--json'))
    await work(job)
    expect(await json(jobs('get', job.id, '--json'))).toMatchObject({ status: 'completed', progress })
  }
  expect(await count('Table')).toBe(1)
})

test('reads a table with dates, decimals and an encoding of other countries', async () => {
  const path = join(folder, 'local.csv')
  await writeFile(path, Buffer.from('Name;Umsatz;Bis\nM\u00fcller;1.234,5;31.12.2026\n', 'latin1'))
  const object = ['--object', 'deals', '--map', 'Umsatz=amount', '--map', 'Bis=close_date']
  const written = (...args: string[]) => jobs('import', path, ...object, ...args, '--json')
  for (const format of [
    ['--dates', 'dmy', '--decimal', ','],
    ['--dates', 'auto', '--decimal', 'auto'],
  ]) {
    const job = await json<Job>(written(...format))
    await work(job)
    expect(await json(jobs('get', job.id, '--json'))).toMatchObject({
      progress: { created: 1 },
      reading: { encoding: 'windows-1252', delimiter: ';', dates: 'dmy', decimal: ',', emptyCells: 'keep' },
    })
  }
  expect((await jobs('import', path, ...object, '--dates', 'auto')).stdout).toContain(
    ' is queued: no rows, of 2\nRead as Windows-1252, converted, separated by semicolons; dates day first, decimals after a point\n',
  )
  const plain = await json<Job>(written('--empty', 'clear'))
  await work(plain)
  expect(await json(jobs('get', plain.id, '--json'))).toMatchObject({
    progress: { created: 0, failed: 1 },
    reading: { dates: 'ymd', decimal: '.', emptyCells: 'clear' },
  })
})

test('compares rows of a table by the duplicate rules, or creates records', async () => {
  await importLines('compared', [{ name: 'Hedy Lamarr', job_title: 'Compared' }])
  const path = await file('compared.csv', ['name,job_title', 'Hedy Lamarr,Compared'])
  const imported = async (...args: string[]) => {
    const { id } = await json<Job>(people('import', path, ...args, '--json'))
    await work({ id })
    return json<Job>(jobs('get', id, '--json'))
  }
  const skipping = await imported('--duplicates', 'skip', '--duplicate-rules')
  expect(skipping).toMatchObject({ progress: { skipped: 1 }, duplicateRules: true })
  const creating = await imported('--duplicates', 'create')
  expect(creating).toMatchObject({ progress: { created: 1 }, duplicates: 'create' })
  expect((await people('import', path, '--duplicates', 'skip')).stderr).toMatch(
    /^rapport: duplicates: is for lines that are compared with records: .*\n$/,
  )
})

test('refuses a table with unknown columns, and cancels its job', async () => {
  const path = await file('odd.csv', ['name,Shoe', 'Eve,36'])
  expect(await people('import', path)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^rapport: columns: no attribute is filled by "?Shoe"?: .*: use --map or --leave-out\n$/,
    ),
  })
  expect(await isThere(`${path}.job`)).toBe(false)
  const { jobs: listed } = await json<JobList>(jobs('list', '--limit', '1', '--json'))
  expect(listed).toMatchObject([{ type: 'import', status: 'cancelled' }])
})

test('counts records that match a filter in a dry run, then updates and deletes them', async () => {
  await importLines('filtered', [
    { name: 'Ada', job_title: 'Old' },
    { name: 'Bob', job_title: 'Old' },
  ])
  const asked = ['--filter', titled('Old'), '--data', '{"job_title":"New"}']
  expect((await people('update', ...asked, '--dry-run')).stdout).toBe(
    'Nothing was changed. Without --dry-run 2 records would be updated.\n',
  )
  const job = await json<Job>(people('update', ...asked, '--json'))
  // The command is repeated before the job has ended.
  expect(await json(people('update', ...asked, '--json'))).toMatchObject({ id: job.id })
  expect((await people('update', ...asked, '--dry-run')).stdout).toBe(
    'Nothing was changed. Without --dry-run 2 records would be updated.\n',
  )
  const other = await json<Job>(people('update', '--filter', titled('Older'), '--data', '{}', '--json'))
  expect(other.id).not.toBe(job.id)
  await work(job)
  expect(await count('New')).toBe(2)
  expect(await json<Job>(people('update', ...asked, '--json'))).not.toMatchObject({ id: job.id })

  expect((await people('delete', '--filter', titled('New'))).stderr).toBe(
    'rapport: This deletes every record that matches: count them with --dry-run, confirm with --yes\n',
  )
  const deletion = await json<Job>(people('delete', '--filter', titled('New'), '--yes', '--json'))
  await work(deletion)
  expect((await jobs('get', deletion.id)).stdout).toMatch(/ \(delete\) is completed: 2 deleted\nUndo it /)
  expect(await count('New')).toBe(0)
})

test('offers no undo of permanent deletions', async () => {
  await importLines('purged', [{ name: 'Ada', job_title: 'Purged' }])
  const asked = ['--filter', titled('Purged'), '--permanent', '--yes', '--json']
  const job = await json<Job>(people('delete', ...asked))
  await work(job)
  expect((await jobs('get', job.id)).stdout).toBe(`Job ${job.id} (delete) is completed: 1 deleted\n`)
})

test('offers no undo of an import that changed nothing', async () => {
  const data = [{ name: 'Ada', email: 'ada@same.example', job_title: 'Same' }]
  await importLines('same', data, '--match-on', 'email')
  const { id } = await importLines('same', data, '--match-on', 'email')
  expect((await jobs('get', id)).stdout).toBe(`Job ${id} (import) is completed: 1 unchanged\n`)
})

test('checks a file without writing anything', async () => {
  const rows = [
    { name: 'Ada', email: 'ada@check.example', job_title: 'Checked' },
    { name: 'Bob', email: 'nonsense' },
  ]
  const { id } = await importLines('checked', rows, '--match-on', 'email', '--dry-run')
  expect((await jobs('get', id)).stdout).toBe(
    `Job ${id} (import) is completed: 1 created, 1 failed
Nothing was written: the job only checks the file
Why rows failed: rapport jobs rows ${id} --org acme --status failed
`,
  )
  expect(await count('Checked')).toBe(0)
  expect((await jobs('undo', id)).stderr).toMatch(/^rapport: Nothing of this job can be undone/)
})

test('sorts an export, and joins it while it is not ended', async () => {
  await importLines(
    'sorted',
    ['a', 'c', 'b'].map((name) => ({ name, job_title: 'Sorted' })),
  )
  const options = ['--filter', titled('Sorted'), '--format', 'csv', '--sort', '-name.firstName,email']
  const job = await json<Job>(people('export', ...options, '--json'))
  await pool.run(sql`update record_jobs set settings = settings || '{"after": null}' where id = ${job.id}`)
  expect((await json<Job>(people('export', ...options, '--json'))).id).toBe(job.id)
  await pool.run(sql`update record_jobs set settings = settings - 'after' where id = ${job.id}`)
  await work(job)
  const names = (await jobs('file', job.id)).stdout.split('\n').map((row) => row.split(',')[1])
  expect(names.slice(1, 4)).toEqual(['c', 'b', 'a'])
})

test('writes the file of an export only after its completion', async () => {
  await importLines('exported', [{ name: 'Ada', job_title: 'Exported' }])
  const job = await json<Job>(people('export', '--filter', titled('Exported'), '--format', 'csv', '--json'))
  const output = join(folder, 'exported.csv')
  expect(await jobs('file', job.id, '--output', output)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^rapport: This export is queued: /),
  })
  expect(await isThere(output)).toBe(false)
  await work(job)
  expect((await jobs('file', job.id, '--output', output)).stdout).toBe(`Written to ${output}\n`)
  expect(await readFile(output, 'utf8')).toMatch(/^id,.*\n.*Exported.*\n$/)
  expect((await jobs('file', job.id)).stdout).toBe(await readFile(output, 'utf8'))
  expect((await jobs('get', job.id)).stdout).toBe(
    `Job ${job.id} (export) is completed: 1 exported\nIts file: rapport jobs file ${job.id} --org acme\n`,
  )
})

test('lists, cancels and deletes jobs', async () => {
  const job = await json<Job>(people('export', '--filter', titled('None'), '--json'))
  expect((await jobs('list')).stdout).toMatch(
    new RegExp(`^JOB +TYPE .*\n${job.id} +export +queued +0 +0 +20`, 'm'),
  )
  expect((await jobs('undo', job.id)).stderr).toBe(
    `rapport: The job is queued: wait for its end, or cancel it with rapport jobs cancel ${job.id} --org acme\n`,
  )
  expect(await jobs('cancel', job.id)).toMatchObject({
    code: 0,
    stdout: `Job ${job.id} is cancelled: no rows\n`,
  })
  expect(await jobs('delete-job', job.id)).toMatchObject({ code: 0, stdout: `Job ${job.id} is deleted\n` })
  expect((await jobs('get', job.id)).stderr).toMatch(/^rapport: No such job/)
  const open = await json<Job>(people('export', '--filter', titled('None'), '--json'))
  expect((await jobs('delete-job', open.id)).stderr).toMatch(/^rapport: This job has not ended: /)
  const done = await importLines('done', [{ name: 'Ada' }])
  expect(await jobs('cancel', done.id)).toMatchObject({ code: 1, stdout: / is completed: 1 created\n/ })
  const page = await json<JobList>(jobs('list', '--limit', '1', '--json'))
  expect(page.jobs).toMatchObject([{ id: done.id }])
  const next = await jobs('list', '--limit', '1', '--cursor', page.pagination.nextCursor ?? '')
  expect(next.stdout).toContain(open.id)
})

test.each<[string[], RegExp]>([
  [['get', newId()], /^rapport: No such job/],
  [['get', 'x'], /^rapport: No such job/],
  [['cancel', newId()], /^rapport: No such job/],
  [['delete-job', newId()], /^rapport: No such job/],
  [['rows', newId()], /^rapport: No such job/],
  [['file', newId()], /^rapport: No such job/],
  [['undo', newId()], /^rapport: No such job/],
  [['rows', newId(), '--json'], /requires a file: set --output/],
  [['rows', newId(), '--status', 'odd'], /Allowed choices are created, /],
  [['list', '--limit', '0'], /^rapport: limit: /],
  [['import', '/nowhere.csv', '--object', 'people'], /^rapport: \/nowhere\.csv cannot be read: /],
  [['import', '/dev/null', '--object', 'people', '--format', 'csv'], /^rapport: \/dev\/null is not a file: /],
  [['import', 'people.txt', '--object', 'people'], /^rapport: The name of people\.txt does not say /],
  [['update', '--object', 'people', '--data', '{}'], /^rapport: Send either --filter, or --all /],
  [['update', '--object', 'people', '--all', '--data', '{'], /It must be JSON/],
  [['update', '--object', 'people', '--all', '--data', '{"size":1}'], /^rapport: data\.size: /],
  [
    ['update', '--object', 'people', '--filter', titled('A'), '--all', '--data', '{}'],
    /^rapport: Send either /,
  ],
  [['delete', '--object', 'people', '--filter', '{"attributeSlug":"size"}', '--yes'], /^rapport: filter/],
  [
    ['import', 'people.csv', '--object', 'people', '--dates', 'dym'],
    /Allowed choices are ymd, dmy, mdy, auto/,
  ],
  [['import', 'people.csv', '--object', 'people', '--decimal', ';'], /Allowed choices are \., ,, auto/],
  [['import', 'people.csv', '--object', 'people', '--empty', 'drop'], /Allowed choices are keep, clear/],
  [['import', 'people.ndjson', '--object', 'people', '--empty', 'clear'], /^rapport: --empty is for CSV: /],
  [['import', 'people.ndjson', '--object', 'people', '--map', 'A=name'], /^rapport: --map is for CSV: /],
  [['export', '--object', 'unicorns'], /^rapport: objectId: /],
  [['export', '--object', 'people', '--sort', 'size'], /^rapport: sort\[0\]\.field: /],
  [['export', '--object', 'people', '--wait'], /^rapport: --wait needs a running service/],
  [['export', '--object', 'people', '--output', 'x.ndjson'], /^rapport: --wait needs a running service/],
])('%j is refused in one line', async (args, message) => {
  const { code, stdout, stderr } = await jobs(...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('refuses an unreadable table with advice for the command', async () => {
  const path = join(folder, 'mixed.csv')
  await writeFile(path, Buffer.concat([Buffer.from('name\nZoë\n'), Buffer.from('Jos\u00e9\n', 'latin1')]))
  expect((await people('import', path)).stderr).toMatch(
    /^rapport: The file is UTF-8 up to line 3, .*save the file as "CSV UTF-8" again\n$/,
  )
})

test('refuses a file that is too large or has no rows before a job is created', async () => {
  const before = (await json<JobList>(jobs('list', '--json'))).pagination.total
  const path = await file('large.ndjson', [line({ name: 'Ada' })])
  const args = ['jobs', 'import', path, '--org', 'acme', '--object', 'people']
  expect((await rapport(args, { JOB_MAX_BYTES: '10' })).stderr).toMatch(
    /^rapport: The file has more than 10 bytes/,
  )
  expect((await people('import', await file('none.ndjson', []))).stderr).toMatch(/ is empty: choose /)
  expect((await jobs('import', path, '--object', 'unicorns')).stderr).toMatch(/^rapport: objectId: /)
  expect((await json<JobList>(jobs('list', '--json'))).pagination.total).toBe(before)
})

const withOwn = (command: Command): Command[] => [command, ...command.commands.flatMap(withOwn)]
test.each(withOwn(jobsCommand()).map((command) => [command.name(), command] as const))(
  'the help of %s shows examples',
  (_, command) => expect(helpOf(command)).toContain('Examples:\n  $ '),
)
