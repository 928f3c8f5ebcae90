// Drills: backups of every age, with and without a key, are restored to ten points in time. The restored data must be
// the data of that time, with secrets decrypted. Then restores with one object missing, cut off, changed or swapped for
// another: everything is restored, or the command names what is missing. DRILLS_TIMES is the number of these drills, or
// "all", which takes some hours. DRILLS_SEED repeats a choice.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRandom, type Random } from '../../demo/random.ts'
import { serverFolder } from '../../test/temporary-folder.ts'
import { restore } from './backup.fixture.ts'
import { DAMAGES, type Drill, perform } from './drills.fixture.ts'
import {
  type Accounts,
  accountsIn,
  type BackupStorage,
  HISTORY_POINTS,
  type History,
  openHistory,
} from './history.fixture.ts'

const DAY_MS = 24 * 3_600_000
/** Changes each day: a second run on the same day makes the same choice. */
const SEED = Number(process.env['DRILLS_SEED'] ?? Math.floor(Date.now() / DAY_MS))
const TIMES = process.env['DRILLS_TIMES'] ?? '15'

const root = await serverFolder('backup')
let history: History
/** The objects of both places by kind. */
let kinds: Map<string, { storage: BackupStorage; object: string }[]>

/** The name without the parts that differ between objects of one kind. */
const kindOf = (object: string) => object.replaceAll(/[^/]*\d[^/.]*/g, '*')

beforeAll(async () => {
  history = await openHistory(root)
  const objects = history.storages.map(async (storage) =>
    (await Array.fromAsync(storage.vault.store.list(''))).map((object) => ({ storage, object })),
  )
  kinds = Map.groupBy((await Promise.all(objects)).flat(), ({ object }) => kindOf(object))
})

interface Age {
  id: string | undefined
}

/** Backups that can be restored to this time; undefined: the newest of them. */
function agesAt({ made }: BackupStorage, point: number): Age[] {
  const at = history.points[point]?.at.toISOString() ?? ''
  const before = made.filter(({ manifest }) => manifest.endedAt <= at)
  return [{ id: undefined }, ...before.map(({ manifest: { id } }) => ({ id }))]
}

/** Ages by the numbers of restores: every age of both places is restored to every time within six seeds. */
function ageOf(storage: BackupStorage, point: number, number: number): Age {
  const [newest = { id: undefined }, ...chosen] = agesAt(storage, point)
  return number === 0 ? newest : (chosen[(Math.floor(SEED / 2) + point) % chosen.length] ?? newest)
}

/** @param number of two restores: of the newest backup in one place, and of one that the seed chooses in the other */
async function restoreTo(point: number, number: 0 | 1): Promise<Accounts> {
  const storage = history.storages[((point + number + SEED) % 2) as 0 | 1]
  const target = join(root, `point-${point}-${number}`)
  const { id } = ageOf(storage, point, number)
  const to = history.points[point]?.at ?? new Date()
  const restored = await restore(storage.vault, target, { to, ...(id !== undefined && { id }) })
  expect(restored).toMatchObject({ reached: true, logProblem: null, keyGaps: [] })
  return accountsIn(target)
}

test.each(Array.from({ length: HISTORY_POINTS }, (_, index) => index))(
  `time %i is restored from the newest backup and from one of any age (seed ${SEED})`,
  async (point) => {
    const expected = history.ledger[history.points[point]?.state ?? 0]
    const found = await Promise.all([restoreTo(point, 0), restoreTo(point, 1)])
    expect(found).toEqual([expected, expected])
  },
)

test('the history has three backups in each place, ten points in time, and objects of each kind that a backup and the archiver write', () => {
  expect(history.points).toHaveLength(HISTORY_POINTS)
  expect(history.storages.map(({ made }) => made.length)).toEqual([3, 3])
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

/** Objects to swap with: those of the same kind, or any if there is no other of this kind. */
function partnersOf(storage: BackupStorage, object: string): string[] {
  const others = (objects: readonly { storage: BackupStorage; object: string }[]) =>
    objects.filter((one) => one.storage === storage && one.object !== object).map((one) => one.object)
  const ofKind = others(kinds.get(kindOf(object)) ?? [])
  return ofKind.length > 0 ? ofKind : others([...kinds.values()].flat())
}

/** Random drills. Takes the kinds in turn, so that kinds with few objects are included. */
function* drawn(random: Random, times: number): Generator<Drill> {
  const lists = [...kinds.values()]
  for (let number = 0; number < times; number++) {
    const { storage, object } = random.pick(lists[number % lists.length] ?? [])
    const point = random.integer(0, HISTORY_POINTS - 1)
    const other = random.pick(partnersOf(storage, object))
    yield { storage, object, other, how: random.pick(DAMAGES), point, ...random.pick(agesAt(storage, point)) }
  }
}

/** Every drill, each with one random object to swap with. */
function* everyDrill(random: Random): Generator<Drill> {
  for (const { storage, object } of [...kinds.values()].flat())
    for (const how of DAMAGES)
      for (let point = 0; point < HISTORY_POINTS; point++)
        for (const age of agesAt(storage, point))
          yield { storage, object, other: random.pick(partnersOf(storage, object)), how, point, ...age }
}

const AT_ONCE = 2
/** Every tenth drill runs the command, which takes some seconds. */
const BY_COMMAND = 10

test(
  `a damaged backup is restored completely, or the missing data is named (seed ${SEED})`,
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
