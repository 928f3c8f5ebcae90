import { execFile, type SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Binaries } from './binaries.ts'
import { EmbeddedError } from './error.ts'
import type { Account, EmbeddedFolder } from './folder.ts'

/** How a PostgreSQL program is started, since PostgreSQL refuses to run as root. */
export interface Launcher {
  /** Words before the program; each of them replaces itself (exec), so the child keeps its pid. */
  prefix: string[]
  /** The account to start as; undefined: the account of this process. */
  account?: Account
  /** PostgreSQL's major version, from the binaries: 18. */
  major: string
}

type Candidate = Omit<Launcher, 'major'>

// When the process that started PostgreSQL ends, the kernel sends SIGINT: a fast shutdown with a checkpoint.
const endWithParent = ['setpriv', '--pdeathsig', 'INT', '--']

/**
 * Finds the first way to run PostgreSQL on the folder that works. For root: as the account that owns the data, else in
 * a user namespace, else as `postgres` or `nobody`. For other accounts: directly, or in a user namespace when our uid
 * has no name (a container that was started with only a number).
 */
export async function findLauncher(binaries: Binaries, folder: EmbeddedFolder): Promise<Launcher> {
  const ending = await endingWithParent()
  let trouble = ''
  for (const candidate of await candidates(folder)) {
    const prefix = [...candidate.prefix, ...ending]
    const probe = await probeCandidate({ ...candidate, prefix }, binaries, folder)
    const major = /\(PostgreSQL\) (\d+)/.exec(probe.output)?.[1]
    if (probe.exitCode === 0 && major) return { ...candidate, prefix, major }
    trouble = explainProbe(probe, candidate, { binaries, folder })
  }
  throw new EmbeddedError(trouble)
}

async function candidates(folder: EmbeddedFolder): Promise<Candidate[]> {
  const accounts = await readAccounts()
  const named = (name: string) => accounts.find((account) => account.name === name)
  const namespaced = { prefix: userNamespaceAs(accounts.find(isPlain)) }
  if (process.getuid?.() !== 0) return [{ prefix: [] }, namespaced]
  const owner = await ownerOf(existsSync(folder.cluster) ? folder.cluster : folder.dataDir)
  const asOwner = { prefix: [], account: owner }
  const first = owner.uid === 0 ? [] : [asOwner, { ...namespaced, account: owner }]
  const fallback = named('postgres') ?? named('nobody')
  return [...first, namespaced, ...(fallback ? [{ prefix: [], account: fallback }] : [])]
}

/**
 * The words that start a program in a separate user namespace, in which our account has the uid of `account`. The
 * program can use our files in any folder without chown. initdb requires an account with a name.
 */
function userNamespaceAs(account: Account | undefined): string[] {
  const { uid, gid } = account ?? { uid: 1000, gid: 1000 }
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
}

/** Neither root nor 65534, the number of all accounts that a namespace does not map. */
function isPlain({ uid, gid }: Account): boolean {
  return uid > 0 && gid > 0 && uid !== 65534 && gid !== 65534
}

async function ownerOf(path: string): Promise<Account> {
  const { uid, gid } = await stat(path)
  return { name: `number ${uid}`, uid, gid }
}

async function readAccounts(): Promise<Account[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

interface Probe {
  exitCode: number
  output: string
}

const cannotEnter = 3
const cannotRead = 4
const hasNoName = 5

/** Runs `postgres -V` in the data folder, as the candidate would run; the exit codes above say what fails. */
function probeCandidate(candidate: Candidate, binaries: Binaries, folder: EmbeddedFolder): Promise<Probe> {
  const script = `cd -- "$0" || exit ${cannotEnter}
    test -x "$1" || exit ${cannotRead}
    id -un >/dev/null 2>&1 || exit ${hasNoName}
    exec "$1" -V`
  return run(
    [...candidate.prefix, '/bin/sh', '-c', script, folder.dataDir, binaries.postgres],
    candidate.account,
  )
}

async function endingWithParent(): Promise<string[]> {
  const probe = await run([...endWithParent, 'true'])
  return probe.exitCode === 0 ? endWithParent : []
}

function run([program = '', ...words]: string[], account?: Account): Promise<Probe> {
  return new Promise((resolve) => {
    execFile(program, words, { ...spawnOptions(account), timeout: 10_000 }, (error, stdout, stderr) => {
      const exitCode = error ? (typeof error.code === 'number' ? error.code : 127) : 0
      resolve({ exitCode, output: stdout + stderr })
    })
  })
}

/** PostgreSQL must not receive our environment: PGPORT, PGOPTIONS and similar variables would change the server. */
export function spawnOptions(account?: Account): Pick<SpawnOptions, 'env' | 'uid' | 'gid' | 'cwd'> {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
  return { env, cwd: '/', ...(account && { uid: account.uid, gid: account.gid }) }
}

interface ServerFiles {
  binaries: Binaries
  folder: EmbeddedFolder
}

function explainProbe(probe: Probe, candidate: Candidate, { binaries, folder }: ServerFiles): string {
  const own = 'set DATABASE_URL to your own PostgreSQL server'
  if (/shared librar|Library not loaded/.test(probe.output)) {
    return `${binaries.packageName} is not installed completely: run npm rebuild ${binaries.packageName}, or ${own}.`
  }
  const isRoot = process.getuid?.() === 0
  const root = isRoot ? 'PostgreSQL does not run as root, nor here in a user namespace, and ' : ''
  const account = candidate.account ? `the account ${candidate.account.name}` : 'this account'
  if (probe.exitCode === cannotEnter) {
    return `${root}${account} cannot enter ${folder.dataDir}: set DATA_DIR to a folder it can enter, or ${own}.`
  }
  if (probe.exitCode === cannotRead) {
    return `${root}${account} cannot read ${binaries.postgres}: install Rapport in a folder it can enter, or ${own}.`
  }
  if (probe.exitCode === hasNoName) {
    return `PostgreSQL needs an account with a name, ${account} has none in /etc/passwd: add it, or ${own}.`
  }
  const said = probe.output.trim().split('\n').at(-1)
  return `${root}PostgreSQL does not run as ${account} (${said || `exit code ${probe.exitCode}`}): ${own}.`
}
