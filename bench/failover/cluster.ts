// A client of Patroni's REST API, outside of the three machines: reads the members' state and requests failovers.
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

/** The machine whose Patroni reports the leader lock and a running primary. undefined: no machine or several do. */
export async function findPrimary(): Promise<number | undefined> {
  const answers = await Promise.all(MACHINES.map(isPrimary))
  const primaries = MACHINES.filter((_, place) => answers[place])
  return primaries.length === 1 ? primaries[0] : undefined
}

const isStreaming = ({ role, state }: Member) => role === 'quorum_standby' && state === 'streaming'

/** @returns the primary when two standbys stream from it and a commit waits for one of them */
export async function findWhole(): Promise<number | undefined> {
  const primary = await findPrimary()
  if (primary === undefined) return undefined
  const members = await membersAt(primary).catch(() => [])
  const leader = members.find(({ role }) => role === 'leader')
  const isWhole = members.filter(isStreaming).length === 2 && leader?.state === 'running'
  return isWhole && machineOf(leader.name) === primary ? primary : undefined
}

/** Copies the primary to each standby that does not stream, as `patronictl reinit` does. @returns lines to print */
export async function reinitialize(): Promise<string[]> {
  const primary = await findPrimary()
  if (primary === undefined) return ['there is no primary']
  const members = await membersAt(primary)
  const late = MACHINES.filter((one) => one !== primary).filter(
    (one) => !members.some((member) => machineOf(member.name) === one && isStreaming(member)),
  )
  return Promise.all(
    late.map(async (one) => {
      const state = JSON.stringify(members.find((member) => machineOf(member.name) === one) ?? 'not a member')
      const answer = await post(one, 'reinitialize', { force: true })
      return `db${one} did not stream (${state}) and was copied from the primary: ${answer}`
    }),
  )
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

/** @returns status and body of the answer, or the message of the connection error */
async function post(machine: number, path: string, body: object): Promise<string> {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${patroniAt(machine)}/${path}`, init).catch((error: Error) => error)
  return response instanceof Error ? response.message : `${response.status} ${await response.text()}`
}

const anotherThan = (primary: number) => `db${MACHINES.find((one) => one !== primary)}`

/** Requests a switchover from the primary to one of its standbys. */
export async function switchover(primary: number): Promise<void> {
  const answer = await post(primary, 'switchover', {
    leader: `db${primary}`,
    candidate: anotherThan(primary),
  })
  if (!answer.startsWith('2')) throw new Error(`The switchover was refused: ${answer}`)
}

/** Requests that a standby take over, as `patronictl failover` does. @returns the answer */
export async function requestFailover(primary: number): Promise<string> {
  const candidate = anotherThan(primary)
  return post(machineOf(candidate), 'failover', { candidate })
}
