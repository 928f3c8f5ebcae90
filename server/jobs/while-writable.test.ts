import { expect, test } from 'vitest'
import { whileWritable } from './while-writable.ts'

function open(isFull: boolean) {
  const seen: string[] = []
  let listener = () => {}
  const space = {
    shortage: isFull ? {} : undefined,
    onChange(heard: () => void) {
      listener = heard
      return () => {}
    },
  }
  const part = (name: string) => async () => {
    seen.push(`${name} begins`)
    return async () => void seen.push(`${name} ends`)
  }
  const errors: unknown[] = []
  const running = whileWritable(space, {
    work: part('work'),
    instead: part('freeing'),
    onError: (error) => void errors.push(error),
  })
  const turn = (full: boolean) => {
    space.shortage = full ? {} : undefined
    listener()
  }
  return { seen, running, turn, errors }
}

test('work ends when the disk is full, and begins again when it is not', async () => {
  const { seen, running, turn } = open(false)
  await running.started
  turn(true)
  await expect.poll(() => seen).toEqual(['work begins', 'work ends', 'freeing begins'])
  turn(false)
  await expect.poll(() => seen.slice(3)).toEqual(['freeing ends', 'work begins'])
  await running.stop()
  expect(seen.slice(5)).toEqual(['work ends'])
})

test('on a full disk no work begins', async () => {
  const { seen, running } = open(true)
  await running.started
  expect(seen).toEqual(['freeing begins'])
  await running.stop()
  expect(seen).toEqual(['freeing begins', 'freeing ends'])
})

test('a disk that was full for a moment leaves the work as it is', async () => {
  const { seen, running, turn } = open(false)
  await running.started
  turn(true)
  turn(false)
  await running.stop()
  expect(seen).toEqual(['work begins', 'work ends'])
})
