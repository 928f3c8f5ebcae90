import { describe, expect, test } from 'vitest'
import { createConnectionTime } from './connection-time.ts'

/** Organizations 'a' and 'b' that may use one connection each all the time, and a clock in seconds. */
function usage() {
  let now = 0
  const time = createConnectionTime<string>({ sustained: 1, now: () => now })
  return {
    ...{ use: (key: string) => time.use(key), isOver: (key: string) => time.isOver(key) },
    wait(seconds: number) {
      now += seconds * 1000
    },
    /** Uses several connections for a time, while 'b' uses one now and then. */
    keepBusy(key: string, connections: number, seconds: number) {
      const ends = Array.from({ length: connections }, () => time.use(key))
      for (let second = 0; second < seconds; second++) {
        now += 1000
        time.use('b')()
      }
      for (const end of ends) end()
    },
  }
}

describe('an organization among others', () => {
  test.each([
    ['a short burst of many', 4, 1, false],
    ['one all the time', 1, 600, false],
    ['several for long', 2, 6, true],
    ['many for a while', 4, 2, true],
  ])('%s', (_, connections, seconds, isOver) => {
    const org = usage()
    org.keepBusy('a', connections, seconds)
    expect(org.isOver('a')).toBe(isOver)
    expect(org.isOver('b')).toBe(false)
  })

  test('is over while its connections are still in use', () => {
    const org = usage()
    for (let n = 0; n < 4; n++) org.use('a')
    org.wait(3)
    org.use('b')()
    expect(org.isOver('a')).toBe(true)
  })

  test('has paid ten seconds after any excess', () => {
    const org = usage()
    org.keepBusy('a', 10, 600)
    expect(org.isOver('a')).toBe(true)
    org.keepBusy('a', 0, 9)
    expect(org.isOver('a')).toBe(true)
    org.keepBusy('a', 0, 2)
    expect(org.isOver('a')).toBe(false)
  })
})

test('an organization that has the database to itself is never over', () => {
  const org = usage()
  const ends = Array.from({ length: 4 }, () => org.use('a'))
  org.wait(600)
  expect(org.isOver('a')).toBe(false)
  for (const end of ends) end()
  org.use('b')()
  org.use('a')()
  org.use('a')()
  expect(org.isOver('a')).toBe(true)
  org.wait(11)
  expect(org.isOver('a')).toBe(false)
})

test('a use that is ended twice counts once', () => {
  const org = usage()
  const end = org.use('a')
  for (let times = 0; times < 3; times++) end()
  org.keepBusy('a', 4, 2)
  expect(org.isOver('a')).toBe(true)
})

test('accounts of those who came and went are forgotten, those in debt are not', () => {
  const org = usage()
  org.keepBusy('a', 10, 600)
  for (let n = 0; n < 5000; n++) org.use(`once ${n}`)()
  expect(org.isOver('a')).toBe(true)
})
