// rapport import as a user runs it: files, pipes, signals, exit codes.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../server/test/child-environment.ts'
import { MAIN, openCli } from './cli.fixture.ts'

const { pool, folder, env, rapport, spawn: spawned } = await openCli()
const at = (name: string) => join(folder, name)

const countPeople = async () =>
  await pool.value<number>(sql`
    select count(*) from records r join objects o on o.obj = r.obj where o.slug = 'people'`)

const openJobs = async () =>
  await pool.value<number>(sql`
    select count(*)::int from record_jobs where status in ('awaiting_upload', 'queued', 'running')`)

const IMPORT_PEOPLE = ['import', '--org', 'acme', '--object', 'people']

test('a command in a separate process maps columns', async () => {
  await writeFile(
    at('mapped.csv'),
    'Rank = 1?,Firma,Vorname,Nachname\n1,mapped.example,Grace,Hopper\n2,missing.example,Alan,Turing\n',
  )
  const args = ['import', '--org', 'acme', '--object', 'people', at('mapped.csv'), '--json']
  await writeFile(at('mapped-companies.csv'), 'name,domain\nMapped,mapped.example\n')
  const companies = [...args.slice(0, 4), 'companies', at('mapped-companies.csv')]
  expect(await spawned(companies)).toMatchObject({ code: 0, stderr: '' })
  const maps = ['Firma=company.domain', 'Vorname=name.firstName', 'Nachname=name.lastName']
  const mapped = maps.flatMap((pair) => ['--map', pair])
  // The header contains "=": the last "=" of a pair separates header and slug.
  const outcome = await spawned([...args, ...mapped, '--map', 'Rank = 1?=job_title'])
  expect(outcome).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(outcome.stdout)).toMatchObject({ created: 1, updated: 0, failed: 1, skippedColumns: [] })
  expect(
    await pool.value<object>(sql`
      select jsonb_build_object('name', r.data->'name', 'title', r.data->'job_title', 'company', c.data->'domain')
      from records r join objects o on o.obj = r.obj and o.slug = 'people'
      join records c on c.id = (r.data->>'company')::uuid where r.data->>'job_title' = '1'`),
  ).toEqual({
    ...{ name: { firstName: 'Grace', lastName: 'Hopper' }, title: '1', company: 'mapped.example' },
  })
  expect(await readFile(at('mapped.errors.csv'), 'utf8')).toMatch(/^3,.*missing\.example/m)

  const refusals: [string, RegExp][] = [
    ['Firma=size', /^rapport: map\.Firma: /],
    ['Nowhere=name', /^rapport: map\.Nowhere: /],
    ['Firma=', /Write it as header=slug/],
  ]
  for (const [pair, message] of refusals) {
    const refused = await spawned([...args, '--map', pair])
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) })
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1)
  }
})

/** Endless rows. */
async function* people() {
  yield 'name\n'
  for (let index = 0; ; index++) yield `Person ${index}\n`
}

const JOB = '[0-9a-f-]{36}'

function started(args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...CHILD_ENVIRONMENT, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { child, stderr: text(child.stderr), ended: once(child, 'exit') }
}

const countBytes = async () =>
  await pool.value<number>(sql`select coalesce(sum(bytes), 0)::int from record_jobs`)

test('an import from a pipe that is interrupted before its end writes nothing', async () => {
  const before = { people: await countPeople(), bytes: await countBytes() }
  execFileSync('mkfifo', [at('pipe.csv')])
  const { child, stderr, ended } = started([...IMPORT_PEOPLE, at('pipe.csv')])
  const fed = pipeline(people(), createWriteStream(at('pipe.csv'))).catch(() => undefined)
  await expect.poll(countBytes).toBeGreaterThan(before.bytes)
  child.kill('SIGINT')
  const [code] = await ended
  await fed
  expect({ code, stderr: await stderr }).toEqual({ code: 130, stderr: 'rapport: stopped by SIGINT\n' })
  expect(await countPeople()).toBe(before.people)
  expect(await openJobs()).toBe(0)
})

const ROWS = 3000
/** Rows of the first batch of a command. */
const FIRST_ROWS = 500
const HOLD = 4711

/** While HOLD is held, a job waits before the commit of its second batch, whose rows are written. */
const holdAfterFirstBatch = async () => {
  await pool.run(sql`
    create or replace function hold_batch() returns trigger language plpgsql as
    'begin if new.read_lines > ${raw(String(FIRST_ROWS))} then perform pg_advisory_xact_lock_shared(${raw(String(HOLD))}); end if; return new; end'`)
  await pool.run(
    sql`create or replace trigger hold_batch before update on record_jobs for each row execute function hold_batch()`,
  )
  const client = await pool.connect()
  await client.query('select pg_advisory_lock($1)', [HOLD])
  return async () => {
    await client.query('select pg_advisory_unlock($1)', [HOLD])
    client.release()
  }
}

const countWaiting = async (kind: 'advisory' | 'transactionid') =>
  await pool.value<number>(
    sql`select count(*)::int from pg_locks where locktype = ${kind} and not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`,
  )

/** Starts an import and waits until it works on its second batch. */
async function halfWay(name: string) {
  const before = await countPeople()
  const lines = Array.from({ length: ROWS }, (_, index) => `${name} ${index}\n`)
  await writeFile(at(name), `name\n${lines.join('')}`)
  const release = await holdAfterFirstBatch()
  const command = started([...IMPORT_PEOPLE, at(name)])
  await expect.poll(() => countWaiting('advisory')).toBe(1)
  expect((await countPeople()) - before).toBe(FIRST_ROWS)
  return { ...command, before, release }
}

test('an interrupted import reports the written rows, and is cancelled', async () => {
  const { child, stderr, ended, before, release } = await halfWay('interrupted.csv')
  child.kill('SIGINT')
  await release()
  const [code] = await ended
  const created = (await countPeople()) - before
  expect(created).toBeLessThan(ROWS)
  expect(code).toBe(130)
  expect(await stderr).toMatch(
    new RegExp(
      `^rapport: stopped by SIGINT: job ${JOB} is cancelled: ${created} created, until line ${created + 1} of the file; see rapport jobs get ${JOB} --org acme\n$`,
    ),
  )
  expect(await readdir(folder)).not.toContain('interrupted.csv.job')
})

test('a repeated command continues a killed import, and writes no row twice', async () => {
  const { child, ended, before, release } = await halfWay('killed.csv')
  child.kill('SIGKILL')
  await ended
  await release()
  const again = await rapport([...IMPORT_PEOPLE, at('killed.csv'), '--json'])
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(new RegExp(`^rapport: goes on with job ${JOB}, which is running\n$`)),
  })
  expect(JSON.parse(again.stdout)).toMatchObject({ created: ROWS, failed: 0 })
  expect((await countPeople()) - before).toBe(ROWS)
  expect(await readdir(folder)).not.toContain('killed.csv.job')
})

test('an import whose job another command cancels ends with a message', async () => {
  const { stderr, ended, before, release } = await halfWay('cancelled.csv')
  const { jobs } = JSON.parse(
    (await rapport(['jobs', 'list', '--org', 'acme', '--limit', '1', '--json'])).stdout,
  )
  const cancelling = rapport(['jobs', 'cancel', jobs[0].id, '--org', 'acme'])
  // The cancelling command must be the first of two that wait for the row.
  await expect.poll(() => countWaiting('transactionid')).toBe(1)
  await release()
  expect(await cancelling).toMatchObject({ code: 0 })
  const [code] = await ended
  const created = (await countPeople()) - before
  expect({ code, stderr: await stderr }).toEqual({
    code: 1,
    stderr: `rapport: The import is cancelled: ${created} created; see rapport jobs get ${jobs[0].id} --org acme\n`,
  })
  expect(await readdir(folder)).not.toContain('cancelled.csv.job')
})
