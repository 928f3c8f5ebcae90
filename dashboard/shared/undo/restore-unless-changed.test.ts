import { expect, test } from 'vitest'
import { ApiError } from '../api/errors.ts'
import { restoreUnlessChanged } from './restore-unless-changed.ts'

interface Item {
  title: string
  isDone: boolean
}

/** An item that others change before each write. */
function stored(item: Item, ...changes: Partial<Item>[]) {
  let version = 1
  const restoration = {
    read: () => Promise.resolve({ body: { ...item }, etag: `"${version}"` }),
    isUnchanged: ({ isDone }: Item) => isDone,
    restore(_: Item, etag: string | undefined) {
      const change = changes.shift()
      if (change) {
        Object.assign(item, change)
        version++
      }
      if (etag !== `"${version}"`) throw new ApiError(412, { error: 'precondition_failed' })
      item.isDone = false
      return Promise.resolve()
    },
  }
  return { item, restoration }
}

test('a later change of another value stays', async () => {
  const { item, restoration } = stored({ title: 'Call', isDone: true }, { title: 'Call Ada' })
  expect(await restoreUnlessChanged(restoration)).toBe(true)
  expect(item).toEqual({ title: 'Call Ada', isDone: false })
})

test('a value that was changed since stays, also if it is changed meanwhile', async () => {
  const before = stored({ title: 'Call', isDone: false })
  expect(await restoreUnlessChanged(before.restoration)).toBe(false)
  const meanwhile = stored({ title: 'Call', isDone: true }, { isDone: false, title: 'Called' })
  expect(await restoreUnlessChanged(meanwhile.restoration)).toBe(false)
  expect(meanwhile.item).toEqual({ title: 'Called', isDone: false })
})

test('another refusal is thrown', async () => {
  const { restoration } = stored({ title: 'Call', isDone: true })
  const restore = () => Promise.reject(new ApiError(403, { error: 'forbidden' }))
  await expect(restoreUnlessChanged({ ...restoration, restore })).rejects.toThrow()
})
