// What Patroni says about its members, asked from outside.
import { setTimeout as delay } from 'node:timers/promises'
import { addressOf, MACHINES, machineOf, OUTSIDE, PORTS } from './plan.ts'

export interface Member {
  name: string
  role: string
  state: string
}

const ASK_MS = 2000
const PAUSE_MS = 250

const patroniAt = (machine: number) => `http://${addressOf(OUTSIDE, machine)}:${PORTS.patroni}`

async function membersAt(machine: number): Promise<Member[]> {
  const response = await fetch(`${patroniAt(machine)}/cluster`, { signal: AbortSignal.timeout(ASK_MS) })
  return ((await response.json()) as { members: Member[] }).members
}

const isPrimary = (machine: number): Promise<boolean> =>
  fetch(`${patroniAt(machine)}/primary`, { signal: AbortSignal.timeout(ASK_MS) }).then(
    ({ status }) => status === 200,
    () => false,
  )

/** The machine whose Patroni says that it holds the lock and PostgreSQL runs as primary; undefined: none, or two. */
export async function findPrimary(): Promise<number | undefined> {
  const answers = await Promise.all(MACHINES.map(isPrimary))
  const primaries = MACHINES.filter((_, place) => answers[place])
  return primaries.length === 1 ? primaries[0] : undefined
}

/** @returns the primary when two standbys stream from it and a commit waits for one of them */
export async function findWhole(): Promise<number | undefined> {
  const primary = await findPrimary()
  if (primary === undefined) return undefined
  const members = await membersAt(primary).catch(() => [])
  const standbys = members.filter(({ role, state }) => role === 'quorum_standby' && state === 'streaming')
  const leader = members.find(({ role }) => role === 'leader')
  const isWhole = standbys.length === 2 && leader?.state === 'running' && machineOf(leader.name) === primary
  return isWhole ? primary : undefined
}

/** Polls `find` until it returns something. @throws Error with `what` after `timeoutMs` */
export async function until<Found>(
  what: string,
  timeoutMs: number,
  find: () => Promise<Found | undefined>,
): Promise<Found> {
  const endsAt = performance.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > endsAt) throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`)
    await delay(PAUSE_MS)
  }
}

/** Asks the primary to hand over to one of its standbys. */
export async function switchover(primary: number): Promise<void> {
  const candidate = MACHINES.find((one) => one !== primary)
  const response = await fetch(`${patroniAt(primary)}/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: `db${primary}`, candidate: `db${candidate}` }),
  })
  if (!response.ok) throw new Error(`The switchover was refused: ${await response.text()}`)
}

/** `patronictl failover`: asks a standby to take over. @returns the answer */
export async function requestFailover(primary: number): Promise<string> {
  const candidate = MACHINES.find((one) => one !== primary) ?? primary
  const response = await fetch(`${patroniAt(candidate)}/failover`, {
    method: 'POST',
    body: JSON.stringify({ candidate: `db${candidate}` }),
  }).catch((error: Error) => error)
  return response instanceof Error ? response.message : `${response.status} ${await response.text()}`
}
