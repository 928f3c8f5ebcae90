// Which errors end background work, and after which errors it is tried again.
import pino from 'pino'
import { expect, test } from 'vitest'
import { AppError } from '../base/errors.ts'
import { giveUp } from './give-up.ts'

const log = pino({ level: 'silent' })

/** @param tries the number of tries that failed before */
function workAfter(tries: number) {
  const ended: string[] = []
  let count = tries
  return {
    ended,
    work: {
      countTry: async () => ++count,
      fail: async (message: string) => void ended.push(message),
      name: 'a job failed',
      ref: { jobId: 'j' },
      reason: 'It failed several times',
    },
  }
}

test('a refusal ends the work with its message', async () => {
  const { work, ended } = workAfter(0)
  await giveUp({ log }, new AppError('not_found', 'No such object'), work)
  expect(ended).toEqual(['No such object'])
})

test('another error is tried again, and ends the work the fifth time', async () => {
  const error = new Error('unexpected')
  for (const tries of [0, 3]) await expect(giveUp({ log }, error, workAfter(tries).work)).rejects.toBe(error)
  const { work, ended } = workAfter(4)
  await giveUp({ log }, error, work)
  expect(ended).toEqual(['It failed several times'])
})

test.each(['ECONNREFUSED', '25006', '57P03', '53300'])(
  'an unavailable database (%s) never ends the work',
  async (code) => {
    const error = Object.assign(new Error('away'), { code })
    const { work, ended } = workAfter(100)
    await expect(giveUp({ log }, error, work)).rejects.toBe(error)
    expect(ended).toEqual([])
  },
)
