import { execFile, type SpawnOptions } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import type { Binaries } from './binaries.ts'
import { EmbeddedError } from './error.ts'
import type { Account, EmbeddedFolder } from './folder.ts'

/** How a PostgreSQL program is started so that it agrees to run: it refuses to as root. */
export interface Launcher {
  /** Words before the program; each of them replaces itself (exec), so the pid stays that of the child. */
  prefix: string[]
  /** The account to start as; undefined: our own. */
  account?: Account
  /** PostgreSQL's major version, from the binaries: 18. */
  major: string
}

type Candidate = Omit<Launcher, 'major'>

// As uid 1000 of a user namespace of its own, root's files stay reachable in any folder and need no chown.
const userNamespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']
// PostgreSQL shuts down by itself (SIGINT: fast, with a checkpoint) when the process that started it dies.
const endWithParent = ['setpriv', '--pdeathsig', 'INT', '--']

/**
 * Finds the first way that works here to run PostgreSQL on the folder. Not as root: directly. As root: as the
 * account that owns the data already, else in a user namespace, else as `postgres` or `nobody`.
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
  if (process.getuid?.() !== 0) return [{ prefix: [] }]
  const accounts = await namedAccounts()
  const owner = (await ownerOf(folder.cluster)) ?? (await ownerOf(folder.dataDir))
  const first = owner && owner.uid !== 0 ? [{ prefix: [], account: owner }] : []
  return [...first, { prefix: userNamespace }, ...accounts.map((account) => ({ prefix: [], account }))]
}

async function ownerOf(path: string): Promise<Account | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats && { name: `number ${stats.uid}`, uid: stats.uid, gid: stats.gid }
}

/** `postgres` where it exists, else `nobody`; none where the machine has neither. */
async function namedAccounts(): Promise<Account[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = passwd.match(new RegExp(`^${wanted}:.*`, 'm'))?.[0].split(':') ?? []
    if (name && uid && gid) return [{ name, uid: Number(uid), gid: Number(gid) }]
  }
  return []
}

interface Probe {
  exitCode: number
  output: string
}

const cannotEnter = 3
const cannotRead = 4

function probeCandidate(candidate: Candidate, binaries: Binaries, folder: EmbeddedFolder): Promise<Probe> {
  const script = `cd -- "$0" || exit ${cannotEnter}; test -x "$1" || exit ${cannotRead}; exec "$1" -V`
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

/** Our environment must not reach PostgreSQL: PGPORT, PGOPTIONS and the like would change the server. */
export function spawnOptions(account?: Account): Pick<SpawnOptions, 'env' | 'uid' | 'gid' | 'cwd'> {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
  return { env, cwd: '/', ...(account && { uid: account.uid, gid: account.gid }) }
}

interface Place {
  binaries: Binaries
  folder: EmbeddedFolder
}

function explainProbe(probe: Probe, candidate: Candidate, { binaries, folder }: Place): string {
  const own = 'set DATABASE_URL to a PostgreSQL server of your own'
  if (/shared librar|Library not loaded/.test(probe.output)) {
    return `${binaries.packageName} is not set up: run npm rebuild ${binaries.packageName}, or ${own}.`
  }
  const root = 'PostgreSQL does not run as root, user namespaces are not allowed here'
  if (!candidate.account) {
    const why =
      process.getuid?.() === 0 ? `${root}, and there is no account postgres or nobody` : probe.output.trim()
    return `The embedded PostgreSQL does not run on this machine (${why || binaries.postgres}): ${own}.`
  }
  const account = `the account ${candidate.account.name}`
  if (probe.exitCode === cannotEnter) {
    return `${root}, and ${account} cannot enter ${folder.dataDir}: set DATA_DIR to a folder it can enter, or ${own}.`
  }
  if (probe.exitCode === cannotRead) {
    return `${root}, and ${account} cannot read ${binaries.postgres}: install Rapport in a folder it can enter, or ${own}.`
  }
  return `The embedded PostgreSQL does not run as ${account} (${probe.output.trim()}): ${own}.`
}
