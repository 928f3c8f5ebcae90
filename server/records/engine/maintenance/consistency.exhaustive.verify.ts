// Index rows and counters match the records after any sequence of operations, also while an index is incomplete.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, inject, test } from 'vitest'
import { AppError } from '../../../base/errors.ts'
import { buildTestService } from '../../../test/build-app.ts'
import { cases } from '../../../test/dose.ts'
import type { Org } from '../../../test/factories.ts'
import { buildEveryType, dataOf, type Named } from '../../every-type.fixture.ts'
import { createRecord } from '../../write/service.ts'
import { changeBefore, openRange, pagesByChange } from '../change-times.fixture.ts'
import { audit } from './audit.fixture.ts'
import { beginIndex } from './begin.ts'
import { waitUntilIndexed } from './finish.ts'
import { foldObject, tidyCounters } from './fold.ts'
import { advanceIndex } from './steps.ts'
import { dropIndex, type ObjectKey } from './work-store.ts'

const service = await buildTestService({ indexFrom: 1 })
const { ctx } = service
const { db } = ctx
const signal = new AbortController().signal

type Ids = { id: string }[]

async function buildThings() {
  const org = await service.org()
  const { id, ...named } = await buildEveryType(org)
  const object = await db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and id = ${id}`,
  )
  return { org, object, named, path: '/objects/things' }
}

type Things = Awaited<ReturnType<typeof buildThings>>

const idsOf = async ({ object }: Things) =>
  (
    await db.many<{ id: string }>(
      sql`select id from records where org = ${object.org} and obj = ${object.obj} order by id`,
    )
  ).map(({ id }) => id)

const trashOf = async ({ object }: Things) =>
  (
    await db.many<{ id: string }>(
      sql`select id from trash where org = ${object.org} and obj = ${object.obj} order by id`,
    )
  ).map(({ id }) => id)

const pick = <Value>(values: readonly Value[], place: number): Value | undefined =>
  values[place % values.length]

/** Creates a record in a transaction that is rolled back. */
async function createAndUndo(org: Org, data: object): Promise<void> {
  const caller = { org: org.org, orgId: org.id, userId: org.userId, keyId: null }
  const undone = new Error('undone')
  await db
    .transaction(async (tx) => {
      await createRecord({ ...ctx, db: tx }, { ...caller, country: 'US', currency: 'USD' }, 'things', {
        data,
      })
      throw undone
    })
    .catch((error) => {
      if (error !== undone && !(error instanceof AppError)) throw error
    })
}

type Action = (things: Things) => Promise<unknown>

const writes = (named: Named): fc.Arbitrary<Action> => {
  const data = dataOf(named)
  const place = fc.nat(1000)
  return fc.oneof(
    data.map(
      (one) =>
        ({ org, path }: Things) =>
          org.post(`${path}/records`, { data: one }),
    ),
    fc.array(data, { minLength: 1, maxLength: 4 }).map(
      (all) =>
        ({ org, path }: Things) =>
          org.post(`${path}/records/bulk`, { records: all.map((one) => ({ data: one })) }),
    ),
    fc.tuple(place, data).map(([at, one]) => async (things: Things) => {
      const cleared = Object.fromEntries(
        Object.keys(one).map((slug, index) => [slug, index % 3 ? one[slug] : null]),
      )
      await things.org.patch(`${things.path}/records/${pick(await idsOf(things), at)}`, { data: cleared })
    }),
    fc.array(data, { minLength: 2, maxLength: 6 }).map(
      (all) =>
        ({ org, path }: Things) =>
          Promise.all(all.map((one) => org.post(`${path}/records`, { data: one }))),
    ),
    fc.array(fc.tuple(place, data), { minLength: 2, maxLength: 6 }).map((all) => async (things: Things) => {
      const ids = await idsOf(things)
      await Promise.all(
        all.map(([at, one]) => things.org.patch(`${things.path}/records/${pick(ids, at)}`, { data: one })),
      )
    }),
    fc.tuple(place, place, data).map(([first, second, one]) => async (things: Things) => {
      const ids = await idsOf(things)
      const records = [pick(ids, first), pick(ids, second)].map((id) => ({ id, data: one }))
      const { status } = await things.org.post(`${things.path}/records/bulk`, {
        mode: 'upsert',
        records: [...records, { data: one }],
      })
      expect(status).toBe(200)
    }),
    place.map((at) => async (things: Things) => {
      const ids = (await idsOf(things)).filter((id) => !named.targets.includes(id))
      if (ids.length > 0) await things.org.delete(`${things.path}/records/${pick(ids, at)}`)
    }),
    place.map((at) => async (things: Things) => {
      const trashed = await trashOf(things)
      const ids = [pick(trashed, at), pick(trashed, at + 1)].filter((id) => id !== undefined)
      if (ids.length > 0) await things.org.post(`${things.path}/trash/bulk/restore`, { ids })
    }),
    data.map(
      (one) =>
        ({ org }: Things) =>
          createAndUndo(org, one),
    ),
  )
}

const changes = (): fc.Arbitrary<Action> =>
  fc.oneof(
    fc.constantFrom('text', 'number', 'email', 'date').map(
      (type) =>
        ({ org, path }: Things) =>
          org.post(`${path}/attributes`, { name: 'More', type }),
    ),
    fc.nat(1000).map((at) => async ({ org, path }: Things) => {
      const { body } = await org.get<{ attributes: Ids }>(`${path}/attributes`)
      if (body.attributes.length > 18) await org.delete(`${path}/attributes/${pick(body.attributes, at)?.id}`)
    }),
  )

const background = (): fc.Arbitrary<Action> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(({ object }: Things) => beginIndex(db, object)) },
    {
      weight: 8,
      arbitrary: fc.nat(30).map(
        (limit) =>
          ({ object }: Things) =>
            advanceIndex({ db, queue: db, signal }, object, limit + 1),
      ),
    },
    { weight: 2, arbitrary: fc.constant(({ object }: Things) => foldObject(db, object)) },
    { weight: 1, arbitrary: fc.constant(({ object }: Things) => tidyCounters(db, object)) },
    { weight: 2, arbitrary: fc.constant(({ object }: Things) => openRange(db, object)) },
    { weight: 1, arbitrary: fc.constant(({ object }: Things) => changeBefore(db, object)) },
    { weight: 1, arbitrary: fc.constant(({ object }: Things) => waitUntilIndexed(ctx, object)) },
  )

const actions = (named: Named) =>
  fc.array(
    fc.oneof(
      { weight: 12, arbitrary: writes(named) },
      { weight: 1, arbitrary: changes() },
      { weight: 8, arbitrary: background() },
      {
        weight: 1,
        arbitrary: fc.constant(({ object }: Things) => dropIndex(db, object)),
      },
    ),
    { minLength: 20, maxLength: 60, size: 'max' },
  )

async function expectPages({ object: { org }, path }: Things, offset: number): Promise<void> {
  const [ref = ''] = path.split('/').slice(-1)
  for (const order of ['asc', 'desc'] as const) {
    const pages = await pagesByChange(ctx, { org, ref }, { order, offset })
    expect(pages?.sought, `${order} from ${offset}`).toEqual(pages?.scanned)
  }
}

/** Resets the object to the state without an index. */
async function restart(object: ObjectKey): Promise<void> {
  await dropIndex(db, object)
  while ((await advanceIndex({ db, queue: db, signal }, object, 1)) !== 'cleared');
}

/** Counting fails if the index is dropped during it. This error is expected. */
function unlessGivenUp(error: Error): void {
  if (!error.message.includes('given up meanwhile')) throw error
}

describe('index rows and counters', () => {
  test('match the records after every step of any sequence of operations', async () => {
    const things = await buildThings()
    await fc.assert(
      fc.asyncProperty(actions(things.named), async (all) => {
        await restart(things.object)
        for (const [turn, act] of all.entries()) {
          await act(things)
          expect(await audit(db, things.object)).toEqual([])
          await expectPages(things, turn)
        }
        await waitUntilIndexed(ctx, things.object)
        expect(await audit(db, things.object)).toEqual([])
      }),
      { numRuns: cases(15), endOnFailure: true },
    )
  })

  test('match the last of many concurrent changes of a record', async () => {
    const things = await buildThings()
    const { org, object, path } = things
    const [one] = await Promise.all(
      [1, 2, 3].map(() => org.post<{ id: string }>(`${path}/records`, { data: {} })),
    )
    await waitUntilIndexed(ctx, object)
    const changed = Array.from({ length: 40 }, (_, turn) =>
      org.patch(`${path}/records/${one?.body.id}`, { data: { a_number: turn, a_text: `text ${turn % 7}` } }),
    )
    for (const { status } of await Promise.all(changed)) expect(status).toBe(200)
    expect(await audit(db, object)).toEqual([])
  })

  test('match records whose references are cleared', async () => {
    const things = await buildThings()
    const { org, object, path, named } = things
    const { targets } = named
    const [target] = targets
    for (const data of [{ a_reference: target }, { many_reference: targets }, {}])
      await org.post(`${path}/records`, { data })
    await waitUntilIndexed(ctx, object)
    await changeBefore(db, object)
    await openRange(db, object)
    expect((await org.delete(`${path}/records/${target}`)).status).toBe(200)
    expect(await audit(db, object)).toEqual([])
    await expectPages(things, 2)
  })

  test('match the records during concurrent writes, while the index is built, folded and dropped', async () => {
    const things = await buildThings()
    let isOver = false
    const write = async (writer: number) => {
      for (const act of fc.sample(writes(things.named), {
        numRuns: cases(60),
        seed: inject('seed') + writer,
      }))
        await act(things)
    }
    const build = async () => {
      for (let round = 0; !isOver; round++) {
        await beginIndex(db, things.object)
        await advanceIndex({ db, queue: db, signal }, things.object, 3).catch(unlessGivenUp)
        if (round % 4 === 3) await foldObject(db, things.object)
        if (round % 60 === 59) await dropIndex(db, things.object)
      }
    }
    const look = async () => {
      while (!isOver) expect(await audit(db, things.object)).toEqual([])
    }
    const over = () => {
      isOver = true
    }
    const writing = Promise.all([1, 2, 3, 4].map(write)).finally(over)
    await Promise.all([writing, ...[build(), build(), look()].map((one) => one.finally(over))])
    await waitUntilIndexed(ctx, things.object)
    expect(await audit(db, things.object)).toEqual([])
  })
})
