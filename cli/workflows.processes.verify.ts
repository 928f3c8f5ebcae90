import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../server/test/child-environment.ts'
import { json, MAIN, type Outcome, openCli } from './cli.fixture.ts'

const { pool, folder, env, rapport, spawn: spawned, org } = await openCli()

/** Runs a command with `input` on its standard input. */
async function piped(args: readonly string[], input: string): Promise<Outcome> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...CHILD_ENVIRONMENT, ...env } })
  child.stdin.end(input)
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

const workflows = (args: readonly string[], input?: string) => {
  const all = ['workflows', ...args, '--org', 'acme']
  return input === undefined ? rapport(all) : piped(all, input)
}

interface Put {
  id: string
  version: number
}

async function put(file: object, ...args: string[]): Promise<Outcome> {
  const path = join(folder, 'put.json')
  await writeFile(path, JSON.stringify(file))
  return workflows(['put', '--file', path, ...args, '--json'])
}

const thanks = (name: string, steps: object[] = [{ key: 'done', type: 'stop', config: {} }]) => ({
  name,
  trigger: 'manual',
  triggerConfig: { objectId: 'deals' },
  parameters: [{ name: 'priority', type: 'text' }],
  steps,
})

const unicorns = { key: 'find', type: 'find_records', config: { object: 'unicorns' } }

test('put creates a workflow and updates it by name or id, and get returns the same file', async () => {
  const path = join(folder, 'thanks.json')
  await writeFile(path, JSON.stringify({ ...thanks('Say thanks'), description: 'For deals' }))
  const made = await json<Put>(workflows(['put', '--file', path, '--json']))
  expect(made).toEqual({ id: expect.any(String), version: 1 })
  const file = await json<object>(workflows(['get', 'Say thanks', '--json']))
  expect(file).toEqual({
    ...thanks('Say thanks'),
    id: made.id,
    description: 'For deals',
    enabled: false,
    version: 1,
  })
  expect(await json(workflows(['put', '--file', '-', '--json'], JSON.stringify(file)))).toEqual(made)

  const changed = thanks('Say thanks', [{ key: 'other', type: 'stop', config: {} }])
  expect(await json(put(changed, '--enable'))).toEqual({ id: made.id, version: 2 })
  expect(await json(workflows(['get', made.id, '--json']))).toMatchObject({
    enabled: true,
    version: 2,
    description: 'For deals',
  })
  expect(await json(put({ ...changed, id: made.id, name: 'Thank', enabled: false }))).toEqual({
    ...made,
    version: 2,
  })
  expect(await json(workflows(['list', '--json']))).toMatchObject({
    workflows: [{ id: made.id, name: 'Thank', enabled: false, trigger: 'manual', object: { slug: 'deals' } }],
  })
})

test('prints problems line by line, and enables no invalid workflow', async () => {
  const line = /^steps\[0\]\.config\.object: .*unicorns.*\n$/
  const file = thanks('Wrong', [unicorns])
  const refused = await put(file, '--enable')
  expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
  expect(await workflows(['get', 'Wrong'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^rapport: No such workflow: /),
  })

  const draft = await put(file)
  expect(draft).toMatchObject({ code: 0, stderr: expect.stringMatching(line) })
  expect(JSON.parse(draft.stdout)).toMatchObject({ version: 1 })

  const validated = await workflows(['validate', '--file', '-', '--json'], JSON.stringify(file))
  expect(validated).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(validated.stdout)).toMatchObject({ problems: [{ path: 'steps[0].config.object' }] })
  const good = JSON.stringify(thanks('Good'))
  expect(await workflows(['validate', '--file', '-'], good)).toEqual({
    code: 0,
    stdout: 'It can be enabled.\n',
    stderr: '',
  })
  const shapeless = await workflows(['validate', '--file', '-'], '{"name":"","trigger":"odd","steps":{}}')
  expect(shapeless.code).toBe(1)
  for (const path of ['name', 'trigger', 'steps'])
    expect(shapeless.stderr).toMatch(new RegExp(`^${path}: `, 'm'))
  expect(await workflows(['put', '--file', '-'], '{')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not valid JSON/),
  })
  expect(await workflows(['put', '--file', join(folder, 'none.json')])).toMatchObject({ code: 1 })
})

interface Run {
  id: string
  status: string
  input: { parameters: object }
}

const end = (runId: string, status: 'failed' | 'completed') =>
  pool.run(sql`
    update workflow_runs set status = ${status}, failure = case when ${status}::text = 'failed' then 'step_failed' end,
      error = case when ${status}::text = 'failed' then 'It broke' end, started_at = now(), completed_at = now()
    where org = ${org} and id = ${runId}`)

test('starts, lists, shows, cancels and repeats runs', async () => {
  await json(put(thanks('Runs'), '--enable'))
  const started = await json<{ runId: string }>(
    workflows(['run', 'Runs', '--data', '{"priority":"high"}', '--json']),
  )
  const run = await json<Run>(workflows(['run', 'get', started.runId, '--json']))
  expect(run).toMatchObject({
    id: started.runId,
    status: 'queued',
    input: { parameters: { priority: 'high' } },
  })
  expect(await json(workflows(['runs', 'Runs', '--status', 'queued', '--json']))).toMatchObject({
    runs: [{ id: started.runId }],
    pagination: { total: 1 },
  })
  expect(await workflows(['cancel', started.runId])).toMatchObject({
    code: 0,
    stdout: `Run ${started.runId} is cancelled.\n`,
  })
  expect(await workflows(['cancel', started.runId])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is cancelled'),
  })

  // The command treats an older connection of this process as a connection of a service.
  const second = await pool.transaction(async (tx) => {
    await tx.run(sql`select 1`)
    return spawned(['workflows', 'run', 'Runs', '--org', 'acme'])
  })
  expect(second.stdout).toMatch(/^Run \S+ of "Runs" was started\.\n$/)
  const [, runId = ''] = /^Run (\S+)/.exec(second.stdout) ?? []
  await end(runId, 'failed')
  const retried = await json<{ runId: string }>(workflows(['retry', runId, '--json']))
  expect(await json(workflows(['run', 'get', retried.runId, '--json']))).toMatchObject({ retryOf: runId })
})

test('disables a workflow with its open runs, and cancels all of them', async () => {
  const { id } = await json<Put>(put(thanks('Stop'), '--enable'))
  for (let made = 0; made < 2; made++) await json(workflows(['run', 'Stop', '--json']))
  const off = { id, name: 'Stop', enabled: false, isPaused: true }
  expect(await json(workflows(['disable', 'Stop', '--open-runs', 'pause', '--json']))).toEqual(off)
  expect(await json(workflows(['enable', 'Stop', '--json']))).toEqual({
    ...off,
    enabled: true,
    isPaused: false,
  })
  expect(await json(workflows(['cancel-runs', 'Stop', '--json']))).toMatchObject({
    ...{ workflowId: id, status: 'running', total: 2, cancelled: 0 },
  })
  expect(await workflows(['disable', 'Stop'])).toEqual({
    code: 0,
    stdout: 'Workflow "Stop" is disabled.\nIts open runs are executed.\n',
    stderr: '',
  })
  expect(await workflows(['disable', 'Stop', '--open-runs', 'stop'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('finish, pause, cancel'),
  })
})

test('refuses an invalid run in one line', async () => {
  await json(put(thanks('Refused'), '--enable'))
  const refusals: [string[], string][] = [
    [['run', 'Refused', '--data', '{"hue":1}'], 'data.hue'],
    [['run', 'Refused', '--data', '{'], 'JSON object'],
    [['run', 'Refused', '--record', 'nonsense'], 'recordId'],
    [['run', 'Missing'], 'No such workflow'],
    [['run', 'get', 'nonsense'], 'No such run'],
    [['runs', 'Refused', '--limit', '101'], 'limit'],
  ]
  for (const [args, message] of refusals)
    expect(await workflows(args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  for (const args of [
    ['run', 'Refused'],
    ['run', 'get', 'x'],
  ])
    expect((await rapport(['workflows', ...args])).stderr).toContain("required option '--org <id or slug>'")
})

test('--wait prints the result of the run', async () => {
  await json(put(thanks('Waiting'), '--enable'))
  // Any other connection counts as a running service. This transaction is open until the run has ended.
  const { code, stdout } = await pool.transaction(async () => {
    const waiting = spawned(['workflows', 'run', 'Waiting', '--wait', '--json', '--org', 'acme'])
    await end(await firstRunOf('Waiting'), 'failed')
    return waiting
  })
  expect({ code, run: JSON.parse(stdout) }).toMatchObject({
    code: 1,
    run: { status: 'failed', error: 'It broke' },
  })
})

async function firstRunOf(name: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const look = async () => {
    const row = await pool.maybeOne<{ id: string }>(sql`
      select r.id from workflow_runs r join workflows w on w.org = r.org and w.id = r.workflow
      where r.org = ${org} and w.name = ${name}`)
    if (row) resolve(row.id)
    else setTimeout(look, 50)
  }
  await look()
  return promise
}

test('reads secrets from a file or standard input, and never shows them', async () => {
  const path = join(folder, 'token.txt')
  await writeFile(path, 'token-from-file\n')
  expect(await workflows(['secrets', 'set', 'ERP_TOKEN', '--value-file', path])).toEqual({
    code: 0,
    stdout: 'Secret ERP_TOKEN is set.\n',
    stderr: '',
  })
  expect(await json(workflows(['secrets', 'set', 'OTHER', '--json'], 'typed'))).toMatchObject({
    name: 'OTHER',
  })
  const listed = await workflows(['secrets', 'list', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject({ secrets: [{ name: 'ERP_TOKEN' }, { name: 'OTHER' }] })
  expect(listed.stdout).not.toContain('token-from-file')
  expect(await workflows(['secrets', 'set', 'lower'], 'x')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('capital letters'),
  })
  expect(await workflows(['secrets', 'set', 'EMPTY'], '\n')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('empty'),
  })
  expect(await workflows(['secrets', 'remove', 'OTHER'])).toMatchObject({ code: 0 })
  expect(await workflows(['secrets', 'remove', 'OTHER'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No such secret'),
  })
})

test('deletes a workflow only with --yes', async () => {
  const { id } = await json<Put>(put(thanks('Doomed')))
  expect(await workflows(['delete', 'Doomed'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--yes'),
  })
  expect(await json(workflows(['delete', 'Doomed', '--yes', '--json']))).toEqual({ id, deleted: true })
  expect(await workflows(['get', id])).toMatchObject({ code: 1 })
})
