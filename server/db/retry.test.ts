import { expect, test } from 'vitest'
import { retryOnReplacement } from './retry.ts'

const persistence = { isWanted: () => true, scope: undefined }
const ended = () => Object.assign(new Error('terminating connection'), { code: '57P01' })

test('what changed nothing is repeated', async () => {
  let tries = 0
  const work = async () => {
    if (++tries === 1) throw ended()
    return tries
  }
  expect(await retryOnReplacement(work, persistence)).toBe(2)
})

test('what was given up on another database is not repeated by what is around it', async () => {
  let tries = 0
  const inner = () =>
    retryOnReplacement(async (one) => {
      tries++
      one.mayRepeat = false
      throw ended()
    }, persistence)
  await expect(retryOnReplacement(inner, persistence)).rejects.toMatchObject({ code: '57P01' })
  expect(tries).toBe(1)
})
