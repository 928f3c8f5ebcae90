import { expect, test } from 'vitest'
import { bodyOf, expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { uploaded } from './imports.fixture.ts'

const service = await sharedTestService()

async function setUp(text: string) {
  const org = await service.org()
  const mia = await org.member('member')
  const file = await uploaded(mia, text)
  const values = (index: number | string, as = mia) => as.get(`/imports/${file.id}/columns/${index}/values`)
  return { values }
}

const csv = (values: readonly string[]) =>
  `Name,Kind\n${values.map((value, row) => `P${row},${value}`).join('\n')}`

test('returns the values of all rows, each once, in the order of the file', async () => {
  const many = Array.from({ length: 3000 }, (_, row) => ` Kind ${row % 500} `)
  const { values } = await setUp(csv(['', ...many]))
  const body = bodyOf(await values(1))
  expect(body).toEqual({ values: Array.from({ length: 500 }, (_, row) => `Kind ${row}`), isComplete: true })
})

test.each([
  ['more than 500 different values', Array.from({ length: 501 }, (_, row) => `Kind ${row}`), 500],
  ['a value of more than 200 characters', ['a', 'x'.repeat(201), 'b'], 1],
])('returns an incomplete list for a column with %s', async (_, column, length) => {
  const { values } = await setUp(csv(column))
  const { body } = await values(1)
  expect(body).toMatchObject({ isComplete: false })
  expect(body['values']).toHaveLength(length)
})

test('leaves out the values of broken rows', async () => {
  const { values } = await setUp('Name,Kind\nA,one\nB,two,too much\nC,three\n')
  expect((await values(1)).body).toEqual({ values: ['one', 'three'], isComplete: true })
})

test('returns not_found for a missing column or import', async () => {
  const { values } = await setUp(csv(['a']))
  expectError(await values(2), 'not_found')
  const stranger = await (await service.org()).member('owner')
  expectError(await values(1, stranger), 'not_found')
})
