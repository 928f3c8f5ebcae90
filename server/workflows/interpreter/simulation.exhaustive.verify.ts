// Many random workflows with dying workers, failing steps and clock jumps. A failure prints its seed. To start with a
// seed: `npm run soak -- simulation --seed N`; to run more workflows: `--count`.
import { expect, inject, test } from 'vitest'
import { STEP_TYPES, type StepType } from '../../../contract/workflow-steps.ts'
import { wholeNumber } from '../../test/dose.ts'
import { attribute } from '../check/check.fixture.ts'
import { checkDefinition, type Known } from '../check/definition.ts'
import { isReadingStep } from '../steps/perform.ts'
import { STEPS } from '../steps/steps.ts'
import { randomOf, randomWorkflow } from './random-workflow.fixture.ts'
import { type Faults, NO_FAULTS, Simulation } from './simulation.fixture.ts'

const SEEDS = wholeNumber('SIMULATION_SEEDS', 1000)
const FIRST_SEED = wholeNumber('SIMULATION_FIRST_SEED', inject('seed'))

const CRASHES: Faults = { ...NO_FAULTS, crashBefore: 0.3, crashAfter: 0.3 }
const ALL: Faults = { crashBefore: 0.15, crashAfter: 0.15, transient: 0.15, permanent: 0.05, clock: 0.2 }

const known: Known = {
  objects: [
    {
      id: '0198c0de-0000-7000-8000-0000000000dd',
      slug: 'things',
      isActive: true,
      attributes: [
        attribute('title', 'text'),
        attribute('code', 'text', { isUnique: true }),
        attribute('n', 'number'),
        attribute('list', 'list'),
      ],
    },
  ],
  endpoints: [String(STEPS.send_webhook.example['endpointId'])],
  reports: [String(STEPS.run_report.example['reportId'])],
  secrets: [],
  locale: { country: 'US', currency: 'USD' },
  members: new Map(),
}

const isWriting = (type: StepType) => STEPS[type].kind === 'data' && !isReadingStep(type)

/** Every completed writing step of the history had its effect once, in that order, and no other step had one. */
function expectOnce({ effects, stepLog }: ReturnType<Simulation['run']>): void {
  const done = Object.values(stepLog).filter(({ type, status }) => isWriting(type) && status === 'completed')
  expect(effects).toEqual(done.map(({ place, path }) => ({ place, path })))
}

interface Seen {
  types: Set<string>
  ends: Map<string, number>
}

function simulate(seed: number, seen: Seen): void {
  const definition = randomWorkflow(randomOf(seed))
  expect(checkDefinition(definition, known)).toEqual([])
  const play = (faults: Faults) => {
    const simulation = new Simulation(definition, faults, randomOf(seed + 0x5eed))
    return { kept: simulation.run(), external: simulation.external }
  }
  const [calm, crashing, all] = [play(NO_FAULTS), play(CRASHES), play(ALL)]
  for (const { kept } of [calm, crashing, all]) {
    expectOnce(kept)
    const end = kept.error?.split(':')[0] ?? kept.status
    seen.ends.set(end, (seen.ends.get(end) ?? 0) + 1)
    for (const { type } of Object.values(kept.stepLog)) seen.types.add(type)
  }
  // Dying workers do not change the result. Other services receive each request at least once.
  expect(crashing.kept).toEqual(calm.kept)
  expect(new Set(crashing.external.keys())).toEqual(new Set(calm.external.keys()))
  for (const times of calm.external.values()) expect(times).toBe(1)
}

test(`${SEEDS} random workflows have correct results with faults`, { timeout: 60_000 + SEEDS * 30 }, () => {
  const seen: Seen = { types: new Set(), ends: new Map() }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    try {
      simulate(seed, seen)
    } catch (error) {
      console.error(`Seed ${seed} fails`)
      throw error
    }
  }
  // The workflows must have covered every step type and the frequent ends.
  expect(seen.types.size).toBe(STEP_TYPES.length)
  for (const end of ['completed', 'step_failed', 'failed_by_step'])
    expect(seen.ends.get(end) ?? 0, end).toBeGreaterThan(SEEDS / 1000)
})
