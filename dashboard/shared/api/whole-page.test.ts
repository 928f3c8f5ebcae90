import { expect, test } from 'vitest'
import type { CrmRecord, RecordList, SearchBody } from '../../../contract/records.ts'
import { wholePage } from './whole-page.ts'

const record = (nr: number) => ({ id: String(nr) }) as CrmRecord

const page = (numbers: readonly number[], nextCursor?: string): RecordList => ({
  records: numbers.map(record),
  pagination: { limit: numbers.length, offset: 0, ...(nextCursor && { nextCursor }) },
})

/** Returns these pages one after the other. */
function reading(...pages: RecordList[]) {
  const asked: SearchBody[] = []
  const readOn = async (body: SearchBody) => {
    asked.push(body)
    return pages.shift() ?? page([])
  }
  return { asked, readOn }
}

const BODY: SearchBody = { q: 'ada', offset: 200, limit: 5, count: true }

test('a page of the requested length stays unchanged', async () => {
  const { asked, readOn } = reading()
  const first = page([1, 2, 3, 4, 5], 'more')
  expect(await wholePage(first, BODY, readOn)).toEqual(first)
  expect(asked).toEqual([])
})

test('the last page stays unchanged, even when it is shorter', async () => {
  const { asked, readOn } = reading()
  expect((await wholePage(page([1, 2]), BODY, readOn)).records).toHaveLength(2)
  expect(asked).toEqual([])
})

test('a shorter page is completed, cursor by cursor', async () => {
  const { asked, readOn } = reading(page([3, 4], 'b'), page([5], 'c'))
  const { records } = await wholePage(page([1, 2], 'a'), BODY, readOn)
  expect(records.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5'])
  expect(asked).toEqual([
    { q: 'ada', cursor: 'a', limit: 3, count: false },
    { q: 'ada', cursor: 'b', limit: 1, count: false },
  ])
})
