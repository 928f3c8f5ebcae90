// The check and the run report the same numbers, for any rows, records and mapping.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { cases } from '../test/dose.ts'
import { imported, mapping } from './imports.fixture.ts'

const service = await buildTestService()

// Few different values, so that rows conflict with each other.
const email = fc.constantFrom('', 'a@x.example', 'B@x.example', 'b@x.example', 'c@x.example', 'nowhere')
const badge = fc.constantFrom('', '1', '2', '3')
const row = fc.record({ name: fc.constantFrom('Ada', 'Bo', ''), email, badge })
const record = fc.record({ email: fc.constantFrom('a@x.example', 'b@x.example'), badge })

/** The last two rows exchange the badges of the first two. */
const exchanging = (
  [
    ['a@x.example', '2'],
    ['b@x.example', '3'],
    ['a@x.example', '3'],
    ['b@x.example', '2'],
  ] as const
).map(([email, badge]) => ({ name: 'Ada' as const, email, badge }))

const given = (data: Record<string, string>) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ''))

test('the check counts what the run does', async () => {
  const seen = { creates: 0, updates: 0, errors: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 2 }),
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(null, 'email', 'badge'),
      async (records, rows, matchOn) => {
        const owner = await (await service.org()).member('owner')
        await owner.post('/objects/people/attributes', { name: 'Badge', type: 'text', isUnique: true })
        for (const data of records)
          await owner.post('/objects/people/records', { data: given({ name: 'Old', ...data }) })
        const text = ['Name,Email,Badge', ...rows.map((one) => `${one.name},${one.email},${one.badge}`)].join(
          '\n',
        )
        fc.pre(rows.some((one) => Object.values(one).some((cell) => cell !== '')))
        const file = await imported(service, owner, {
          text,
          mapping: mapping('name', 'email', 'badge'),
          matchOn,
        })
        const { created, updated, failed } = file.progress
        expect(file.check).toMatchObject({ creates: created, updates: updated, errors: failed })
        seen.creates += created
        seen.updates += updated
        seen.errors += failed
      },
    ),
    // With fewer than 40 cases, some random seeds would produce no update.
    { numRuns: cases(134), examples: [[[], exchanging, 'email']] },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})
