// npm run failover -- --rounds 100: the primary of three PostgreSQL servers under Patroni fails repeatedly while
// clients write. At the end the harness checks that every acknowledged write exists.
import { chmod, copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { UsageError } from '../harness/bench.ts'
import { type Lab, openLab } from '../harness/lab.ts'
import { findPrimary, findWhole, reinitialize, requestFailover, until } from './cluster.ts'
import { FAULTS, type Fault } from './faults.ts'
import { longestGap, type Round, tableOf } from './gaps.ts'
import { startHaproxy } from './haproxy.ts'
import { startInstallation } from './installation.ts'
import { type Book, followEvents, keepWriting, newBook, type Target } from './load.ts'
import { type Machine, openMachine } from './machine.ts'
import { type Network, openNetwork } from './network.ts'
import { MACHINES, TIMING } from './plan.ts'
import { findPrograms, type Programs } from './programs.ts'
import { judge } from './verdict.ts'

const USAGE = `npm run failover -- [options]

Three PostgreSQL 18 servers under Patroni 4 (quorum, strict) with etcd, and HAProxy, on loopback. In each round the
primary fails while clients write; at the end every acknowledged write and every event is accounted for.

  --root DIR       the folder in which PostgreSQL, Patroni, etcd and HAProxy are installed (/)
  --uid N          the user that they run as (65534)
  --rounds N       how many failovers (100)
  --rate N         requests per second of the clients (30)
  --minutes N      begin no round after N minutes (120)
  --only TEXT      only faults whose name contains it
  --no-release     do not release the lock of a lost primary before its lease ends
  --ask-failover   ask a standby to take over 3 s after each fault, as \`patronictl failover\` does
  --help           this text

Faults: ${FAULTS.map(({ name }) => name).join('; ')}.
The exit code is 1 when something was lost or doubled, or an answer was neither a success nor a 503.`

const RELEASER = fileURLToPath(new URL('../../deploy/patroni/release-lost-lock.py', import.meta.url))
const WRITERS = 8
const [START_MS, WHOLE_MS, RETURN_MS] = [120_000, 60_000, 180_000]
const ASK_AFTER_MS = 3000
/** Acknowledged writes within a second that show that the service is back. */
const ENOUGH = 10

const say = (line: string) => void process.stdout.write(`${line}\n`)

interface Options {
  root: string
  uid: number
  rounds: number
  rate: number
  minutes: number
  faults: readonly Fault[]
  isReleasing: boolean
  isAsking: boolean
}

function whole(flag: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new UsageError(`--${flag} must be a whole number from 1, not "${text}"`)
}

function readOptions(): Options | 'help' {
  const text = (preset: string) => ({ type: 'string', default: preset }) as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    options: {
      ...{
        root: text('/'),
        uid: text('65534'),
        rounds: text('100'),
        rate: text('30'),
        minutes: text('120'),
        only: text(''),
      },
      ...{ 'no-release': flag, 'ask-failover': flag, help: flag },
    },
  })
  const faults = FAULTS.filter(({ name }) => name.includes(values.only))
  if (faults.length === 0)
    throw new UsageError(`--only leaves no fault of: ${FAULTS.map(({ name }) => name).join(', ')}`)
  if (values.help) return 'help'
  return {
    ...{ root: resolve(values.root), uid: whole('uid', values.uid), rounds: whole('rounds', values.rounds) },
    ...{ rate: whole('rate', values.rate), minutes: whole('minutes', values.minutes), faults },
    ...{ isReleasing: !values['no-release'], isAsking: values['ask-failover'] },
  }
}

interface Stage {
  machines: readonly Machine[]
  network: Network
}

async function openStage(lab: Lab, programs: Programs, { isReleasing }: Options): Promise<Stage> {
  const { folder } = lab
  // The programs run as another user, which must be able to read this folder.
  await chmod(folder, 0o755)
  const releaser = join(folder, 'release-lost-lock.py')
  await copyFile(RELEASER, releaser)
  const network = await openNetwork()
  lab.onClose(network.close)
  const options = {
    folder,
    programs,
    timing: TIMING,
    releaser: isReleasing ? releaser : undefined,
    tell: say,
  }
  const machines: Machine[] = []
  for (const number of MACHINES) {
    const machine = await openMachine(options, number)
    lab.onClose(machine.close)
    machines.push(machine)
    await machine.start()
  }
  lab.onClose(await startHaproxy(folder, programs))
  return { machines, network }
}

/** Copies standbys that do not stream within a minute. @returns the primary when both standbys stream */
async function becomeWhole(): Promise<number> {
  try {
    return await until('two standbys stream', WHOLE_MS, findWhole)
  } catch {
    for (const line of await reinitialize()) say(line)
    return until('two standbys stream', RETURN_MS, findWhole)
  }
}

/** Resolves when the service acknowledges writes again and the fault is undone. @returns the measured gap */
async function playRound(
  { machines, network }: Stage,
  fault: Fault,
  book: Book,
  isAsking: boolean,
): Promise<Round> {
  const number = await becomeWhole()
  const primary = machines.find((one) => one.number === number)
  if (!primary) throw new Error(`There is no machine ${number}`)
  const startedAt = Date.now()
  await fault.apply(primary, network)
  if (isAsking) {
    await delay(ASK_AFTER_MS)
    say(`failover was requested: ${await requestFailover(number)}`)
  }
  await until('another primary', RETURN_MS, async () => {
    const found = await findPrimary()
    return found === number ? undefined : found
  })
  const isBack = () => book.acknowledgedAt.filter((at) => at > Date.now() - 1000).length >= ENOUGH
  await until('the service acknowledges writes', RETURN_MS, async () => isBack() || undefined)
  const gapMs = longestGap(book.acknowledgedAt, [startedAt, Date.now()])
  network.heal()
  await primary.start()
  return { fault: fault.name, gapMs }
}

async function tellRound(stage: Stage, fault: Fault, book: Book, isAsking: boolean): Promise<Round> {
  const startedAt = performance.now()
  const round = await playRound(stage, fault, book, isAsking)
  const took = Math.round((performance.now() - startedAt) / 1000)
  say(`${fault.name}: ${(round.gapMs / 1000).toFixed(1)} s without an acknowledged write (${took} s)`)
  return round
}

/** An error ends the rounds and is added to the faults, so that the writes are still checked. */
async function playRounds(stage: Stage, options: Options, book: Book): Promise<Round[]> {
  const rounds: Round[] = []
  const endsAt = performance.now() + options.minutes * 60_000
  try {
    while (rounds.length < options.rounds && performance.now() < endsAt) {
      const fault = options.faults[rounds.length % options.faults.length]
      if (!fault) throw new Error('There is no fault')
      rounds.push(await tellRound(stage, fault, book, options.isAsking))
    }
    await becomeWhole()
  } catch (error) {
    book.faults.push(`round ${rounds.length + 1}: ${error}`)
  }
  return rounds
}

async function playLoad(
  target: Target,
  { rate }: Options,
  book: Book,
  play: () => Promise<Round[]>,
): Promise<Round[]> {
  const stop = new AbortController()
  const pauseMs = (1000 * WRITERS) / rate
  const writing = Array.from({ length: WRITERS }, (_, n) =>
    keepWriting(book, target, n, pauseMs, stop.signal),
  )
  const following = followEvents(book, target, stop.signal)
  const rounds = await play()
  stop.abort()
  await Promise.all([...writing, following])
  return rounds
}

async function run(lab: Lab, options: Options): Promise<boolean> {
  const programs = await findPrograms(options.root, options.uid)
  const stage = await openStage(lab, programs, options)
  await until('two standbys stream', START_MS, findWhole)
  say('three servers run')
  const target = await startInstallation(lab)
  const book = newBook()
  const rounds = await playLoad(target, options, book, () => playRounds(stage, options, book))
  const { faults, acknowledged, events } = await judge(book, target)
  say(`\n${tableOf(rounds)}\n`)
  say(
    `${acknowledged} acknowledged writes, ${events} events; ${book.settled} unknown, then settled by their key`,
  )
  say(`answers: ${JSON.stringify(book.answers)}`)
  say(
    faults.length === 0
      ? 'nothing lost, nothing doubled'
      : `${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`,
  )
  return faults.length === 0
}

async function main(): Promise<void> {
  const options = readOptions()
  if (options === 'help') return say(USAGE)
  const lab = await openLab(say)
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new UsageError(`interrupted by ${signal}`)))
  })
  try {
    if (!(await Promise.race([run(lab, options), interrupted]))) process.exitCode = 1
  } finally {
    await lab.close()
  }
}

try {
  await main()
} catch (error) {
  say(
    `failover: ${error instanceof UsageError ? error.message : error instanceof Error ? error.stack : error}`,
  )
  process.exit(1)
}
