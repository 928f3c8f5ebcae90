// Drills: backups of every age, with and without a key, are restored to ten moments: what comes back equals what there was
// then, secrets decrypted. Then with one object missing, cut off, changed or in the place of another: all comes back, or
// the command names what is missing. DRILLS_TIMES says how many of these are tried, or "all", which takes some hours;
// DRILLS_SEED repeats a choice.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRandom, type Random } from '../../demo/random.ts'
import { restore, temporaryRoot } from './backup.fixture.ts'
import { DAMAGES, type Drill, perform } from './drills.fixture.ts'
import {
  type Accounts,
  accountsIn,
  type History,
  MOMENTS,
  openHistory,
  type Place,
} from './history.fixture.ts'

const DAY_MS = 24 * 3_600_000
/** Another choice each day: a second try has the same. */
const SEED = Number(process.env['DRILLS_SEED'] ?? Math.floor(Date.now() / DAY_MS))
const TIMES = process.env['DRILLS_TIMES'] ?? '15'

const root = await temporaryRoot()
let history: History
/** Of both places, by what they are. */
let kinds: Map<string, { place: Place; object: string }[]>

/** Without what differs between objects of one kind. */
const kindOf = (object: string) => object.replaceAll(/[^/]*\d[^/.]*/g, '*')

beforeAll(async () => {
  history = await openHistory(root)
  const objects = history.places.map(async (place) =>
    (await Array.fromAsync(place.vault.store.list(''))).map((object) => ({ place, object })),
  )
  kinds = Map.groupBy((await Promise.all(objects)).flat(), ({ object }) => kindOf(object))
})

/** Of the two places, the one that is encrypted for one age and not for the other. */
async function restoreTo(moment: number, age: 'newest' | 'oldest'): Promise<Accounts> {
  const { vault, made } = history.places[((moment + Number(age === 'oldest')) % 2) as 0 | 1]
  const target = join(root, `${age}-${moment}`)
  const id = age === 'oldest' ? { id: made[0]?.manifest.id ?? '' } : {}
  const restored = await restore(vault, target, { to: history.moments[moment]?.at ?? new Date(), ...id })
  expect(restored).toMatchObject({ reached: true, logProblem: null, keyGaps: [] })
  return accountsIn(target)
}

test.each(Array.from({ length: MOMENTS }, (_, index) => index))(
  'moment %i, from the newest and from the oldest backup',
  async (moment) => {
    const expected = history.ledger[history.moments[moment]?.state ?? 0]
    const found = await Promise.all([restoreTo(moment, 'newest'), restoreTo(moment, 'oldest')])
    expect(found).toEqual([expected, expected])
  },
)

test('there were three backups in each place, ten moments, and objects of every kind', () => {
  expect(history.moments).toHaveLength(MOMENTS)
  expect(history.places.map(({ made }) => made.length)).toEqual([3, 3])
  expect([...kinds.keys()].toSorted()).toEqual([
    '*/backups/*/database/*',
    '*/backups/*/gone-files',
    '*/backups/*/keys/auth-secret',
    '*/backups/*/keys/postgres/rapport.password',
    '*/backups/*/keys/secrets-key',
    '*/backups/*/manifest.json',
    '*/chain.json',
    '*/files/*/logos/*/*',
    '*/head.json',
    '*/keys',
    '*/wal/*',
    '*/wal/*.partial',
    'rapport-backups.json',
  ])
})

interface Age {
  id: string | undefined
}

/** Backups that can be restored to a moment, and the newest by its time. */
function agesAt({ made }: Place, moment: number): Age[] {
  const at = history.moments[moment]?.at.toISOString() ?? ''
  const before = made.filter(({ manifest }) => manifest.endedAt <= at)
  return [{ id: undefined }, ...before.map(({ manifest: { id } }) => ({ id }))]
}

/** What an object may be taken for: one of its kind, or any where it is the only one. */
function partnersOf(place: Place, object: string): string[] {
  const others = (objects: readonly { place: Place; object: string }[]) =>
    objects.filter((one) => one.place === place && one.object !== object).map((one) => one.object)
  const ofKind = others(kinds.get(kindOf(object)) ?? [])
  return ofKind.length > 0 ? ofKind : others([...kinds.values()].flat())
}

/** Each kind in turn, so that those with few objects are not left out. */
function* drawn(random: Random, times: number): Generator<Drill> {
  const lists = [...kinds.values()]
  for (let number = 0; number < times; number++) {
    const { place, object } = random.pick(lists[number % lists.length] ?? [])
    const moment = random.integer(0, MOMENTS - 1)
    const other = random.pick(partnersOf(place, object))
    yield { place, object, other, how: random.pick(DAMAGES), moment, ...random.pick(agesAt(place, moment)) }
  }
}

/** Of those that an object may be taken for, one. */
function* everyDrill(random: Random): Generator<Drill> {
  for (const { place, object } of [...kinds.values()].flat())
    for (const how of DAMAGES)
      for (let moment = 0; moment < MOMENTS; moment++)
        for (const age of agesAt(place, moment))
          yield { place, object, other: random.pick(partnersOf(place, object)), how, moment, ...age }
}

const AT_ONCE = 2
/** By the command, which takes some seconds. */
const BY_COMMAND = 10

test(
  `a damaged backup brings all, or what is missing is named (seed ${SEED})`,
  async () => {
    const random = createRandom(SEED)
    const drills = TIMES === 'all' ? everyDrill(random) : drawn(random, Number(TIMES))
    const [faults, tally] = [[] as string[], { whole: 0, gap: 0, refused: 0 }]
    let count = 0
    const work = async () => {
      for (const drill of drills) {
        const number = count++
        const byCommand = number % BY_COMMAND === 0
        const { fault, outcome } = await perform(drill, join(root, `drill-${number}`), { history, byCommand })
        if (fault !== undefined) faults.push(fault)
        tally[outcome.isWhole ? 'whole' : outcome.restored ? 'gap' : 'refused']++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    process.stdout.write(`drills: seed ${SEED}, ${JSON.stringify(tally)}\n`)
    expect(faults).toEqual([])
  },
  DAY_MS,
)
