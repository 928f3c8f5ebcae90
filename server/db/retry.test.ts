import { expect, test } from 'vitest'
import { retryOnReplacement } from './retry.ts'

const persistence = { isWanted: () => true, scope: undefined }
const ended = () => Object.assign(new Error('terminating connection'), { code: '57P01' })

test('work that changed nothing is repeated after a lost connection', async () => {
  let tries = 0
  const work = async () => {
    if (++tries === 1) throw ended()
    return tries
  }
  expect(await retryOnReplacement(work, persistence)).toBe(2)
})

test('outer work is not repeated when inner work on another database was given up', async () => {
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
