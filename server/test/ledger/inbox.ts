// The receiver: it verifies deliveries, keeps only their ids, and sometimes fails.
import { hash } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Random } from '../../demo/random.ts'
import { Mirror, type MirrorEvent, type MirrorRecord } from '../mirror/mirror.ts'
import type { Received, Reply } from '../receiver.ts'
import { type Hook, wantsAll } from './world.ts'

export interface Inbox {
  answer(request: Received): Reply
  /** All later answers are successful. */
  recover(): void
  taken(hook: Hook, event: string): number
  /** The version in the body of an event, at any hook; undefined: the event was never received. */
  version(event: string): number | undefined
  /** The number of different events that a hook accepted. */
  events(hook: Hook): number
  /** A copy of the organization's records, made from the events of a hook; undefined unless it gets all events. */
  mirror(hook: Hook): MirrorRecord[] | undefined
  faults: readonly string[]
  /** All received deliveries; those answered with a failure; those of an event that the hook had already accepted. */
  counts(): { received: number; refused: number; duplicates: number }
}

const FAULTS_MAX = 50

/** Failures are rare, because the retries wait 5 s and then 30 s. */
function moodOf(random: Random): Reply {
  const mood = random.next()
  if (mood < 0.01) return { status: 500 }
  if (mood < 0.015) return { kind: 'reset' }
  if (mood < 0.018) return { status: 503, headers: { 'retry-after': '1' } }
  if (mood < 0.05) return { delayMs: random.integer(20, 400) }
  return {}
}

const isGood = (reply: Reply) => reply.kind === undefined && reply.status === undefined

/** @throws if the signature does not match the secret, or the timestamp is not close to the current time */
function read({ body, headers }: Received, { secret }: Hook) {
  const text = body.toString()
  new Webhook(secret).verify(text, headers as Record<string, string>)
  return JSON.parse(text) as MirrorEvent & { organizationId: string }
}

/** A body must be the same on every try and at every endpoint. Only a hash is kept. */
function createBodies() {
  const digests = new Map<string, string>()
  const versions = new Map<string, number>()
  return {
    versions,
    isSame(id: string, body: Buffer): boolean {
      const digest = hash('sha1', body, 'base64')
      const first = digests.get(id) ?? digest
      digests.set(id, first)
      return first === digest
    },
  }
}

type Bodies = ReturnType<typeof createBodies>

function faultOf(request: Received, hook: Hook, bodies: Bodies) {
  const id = request.headers['webhook-id']
  try {
    const body = read(request, hook)
    if (body.id !== id) return `${id}: its body says ${body.id}`
    if (body.organizationId !== hook.org.id) return `${id}: of another organization`
    bodies.versions.set(body.id, body.version)
    return bodies.isSame(body.id, request.body) ? undefined : `${id}: another body than before`
  } catch (error) {
    return `${id}: ${error}`
  }
}

export function createInbox(hooks: readonly Hook[], random: Random): Inbox {
  const taken = new Map<Hook, Map<string, number>>(hooks.map((hook) => [hook, new Map()]))
  const faults: string[] = []
  const counts = { received: 0, refused: 0, duplicates: 0 }
  const bodies = createBodies()
  let isWell = false
  const mirrors = new Map(hooks.filter(wantsAll).map((hook) => [hook, new Mirror()]))
  const take = (hook: Hook, { headers, body }: Received) => {
    const id = String(headers['webhook-id'])
    mirrors.get(hook)?.apply(JSON.parse(body.toString()))
    const times = taken.get(hook)
    const before = times?.get(id) ?? 0
    times?.set(id, before + 1)
    if (before > 0) counts.duplicates++
  }
  return {
    answer(request) {
      counts.received++
      const hook = hooks[Number(request.path.slice(1))]
      const fault = hook ? faultOf(request, hook, bodies) : `nothing is at ${request.path}`
      if (fault !== undefined && faults.length < FAULTS_MAX) faults.push(fault)
      const reply = isWell ? {} : moodOf(random)
      if (!isGood(reply)) counts.refused++
      else if (hook) take(hook, request)
      return reply
    },
    recover() {
      isWell = true
    },
    version: (event) => bodies.versions.get(event),
    taken: (hook, event) => taken.get(hook)?.get(event) ?? 0,
    events: (hook) => taken.get(hook)?.size ?? 0,
    mirror: (hook) => mirrors.get(hook)?.records(),
    faults,
    counts: () => ({ ...counts }),
  }
}
