// Any sequence of changes of options has the same result as changing an array of values by hand.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { indexEmptyObject } from '../records/engine/indexed.fixture.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { buildTestService } from '../test/build-app.ts'

const service = await buildTestService()
const { db } = service.ctx

interface Step {
  kind: 'rename' | 'merge' | 'clear' | 'move' | 'write'
  a: number
  b: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('rename', 'merge', 'clear', 'move', 'write'),
    a: fc.nat(20),
    b: fc.nat(20),
  }),
  { minLength: 1, maxLength: 6 },
)

interface Model {
  options: string[]
  values: (string | null)[]
}

let named = 0

/** The request of a step, and the model after the step. */
function applied({ options, values }: Model, { kind, a, b }: Step) {
  const [one, other] = [options[a % options.length] ?? '', options[b % options.length] ?? '']
  const replace = (to: (value: string) => string | null) => values.map((value) => value && to(value))
  if (kind === 'rename') {
    const name = `Option ${++named}`
    const after = options.map((option) => (option === one ? name : option))
    const body = {
      options: options.map((value) => (value === one ? { value: name, from: [one] } : { value })),
    }
    return { body, model: { options: after, values: replace((value) => (value === one ? name : value)) } }
  }
  const others = options.filter((option) => option !== one)
  if (kind === 'merge' && one !== other) {
    const body = { options: others.map((value) => (value === other ? { value, from: [one] } : { value })) }
    return { body, model: { options: others, values: replace((value) => (value === one ? other : value)) } }
  }
  if (kind === 'clear' && others.length > 0) {
    const body = { options: others.map((value) => ({ value })), clear: [one] }
    return { body, model: { options: others, values: replace((value) => (value === one ? null : value)) } }
  }
  const after = [...others, one]
  return { body: { options: after.map((value) => ({ value })) }, model: { options: after, values } }
}

const tally = (values: readonly (string | null)[]) =>
  Object.fromEntries([...Map.groupBy(values, String)].map(([value, all]) => [value, all.length]).sort())

test('sequences of changes keep values, totals, groups, index rows and counters correct', {
  timeout: 120_000,
}, async () => {
  const org = await service.org()
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(fc.nat(20), { minLength: 4, maxLength: 8 }),
      async (sequence, places) => {
        const pluralName = `Things ${++named}`
        const { body: object } = await org.post<{ id: string }>('/objects', {
          pluralName,
          singularName: pluralName,
        })
        const start = ['a', 'b', 'c', 'd']
        const { body: attribute } = await org.post<{ id: string }>(`/objects/${object.id}/attributes`, {
          ...{ name: 'Stage', type: 'select', config: { options: start } },
        })
        await indexEmptyObject(db, object.id, { texts: 'values', keepsMissing: true })
        const records = `/objects/${object.id}/records`
        let model: Model = {
          options: start,
          values: places.map((place) => start[place % start.length] ?? null),
        }
        const rows = model.values.map((stage) => ({ data: { stage } }))
        const ids = (await org.post<{ results: { id: string }[] }>(`${records}/bulk`, { records: rows })).body
          .results
        for (const step of sequence) {
          if (step.kind === 'write') {
            const at = step.a % ids.length
            const stage = model.options[step.b % model.options.length] ?? null
            expect((await org.patch(`${records}/${ids[at]?.id}`, { data: { stage } })).status).toBe(200)
            model = { ...model, values: model.values.with(at, stage) }
            continue
          }
          const next = applied(model, step)
          const reply = await org.patch(`/objects/${object.id}/select-attributes/${attribute.id}`, next.body)
          expect(reply).toMatchObject({ status: 200, body: { config: { options: next.model.options } } })
          model = next.model
        }
        const { body } = await org.get<{ records: { data: { stage?: string } }[] }>(`${records}?order=asc`)
        expect(body.records.map(({ data }) => data.stage ?? null)).toEqual(model.values)
        const groups = await org.post<{ groups: { value: string | null; count: number }[] }>(
          `${records}/groups`,
          { by: 'stage' },
        )
        const counts = groups.body.groups.flatMap(({ value, count }) =>
          Array.from({ length: count }, () => value),
        )
        expect(tally(counts)).toEqual(tally(model.values))
        const place = await db.one<{ org: number; obj: number }>(
          sql`select org, obj from objects where id = ${object.id}`,
        )
        expect(await audit(db, place)).toEqual([])
      },
    ),
    { numRuns: 12 },
  )
})
