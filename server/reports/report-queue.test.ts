import { expect, test } from 'vitest'
import { createReportQueue, type ReportQueue } from './report-queue.ts'

const soon = () => Date.now() + 60_000

/** Records the order in which reports start. */
function watched(queue: ReportQueue) {
  const started: string[] = []
  const take = async (name: string, org: number) => {
    const release = await queue.take(org, soon())
    started.push(name)
    return release
  }
  return { started, take }
}

test('runs one report of an organization and two in total, in the order of their requests', async () => {
  const { started, take } = watched(createReportQueue())
  const [endFirst] = await Promise.all([take('a1', 1), take('b1', 2)])
  const second = take('a2', 1)
  const third = take('c1', 3)
  await Promise.resolve()
  expect(started).toEqual(['a1', 'b1'])
  endFirst()
  const endSecond = await second
  expect(started).toEqual(['a1', 'b1', 'a2'])
  endSecond()
  await third
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1'])
})

test('a run that waits for its own organization does not delay others', async () => {
  const { started, take } = watched(createReportQueue())
  const endFirst = await take('a1', 1)
  const second = take('a2', 1)
  await take('b1', 2)
  expect(started).toEqual(['a1', 'b1'])
  endFirst()
  await second
  expect(started).toEqual(['a1', 'b1', 'a2'])
})

test('a request that waits too long is rejected, and frees its place', async () => {
  const queue = createReportQueue(1)
  const release = await queue.take(1, soon())
  await expect(queue.take(2, Date.now() + 5)).rejects.toMatchObject({ code: 'report_busy', status: 429 })
  release()
  ;(await queue.take(3, soon()))()
})
