// Jobs as a user runs them while the service runs: each row is written once, even if commands are killed or interrupted
// and repeated, or if a connection breaks.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { Job, JobList } from '../contract/jobs.ts'
import { addressOf, startService } from '../server/entry/service-process.fixture.ts'
import { afterFile } from '../server/test/after-file.ts'
import { CHILD_ENVIRONMENT } from '../server/test/child-environment.ts'
import { json, MAIN, type Outcome, openCli } from './cli.fixture.ts'

const { pool, env, folder, org } = await openCli({ PORT: '0', RAPPORT_DEMO: 'off' })

beforeAll(async () => {
  await addGates()
  await addressOf(startService(env, undefined, afterFile))
})

interface Started {
  child: ChildProcess
  ended: Promise<Outcome>
}

/** Starts a command in a separate process. */
function start(...args: string[]): Started {
  const child = spawn(process.execPath, [MAIN, 'jobs', ...args, '--org', 'acme'], {
    env: { ...CHILD_ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  const ended = once(child, 'close').then(async ([code]) => ({
    code: (code as number | null) ?? -1,
    stdout: await stdout,
    stderr: await stderr,
  }))
  return { child, ended }
}

const jobs = (...args: string[]): Promise<Outcome> => start(...args).ended
const people = (command: string, ...args: string[]) => [command, ...args, '--object', 'people']

const ROWS = 3000
/** Makes rows long, so that the file arrives in many pieces. */
const PADDING = 'x'.repeat(300)

async function largeFile(name: string): Promise<string> {
  const path = join(folder, `${name}.ndjson`)
  const lines = Array.from({ length: ROWS }, (_, nr) =>
    JSON.stringify({ data: { name: `${name} ${nr}`, job_title: `${name} ${PADDING}` } }),
  )
  await writeFile(path, lines.join('\n'))
  return path
}

const count = (name: string) =>
  pool.value<number>(sql`
    select count(*)::int as count from records where org = ${org} and data->>'job_title' = ${`${name} ${PADDING}`}`)

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const newestJob = () =>
  pool.maybeOne<{ id: string; status: string }>(
    sql`select id, status from record_jobs where org = ${org} order by id desc limit 1`,
  )

/** Gates, which block statements while `holding` has the lock of the same number: within a file, and within a batch. */
const IN_FILE = 1
const IN_ROWS = 2

async function addGates(): Promise<void> {
  await pool.run(sql`
    create function wait_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(4, tg_argv[0]::int);
      return new;
    end $$`)
  await pool.run(sql`
    create trigger gate before insert on record_job_chunks for each row when (new.starts_at >= 262144)
    execute function wait_at_gate('1')`)
  await pool.run(sql`
    create trigger gate before insert on record_job_results for each row execute function wait_at_gate('2')`)
}

/** The process of PostgreSQL that waits at a gate. */
async function pidAtGate(): Promise<number> {
  for (;;) {
    const pid = await pool.maybeValue<number>(sql`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory' limit 1`)
    if (pid !== undefined) return pid
  }
}

const holding = (gate: number, work: () => Promise<void>): Promise<void> =>
  pool.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(4, ${gate}::int)`)
    await work()
  })

test('a repeated command continues an upload that was killed', async () => {
  const path = await largeFile('killed')
  await holding(IN_FILE, async () => {
    const first = start(...people('import', path, '--wait'))
    await pidAtGate()
    first.child.kill('SIGKILL')
    await first.ended
  })
  const job = await newestJob()
  expect(job?.status).toBe('awaiting_upload')
  expect(await isThere(`${path}.job`)).toBe(true)
  expect(await jobs(...people('import', path, '--match-on', 'email'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${path}.job is of an import of this file with other options`),
  })

  const second = await jobs(...people('import', path, '--wait', '--json'))
  expect(second).toMatchObject({
    code: 0,
    stderr: `rapport: goes on with job ${job?.id}, which is awaiting upload\n`,
  })
  expect(JSON.parse(second.stdout)).toMatchObject({
    ...{ id: job?.id, status: 'completed', progress: { created: ROWS } },
  })
  expect(await newestJob()).toMatchObject({ id: job?.id })
  expect(await count('killed')).toBe(ROWS)
  expect(await isThere(`${path}.job`)).toBe(false)
})

test('a command reconnects if its connection breaks during the upload', async () => {
  const path = await largeFile('broken')
  let command: Started | undefined
  await holding(IN_FILE, async () => {
    command = start(...people('import', path, '--wait', '--json'))
    await pool.run(sql`select pg_terminate_backend(${await pidAtGate()}::int)`)
  })
  const { code, stdout = '', stderr } = (await command?.ended) ?? {}
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', progress: { created: ROWS, failed: 0 } })
  expect(await count('broken')).toBe(ROWS)
})

test('an interrupted command does not stop its job, and a repeated command reports its end', async () => {
  const path = await largeFile('interrupted')
  await holding(IN_ROWS, async () => {
    const first = start(...people('import', path, '--wait'))
    await pidAtGate()
    first.child.kill('SIGINT')
    const { code, stdout, stderr } = await first.ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toMatch(
      /^rapport: stopped by SIGINT: job \S+ goes on, and is queued: .*; see rapport jobs get \S+ --org acme\n$/,
    )
  })
  while ((await newestJob())?.status !== 'completed');
  const id = (await newestJob())?.id
  const second = await jobs(...people('import', path, '--wait', '--json'))
  expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining(`job ${id} of `) })
  expect(second.stderr).toMatch(
    / took this file and is completed: to import it once more, give the command again/,
  )
  expect(JSON.parse(second.stdout)).toMatchObject({ id, status: 'completed', progress: { created: ROWS } })
  expect(await newestJob()).toMatchObject({ id })
  expect(await isThere(`${path}.job`)).toBe(false)
  expect(await count('interrupted')).toBe(ROWS)
})

test('with --cancel-on-interrupt an interrupted command cancels its job', async () => {
  const path = await largeFile('cancelled')
  let command: Started | undefined
  await holding(IN_FILE, async () => {
    command = start(...people('import', path, '--wait', '--cancel-on-interrupt'))
    await pidAtGate()
    command.child.kill('SIGINT')
  })
  const { code, stderr } = (await command?.ended) ?? {}
  const job = await newestJob()
  expect({ code, status: job?.status }).toEqual({ code: 130, status: 'cancelled' })
  expect(stderr).toMatch(
    new RegExp(`^rapport: stopped by SIGINT: job ${job?.id} is cancelled: no rows; see rapport jobs get `),
  )
  expect(await isThere(`${path}.job`)).toBe(false)
})

test('a repeated update joins the job of a killed command', async () => {
  const path = join(folder, 'joined.csv')
  await writeFile(path, 'name,job_title\nAda,Joined\nBob,Joined\n')
  expect(await jobs(...people('import', path, '--wait'))).toMatchObject({ code: 0, stderr: '' })
  const asked = ['--filter', '{"attributeSlug":"job_title","operator":"equals","value":"Joined"}']
  const update = people('update', ...asked, '--data', '{"phone":"+12025550100"}')
  await holding(IN_ROWS, async () => {
    const first = start(...update, '--wait')
    await pidAtGate()
    first.child.kill('SIGKILL')
    await first.ended
    const id = (await newestJob())?.id
    expect(JSON.parse((await jobs(...update, '--json')).stdout)).toMatchObject({ id })
    expect((await newestJob())?.id).toBe(id)
  })
  while ((await newestJob())?.status !== 'completed');
  expect(
    await pool.many(sql`
      select version from records where org = ${org} and data->>'job_title' = 'Joined'`),
  ).toEqual([{ version: 2 }, { version: 2 }])
})

test('commands with --wait export, update and delete records that match a filter', async () => {
  const path = join(folder, 'few.csv')
  await writeFile(path, 'name,email,job_title\nAda,ada@few.example,Few\nBob,bob@few.example,Few\nEve,x,Few\n')
  const imported = await jobs(...people('import', path, '--match-on', 'email', '--wait'))
  expect(imported.code).toBe(1)
  const [, id = ''] = /^Job (\S+) \(import\) is completed: 2 created, 1 failed\n/.exec(imported.stdout) ?? []
  const rows = await jobs('rows', id, '--status', 'failed')
  expect(JSON.parse(rows.stdout)).toMatchObject({ line: 4, attribute: 'email' })

  const few = ['--filter', '{"attributeSlug":"job_title","operator":"equals","value":"Few"}']
  const output = join(folder, 'few.ndjson')
  const exported = await jobs(...people('export', ...few, '--output', output, '--json'))
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(exported.stdout)).toMatchObject({ file: output, progress: { exported: 2 } })
  expect((await readFile(output, 'utf8')).trimEnd().split('\n')).toHaveLength(2)

  const updated = await jobs(...people('update', ...few, '--data', '{"phone":"+12025550100"}', '--wait'))
  expect(updated.stdout).toMatch(/ \(update\) is completed: 2 updated\nUndo it within 24 hours: rapport /)
  const deleted = await jobs(...people('delete', ...few, '--yes', '--wait', '--json'))
  const deletion = JSON.parse(deleted.stdout) as Job
  expect(deletion).toMatchObject({ status: 'completed', progress: { deleted: 2 } })
  expect(await jobs('undo', deletion.id)).toMatchObject({ code: 0, stdout: /2 that were deleted are back/ })
  const listed = await json<JobList>(jobs('list', '--limit', '1', '--json'))
  expect(listed.jobs).toMatchObject([{ id: deletion.id }])
})
