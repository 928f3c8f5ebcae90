import { expect, test } from 'vitest'
import { whileWritable } from './while-writable.ts'

type Failures = Record<'work' | 'freeing', unknown[]>

/** @param failures the errors of the first attempts; undefined for an attempt that succeeds */
function open(isFull: boolean, failures: Partial<Failures> = {}) {
  const seen: string[] = []
  const listeners = new Set<() => void>()
  const space = {
    shortage: isFull ? {} : undefined,
    onChange(heard: () => void) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
  }
  const turn = (full: boolean) => {
    space.shortage = full ? {} : undefined
    for (const listener of listeners) listener()
  }
  const part = (name: keyof Failures) => async () => {
    const failure = failures[name]?.shift()
    if (failure !== undefined) throw failure
    seen.push(`${name} begins`)
    return async () => void seen.push(`${name} ends`)
  }
  const errors: unknown[] = []
  const options = { work: part('work'), instead: part('freeing'), retryMs: 1 }
  const onError = (error: unknown) => void errors.push(error)
  return { seen, errors, turn, space, listeners, options: { ...options, onError } }
}

function run(...given: Parameters<typeof open>) {
  const opened = open(...given)
  return { ...opened, running: whileWritable(opened.space, opened.options) }
}

test('work ends when the disk is full, and begins again when it has space', async () => {
  const { seen, running, turn } = run(false)
  await running.started
  turn(true)
  await expect.poll(() => seen).toEqual(['work begins', 'work ends', 'freeing begins'])
  turn(false)
  await expect.poll(() => seen.slice(3)).toEqual(['freeing ends', 'work begins'])
  await running.stop()
  expect(seen.slice(5)).toEqual(['work ends'])
})

test('on a full disk no work begins', async () => {
  const { seen, running } = run(true)
  await running.started
  expect(seen).toEqual(['freeing begins'])
  await running.stop()
  expect(seen).toEqual(['freeing begins', 'freeing ends'])
})

test('a disk that was full only briefly does not stop the work', async () => {
  const { seen, running, turn } = run(false)
  await running.started
  turn(true)
  turn(false)
  await running.stop()
  expect(seen).toEqual(['work begins', 'work ends'])
})

test('work that cannot begin again is tried again', async () => {
  const error = new Error('the database recovers')
  const { seen, running, turn, errors } = run(true, { work: [error, error] })
  await running.started
  turn(false)
  await expect.poll(() => seen).toEqual(['freeing begins', 'freeing ends', 'work begins'])
  expect(errors).toEqual([error, error])
  await running.stop()
  expect(seen.slice(3)).toEqual(['work ends'])
})

test('after a stop nothing is tried again', async () => {
  const { seen, running, turn, errors } = run(true, { work: Array(1000).fill(new Error('away')) })
  await running.started
  turn(false)
  await expect.poll(() => errors.length).toBeGreaterThan(0)
  await running.stop()
  const count = errors.length
  turn(true)
  await new Promise(setImmediate)
  expect(errors).toHaveLength(count)
  expect(seen).toEqual(['freeing begins', 'freeing ends'])
})

test('throws the error of the first start, and starts nothing later', async () => {
  const error = new Error('wrong')
  const { seen, running, turn, errors, listeners } = run(false, { work: [error] })
  await expect(running.started).rejects.toBe(error)
  expect(listeners.size).toBe(0)
  turn(true)
  await running.stop()
  expect([seen, errors]).toEqual([[], []])
})

test('starts to free a disk that becomes full while work begins', async () => {
  const opened = open(false)
  const work = async () => {
    opened.turn(true)
    return undefined
  }
  const running = whileWritable(opened.space, { ...opened.options, work })
  await running.started
  expect(opened.seen).toEqual(['freeing begins'])
  await running.stop()
})
