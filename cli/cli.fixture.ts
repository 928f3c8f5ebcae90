// Runs commands on a database with one organization: in this process, or in a separate process as a user does.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Command, CommanderError } from 'commander'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Caller } from '../server/base/caller.ts'
import type { Pool } from '../server/db/pool.ts'
import { CHILD_ENVIRONMENT, POOLER_ENVIRONMENT } from '../server/test/child-environment.ts'
import { createTestDatabase, testDatabaseUrl } from '../server/test/database.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { enter } from './organization.ts'
import { fail } from './output.ts'
import { buildProgram } from './program.ts'
import { type CliSession, withSession } from './session.ts'

/** The file to run in tests that spawn a command themselves, for signals and pipes. */
export const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

export const OWNER = [
  ...['--owner-name', 'Ada', '--owner-email', 'ada@example.com'],
  ...['--owner-password', 'correct horse'],
]

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command in a separate process. @param before a program that starts it */
export function run(
  args: readonly string[],
  env: Record<string, string>,
  before: readonly string[] = [],
): Promise<Outcome> {
  const [program = '', ...words] = [...before, process.execPath, ...args]
  return new Promise((resolve) => {
    const options = { env: { ...CHILD_ENVIRONMENT, ...env }, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(program, words, options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** Makes commander throw after --help and after wrong usage, also in subcommands, instead of ending the process. */
function overrideExit(command: Command): Command {
  command.commands.forEach(overrideExit)
  return command.exitOverride()
}

async function runProgram(args: readonly string[]): Promise<number> {
  process.exitCode = undefined
  try {
    await overrideExit(buildProgram()).parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    fail(error)
  }
  return Number(process.exitCode ?? 0)
}

/** Collects the output of a stream in `chunks`. @returns a function that restores the stream */
function capture(stream: NodeJS.WriteStream, chunks: string[]): () => void {
  const { write } = stream
  stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    chunks.push(String(chunk))
    const written = rest.at(-1)
    if (typeof written === 'function') written()
    return true
  }
  return () => void Object.assign(stream, { write })
}

/** Runs a command in this process. The command temporarily gets its environment, output and exit code. */
async function runHere(args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const { env: before, exitCode } = process
  const restores = [capture(process.stdout, stdout), capture(process.stderr, stderr)]
  process.env = { PATH: before['PATH'], ...env }
  try {
    const code = await runProgram(args)
    return { code, stdout: stdout.join(''), stderr: stderr.join('') }
  } finally {
    Object.assign(process, { env: before, exitCode })
    for (const restore of restores) restore()
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Runs commands one after the other: concurrent commands would mix their output. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = last.then(work)
  last = done.catch(() => undefined)
  return done
}

/** Runs a command in this process, after earlier commands have ended. */
export const runInside = (args: readonly string[], env: Record<string, string>): Promise<Outcome> =>
  inTurn(() => runHere(args, env))

/** The JSON document that a command printed, without any other output. */
export async function json<Document>(outcome: Promise<Outcome>): Promise<Document> {
  const { code, stdout, stderr } = await outcome
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.endsWith('\n')).toBe(true)
  return JSON.parse(stdout)
}

export interface Cli {
  pool: Pool
  /** DATA_DIR, with the key that seals secrets. */
  folder: string
  env: Record<string, string>
  rapport(args: readonly string[], more?: Record<string, string>): Promise<Outcome>
  /** Runs a command in a separate process, which treats older connections as connections of a running service. */
  spawn(args: readonly string[]): Promise<Outcome>
  /** Runs work as the service does for a request of Ada in `acme`, on the database of the commands. */
  inService<Result>(work: (ctx: CliSession['ctx'], caller: Caller) => Promise<Result>): Promise<Result>
  /** Internal number of the organization `acme`, which Ada owns. */
  org: number
}

async function inEnvironment<Result>(
  env: Record<string, string>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { env: before } = process
  process.env = { PATH: before['PATH'], ...env }
  try {
    return await work()
  } finally {
    process.env = before
  }
}

/** Creates a database and a folder, which are removed after the tests of the file. */
export async function openCli(overrides: Record<string, string> = {}): Promise<Cli> {
  const { pool, connection } = await createTestDatabase()
  const folder = await temporaryFolder('cli')
  const url = testDatabaseUrl(connection.database)
  const env = { ...POOLER_ENVIRONMENT, DATABASE_URL: url, DATA_DIR: folder, ...overrides }
  const rapport: Cli['rapport'] = (args, more = {}) => runInside(args, { ...env, ...more })
  const spawn: Cli['spawn'] = (args) => run([MAIN, ...args], env)
  expect(await rapport(['org', 'create', '--name', 'Acme', ...OWNER])).toMatchObject({ code: 0 })
  const { org } = await pool.one<{ org: number }>(sql`select org from organizations where slug = 'acme'`)
  const inService: Cli['inService'] = (work) =>
    inEnvironment(env, () =>
      withSession(async (session) => {
        const { ctx, caller } = await enter(session, 'acme')
        return work(ctx, caller)
      }),
    )
  return { pool, folder, env, rapport, spawn, inService, org }
}

/** The output of a command with `--help`. */
export function helpOf(command: Command): string {
  let help = ''
  const writeOut = (piece: string) => {
    help += piece
  }
  command.configureOutput({ writeOut }).outputHelp()
  return help
}
