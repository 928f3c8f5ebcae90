// The example of the guide has the shape of a definition, and the guide has every measure and only valid ranges.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MEASURE_OPS, RELATIVE_DATES } from '../../contract/report-states.ts'
import { plan } from './plan/plan.fixture.ts'
import { readShape } from './service.ts'

const guide = readFileSync(new URL('../../docs/guide/reports.md', import.meta.url), 'utf8')

test('the example has the shape of a definition', () => {
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? []
  expect(readShape(JSON.parse(example))).toMatchObject({ definition: { name: 'Won by month and industry' } })
})

test.each(MEASURE_OPS)('the guide describes %s', (op) => {
  expect(guide).toMatch(new RegExp(`^\\|[^|]*\`${op}\``, 'm'))
})

test('every range of days in the guide exists', () => {
  const described = [...guide.matchAll(/^\| `(?:\w+)`.*\|$/gm)].flatMap(([row]) => [
    ...row.matchAll(/`(\w+)`/g),
  ])
  const spans = described
    .map(([, name = '']) => name)
    .filter((name) => /^(this|last|next)_|_to_date$|day$|^tomorrow$/.test(name))
  expect(spans.length).toBeGreaterThan(15)
  for (const name of spans) expect(RELATIVE_DATES).toContain(name)
})

test('a join from the referenced object to the referencing one is valid', () => {
  const backward = { alias: 'deal', objectId: 'deals', via: 'deal.company' }
  const measures = [{ key: 'deals', op: 'count' as const, field: 'deal.id' }]
  const source = { objectId: 'companies', alias: 'company' }
  expect(plan({ source, joins: [backward], measures })).toHaveProperty('plan')
})
