// A service in memory that executes a workflow with faults. It saves state as the database does: completely or not at
// all, and as text.
import { RUN_MOVES, type RunStatus } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { parseJson } from '../../base/json.ts'
import { isNetworkStep, isReadingStep } from '../steps/perform.ts'
import { advance, begin } from './advance.ts'
import { levelsOf } from './positions.ts'
import type { Random } from './random-workflow.fixture.ts'
import { FACTS, NOW } from './run.fixture.ts'
import type { Advance, Next, RunFacts, RunState, StepEvent, StepLogEntry } from './state.ts'

/** The probability of each fault, from 0 to 1. */
export interface Faults {
  crashBefore: number
  crashAfter: number
  transient: number
  permanent: number
  clock: number
}

export const NO_FAULTS: Faults = { crashBefore: 0, crashAfter: 0, transient: 0, permanent: 0, clock: 0 }

interface Kept {
  state: RunState
  status: RunStatus
  records: Record<string, Record<string, unknown>>
  ids: number
  /** Effects of data steps, in order, with their places in the history. */
  effects: { place: number; path: string }[]
  stepLog: Record<string, StepLogEntry>
  error: string | null
}

type Perform = Extract<Next, { kind: 'perform' }>
type Result = { event: StepEvent; isEffect: boolean }

/** More turns than any of these workflows needs. A run with more turns is stuck. */
const TURNS_MAX = 3000
const STEPS_MAX = 30
const STEPS_AT_ONCE = 3
const HOUR_MS = 3_600_000

export class SimulationFault extends Error {}

export class Simulation {
  readonly #definition: WorkflowDefinition
  readonly #facts: RunFacts
  readonly #faults: Faults
  readonly #random: Random
  /** The committed state. */
  #kept: string
  #now = NOW.getTime()
  /** Requests and mails by their idempotency key, as receivers count them. */
  readonly external = new Map<string, number>()

  constructor(definition: WorkflowDefinition, faults: Faults, random: Random) {
    this.#definition = definition
    this.#faults = faults
    this.#random = random
    this.#facts = {
      ...FACTS,
      trigger: {
        event: 'record/updated',
        recordId: 'r0',
        parameters: {},
        data: { n: 5, title: 'Ada', list: ['a', 'b'] },
      },
      stepsMax: STEPS_MAX,
      stepsAtOnce: STEPS_AT_ONCE,
    }
    this.#kept = JSON.stringify({
      state: begin(),
      status: 'queued',
      records: { r0: { title: 'Ada', n: 5 } },
      ids: 0,
      effects: [],
      stepLog: {},
      error: null,
    } satisfies Kept)
  }

  /** Executes the run to its end. @throws SimulationFault when it is stuck or changes its status in an invalid way */
  run(): Kept {
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const kept = parseJson(this.#kept) as Kept
      if (RUN_MOVES[kept.status].length === 0) return kept
      this.#turn(kept)
    }
    throw new SimulationFault('The run is stuck')
  }

  #happens = (share: number) => share > 0 && this.#random() < share

  /** One lease: a worker loads the run, continues it, and saves the result, unless the worker dies. */
  #turn(kept: Kept) {
    this.#move(kept, 'running')
    if (this.#happens(this.#faults.clock)) this.#now += (this.#random() - 0.4) * HOUR_MS
    const started = this.#advance(kept, { kind: 'go' })
    if (started.next.kind !== 'perform') return this.#settle(kept, started.next)
    // Some workers save the state before they perform a step, so that users can see the step.
    if (this.#random() < 0.3 && !this.#keep(kept)) return
    const { event, isEffect } = this.#perform(kept, started.next)
    if (isEffect) kept.effects.push({ place: kept.state.executed, path: started.next.path })
    const done = this.#advance(kept, event)
    if (done.next.kind === 'perform') this.#keep(kept)
    else this.#settle(kept, done.next)
  }

  #advance(kept: Kept, event: StepEvent): Advance {
    const advanced = advance(this.#definition, this.#facts, kept.state, event, new Date(this.#now))
    for (const line of advanced.stepLog) kept.stepLog[line.place] = line
    const before = kept.state
    kept.state = advanced.state
    this.#checkState(before, advanced)
    return advanced
  }

  #checkState(before: RunState, { state, writes, next }: Advance): void {
    const isOver = next.kind === 'end'
    if (!isOver && !levelsOf(this.#definition, state.position).at(-1)?.step)
      throw new SimulationFault(`There is no step at ${JSON.stringify(state.position)}`)
    if (state.executed < before.executed) throw new SimulationFault('Steps were forgotten')
    if (state.executed > STEPS_MAX) throw new SimulationFault('More steps than a run may have')
    const written = JSON.stringify({ ...before.values, ...writes })
    if (written !== JSON.stringify(state.values)) throw new SimulationFault('Not all that changed is written')
  }

  /** Saves the state. @returns false when the worker died before or after */
  #keep(kept: Kept): boolean {
    if (this.#happens(this.#faults.crashBefore)) return false
    this.#kept = JSON.stringify(kept)
    return !this.#happens(this.#faults.crashAfter)
  }

  #move(kept: Kept, to: RunStatus): void {
    if (kept.status === to) return
    if (!RUN_MOVES[kept.status].includes(to)) throw new SimulationFault(`From ${kept.status} to ${to}`)
    kept.status = to
  }

  #settle(kept: Kept, next: Exclude<Next, Perform>): void {
    if (next.kind === 'end') {
      this.#move(kept, next.status)
      kept.error = next.status === 'failed' ? `${next.failure}: ${next.error}` : null
      this.#keep(kept)
      return
    }
    if (next.kind === 'pause') {
      this.#keep(kept)
      return
    }
    this.#move(kept, 'waiting')
    if (!this.#keep(kept)) return
    // A worker may continue the run too early or too late.
    const early = this.#happens(this.#faults.clock) ? (this.#random() - 0.5) * HOUR_MS : 0
    this.#now = Math.max(this.#now, next.until.getTime() + early)
  }

  #perform(kept: Kept, { step, input, path }: Perform): Result {
    if (isNetworkStep(step.type)) this.external.set(path, (this.external.get(path) ?? 0) + 1)
    if (this.#happens(this.#faults.transient)) return failed('busy', true)
    if (this.#happens(this.#faults.permanent)) return failed('refused', false)
    if (isNetworkStep(step.type)) return succeeded({ status: 200, body: input })
    return new Records(kept).perform(step.type, input)
  }
}

const failed = (message: string, isTransient: boolean): Result => ({
  event: { kind: 'failed', message, isTransient },
  isEffect: false,
})
const succeeded = (output: unknown, isEffect = false): Result => ({
  event: { kind: 'succeeded', output },
  isEffect,
})

/** Records of one object. */
class Records {
  readonly #kept: Kept

  constructor(kept: Kept) {
    this.#kept = kept
  }

  perform(type: WorkflowStep['type'], input: Readonly<Record<string, unknown>>): Result {
    if (isReadingStep(type)) return succeeded(this.#read(type, input))
    const output = this.#write(type, input)
    return output ? succeeded(output, true) : failed('There is no such record', false)
  }

  #read(type: string, { limit, recordId }: Readonly<Record<string, unknown>>): unknown {
    const { records } = this.#kept
    const all = Object.keys(records).map((id) => this.#record(id))
    if (type === 'find_records') {
      const found = all.slice(0, Number(limit))
      return { count: found.length, records: found }
    }
    const record = all.find(({ id }) => id === recordId) ?? null
    return { found: record !== null, record }
  }

  #record = (id: string) => ({ id, objectId: 'things', data: { ...this.#kept.records[id] } })

  #write(type: string, input: Readonly<Record<string, unknown>>): unknown {
    const { records } = this.#kept
    const data = (input['data'] ?? {}) as Record<string, unknown>
    const id = String(input['recordId'])
    if (type === 'create_record') return this.#put(`r${++this.#kept.ids}`, data)
    if (type === 'upsert_record') {
      const known = Object.keys(records).find((one) => records[one]?.['code'] === data['code'])
      return this.#put(known ?? `r${++this.#kept.ids}`, data)
    }
    if (type !== 'update_record' && type !== 'delete_record') return { id: `a${++this.#kept.ids}` }
    if (!Object.hasOwn(records, id)) return undefined
    if (type === 'update_record') return this.#put(id, data)
    delete records[id]
    return { id, deleted: true }
  }

  #put(id: string, data: Record<string, unknown>): unknown {
    this.#kept.records[id] = { ...this.#kept.records[id], ...data }
    return this.#record(id)
  }
}
